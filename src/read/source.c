/* source.c: reads in large pieces straight into the window; gzip goes through zlib's inflate, not gzread, so that
 * truncation is told from the end and the memory comes from our allocator. */
#include "source.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

enum { CHUNK = 1 << 20, PAD = 64 };

static void *zip_alloc(void *ctx, unsigned items, unsigned size) {
    return ny_alloc_raw(ctx, (int64_t)items, size);
}
static void zip_free(void *ctx, void *p) {
    (void)ctx;
    ny_free(p);
}

void ny_source_close(ny_source *s) {
    if (s->zip) inflateEnd(s->zip);
    if (s->fd >= 0 && !s->borrowed) close(s->fd);
    ny_free(s->zip);
    ny_free(s->packed);
    ny_free(s->bytes);
    ny_free(s->name);
    memset(s, 0, sizeof *s);
    s->fd = -1;
}

/* Up to `count` raw bytes; fewer only at the end of the file (or of a piece of memory). A pipe gives little at a time,
 * hence the loop. */
static ny_status read_raw(ny_ctx *ctx, ny_source *s, char *to, int64_t count, int64_t *got) {
    *got = 0;
    if (s->memory) {
        *got = s->memory_left < count ? s->memory_left : count;
        if (*got > s->piece) *got = s->piece;
        memcpy(to, s->memory, (size_t)*got);
        s->memory += *got;
        s->memory_left -= *got;
        return NY_OK;
    }
    while (*got < count) {
        ssize_t k = read(s->fd, to + *got, (size_t)(count - *got));
        if (k < 0 && errno == EINTR) continue;
        if (k < 0) return ny_error(ctx, NY_ERR_FILE, "%s: cannot be read: %s", s->name, strerror(errno));
        if (k == 0) break;
        *got += k;
    }
    s->taken += *got;
    return NY_OK;
}

static ny_status make_room(ny_ctx *ctx, ny_source *s) {
    if (s->at > 0) {
        memmove(s->bytes, s->bytes + s->at, (size_t)(s->size - s->at));
        s->size -= s->at;
        s->at = 0;
    }
    int64_t chunk = s->memory && s->memory_left < CHUNK ? s->memory_left : CHUNK;
    if (s->bytes && s->room - s->size >= chunk) return NY_OK;
    int64_t room = s->room ? 2 * s->room : 2 * chunk;
    char *bytes = ny_realloc(ctx, s->bytes, s->size, room + PAD, 1);
    if (!bytes && ctx->memory > 0 && s->size > CHUNK)
        return ny_error(ctx, NY_ERR_MEMORY,
                        "%s: a line of more than %.0f MB, and %.0f MB may be used (--memory): is this a table with one "
                        "row on each line?",
                        s->name, (double)s->size / 1e6, (double)ctx->memory / 1e6);
    if (!bytes) return NY_ERR_MEMORY;
    s->bytes = bytes;
    s->room = room;
    return NY_OK;
}

/* One step of inflate; the input is refilled first. Sets `ended` when all members are unpacked. */
static ny_status unpack(ny_ctx *ctx, ny_source *s) {
    ny_status st = NY_OK;
    z_stream *z = s->zip;
    if (z->avail_in == 0) {
        int64_t got;
        NY_TRY(read_raw(ctx, s, s->packed, CHUNK, &got));
        z->next_in = (unsigned char *)s->packed;
        z->avail_in = (unsigned)got;
        NY_CHECK(ctx, got > 0 || s->zip_done, NY_ERR_FILE, "%s: the gzip file is cut short", s->name);
        if (got == 0) s->ended = true;
    }
    if (s->zip_done && !s->ended) { /* another member may follow; anything else is padding */
        if (*z->next_in == 0x1f) {
            inflateReset(z);
            s->zip_done = false;
        } else {
            s->ended = true;
        }
    }
    if (s->ended) return st;
    int code = inflate(z, Z_NO_FLUSH);
    NY_CHECK(ctx, code != Z_MEM_ERROR, NY_ERR_MEMORY, "%s: out of memory while unpacking", s->name);
    NY_CHECK(ctx, code == Z_OK || code == Z_STREAM_END || code == Z_BUF_ERROR, NY_ERR_FILE,
             "%s: damaged gzip data (%s)", s->name, z->msg ? z->msg : "unexpected code");
    s->zip_done = code == Z_STREAM_END;
done:
    return st;
}

/* A reading that is asked to stop has nothing to show. Passes over rows that were read before are stopped where they
 * are made. */
static ny_status check_stop(ny_ctx *ctx, const ny_source *s) {
    ny_status st = NY_OK;
    bool late = s->stage && ctx->deadline > 0 && ny_now() > ctx->deadline;
    NY_CHECK(ctx, ctx->grace > 0 || !atomic_load(&ctx->cancelled), NY_ERR_CANCELLED, "%s: cancelled while reading",
             s->name);
    NY_CHECK(ctx, ctx->grace > 0 || !late || s->total <= 0, NY_ERR_CANCELLED,
             "%s: the time limit is over after %.1f of its %.1f MB: raise --time-limit or give fewer rows", s->name,
             (double)s->taken / 1e6, (double)s->total / 1e6);
    NY_CHECK(ctx, ctx->grace > 0 || !late, NY_ERR_CANCELLED,
             "%s: the time limit is over after %.1f MB of it: raise --time-limit or give fewer rows", s->name,
             (double)s->taken / 1e6);
done:
    return st;
}

ny_status ny_source_more(ny_ctx *ctx, ny_source *s) {
    ny_status st = NY_OK;
    if (s->ended) return st;
    NY_TRY(check_stop(ctx, s));
    NY_TRY(make_room(ctx, s));
    int64_t space = s->room - s->size;
    if (s->zip) {
        if (space > CHUNK) space = CHUNK; /* zlib counts in 32 bits */
        s->zip->next_out = (unsigned char *)s->bytes + s->size;
        s->zip->avail_out = (unsigned)space;
        while (s->zip->avail_out > 0 && !s->ended) NY_TRY(unpack(ctx, s));
        s->size += space - (int64_t)s->zip->avail_out;
    } else {
        int64_t got;
        NY_TRY(read_raw(ctx, s, s->bytes + s->size, space, &got));
        s->size += got;
        s->ended = s->memory ? s->memory_left == 0 : got < space;
    }
    if (s->stage) ny_progress(ctx, s->stage, (double)s->taken, (double)s->total, -1);
done:
    if (s->bytes) memset(s->bytes + s->size, 0, PAD);
    return st;
}

/* What has been read so far is gzip: hands it to zlib. */
static ny_status start_zip(ny_ctx *ctx, ny_source *s) {
    ny_status st = NY_OK;
    NY_NEW_RAW(ctx, s->packed, s->size > CHUNK ? s->size : CHUNK);
    memcpy(s->packed, s->bytes, (size_t)s->size);
    z_stream *z;
    NY_NEW(ctx, z, 1);
    z->opaque = ctx;
    z->zalloc = zip_alloc;
    z->zfree = zip_free;
    z->next_in = (unsigned char *)s->packed;
    z->avail_in = (unsigned)s->size;
    if (inflateInit2(z, 15 + 16) != Z_OK) {
        ny_free(z);
        NY_FAIL(ctx, NY_ERR_MEMORY, "%s: zlib cannot be started", s->name);
    }
    s->zip = z;
    s->size = 0;
    s->ended = false;
    NY_TRY(ny_source_more(ctx, s));
done:
    return st;
}

static ny_status open_file(ny_ctx *ctx, const char *path, ny_source *s) {
    ny_status st = NY_OK;
    s->borrowed = strcmp(path, "-") == 0;
    s->fd = s->borrowed ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
    NY_CHECK(ctx, s->fd >= 0 || errno != ENOENT, NY_ERR_FILE, "%s: no such file", path);
    NY_CHECK(ctx, s->fd >= 0 || errno != EACCES, NY_ERR_FILE, "%s: no permission to read it", path);
    NY_CHECK(ctx, s->fd >= 0, NY_ERR_FILE, "%s: cannot be opened: %s", path, strerror(errno));
    struct stat info;
    NY_CHECK(ctx, fstat(s->fd, &info) == 0, NY_ERR_FILE, "%s: cannot be read: %s", s->name, strerror(errno));
    NY_CHECK(ctx, !S_ISDIR(info.st_mode), NY_ERR_FILE, "%s: is a directory, not a file", s->name);
    if (S_ISREG(info.st_mode)) s->total = (int64_t)info.st_size;
    s->rewindable = S_ISREG(info.st_mode) && !s->borrowed;
done:
    return st;
}

ny_status ny_source_open(ny_ctx *ctx, const char *path, ny_source *s) {
    ny_status st = NY_OK;
    memset(s, 0, sizeof *s);
    s->fd = -1;
    s->stage = "read";
    s->name = ny_strdup(ctx, strcmp(path, "-") == 0 ? "standard input" : path);
    if (!s->name) st = NY_ERR_MEMORY;
    if (st == NY_OK) st = open_file(ctx, path, s);
    if (st == NY_OK) st = ny_source_more(ctx, s);
    if (st == NY_OK && s->size >= 2 && memcmp(s->bytes, "\x1f\x8b", 2) == 0) st = start_zip(ctx, s);
    if (st != NY_OK) ny_source_close(s);
    return st;
}

ny_status ny_source_memory(ny_ctx *ctx, const char *name, const void *bytes, int64_t size, int64_t piece,
                           ny_source *s) {
    memset(s, 0, sizeof *s);
    s->fd = -1;
    s->memory = size > 0 ? bytes : "";
    s->memory_left = s->memory_size = size;
    s->rewindable = true;
    s->stage = "read";
    s->piece = piece > 0 ? piece : INT64_MAX;
    s->name = ny_strdup(ctx, name);
    ny_status st = s->name ? ny_source_more(ctx, s) : NY_ERR_MEMORY;
    if (st != NY_OK) ny_source_close(s);
    return st;
}

ny_status ny_source_rewind(ny_ctx *ctx, ny_source *s) {
    ny_status st = NY_OK;
    NY_CHECK(ctx, s->rewindable && (s->memory || lseek(s->fd, 0, SEEK_SET) == 0), NY_ERR_FILE,
             "%s: cannot be read a second time", s->name);
    if (s->memory) {
        s->memory -= s->memory_size - s->memory_left;
        s->memory_left = s->memory_size;
    }
    if (s->zip) {
        inflateReset(s->zip);
        s->zip->avail_in = 0;
        s->zip_done = false;
    }
    s->at = s->size = s->taken = 0;
    s->ended = false;
    NY_TRY(ny_source_more(ctx, s));
done:
    return st;
}

bool ny_source_has_places(const ny_source *s) {
    return s->rewindable && !s->zip && !s->memory;
}

ny_status ny_source_at(ny_ctx *ctx, const ny_source *s, int64_t offset, char *to, int64_t count, int64_t *got) {
    *got = 0;
    while (*got < count) {
        ssize_t k = pread(s->fd, to + *got, (size_t)(count - *got), (off_t)(offset + *got));
        if (k < 0 && errno == EINTR) continue;
        if (k < 0) return ny_error(ctx, NY_ERR_FILE, "%s: cannot be read: %s", s->name, strerror(errno));
        if (k == 0) break;
        *got += k;
    }
    return NY_OK;
}

ny_status ny_source_need(ny_ctx *ctx, ny_source *s, int64_t count, int64_t *have) {
    ny_status st = NY_OK;
    while (s->size - s->at < count && !s->ended) NY_TRY(ny_source_more(ctx, s));
    *have = s->size - s->at < count ? s->size - s->at : count;
done:
    return st;
}

ny_status ny_source_line(ny_ctx *ctx, ny_source *s, const char **begin, const char **end, bool *found) {
    ny_status st = NY_OK;
    int64_t seen = 0; /* bytes of the line already searched */
    const char *stop;
    while (!(stop = memchr(s->bytes + s->at + seen, '\n', (size_t)(s->size - s->at - seen))) && !s->ended) {
        seen = s->size - s->at;
        NY_TRY(ny_source_more(ctx, s));
    }
    *found = stop || s->at < s->size;
    *begin = s->bytes + s->at;
    *end = stop ? stop : s->bytes + s->size;
    s->at = stop ? stop + 1 - s->bytes : s->size;
    if (*end > *begin && (*end)[-1] == '\r') --*end;
done:
    return st;
}

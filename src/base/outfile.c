/* outfile.c: temporary file and rename. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "ctx.h"

enum { ATTEMPTS = 100 };

struct ny_outfile {
    FILE *file;
    char *path; /* what it will be called; NULL for standard output, which is flushed and not closed */
    char *temp; /* what it is called now; NULL when written directly */
};

static ny_status refuse(ny_ctx *ctx, const char *path, const char *why) {
    return ny_error(ctx, NY_ERR_FILE, "cannot write '%s': %s", path ? path : "standard output", why);
}

/* With its slash, so that only a folder can be meant. */
static void folder_of(const char *path, char folder[PATH_MAX]) {
    const char *slash = strrchr(path, '/');
    snprintf(folder, PATH_MAX, "%.*s", slash ? (int)(slash - path) + 1 : 1, slash ? path : ".");
}

ny_status ny_outfile_check(ny_ctx *ctx, const char *path) {
    char real[PATH_MAX], folder[PATH_MAX];
    struct stat info;
    NY_NEEDS(ctx, ctx && path, "a context and a path");
    if (strcmp(path, "-") == 0) return NY_OK;
    bool there = stat(path, &info) == 0;
    if (there && S_ISDIR(info.st_mode)) return refuse(ctx, path, "it is a directory");
    if (there && !S_ISREG(info.st_mode)) return NY_OK;
    folder_of(realpath(path, real) ? real : path, folder);
    bool can = (!there || access(path, W_OK) == 0) && stat(folder, &info) == 0 && access(folder, W_OK | X_OK) == 0;
    return can ? NY_OK : refuse(ctx, path, strerror(errno));
}

/* Not mkstemp: that makes the file private, while O_EXCL with 0666 leaves the rights to the user's umask. */
static ny_status make_temp(ny_ctx *ctx, const struct stat *old, ny_outfile *out) {
    static atomic_uint serial;
    int fd = -1;
    for (int k = 0; fd < 0 && k < ATTEMPTS; k++) {
        ny_free(out->temp);
        out->temp = ny_format(ctx, "%s.tmp%ld-%u", out->path, (long)getpid(), atomic_fetch_add(&serial, 1));
        if (!out->temp) return NY_ERR_MEMORY;
        fd = open(out->temp, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (fd < 0 && errno != EEXIST) break;
    }
    if (fd < 0) {
        ny_status st = refuse(ctx, out->path, strerror(errno));
        ny_free(out->temp); /* not ours to remove */
        out->temp = NULL;
        return st;
    }
    if (old && fchmod(fd, old->st_mode & 07777) != 0) { /* then it has the rights of a new file */
    }
    if ((out->file = fdopen(fd, "w"))) return NY_OK;
    close(fd);
    return refuse(ctx, out->path, strerror(errno));
}

ny_status ny_outfile_open(ny_ctx *ctx, const char *path, ny_outfile **result) {
    ny_status st;
    struct stat old;
    char real[PATH_MAX];
    ny_outfile *out = NULL;
    NY_NEEDS(ctx, ctx && path && result, "a context, a path and a place for the file");
    *result = NULL;
    NY_TRY(ny_outfile_check(ctx, path));
    NY_NEW(ctx, out, 1);
    if (strcmp(path, "-") == 0) {
        out->file = stdout;
        goto done;
    }
    if (!(out->path = ny_strdup(ctx, realpath(path, real) ? real : path))) {
        st = NY_ERR_MEMORY;
        goto done;
    }
    bool there = stat(path, &old) == 0;
    if (!there || S_ISREG(old.st_mode)) NY_TRY(make_temp(ctx, there ? &old : NULL, out));
    else if (!(out->file = fopen(path, "we"))) st = refuse(ctx, path, strerror(errno));
done:
    if (st == NY_OK) *result = out;
    else ny_outfile_abort(out);
    return st;
}

FILE *ny_outfile_stream(const ny_outfile *out) {
    return out ? out->file : NULL;
}

/* The new name is on the disk once its folder is. Not every file system can say so: then nothing is lost by trying. */
static void sync_folder(const char *path) {
    char folder[PATH_MAX];
    folder_of(path, folder);
    int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0) return;
    fsync(fd);
    close(fd);
}

ny_status ny_outfile_commit(ny_ctx *ctx, ny_outfile **open_file) {
    NY_NEEDS(ctx, ctx && open_file && *open_file, "a context and an open file");
    ny_status st = NY_OK;
    ny_outfile *out = *open_file;
    *open_file = NULL;
    bool bad = ferror(out->file) != 0;
    errno = 0;
    /* Renamed before its bytes are on the disk, a file could be empty after a power cut, and the old one gone. */
    if (out->temp && !bad) bad = fflush(out->file) != 0 || (fsync(fileno(out->file)) != 0 && errno != EINVAL);
    bad |= (out->path ? fclose(out->file) : fflush(out->file)) != 0;
    out->file = NULL;
    if (!bad && out->temp) bad = rename(out->temp, out->path) != 0;
    if (bad) st = refuse(ctx, out->path, errno ? strerror(errno) : "not all of it could be written");
    if (!bad && out->temp) {
        sync_folder(out->path);
        ny_free(out->temp);
        out->temp = NULL;
    }
    ny_outfile_abort(out);
    return st;
}

void ny_outfile_abort(ny_outfile *out) {
    if (!out) return;
    if (out->file && out->path) fclose(out->file);
    if (out->temp) unlink(out->temp);
    ny_free(out->path);
    ny_free(out->temp);
    ny_free(out);
}

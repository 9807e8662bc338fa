/* outfile.c: temporary file and rename. */
#include "outfile.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { ATTEMPTS = 100 };

/* The file that path means once symbolic links are followed; path itself where there is none yet. */
static char *follow(ny_ctx *ctx, const char *path) {
    char real[PATH_MAX];
    return ny_strdup(ctx, realpath(path, real) ? real : path);
}

/* Not mkstemp: that makes the file private, while O_EXCL with 0666 leaves the rights to the user's umask. */
static ny_status make_temp(ny_ctx *ctx, const struct stat *old, ny_outfile *out) {
    static atomic_uint serial;
    ny_status st = NY_OK;
    int fd = -1;
    for (int k = 0; fd < 0 && k < ATTEMPTS; k++) {
        ny_free(out->temp);
        out->temp = ny_format(ctx, "%s.tmp%ld-%u", out->path, (long)getpid(), atomic_fetch_add(&serial, 1));
        if (!out->temp) return NY_ERR_MEMORY;
        fd = open(out->temp, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (fd < 0 && errno != EEXIST) break;
    }
    if (fd < 0) {
        st = ny_error(ctx, NY_ERR_FILE, "%s: cannot be written: %s", out->path, strerror(errno));
        ny_free(out->temp); /* not ours to remove */
        out->temp = NULL;
        return st;
    }
    if (old && fchmod(fd, old->st_mode & 07777) != 0) { /* then it has the rights of a new file */
    }
    out->file = fdopen(fd, "w");
    if (!out->file) {
        st = ny_error(ctx, NY_ERR_FILE, "%s: cannot be written: %s", out->path, strerror(errno));
        close(fd);
    }
    return st;
}

ny_status ny_outfile_open(ny_ctx *ctx, const char *path, ny_outfile *out) {
    ny_status st = NY_OK;
    struct stat old;
    memset(out, 0, sizeof *out);
    if (strcmp(path, "-") == 0) {
        out->path = ny_strdup(ctx, "standard output");
        out->file = stdout;
        out->borrowed = true;
        if (!out->path) st = NY_ERR_MEMORY;
        goto done;
    }
    if (!(out->path = follow(ctx, path))) {
        st = NY_ERR_MEMORY;
        goto done;
    }
    bool there = stat(path, &old) == 0;
    NY_CHECK(ctx, !there || !S_ISDIR(old.st_mode), NY_ERR_FILE, "%s: is a directory, not a file", path);
    if (there && !S_ISREG(old.st_mode)) {
        out->file = fopen(path, "we");
        NY_CHECK(ctx, out->file, NY_ERR_FILE, "%s: cannot be written: %s", path, strerror(errno));
    } else {
        NY_CHECK(ctx, !there || access(path, W_OK) == 0, NY_ERR_FILE, "%s: no permission to write it", path);
        NY_TRY(make_temp(ctx, there ? &old : NULL, out));
    }
done:
    if (st != NY_OK) ny_outfile_abort(out);
    return st;
}

static void forget(ny_outfile *out) {
    ny_free(out->path);
    ny_free(out->temp);
    memset(out, 0, sizeof *out);
}

/* The new name is on the disk once its folder is. Not every file system can say so: then nothing is lost by trying. */
static void sync_folder(const char *path) {
    char folder[PATH_MAX];
    const char *slash = strrchr(path, '/');
    snprintf(folder, sizeof folder, "%.*s", slash ? (int)(slash - path) + 1 : 1, slash ? path : ".");
    int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0) return;
    fsync(fd);
    close(fd);
}

ny_status ny_outfile_commit(ny_ctx *ctx, ny_outfile *out) {
    bool bad = ferror(out->file) != 0;
    errno = 0;
    /* Renamed before its bytes are on the disk, a file could be empty after a power cut, and the old one gone. */
    if (out->temp && !bad) bad = fflush(out->file) != 0 || (fsync(fileno(out->file)) != 0 && errno != EINVAL);
    bad |= (out->borrowed ? fflush(out->file) : fclose(out->file)) != 0;
    out->file = NULL;
    if (!bad && out->temp) bad = rename(out->temp, out->path) != 0;
    if (!bad && out->temp) sync_folder(out->path);
    if (bad) {
        ny_error(ctx, NY_ERR_FILE, "%s: cannot be written%s%s", out->path, errno ? ": " : "",
                 errno ? strerror(errno) : "");
        ny_outfile_abort(out);
        return NY_ERR_FILE;
    }
    forget(out);
    return NY_OK;
}

void ny_outfile_abort(ny_outfile *out) {
    if (out->file && !out->borrowed) fclose(out->file);
    if (out->temp) unlink(out->temp);
    forget(out);
}

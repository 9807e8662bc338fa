/* output.c: results go to a temporary file beside their place and are renamed when complete. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli.h"

static bool is_standard(const char *path) {
    return *path == '\0' || strcmp(path, "-") == 0;
}

static bool is_device(const char *path) {
    struct stat s;
    return stat(path, &s) == 0 && !S_ISREG(s.st_mode) && !S_ISDIR(s.st_mode);
}

/* The directory of path, to be freed. */
static char *directory_of(const char *path) {
    const char *slash = strrchr(path, '/');
    if (!slash) return strdup(".");
    return strndup(path, slash == path ? 1 : (size_t)(slash - path));
}

static bool check_directory(const char *path) {
    struct stat s;
    if (stat(path, &s) == 0 && S_ISDIR(s.st_mode)) {
        cli_error("cannot write '%s': it is a directory", path);
        return false;
    }
    char *directory = directory_of(path);
    bool ok = directory && stat(directory, &s) == 0;
    if (ok && !S_ISDIR(s.st_mode)) {
        errno = ENOTDIR;
        ok = false;
    }
    ok = ok && access(directory, W_OK | X_OK) == 0;
    if (!ok) cli_error("cannot write '%s': %s", path, strerror(errno));
    free(directory);
    return ok;
}

bool cli_output_check(const char *path) {
    return is_standard(path) || is_device(path) || check_directory(path);
}

static bool same_file(const char *a, const char *b) {
    struct stat s, t;
    if (is_standard(a) || is_standard(b) || is_device(a)) return false;
    if (stat(a, &s) == 0 && stat(b, &t) == 0) return s.st_dev == t.st_dev && s.st_ino == t.st_ino;
    return strcmp(a, b) == 0;
}

bool cli_outputs_clash(const cli_job *job) {
    static const char *const option[] = {"output", "json"};
    for (int k = 0; k < 2; k++)
        for (int i = 0; i <= job->operands; i++) {
            const char *input = i < job->operands ? job->operand[i] : cli_text(job, "test");
            if (same_file(cli_text(job, option[k]), input)) {
                cli_error("--%s would overwrite '%s', which is read", option[k], input);
                return true;
            }
        }
    if (!same_file(cli_text(job, option[0]), cli_text(job, option[1]))) return false;
    cli_error("--output and --json are the same file, '%s'", cli_text(job, option[0]));
    return true;
}

static FILE *open_temporary(cli_output *output) {
    if (asprintf(&output->temporary, "%s.tmp%ld", output->path, (long)getpid()) < 0) {
        output->temporary = NULL;
        return NULL;
    }
    /* The analyser takes asprintf's buffer for lost; cli_output_close frees it. */
    // NOLINTNEXTLINE(clang-analyzer-unix.Malloc)
    int fd = open(output->temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    FILE *file = fd >= 0 ? fdopen(fd, "w") : NULL;
    int reason = errno;
    if (!file) {
        free(output->temporary);
        output->temporary = NULL;
    }
    errno = reason;
    return file;
}

bool cli_output_open(cli_output *output, const char *path) {
    *output = (cli_output){0};
    if (is_standard(path)) {
        output->file = stdout;
        return true;
    }
    output->path = realpath(path, NULL); /* a link stays a link: its target is replaced */
    if (!output->path) output->path = strdup(path);
    if (output->path) output->file = is_device(path) ? fopen(path, "w") : open_temporary(output);
    if (output->file) return true;
    cli_error("cannot write '%s': %s", path, strerror(errno));
    free(output->path);
    free(output->temporary);
    return false;
}

bool cli_output_close(cli_output *output) {
    bool ok = !ferror(output->file);
    if (!output->path) return fflush(stdout) == 0 && ok; /* main reports it */
    ok = fclose(output->file) == 0 && ok;
    if (output->temporary) {
        ok = ok && rename(output->temporary, output->path) == 0;
        int reason = errno;
        if (!ok) unlink(output->temporary);
        errno = reason;
    }
    if (!ok) cli_error("cannot write '%s': %s", output->path, strerror(errno));
    free(output->path);
    free(output->temporary);
    return ok;
}

void cli_output_abort(cli_output *output) {
    if (!output->path) return;
    fclose(output->file);
    if (output->temporary) unlink(output->temporary);
    free(output->path);
    free(output->temporary);
}

bool cli_output_text(const char *path, const char *text) {
    cli_output output;
    if (!cli_output_open(&output, path)) return false;
    size_t length = strlen(text);
    fputs(text, output.file);
    if (length == 0 || text[length - 1] != '\n') fputc('\n', output.file);
    return cli_output_close(&output);
}

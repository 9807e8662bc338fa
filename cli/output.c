/* output.c: what is wrong with the names of output files, and the library's way to write them. */
#include <string.h>
#include <sys/stat.h>

#include "cli.h"

static bool is_standard(const char *path) {
    return *path == '\0' || strcmp(path, "-") == 0;
}

static bool is_device(const char *path) {
    struct stat s;
    return stat(path, &s) == 0 && !S_ISREG(s.st_mode) && !S_ISDIR(s.st_mode);
}

static bool good(cli_job *job, ny_status status) {
    if (status != NY_OK) cli_fail(job, status);
    return status == NY_OK;
}

static bool same_file(const char *a, const char *b) {
    struct stat s, t;
    if (is_standard(a) || is_standard(b) || is_device(a)) return false;
    if (stat(a, &s) == 0 && stat(b, &t) == 0) return s.st_dev == t.st_dev && s.st_ino == t.st_ino;
    return strcmp(a, b) == 0;
}

/* A file that option `name` would overwrite: one that is read, or that an option before it writes. Prints which. */
static bool clashes(const cli_job *job, int inputs, const char *name, const char *path) {
    const char *other;
    for (int i = 0; i <= inputs; i++) {
        const char *input = i < inputs ? job->operand[i] : cli_text(job, "test");
        if (!same_file(path, input)) continue;
        cli_error("--%s would overwrite '%s', which is read", name, input);
        return true;
    }
    for (int64_t k = 0; (other = cli_output_option(k)) && other != name; k++) {
        if (!same_file(cli_text(job, other), path)) continue;
        cli_error("--%s and --%s are the same file, '%s'", other, name, cli_text(job, other));
        return true;
    }
    return false;
}

int cli_outputs_check(cli_job *job, int inputs) {
    const char *name;
    for (int64_t k = 0; (name = cli_output_option(k)); k++)
        if (clashes(job, inputs, name, cli_text(job, name))) return EXIT_USAGE;
    for (int64_t k = 0; (name = cli_output_option(k)); k++) {
        const char *path = cli_text(job, name);
        if (!is_standard(path) && !good(job, ny_outfile_check(job->ctx, path))) return EXIT_FAILED;
    }
    return EXIT_DONE;
}

bool cli_output_open(cli_job *job, const char *path, ny_outfile **out) {
    return good(job, ny_outfile_open(job->ctx, is_standard(path) ? "-" : path, out));
}

bool cli_output_close(cli_job *job, ny_outfile **out) {
    bool standard = ny_outfile_stream(*out) == stdout; /* main tells what goes wrong there */
    ny_status status = ny_outfile_commit(job->ctx, out);
    return standard ? status == NY_OK : good(job, status);
}

bool cli_output_text(cli_job *job, const char *path, const char *text) {
    ny_outfile *out;
    if (!cli_output_open(job, path, &out)) return false;
    FILE *file = ny_outfile_stream(out);
    size_t length = strlen(text);
    fputs(text, file);
    if (length == 0 || text[length - 1] != '\n') fputc('\n', file);
    return cli_output_close(job, &out);
}

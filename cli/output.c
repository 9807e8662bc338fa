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

bool cli_output_check(cli_job *job, const char *path) {
    return is_standard(path) || good(job, ny_outfile_check(job->ctx, path));
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

/* cmd_path.c: nysel path DATA [-o OUT.csv]: the regularization path of the l2-SVM, one row per breakpoint. */
#include <string.h>

#include "cli.h"

/* The CSV goes to a file, then the summary has standard output; or to standard output, then the summary goes to
 * standard error; or nowhere, where --json - has standard output. */
static int tell(cli_job *job, const char *csv, const char *json, const char *text) {
    const char *path = cli_text(job, "output");
    bool shown = strcmp(cli_text(job, "json"), "-") == 0, file = *path && strcmp(path, "-") != 0;
    if (!(shown && !file) && !cli_output_text(job, path, csv)) return EXIT_FAILED;
    if (!cli_is(job, "quiet")) fputs(text, file && !shown ? stdout : stderr);
    return json && !cli_output_text(job, cli_text(job, "json"), json) ? EXIT_FAILED : EXIT_DONE;
}

int cmd_path(cli_job *job) {
    int code = cli_outputs_check(job, job->operands);
    if (code != EXIT_DONE) return code;
    ny_data *data = NULL;
    char *csv = NULL, *json = NULL, *text = NULL;
    ny_status status = ny_data_read(job->ctx, job->operand[0], job->options, NULL, &data);
    if (status == NY_OK) status = cli_follow(job, data, &csv, cli_wants_json(job) ? &json : NULL, &text);
    code = csv ? tell(job, csv, json, text) : cli_fail(job, status);
    if (code == EXIT_DONE && status == NY_STOPPED) code = EXIT_STOPPED;
    ny_text_free(csv);
    ny_text_free(json);
    ny_text_free(text);
    ny_data_free(data);
    return code;
}

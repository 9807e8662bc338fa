/* job.c: what every command does the same way: read options, report errors and results, train with Ctrl-C heard. */
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli.h"

bool cli_wants_json(const cli_job *job) {
    return *cli_text(job, "json") != '\0';
}

static void complain(const char *format, va_list arguments) {
    fputs("nysel: ", stderr);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
}

void cli_error(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    complain(format, arguments);
    va_end(arguments);
}

int cli_usage_error(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    complain(format, arguments);
    va_end(arguments);
    return EXIT_USAGE;
}

int cli_fail(cli_job *job, ny_status status) {
    cli_progress_clear(&job->progress);
    const char *message = ny_message(job->ctx);
    cli_error("%s", message && *message ? message : ny_status_text(status));
    return status == NY_ERR_USAGE ? EXIT_USAGE : EXIT_FAILED;
}

int cli_report(cli_job *job, const char *text, const char *json, bool keep) {
    cli_progress_clear(&job->progress);
    const char *path = cli_text(job, "json");
    bool json_first = strcmp(path, "-") == 0;
    if (!cli_is(job, "quiet") && (!json_first || keep)) fputs(text, json_first ? stderr : stdout);
    if (json && *path && !cli_output_text(job, path, json)) return EXIT_FAILED;
    return EXIT_DONE;
}

/* ---- Ctrl-C ----------------------------------------------------------------------------------------------- */

static ny_ctx *volatile running;
static const char *volatile notice; /* what the first signal prints, or NULL */
static volatile sig_atomic_t heard;

static void on_signal(int number) {
    if (heard) {
        signal(number, SIG_DFL);
        raise(number);
        return;
    }
    heard = 1;
    ny_cancel(running);
    if (notice && write(STDERR_FILENO, notice, strlen(notice)) < 0) notice = NULL; /* nobody to tell */
}

static void set_handler(void (*handler)(int)) {
    struct sigaction action = {.sa_handler = handler};
    sigemptyset(&action.sa_mask);
    action.sa_flags = SA_RESTART;
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
}

void cli_catch_signals(cli_job *job) {
    running = job->ctx;
    set_handler(on_signal);
}

#define STOPPING "nysel: stopping: training the best found so far (again to quit at once)"
#define ENDING "nysel: stopping: the path ends here (again to quit at once)"
#define BLANKS "        \n" /* cover the rest of a bar that stands on this line */

static void hear(cli_job *job, const char *with_bar, const char *plain) {
    running = job->ctx;
    if (!cli_is(job, "quiet")) notice = job->progress.bar ? with_bar : plain;
    set_handler(on_signal);
}

/* From here on a first signal is only swallowed, so that the results get saved. */
static ny_status heard_out(cli_job *job, ny_status status, const char *stopped) {
    notice = NULL;
    cli_progress_clear(&job->progress);
    if (status == NY_STOPPED && !cli_is(job, "quiet")) cli_error("%s", stopped);
    return status;
}

ny_status cli_train(cli_job *job, const ny_data *data, ny_model **model) {
    hear(job, "\r" STOPPING BLANKS, STOPPING "\n");
    return heard_out(job, ny_train(job->ctx, data, job->options, model), ny_status_text(NY_STOPPED));
}

ny_status cli_follow(cli_job *job, const ny_data *data, char **csv, char **json, char **text) {
    hear(job, "\r" ENDING BLANKS, ENDING "\n");
    ny_status status = ny_path(job->ctx, data, job->options, csv, json, text);
    return heard_out(job, status, "stopped early: the path is returned as far as it got");
}

/* own_options.c: the options that only concern the command line: what is written where, and how much is said. The
 * library does not know them and no model file holds them. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "predictions.h"
#include "tables.h"

/* What is wrong with a value, or NULL. */
typedef const char *complaint(const ny_option_row *row, const char *text);

/* A file that is written. Whether it can be is asked before the work: cli_outputs_check. */
static const char *output(const ny_option_row *row, const char *text) {
    (void)row, (void)text;
    return NULL;
}

static const char *yes_or_no(const ny_option_row *row, const char *text) {
    (void)row;
    return strcmp(text, "yes") == 0 || strcmp(text, "no") == 0 ? NULL : "expected yes or no";
}

static const char *word(const ny_option_row *row, const char *text) {
    size_t length;
    for (const char *w = row->argument; *w; w += length + (w[length] == '|')) {
        length = strcspn(w, "|");
        if (strlen(text) == length && strncmp(w, text, length) == 0) return NULL;
    }
    return "expected auto|always|never";
}

static const char *whole(const ny_option_row *row, const char *text) {
    (void)row;
    char *end;
    double v = strtod(text, &end);
    bool number = *text && !*end && strspn(text, "0123456789.eE+-") == strlen(text);
    if (!number || v != floor(v)) return "expected a whole number";
    return v >= 0 && v <= 1e9 ? NULL : "must be between 0 and 1000000000";
}

#define ROW(...)             \
    &(const ny_option_row) { \
        __VA_ARGS__          \
    }

static const struct {
    const ny_option_row *row;
    complaint *wrong;
} own[] = {
#define X(name) {&cli_format_##name.row, output},
    CLI_FORMAT_LIST(X)
#undef X
        {ROW("proba", NULL, "no", "predict", "predictions", "add a column p_LABEL for each class"), yes_or_no},
    {ROW("scores", NULL, "no", "predict", "predictions", "add the raw outputs as score_1, score_2, ..."), yes_or_no},
    {ROW("outside-count", NULL, "no", "predict", "predictions",
         "add a column outside: how many inputs of the row were far outside the training range"),
     yes_or_no},
    {ROW("write", "FILE", "", "demo", "demo", "write the generated data as CSV instead of training"), output},
    {ROW("rows", "N", "0", "demo", "demo", "rows to generate (0: the set's own number)"), whole},
    {ROW("quiet", NULL, "no", "train predict test demo info path", "run", "print nothing but errors"), yes_or_no},
    {ROW("progress", "auto|always|never", "auto", "train predict test demo path", "run",
         "progress bar on standard error; auto: when it is a terminal"),
     word},
};
enum { OWN = sizeof own / sizeof *own };
_Static_assert(sizeof own / sizeof *own <= CLI_OWN_OPTIONS, "cli_job has a place for each");

static int64_t own_index(const char *name) {
    int64_t i = 0;
    while (i < OWN && strcmp(own[i].row->name, name) != 0) i++;
    return i;
}

const ny_option_row *cli_option_own(int64_t index) {
    return index >= 0 && index < OWN ? own[index].row : NULL;
}

const char *cli_output_option(int64_t k) {
    for (int64_t i = 0; i < OWN; i++)
        if (own[i].wrong == output && k-- == 0) return own[i].row->name;
    return NULL;
}

int cli_option_set(cli_job *job, const ny_option_row *row, const char *text) {
    int64_t i = own_index(row->name);
    if (i == OWN) {
        ny_status status = ny_options_set(job->ctx, job->options, row->name, text);
        return status == NY_OK ? EXIT_DONE : cli_fail(job, status);
    }
    const char *wrong = own[i].wrong(row, text);
    if (wrong) return cli_usage_error("--%s %s: %s", row->name, text, wrong);
    job->own[i] = text;
    return EXIT_DONE;
}

bool cli_given(const cli_job *job, const char *option) {
    int64_t i = own_index(option);
    return i < OWN ? job->own[i] != NULL : ny_options_given(job->options, option);
}

const char *cli_text(const cli_job *job, const char *option) {
    int64_t i = own_index(option);
    if (i < OWN) return job->own[i] ? job->own[i] : own[i].row->initial;
    const char *text = ny_options_get(job->options, option);
    return text ? text : "";
}

bool cli_is(const cli_job *job, const char *option) {
    return strcmp(cli_text(job, option), "yes") == 0;
}

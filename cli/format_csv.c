/* format_csv.c: predictions as CSV, one line per row, on their way as soon as the first block is there. */
#include <math.h>

#include "numbers.h"
#include "predictions.h"

typedef struct {
    ny_outfile *out; /* NULL: not open */
} csv_state;

static void header(FILE *out, const cli_predictions *p) {
    const char *comma = "";
    for (const cli_column *c = cli_columns; c < cli_columns + CLI_COLUMNS; c++)
        for (int64_t k = 0; k < c->width(p); k++, comma = ",") {
            fputs(comma, out);
            c->title ? c->title(out, p, k) : (void)fputs(c->name, out);
        }
    fputc('\n', out);
}

static void row(FILE *out, const cli_predictions *p, int64_t i) {
    const char *comma = "";
    for (const cli_column *c = cli_columns; c < cli_columns + CLI_COLUMNS; c++)
        for (int64_t k = 0, width = c->width(p); k < width; k++, comma = ",") {
            const char *text = c->text ? c->text(p, i) : NULL;
            fputs(comma, out);
            if (text) cli_put_csv(out, "", text);
            else if (!isnan(c->number(p, i, k))) cli_put_number(out, c->number(p, i, k));
        }
    fputc('\n', out);
}

static bool block(void *state, cli_job *job, const cli_predictions *p) {
    csv_state *s = state;
    if (!s->out) {
        cli_catch_signals(job); /* there will be a temporary file to remove */
        if (!cli_output_open(job, cli_text(job, "output"), &s->out)) return false;
        header(ny_outfile_stream(s->out), p);
    }
    for (int64_t i = 0; i < p->n; i++) row(ny_outfile_stream(s->out), p, i);
    return true;
}

static bool end(void *state, cli_job *job, const ny_model *model, const cli_rows_told *told) {
    (void)model, (void)told;
    csv_state *s = state;
    return !s->out || cli_output_close(job, &s->out);
}

static void end_anyway(void *state) {
    ny_outfile_abort(((csv_state *)state)->out);
}

const cli_format cli_format_csv = {
    {"output", "FILE", "", "train predict demo path", "files",
     "where the model (train, demo), the predictions or the path (predict, path; default: standard output) go"},
    sizeof(csv_state),
    block,
    end,
    end_anyway};

/* cmd_predict.c: nysel predict MODEL DATA [-o OUT.csv] [--json OUT.json]: one line per row of DATA. The file goes
 * through in blocks, so that memory does not grow with its rows. predictions.h says what is told of each row. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "predictions.h"

static const cli_format *const formats[] = {
#define X(name) &cli_format_##name,
    CLI_FORMAT_LIST(X)
#undef X
};
enum { FORMATS = sizeof formats / sizeof *formats };

typedef struct writer {
    cli_job *job;
    const ny_model *model;
    void *state[FORMATS]; /* NULL: nothing is written in this format */
    cli_rows_told told;
} writer;

/* A format is written where its option says; CSV also where nothing is said, unless another takes standard output. */
static bool is_wanted(const cli_job *job, const cli_format *format) {
    const char *path = cli_text(job, format->row.name);
    if (format != &cli_format_csv || (*path && strcmp(path, "-") != 0)) return *path != '\0';
    for (int f = 0; f < FORMATS; f++)
        if (formats[f] != format && strcmp(cli_text(job, formats[f]->row.name), "-") == 0) return false;
    return true;
}

static bool writer_open(writer *w) {
    w->told.by_column = calloc((size_t)ny_model_columns(w->model) + 1, sizeof *w->told.by_column);
    bool ok = w->told.by_column != NULL;
    for (int f = 0; f < FORMATS && ok; f++)
        ok = !is_wanted(w->job, formats[f]) || (w->state[f] = calloc(1, formats[f]->size));
    if (!ok) cli_error("%s", ny_status_text(NY_ERR_MEMORY));
    return ok;
}

static void writer_close(writer *w) {
    for (int f = 0; f < FORMATS; f++) {
        if (w->state[f]) formats[f]->close(w->state[f]);
        free(w->state[f]);
    }
    free(w->told.by_column);
}

static bool write_block(writer *w, const cli_predictions *p) {
    for (int f = 0; f < FORMATS; f++)
        if (w->state[f] && !formats[f]->block(w->state[f], w->job, p)) return false;
    w->told.rows += p->n;
    for (int64_t i = 0; i < p->n; i++) w->told.outside += p->outside[i] > 0;
    return true;
}

static bool write_end(writer *w) {
    for (int f = 0; f < FORMATS; f++)
        if (w->state[f] && !formats[f]->end(w->state[f], w->job, w->model, &w->told)) return false;
    return true;
}

/* n x width numbers, or NULL; calloc checks the product. */
static double *numbers(int64_t n, int64_t width) {
    size_t rows = n > 0 ? (size_t)n : 1, columns = width > 0 ? (size_t)width : 1;
    return rows > SIZE_MAX / columns ? NULL : calloc(rows * columns, sizeof(double));
}

static ny_status fill(cli_job *job, const ny_model *model, const ny_data *data, cli_predictions *p,
                      int64_t *by_column) {
    ny_status status = ny_outside(job->ctx, model, data, p->outside, by_column);
    if (status == NY_OK && p->bars) {
        ny_intervals out = {p->value, p->bars, p->bars + p->n, p->bars + 2 * p->n, p->bars + 3 * p->n};
        status =
            ny_predict_interval(job->ctx, model, data, job->options, strtod(cli_text(job, "interval"), NULL), &out);
    }
    if (status != NY_OK || (p->bars && !p->scores)) return status;
    return ny_predict(job->ctx, model, data, job->options, p->value, p->proba, p->scores);
}

static int predict_block(cli_job *job, const ny_model *model, const ny_data *data, writer *w) {
    bool proba = cli_is(job, "proba"), bars = strtod(cli_text(job, "interval"), NULL) > 0;
    bool quantile = !isnan(ny_model_quantile(model, 0));
    cli_predictions p = {.model = model,
                         .n = ny_data_rows(data),
                         .classes = ny_model_classes(model),
                         .outputs = ny_model_outputs(model),
                         .shown = !bars      ? 0
                                  : quantile ? 2
                                             : CLI_BARS,
                         .raw = cli_is(job, "scores"),
                         .data = data,
                         .outside_too = cli_is(job, "outside-count")};
    p.quantiles = quantile && p.outputs > 1;
    bool scores = p.raw || p.quantiles;
    p.value = numbers(p.n, 1);
    p.proba = proba ? numbers(p.n, p.classes) : NULL;
    p.scores = scores ? numbers(p.n, p.outputs) : NULL;
    p.bars = bars ? numbers(p.n, CLI_BARS) : NULL;
    p.outside = calloc(p.n > 0 ? (size_t)p.n : 1, sizeof *p.outside);
    int code = EXIT_FAILED;
    if (!p.value || !p.outside || (bars && !p.bars) || (proba && !p.proba) || (scores && !p.scores)) {
        cli_error("%s", ny_status_text(NY_ERR_MEMORY));
    } else {
        ny_status status = fill(job, model, data, &p, w->told.by_column);
        if (status != NY_OK) code = cli_fail(job, status);
        else if (write_block(w, &p)) code = EXIT_DONE;
    }
    free(p.value);
    free(p.proba);
    free(p.scores);
    free(p.bars);
    free(p.outside);
    return code;
}

static int predict(cli_job *job, const ny_model *model) {
    writer w = {.job = job, .model = model};
    ny_data_blocks *blocks = NULL;
    ny_data *data = NULL;
    int code = writer_open(&w) ? EXIT_DONE : EXIT_FAILED;
    if (code != EXIT_DONE) goto done;
    ny_status status = ny_data_blocks_open(job->ctx, job->operand[1], job->options, model, &blocks);
    while (status == NY_OK && code == EXIT_DONE &&
           (status = ny_data_blocks_next(job->ctx, blocks, 0, &data)) == NY_OK && data) {
        code = predict_block(job, model, data, &w);
        ny_data_free(data);
    }
    cli_progress_clear(&job->progress);
    if (status != NY_OK) code = cli_fail(job, status);
    else if (code == EXIT_DONE && !write_end(&w)) code = EXIT_FAILED;
    if (code == EXIT_DONE)
        ny_outside_warn(job->ctx, model, job->options, job->operand[1], w.told.rows, w.told.outside, w.told.by_column);
done:
    writer_close(&w);
    ny_data_blocks_close(blocks);
    return code;
}

int cmd_predict(cli_job *job) {
    int code = cli_outputs_check(job, job->operands);
    if (code != EXIT_DONE) return code;
    ny_model *model = NULL;
    ny_status status = ny_model_load(job->ctx, job->operand[0], &model);
    if (status != NY_OK) code = cli_fail(job, status);
    else if (cli_is(job, "outside-count") && !ny_model_has_range(model))
        code = cli_usage_error(
            "--outside-count: '%s' does not know its training range, as models of older versions "
            "do not: train it again",
            job->operand[0]);
    else if (cli_is(job, "proba") && ny_model_classes(model) == 0)
        code = cli_usage_error("--proba needs a classifier, and this is a regression model");
    else code = predict(job, model);
    ny_model_free(model);
    return code;
}

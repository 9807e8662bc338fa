/* cmd_predict.c: nysel predict MODEL DATA [-o OUT.csv]: one line per row of DATA. The file goes through in blocks, so
 * that memory does not grow with its rows. The lists of --json wait in files of their own until all rows are known. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "numbers.h"

typedef struct predictions { /* of one block */
    const ny_model *model;
    int64_t n, classes, outputs;
    double *value;  /* n */
    double *proba;  /* n x classes, row by row, or NULL */
    double *scores; /* n x outputs, row by row, or NULL */
    double *bars;   /* BARS lists of n, or NULL */
    int shown;      /* of the bars: a quantile machine has no deviations */
    bool quantiles; /* several, each with a column of its own */
    bool raw;       /* the scores are wanted as they are */
    const ny_data *data;
    int64_t *outside; /* n: inputs outside the training range */
    bool outside_too; /* they are wanted as a column */
} predictions;

enum {
    PART_PREDICTION,
    PART_PROBA,
    PART_QUANTILES,
    PART_SCORES,
    PART_ID,
    PART_OUTSIDE,
    PART_BARS,
    BARS = 4,
    PARTS = PART_BARS + BARS
};
static const char *const bar_names[BARS] = {"lower", "upper", "noise_sd", "model_sd"};

typedef struct writer {
    cli_job *job;
    const char *csv, *json; /* where they go; NULL: nowhere */
    cli_output output;      /* of the CSV */
    bool open;
    FILE *part[PARTS];     /* of the JSON: its lists so far, or NULL */
    int64_t rows, outside; /* outside: of these, with inputs outside the training range */
    int64_t *by_column;    /* of these, by column */
} writer;

/* Rows with missing values have a place but no prediction: NAN. */
static void put_value(FILE *out, const predictions *p, int64_t i, bool json) {
    if (isnan(p->value[i])) {
        fputs(json ? "null" : "", out);
    } else if (p->classes > 0) {
        const char *label = ny_model_label(p->model, (int64_t)p->value[i]);
        json ? cli_put_json(out, label) : cli_put_csv(out, "", label);
    } else {
        json ? cli_put_json_number(out, p->value[i]) : cli_put_number(out, p->value[i]);
    }
}

/* How many inputs; NAN where there is no prediction. */
static double outside_of(const predictions *p, int64_t i) {
    return isnan(p->value[i]) ? NAN : (double)p->outside[i];
}

/* ---- CSV -------------------------------------------------------------------------------------------------- */

static void csv_header(FILE *out, const predictions *p) {
    if (ny_data_id_name(p->data)) {
        cli_put_csv(out, "", ny_data_id_name(p->data));
        fputc(',', out);
    }
    fputs("prediction", out);
    for (int64_t k = 0; p->proba && k < p->classes; k++) {
        fputc(',', out);
        cli_put_csv(out, "p_", ny_model_label(p->model, k));
    }
    for (int64_t j = 0; p->quantiles && j < p->outputs; j++) {
        fputs(",q", out);
        cli_put_number(out, ny_model_quantile(p->model, j));
    }
    for (int b = 0; b < p->shown; b++) fprintf(out, ",%s", bar_names[b]);
    for (int64_t j = 0; p->raw && j < p->outputs; j++) fprintf(out, ",score_%lld", (long long)j + 1);
    if (p->outside_too) fputs(",outside", out);
    fputc('\n', out);
}

/* Nothing where there is no number. */
static void csv_number(FILE *out, double v) {
    fputc(',', out);
    if (!isnan(v)) cli_put_number(out, v);
}

static void csv_scores(FILE *out, const predictions *p, int64_t i) {
    for (int64_t j = 0; j < p->outputs; j++) csv_number(out, p->scores[i * p->outputs + j]);
}

static void csv_rows(FILE *out, const predictions *p) {
    for (int64_t i = 0; i < p->n; i++) {
        if (ny_data_id_name(p->data)) {
            cli_put_csv(out, "", ny_data_id(p->data, i));
            fputc(',', out);
        }
        put_value(out, p, i, false);
        for (int64_t k = 0; p->proba && k < p->classes; k++) csv_number(out, p->proba[i * p->classes + k]);
        if (p->quantiles) csv_scores(out, p, i);
        for (int b = 0; b < p->shown; b++) csv_number(out, p->bars[i + b * p->n]);
        if (p->raw) csv_scores(out, p, i);
        if (p->outside_too) csv_number(out, outside_of(p, i));
        fputc('\n', out);
    }
}

/* ---- JSON ------------------------------------------------------------------------------------------------- */

static void json_rows(FILE *out, const double *v, int64_t n, int64_t width, bool first) {
    for (int64_t i = 0; i < n; i++) {
        for (int64_t j = 0; j < width; j++) {
            fputs(j > 0 ? ", " : i > 0 || !first ? ",\n    [" : "\n    [", out);
            cli_put_json_number(out, v[i * width + j]);
        }
        fputc(']', out);
    }
}

static bool json_add(writer *w, const predictions *p) {
    bool first = w->rows == 0;
    for (int k = 0; k < PARTS; k++) {
        bool wanted = k == PART_PREDICTION || (k == PART_PROBA && p->proba) || (k == PART_QUANTILES && p->quantiles) ||
                      (k == PART_SCORES && p->raw) || (k == PART_ID && ny_data_id_name(p->data)) ||
                      (k == PART_OUTSIDE && p->outside_too) || (k >= PART_BARS && k < PART_BARS + p->shown);
        if (wanted && !w->part[k] && !(w->part[k] = tmpfile())) return false;
    }
    for (int64_t i = 0; i < p->n; i++) {
        const char *comma = i > 0 || !first ? ", " : "";
        fputs(comma, w->part[PART_PREDICTION]);
        put_value(w->part[PART_PREDICTION], p, i, true);
        if (ny_data_id_name(p->data)) {
            fputs(comma, w->part[PART_ID]);
            cli_put_json(w->part[PART_ID], ny_data_id(p->data, i));
        }
        if (p->outside_too) {
            fputs(comma, w->part[PART_OUTSIDE]);
            cli_put_json_number(w->part[PART_OUTSIDE], outside_of(p, i));
        }
    }
    for (int b = 0; b < p->shown; b++)
        for (int64_t i = 0; i < p->n; i++) {
            fputs(i > 0 || !first ? ", " : "", w->part[PART_BARS + b]);
            cli_put_json_number(w->part[PART_BARS + b], p->bars[i + b * p->n]);
        }
    if (p->proba) json_rows(w->part[PART_PROBA], p->proba, p->n, p->classes, first);
    if (p->quantiles) json_rows(w->part[PART_QUANTILES], p->scores, p->n, p->outputs, first);
    if (p->raw) json_rows(w->part[PART_SCORES], p->scores, p->n, p->outputs, first);
    return true;
}

/* Appends what has been put aside. */
static bool json_part(FILE *out, FILE *part) {
    char buffer[1 << 16];
    size_t count;
    if (fflush(part) != 0 || ferror(part)) return false;
    rewind(part);
    while ((count = fread(buffer, 1, sizeof buffer, part)) > 0) fwrite(buffer, 1, count, out);
    return !ferror(part);
}

static const char *part_name(int part) {
    static const char *const names[PART_BARS] = {"prediction", "proba", "quantile_values", "scores", "id", "outside"};
    return part < PART_BARS ? names[part] : bar_names[part - PART_BARS];
}

/* Of each column that has some outside the training range: name, or number where it has none, and rows. */
static void json_columns(FILE *out, const ny_model *model, const int64_t *by_column) {
    const char *comma = "";
    for (int64_t c = 0; c < ny_model_columns(model); c++) {
        if (by_column[c] == 0) continue;
        char number[32];
        snprintf(number, sizeof number, "%lld", (long long)c + 1);
        fprintf(out, "%s{\"name\": ", comma);
        cli_put_json(out, ny_model_column(model, c) ? ny_model_column(model, c) : number);
        fprintf(out, ", \"rows\": %lld}", (long long)by_column[c]);
        comma = ", ";
    }
}

static bool write_json(FILE *out, const cli_job *job, const ny_model *model, const writer *w) {
    fputs("{\n  \"version\": ", out);
    cli_put_json(out, ny_version());
    fputs(",\n  \"command\": \"predict\",\n  \"model\": ", out);
    cli_put_json(out, job->operand[0]);
    fputs(",\n  \"data\": ", out);
    cli_put_json(out, job->operand[1]);
    fprintf(out, ",\n  \"rows\": %lld,\n  \"classes\": [", (long long)w->rows);
    for (int64_t k = 0; k < ny_model_classes(model); k++) {
        fputs(k > 0 ? ", " : "", out);
        cli_put_json(out, ny_model_label(model, k));
    }
    for (int64_t j = 0; !isnan(ny_model_quantile(model, j)); j++) {
        fputs(j > 0 ? ", " : "],\n  \"quantiles\": [", out);
        cli_put_json_number(out, ny_model_quantile(model, j));
    }
    fprintf(out, "],\n  \"outside_rows\": %lld,\n  \"outside_columns\": [", (long long)w->outside);
    json_columns(out, model, w->by_column);
    fputs("],\n  \"prediction\": [", out);
    bool ok = json_part(out, w->part[PART_PREDICTION]);
    fputc(']', out);
    for (int k = PART_PROBA; ok && k < PARTS; k++) {
        if (!w->part[k]) continue;
        fprintf(out, ",\n  \"%s\": [", part_name(k));
        ok = json_part(out, w->part[k]);
        fputs(k >= PART_ID ? "]" : "\n  ]", out);
    }
    fputs("\n}\n", out);
    return ok;
}

/* ---- block by block --------------------------------------------------------------------------------------- */

static bool write_block(writer *w, const predictions *p) {
    if (w->csv && !w->open) {
        cli_catch_signals(w->job); /* there will be a temporary file to remove */
        if (!cli_output_open(&w->output, w->csv)) return false;
        w->open = true;
        csv_header(w->output.file, p);
    }
    if (w->open) csv_rows(w->output.file, p);
    if (w->json && !json_add(w, p)) {
        cli_error("cannot write a temporary file for --json");
        return false;
    }
    w->rows += p->n;
    for (int64_t i = 0; i < p->n; i++) w->outside += p->outside[i] > 0;
    return true;
}

static bool write_end(writer *w, const cli_job *job, const ny_model *model) {
    cli_output output;
    if (w->open) {
        w->open = false;
        if (!cli_output_close(&w->output)) return false;
    }
    if (!w->json) return true;
    if (!cli_output_open(&output, w->json)) return false;
    if (write_json(output.file, job, model, w)) return cli_output_close(&output);
    cli_error("cannot write a temporary file for --json");
    cli_output_abort(&output);
    return false;
}

static void writer_close(writer *w) {
    if (w->open) cli_output_abort(&w->output);
    for (int k = 0; k < PARTS; k++)
        if (w->part[k]) fclose(w->part[k]);
}

/* n x width numbers, or NULL; calloc checks the product. */
static double *numbers(int64_t n, int64_t width) {
    size_t rows = n > 0 ? (size_t)n : 1, columns = width > 0 ? (size_t)width : 1;
    return rows > SIZE_MAX / columns ? NULL : calloc(rows * columns, sizeof(double));
}

static ny_status fill(cli_job *job, const ny_model *model, const ny_data *data, predictions *p, int64_t *by_column) {
    ny_status status = ny_outside(job->ctx, model, data, p->outside, by_column);
    if (status == NY_OK && p->bars)
        status = ny_predict_interval(job->ctx, model, data, job->options, strtod(cli_text(job, "interval"), NULL),
                                     p->value, p->bars, p->bars + p->n, p->bars + 2 * p->n, p->bars + 3 * p->n);
    if (status != NY_OK || (p->bars && !p->scores)) return status;
    return ny_predict(job->ctx, model, data, job->options, p->value, p->proba, p->scores);
}

static int predict_block(cli_job *job, const ny_model *model, const ny_data *data, writer *w) {
    bool proba = cli_is(job, "proba"), bars = strtod(cli_text(job, "interval"), NULL) > 0;
    bool quantile = !isnan(ny_model_quantile(model, 0));
    predictions p = {.model = model,
                     .n = ny_data_rows(data),
                     .classes = ny_model_classes(model),
                     .outputs = ny_model_outputs(model),
                     .shown = !bars      ? 0
                              : quantile ? 2
                                         : BARS,
                     .raw = cli_is(job, "scores"),
                     .data = data,
                     .outside_too = cli_is(job, "outside-count")};
    p.quantiles = quantile && p.outputs > 1;
    bool scores = p.raw || p.quantiles;
    p.value = numbers(p.n, 1);
    p.proba = proba ? numbers(p.n, p.classes) : NULL;
    p.scores = scores ? numbers(p.n, p.outputs) : NULL;
    p.bars = bars ? numbers(p.n, BARS) : NULL;
    p.outside = calloc(p.n > 0 ? (size_t)p.n : 1, sizeof *p.outside);
    int code = EXIT_FAILED;
    if (!p.value || !p.outside || (bars && !p.bars) || (proba && !p.proba) || (scores && !p.scores)) {
        cli_error("%s", ny_status_text(NY_ERR_MEMORY));
    } else {
        ny_status status = fill(job, model, data, &p, w->by_column);
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
    const char *csv = cli_text(job, "output"), *json = cli_text(job, "json");
    bool json_instead = strcmp(json, "-") == 0 && (*csv == '\0' || strcmp(csv, "-") == 0);
    writer w = {.job = job, .csv = json_instead ? NULL : csv, .json = *json ? json : NULL};
    ny_data_blocks *blocks = NULL;
    ny_data *data = NULL;
    int code = EXIT_DONE;
    w.by_column = calloc((size_t)ny_model_columns(model) + 1, sizeof *w.by_column);
    if (!w.by_column) {
        cli_error("%s", ny_status_text(NY_ERR_MEMORY));
        return EXIT_FAILED;
    }
    ny_status status = ny_data_blocks_open(job->ctx, job->operand[1], job->options, model, &blocks);
    while (status == NY_OK && code == EXIT_DONE &&
           (status = ny_data_blocks_next(job->ctx, blocks, 0, &data)) == NY_OK && data) {
        code = predict_block(job, model, data, &w);
        ny_data_free(data);
    }
    cli_progress_clear(&job->progress);
    if (status != NY_OK) code = cli_fail(job, status);
    else if (code == EXIT_DONE && !write_end(&w, job, model)) code = EXIT_FAILED;
    if (code == EXIT_DONE)
        ny_outside_warn(job->ctx, model, job->options, job->operand[1], w.rows, w.outside, w.by_column);
    writer_close(&w);
    free(w.by_column);
    ny_data_blocks_close(blocks);
    return code;
}

int cmd_predict(cli_job *job) {
    if (cli_outputs_clash(job)) return EXIT_USAGE;
    if (!cli_output_check(cli_text(job, "output")) || !cli_output_check(cli_text(job, "json"))) return EXIT_FAILED;
    ny_model *model = NULL;
    int code;
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

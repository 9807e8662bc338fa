/* test_report.c: predictions held against the truth: metrics and confusion, as JSON and as text.
 *
 * Labels are compared as text and, failing that, as numbers ("+1" is 1). Rows whose label the model has never seen
 * count as errors: they get a class of their own behind the model's, which no prediction can hit. */
#include <math.h>
#include <string.h>

#include "base/mean_limits.h"
#include "json_parts.h"
#include "lines.h"
#include "metrics.h"
#include "model/json_util.h"
#include "table/labels.h"

typedef struct result {
    ny_metrics m;
    const char **label;   /* m.classes: the model's labels, then UNKNOWN if there are unknown ones */
    int64_t unknown;      /* rows with a label that the model does not know */
    const char *example;  /* one such label */
    const char *baseline; /* the label that is most frequent in the training data; NULL: the mean of the targets */
    int64_t outside;      /* rows with inputs outside the training range */
    int64_t *by_column;   /* columns of the model: of these, by column */
} result;

static const char UNKNOWN[] = "(unknown)";

/* ---- measuring ------------------------------------------------------------------------------------------------ */

/* truth of every row; unknown labels become class number model->classes. */
static ny_status find_truth(ny_ctx *ctx, const ny_model *model, const ny_data *data, int32_t *truth, result *r) {
    ny_status st = NY_OK;
    int32_t *class_of = NULL;
    NY_CHECK(ctx, data->labels > 0 && data->code, NY_ERR_DATA,
             "%s: the target has too many different values for a model of %lld classes", data->source,
             (long long)model->classes);
    NY_NEW(ctx, class_of, data->labels);
    for (int64_t l = 0; l < data->labels; l++)
        class_of[l] = (int32_t)ny_label_find(model->classes, model->label, data->label[l]);
    for (int64_t i = 0; i < data->X.n; i++) {
        truth[i] = class_of[data->code[i]];
        if (truth[i] >= 0) continue;
        truth[i] = (int32_t)model->classes;
        r->unknown++;
        if (!r->example) r->example = data->label[data->code[i]];
    }
done:
    ny_free(class_of);
    return st;
}

/* n rows of `from` numbers, spread in place to `to` numbers each with zeros behind; from the last row, so nothing is
 * overwritten before it was moved. */
static void widen_rows(double *v, int64_t n, int64_t from, int64_t to) {
    for (int64_t i = n - 1; i >= 0; i--) {
        memmove(v + i * to, v + i * from, (size_t)from * sizeof *v);
        for (int64_t k = from; k < to; k++) v[i * to + k] = 0;
    }
}

static ny_status measure_classes(ny_ctx *ctx, const ny_model *model, const ny_data *data, const ny_options *options,
                                 result *r) {
    ny_status st;
    int64_t n = data->X.n, classes = model->classes;
    double *value = NULL, *proba = NULL;
    int32_t *truth = NULL, *predicted = NULL;
    NY_CHECK(ctx, !options || options->interval == 0, NY_ERR_USAGE,
             "--interval is for numbers, and the model predicts classes");
    NY_NEW(ctx, truth, n);
    NY_NEW(ctx, predicted, n);
    NY_NEW_RAW(ctx, value, n);
    NY_NEW_RAW(ctx, proba, ny_size3(n, classes + 1, 1));
    NY_TRY(find_truth(ctx, model, data, truth, r));
    NY_TRY(ny_predict(ctx, model, data, options, value, proba, NULL));
    for (int64_t i = 0; i < n; i++) predicted[i] = (int32_t)value[i];
    if (r->unknown > 0) {
        widen_rows(proba, n, classes, classes + 1);
        classes++;
    }
    NY_NEW(ctx, r->label, classes);
    for (int64_t k = 0; k < classes; k++) r->label[k] = k < model->classes ? model->label[k] : UNKNOWN;
    ny_guesses guesses = {n, classes, truth, predicted, proba, data->weight};
    NY_TRY(ny_metrics_classes(ctx, &guesses, &r->m));
    r->baseline = ny_baseline_name(model);
    for (int64_t i = 0; i < n; i++) {
        value[i] = truth[i] != predicted[i];
        proba[i] = strcmp(r->label[truth[i]], r->baseline) != 0;
    }
    NY_TRY(ny_metrics_compare(ctx, n, value, proba, data->weight, &r->m));
done:
    ny_free(value);
    ny_free(proba);
    ny_free(truth);
    ny_free(predicted);
    return st;
}

/* The mean of these very targets, as for R^2. Squares are in units of the largest error. f: predictions. */
static ny_status compare_with_mean(ny_ctx *ctx, const ny_data *data, const double *f, ny_metrics *m) {
    ny_status st = NY_OK;
    int64_t n = data->X.n;
    double *loss = NULL, *base = NULL, total = 0, mean = 0, unit = 0;
    NY_NEW_RAW(ctx, loss, n);
    NY_NEW_RAW(ctx, base, n);
    for (int64_t i = 0; i < n; i++) total += data->weight ? data->weight[i] : 1;
    for (int64_t i = 0; i < n; i++) mean += (data->weight ? data->weight[i] : 1) / total * data->y[i];
    for (int64_t i = 0; i < n; i++) unit = fmax(unit, fmax(fabs(data->y[i] - f[i]), fabs(data->y[i] - mean)));
    if (!(unit > 0) || !isfinite(unit)) unit = 1;
    for (int64_t i = 0; i < n; i++) {
        loss[i] = (data->y[i] - f[i]) / unit * ((data->y[i] - f[i]) / unit);
        base[i] = (data->y[i] - mean) / unit * ((data->y[i] - mean) / unit);
    }
    NY_TRY(ny_metrics_compare(ctx, n, loss, base, data->weight, m));
    m->error_lower *= unit;
    m->error_upper *= unit;
    m->baseline_error *= unit;
done:
    ny_free(loss);
    ny_free(base);
    return st;
}

static ny_status measure_regression(ny_ctx *ctx, const ny_model *model, const ny_data *data, const ny_options *options,
                                    result *r) {
    ny_status st = NY_OK;
    double *value = NULL, *ends = NULL, *scores = NULL, level = options ? options->interval : 0;
    int64_t n = data->X.n, q = ny_model_outputs(model);
    NY_CHECK(ctx, data->numeric_target, NY_ERR_DATA, "%s: the model predicts numbers, but the target is not numeric",
             data->source);
    NY_NEW_RAW(ctx, value, n);
    if (level > 0) {
        NY_NEW_RAW(ctx, ends, 2 * n);
        NY_TRY(ny_predict_interval(ctx, model, data, options, level,
                                   &(ny_intervals){.value = value, .lower = ends, .upper = ends + n}));
    }
    if (model->quantiles) NY_NEW_RAW(ctx, scores, ny_size3(n, q, 1));
    if (level == 0 || scores) NY_TRY(ny_predict(ctx, model, data, options, value, NULL, scores));
    ny_metrics_regression(n, data->y, value, data->weight, &r->m);
    ny_quantile_guesses guesses = {n, q, data->y, data->weight, model->quantiles, scores};
    if (scores) NY_TRY(ny_metrics_quantiles(ctx, &guesses, &r->m));
    if (level > 0) ny_metrics_interval(n, data->y, ends, ends + n, data->weight, level, &r->m);
    NY_TRY(compare_with_mean(ctx, data, value, &r->m));
done:
    ny_free(value);
    ny_free(ends);
    ny_free(scores);
    return st;
}

static ny_status count_outside(ny_ctx *ctx, const ny_model *model, const ny_data *data, const ny_options *options,
                               result *r) {
    ny_status st = NY_OK;
    int64_t *count = NULL;
    NY_NEW(ctx, count, data->X.n);
    NY_NEW(ctx, r->by_column, ny_model_columns(model));
    NY_TRY(ny_outside(ctx, model, data, count, r->by_column));
    for (int64_t i = 0; i < data->X.n; i++) r->outside += count[i] > 0;
    ny_outside_warn(ctx, model, options, data->source, data->X.n, r->outside, r->by_column);
done:
    ny_free(count);
    return st;
}

/* ---- JSON ----------------------------------------------------------------------------------------------------- */

/* Rows by the probability of their predicted class; tenths without rows are left out. */
static json_t *reliability_json(const ny_metrics *m) {
    json_t *list = json_array();
    int bad = !list;
    for (int b = 0; b < NY_RELIABILITY && !bad; b++) {
        const ny_reliability *r = &m->reliability[b];
        if (r->rows == 0) continue;
        json_t *object = json_object();
        bad |= json_object_set_new(object, "from", ny_json_number((double)b / NY_RELIABILITY));
        bad |= json_object_set_new(object, "to", ny_json_number((double)(b + 1) / NY_RELIABILITY));
        bad |= json_object_set_new(object, "rows", json_integer(r->rows));
        bad |= json_object_set_new(object, "predicted", ny_json_number(r->predicted));
        bad |= json_object_set_new(object, "observed", ny_json_number(r->observed));
        bad |= json_array_append_new(list, object);
    }
    return ny_json_kept(list, bad);
}

#define METRIC(name) NY_MEMBER(ny_metrics, real, name)
static const ny_member class_members[] = {
    METRIC(error), METRIC(balanced_accuracy), METRIC(auc), METRIC(log_loss), METRIC(brier), {0}};
static const ny_member regression_members[] = {METRIC(mse), METRIC(rmse), METRIC(mae), METRIC(r2), {0}};
static const ny_member class_limits[] = {METRIC(error_lower), METRIC(error_upper), {0}};
static const ny_member regression_limits[] = {NY_MEMBER_AS(ny_metrics, real, error_lower, "rmse_lower"),
                                              NY_MEMBER_AS(ny_metrics, real, error_upper, "rmse_upper"),
                                              {0}};
static const ny_member interval_members[] = {METRIC(interval), METRIC(coverage), METRIC(mean_width), {0}};
static const ny_member quantile_members[] = {NY_MEMBER(ny_quantile_metrics, real, quantile),
                                             NY_MEMBER(ny_quantile_metrics, real, pinball),
                                             NY_MEMBER(ny_quantile_metrics, real, below),
                                             {0}};

static json_t *metrics_json(ny_ctx *ctx, const result *r) {
    const ny_metrics *m = &r->m;
    json_t *object = json_object();
    bool classes = m->classes > 0;
    int bad = ny_members_add(ctx, NY_JSON_REPORT, classes ? class_members : regression_members, m, object);
    if (classes) bad |= json_object_set_new(object, "reliability", reliability_json(m));
    bad |= ny_members_add(ctx, NY_JSON_REPORT, classes ? class_limits : regression_limits, m, object);
    bad |= json_object_set_new(
        object, "baseline",
        ny_baseline_json(ctx, r->baseline ? r->baseline : "mean", m->baseline_error, m->baseline_gain));
    if (m->quantiles)
        bad |= json_object_set_new(object, "quantiles",
                                   NY_MEMBERS_LIST(ctx, NY_JSON_REPORT, quantile_members, m->quantiles, m->quantile));
    if (m->interval > 0) bad |= ny_members_add(ctx, NY_JSON_REPORT, interval_members, m, object);
    return ny_json_kept(object, bad);
}

/* {labels: [...], counts: [[...], ...]}: one row of counts for each true class. */
static json_t *confusion_json(ny_ctx *ctx, const result *r) {
    if (r->m.classes == 0) return json_null();
    json_t *object = json_object(), *labels = json_array(), *counts = json_array();
    int bad = json_object_set_new(object, "labels", labels);
    bad |= json_object_set_new(object, "counts", counts);
    for (int64_t k = 0; k < r->m.classes && !bad; k++) {
        json_t *row = json_array();
        bad |= json_array_append_new(labels, ny_json_text(ctx, r->label[k]));
        bad |= json_array_append_new(counts, row);
        for (int64_t p = 0; p < r->m.classes && !bad; p++)
            bad |= json_array_append_new(row, json_integer(r->m.confusion[k * r->m.classes + p]));
    }
    return ny_json_kept(object, bad);
}

/* Of each column that has some: name, or number where it has none, and rows. */
static json_t *outside_json(ny_ctx *ctx, const ny_model *model, const int64_t *by_column) {
    json_t *list = json_array();
    int bad = !list;
    for (int64_t c = 0; c < ny_model_columns(model) && !bad; c++) {
        if (by_column[c] == 0) continue;
        const char *name = ny_model_column(model, c);
        json_t *object = json_object();
        bad |= json_object_set_new(object, "name",
                                   name ? ny_json_text(ctx, name) : json_sprintf("%lld", (long long)c + 1));
        bad |= json_object_set_new(object, "rows", json_integer(by_column[c]));
        bad |= json_array_append_new(list, object);
    }
    return ny_json_kept(list, bad);
}

static ny_status write_json(ny_ctx *ctx, const ny_model *model, const result *r, char **json) {
    json_t *object = json_object();
    int bad = json_object_set_new(object, "version", json_string(NYSEL_VERSION));
    bad |= json_object_set_new(object, "command", json_string("test"));
    bad |= json_object_set_new(object, "rows", json_integer(r->m.rows));
    bad |= json_object_set_new(object, "task", json_string(ny_task_names[model->task]));
    bad |= json_object_set_new(object, "metrics", metrics_json(ctx, r));
    bad |= json_object_set_new(object, "confusion", confusion_json(ctx, r));
    bad |= json_object_set_new(object, "unknown_labels", json_integer(r->unknown));
    bad |= json_object_set_new(object, "outside_rows", json_integer(r->outside));
    bad |= json_object_set_new(object, "outside_columns", outside_json(ctx, model, r->by_column));
    return ny_json_finish(ctx, object, bad, json);
}

/* ---- text ----------------------------------------------------------------------------------------------------- */

static void add_confusion(ny_lines *t, const result *r) {
    enum { SHOWN = 12, WIDEST = 16 };
    int64_t classes = r->m.classes;
    int width = 6;
    if (classes > SHOWN) return;
    for (int64_t k = 0; k < classes; k++) {
        int length = ny_characters(r->label[k]);
        if (length > width) width = length < WIDEST ? length : WIDEST;
    }
    ny_lines_add(t, "\n  %-*s  predicted\n  %-*s", width, "true", width, "");
    for (int64_t k = 0; k < classes; k++) {
        ny_lines_add(t, "  ");
        ny_lines_field(t, r->label[k], -width);
    }
    ny_lines_add(t, "\n");
    for (int64_t k = 0; k < classes; k++) {
        ny_lines_add(t, "  ");
        ny_lines_field(t, r->label[k], width);
        for (int64_t p = 0; p < classes; p++)
            ny_lines_add(t, "  %*lld", width, (long long)r->m.confusion[k * classes + p]);
        ny_lines_add(t, "\n");
    }
}

static void add_metric(ny_lines *t, const char *name, double v) {
    if (isfinite(v)) ny_lines_add(t, "  %-18s %.4g\n", name, v);
    else ny_lines_add(t, "  %-18s undefined\n", name);
}

/* What fresh rows may have, and what always saying the same would cost here. */
static void add_comparison(ny_lines *t, const result *r) {
    const ny_metrics *m = &r->m;
    bool classes = m->classes > 0;
    if (isfinite(m->error_upper))
        ny_lines_add(t, "  %-18s %s to %s   (95%% limits)\n", "",
                     classes ? ny_say_percent(m->error_lower).text : ny_say_number(m->error_lower).text,
                     classes ? ny_say_percent(m->error_upper).text : ny_say_number(m->error_upper).text);
    ny_lines_add(t, "  %-18s %s   (", "baseline",
                 classes ? ny_say_percent(m->baseline_error).text : ny_say_number(m->baseline_error).text);
    ny_lines_baseline(t, r->baseline, "mean");
    ny_lines_add(t, ")\n");
}

static ny_status write_text(ny_ctx *ctx, const result *r, char **text) {
    ny_lines t = {.ctx = ctx};
    const ny_metrics *m = &r->m;
    ny_lines_add(&t, "%lld row%s\n", (long long)m->rows, m->rows == 1 ? "" : "s");
    if (m->classes > 0) {
        ny_lines_add(&t, "  %-18s %s\n", "error", ny_say_percent(m->error).text);
        add_comparison(&t, r);
        ny_lines_add(&t, "  %-18s %s\n", "balanced accuracy", ny_say_percent(m->balanced_accuracy).text);
        add_metric(&t, "AUC", m->auc);
        add_metric(&t, "log loss", m->log_loss);
        add_metric(&t, "Brier score", m->brier);
        add_confusion(&t, r);
    } else {
        add_metric(&t, "RMSE", m->rmse);
        add_comparison(&t, r);
        add_metric(&t, "MSE", m->mse);
        add_metric(&t, "MAE", m->mae);
        add_metric(&t, "R^2", m->r2);
    }
    for (int64_t j = 0; j < m->quantiles; j++) {
        const ny_quantile_metrics *k = &m->quantile[j];
        ny_lines_add(&t, "  quantile %-9.6g pinball loss %.4g, %s of the targets below it\n", k->quantile, k->pinball,
                     ny_say_percent(k->below).text);
    }
    if (m->interval > 0) {
        ny_lines_add(&t, "  %-18s %s of the targets are in the %.6g%% interval\n", "coverage",
                     ny_say_percent(m->coverage).text, 100 * m->interval);
        add_metric(&t, "mean width", m->mean_width);
    }
    if (m->rows > 1 && !(m->baseline_gain >= NY_GAIN_LEAST)) {
        ny_lines_add(&t, "note: here the model is no better than ");
        ny_lines_baseline(&t, r->baseline, "mean");
        ny_lines_add(&t, "\n");
    }
    if (r->unknown > 0)
        ny_lines_add(&t, "note: %lld row%s a label that the model does not know, such as '%s': counted as errors\n",
                     (long long)r->unknown, r->unknown == 1 ? " has" : "s have", r->example);
    return ny_lines_take(&t, text);
}

ny_status ny_test(ny_ctx *ctx, const ny_model *model, const ny_data *data, const ny_options *options, char **json,
                  char **text) {
    ny_status st;
    result r = {0};
    char *json_made = NULL, *text_made = NULL;
    NY_NEEDS(ctx, ctx && model && data, "a context, a model and data");
    NY_TRY(ny_data_in_memory(ctx, data, "a test"));
    NY_CHECK(ctx, data->has_target, NY_ERR_DATA, "%s: there is no target column, so there is nothing to compare with",
             data->source);
    NY_TRY((model->classes > 0 ? measure_classes : measure_regression)(ctx, model, data, options, &r));
    NY_TRY(count_outside(ctx, model, data, options, &r));
    if (json) NY_TRY(write_json(ctx, model, &r, &json_made));
    if (text) NY_TRY(write_text(ctx, &r, &text_made));
    if (json) *json = json_made, json_made = NULL;
    if (text) *text = text_made, text_made = NULL;
done:
    ny_text_free(json_made);
    ny_text_free(text_made);
    ny_free(r.label);
    ny_free(r.by_column);
    ny_metrics_clear(&r.m);
    return st;
}

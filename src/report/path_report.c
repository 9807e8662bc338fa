/* path_report.c: a regularization path as CSV, as JSON and in a few lines. Names are a contract (docs/formats.md). */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "json_parts.h"
#include "lines.h"
#include "train/regpath.h"

/* What an output tells apart: the classes on its positive side, and for a pair the other one: "b", "b vs a". */
static ny_status name_of(ny_ctx *ctx, const ny_model *model, int64_t output, char **name) {
    const ny_multiclass *method = model->coding.method;
    ny_lines t = {.ctx = ctx};
    bool pair = model->classes > 2 && method->rest == 0;
    for (int sign = 1; sign >= (pair ? -1 : 1); sign -= 2)
        for (int64_t k = 0; k < model->classes; k++)
            if (ny_codes_code(method, model->classes, k, output) == sign)
                ny_lines_add(&t, "%s%s", sign < 0 ? " vs " : t.length > 0 ? " / " : "", model->label[k]);
    return ny_lines_take(&t, name);
}

static ny_status names_of(ny_ctx *ctx, const ny_model *model, char ***names) {
    ny_status st = NY_OK;
    NY_NEW(ctx, *names, model->f.outputs);
    for (int64_t j = 0; j < model->f.outputs; j++) NY_TRY(name_of(ctx, model, j, &(*names)[j]));
done:
    return st;
}

static void names_free(char **names, int64_t outputs) {
    for (int64_t j = 0; names && j < outputs; j++) ny_text_free(names[j]);
    ny_free(names);
}

/* ---- CSV ------------------------------------------------------------------------------------------------------ */

static void add_quoted(ny_lines *t, const char *text) {
    bool quoted = strpbrk(text, ",\"\r\n") != NULL;
    if (quoted) ny_lines_add(t, "\"");
    for (; *text; text++) ny_lines_add(t, quoted && *text == '"' ? "\"\"" : "%c", *text);
    if (quoted) ny_lines_add(t, "\"");
}

static void add_number(ny_lines *t, double v) {
    char text[NY_NUMBER_TEXT] = "";
    if (isfinite(v)) ny_number_format(v, text);
    ny_lines_add(t, ",%s", text);
}

/* The column is there only where a validation set is. */
static bool has_holdout(const ny_regpath *path) {
    bool any = false;
    for (int64_t i = 0; i < path->count; i++) any |= !isnan(path->at[i].holdout_error);
    return any;
}

static ny_status write_csv(ny_ctx *ctx, const ny_regpath *path, char **names, char **csv) {
    ny_lines t = {.ctx = ctx};
    bool held = has_holdout(path);
    ny_lines_add(&t, "output,lambda,C,active,objective,loo_error,radius_margin,kkt%s\n", held ? ",holdout_error" : "");
    for (int64_t i = 0; i < path->count; i++) {
        const ny_breakpoint *at = &path->at[i];
        add_quoted(&t, names[at->output]);
        add_number(&t, at->lambda);
        add_number(&t, 2 / at->lambda);
        ny_lines_add(&t, ",%lld", (long long)at->active);
        add_number(&t, at->objective);
        add_number(&t, at->loo_error);
        add_number(&t, at->radius_margin);
        add_number(&t, at->kkt);
        if (held) add_number(&t, at->holdout_error);
        ny_lines_add(&t, "\n");
    }
    return ny_lines_take(&t, csv);
}

/* ---- JSON ----------------------------------------------------------------------------------------------------- */

static json_t *row_json(ny_ctx *ctx, const ny_breakpoint *at, const char *name) {
    json_t *row =
        json_pack("{s:o, s:o, s:o, s:I, s:o, s:o, s:o, s:o}", "output", ny_json_text(ctx, name), "lambda",
                  ny_json_number(at->lambda), "C", ny_json_number(2 / at->lambda), "active", (json_int_t)at->active,
                  "objective", ny_json_number(at->objective), "loo_error", ny_json_number(at->loo_error),
                  "radius_margin", ny_json_number(at->radius_margin), "kkt", ny_json_number(at->kkt));
    if (row && !isnan(at->holdout_error) &&
        json_object_set_new(row, "holdout_error", ny_json_number(at->holdout_error)))
        json_decref(row), row = NULL;
    return row;
}

static ny_status write_json(ny_ctx *ctx, const ny_regpath *path, char **names, char **json) {
    json_t *object = json_object(), *rows = json_array();
    int bad = ny_json_head(ctx, path->model, "path", object);
    bad |= ny_json_kernel(ctx, path->model, object);
    for (int64_t i = 0; i < path->count && rows; i++)
        bad |= json_array_append_new(rows, row_json(ctx, &path->at[i], names[path->at[i].output]));
    bad |= json_object_set_new(object, "rows", rows);
    bad |= ny_json_measured(ctx, path->model->record, object);
    bad |= json_object_set_new(json_object_get(object, "seconds"), "path", ny_json_number(path->seconds_path));
    return ny_json_finish(ctx, object, bad, json);
}

/* ---- text ----------------------------------------------------------------------------------------------------- */

/* The breakpoint of an output with the fewest leave-one-out errors: of equals the one of the largest lambda. */
static void add_output(ny_lines *t, const ny_regpath *path, int64_t output, const char *name) {
    const ny_breakpoint *best = NULL, *held = NULL;
    int64_t count = 0;
    for (int64_t i = 0; i < path->count; i++) {
        if (path->at[i].output != output) continue;
        if (!best || path->at[i].loo_error < best->loo_error) best = &path->at[i];
        if (!held || path->at[i].holdout_error < held->holdout_error) held = &path->at[i];
        count++;
    }
    if (!best) return;
    if (path->model->f.outputs > 1) ny_lines_add(t, "  %s\n", name);
    ny_lines_add(t,
                 "  breakpoints     %lld, leave-one-out error least at lambda %s (C %s): %s, %lld rows in the margin\n",
                 (long long)count, ny_say_number(best->lambda).text, ny_say_number(2 / best->lambda).text,
                 ny_say_percent(best->loo_error).text, (long long)best->active);
    if (!isnan(held->holdout_error))
        ny_lines_add(t, "  hold-out        error least at lambda %s (C %s): %s\n", ny_say_number(held->lambda).text,
                     ny_say_number(2 / held->lambda).text, ny_say_percent(held->holdout_error).text);
}

static ny_status write_text(ny_ctx *ctx, const ny_regpath *path, char **names, char **text) {
    ny_lines t = {.ctx = ctx};
    const ny_model *model = path->model;
    const ny_record *r = model->record;
    double kkt = 0;
    ny_lines_add(&t, "regularization path of the l2-SVM, %s kernel (%lld rows, %lld inputs)\n",
                 model->f.kernel.kernel->name, (long long)r->rows, (long long)r->inputs);
    if (model->f.kernel.kernel->has_bandwidth)
        ny_lines_add(&t, "  bandwidth       %s\n", ny_say_number(model->f.kernel.bandwidth).text);
    ny_lines_add(&t, "  landmarks       %lld, rank %lld\n", (long long)r->origin.landmarks, (long long)r->origin.rank);
    for (int64_t j = 0; j < model->f.outputs; j++) add_output(&t, path, j, names[j]);
    for (int64_t i = 0; i < path->count; i++) kkt = fmax(kkt, path->at[i].kkt);
    ny_lines_add(&t, "  optimality      conditions hold to %s\n", ny_say_number(kkt).text);
    ny_lines_add(&t, "  time            read %s, select %s, factor %s, path %s\n",
                 ny_say_seconds(r->spent.seconds_read).text, ny_say_seconds(r->spent.seconds_select).text,
                 ny_say_seconds(r->spent.seconds_landmarks).text, ny_say_seconds(path->seconds_path).text);
    if (r->stopped) ny_lines_add(&t, "  note            stopped early: this is as far as it got\n");
    for (int64_t i = 0; i < r->notes; i++) ny_lines_add(&t, "  note            %s\n", r->note[i]);
    return ny_lines_take(&t, text);
}

ny_status ny_path(ny_ctx *ctx, const ny_data *data, const ny_options *options, char **csv, char **json, char **text) {
    ny_status st = NY_OK, made;
    ny_regpath path = {0};
    char **names = NULL;
    NY_NEEDS(ctx, ctx && data && options, "a context, data and options");
    if (csv) *csv = NULL;
    if (json) *json = NULL;
    if (text) *text = NULL;
    made = st = ny_regpath_make(ctx, data, options, &path);
    if (st != NY_OK && path.count == 0) return st;
    NY_TRY(names_of(ctx, path.model, &names));
    if (csv) NY_TRY(write_csv(ctx, &path, names, csv));
    if (json) NY_TRY(write_json(ctx, &path, names, json));
    if (text) NY_TRY(write_text(ctx, &path, names, text));
    st = made;
done:
    for (int k = 0; st != made && k < 3; k++) { /* all or nothing */
        char **part = k == 0 ? csv : k == 1 ? json : text;
        if (part) ny_text_free(*part), *part = NULL;
    }
    names_free(names, path.model->f.outputs);
    ny_regpath_clear(&path);
    return st;
}

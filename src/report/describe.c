/* describe.c: what a table holds: rows, inputs, columns with their ranges or levels, target and task. */
#include <math.h>
#include <string.h>

#include "lines.h"
#include "model/json_util.h"
#include "table/data.h"

/* Range and sum of every input (row of X). */
typedef struct ranges {
    double *lo, *hi, *sum; /* inputs */
    int64_t nonzeros;
} ranges;

typedef struct description {
    const ny_data *data;
    ny_task task;
    char doubt[NY_MESSAGE_MAX]; /* why there is no task, or "" */
    ranges input;
    double target_lo, target_hi, target_mean;
    int64_t *class_rows; /* data->labels */
} description;

/* ---- measuring ------------------------------------------------------------------------------------------------ */

static void see(ranges *r, int64_t input, double v) {
    r->lo[input] = fmin(r->lo[input], v);
    r->hi[input] = fmax(r->hi[input], v);
    r->sum[input] += v;
    r->nonzeros += v != 0;
}

static ny_status measure_inputs(ny_ctx *ctx, const ny_matrix *X, ranges *r) {
    ny_status st = NY_OK;
    int64_t *seen = NULL;
    NY_NEW(ctx, r->lo, X->d);
    NY_NEW(ctx, r->hi, X->d);
    NY_NEW(ctx, r->sum, X->d);
    NY_NEW(ctx, seen, X->d);
    for (int64_t k = 0; k < X->d; k++) r->lo[k] = INFINITY, r->hi[k] = -INFINITY;
    if (!ny_matrix_is_sparse(X)) {
        for (int64_t i = 0; i < X->n; i++)
            for (int64_t k = 0; k < X->d; k++) see(r, k, X->x[i * X->d + k]);
        goto done;
    }
    for (int64_t e = 0; e < X->ptr[X->n]; e++) {
        see(r, X->idx[e], X->val[e]);
        seen[X->idx[e]]++;
    }
    for (int64_t k = 0; k < X->d; k++)
        if (seen[k] < X->n) see(r, k, 0); /* the entries that are not stored */
done:
    ny_free(seen);
    return st;
}

static ny_status measure_target(ny_ctx *ctx, description *about) {
    const ny_data *data = about->data;
    ny_status st = NY_OK;
    about->target_lo = INFINITY;
    about->target_hi = -INFINITY;
    if (!data->has_target) goto done;
    for (int64_t i = 0; i < data->X.n && data->numeric_target; i++) {
        about->target_lo = fmin(about->target_lo, data->y[i]);
        about->target_hi = fmax(about->target_hi, data->y[i]);
        about->target_mean += data->y[i] / (double)data->X.n;
    }
    if (data->labels == 0) goto done;
    NY_NEW(ctx, about->class_rows, data->labels);
    for (int64_t i = 0; i < data->X.n; i++) about->class_rows[data->code[i]]++;
done:
    return st;
}

static ny_status measure(ny_ctx *ctx, const ny_options *options, description *about) {
    const ny_data *data = about->data;
    ny_status st;
    NY_TRY(measure_inputs(ctx, &data->X, &about->input));
    NY_TRY(measure_target(ctx, about));
    if (!data->has_target) goto done;
    st = ny_data_task(ctx, data, options ? options->task : NY_TASK_NONE, &about->task);
    if (st == NY_OK || st == NY_ERR_MEMORY) goto done;
    /* A target that suits no task is still worth describing. */
    about->task = NY_TASK_NONE;
    memcpy(about->doubt, ctx->message, sizeof about->doubt);
    st = NY_OK;
done:
    return st;
}

/* The number of entries of X, and the share of them that are not zero. */
static double density(const description *about) {
    return (double)about->input.nonzeros / ((double)about->data->X.d * (double)about->data->X.n);
}

static const char *why(const ny_left_out *left) {
    return left->asked ? "--ignore" : "identifier";
}

/* ---- JSON ----------------------------------------------------------------------------------------------------- */

static json_t *numeric_json(double lo, double hi, double mean) {
    json_t *object = json_object();
    int bad = json_object_set_new(object, "min", ny_json_number(lo));
    bad |= json_object_set_new(object, "max", ny_json_number(hi));
    bad |= json_object_set_new(object, "mean", ny_json_number(mean));
    return ny_json_kept(object, bad);
}

/* [{key: text, rows: count}, ...] */
static void append_count(ny_ctx *ctx, json_t *list, const char *key, const char *text, int64_t rows, int *bad) {
    json_t *object = json_object();
    *bad |= json_object_set_new(object, key, ny_json_text(ctx, text));
    *bad |= json_object_set_new(object, "rows", json_integer(rows));
    *bad |= json_array_append_new(list, object);
}

static json_t *column_json(ny_ctx *ctx, const description *about, const ny_column *column, int64_t input) {
    const ranges *r = &about->input;
    json_t *object = json_object();
    int bad = json_object_set_new(object, "name", ny_json_text(ctx, column->name ? column->name : ""));
    if (column->levels > 0) {
        json_t *levels = json_array();
        for (int64_t l = 0; l < column->levels && !bad; l++)
            append_count(ctx, levels, "level", column->level[l], (int64_t)llround(r->sum[input + l]), &bad);
        bad |= json_object_set_new(object, "levels", levels);
    } else {
        if (column->form) bad |= json_object_set_new(object, "form", json_string(ny_form_word(column->form)));
        json_t *range = numeric_json(r->lo[input], r->hi[input], r->sum[input] / (double)about->data->X.n);
        bad |= json_object_update(object, range);
        json_decref(range);
    }
    return ny_json_kept(object, bad);
}

static json_t *columns_json(ny_ctx *ctx, const description *about) {
    const ny_schema *schema = &about->data->schema;
    json_t *list = json_array();
    int bad = !list;
    int64_t input = 0;
    for (int64_t i = 0; i < schema->columns && !bad; i++) {
        bad |= json_array_append_new(list, column_json(ctx, about, &schema->column[i], input));
        input += schema->column[i].levels > 0 ? schema->column[i].levels : 1;
    }
    return ny_json_kept(list, bad);
}

static json_t *left_out_json(ny_ctx *ctx, const ny_schema *schema) {
    json_t *list = json_array();
    int bad = !list;
    for (int64_t k = 0; k < schema->left_out && !bad; k++) {
        json_t *object = json_object();
        bad |= json_object_set_new(object, "name", ny_json_text(ctx, schema->left[k].name));
        bad |= json_object_set_new(object, "why", json_string(why(&schema->left[k])));
        bad |= json_array_append_new(list, object);
    }
    return ny_json_kept(list, bad);
}

static json_t *target_json(ny_ctx *ctx, const description *about) {
    const ny_data *data = about->data;
    if (!data->has_target) return json_null();
    json_t *object = json_object();
    int bad = json_object_set_new(object, "name", ny_json_text(ctx, data->schema.target ? data->schema.target : ""));
    bad |= json_object_set_new(object, "numeric", json_boolean(data->numeric_target));
    ny_form form = data->schema.target_form;
    if (form) bad |= json_object_set_new(object, "form", json_string(ny_form_word(form)));
    if (data->numeric_target) {
        json_t *range = numeric_json(about->target_lo, about->target_hi, about->target_mean);
        bad |= json_object_update(object, range);
        json_decref(range);
    }
    json_t *labels = about->task == NY_TASK_REGRESSION || data->labels == 0 ? json_null() : json_array();
    for (int64_t k = 0; json_is_array(labels) && k < data->labels && !bad; k++)
        append_count(ctx, labels, "label", data->label[k], about->class_rows[k], &bad);
    bad |= json_object_set_new(object, "classes", labels);
    return ny_json_kept(object, bad);
}

static ny_status write_json(ny_ctx *ctx, const description *about, char **json) {
    const ny_data *data = about->data;
    json_t *object = json_object();
    int bad = json_object_set_new(object, "version", json_string(NYSEL_VERSION));
    bad |= json_object_set_new(object, "command", json_string("info"));
    bad |= json_object_set_new(object, "source", ny_json_text(ctx, data->source ? data->source : ""));
    bad |= json_object_set_new(object, "rows", json_integer(data->X.n));
    bad |= json_object_set_new(object, "inputs", json_integer(data->X.d));
    bad |= json_object_set_new(object, "sparse", json_boolean(ny_matrix_is_sparse(&data->X)));
    bad |= json_object_set_new(object, "density", ny_json_number(density(about)));
    bad |= json_object_set_new(object, "dropped", json_integer(data->dropped));
    bad |= json_object_set_new(object, "task", json_string(ny_task_names[about->task]));
    bad |= json_object_set_new(object, "target", target_json(ctx, about));
    bad |= json_object_set_new(object, "weighted", json_boolean(data->weight != NULL));
    bad |= json_object_set_new(object, "columns", columns_json(ctx, about));
    bad |= json_object_set_new(object, "left_out", left_out_json(ctx, &data->schema));
    if (about->doubt[0]) bad |= json_object_set_new(object, "note", ny_json_text(ctx, about->doubt));
    return ny_json_finish(ctx, object, bad, json);
}

/* ---- text ----------------------------------------------------------------------------------------------------- */

static void add_target(ny_lines *t, const description *about) {
    enum { SHOWN = 12 };
    const ny_data *data = about->data;
    if (!data->has_target) {
        ny_lines_add(t, "  target    none\n");
        return;
    }
    const char *name = data->schema.target ? data->schema.target : "";
    ny_lines_add(t, "  task      %s", about->task == NY_TASK_NONE ? "unclear" : ny_task_names[about->task]);
    ny_lines_add(t, *name ? " (target \"%s\")\n" : "%s\n", name);
    if (about->doubt[0]) ny_lines_add(t, "            %s\n", about->doubt);
    if (about->task == NY_TASK_REGRESSION || data->labels == 0) {
        if (data->numeric_target)
            ny_lines_add(t, "  target    %s to %s, mean %s%s%s\n", ny_say_number(about->target_lo).text,
                         ny_say_number(about->target_hi).text, ny_say_number(about->target_mean).text,
                         data->schema.target_form ? "   " : "",
                         data->schema.target_form ? ny_form_told(data->schema.target_form) : "");
        return;
    }
    ny_lines_add(t, "  classes   %lld: ", (long long)data->labels);
    for (int64_t k = 0; k < data->labels && k < SHOWN; k++)
        ny_lines_add(t, "%s%s (%lld)", k ? ", " : "", data->label[k], (long long)about->class_rows[k]);
    ny_lines_add(t, "%s\n", data->labels > SHOWN ? ", ..." : "");
}

static void add_column(ny_lines *t, const description *about, const ny_column *column, int64_t input, int width) {
    enum { SHOWN = 6 };
    const ranges *r = &about->input;
    ny_lines_add(t, "    ");
    ny_lines_field(t, column->name ? column->name : "", width);
    if (column->levels == 0) {
        ny_lines_add(t, "  %10s to %-10s mean %s%s%s\n", ny_say_number(r->lo[input]).text,
                     ny_say_number(r->hi[input]).text, ny_say_number(r->sum[input] / (double)about->data->X.n).text,
                     column->form ? "   " : "", column->form ? ny_form_told(column->form) : "");
        return;
    }
    ny_lines_add(t, "  %lld levels: ", (long long)column->levels);
    for (int64_t l = 0; l < column->levels && l < SHOWN; l++)
        ny_lines_add(t, "%s%s (%.0f)", l ? ", " : "", column->level[l], r->sum[input + l]);
    ny_lines_add(t, "%s\n", column->levels > SHOWN ? ", ..." : "");
}

static void add_left_out(ny_lines *t, const ny_schema *schema) {
    enum { SHOWN = 6 };
    if (schema->left_out == 0) return;
    ny_lines_add(t, "  left out  ");
    for (int64_t k = 0; k < schema->left_out && k < SHOWN; k++)
        ny_lines_add(t, "%s\"%s\" (%s)", k ? ", " : "", schema->left[k].name, why(&schema->left[k]));
    ny_lines_add(t, "%s\n", schema->left_out > SHOWN ? ", ..." : "");
}

static void add_columns(ny_lines *t, const description *about) {
    enum { SHOWN = 30, WIDEST = 24 };
    const ny_schema *schema = &about->data->schema;
    int64_t shown = schema->columns <= SHOWN ? schema->columns : SHOWN - 1, input = 0;
    int width = 4;
    if (schema->columns > 0) ny_lines_add(t, "  columns   %lld\n", (long long)schema->columns);
    for (int64_t i = 0; i < shown; i++) {
        int length = schema->column[i].name ? ny_characters(schema->column[i].name) : 0;
        if (length > width) width = length < WIDEST ? length : WIDEST;
    }
    for (int64_t i = 0; i < shown; i++) {
        add_column(t, about, &schema->column[i], input, width);
        input += schema->column[i].levels > 0 ? schema->column[i].levels : 1;
    }
    if (shown < schema->columns) ny_lines_add(t, "    ... and %lld more\n", (long long)(schema->columns - shown));
}

static ny_status write_text(ny_ctx *ctx, const description *about, char **text) {
    ny_lines t = {.ctx = ctx};
    const ny_data *data = about->data;
    ny_lines_add(&t, "%s: %lld row%s, %lld input%s\n", data->source && *data->source ? data->source : "data",
                 (long long)data->X.n, data->X.n == 1 ? "" : "s", (long long)data->X.d, data->X.d == 1 ? "" : "s");
    add_target(&t, about);
    if (ny_matrix_is_sparse(&data->X))
        ny_lines_add(&t, "  sparse    %s of the values are not zero\n", ny_say_percent(density(about)).text);
    if (data->dropped > 0) ny_lines_add(&t, "  dropped   %lld rows with missing values\n", (long long)data->dropped);
    if (data->weight) ny_lines_add(&t, "  weights   column \"%s\"\n", data->schema.weight ? data->schema.weight : "");
    add_left_out(&t, &data->schema);
    add_columns(&t, about);
    return ny_lines_take(&t, text);
}

ny_status ny_data_describe(ny_ctx *ctx, const ny_data *data, const ny_options *options, char **json, char **text) {
    ny_status st;
    description about = {.data = data};
    char *json_made = NULL, *text_made = NULL;
    NY_NEEDS(ctx, ctx && data, "a context and data");
    NY_TRY(ny_data_in_memory(ctx, data, "a description"));
    NY_TRY(measure(ctx, options, &about));
    if (json) NY_TRY(write_json(ctx, &about, &json_made));
    if (text) NY_TRY(write_text(ctx, &about, &text_made));
    if (json) *json = json_made, json_made = NULL;
    if (text) *text = text_made, text_made = NULL;
done:
    ny_text_free(json_made);
    ny_text_free(text_made);
    ny_free(about.input.lo);
    ny_free(about.input.hi);
    ny_free(about.input.sum);
    ny_free(about.class_rows);
    return st;
}

/* meta_read.c: meta.json into a model. Nothing in it is trusted: every value is looked up, typed and bounded, and each
 * message names the field. Lists are only as long as the text that held them, so no size has to be believed. */
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "criterion/criterion.h"
#include "json_util.h"
#include "model_meta.h"

/* ---- single fields ------------------------------------------------------------------------------------------ */

static ny_status bad_field(ny_ctx *ctx, const char *name, const char *expected) {
    return ny_error(ctx, NY_ERR_MODEL, "'%s' is missing or is not %s", name, expected);
}

static ny_status get_bits(ny_ctx *ctx, const json_t *object, const char *name, uint64_t *v) {
    const json_t *value = json_object_get(object, name);
    if (!json_is_integer(value)) return bad_field(ctx, name, "a whole number");
    *v = (uint64_t)json_integer_value(value);
    return NY_OK;
}

static ny_status get_bounded(ny_ctx *ctx, const json_t *object, const char *name, int64_t hi, int64_t *v) {
    uint64_t bits = 0;
    ny_status st = get_bits(ctx, object, name, &bits);
    if (st != NY_OK) return st;
    if (bits > (uint64_t)hi) return bad_field(ctx, name, "a whole number of the expected size");
    *v = (int64_t)bits;
    return NY_OK;
}

static ny_status get_whole(ny_ctx *ctx, const json_t *object, const char *name, int64_t *v) {
    return get_bounded(ctx, object, name, INT64_MAX, v);
}

static ny_status get_small(ny_ctx *ctx, const json_t *object, const char *name, int *v) {
    int64_t whole = 0;
    ny_status st = get_bounded(ctx, object, name, INT_MAX, &whole);
    *v = (int)whole;
    return st;
}

static ny_status get_real(ny_ctx *ctx, const json_t *object, const char *name, double *v) {
    ny_status st = ny_json_read_exact(ctx, json_object_get(object, name), v);
    return st == NY_ERR_MODEL ? bad_field(ctx, name, "a number") : st;
}

static ny_status get_maybe(ny_ctx *ctx, const json_t *object, const char *name, double *v) {
    const json_t *value = json_object_get(object, name);
    *v = NAN;
    return value && !json_is_null(value) ? get_real(ctx, object, name, v) : NY_OK;
}

static ny_status get_flag(ny_ctx *ctx, const json_t *object, const char *name, bool *v) {
    const json_t *value = json_object_get(object, name);
    if (!json_is_boolean(value)) return bad_field(ctx, name, "true or false");
    *v = json_is_true(value);
    return NY_OK;
}

static ny_status get_text(ny_ctx *ctx, const json_t *object, const char *name, char **v) {
    ny_status st = ny_json_read_bytes(ctx, json_object_get(object, name), v);
    return st == NY_ERR_MODEL ? bad_field(ctx, name, "a text") : st;
}

static ny_status get_object(ny_ctx *ctx, const json_t *object, const char *name, const json_t **v) {
    *v = json_object_get(object, name);
    return json_is_object(*v) ? NY_OK : bad_field(ctx, name, "an object");
}

static ny_status get_list(ny_ctx *ctx, const json_t *object, const char *name, const json_t **v) {
    *v = json_object_get(object, name);
    return json_is_array(*v) ? NY_OK : bad_field(ctx, name, "a list");
}

/* A list of texts. *count is set with the list, so that the owner can free what was read before a failure. */
static ny_status get_texts(ny_ctx *ctx, const json_t *object, const char *name, int64_t *count, char ***text) {
    const json_t *list;
    ny_status st;
    NY_TRY(get_list(ctx, object, name, &list));
    int64_t length = (int64_t)json_array_size(list);
    NY_NEW(ctx, *text, length);
    *count = length;
    for (int64_t i = 0; i < length; i++) {
        st = ny_json_read_bytes(ctx, json_array_get(list, (size_t)i), &(*text)[i]);
        if (st == NY_ERR_MODEL) bad_field(ctx, name, "a list of texts");
        if (st != NY_OK) goto done;
    }
    st = NY_OK;
done:
    return st;
}

static int by_text(const void *a, const void *b) {
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static bool strictly_ascending(int64_t count, char *const *text) {
    for (int64_t i = 1; i < count; i++)
        if (strcmp(text[i - 1], text[i]) >= 0) return false;
    return true;
}

/* ---- the parts of the file ---------------------------------------------------------------------------------- */

static ny_status read_version(ny_ctx *ctx, const json_t *meta) {
    int64_t version = 0;
    const char *format = json_string_value(json_object_get(meta, "format"));
    if (!format || strcmp(format, NY_MODEL_FORMAT) != 0)
        return ny_error(ctx, NY_ERR_MODEL, "'format' is not \"" NY_MODEL_FORMAT "\"");
    ny_status st = get_whole(ctx, meta, "format_version", &version);
    if (st != NY_OK) return st;
    if (version < 1) return bad_field(ctx, "format_version", "1 or more");
    if (version > NY_MODEL_FORMAT_VERSION)
        return ny_error(ctx, NY_ERR_MODEL, "made by a newer nysel: its format is %lld, this one reads up to %d",
                        (long long)version, NY_MODEL_FORMAT_VERSION);
    return NY_OK;
}

static ny_status check_distinct(ny_ctx *ctx, int64_t count, char *const *text) {
    ny_status st = NY_OK;
    char **sorted;
    NY_NEW(ctx, sorted, count);
    memcpy(sorted, text, (size_t)count * sizeof *sorted);
    qsort(sorted, (size_t)count, sizeof *sorted, by_text);
    if (!strictly_ascending(count, sorted)) st = ny_error(ctx, NY_ERR_MODEL, "a class label occurs twice");
    ny_free(sorted);
done:
    return st;
}

/* The decoding came later than the coding: a model without it decodes in the coding's own way. */
static ny_status read_coding(ny_ctx *ctx, const json_t *meta, ny_coding *coding) {
    ny_status st = NY_OK;
    const char *method = json_string_value(json_object_get(meta, "multiclass"));
    if (method) coding->method = ny_multiclass_find(method);
    NY_CHECK(ctx, !method || coding->method, NY_ERR_MODEL, "multiclass method '%s' is unknown", method);
    const json_t *decoding = json_object_get(meta, "decoding");
    const char *name = json_string_value(decoding);
    NY_CHECK(ctx, !decoding || (name && ny_decoding_find(name, &coding->decoding)), NY_ERR_MODEL,
             "decoding '%s' is unknown", name ? name : "");
done:
    return st;
}

/* Task, labels, coding: they must agree on the number of outputs. */
static ny_status read_task(ny_ctx *ctx, const json_t *meta, ny_model *model) {
    ny_status st;
    const char *task = json_string_value(json_object_get(meta, "task"));
    for (int t = NY_TASK_BINARY; task && t <= NY_TASK_REGRESSION; t++)
        if (strcmp(task, ny_task_names[t]) == 0) model->task = (ny_task)t;
    NY_CHECK(ctx, model->task != NY_TASK_NONE, NY_ERR_MODEL, "task '%s' is unknown", task ? task : "");
    NY_TRY(get_texts(ctx, meta, "labels", &model->classes, &model->label));
    NY_TRY(get_whole(ctx, meta, "outputs", &model->outputs));
    NY_TRY(read_coding(ctx, meta, &model->coding));
    int64_t outputs = 1;
    if (model->task == NY_TASK_REGRESSION) {
        NY_CHECK(ctx, model->classes == 0, NY_ERR_MODEL, "a regression model has class labels");
    } else {
        NY_CHECK(ctx, model->classes >= 2 && (model->classes == 2 || model->task == NY_TASK_MULTICLASS), NY_ERR_MODEL,
                 "%lld class labels do not suit the task %s", (long long)model->classes, task);
        NY_CHECK(ctx, model->classes <= NY_LABELS_MAX, NY_ERR_MODEL, "%lld classes, but a model can have %d at most",
                 (long long)model->classes, NY_LABELS_MAX);
        NY_CHECK(ctx, model->coding.method, NY_ERR_MODEL, "'multiclass' is missing");
        NY_TRY(check_distinct(ctx, model->classes, model->label));
        outputs = ny_codes_outputs(model->coding.method, model->classes);
    }
    NY_CHECK(ctx, model->outputs == outputs, NY_ERR_MODEL, "%lld outputs where %lld are needed",
             (long long)model->outputs, (long long)outputs);
done:
    return st;
}

static ny_status read_kernel(ny_ctx *ctx, const json_t *meta, ny_kernel_params *p) {
    const json_t *object;
    ny_status st;
    NY_TRY(get_object(ctx, meta, "kernel", &object));
    const char *name = json_string_value(json_object_get(object, "name"));
    p->kernel = name ? ny_kernel_find(name) : NULL;
    NY_CHECK(ctx, p->kernel, NY_ERR_MODEL, "kernel '%s' is unknown", name ? name : "");
    NY_TRY(get_real(ctx, object, "bandwidth", &p->bandwidth));
    NY_TRY(get_real(ctx, object, "coef0", &p->coef0));
    NY_TRY(get_bounded(ctx, object, "degree", 1000, &p->degree)); /* a kernel may loop over it */
    NY_CHECK(ctx, !p->kernel->has_bandwidth || (isfinite(p->bandwidth) && p->bandwidth > 0), NY_ERR_MODEL,
             "bandwidth %g is not above 0", p->bandwidth);
    NY_CHECK(ctx, isfinite(p->coef0), NY_ERR_MODEL, "'coef0' is not finite");
done:
    return st;
}

static ny_status read_column(ny_ctx *ctx, const json_t *object, ny_column *column) {
    ny_status st;
    NY_TRY(get_text(ctx, object, "name", &column->name));
    NY_TRY(get_real(ctx, object, "mean", &column->mean));
    NY_CHECK(ctx, isfinite(column->mean), NY_ERR_MODEL, "the mean of column '%s' is not finite", column->name);
    if (!json_object_get(object, "levels")) goto done;
    NY_TRY(get_texts(ctx, object, "levels", &column->levels, &column->level));
    NY_CHECK(ctx, column->levels > 0 && strictly_ascending(column->levels, column->level), NY_ERR_MODEL,
             "the levels of column '%s' are not sorted and distinct", column->name);
done:
    return st;
}

static ny_status read_schema(ny_ctx *ctx, const json_t *meta, ny_schema *schema) {
    const json_t *object, *list;
    ny_status st;
    NY_TRY(get_object(ctx, meta, "schema", &object));
    NY_TRY(get_whole(ctx, object, "inputs", &schema->inputs));
    NY_TRY(get_flag(ctx, object, "sparse", &schema->sparse));
    NY_TRY(get_flag(ctx, object, "named", &schema->named));
    NY_TRY(get_text(ctx, object, "target", &schema->target));
    NY_TRY(get_text(ctx, object, "weight", &schema->weight));
    NY_TRY(get_list(ctx, object, "columns", &list));
    NY_NEW(ctx, schema->column, (int64_t)json_array_size(list));
    schema->columns = (int64_t)json_array_size(list);
    int64_t inputs = 0;
    for (int64_t i = 0; i < schema->columns; i++) {
        NY_TRY(read_column(ctx, json_array_get(list, (size_t)i), &schema->column[i]));
        inputs += schema->column[i].levels > 0 ? schema->column[i].levels : 1;
    }
    NY_CHECK(ctx, schema->sparse || inputs == schema->inputs, NY_ERR_MODEL, "the columns make %lld inputs, not %lld",
             (long long)inputs, (long long)schema->inputs);
    NY_CHECK(ctx, !schema->sparse || schema->columns == 0, NY_ERR_MODEL, "sparse inputs have no columns");
done:
    return st;
}

/* Options that this version no longer has are passed over; those that it has must be valid. */
static ny_status read_options(ny_ctx *ctx, const json_t *meta, ny_options **options) {
    const json_t *object;
    char *text = NULL;
    const ny_option_row *row;
    ny_status st;
    NY_TRY(get_object(ctx, meta, "options", &object));
    if (!(*options = ny_options_new(ctx))) {
        st = NY_ERR_MEMORY;
        goto done;
    }
    for (int64_t i = 0; (row = ny_options_row(i)); i++) {
        if (!json_object_get(object, row->name)) continue;
        NY_TRY(get_text(ctx, object, row->name, &text));
        st = ny_options_set(ctx, *options, row->name, text);
        if (st == NY_ERR_USAGE) st = NY_ERR_MODEL;
        if (st != NY_OK) goto done;
        ny_free(text);
        text = NULL;
    }
done:
    ny_free(text);
    return st;
}

static ny_status read_evaluation(ny_ctx *ctx, const json_t *object, ny_record *record) {
    ny_evaluation e = {0};
    ny_status st;
    const char *name = json_string_value(json_object_get(object, "kernel"));
    e.kernel = name ? ny_kernel_find(name) : NULL;
    NY_CHECK(ctx, e.kernel, NY_ERR_MODEL, "an evaluation has no known kernel");
    NY_TRY(get_real(ctx, object, "bandwidth", &e.bandwidth));
    NY_TRY(get_real(ctx, object, "C", &e.C));
    NY_TRY(get_real(ctx, object, "value", &e.value));
    NY_TRY(get_maybe(ctx, object, "error", &e.error)); /* unknown where rows came in passes */
    NY_TRY(get_whole(ctx, object, "rows", &e.rows));
    NY_TRY(get_whole(ctx, object, "landmarks", &e.landmarks));
    NY_TRY(ny_record_evaluation(ctx, record, e));
done:
    return st;
}

static ny_status read_bound(ny_ctx *ctx, const json_t *record, ny_bound *b) {
    const json_t *object;
    ny_status st = NY_OK;
    if (!json_object_get(record, "bound")) goto done;
    NY_TRY(get_object(ctx, record, "bound", &object));
#define X(type, field) NY_TRY(get_##type(ctx, object, #field, &b->field));
    NY_BOUND_LIST(X)
#undef X
    b->known = true;
done:
    return st;
}

static ny_status read_comparisons(ny_ctx *ctx, const json_t *record, ny_record *r) {
    const json_t *list;
    ny_status st = NY_OK;
    if (!json_object_get(record, "criteria")) goto done;
    NY_TRY(get_list(ctx, record, "criteria", &list));
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *object = json_array_get(list, i);
        const char *name = json_string_value(json_object_get(object, "name"));
        const ny_criterion *criterion = name ? ny_criterion_find(name) : NULL;
        NY_CHECK(ctx, criterion, NY_ERR_MODEL, "a comparison has no known criterion");
        ny_comparison c = {.criterion = criterion->name};
#define X(field, text) NY_TRY(get_maybe(ctx, object, text, &c.field));
        NY_COMPARISON_LIST(X)
#undef X
        NY_TRY(ny_record_comparison(ctx, r, c));
    }
done:
    return st;
}

static ny_status read_solver(ny_ctx *ctx, const json_t *record, ny_solver *s) {
    const json_t *object;
    ny_status st = NY_OK;
    if (!json_object_get(record, "solver")) goto done;
    NY_TRY(get_object(ctx, record, "solver", &object));
#define X(type, field) NY_TRY(get_##type(ctx, object, #field, &s->field));
    NY_SOLVER_LIST(X)
#undef X
    s->known = true;
done:
    return st;
}

static ny_status read_record(ny_ctx *ctx, const json_t *meta, ny_record *record) {
    const json_t *object, *list;
    char *note = NULL;
    ny_status st;
    NY_TRY(get_object(ctx, meta, "record", &object));
#define X(type, field) NY_TRY(get_##type(ctx, object, #field, &record->field));
    NY_RECORD_LIST(X)
#undef X
    NY_TRY(read_bound(ctx, object, &record->bound));
    NY_TRY(read_comparisons(ctx, object, record));
    NY_TRY(read_solver(ctx, object, &record->solver));
    NY_TRY(get_list(ctx, object, "evaluations", &list));
    for (size_t i = 0; i < json_array_size(list); i++) NY_TRY(read_evaluation(ctx, json_array_get(list, i), record));
    NY_TRY(get_list(ctx, object, "notes", &list));
    for (size_t i = 0; i < json_array_size(list); i++) {
        st = ny_json_read_bytes(ctx, json_array_get(list, i), &note);
        if (st == NY_ERR_MODEL) bad_field(ctx, "notes", "a list of texts");
        if (st != NY_OK) goto done;
        NY_TRY(ny_record_note(ctx, record, "%s", note));
        ny_free(note);
        note = NULL;
    }
done:
    ny_free(note);
    return st;
}

ny_status ny_meta_read(ny_ctx *ctx, const json_t *meta, ny_model *model, ny_model_layout *layout) {
    const json_t *landmarks;
    ny_status st;
    NY_TRY(read_version(ctx, meta));
    NY_TRY(read_task(ctx, meta, model));
    NY_TRY(read_kernel(ctx, meta, &model->kernel));
    NY_TRY(get_object(ctx, meta, "landmarks", &landmarks));
    NY_TRY(get_whole(ctx, landmarks, "count", &layout->landmarks));
    NY_TRY(get_flag(ctx, landmarks, "sparse", &layout->sparse));
    NY_TRY(read_schema(ctx, meta, &model->schema));
    NY_TRY(read_options(ctx, meta, &model->options));
    NY_TRY(read_record(ctx, meta, &model->record));
done:
    return st;
}

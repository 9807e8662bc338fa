/* meta_read.c: meta.json into a model. Nothing in it is trusted: every value is looked up, typed and bounded, and each
 * message names the field. Lists are only as long as the text that held them, so no size has to be believed. */
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "json_util.h"
#include "model_meta.h"

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
    ny_status st = ny_get_whole(ctx, meta, "format_version", &version);
    if (st != NY_OK) return st;
    if (version < 1) return ny_bad_field(ctx, "format_version", "1 or more");
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

/* Those of a quantile machine: ascending, and an output for each. */
static ny_status read_quantiles(ny_ctx *ctx, const json_t *meta, ny_model *model, int64_t *outputs) {
    ny_status st = NY_OK;
    if (!json_object_get(meta, "quantiles")) goto done;
    NY_TRY(ny_get_reals(ctx, meta, "quantiles", outputs, &model->quantiles));
    bool good = model->task == NY_TASK_REGRESSION && *outputs > 0;
    for (int64_t j = 0; j < *outputs; j++)
        good = good && model->quantiles[j] > (j ? model->quantiles[j - 1] : 0) && model->quantiles[j] < 1;
    NY_CHECK(ctx, good, NY_ERR_MODEL, "'quantiles' are not those of a regression, ascending between 0 and 1");
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
    NY_TRY(ny_get_texts(ctx, meta, "labels", &model->classes, &model->label));
    NY_TRY(ny_get_whole(ctx, meta, "outputs", &model->f.outputs));
    NY_TRY(read_coding(ctx, meta, &model->coding));
    int64_t outputs = 1;
    NY_TRY(read_quantiles(ctx, meta, model, &outputs));
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
        if (json_object_get(meta, "link")) NY_TRY(ny_get_flag(ctx, meta, "link", &model->link));
    }
    NY_CHECK(ctx, model->f.outputs == outputs, NY_ERR_MODEL, "%lld outputs where %lld are needed",
             (long long)model->f.outputs, (long long)outputs);
done:
    return st;
}

static ny_status read_kernel(ny_ctx *ctx, const json_t *meta, ny_kernel_params *p) {
    const json_t *object;
    ny_status st;
    NY_TRY(ny_get_object(ctx, meta, "kernel", &object));
    const char *name = json_string_value(json_object_get(object, "name"));
    p->kernel = name ? ny_kernel_find(name) : NULL;
    NY_CHECK(ctx, p->kernel, NY_ERR_MODEL, "kernel '%s' is unknown", name ? name : "");
    NY_TRY(ny_get_real(ctx, object, "bandwidth", &p->bandwidth));
    NY_TRY(ny_get_real(ctx, object, "coef0", &p->coef0));
    NY_TRY(ny_get_bounded(ctx, object, "degree", 1000, &p->degree)); /* a kernel may loop over it */
    NY_CHECK(ctx, !p->kernel->has_bandwidth || (isfinite(p->bandwidth) && p->bandwidth > 0), NY_ERR_MODEL,
             "bandwidth %g is not above 0", p->bandwidth);
    NY_CHECK(ctx, isfinite(p->coef0), NY_ERR_MODEL, "'coef0' is not finite");
done:
    return st;
}

/* Plain where it is missing. */
static ny_status read_form(ny_ctx *ctx, const json_t *object, const char *name, ny_form *form) {
    ny_status st = NY_OK;
    char *word = NULL;
    *form = NY_FORM_PLAIN;
    if (!json_object_get(object, name)) return st;
    NY_TRY(ny_get_text(ctx, object, name, &word));
    *form = ny_form_find(word);
    NY_CHECK(ctx, *form < NY_FORMS, NY_ERR_MODEL, "'%s' is no form of numbers that this version knows", word);
done:
    ny_free(word);
    return st;
}

static ny_status read_column(ny_ctx *ctx, const json_t *object, ny_column *column) {
    ny_status st;
    NY_TRY(ny_get_text(ctx, object, "name", &column->name));
    NY_TRY(ny_get_real(ctx, object, "mean", &column->mean));
    NY_CHECK(ctx, isfinite(column->mean), NY_ERR_MODEL, "the mean of column '%s' is not finite", column->name);
    NY_TRY(read_form(ctx, object, "form", &column->form));
    if (!json_object_get(object, "levels")) goto done;
    NY_TRY(ny_get_texts(ctx, object, "levels", &column->levels, &column->level));
    NY_CHECK(ctx, column->levels > 0 && strictly_ascending(column->levels, column->level), NY_ERR_MODEL,
             "the levels of column '%s' are not sorted and distinct", column->name);
done:
    return st;
}

static ny_status read_left_out(ny_ctx *ctx, const json_t *object, ny_schema *schema) {
    ny_status st = NY_OK;
    const json_t *list;
    char *name = NULL;
    if (!json_object_get(object, "left_out")) goto done;
    NY_TRY(ny_get_list(ctx, object, "left_out", &list));
    for (size_t k = 0; k < json_array_size(list); k++) {
        bool asked;
        NY_TRY(ny_get_text(ctx, json_array_get(list, k), "name", &name));
        NY_TRY(ny_get_flag(ctx, json_array_get(list, k), "asked", &asked));
        NY_TRY(ny_schema_leave_out(ctx, schema, name, asked));
        ny_free(name);
        name = NULL;
    }
done:
    ny_free(name);
    return st;
}

/* Where the columns were among all of the training file: ascending, and with room for the inputs of each where inputs
 * were dropped too. */
static ny_status read_places(ny_ctx *ctx, const json_t *object, const json_t *list, ny_schema *schema) {
    ny_status st = NY_OK;
    int64_t position = 0, input = 0;
    if (!json_object_get(object, "all_columns")) goto done;
    NY_TRY(ny_get_bounded(ctx, object, "all_columns", INT32_MAX, &schema->all_columns));
    bool inputs = json_object_get(object, "all_inputs") != NULL;
    if (inputs) NY_TRY(ny_get_bounded(ctx, object, "all_inputs", INT32_MAX, &schema->all_inputs));
    NY_CHECK(ctx, inputs || schema->all_columns == schema->columns + schema->left_out, NY_ERR_MODEL,
             "'all_inputs' is missing: %lld columns and %lld left out are not all %lld", (long long)schema->columns,
             (long long)schema->left_out, (long long)schema->all_columns);
    for (int64_t i = 0; i < schema->columns; i++) {
        ny_column *column = &schema->column[i];
        const json_t *item = json_array_get(list, (size_t)i);
        NY_TRY(ny_get_bounded(ctx, item, "position", INT32_MAX, &column->position));
        column->input = input;
        if (inputs) NY_TRY(ny_get_bounded(ctx, item, "input", INT32_MAX, &column->input));
        NY_CHECK(ctx, column->position >= position && column->input >= input, NY_ERR_MODEL,
                 "column '%s' was not where it is said to have been", column->name);
        position = column->position + 1;
        input = column->input + (column->levels ? column->levels : 1);
    }
    NY_CHECK(ctx,
             !schema->sparse && position <= schema->all_columns &&
                 (!inputs || (input <= schema->all_inputs && schema->inputs < schema->all_inputs)),
             NY_ERR_MODEL, "the columns do not fit among %lld of %lld inputs", (long long)schema->all_columns,
             (long long)schema->all_inputs);
done:
    return st;
}

static ny_status read_schema(ny_ctx *ctx, const json_t *meta, ny_schema *schema) {
    const json_t *object, *list;
    ny_status st;
    NY_TRY(ny_get_object(ctx, meta, "schema", &object));
    NY_TRY(ny_get_whole(ctx, object, "inputs", &schema->inputs));
    NY_TRY(ny_get_flag(ctx, object, "sparse", &schema->sparse));
    NY_TRY(ny_get_flag(ctx, object, "named", &schema->named));
    NY_TRY(ny_get_text(ctx, object, "target", &schema->target));
    NY_TRY(ny_get_text(ctx, object, "weight", &schema->weight));
    NY_TRY(ny_get_list(ctx, object, "columns", &list));
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
    NY_TRY(read_left_out(ctx, object, schema));
    NY_TRY(read_places(ctx, object, list, schema));
    NY_TRY(read_form(ctx, object, "target_form", &schema->target_form));
    if (json_object_get(object, "na")) NY_TRY(ny_get_text(ctx, object, "na", &schema->na));
done:
    return st;
}

/* Options that this version no longer has are passed over; those that it has must be valid. */
static ny_status read_options(ny_ctx *ctx, const json_t *meta, ny_options **options) {
    const json_t *object;
    char *text = NULL;
    const ny_option_row *row;
    ny_status st;
    NY_TRY(ny_get_object(ctx, meta, "options", &object));
    if (!(*options = ny_options_new(ctx))) {
        st = NY_ERR_MEMORY;
        goto done;
    }
    for (int64_t i = 0; (row = ny_options_row(i)); i++) {
        if (!json_object_get(object, row->name)) continue;
        NY_TRY(ny_get_text(ctx, object, row->name, &text));
        st = ny_options_put(ctx, *options, row->name, text);
        if (st == NY_ERR_USAGE) st = NY_ERR_MODEL;
        if (st != NY_OK) goto done;
        ny_free(text);
        text = NULL;
    }
done:
    ny_free(text);
    return st;
}

/* One of the list of machines: its kernel, and how many outputs and points it has. */
static ny_status read_machine(ny_ctx *ctx, const json_t *object, ny_expansion *f) {
    ny_status st;
    NY_TRY(read_kernel(ctx, object, &f->kernel));
    NY_TRY(ny_get_bounded(ctx, object, "outputs", INT32_MAX, &f->outputs));
    NY_TRY(ny_get_bounded(ctx, object, "points", INT32_MAX, &f->Z.n));
    NY_CHECK(ctx, f->outputs > 0 && f->Z.n > 0, NY_ERR_MODEL, "a machine without outputs or without points");
done:
    return st;
}

/* The kernel of the only machine, or the list of machines, which have the model's outputs together. */
static ny_status read_machines(ny_ctx *ctx, const json_t *meta, ny_expansion *f) {
    const json_t *list;
    ny_status st;
    int64_t outputs = f->outputs;
    ny_expansion *at = f;
    if (!json_object_get(meta, "machines")) return read_kernel(ctx, meta, &f->kernel);
    NY_TRY(ny_get_list(ctx, meta, "machines", &list));
    NY_CHECK(ctx, json_array_size(list) >= 2, NY_ERR_MODEL, "'machines' is a list of two or more");
    for (size_t k = 0; k < json_array_size(list); k++) {
        if (k > 0) {
            NY_NEW(ctx, at->next, 1);
            at = at->next;
        }
        NY_TRY(read_machine(ctx, json_array_get(list, k), at));
    }
    NY_CHECK(ctx, ny_expansion_width(f) == outputs, NY_ERR_MODEL, "the machines have %lld outputs, and the model %lld",
             (long long)ny_expansion_width(f), (long long)outputs);
done:
    return st;
}

ny_status ny_meta_read(ny_ctx *ctx, const json_t *meta, ny_model *model, ny_model_layout *layout) {
    const json_t *landmarks;
    ny_status st;
    NY_TRY(read_version(ctx, meta));
    NY_TRY(read_task(ctx, meta, model));
    NY_TRY(read_machines(ctx, meta, &model->f));
    NY_TRY(ny_get_object(ctx, meta, "landmarks", &landmarks));
    NY_TRY(ny_get_whole(ctx, landmarks, "count", &layout->landmarks));
    NY_TRY(ny_get_flag(ctx, landmarks, "sparse", &layout->sparse));
    NY_TRY(read_schema(ctx, meta, &model->schema));
    NY_TRY(read_options(ctx, meta, &model->options));
    NY_TRY(ny_record_read(ctx, meta, model->record));
done:
    return st;
}

/* meta_write.c: a model's meta.json. Keys come in the order written here, so equal models give equal bytes. */
#include <math.h>

#include "model_meta.h"
#include "record_members.h"

/* A string that may be missing is stored as "". */
static json_t *put_text(ny_ctx *ctx, const char *text) {
    return ny_json_bytes(ctx, text ? text : "");
}
json_t *ny_options_json(ny_ctx *ctx, const ny_options *options, json_t *(*text)(ny_ctx *ctx, const char *text)) {
    json_t *object = json_object();
    int bad = !object;
    const ny_option_row *row;
    for (int64_t i = 0; (row = ny_options_row(i)) && !bad; i++)
        bad |= json_object_set_new(object, row->name, text(ctx, ny_options_get(options, row->name)));
    return ny_json_kept(object, bad);
}

static json_t *kernel_json(ny_ctx *ctx, const ny_kernel_params *p) {
    json_t *object = json_object();
    int bad = json_object_set_new(object, "name", ny_json_bytes(ctx, p->kernel->name));
    bad |= json_object_set_new(object, "bandwidth", ny_json_exact(p->bandwidth));
    bad |= json_object_set_new(object, "degree", json_integer(p->degree));
    bad |= json_object_set_new(object, "coef0", ny_json_exact(p->coef0));
    return ny_json_kept(object, bad);
}

static json_t *columns_json(ny_ctx *ctx, const ny_schema *schema) {
    json_t *list = json_array();
    int bad = !list;
    for (int64_t i = 0; i < schema->columns && !bad; i++) {
        const ny_column *column = &schema->column[i];
        json_t *object = json_object();
        bad |= json_object_set_new(object, "name", put_text(ctx, column->name));
        if (column->levels > 0)
            bad |=
                json_object_set_new(object, "levels", ny_json_texts(ctx, column->levels, column->level, ny_json_bytes));
        bad |= json_object_set_new(object, "mean", ny_json_exact(column->mean));
        if (column->form) bad |= json_object_set_new(object, "form", json_string(ny_form_word(column->form)));
        if (schema->all_columns) bad |= json_object_set_new(object, "position", json_integer(column->position));
        if (schema->all_inputs) bad |= json_object_set_new(object, "input", json_integer(column->input));
        bad |= json_array_append_new(list, object);
    }
    return ny_json_kept(list, bad);
}

static json_t *left_out_json(ny_ctx *ctx, const ny_schema *schema) {
    json_t *list = json_array();
    int bad = !list;
    for (int64_t k = 0; k < schema->left_out && !bad; k++) {
        json_t *object = json_object();
        bad |= json_object_set_new(object, "name", put_text(ctx, schema->left[k].name));
        bad |= json_object_set_new(object, "asked", json_boolean(schema->left[k].asked));
        bad |= json_array_append_new(list, object);
    }
    return ny_json_kept(list, bad);
}

static json_t *schema_json(ny_ctx *ctx, const ny_schema *schema) {
    json_t *object = json_object();
    int bad = json_object_set_new(object, "inputs", json_integer(schema->inputs));
    bad |= json_object_set_new(object, "sparse", json_boolean(schema->sparse));
    bad |= json_object_set_new(object, "named", json_boolean(schema->named));
    bad |= json_object_set_new(object, "target", put_text(ctx, schema->target));
    bad |= json_object_set_new(object, "weight", put_text(ctx, schema->weight));
    if (schema->all_columns) bad |= json_object_set_new(object, "all_columns", json_integer(schema->all_columns));
    if (schema->all_inputs) bad |= json_object_set_new(object, "all_inputs", json_integer(schema->all_inputs));
    if (schema->target_form)
        bad |= json_object_set_new(object, "target_form", json_string(ny_form_word(schema->target_form)));
    if (schema->na && *schema->na) bad |= json_object_set_new(object, "na", put_text(ctx, schema->na));
    if (schema->left_out) bad |= json_object_set_new(object, "left_out", left_out_json(ctx, schema));
    bad |= json_object_set_new(object, "columns", columns_json(ctx, schema));
    return ny_json_kept(object, bad);
}

static json_t *record_json(ny_ctx *ctx, const ny_record *r) {
    json_t *object = json_object();
    ny_bound bound = r->bound;
    ny_solver solver = r->solver;
    bound.seconds = solver.seconds = NAN; /* see cost_members */
    int bad = ny_members_add(ctx, NY_JSON_FILE, ny_record_members, r, object);
    if (r->bound.known)
        bad |= json_object_set_new(object, "bound", ny_members_object(ctx, NY_JSON_FILE, ny_bound_members, &bound));
    if (r->comparisons)
        bad |= json_object_set_new(
            object, "criteria",
            NY_MEMBERS_LIST(ctx, NY_JSON_FILE, ny_comparison_members, r->comparisons, r->comparison));
    if (r->levels)
        bad |= json_object_set_new(object, "evidence",
                                   NY_MEMBERS_LIST(ctx, NY_JSON_FILE, ny_inferred_members, r->levels, r->level));
    if (r->solver.known)
        bad |= json_object_set_new(object, "solver", ny_members_object(ctx, NY_JSON_FILE, ny_solver_members, &solver));
    if (r->descent.known) bad |= json_object_set_new(object, "newton", ny_descent_json(ctx, &r->descent));
    if (r->loss.known)
        bad |= json_object_set_new(object, "loss", ny_members_object(ctx, NY_JSON_FILE, ny_measures_members, &r->loss));
    if (r->metric.known)
        bad |=
            json_object_set_new(object, "metric", ny_members_object(ctx, NY_JSON_FILE, ny_weighing_members, &r->metric));
    if (r->columns)
        bad |= json_object_set_new(object, "relevance",
                                   NY_MEMBERS_LIST(ctx, NY_JSON_FILE, ny_judged_members, r->columns, r->column));
    bad |= json_object_set_new(object, "notes", ny_json_texts(ctx, r->notes, r->note, ny_json_bytes));
    bad |=
        json_object_set_new(object, "evaluations",
                            NY_MEMBERS_LIST(ctx, NY_JSON_FILE, ny_evaluation_members, r->evaluations, r->evaluation));
    return ny_json_kept(object, bad);
}

/* The kernel of the one machine, or the list of machines. */
static int add_machines(ny_ctx *ctx, const ny_expansion *f, json_t *object) {
    if (!f->next) return json_object_set_new(object, "kernel", kernel_json(ctx, &f->kernel));
    json_t *list = json_array();
    int bad = !list;
    for (; f && !bad; f = f->next) {
        json_t *machine = json_object();
        bad |= json_object_set_new(machine, "kernel", kernel_json(ctx, &f->kernel));
        bad |= json_object_set_new(machine, "outputs", json_integer(f->outputs));
        bad |= json_object_set_new(machine, "points", json_integer(f->Z.n));
        bad |= json_array_append_new(list, machine);
    }
    return bad | json_object_set_new(object, "machines", ny_json_kept(list, bad));
}

ny_status ny_meta_write(ny_ctx *ctx, const ny_model *model, int64_t landmarks, json_t **meta) {
    json_t *object = json_object();
    json_t *points =
        json_pack("{s:I, s:b}", "count", (json_int_t)landmarks, "sparse", ny_matrix_is_sparse(&model->f.Z));
    int version = model->bend.d > 0 ? NY_MODEL_FORMAT_VERSION
                  : model->f.next   ? NY_MODEL_FORMAT_MACHINES
                                    : NY_MODEL_FORMAT_FIRST;
    json_t *multiclass = model->coding.method ? ny_json_bytes(ctx, model->coding.method->name) : json_null();
    int bad = json_object_set_new(object, "format", json_string(NY_MODEL_FORMAT));
    bad |= json_object_set_new(object, "format_version", json_integer(version));
    bad |= json_object_set_new(object, "nysel_version", json_string(NYSEL_VERSION));
    bad |= json_object_set_new(object, "task", json_string(ny_task_names[model->task]));
    bad |= json_object_set_new(object, "labels", ny_json_texts(ctx, model->classes, model->label, ny_json_bytes));
    bad |= json_object_set_new(object, "multiclass", multiclass);
    bad |= json_object_set_new(object, "decoding", json_string(ny_decoding_names[model->coding.decoding]));
    bad |= json_object_set_new(object, "outputs", json_integer(ny_expansion_width(&model->f)));
    if (model->quantiles)
        bad |=
            json_object_set_new(object, "quantiles", ny_json_numbers(ny_expansion_width(&model->f), model->quantiles));
    if (model->link) bad |= json_object_set_new(object, "link", json_true());
    bad |= add_machines(ctx, &model->f, object);
    bad |= json_object_set_new(object, "landmarks", points);
    bad |= json_object_set_new(object, "schema", schema_json(ctx, &model->schema));
    bad |= json_object_set_new(object, "options", ny_options_json(ctx, model->options, ny_json_bytes));
    bad |= json_object_set_new(object, "record", record_json(ctx, model->record));
    if (bad) {
        json_decref(object);
        return ny_error(ctx, NY_ERR_MEMORY, "out of memory while writing the model's description");
    }
    *meta = object;
    return NY_OK;
}

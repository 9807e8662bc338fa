/* json.c: what was chosen, tried and measured, as JSON. Names and order are a contract (docs/formats.md). */
#include <math.h>

#include "base/mean_limits.h"
#include "baseline.h"
#include "json_parts.h"
#include "model/model_meta.h"
#include "solver/machine.h"

static json_t *data_json(ny_ctx *ctx, const ny_model *model) {
    json_t *object = json_object(), *classes = model->classes > 0 ? json_array() : json_null();
    int bad = 0;
    for (int64_t k = 0; k < model->classes; k++)
        bad |= json_array_append_new(classes, ny_json_text(ctx, model->label[k]));
    bad |= json_object_set_new(object, "rows", json_integer(model->record->rows));
    bad |= json_object_set_new(object, "inputs", json_integer(model->record->inputs));
    bad |= json_object_set_new(object, "task", json_string(ny_task_names[model->task]));
    bad |= json_object_set_new(object, "classes", classes);
    if (!bad) return object;
    json_decref(object);
    return NULL;
}

/* null where there are none. */
static json_t *numbers_json(int64_t n, const double *v) {
    return v ? ny_json_numbers(n, v) : json_null();
}

/* {name, error, better}; null where the file is of an older version. */
static json_t *baseline_json(ny_ctx *ctx, const ny_model *model) {
    const ny_record *r = model->record;
    if (!isfinite(r->baseline_error)) return json_null();
    json_t *object = json_object();
    int bad = json_object_set_new(object, "name", ny_json_text(ctx, ny_baseline_name(model)));
    bad |= json_object_set_new(object, "error", ny_json_number(r->baseline_error));
    bad |= json_object_set_new(object, "better", json_boolean(r->baseline_gain >= NY_GAIN_LEAST));
    if (!bad) return object;
    json_decref(object);
    return NULL;
}

static json_t *criterion_json(ny_ctx *ctx, const ny_model *model) {
    const ny_record *r = model->record;
    json_t *object = json_object();
    int bad = json_object_set_new(object, "name", ny_json_text(ctx, r->criterion ? r->criterion : ""));
    bad |= json_object_set_new(object, "folds", r->folds > 0 ? json_integer(r->folds) : json_null());
    bad |= json_object_set_new(object, "value", ny_json_number(r->value));
    bad |= json_object_set_new(object, "error", ny_json_number(r->error));
    bad |= json_object_set_new(object, "stderr", ny_json_number(r->std_error));
    bad |= json_object_set_new(object, "error_lower", ny_json_number(r->error_lower));
    bad |= json_object_set_new(object, "error_upper", ny_json_number(r->error_upper));
    bad |= json_object_set_new(object, "plain_error", ny_json_number(r->plain_error));
    bad |= json_object_set_new(object, "baseline", baseline_json(ctx, model));
    bad |= json_object_set_new(object, "r2", ny_json_number(ny_expected_r2(model)));
    if (!bad) return object;
    json_decref(object);
    return NULL;
}

static json_t *evaluations_json(const ny_record *r) {
    json_t *list = json_array();
    int bad = !list;
    for (int64_t i = 0; i < r->evaluations && !bad; i++) {
        const ny_evaluation *e = &r->evaluation[i];
        json_t *object = json_object();
        bad |= json_object_set_new(object, "kernel", json_string(e->kernel->name));
        bad |= json_object_set_new(object, "bandwidth",
                                   e->kernel->has_bandwidth ? ny_json_number(e->bandwidth) : json_null());
        bad |= json_object_set_new(object, "C", ny_json_number(e->C));
        bad |= json_object_set_new(object, "value", ny_json_number(e->value));
        bad |= json_object_set_new(object, "error", ny_json_number(e->error));
        bad |= json_object_set_new(object, "rows", json_integer(e->rows));
        bad |= json_object_set_new(object, "landmarks", json_integer(e->landmarks));
        bad |= json_object_set_new(object, "rank", e->rank ? json_integer(e->rank) : json_null());
        bad |= json_array_append_new(list, object);
    }
    if (!bad) return list;
    json_decref(list);
    return NULL;
}

static json_t *report_maybe(double v) {
    return ny_json_number(v);
}
static json_t *report_flag(bool v) {
    return json_boolean(v);
}
static json_t *report_whole(int64_t v) {
    return json_integer(v);
}

/* null where no bound was asked for, or it could not be had. */
static json_t *bound_json(const ny_bound *b) {
    if (!b->known) return json_null();
    json_t *object = json_object();
    int bad = !object;
#define X(type, field) bad |= json_object_set_new(object, #field, report_##type(b->field));
    NY_BOUND_LIST(X)
#undef X
    if (!bad) return object;
    json_decref(object);
    return NULL;
}

/* null where the model is the low-rank machine in closed form. */
/* Models of older versions do not know it. */
static json_t *route_json(ny_ctx *ctx, const ny_record *r) {
    if (!r->route || !r->why) return json_null();
    json_t *object = json_object();
    int bad = json_object_set_new(object, "name", ny_json_text(ctx, r->route));
    bad |= json_object_set_new(object, "why", ny_json_text(ctx, r->why));
    if (!bad) return object;
    json_decref(object);
    return NULL;
}

static json_t *solver_json(const ny_record *r) {
    const ny_solver *s = &r->solver;
    if (r->descent.known) return ny_descent_json(&r->descent);
    if (!s->known) return json_null();
    json_t *object = json_object();
    int bad = json_object_set_new(object, "name", json_string("cg"));
#define X(type, field) bad |= json_object_set_new(object, #field, report_##type(s->field));
    NY_SOLVER_LIST(X)
#undef X
    if (!bad) return object;
    json_decref(object);
    return NULL;
}

/* The loss of the machine, and its measures where it is not squared; null where the file is of another version. */
static json_t *loss_json(const ny_model *model) {
    const ny_measures *m = &model->record->loss;
    const ny_machine *machine = ny_machine_find(model->options->machine);
    if (!machine || (!m->known && !ny_machine_squared(machine))) return json_null();
    json_t *object = json_object();
    int bad = json_object_set_new(object, "name", json_string(machine->loss->name));
    if (!m->known) goto done;
    bad |= json_object_set_new(object, "width", ny_json_number(m->width));
    if (machine->loss == &ny_loss_insensitive) bad |= json_object_set_new(object, "epsilon", ny_json_number(m->level));
    if (machine->loss == &ny_loss_huber) bad |= json_object_set_new(object, "delta", ny_json_number(m->level));
    if (model->quantiles) {
        bad |= json_object_set_new(object, "quantiles", ny_json_numbers(model->f.outputs, model->quantiles));
        bad |= json_object_set_new(object, "crossed", ny_json_number(m->crossed));
    }
    bad |= json_object_set_new(object, "noise", ny_json_number(m->noise));
done:
    if (!bad) return object;
    json_decref(object);
    return NULL;
}

/* null where no relevance was asked for. */
static json_t *inputs_json(ny_ctx *ctx, const ny_record *r) {
    if (!r->columns) return json_null();
    json_t *list = json_array();
    int bad = !list;
    for (int64_t c = 0; c < r->columns && !bad; c++) {
        const ny_judged *column = &r->column[c];
        bad |= json_array_append_new(list,
                                     json_pack("{s:o, s:o, s:b}", "name", ny_json_text(ctx, column->name), "relevance",
                                               ny_json_number(column->relevance), "kept", column->kept));
    }
    if (!bad) return list;
    json_decref(list);
    return NULL;
}

static json_t *seconds_json(const ny_record *r) {
    json_t *object = json_object();
    int bad = json_object_set_new(object, "read", ny_json_number(r->seconds_read));
    bad |= json_object_set_new(object, "scale", ny_json_number(r->seconds_scale));
    bad |= json_object_set_new(object, "landmarks", ny_json_number(r->seconds_landmarks));
    bad |= json_object_set_new(object, "select", ny_json_number(r->seconds_select));
    bad |= json_object_set_new(object, "train", ny_json_number(r->seconds_train));
    bad |= json_object_set_new(object, "total", ny_json_number(r->seconds_total));
    if (!bad) return object;
    json_decref(object);
    return NULL;
}

static json_t *notes_json(ny_ctx *ctx, const ny_record *r) {
    json_t *list = json_array();
    int bad = !list;
    for (int64_t i = 0; i < r->notes && !bad; i++) bad |= json_array_append_new(list, ny_json_text(ctx, r->note[i]));
    if (!bad) return list;
    json_decref(list);
    return NULL;
}

int ny_json_head(ny_ctx *ctx, const ny_model *model, const char *command, json_t *object) {
    int bad = json_object_set_new(object, "version", json_string(NYSEL_VERSION));
    bad |= json_object_set_new(object, "command", json_string(command));
    bad |= json_object_set_new(object, "options", ny_options_json(ctx, model->options, ny_json_text));
    bad |= json_object_set_new(object, "data", data_json(ctx, model));
    return bad;
}

int ny_json_kernel(ny_ctx *ctx, const ny_model *model, json_t *object) {
    const ny_record *r = model->record;
    const ny_kernel *kernel = model->f.kernel.kernel;
    json_t *width = kernel->has_bandwidth ? ny_json_number(model->f.kernel.bandwidth) : json_null();
    json_t *gamma = kernel->gamma_libsvm ? ny_json_number(kernel->gamma_libsvm(&model->f.kernel)) : json_null();
    int bad = json_object_set_new(object, "landmarks", json_integer(r->landmarks));
    bad |= json_object_set_new(object, "rank", json_integer(r->rank));
    bad |= json_object_set_new(object, "kernel_kept", ny_json_number(r->kernel_kept));
    bad |= json_object_set_new(object, "exact", json_boolean(r->exact));
    bad |= json_object_set_new(object, "kernel", ny_json_text(ctx, kernel->name));
    bad |= json_object_set_new(object, "bandwidth", width);
    bad |= json_object_set_new(object, "gamma_libsvm", gamma);
    return bad;
}

static int add_chosen(ny_ctx *ctx, const ny_model *model, json_t *object) {
    const ny_record *r = model->record;
    int bad = json_object_set_new(
        object, "C", model->f.outputs == 1 ? ny_json_number(model->C[0]) : numbers_json(model->f.outputs, model->C));
    bad |= json_object_set_new(object, "criterion", criterion_json(ctx, model));
    bad |= json_object_set_new(object, "evaluations", evaluations_json(r));
    if (r->comparisons) bad |= json_object_set_new(object, "criteria", ny_comparisons_json(r));
    bad |= json_object_set_new(object, "bound", bound_json(&r->bound));
    bad |= json_object_set_new(object, "posterior", json_boolean(model->posterior.r > 0));
    bad |= json_object_set_new(object, "noise_sd",
                               ny_json_number(model->error_size ? sqrt(model->posterior.noise[0]) : NAN));
    bad |= json_object_set_new(object, "frequencies", numbers_json(model->classes, model->frequency));
    bad |= json_object_set_new(object, "prior", numbers_json(model->classes, model->prior));
    bad |= json_object_set_new(object, "route", route_json(ctx, r));
    bad |= json_object_set_new(object, "solver", solver_json(r));
    bad |= json_object_set_new(object, "loss", loss_json(model));
    bad |= json_object_set_new(object, "inputs", inputs_json(ctx, r));
    return bad;
}

int ny_json_measured(ny_ctx *ctx, const ny_record *r, json_t *object) {
    int bad = json_object_set_new(object, "seconds", seconds_json(r));
    bad |= json_object_set_new(object, "peak_bytes", r->peak_bytes ? json_integer(r->peak_bytes) : json_null());
    bad |= json_object_set_new(object, "predicted_bytes", json_integer(r->predicted_bytes));
    bad |= json_object_set_new(object, "predicted_seconds", ny_json_number(r->predicted_seconds));
    bad |= json_object_set_new(object, "seed", json_integer((json_int_t)r->seed));
    bad |= json_object_set_new(object, "threads", json_integer(r->threads));
    bad |= json_object_set_new(object, "stopped", json_boolean(r->stopped));
    bad |= json_object_set_new(object, "notes", notes_json(ctx, r));
    return bad;
}

ny_status ny_model_json(ny_ctx *ctx, const ny_model *model, char **json) {
    NY_NEEDS(ctx, ctx && model && json, "a context, a model and a place for the text");
    json_t *object = json_object();
    int bad = ny_json_head(ctx, model, "train", object);
    bad |= ny_json_kernel(ctx, model, object);
    bad |= add_chosen(ctx, model, object);
    bad |= ny_json_measured(ctx, model->record, object);
    ny_status st =
        bad ? ny_error(ctx, NY_ERR_MEMORY, "out of memory while writing JSON") : ny_json_dump(ctx, object, json, NULL);
    json_decref(object);
    return st;
}

/* json.c: what was chosen, tried and measured, as JSON. Names and order are a contract (docs/formats.md). */
#include <math.h>

#include "base/mean_limits.h"
#include "json_parts.h"
#include "lines.h"
#include "model/model_meta.h"
#include "model/record_members.h"
#include "solver/machine.h"

static json_t *data_json(ny_ctx *ctx, const ny_model *model) {
    json_t *object = json_object(), *classes = json_null();
    if (model->classes > 0) classes = ny_json_texts(ctx, model->classes, model->label, ny_json_text);
    int bad = json_object_set_new(object, "rows", json_integer(model->record->rows));
    bad |= json_object_set_new(object, "inputs", json_integer(model->record->inputs));
    bad |= json_object_set_new(object, "task", json_string(ny_task_names[model->task]));
    bad |= json_object_set_new(object, "classes", classes);
    return ny_json_kept(object, bad);
}

/* null where there are none. */
static json_t *numbers_json(int64_t n, const double *v) {
    return v ? ny_json_numbers(n, v) : json_null();
}

json_t *ny_baseline_json(ny_ctx *ctx, const char *name, double error, double gain) {
    json_t *object = json_object();
    int bad = json_object_set_new(object, "name", ny_json_text(ctx, name));
    bad |= json_object_set_new(object, "error", ny_json_number(error));
    bad |= json_object_set_new(object, "better", json_boolean(gain >= NY_GAIN_LEAST));
    return ny_json_kept(object, bad);
}

static const ny_member criterion_members[] = {
    NY_MEMBER_AS(ny_record, text, criterion, "name"),
    NY_MEMBER(ny_record, count, folds),
    NY_MEMBER_IN(ny_record, real, expected, value),
    NY_MEMBER_IN(ny_record, real, expected, error),
    NY_MEMBER_AS(ny_record, real, expected.std_error, "stderr"),
    NY_MEMBER_IN(ny_record, maybe, expected, error_lower),
    NY_MEMBER_IN(ny_record, maybe, expected, error_upper),
    NY_MEMBER_IN(ny_record, maybe, expected, plain_error),
    {0},
};

/* Level 2 of the evidence: numbers, or a list of each where there are several outputs. */
static json_t *evidence_json(const ny_record *r) {
    if (!r->levels) return json_null();
    json_t *object = json_object();
    int bad = 0;
    for (const ny_member *m = ny_inferred_members; m->name; m++) {
        json_t *list = r->levels > 1 ? json_array() : NULL;
        int missing = 0;
        for (int64_t j = 0; j < r->levels; j++) {
            json_t *value = ny_json_number(*(const double *)((const char *)&r->level[j] + m->at));
            if (r->levels > 1) missing |= json_array_append_new(list, value);
            else bad |= json_object_set_new(object, m->name, value);
        }
        if (r->levels > 1) bad |= json_object_set_new(object, m->name, ny_json_kept(list, missing));
    }
    return ny_json_kept(object, bad);
}

static json_t *criterion_json(ny_ctx *ctx, const ny_model *model) {
    const ny_expected *e = &model->record->expected;
    json_t *object = json_object();
    json_t *baseline = !isfinite(e->baseline_error)
                           ? json_null() /* of an older version */
                           : ny_baseline_json(ctx, ny_baseline_name(model), e->baseline_error, e->baseline_gain);
    int bad = ny_members_add(ctx, NY_JSON_REPORT, criterion_members, model->record, object);
    bad |= json_object_set_new(object, "baseline", baseline);
    bad |= json_object_set_new(object, "r2", ny_json_number(ny_expected_r2(model)));
    bad |= json_object_set_new(object, "evidence", evidence_json(model->record));
    return ny_json_kept(object, bad);
}

/* A kernel without a bandwidth has none to tell. */
static json_t *evaluations_json(ny_ctx *ctx, const ny_record *r) {
    json_t *list = NY_MEMBERS_LIST(ctx, NY_JSON_REPORT, ny_evaluation_members, r->evaluations, r->evaluation);
    int bad = !list;
    for (int64_t i = 0; i < r->evaluations && !bad; i++)
        if (!r->evaluation[i].kernel->has_bandwidth)
            bad |= json_object_set_new(json_array_get(list, (size_t)i), "bandwidth", json_null());
    return ny_json_kept(list, bad);
}

/* Models of older versions do not know it. */
static json_t *route_json(ny_ctx *ctx, const ny_record *r) {
    static const ny_member route_members[] = {
        NY_MEMBER_AS(ny_record, phrase, origin.route, "name"), NY_MEMBER_IN(ny_record, phrase, origin, why), {0}};
    return r->origin.route && r->origin.why ? ny_members_object(ctx, NY_JSON_REPORT, route_members, r) : json_null();
}

/* null where the model is the low-rank machine in closed form. */
static json_t *solver_json(ny_ctx *ctx, const ny_record *r) {
    if (r->descent.known) return ny_descent_json(ctx, &r->descent);
    if (!r->solver.known) return json_null();
    json_t *object = json_object();
    int bad = json_object_set_new(object, "name", json_string("cg"));
    bad |= ny_members_add(ctx, NY_JSON_REPORT, ny_solver_members, &r->solver, object);
    return ny_json_kept(object, bad);
}

/* Which bias the outputs have, and its penalty where it is penalised; null where the file is of another version. */
static json_t *bias_json(const ny_model *model) {
    const ny_machine *machine = ny_machine_find(model->options->machine);
    if (!machine) return json_null();
    double rho = ny_machine_rho(machine, model->options);
    json_t *object = json_object();
    int bad = json_object_set_new(object, "kind",
                                  json_string(rho == 0        ? "free"
                                              : isfinite(rho) ? "penalised"
                                                              : "none"));
    bad |= json_object_set_new(object, "penalty", ny_json_number(rho > 0 ? rho : NAN));
    return ny_json_kept(object, bad);
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
    const ny_loss_level *level = &machine->loss->level;
    if (level->asked) bad |= json_object_set_new(object, level->option, ny_json_number(m->level));
    if (model->quantiles) {
        bad |= json_object_set_new(object, "quantiles", ny_json_numbers(ny_model_outputs(model), model->quantiles));
        bad |= json_object_set_new(object, "crossed", ny_json_number(m->crossed));
    }
    bad |= json_object_set_new(object, "noise", ny_json_number(m->noise));
done:
    return ny_json_kept(object, bad);
}

/* How the inputs were scaled, and how many of them are bent; null where the file is of another version. */
static json_t *scale_json(ny_ctx *ctx, const ny_model *model) {
    const ny_origin *o = &model->record->origin;
    if (!o->scale) return json_null();
    json_t *object = json_object();
    int bad = json_object_set_new(object, "name", ny_json_text(ctx, o->scale));
    bad |= json_object_set_new(object, "bent", json_integer(ny_bend_count(&model->bend)));
    bad |= json_object_set_new(object, "rank_error", ny_json_number(o->rank_error));
    return ny_json_kept(object, bad);
}

static const ny_member seconds_members[] = {
    NY_MEMBER_AS(ny_record, maybe, spent.seconds_read, "read"),
    NY_MEMBER_AS(ny_record, maybe, spent.seconds_scale, "scale"),
    NY_MEMBER_AS(ny_record, maybe, spent.seconds_landmarks, "landmarks"),
    NY_MEMBER_AS(ny_record, maybe, spent.seconds_select, "select"),
    NY_MEMBER_AS(ny_record, maybe, spent.seconds_train, "train"),
    NY_MEMBER_AS(ny_record, maybe, spent.seconds_total, "total"),
    {0},
};

static const ny_member measured_members[] = {
    NY_MEMBER_IN(ny_record, count, spent, peak_bytes),
    NY_MEMBER_IN(ny_record, whole, spent, predicted_bytes),
    NY_MEMBER_IN(ny_record, maybe, spent, predicted_seconds),
    NY_MEMBER(ny_record, bits, seed),
    NY_MEMBER(ny_record, small, threads),
    NY_MEMBER(ny_record, flag, stopped),
    {0},
};

static const ny_member rank_members[] = {
    NY_MEMBER_IN(ny_record, whole, origin, landmarks),
    NY_MEMBER_IN(ny_record, whole, origin, rank),
    NY_MEMBER_IN(ny_record, maybe, origin, kernel_kept),
    NY_MEMBER_IN(ny_record, flag, origin, exact),
    {0},
};

int ny_json_head(ny_ctx *ctx, const ny_model *model, const char *command, json_t *object) {
    int bad = json_object_set_new(object, "version", json_string(NYSEL_VERSION));
    bad |= json_object_set_new(object, "command", json_string(command));
    bad |= json_object_set_new(object, "options", ny_options_json(ctx, model->options, ny_json_text));
    bad |= json_object_set_new(object, "data", data_json(ctx, model));
    return bad;
}

/* What there is to tell of an expansion. */
static json_t *name_of(ny_ctx *ctx, const ny_expansion *f) {
    return ny_json_text(ctx, f->kernel.kernel->name);
}

static json_t *width_of(ny_ctx *ctx, const ny_expansion *f) {
    (void)ctx;
    return f->kernel.kernel->has_bandwidth ? ny_json_number(f->kernel.bandwidth) : json_null();
}

static json_t *gamma_of(ny_ctx *ctx, const ny_expansion *f) {
    (void)ctx;
    const ny_kernel *kernel = f->kernel.kernel;
    return kernel->gamma_libsvm ? ny_json_number(kernel->gamma_libsvm(&f->kernel)) : json_null();
}

static json_t *points_of(ny_ctx *ctx, const ny_expansion *f) {
    (void)ctx;
    return json_integer(f->Z.n);
}

/* Of the only expansion, or a list of what the machine of each output has. */
static int add_each(ny_ctx *ctx, const ny_expansion *f, const char *name,
                    json_t *(*tell)(ny_ctx *ctx, const ny_expansion *f), json_t *object) {
    if (!f->next) return json_object_set_new(object, name, tell(ctx, f));
    json_t *list = json_array();
    int bad = !list;
    for (; f && !bad; f = f->next)
        for (int64_t j = 0; j < f->outputs; j++) bad |= json_array_append_new(list, tell(ctx, f));
    return json_object_set_new(object, name, ny_json_kept(list, bad));
}

int ny_json_kernel(ny_ctx *ctx, const ny_model *model, json_t *object) {
    int bad = ny_members_add(ctx, NY_JSON_REPORT, rank_members, model->record, object);
    if (model->f.next) bad |= add_each(ctx, &model->f, "landmarks", points_of, object); /* in place of the largest */
    bad |= add_each(ctx, &model->f, "kernel", name_of, object);
    bad |= add_each(ctx, &model->f, "bandwidth", width_of, object);
    bad |= add_each(ctx, &model->f, "gamma_libsvm", gamma_of, object);
    return bad;
}

static int add_chosen(ny_ctx *ctx, const ny_model *model, json_t *object) {
    const ny_record *r = model->record;
    int64_t outputs = ny_model_outputs(model);
    int bad =
        json_object_set_new(object, "C", outputs == 1 ? ny_json_number(model->C[0]) : numbers_json(outputs, model->C));
    bad |= json_object_set_new(object, "bias", bias_json(model));
    bad |= json_object_set_new(object, "criterion", criterion_json(ctx, model));
    bad |= json_object_set_new(object, "evaluations", evaluations_json(ctx, r));
    if (r->comparisons)
        bad |= json_object_set_new(
            object, "criteria",
            NY_MEMBERS_LIST(ctx, NY_JSON_REPORT, ny_comparison_members, r->comparisons, r->comparison));
    bad |= json_object_set_new(
        object, "bound",
        r->bound.known ? ny_members_object(ctx, NY_JSON_REPORT, ny_bound_members, &r->bound) : json_null());
    bad |= json_object_set_new(object, "posterior", json_boolean(model->posterior.r > 0));
    bad |= json_object_set_new(object, "noise_sd",
                               ny_json_number(model->error_size ? sqrt(model->posterior.noise[0]) : NAN));
    bad |= json_object_set_new(object, "frequencies", numbers_json(model->classes, model->frequency));
    bad |= json_object_set_new(object, "prior", numbers_json(model->classes, model->prior));
    bad |= json_object_set_new(object, "route", route_json(ctx, r));
    bad |= json_object_set_new(object, "solver", solver_json(ctx, r));
    bad |= json_object_set_new(object, "loss", loss_json(model));
    bad |= json_object_set_new(
        object, "metric",
        r->metric.known ? ny_members_object(ctx, NY_JSON_REPORT, ny_weighing_members, &r->metric) : json_null());
    bad |= json_object_set_new(
        object, "inputs",
        r->columns ? NY_MEMBERS_LIST(ctx, NY_JSON_REPORT, ny_judged_members, r->columns, r->column) : json_null());
    bad |= json_object_set_new(object, "scale", scale_json(ctx, model));
    return bad;
}

int ny_json_measured(ny_ctx *ctx, const ny_record *r, json_t *object) {
    int bad = json_object_set_new(object, "seconds", ny_members_object(ctx, NY_JSON_REPORT, seconds_members, r));
    bad |= ny_members_add(ctx, NY_JSON_REPORT, measured_members, r, object);
    bad |= json_object_set_new(object, "notes", ny_json_texts(ctx, r->notes, r->note, ny_json_text));
    return bad;
}

ny_status ny_model_json(ny_ctx *ctx, const ny_model *model, char **json) {
    NY_NEEDS(ctx, ctx && model && json, "a context, a model and a place for the text");
    json_t *object = json_object();
    int bad = ny_json_head(ctx, model, "train", object);
    bad |= ny_json_kernel(ctx, model, object);
    bad |= add_chosen(ctx, model, object);
    bad |= ny_json_measured(ctx, model->record, object);
    return ny_json_finish(ctx, object, bad, json);
}

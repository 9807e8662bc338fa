/* prepare_task.c: what is asked, from the options and the target: see prepare.h. */
#include <string.h>

#include "facts.h"
#include "losses.h"
#include "prepare.h"

/* Whether the machine's posterior is to be kept: for intervals, and for probabilities that are made from it. */
static ny_status wish_for_posterior(ny_ctx *ctx, const ny_data *data, ny_setup *setup) {
    ny_status st = NY_OK;
    const ny_options *o = setup->options;
    bool needed = setup->classes && o->proba_method == NY_PROBA_POSTERIOR;
    bool yes = needed || o->posterior == NY_KEEP_YES;
    const char *without =
        ny_setup_iterates(setup) ? "machines and criteria that go by Newton's method (use --machine lssvm "
                                   "with loo, cv, gcv or evidence)"
        : ny_setup_apart(setup)  ? "machines that share nothing (use --machines-share yes)"
        : ny_setup_pairs(setup)  ? "one-vs-one outputs (use --multiclass ova)"
        : o->expansion == NY_EXPANSION_TRAINING ? "--expansion training (use landmarks)"
        : setup->criterion->one_sided           ? "--criterion holdout, which leaves most rows in (use loo or cv)"
        : data->stream ? "rows in passes (--stream no or a larger --memory keeps them in memory)"
                       : NULL;
    NY_CHECK(ctx, !yes || !without, NY_ERR_USAGE, "%s: there is no posterior for %s",
             needed ? "--proba-method posterior" : "--posterior yes", without);
    NY_CHECK(ctx, !needed || o->posterior != NY_KEEP_NO, NY_ERR_USAGE,
             "--proba-method posterior needs the posterior: leave out --posterior no");
    NY_CHECK(ctx, !needed || setup->coding.decoding != NY_DECODING_HAMMING, NY_ERR_USAGE,
             "--proba-method posterior decides by probabilities, not by --decoding hamming: use auto or loss");
    if (yes) setup->posterior = NY_POSTERIOR_YES;
    else if (o->posterior == NY_KEEP_AUTO && !setup->classes && !without) setup->posterior = NY_POSTERIOR_SMALL;
done:
    return st;
}

static ny_status check_exact(ny_ctx *ctx, const ny_options *o, const ny_setup *setup) {
    ny_status st = NY_OK;
    NY_CHECK(
        ctx, !setup->criterion->one_sided, NY_ERR_USAGE,
        "--solver cg leaves rows out one by one, and --criterion holdout only a fixed set: use --solver direct, or "
        "--criterion loo");
    NY_CHECK(ctx, !ny_setup_pairs(setup) || ny_setup_apart(setup), NY_ERR_USAGE,
             "--solver cg trains every output on every row, and one-vs-one outputs have rows of their own: use "
             "--multiclass ova or --machines-share no");
    NY_CHECK(ctx, o->expansion != NY_EXPANSION_TRAINING, NY_ERR_USAGE,
             "--solver cg and --expansion training are two ways to a machine on every row: use one of them");
    NY_CHECK(
        ctx, !o->bound, NY_ERR_USAGE,
        "--bound is about the low-rank machine, and --solver cg replaces it by the exact one: use --solver direct");
done:
    return st;
}

static bool is_flat(const ny_loss *loss, const char *what) {
    return (void)what, loss->flat;
}

/* Rows without a slope are what --expansion active leaves out. */
static ny_status check_active(ny_ctx *ctx, const ny_options *o, const ny_setup *setup) {
    ny_status st = NY_OK;
    char flat[NY_NAMES_TEXT];
    NY_CHECK(ctx, setup->machine->loss->flat, NY_ERR_USAGE,
             "--expansion active leaves out rows that cost nothing (%s), and every row of %s costs "
             "something: use --expansion %slandmarks",
             ny_machines_with(is_flat, NULL, flat), o->machine,
             ny_machine_squared(setup->machine) ? "training or " : "");
done:
    return st;
}

/* What rests on the closed form of squared losses. */
static ny_status check_newton(ny_ctx *ctx, const ny_data *data, const ny_options *o, const ny_setup *setup) {
    ny_status st = NY_OK;
    bool by_machine = !ny_machine_squared(setup->machine);
    const char *option = ny_options_exact(o)                     ? "--solver cg"
                         : o->expansion == NY_EXPANSION_TRAINING ? "--expansion training"
                         : o->bound                              ? "--bound"
                         : data->stream                          ? "reading the rows in passes"
                                                                 : NULL;
    NY_CHECK(ctx, !option, NY_ERR_USAGE, "%s is for squared losses in closed form, not for --%s %s: use --%s", option,
             by_machine ? "machine" : "criterion", by_machine ? o->machine : setup->criterion->name,
             data->stream ? "stream no or a larger --memory"
             : by_machine ? "machine lssvm or krr"
                          : "criterion cv");
done:
    return st;
}

/* The criterion, which must know machines of this loss. */
static ny_status choose_criterion(ny_ctx *ctx, const ny_options *o, ny_setup *setup) {
    ny_status st = NY_OK;
    const ny_criterion *named = ny_criterion_asked(o, setup->machine->loss);
    NY_CHECK(ctx, !named->only || named->only == setup->machine->loss, NY_ERR_USAGE,
             "--criterion %s is for --machine l2svm, and this is %s: use loo or cv", o->criterion, o->machine);
    setup->criterion = named;
    NY_CHECK(ctx, ny_criterion_kind_for(named, setup->machine->loss) != NY_NO_KIND, NY_ERR_USAGE,
             "--criterion %s is for machines of squared loss: use newton, loo, cv or bif with --machine %s",
             o->criterion, o->machine);
done:
    return st;
}

/* For classes, or (what is NULL) numbers, and for nothing else. */
static bool is_for(const ny_loss *loss, const char *what) {
    return loss != &ny_loss_squared && loss->classes == (what != NULL);
}

/* Leaves folds out to first order, and knows the low-rank or the exact machine, not the one between them. */
static bool first_order(const ny_criterion *criterion) {
    return criterion == &ny_criterion_bif || criterion == &ny_criterion_fbif;
}

/* What needs all rows at once is refused, with what to use instead, or is replaced and mentioned. */
static ny_status prepare_passes(ny_ctx *ctx, const ny_options *o, ny_setup *setup, ny_record *record) {
    ny_status st = NY_OK;
    const char *what = ny_setup_apart(setup)                   ? "--machines-share no (use yes)"
                       : ny_setup_pairs(setup)                 ? "--multiclass ovo (use ova or moc)"
                       : o->expansion == NY_EXPANSION_TRAINING ? "--expansion training (use landmarks)"
                       : ny_options_exact(o)                   ? "--solver cg (use direct)"
                       : !ny_options_by_loss(o)                ? "--select-on error (use mse)"
                       : o->landmarks.number == NY_ALL         ? "--landmarks all (give a number)"
                       : setup->criterion->one_sided           ? "--criterion holdout (use cv)"
                       : o->rank == NY_AUTO                    ? "--rank auto (give a number)"
                       : o->bound                              ? "--bound"
                                                               : NULL;
    NY_CHECK(ctx, !what, NY_ERR_USAGE,
             "%s needs all rows in memory, but they are read in passes; --stream no or a larger --memory keeps them",
             what);
    if (!setup->criterion->closed->moments) {
        NY_TRY(ny_record_note(ctx, record, "read in passes: cross-validation in place of --criterion %s",
                              setup->criterion->name));
        setup->criterion = &ny_criterion_cv;
    }
    NY_CHECK(ctx, !o->compare_criteria, NY_ERR_USAGE,
             "--compare-criteria needs all rows in memory: raise --memory, or use a sample of the rows");
done:
    return st;
}

/* What the model has of it. */
static ny_status begin_model(ny_ctx *ctx, const ny_data *data, const ny_setup *setup, ny_model *model) {
    ny_status st = NY_OK;
    model->task = setup->task;
    model->classes = setup->classes;
    model->coding = setup->coding;
    model->f.outputs = setup->outputs;
    NY_TRY(ny_schema_copy(ctx, &data->schema, &model->schema));
    if (setup->classes) NY_NEW(ctx, model->label, setup->classes);
    for (int64_t k = 0; k < setup->classes; k++)
        if (!(model->label[k] = ny_strdup(ctx, data->label[k]))) NY_FAIL(ctx, NY_ERR_MEMORY, "out of memory");
done:
    return st;
}

/* The kernels to choose from. Separable ones give each input a meaning of its own: they are compared where the inputs
 * are columns of a table, and elsewhere by name only. There their sums, which no matrix product gives, would cost more
 * than all the rest. */
static int64_t kernels_for(const ny_options *o, const ny_data *data, const ny_kernel **kernels) {
    int64_t count = ny_kernel_candidates(o->kernel, NY_KERNELS_MAX, kernels), kept = 0;
    bool table = ny_data_is_table(data) && o->effort != NY_EFFORT_FAST;
    for (int64_t k = 0; k < count; k++) {
        bool separable = kernels[k]->base == NY_BASE_ABS || kernels[k]->base == NY_BASE_ABS15;
        if (count == 1 || table || !separable) kernels[kept++] = kernels[k];
    }
    return kept;
}

/* What the machine, the target, the coding and the criterion cannot have together. */
static ny_status check_task(ny_ctx *ctx, const ny_data *data, const ny_setup *setup) {
    ny_status st = NY_OK;
    char others[NY_NAMES_TEXT];
    const ny_options *o = setup->options;
    NY_CHECK(ctx, ny_machine_squared(setup->machine) || setup->machine->loss->classes == (setup->classes > 0),
             NY_ERR_USAGE,
             "--machine %s is for %s, and the target holds %s: use %s or lssvm, or --task to say otherwise", o->machine,
             setup->classes ? "numbers" : "classes", setup->classes ? "classes" : "numbers",
             ny_machines_with(is_for, setup->classes ? "classes" : NULL, others));
    NY_CHECK(ctx, setup->classes != 1, NY_ERR_DATA, "every row has the same class, '%s': there is nothing to learn",
             data->label[0]);
    NY_CHECK(ctx, o->expansion != NY_EXPANSION_TRAINING || !ny_setup_pairs(setup) || ny_setup_apart(setup),
             NY_ERR_USAGE,
             "--expansion training keeps every row in every output, and one-vs-one outputs have rows of their own: use "
             "--multiclass ova or --machines-share no");
    NY_CHECK(
        ctx, o->expansion != NY_EXPANSION_TRAINING || !first_order(setup->criterion), NY_ERR_USAGE,
        "--expansion training is judged by loo, gcv or cv, not by --criterion %s: use one of these, or --expansion "
        "landmarks",
        setup->criterion->name);
    NY_CHECK(ctx, o->expansion != NY_EXPANSION_TRAINING || !ny_setup_validates(setup), NY_ERR_USAGE,
             "--expansion training is judged by rows that it learns from in the end: use --validation with a share of "
             "the rows, or --expansion landmarks");
    NY_CHECK(ctx, !ny_criterion_true_kernel(setup->criterion) || !ny_setup_pairs(setup), NY_ERR_USAGE,
             "--criterion %s judges exact machines of all rows, and one-vs-one outputs have rows of their own: use "
             "--multiclass ova, or --criterion bif",
             setup->criterion->name);
    NY_CHECK(
        ctx, !ny_criterion_true_kernel(setup->criterion) || o->bias != NY_BIAS_PENALISED, NY_ERR_USAGE,
        "--criterion %s judges exact machines whose bias is free, or that have none: leave out --bias penalised, or "
        "use --criterion bif",
        setup->criterion->name);
    NY_CHECK(
        ctx, !ny_setup_apart(setup) || !setup->criterion->one_sided, NY_ERR_USAGE,
        "--machines-share no gives each machine rows of its own, and --criterion holdout has one validation set for "
        "all: use --criterion cv or loo, or --machines-share yes");
    NY_CHECK(
        ctx, !o->compare_criteria || !setup->criterion->one_sided, NY_ERR_USAGE,
        "--compare-criteria compares criteria that hold every row out, and --criterion holdout does not: leave one "
        "of them out");
    NY_CHECK(ctx, o->rank != NY_AUTO || !setup->criterion->value || setup->criterion->value->nats, NY_ERR_USAGE,
             "--rank auto goes by standard errors, and --criterion %s has none: use span", setup->criterion->name);
done:
    return st;
}

ny_status ny_prepare_task(ny_ctx *ctx, const ny_data *data, ny_training *t, ny_model *model) {
    ny_status st = NY_OK;
    const ny_options *o = model->options;
    ny_setup *setup = &t->setup;
    NY_CHECK(ctx, data->has_target, NY_ERR_DATA, "%s: no target column to learn", data->source ? data->source : "data");
    NY_CHECK(ctx, data->rows >= 2, NY_ERR_DATA, "%lld row%s: at least 2 are needed to select anything",
             (long long)data->rows, data->rows == 1 ? "" : "s");
    NY_TRY(ny_data_task(ctx, data, o->task, &setup->task));
    if (o->task == NY_TASK_NONE && setup->task == NY_TASK_REGRESSION && ny_data_may_be_classes(data))
        NY_TRY(
            ny_record_note(ctx, model->record,
                           "the target's %lld different whole numbers are taken for numbers: --task multiclass takes "
                           "them for classes",
                           (long long)data->labels));
    setup->options = o;
    t->rows.target_unit = 1;
    setup->seed = (uint64_t)o->seed;
    setup->bandwidth = o->bandwidth;
    setup->C = o->C;
    setup->unit = 1;
    setup->kernel = (ny_kernel_params){NULL, 1, o->coef0, o->degree, o->block_rows};
    setup->kernels = kernels_for(o, data, setup->candidate);
    setup->machine = ny_machine_find(o->machine);
    setup->rho = ny_machine_rho(setup->machine, o);
    NY_TRY(choose_criterion(ctx, o, setup));
    setup->method = ny_landmark_find(o->landmark_method);
    setup->coding.method = ny_multiclass_find(o->multiclass);
    setup->coding.decoding = o->decoding;
    setup->classes = setup->task == NY_TASK_REGRESSION ? 0 : data->labels;
    NY_TRY(check_task(ctx, data, setup));
    ny_facts facts = ny_facts_of(o);
    facts.classes = setup->classes;
    NY_TRY(ny_facts_judge(ctx, NY_BY_DATA, &facts, model->record));
    setup->outputs = setup->classes ? ny_codes_outputs(setup->coding.method, setup->classes) : 1;
    if (setup->machine->loss->quantiles)
        NY_TRY(ny_quantiles_parse(ctx, o->quantiles, &setup->outputs, &model->quantiles));
    NY_CHECK(ctx, !o->bound || !ny_setup_pairs(setup), NY_ERR_USAGE,
             "--bound is for outputs that learn from all rows, not for pairs of classes: use --multiclass ova");
    if (o->expansion == NY_EXPANSION_ACTIVE) NY_TRY(check_active(ctx, o, setup));
    if (ny_options_exact(o)) NY_TRY(check_exact(ctx, o, setup));
    if (ny_setup_iterates(setup)) NY_TRY(check_newton(ctx, data, o, setup));
    NY_NEW_RAW(ctx, t->rows.class_rows, setup->classes ? setup->classes : 1);
    t->rows.class_rows[0] = data->rows;
    if (setup->classes)
        memcpy(t->rows.class_rows, data->label_rows, (size_t)setup->classes * sizeof *t->rows.class_rows);
    if (data->stream) NY_TRY(prepare_passes(ctx, o, setup, model->record));
    NY_TRY(wish_for_posterior(ctx, data, setup));
    NY_TRY(begin_model(ctx, data, setup, model));
done:
    return st;
}

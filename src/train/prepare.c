/* prepare.c: see prepare.h. */
#include "prepare.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/order.h"
#include "data/copies.h"
#include "data/folds.h"
#include "data/labels.h"
#include "facts.h"
#include "losses.h"
#include "scale/scale.h"
#include "search/search.h"

/* Whether the machine's posterior is to be kept: for intervals, and for probabilities that are made from it. */
static ny_status wish_for_posterior(ny_ctx *ctx, const ny_data *data, ny_selection *sel) {
    ny_status st = NY_OK;
    const ny_options *o = sel->options;
    bool needed = sel->classes && o->proba_method == NY_PROBA_POSTERIOR;
    bool yes = needed || o->posterior == NY_KEEP_YES;
    const char *without = ny_iterates(sel) ? "machines and criteria that go by Newton's method (use --machine lssvm "
                                             "with loo, cv, gcv or evidence)"
                          : ny_is_pairs(sel->coding.method, sel->classes) ? "one-vs-one outputs (use --multiclass ova)"
                          : o->expansion == NY_EXPANSION_TRAINING         ? "--expansion training (use landmarks)"
                          : data->stream ? "rows in passes (--stream no or a larger --memory keeps them in memory)"
                                         : NULL;
    NY_CHECK(ctx, !yes || !without, NY_ERR_USAGE, "%s: there is no posterior for %s",
             needed ? "--proba-method posterior" : "--posterior yes", without);
    NY_CHECK(ctx, !needed || o->posterior != NY_KEEP_NO, NY_ERR_USAGE,
             "--proba-method posterior needs the posterior: leave out --posterior no");
    NY_CHECK(ctx, !needed || sel->coding.decoding != NY_DECODING_HAMMING, NY_ERR_USAGE,
             "--proba-method posterior decides by probabilities, not by --decoding hamming: use auto or loss");
    if (yes) sel->posterior = NY_POSTERIOR_YES;
    else if (o->posterior == NY_KEEP_AUTO && !sel->classes && !without) sel->posterior = NY_POSTERIOR_SMALL;
done:
    return st;
}

static ny_status check_exact(ny_ctx *ctx, const ny_options *o, const ny_selection *sel) {
    ny_status st = NY_OK;
    NY_CHECK(ctx, !ny_is_pairs(sel->coding.method, sel->classes), NY_ERR_USAGE,
             "--solver cg trains every output on every row, and one-vs-one outputs have rows of their own: use "
             "--multiclass ova");
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
static ny_status check_active(ny_ctx *ctx, const ny_options *o, const ny_selection *sel) {
    ny_status st = NY_OK;
    char flat[NY_NAMES_TEXT];
    NY_CHECK(ctx, sel->machine->loss->flat, NY_ERR_USAGE,
             "--expansion active leaves out rows that cost nothing (%s), and every row of %s costs "
             "something: use --expansion %slandmarks",
             ny_machines_with(is_flat, NULL, flat), o->machine, ny_machine_squared(sel->machine) ? "training or " : "");
done:
    return st;
}

/* What rests on the closed form of squared losses. */
static ny_status check_newton(ny_ctx *ctx, const ny_data *data, const ny_options *o, const ny_selection *sel) {
    ny_status st = NY_OK;
    bool by_machine = !ny_machine_squared(sel->machine);
    const char *option = ny_options_exact(o)                     ? "--solver cg"
                         : o->expansion == NY_EXPANSION_TRAINING ? "--expansion training"
                         : o->bound                              ? "--bound"
                         : data->stream                          ? "reading the rows in passes"
                                                                 : NULL;
    NY_CHECK(ctx, !option, NY_ERR_USAGE, "%s is for squared losses in closed form, not for --%s %s: use --%s", option,
             by_machine ? "machine" : "criterion", by_machine ? o->machine : sel->criterion->name,
             data->stream ? "stream no or a larger --memory"
             : by_machine ? "machine lssvm or krr"
                          : "criterion cv");
done:
    return st;
}

/* The criterion, which must know machines of this loss. */
static ny_status choose_criterion(ny_ctx *ctx, const ny_options *o, ny_selection *sel) {
    ny_status st = NY_OK;
    const ny_criterion *named = ny_criterion_asked(o, sel->machine->loss);
    NY_CHECK(ctx, !named->only || named->only == sel->machine->loss, NY_ERR_USAGE,
             "--criterion %s is for --machine l2svm, and this is %s: use loo or cv", o->criterion, o->machine);
    sel->criterion = named;
    NY_CHECK(ctx, ny_criterion_kind_for(named, sel->machine->loss) != NY_NO_KIND, NY_ERR_USAGE,
             "--criterion %s is for machines of squared loss: use newton, loo, cv or bif with --machine %s",
             o->criterion, o->machine);
done:
    return st;
}

/* For classes, or (what is NULL) numbers, and for nothing else. */
static bool is_for(const ny_loss *loss, const char *what) {
    return loss != &ny_loss_squared && loss->classes == (what != NULL);
}

ny_status ny_prepare_task(ny_ctx *ctx, const ny_data *data, ny_selection *sel, ny_model *model) {
    ny_status st = NY_OK;
    char others[NY_NAMES_TEXT];
    const ny_options *o = model->options;
    NY_CHECK(ctx, data->has_target, NY_ERR_DATA, "%s: no target column to learn", data->source ? data->source : "data");
    NY_CHECK(ctx, data->rows >= 2, NY_ERR_DATA, "%lld row%s: at least 2 are needed to select anything",
             (long long)data->rows, data->rows == 1 ? "" : "s");
    NY_TRY(ny_data_task(ctx, data, o->task, &sel->task));
    sel->options = o;
    sel->target_unit = 1;
    sel->seed = (uint64_t)o->seed;
    sel->bandwidth = o->bandwidth;
    sel->rank = o->rank == NY_AUTO ? 0 : o->rank; /* auto: ranks.c finds it after the search */
    sel->kernel = (ny_kernel_params){NULL, 1, o->coef0, o->degree, o->block_rows};
    sel->kernels = ny_kernel_candidates(o->kernel, NY_KERNELS_MAX, sel->candidate);
    sel->machine = ny_machine_find(o->machine);
    NY_TRY(choose_criterion(ctx, o, sel));
    NY_CHECK(ctx, o->rank != NY_AUTO || !sel->criterion->value || sel->criterion->value->nats, NY_ERR_USAGE,
             "--rank auto goes by standard errors, and --criterion %s has none: use span", sel->criterion->name);
    sel->method = ny_landmark_find(o->landmark_method);
    sel->coding.method = ny_multiclass_find(o->multiclass);
    sel->coding.decoding = o->decoding;
    sel->classes = sel->task == NY_TASK_REGRESSION ? 0 : data->labels;
    NY_CHECK(ctx, ny_machine_squared(sel->machine) || sel->machine->loss->classes == (sel->classes > 0), NY_ERR_USAGE,
             "--machine %s is for %s, and the target holds %s: use %s or lssvm, or --task to say otherwise", o->machine,
             sel->classes ? "numbers" : "classes", sel->classes ? "classes" : "numbers",
             ny_machines_with(is_for, sel->classes ? "classes" : NULL, others));
    NY_CHECK(ctx, sel->classes != 1, NY_ERR_DATA, "every row has the same class, '%s': there is nothing to learn",
             data->label[0]);
    NY_CHECK(ctx, o->expansion != NY_EXPANSION_TRAINING || !ny_is_pairs(sel->coding.method, sel->classes), NY_ERR_USAGE,
             "--expansion training keeps every row in every output, and one-vs-one outputs have rows of their own: use "
             "--multiclass ova");
    ny_facts facts = ny_facts_of(o);
    facts.classes = sel->classes;
    NY_TRY(ny_facts_judge(ctx, NY_BY_DATA, &facts, model->record));
    sel->outputs = sel->classes ? ny_codes_outputs(sel->coding.method, sel->classes) : 1;
    if (sel->machine->loss->quantiles) NY_TRY(ny_quantiles_parse(ctx, o->quantiles, &sel->outputs, &model->quantiles));
    NY_CHECK(ctx, !o->bound || !ny_is_pairs(sel->coding.method, sel->classes), NY_ERR_USAGE,
             "--bound is for outputs that learn from all rows, not for pairs of classes: use --multiclass ova");
    if (o->expansion == NY_EXPANSION_ACTIVE) NY_TRY(check_active(ctx, o, sel));
    if (ny_options_exact(o)) NY_TRY(check_exact(ctx, o, sel));
    if (ny_iterates(sel)) NY_TRY(check_newton(ctx, data, o, sel));
    NY_NEW_RAW(ctx, sel->class_rows, sel->classes ? sel->classes : 1);
    sel->class_rows[0] = data->rows;
    if (sel->classes) memcpy(sel->class_rows, data->label_rows, (size_t)sel->classes * sizeof *sel->class_rows);
    if (data->stream) NY_TRY(ny_check_passes(ctx, o, sel));
    if (data->stream && !sel->criterion->closed->moments) {
        NY_TRY(ny_record_note(ctx, model->record, "read in passes: cross-validation in place of --criterion %s",
                              sel->criterion->name));
        sel->criterion = &ny_criterion_cv;
    }
    NY_CHECK(ctx, !o->compare_criteria || !data->stream, NY_ERR_USAGE,
             "--compare-criteria needs all rows in memory: raise --memory, or use a sample of the rows");
    NY_TRY(wish_for_posterior(ctx, data, sel));
    model->task = sel->task;
    model->classes = sel->classes;
    model->coding = sel->coding;
    model->f.outputs = sel->outputs;
    NY_TRY(ny_schema_copy(ctx, &data->schema, &model->schema));
    if (sel->classes) NY_NEW(ctx, model->label, sel->classes);
    for (int64_t k = 0; k < sel->classes; k++)
        if (!(model->label[k] = ny_strdup(ctx, data->label[k]))) NY_FAIL(ctx, NY_ERR_MEMORY, "out of memory");
done:
    return st;
}

ny_status ny_class_weights(ny_ctx *ctx, const ny_data *data, const char *text, int64_t classes, double *w) {
    ny_status st = NY_OK;
    const int64_t *size = data->label_rows;
    for (int64_t k = 0; k < classes; k++) w[k] = 1;
    if (strcmp(text, "none") == 0) return NY_OK;
    if (strcmp(text, "balanced") == 0) {
        for (int64_t k = 0; k < classes; k++) w[k] = (double)data->rows / (double)(classes * size[k]);
        goto done;
    }
    NY_TRY(ny_label_values(ctx, "class-weight", "none, balanced or LABEL=W,...", text, classes, data->label, w));
    for (int64_t k = 0; k < classes; k++)
        if (isnan(w[k])) w[k] = 1;
done:
    return st;
}

/* Folds of rows of which equal ones stay together: those of the distinct rows, handed on. */
static ny_status copied_folds(ny_ctx *ctx, const ny_data *data, const ny_selection *sel, int64_t distinct,
                              int32_t *fold) {
    ny_status st = NY_OK;
    const int64_t *copy = sel->copy_of;
    int64_t *number = NULL, at = 0; /* of each row among the distinct ones */
    int64_t *of_group = NULL;       /* the same of each group, and 1 */
    int32_t *code = NULL, *own = NULL;
    NY_NEW_RAW(ctx, number, data->rows);
    NY_NEW(ctx, of_group, sel->copies);
    NY_NEW_RAW(ctx, code, distinct);
    NY_NEW_RAW(ctx, own, distinct);
    for (int64_t i = 0; i < data->rows; i++) {
        bool first = copy[i] < 0 || of_group[copy[i]] == 0;
        if (first && sel->classes) code[at] = data->code[i];
        number[i] = first ? at++ : of_group[copy[i]] - 1;
        if (copy[i] >= 0) of_group[copy[i]] = number[i] + 1;
    }
    NY_TRY(ny_folds_make(ctx, distinct, sel->classes ? code : NULL, sel->classes, sel->folds, sel->seed, own));
    for (int64_t i = 0; i < data->rows; i++) fold[i] = own[number[i]];
done:
    ny_free(number);
    ny_free(of_group);
    ny_free(code);
    ny_free(own);
    return st;
}

ny_status ny_prepare_folds(ny_ctx *ctx, const ny_data *data, ny_selection *sel, ny_model *model, int32_t *fold) {
    ny_status st = NY_OK;
    const ny_options *o = model->options;
    int64_t n = data->rows - sel->all.repeats;
    if (o->fold_file[0]) {
        NY_TRY(ny_folds_read(ctx, o->fold_file, data->rows, fold, &sel->folds));
        NY_CHECK(ctx, sel->folds >= 2, NY_ERR_DATA, "%s: at least two different folds are needed", o->fold_file);
    } else {
        sel->folds = o->folds < n ? o->folds : n;
        if (sel->folds < o->folds)
            NY_TRY(ny_record_note(ctx, model->record,
                                  "%lld folds asked for but only %lld rows: every row is its own fold",
                                  (long long)o->folds, (long long)n));
        if (fold && sel->copy_of) NY_TRY(copied_folds(ctx, data, sel, n, fold));
        else if (fold)
            NY_TRY(ny_folds_make(ctx, n, sel->classes ? data->code : NULL, sel->classes, sel->folds, sel->seed, fold));
    }
    model->record->folds = sel->folds;
done:
    return st;
}

ny_status ny_check_kept(ny_ctx *ctx, const ny_data *data, const ny_selection *sel) {
    ny_status st = NY_OK;
    const ny_rows *all = &sel->all;
    bool same = sel->classes > 0;
    for (int64_t i = 1; same && i < all->n; i++) same = all->code[i] == all->code[0];
    NY_CHECK(ctx, !same, NY_ERR_DATA,
             "every row with a weight above 0 has the same class, '%s': there is nothing to learn",
             data->label[all->code[0]]);
    NY_CHECK(ctx, !all->fold || all->fold[0] != all->fold[all->n - 1], NY_ERR_DATA, /* they ascend */
             "every row with a weight above 0 is in the same fold: at least two folds are needed");
done:
    return st;
}

/* 1, or a power of two close to the largest target where the squares of targets, and sums of these, come near the ends
 * of the range of numbers. Other losses than the squared one have none, and C in units of theirs; --bound compares
 * outputs of the model with those of the machine. */
double ny_target_unit(const ny_selection *sel, double largest) {
    const double FAR = 1e100;
    bool far = largest > 0 && isfinite(largest) && (largest > FAR || largest < 1 / FAR);
    return far && !sel->classes && ny_machine_squared(sel->machine) && !sel->options->bound ? exp2(floor(log2(largest)))
                                                                                            : 1;
}

static void measure_targets(ny_selection *sel) {
    ny_rows *all = &sel->all;
    double largest = 0;
    for (int64_t i = 0; i < all->n; i++) largest = fmax(largest, fabs(all->Y[i]));
    sel->target_unit = ny_target_unit(sel, largest);
    for (int64_t i = 0; i < all->n * sel->outputs; i++) all->Y[i] /= sel->target_unit;
}

/* Targets far from 0 would lose digits in the moments. Their mean is taken off, or for machines that outlying targets
 * must not move, their median. */
static ny_status centre_targets(ny_selection *sel) {
    ny_status st = NY_OK;
    ny_rows *all = &sel->all;
    ny_weighed *target = NULL;
    double sum = 0, weight = 0;
    for (int64_t i = 0; i < all->n; i++) {
        double v = all->u[i] * all->u[i];
        sum += v * all->Y[i];
        weight += v;
    }
    double middle = sum / weight;
    if (!ny_machine_squared(sel->machine)) {
        NY_NEW_RAW(sel->ctx, target, all->n);
        for (int64_t i = 0; i < all->n; i++) target[i] = (ny_weighed){all->Y[i], all->u[i] * all->u[i]};
        middle = ny_order_share(target, all->n, 0.5);
    }
    for (int64_t i = 0; i < all->n * sel->outputs; i++) all->Y[i] -= middle;
    sel->origin = middle * sel->target_unit;
done:
    ny_free(target);
    return st;
}

/* What becomes of equal rows. */
static const char *how_held(const ny_selection *sel) {
    if (sel->criterion->folds && sel->options->fold_file[0]) return "--fold-file says what is held out together";
    if (sel->criterion == &ny_criterion_gcv) return "gcv counts each of them, and its error is too small: use loo";
    if (sel->criterion->value) return "the criterion counts each of them, the expected error holds them out together";
    return "they are held out together";
}

/* Rows that are there more than once, of the sel->n of positive weight. */
static ny_status find_copies(ny_ctx *ctx, const ny_data *data, const int64_t *rows, ny_selection *sel,
                             ny_record *record) {
    ny_status st = NY_OK;
    int64_t *found = NULL;
    NY_NEW_RAW(ctx, found, sel->n);
    NY_TRY(ny_copies_find(ctx, &data->X, rows, sel->n, found, &sel->copies, &sel->all.repeats));
    if (sel->copies == 0) goto done;
    NY_NEW_RAW(ctx, sel->copy_of, data->rows);
    for (int64_t i = 0; i < data->rows; i++) sel->copy_of[i] = -1;
    for (int64_t k = 0; k < sel->n; k++) sel->copy_of[rows[k]] = found[k];
    NY_TRY(ny_record_note(ctx, record, "%lld rows are copies of others (%lld are distinct): %s",
                          (long long)sel->all.repeats, (long long)(sel->n - sel->all.repeats), how_held(sel)));
done:
    ny_free(found);
    return st;
}

ny_status ny_prepare_rows(ny_ctx *ctx, const ny_data *data, ny_selection *sel, ny_model *model, int64_t **out) {
    ny_status st = NY_OK;
    int64_t n = data->X.n, *rows = NULL;
    double *weight = NULL, *v = NULL;
    int32_t *fold = NULL;
    ny_rows *all = &sel->all;
    NY_NEW_RAW(ctx, weight, sel->classes + 1);
    NY_NEW_RAW(ctx, v, n);
    NY_NEW_RAW(ctx, rows, n);
    NY_TRY(ny_class_weights(ctx, data, model->options->class_weight, sel->classes, weight));
    for (int64_t i = 0; i < n; i++)
        v[i] = (data->weight ? data->weight[i] : 1) * (sel->classes ? weight[data->code[i]] : 1);
    NY_TRY(ny_folds_order(ctx, n, v, NULL, 0, rows, &sel->n));
    NY_TRY(find_copies(ctx, data, rows, sel, model->record));
    int64_t repeats = all->repeats;
    if (sel->criterion->folds) {
        NY_NEW_RAW(ctx, fold, n);
        NY_TRY(ny_prepare_folds(ctx, data, sel, model, fold));
    }
    NY_TRY(ny_folds_order(ctx, n, v, fold, sel->folds, rows, &sel->n));
    NY_CHECK(ctx, sel->n >= 2, NY_ERR_DATA, "only %lld of %lld rows have a weight above 0: at least 2 are needed",
             (long long)sel->n, (long long)n);
    NY_TRY(ny_rows_new(sel, sel->n, all));
    all->repeats = repeats;
    if (sel->copy_of) NY_NEW_RAW(ctx, all->copy, all->n);
    for (int64_t i = 0; i < all->n; i++) {
        int64_t from = rows[i];
        all->id[i] = from;
        if (all->copy) all->copy[i] = sel->copy_of[from];
        all->u[i] = sqrt(v[from]);
        all->weighted |= v[from] != 1;
        if (fold) all->fold[i] = fold[from];
        if (sel->classes) all->code[i] = data->code[from];
        for (int64_t j = 0; j < sel->outputs && !sel->classes; j++) all->Y[i + j * all->n] = data->y[from];
    }
    if (sel->classes) ny_codes_matrix(sel->coding.method, sel->classes, all->n, all->code, all->Y);
    else measure_targets(sel);
    if (!sel->classes && sel->machine->bias) NY_TRY(centre_targets(sel));
    NY_TRY(ny_check_kept(ctx, data, sel));
    *out = rows;
    rows = NULL;
done:
    ny_free(weight);
    ny_free(v);
    ny_free(fold);
    ny_free(rows);
    return st;
}

ny_status ny_finish_scale(ny_ctx *ctx, const ny_schema *schema, int64_t constant, ny_model *model) {
    ny_status st = NY_OK;
    int64_t inputs = schema->inputs, at = 0;
    NY_CHECK(ctx, constant < inputs, NY_ERR_DATA, "every input has one value only: there is nothing to learn from");
    if (constant)
        NY_TRY(ny_record_note(ctx, model->record, "%lld of %lld inputs have one value only and are ignored",
                              (long long)constant, (long long)inputs));
    for (int64_t c = 0; c < schema->columns && ny_scale_find(model->options->scale) == &ny_scale_standard; c++) {
        int64_t levels = schema->column[c].levels;
        if (levels) ny_scale_together(levels, model->factor + at);
        at += levels ? levels : 1;
    }
done:
    return st;
}

ny_status ny_prepare_inputs(ny_ctx *ctx, const ny_data *data, const int64_t *rows, ny_selection *sel, ny_model *model) {
    ny_status st = NY_OK;
    int64_t constant;
    NY_NEW(ctx, model->shift, data->X.d);
    NY_NEW(ctx, model->factor, data->X.d);
    NY_NEW(ctx, model->range, 2 * data->X.d);
    NY_TRY(ny_scale_fit(ctx, ny_scale_find(model->options->scale), &data->X, rows, sel->all.n, model->shift,
                        model->factor, model->range, &constant));
    NY_TRY(ny_finish_scale(ctx, &data->schema, constant, model));
    NY_TRY(ny_matrix_gather(ctx, &data->X, rows, sel->all.n, &sel->all.X));
    ny_scale_apply(model->shift, model->factor, &sel->all.X);
done:
    return st;
}

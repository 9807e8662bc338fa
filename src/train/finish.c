/* finish.c: see finish.h. */
#include "finish.h"

#include <math.h>

#include "base/threads.h"
#include "confidence.h"
#include "outliers.h"
#include "search/calibrate.h"
#include "search/fit.h"
#include "search/pace.h"
#include "search/search.h"

/* C times what the kernel matrix has outside of the factor, as a trace: below it the machine is the exact one to about
 * this share of its training errors. */
static const double UNSEEN = 1e-3;
/* After a stop, where there is no time to look for C: what other programs have if nothing is said. */
static const double PLAIN_C = 1;

ny_status ny_finish_early(ny_ctx *ctx, ny_record *record) {
    if (ctx->stopped) return NY_OK;
    ny_stop_take(ctx);
    return ny_record_note(ctx, record, "the search was stopped early: this is the best found until then");
}

/* A stop, before or on the way, leaves the sample to tell the error. */
static ny_status hold_out(ny_selection *sel, ny_record *record) {
    ny_status st = sel->ctx->stopped ? NY_STOPPED : ny_hold_out(sel, true, &sel->found.best);
    if (st != NY_STOPPED) return st;
    NY_TRY(ny_finish_early(sel->ctx, record));
    ny_free(sel->found.best.held);
    sel->found.best.held = NULL;
    NY_TRY(ny_hold_out(sel, false, &sel->found.best));
done:
    return st;
}

/* The C of the kernel's best machine so far, where every C costs a training; 0: none yet. */
static double last_C(const ny_selection *sel, const ny_kernel *kernel) {
    double mean = 0;
    for (int64_t c = 0; c < sel->setup->kernels; c++) {
        if (sel->setup->candidate[c] != kernel || !sel->cache.hint[c].C || sel->setup->C.single > 0) continue;
        for (int64_t j = 0; j < sel->setup->outputs; j++)
            mean += log2(sel->cache.hint[c].C[j]) / (double)sel->setup->outputs;
        return exp2(mean);
    }
    return 0;
}

/* Nothing was found before the stop: a few small machines tell where the last one is to be. */
static ny_status look_around(ny_selection *sel, ny_point *point) {
    enum { PLACES = 5, ROWS = 1000, LANDMARKS = 50 };
    ny_status st = NY_OK;
    int64_t landmarks = sel->plan.landmarks < LANDMARKS ? sel->plan.landmarks : LANDMARKS;
    const ny_range *range = &sel->setup->bandwidth;
    bool free = range->is_auto && point->kernel->has_bandwidth;
    double lo, hi, guess = range->single > 0 ? log2(range->single) : (range->lo + range->hi) / 2;
    if (free) NY_TRY(ny_bandwidth_range(sel, point->kernel, &lo, &hi, &guess));
    ny_point place[PLACES];
    int64_t rows = sel->rows->all.n < ROWS ? sel->rows->all.n : ROWS, best = 0;
    int64_t count = ny_pace_places(sel, rows, landmarks, free ? PLACES : 1);
    for (int64_t k = 0; k < count; k++)
        place[k] = (ny_point){point->kernel, exp2(guess + (double)(k - count / 2)), 0, 0};
    if (ny_setup_stand_in_helps(sel->setup)) sel->now = ny_setup_stand_in(sel->setup);
    ny_stop_grace(sel->ctx, ny_pace_patience(sel, -1));
    st = ny_evaluate(sel, rows, landmarks, count, place);
    bool seen = st != NY_STOPPED;
    for (int64_t k = 1; k < count && seen; k++)
        if (place[k].value < place[best].value) best = k;
    if (!seen && sel->ctx->stopped) st = NY_OK, best = count / 2; /* it takes too long: the middle, unseen */
    NY_TRY(st);
    *point = place[best];
    ny_solution_clear(&sel->found.best);
done:
    sel->now = *sel->setup;
    ny_stop_grace(sel->ctx, INFINITY);
    return st;
}

/* A sample of so many rows becomes all that there is to learn from. */
static ny_status set_aside(ny_training *t, ny_selection *sel, int64_t count) {
    ny_status st = NY_OK;
    ny_training_rows *rows = &t->rows;
    ny_rows sample = {0};
    if (count >= rows->all.n || sel->passes) return NY_OK;
    NY_TRY(ny_rows_draw(sel->ctx, sel->setup, rows, count, &sample));
    rows->set_aside = rows->n - sample.n;
    rows->n = sample.n;
    ny_rows_clear(&rows->all);
    rows->all = sample;
    ny_rows_clear(&sel->cache.subset);
    sel->cache.subset_asked = sel->cache.common_rows = 0;
    ny_contenders_clear(&sel->found.tried); /* their losses are those of other rows */
    ny_solution_clear(&sel->found.best);
done:
    return st;
}

/* After a stop: at most m landmarks, of all rows if there is time. No signal stops it any more; one that takes longer
 * than was foreseen gives way to a smaller one, and the smallest takes what it takes. */
static ny_status last_machine(ny_training *t, ny_selection *sel, int64_t m, ny_point *point) {
    enum { TRIES = 3 };
    ny_status st = NY_OK;
    int64_t rows = sel->rows->all.n;
    bool smaller = true;
    bool costs = ny_setup_iterates(sel->setup) || sel->setup->criterion->folds || ny_setup_pairs(sel->setup);
    if (costs) point->C = last_C(sel, point->kernel);
    for (int tries = 0; smaller && (tries == 0 || st == NY_STOPPED); tries++) {
        smaller = ny_pace_last(sel, tries, &rows, &m) && tries < TRIES;
        bool hurry = tries > 0 || (costs && !smaller);
        if (hurry && !(point->C > 0) && sel->setup->C.is_auto) point->C = PLAIN_C;
        NY_TRY(set_aside(t, sel, rows));
        ny_stop_grace(sel->ctx, smaller ? ny_pace_patience(sel, tries) : INFINITY);
        st = ny_evaluate(sel, sel->rows->all.n, m, 1, point);
    }
done:
    ny_stop_grace(sel->ctx, INFINITY);
    return st;
}

ny_status ny_finish_best(ny_training *t, ny_selection *sel, ny_record *record) {
    ny_status st = NY_OK;
    const bool early = sel->ctx->stopped;
    if (sel->found.best.valid && sel->found.best.rows == sel->rows->n)
        return sel->passes ? hold_out(sel, record) : NY_OK;
    if (sel->found.best.valid && sel->found.best.rows == sel->rows->all.n)
        return NY_OK; /* of the sample: a pass would take too long */
    int64_t m = sel->found.best.valid       ? sel->found.best.landmarks
                : sel->plan.landmarks < 100 ? sel->plan.landmarks
                                            : 100;
    bool time = sel->ctx->deadline > 0 && !atomic_load(&sel->ctx->cancelled); /* what is left of it may be used */
    ny_point point = {sel->found.best.valid ? sel->found.best.f.kernel.kernel : sel->setup->candidate[0],
                      sel->found.best.f.kernel.bandwidth, 0, 0};
    if (!sel->found.best.valid) NY_TRY(look_around(sel, &point));
    if (early && time && !ny_setup_iterates(sel->setup)) m = sel->plan.landmarks;
    if (!early) { /* the exact machine that was to come after did not */
        m = sel->plan.landmarks_alone;
        st = ny_evaluate(sel, sel->rows->all.n, m, 1, &point);
    }
    if (st == NY_STOPPED) NY_TRY(ny_finish_early(sel->ctx, record));
    if (sel->ctx->stopped) NY_TRY(last_machine(t, sel, m, &point));
    NY_TRY(st);
    if (sel->found.best.fold_beta) NY_TRY(hold_out(sel, record)); /* a small file, all of it in the sample */
done:
    return st;
}

ny_status ny_finish_alone(ny_selection *sel, ny_record *record) {
    ny_point point = ny_solution_point(&sel->found.best);
    ny_kernel_params kernel = ny_point_kernel(sel->setup, &point);
    if (sel->found.best.asked >= sel->plan.landmarks_alone ||
        ny_spans(&kernel, sel->rows->all.X.d, sel->found.best.asked))
        return NY_OK;
    ny_solution fewer = ny_solution_take(&sel->found.best);
    ny_status st = ny_evaluate(sel, sel->rows->n, sel->plan.landmarks_alone, 1, &point);
    bool better = st == NY_OK && sel->found.best.valid && sel->found.best.value <= fewer.value;
    if (better) sel->plan.landmarks = sel->plan.landmarks_alone;
    ny_solution_clear(better ? &fewer : &sel->found.best);
    if (!better) sel->found.best = fewer; /* at a C that is given more landmarks may follow the noise */
    return st == NY_STOPPED ? ny_finish_early(sel->ctx, record) : st; /* the smaller one will do */
}

static double most_C(const ny_selection *sel) {
    double most = 0;
    for (int64_t j = 0; j < sel->setup->outputs; j++) most = fmax(most, sel->found.best.C[j]);
    return most;
}

bool ny_finish_exact(const ny_selection *sel, const ny_record *record) {
    bool all = sel->found.best.asked >= sel->rows->n && !ny_selection_cuts(sel);
    return record->solver.known || (all && most_C(sel) * sel->found.best.low.missing <= UNSEEN);
}

/* What the user should know of the result. */
static ny_status add_notes(const ny_data *data, const ny_selection *sel, ny_record *r) {
    ny_status st = NY_OK;
    const ny_solution *best = &sel->found.best;
    if (r->descent.known && r->descent.gap > 1e-6 && !sel->ctx->stopped)
        NY_TRY(ny_record_note(sel->ctx, r,
                              "Newton's method ended at a duality gap of %.2g of the objective: is C too large?",
                              r->descent.gap));
    if (sel->found.bandwidth_edge)
        NY_TRY(ny_record_note(sel->ctx, r, "the best bandwidth is the %s of --bandwidth %s: widen the range",
                              sel->found.bandwidth_edge < 0 ? "lowest" : "highest",
                              ny_options_get(sel->setup->options, "bandwidth")));
    if (best->C_edge)
        NY_TRY(ny_record_note(sel->ctx, r, "a best C is the %s of --C %s: widen the range",
                              best->C_edge < 0 ? "lowest" : "highest", ny_options_get(sel->setup->options, "C")));
    if (best->asked >= sel->rows->n && !ny_selection_cuts(sel) && !r->origin.exact)
        NY_TRY(ny_record_note(
            sel->ctx, r,
            "not quite the exact machine: rank %lld of %lld rows leaves out %.2g of the kernel, which "
            "C = %.3g makes count (a smaller --rank-tol or --C)",
            (long long)best->rank, (long long)sel->rows->n, best->low.missing / (double)sel->rows->n, most_C(sel)));
    NY_TRY(ny_outliers_note(sel, r));
    for (int64_t k = 0; k < data->schema.left_out; k++)
        if (!data->schema.left[k].asked)
            NY_TRY(ny_record_note(sel->ctx, r, "column \"%s\" names the rows (an identifier) and was left out",
                                  data->schema.left[k].name));
    if (data->dropped)
        NY_TRY(ny_record_note(sel->ctx, r, "%lld rows with missing values were dropped", (long long)data->dropped));
    if (data->rows > r->rows)
        NY_TRY(ny_record_note(sel->ctx, r, "%lld rows of weight 0 were left out", (long long)(data->rows - r->rows)));
    if (best->rows < r->rows)
        NY_TRY(ny_record_note(sel->ctx, r, "trained on a sample of %lld rows only", (long long)best->rows));
done:
    return st;
}

static ny_status fill_record(ny_ctx *ctx, const ny_data *data, ny_selection *sel, ny_model *model) {
    ny_status st = NY_OK;
    ny_record *r = model->record;
    ny_origin *o = &r->origin;
    const ny_solution *best = &sel->found.best;
    if (!(r->criterion = ny_strdup(ctx, sel->setup->criterion->name))) NY_FAIL(ctx, NY_ERR_MEMORY, "out of memory");
    if (data->source && !(r->source = ny_strdup(ctx, data->source))) NY_FAIL(ctx, NY_ERR_MEMORY, "out of memory");
    r->expected.value = best->value;
    r->expected.error = best->error;
    r->expected.std_error = best->std_error;
    r->expected.squared_error = best->squared_error;
    r->seed = sel->setup->seed;
    r->threads = ny_threads();
    r->rows = sel->rows->n + sel->rows->set_aside;
    r->inputs = sel->rows->all.X.d;
    o->landmarks = best->landmarks;
    o->rank = best->rank;
    o->exact = ny_finish_exact(sel, r);
    if (!(o->route = ny_strdup(ctx, ny_route_name(sel->plan.route.kind))) ||
        !(o->why = ny_strdup(ctx, sel->plan.route.why)))
        NY_FAIL(ctx, NY_ERR_MEMORY, "out of memory");
    o->kernel_kept = o->exact ? 1 : best->low.kept;
    if (best->effort.objective)
        r->descent =
            (ny_descent){true, best->effort.steps, best->effort.gap, sel->setup->outputs, best->effort.objective};
    sel->found.best.effort.objective = NULL;
    r->levels = best->level ? sel->setup->outputs : 0;
    r->level = best->level;
    sel->found.best.level = NULL;
    for (int64_t i = 0; i < sel->found.trials; i++) {
        const ny_trial *t = &sel->found.trial[i];
        ny_evaluation e = {t->kernel, t->bandwidth, t->C,    t->value,   t->error,
                           t->rows,   t->landmarks, t->rank, t->log_loss};
        NY_TRY(ny_record_evaluation(ctx, r, e));
    }
    NY_TRY(add_notes(data, sel, r));
done:
    return st;
}

/* Probabilities are fitted to the held-out outputs of all rows in memory, or of a sample where they are very many. */
static ny_status calibrate(ny_selection *sel, double *slopes) {
    ny_status st = NY_OK;
    const ny_rows *all = ny_judged_rows(sel, &sel->rows->all), *rows = all;
    int64_t q = sel->setup->outputs;
    double *held = NULL, *u = NULL;
    if (all == &sel->rows->all) NY_TRY(ny_rows_of_level(sel, ny_pace_calibration(sel), &rows));
    NY_NEW_RAW(sel->ctx, held, ny_size3(rows->n, q, 1));
    NY_NEW(sel->ctx, u, rows->n);
    for (int64_t i = 0, k = 0; i < all->n && k < rows->n; i++) {
        if (all->id[i] != rows->id[k]) continue; /* both are in the same order */
        for (int64_t j = 0; j < q; j++) held[k + j * rows->n] = sel->found.best.held[i + j * all->n];
        u[k] = i < all->unjudged ? 0 : all->u[i];
        k++;
    }
    ny_held_outputs outputs = {sel->setup->coding, sel->setup->classes, rows->n, q, held, rows->code, u};
    NY_TRY(ny_calibrate(sel->ctx, &outputs, slopes));
done:
    ny_free(held);
    ny_free(u);
    return st;
}

/* A posterior whose variances no number can hold is left out. */
static ny_status own_noise(ny_ctx *ctx, double square, ny_model *model) {
    const double RANGE = 1e300;
    ny_posterior *p = &model->posterior;
    bool fits = true;
    for (int64_t j = 0; j < p->q && p->r; j++) {
        p->noise[j] *= square;
        fits &= p->noise[j] > 1 / RANGE && p->noise[j] < RANGE;
    }
    if (fits) return NY_OK;
    ny_posterior_clear(p);
    ny_free(model->error_size);
    model->error_size = NULL;
    return ny_record_note(ctx, model->record,
                          "no posterior for predict --interval: the squares of such targets are beyond the range of "
                          "numbers (multiply the targets by a constant)");
}

/* A mean square in the targets' own units; NAN: too small for a number. */
static double own_square(double value, double square) {
    return value > 0 && value * square == 0 ? NAN : value * square;
}

/* Machine and figures back from targets in units of sel->rows->target_unit to the targets' own. */
static ny_status own_units(ny_ctx *ctx, const ny_selection *sel, ny_model *model) {
    double unit = sel->rows->target_unit, square = unit * unit;
    ny_record *r = model->record;
    ny_expected *e = &r->expected;
    for (int64_t i = 0; i < model->f.Z.n * sel->setup->outputs; i++) model->f.beta[i] *= unit;
    for (int64_t j = 0; j < sel->setup->outputs; j++) model->f.b[j] *= unit;
    double *errors[] = {&e->error, &e->std_error, &e->error_lower, &e->error_upper, &e->baseline_error};
    for (size_t k = 0; k < sizeof errors / sizeof *errors; k++) *errors[k] *= unit;
    e->squared_error = own_square(e->squared_error, square);
    e->value = ny_criterion_nats(sel->setup->criterion) ? e->value + sel->found.best.observations * log(unit)
                                                        : own_square(e->value, square);
    for (int64_t i = 0; i < r->evaluations; i++) {
        r->evaluation[i].error *= unit;
        r->evaluation[i].value = ny_criterion_nats(sel->setup->criterion)
                                     ? r->evaluation[i].value + (double)r->evaluation[i].rows * log(unit)
                                     : own_square(r->evaluation[i].value, square);
    }
    for (int64_t i = 0; i < r->comparisons; i++) {
        ny_comparison *c = &r->comparison[i];
        bool nats = ny_criterion_nats(ny_criterion_find(c->criterion));
        c->value = nats ? c->value + (double)sel->rows->n * log(unit) : own_square(c->value, square);
        c->best_value = nats ? c->best_value + (double)sel->rows->n * log(unit) : own_square(c->best_value, square);
        c->error *= unit, c->std_error *= unit, c->best_error *= unit;
    }
    return own_noise(ctx, square, model);
}

ny_status ny_finish_model(ny_ctx *ctx, const ny_data *data, ny_selection *sel, ny_model *model) {
    ny_status st = NY_OK;
    ny_solution *best = &sel->found.best;
    NY_NEW(ctx, model->calibration, 2);
    if (sel->setup->classes) NY_TRY(calibrate(sel, model->calibration));
    NY_TRY(ny_confidence_make(sel, data, model));
    NY_TRY(fill_record(ctx, data, sel, model));
    model->f = best->f;
    for (ny_expansion *f = &model->f; f; f = f->next) f->kernel.tile = 0; /* each prediction chooses its own */
    model->C = best->C;
    best->f = (ny_expansion){.kernel = model->f.kernel, .outputs = sel->setup->outputs};
    best->C = NULL;
    if (sel->rows->target_unit != 1) NY_TRY(own_units(ctx, sel, model));
    for (int64_t j = 0; j < model->f.outputs; j++)
        model->f.b[j] += sel->rows->origin; /* of numbers, in one expansion */
done:
    return st;
}

/* finish.c: see finish.h. */
#include "finish.h"

#include <math.h>

#include "base/threads.h"
#include "calibrate.h"
#include "confidence.h"
#include "outliers.h"
#include "search/fit.h"
#include "search/pace.h"
#include "search/passes.h"

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
    ny_status st = sel->ctx->stopped ? NY_STOPPED : ny_hold_out(sel, true, &sel->best);
    if (st != NY_STOPPED) return st;
    NY_TRY(ny_finish_early(sel->ctx, record));
    ny_free(sel->best.held);
    sel->best.held = NULL;
    NY_TRY(ny_hold_out(sel, false, &sel->best));
done:
    return st;
}

/* The C of the kernel's best machine so far, where every C costs a training; 0: none yet. */
static double last_C(const ny_selection *sel, const ny_kernel *kernel) {
    double mean = 0;
    for (int64_t c = 0; c < sel->kernels; c++) {
        if (sel->candidate[c] != kernel || !sel->hint[c].C || sel->options->C.single > 0) continue;
        for (int64_t j = 0; j < sel->outputs; j++) mean += log2(sel->hint[c].C[j]) / (double)sel->outputs;
        return exp2(mean);
    }
    return 0;
}

/* Nothing was found before the stop: a few small machines tell where the last one is to be. */
static ny_status look_around(ny_selection *sel, ny_point *point) {
    enum { PLACES = 5, ROWS = 1000, LANDMARKS = 50 };
    ny_status st = NY_OK;
    int64_t landmarks = sel->landmarks < LANDMARKS ? sel->landmarks : LANDMARKS;
    const ny_range *range = &sel->bandwidth;
    bool free = range->is_auto && point->kernel->has_bandwidth;
    double lo, hi, guess = range->single > 0 ? log2(range->single) : (range->lo + range->hi) / 2;
    if (free) NY_TRY(ny_bandwidth_range(sel, point->kernel, &lo, &hi, &guess));
    ny_point place[PLACES];
    int64_t rows = sel->all.n < ROWS ? sel->all.n : ROWS, best = 0;
    int64_t count = ny_pace_places(sel, rows, landmarks, free ? PLACES : 1);
    for (int64_t k = 0; k < count; k++)
        place[k] = (ny_point){point->kernel, exp2(guess + (double)(k - count / 2)), 0, 0};
    sel->rough = ny_rough_helps(sel);
    ny_stop_grace(sel->ctx, ny_pace_patience(sel, -1));
    st = ny_evaluate(sel, rows, landmarks, count, place);
    bool seen = st != NY_STOPPED;
    for (int64_t k = 1; k < count && seen; k++)
        if (place[k].value < place[best].value) best = k;
    if (!seen && sel->ctx->stopped) st = NY_OK, best = count / 2; /* it takes too long: the middle, unseen */
    NY_TRY(st);
    *point = place[best];
    ny_solution_clear(&sel->best);
done:
    sel->rough = false;
    ny_stop_grace(sel->ctx, INFINITY);
    return st;
}

/* A sample of so many rows becomes all that there is to learn from. */
static ny_status set_aside(ny_selection *sel, int64_t count) {
    const ny_rows *rows;
    if (count >= sel->all.n || sel->passes) return NY_OK;
    ny_status st = ny_rows_of_level(sel, count, &rows);
    if (st != NY_OK) return st;
    sel->set_aside = sel->n - rows->n;
    sel->n = rows->n;
    ny_rows_clear(&sel->all);
    sel->all = sel->subset;
    sel->subset = (ny_rows){0};
    sel->subset_asked = sel->common_rows = 0;
    ny_contenders_clear(&sel->tried); /* their losses are those of other rows */
    ny_solution_clear(&sel->best);
    return NY_OK;
}

/* After a stop: at most m landmarks, of all rows if there is time. No signal stops it any more; one that takes longer
 * than was foreseen gives way to a smaller one, and the smallest takes what it takes. */
static ny_status last_machine(ny_selection *sel, int64_t m, ny_point *point) {
    enum { TRIES = 3 };
    ny_status st = NY_OK;
    int64_t rows = sel->all.n;
    bool smaller = true;
    bool costs = sel->criterion->effort || sel->criterion->folds || ny_is_pairs(sel->coding.method, sel->classes);
    if (costs) point->C = last_C(sel, point->kernel);
    for (int tries = 0; smaller && (tries == 0 || st == NY_STOPPED); tries++) {
        smaller = ny_pace_last(sel, tries, &rows, &m) && tries < TRIES;
        bool hurry = tries > 0 || (costs && !smaller);
        if (hurry && !(point->C > 0) && sel->options->C.is_auto) point->C = PLAIN_C;
        NY_TRY(set_aside(sel, rows));
        ny_stop_grace(sel->ctx, smaller ? ny_pace_patience(sel, tries) : INFINITY);
        st = ny_evaluate(sel, sel->all.n, m, 1, point);
    }
done:
    ny_stop_grace(sel->ctx, INFINITY);
    return st;
}

ny_status ny_finish_best(ny_selection *sel, ny_record *record) {
    ny_status st = NY_OK;
    const bool early = sel->ctx->stopped;
    if (sel->best.valid && sel->best.rows == sel->n) return sel->passes ? hold_out(sel, record) : NY_OK;
    if (sel->best.valid && sel->best.rows == sel->all.n) return NY_OK; /* of the sample: a pass would take too long */
    int64_t m = sel->best.valid ? sel->best.landmarks : sel->landmarks < 100 ? sel->landmarks : 100;
    bool time = sel->ctx->deadline > 0 && !atomic_load(&sel->ctx->cancelled); /* what is left of it may be used */
    ny_point point = {sel->best.valid ? sel->best.f.kernel.kernel : sel->candidate[0], sel->best.f.kernel.bandwidth, 0,
                      0};
    if (!sel->best.valid) NY_TRY(look_around(sel, &point));
    if (early && time && !sel->criterion->effort) m = sel->landmarks;
    if (!early) { /* the exact machine that was to follow did not */
        m = sel->landmarks_alone;
        st = ny_evaluate(sel, sel->all.n, m, 1, &point);
    }
    if (st == NY_STOPPED) NY_TRY(ny_finish_early(sel->ctx, record));
    if (sel->ctx->stopped) NY_TRY(last_machine(sel, m, &point));
    NY_TRY(st);
    if (sel->best.fold_beta) NY_TRY(hold_out(sel, record)); /* a small file, all of it in the sample */
done:
    return st;
}

ny_status ny_finish_alone(ny_selection *sel, ny_record *record) {
    ny_point point = ny_solution_point(&sel->best);
    ny_kernel_params kernel = ny_point_kernel(sel, &point);
    if (sel->best.asked >= sel->landmarks_alone || ny_spans(&kernel, sel->all.X.d, sel->best.asked)) return NY_OK;
    ny_solution fewer = sel->best;
    sel->best = (ny_solution){0};
    ny_status st = ny_evaluate(sel, sel->n, sel->landmarks_alone, 1, &point);
    bool better = st == NY_OK && sel->best.valid && sel->best.value <= fewer.value;
    if (better) sel->landmarks = sel->landmarks_alone;
    ny_solution_clear(better ? &fewer : &sel->best);
    if (!better) sel->best = fewer; /* at a C that is given more landmarks may follow the noise */
    return st == NY_STOPPED ? ny_finish_early(sel->ctx, record) : st; /* the smaller one will do */
}

static ny_status fill_record(ny_ctx *ctx, const ny_data *data, ny_selection *sel, ny_model *model) {
    ny_status st = NY_OK;
    ny_record *r = model->record;
    const ny_solution *best = &sel->best;
    if (!(r->criterion = ny_strdup(ctx, sel->criterion->name))) NY_FAIL(ctx, NY_ERR_MEMORY, "out of memory");
    if (data->source && !(r->source = ny_strdup(ctx, data->source))) NY_FAIL(ctx, NY_ERR_MEMORY, "out of memory");
    r->value = best->value;
    r->error = best->error;
    r->std_error = best->std_error;
    r->squared_error = best->squared_error;
    r->seed = sel->seed;
    r->threads = ny_threads();
    r->rows = sel->n + sel->set_aside;
    r->inputs = sel->all.X.d;
    r->landmarks = best->landmarks;
    r->rank = best->rank;
    double most_C = 0;
    for (int64_t j = 0; j < sel->outputs; j++) most_C = fmax(most_C, best->C[j]);
    bool all = best->asked >= sel->n && !sel->rank;
    r->exact = r->solver.known || (all && most_C * best->missing <= UNSEEN);
    if (!(r->route = ny_strdup(ctx, ny_route_name(sel->route.kind))) || !(r->why = ny_strdup(ctx, sel->route.why)))
        NY_FAIL(ctx, NY_ERR_MEMORY, "out of memory");
    r->kernel_kept = r->exact ? 1 : best->kernel_kept;
    if (best->effort.objective)
        r->descent = (ny_descent){true, best->effort.steps, best->effort.gap, sel->outputs, best->effort.objective};
    sel->best.effort.objective = NULL;
    for (int64_t i = 0; i < sel->trials; i++) {
        const ny_trial *t = &sel->trial[i];
        ny_evaluation e = {t->kernel, t->bandwidth, t->C, t->value, t->error, t->rows, t->landmarks, t->rank};
        NY_TRY(ny_record_evaluation(ctx, r, e));
    }
    if (r->descent.known && r->descent.gap > 1e-6 && !ctx->stopped)
        NY_TRY(ny_record_note(ctx, r,
                              "Newton's method ended at a duality gap of %.2g of the objective: is C too large?",
                              r->descent.gap));
    if (sel->bandwidth_edge)
        NY_TRY(ny_record_note(ctx, r, "the best bandwidth is the %s of --bandwidth %s: widen the range",
                              sel->bandwidth_edge < 0 ? "lowest" : "highest",
                              ny_options_get(sel->options, "bandwidth")));
    if (best->C_edge)
        NY_TRY(ny_record_note(ctx, r, "a best C is the %s of --C %s: widen the range",
                              best->C_edge < 0 ? "lowest" : "highest", ny_options_get(sel->options, "C")));
    if (all && !r->exact && !r->solver.known)
        NY_TRY(
            ny_record_note(ctx, r,
                           "not quite the exact machine: rank %lld of %lld rows leaves out %.2g of the kernel, which "
                           "C = %.3g makes count (a smaller --rank-tol or --C)",
                           (long long)best->rank, (long long)sel->n, best->missing / (double)sel->n, most_C));
    NY_TRY(ny_outliers_note(sel, r));
    for (int64_t k = 0; k < data->schema.left_out; k++)
        if (!data->schema.left[k].asked)
            NY_TRY(ny_record_note(ctx, r, "column \"%s\" names the rows (an identifier) and was left out",
                                  data->schema.left[k].name));
    if (data->dropped)
        NY_TRY(ny_record_note(ctx, r, "%lld rows with missing values were dropped", (long long)data->dropped));
    if (data->rows > r->rows)
        NY_TRY(ny_record_note(ctx, r, "%lld rows of weight 0 were left out", (long long)(data->rows - r->rows)));
    if (best->rows < r->rows)
        NY_TRY(ny_record_note(ctx, r, "trained on a sample of %lld rows only", (long long)best->rows));
done:
    return st;
}

/* Probabilities are fitted to the held-out outputs of all rows in memory, or of a sample where they are very many. */
static ny_status calibrate(ny_selection *sel, double *slopes) {
    ny_status st = NY_OK;
    const ny_rows *all = &sel->all, *rows;
    int64_t q = sel->outputs;
    double *held = NULL;
    NY_TRY(ny_rows_of_level(sel, ny_pace_calibration(sel), &rows));
    NY_NEW_RAW(sel->ctx, held, ny_size3(rows->n, q, 1));
    for (int64_t i = 0, k = 0; i < all->n && k < rows->n; i++) {
        if (all->id[i] != rows->id[k]) continue; /* both are in the same order */
        for (int64_t j = 0; j < q; j++) held[k + j * rows->n] = sel->best.held[i + j * all->n];
        k++;
    }
    NY_TRY(ny_calibrate(sel->ctx, sel->coding, sel->classes, rows->n, q, held, rows->code, rows->u, slopes));
done:
    ny_free(held);
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

/* Machine and figures back from targets in units of sel->target_unit to the targets' own. */
static ny_status own_units(ny_ctx *ctx, const ny_selection *sel, ny_model *model) {
    double unit = sel->target_unit, square = unit * unit;
    ny_record *r = model->record;
    for (int64_t i = 0; i < model->f.Z.n * sel->outputs; i++) model->f.beta[i] *= unit;
    for (int64_t j = 0; j < sel->outputs; j++) model->f.b[j] *= unit;
    double *errors[] = {&r->error, &r->std_error, &r->error_lower, &r->error_upper, &r->baseline_error};
    for (size_t k = 0; k < sizeof errors / sizeof *errors; k++) *errors[k] *= unit;
    r->squared_error = own_square(r->squared_error, square);
    r->value = sel->criterion->nats ? r->value + sel->best.observations * log(unit) : own_square(r->value, square);
    for (int64_t i = 0; i < r->evaluations; i++) {
        r->evaluation[i].error *= unit;
        r->evaluation[i].value = sel->criterion->nats
                                     ? r->evaluation[i].value + (double)r->evaluation[i].rows * log(unit)
                                     : own_square(r->evaluation[i].value, square);
    }
    for (int64_t i = 0; i < r->comparisons; i++) {
        ny_comparison *c = &r->comparison[i];
        bool nats = ny_criterion_find(c->criterion)->nats;
        c->value = nats ? c->value + (double)sel->n * log(unit) : own_square(c->value, square);
        c->best_value = nats ? c->best_value + (double)sel->n * log(unit) : own_square(c->best_value, square);
        c->error *= unit, c->std_error *= unit, c->best_error *= unit;
    }
    return own_noise(ctx, square, model);
}

ny_status ny_finish_model(ny_ctx *ctx, const ny_data *data, ny_selection *sel, ny_model *model) {
    ny_status st = NY_OK;
    ny_solution *best = &sel->best;
    NY_NEW(ctx, model->calibration, 2);
    if (sel->classes) NY_TRY(calibrate(sel, model->calibration));
    NY_TRY(ny_confidence_make(sel, data, model));
    NY_TRY(fill_record(ctx, data, sel, model));
    model->f = best->f;
    model->f.kernel.tile = 0; /* each prediction chooses its own */
    model->C = best->C;
    best->f = (ny_expansion){.kernel = model->f.kernel, .outputs = sel->outputs};
    best->C = NULL;
    if (sel->target_unit != 1) NY_TRY(own_units(ctx, sel, model));
    for (int64_t j = 0; j < sel->outputs; j++) model->f.b[j] += sel->origin;
done:
    return st;
}

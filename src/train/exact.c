/* exact.c: see exact.h. */
#include "exact.h"

#include <math.h>
#include <string.h>

#include "exact_choose.h"
#include "finish.h"
#include "search/fit.h"
#include "search/held_error.h"

/* |r| / |y|: the outputs for the training rows are off by no more, as a root mean square. */
typedef struct {
    double tol, signs, good; /* the goal, that of the random signs, and what will do */
} goals;

static const double SHARE = 0.1; /* of the training errors that r may be: leave-one-out errors are off by no more */

static const goals ASKED = {0, 1e-2, 1e-3};      /* --solver cg has a goal of its own; where nobody asked: */
static const goals CLASSES = {1e-2, 3e-2, 2e-2}; /* signs of outputs do not notice: the same test errors at 3e-3 */
static const goals NUMBERS = {1e-3, 1e-2, 3e-3}; /* cpusmall at 1e-2: MSE 11.4 instead of 8.8 */
static const double WORSE = 1.05;   /* leave-one-out errors beside the low-rank machine's that are no worse */
static const int64_t PATIENCE = 60; /* iterations where nobody asked for them */

/* Held-out outputs of its own, in place of those of the other machine: not where that one has left out folds, nor where
 * it was exact already. */
static bool judged(const ny_exact *x) {
    const ny_selection *sel = x->sel;
    bool exact = sel->found.best.asked >= sel->rows->n && !ny_selection_cuts(sel);
    return x->same_C || (sel->setup->criterion == &ny_criterion_loo && !exact);
}

static ny_status adopt_outputs(ny_exact *x) {
    ny_status st = NY_OK;
    ny_solution *best = &x->sel->found.best;
    ny_error_sums sums = {0};
    ny_free(best->held);
    best->held = x->best.held;
    x->best.held = NULL;
    NY_TRY(ny_error_add(x->sel->ctx, x->sel->setup, &x->sel->rows->all, best->held, &sums));
    ny_error_end(x->sel->setup, &sums, best);
    best->value = best->squared_error;
done:
    return st;
}

/* The exact machine takes the place of the other one, whose landmarks stay if a posterior needs them, unless they are
 * the rows themselves. */
static ny_status adopt(ny_exact *x) {
    ny_status st = NY_OK;
    ny_selection *sel = x->sel;
    ny_solution *best = &sel->found.best;
    const ny_matrix *X = &sel->rows->all.X;
    int64_t n = sel->rows->all.n, q = sel->setup->outputs, *every = NULL;
    bool there =
        best->f.Z.n == n && best->f.Z.x && X->x && memcmp(best->f.Z.x, X->x, (size_t)(n * X->d) * sizeof *X->x) == 0;
    int64_t before = best->posterior.r && !there ? best->f.Z.n : 0, all = before + n;
    double *beta = NULL;
    NY_NEW(sel->ctx, beta, ny_size3(all, q, 1));
    NY_NEW_RAW(sel->ctx, every, n);
    for (int64_t i = 0; i < n; i++) every[i] = i;
    if (!before && !there) ny_matrix_clear(&best->f.Z);
    if (!there) NY_TRY(ny_matrix_append(sel->ctx, X, every, n, &best->f.Z));
    for (int64_t j = 0; j < q; j++)
        for (int64_t i = 0; i < n; i++) beta[before + i + j * all] = sel->rows->all.u[i] * x->best.alpha[i + j * n];
    memcpy(best->C, x->best.C, (size_t)q * sizeof *best->C);
    memcpy(best->f.b, x->best.b, (size_t)q * sizeof *best->f.b);
    ny_free(best->f.beta);
    best->f.beta = beta;
    beta = NULL;
    for (int64_t j = 0; j < q && best->posterior.r; j++) best->posterior.noise[j] = x->noise[j];
    if (judged(x)) NY_TRY(adopt_outputs(x));
    best->f.kernel.kernel = x->point.kernel;
    best->f.kernel.bandwidth = x->point.bandwidth;
    if (x->same_C) {
        best->rows = best->asked = best->landmarks = best->rank = n;
        best->low.kept = 1;
        best->low.missing = 0;
        NY_TRY(ny_trial_add(sel, best));
    }
done:
    ny_free(every);
    ny_free(beta);
    return st;
}

/* A machine nobody asked for must not have larger leave-one-out errors than the one before it. */
static bool worse(const ny_exact *x) {
    bool other = x->sel->found.best.valid && x->sel->found.best.rows == x->sel->rows->n;
    return x->goals.hasty && other && !(ny_exact_loss(x) <= WORSE * x->sel->found.best.squared_error);
}

/* Solved well enough, and nothing overflowed. Where nobody asked for the machine it will do if the training errors are
 * those of the exact solution but for a small share: then so are its leave-one-out errors. */
static bool good(const ny_exact *x) {
    bool solved = x->report.residual <= x->goals.good || (x->goals.hasty && x->beside <= x->goals.share);
    return ny_exact_found(x) && isfinite(x->report.residual) && solved && !worse(x);
}

static ny_status tell(const ny_exact *x, ny_record *record) {
    ny_status st = NY_OK;
    ny_ctx *ctx = x->sel->ctx;
    const ny_cg_report *report = &x->report;
    const char *kept = good(x) ? "" : "; the low-rank machine was kept";
    if (x->goals.hasty) { /* nobody asked for it */
        const char *what = report->stopped                 ? "was stopped"
                           : !isfinite(report->residual)   ? "could not be trained"
                           : ny_exact_found(x) && worse(x) ? "has larger leave-one-out errors"
                                                           : "did not converge";
        if (!good(x) && (x->rank > 0 || report->stopped)) /* else it was not begun */
            NY_TRY(ny_record_note(ctx, record, "the exact machine on all rows %s%s", what, kept));
        goto done;
    }
    if (good(x) && !judged(x) && x->sel->setup->criterion != &ny_criterion_loo)
        NY_TRY(ny_record_note(ctx, record, "the expected error is that of the low-rank machine"));
    if (!isfinite(report->residual))
        NY_TRY(ny_record_note(ctx, record, "--solver cg did not get to its first iteration%s", kept));
    else if (report->stopped)
        NY_TRY(ny_record_note(ctx, record, "--solver cg was stopped: residual %.2g after %lld iterations%s",
                              report->residual, (long long)report->iterations, kept));
    else if (!(report->left <= x->goals.tol))
        NY_TRY(ny_record_note(ctx, record,
                              "not converged: residual %.2g after %lld iterations%s (--solver-iterations, --solver-tol "
                              "or a smaller --C)",
                              report->residual, (long long)report->iterations, kept));
    else if (!good(x)) NY_TRY(ny_record_note(ctx, record, "--solver cg: its outputs overflow%s", kept));
done:
    return st;
}

/* What was found, measured by one product with true kernel values. A stop waits for it: without it nobody knows what
 * the machine is worth. */
static ny_status measure(ny_exact *x) {
    ny_ctx *ctx = x->sel->ctx;
    const double grace = ctx->grace;
    ctx->grace = INFINITY;
    ny_status st = ny_exact_measure(x);
    ctx->grace = grace;
    return st;
}

/* A posterior at the kernel, bandwidth and C of the exact machine, from a low-rank machine there, in place of that of
 * the low-rank machine before it. */
static ny_status accompany(ny_exact *x) {
    ny_status st = NY_OK;
    ny_selection *sel = x->sel;
    ny_solution beside = {0};
    ny_profile profile = {0};
    const double grace = sel->ctx->grace;
    bool same =
        x->point.kernel == sel->found.best.f.kernel.kernel && x->point.bandwidth == sel->found.best.f.kernel.bandwidth;
    if (!sel->found.best.posterior.r || (same && x->best.C[0] == sel->found.best.C[0])) goto done;
    ny_point there = {x->point.kernel, x->point.bandwidth, x->best.C[0], 0};
    sel->ctx->grace = INFINITY; /* without it the model has no intervals */
    st = ny_fit(sel, &sel->rows->all, NULL, sel->plan.landmarks, &there, &beside, &profile);
    sel->ctx->grace = grace;
    if (st != NY_OK) goto done;
    ny_solution_clear(&sel->found.best);
    sel->found.best = ny_solution_take(&beside);
done:
    ny_solution_clear(&beside);
    ny_profile_clear(&profile);
    return st;
}

ny_status ny_exact_train(ny_selection *sel, const ny_plan *plan, ny_record *record) {
    ny_status st = NY_OK;
    ny_exact x;
    double started = ny_now();
    bool asked = sel->plan.route.asked, alone = sel->plan.route.kind == NY_ROUTE_CG_ALONE;
    bool chooses = !asked && !alone && !sel->setup->classes && sel->setup->outputs == 1 && sel->setup->C.is_auto;
    NY_TRY(ny_exact_new(sel, &x));
    const goals *g = asked ? &ASKED : sel->setup->classes ? &CLASSES : &NUMBERS;
    int64_t most = sel->setup->options->solver_iterations;
    x.goals = (ny_system_goals){.tol = fmax(sel->setup->options->solver_tol, g->tol),
                                .good = g->good,
                                .share = SHARE,
                                .signs_tol = g->signs,
                                .iterations = asked || most < PATIENCE ? most : PATIENCE,
                                .hasty = !asked};
    x.point = ny_solution_point(&sel->found.best);
    if (sel->ctx->stopped) st = NY_STOPPED;
    else if (alone) st = ny_exact_choose_classes(&x, plan, record);
    else if (chooses) st = ny_exact_choose_numbers(&x, plan, record);
    else st = ny_exact_own(&x, plan, record);
    if (st == NY_ERR_NUMERIC && !asked) st = NY_OK; /* then the low-rank machine it is */
    if (st != NY_OK && st != NY_STOPPED) goto done;
    /* A search that was stopped has told so; alone there is no machine of all rows, which is worth another word. */
    if (st == NY_STOPPED) x.report.stopped = sel->ctx->stopped ? alone : ny_should_stop(sel->ctx);
    st = NY_OK;
    if (x.report.stopped && alone) NY_TRY(ny_finish_early(sel->ctx, record));
    else if (x.report.stopped) ny_stop_take(sel->ctx);
    ny_system_clear(&x.system); /* true values, and the model's rows, need room */
    if (ny_exact_found(&x)) NY_TRY(measure(&x));
    NY_TRY(tell(&x, record));
    if (good(&x)) {
        record->solver = (ny_solver){true, x.report.iterations, x.report.residual, x.rank, 0};
        if (chooses) NY_TRY(accompany(&x));
        NY_TRY(adopt(&x));
        record->solver.seconds = ny_now() - started;
    }
done:
    ny_exact_clear(&x);
    return st;
}

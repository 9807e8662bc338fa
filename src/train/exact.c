/* exact.c: see exact.h. */
#include "exact.h"

#include <math.h>
#include <string.h>

#include "exact_try.h"
#include "search/fit.h"
#include "search/pace.h"

/* |r| / |y|: the outputs for the training rows are off by no more, as a root mean square. */
typedef struct {
    double tol, signs, good; /* the goal, that of the random signs, and what will do */
} goals;

static const double SHARE = 0.1; /* of the training errors that r may be: leave-one-out errors are off by no more */

static const goals ASKED = {0, 1e-2, 1e-3};      /* --solver cg has a goal of its own; where nobody asked: */
static const goals CLASSES = {1e-2, 3e-2, 2e-2}; /* signs of outputs do not notice: the same test errors at 3e-3 */
static const goals NUMBERS = {1e-3, 1e-2, 3e-3}; /* cpusmall at 1e-2: MSE 11.4 instead of 8.8 */
static const double ROUNDING =
    3.5e-8;                           /* twice the deviation of a number below 1 rounded to single precision, and ... */
static const double ROUNDED = 0.2;    /* ... the share of 1/C by which eigenvalues may move for it */
static const double WORSE = 1.05;     /* leave-one-out errors beside the low-rank machine's that are no worse */
static const int64_t PATIENCE = 60;   /* iterations where nobody asked for them */
static const double LARGEST_C = 1000; /* beyond, conjugate gradients are slow, and classes bear it anyway, or ... */
static const double LARGEST_OWN = 16384; /* ... where low-rank machines have found a larger one */
static const double HOPELESS = 1.03;     /* times the error of another machine, where C is not looked for any more */
static const double STEP = 4;            /* between values of C */
static const double LEAST_C = 1e-4;
static const double PATIENT = 0.25; /* ... and the share of them that one trial may take, where that is more */
enum { AT_ONCE = 3, LOWER = 2 };    /* values of C at once; how often they are tried, lower where none converges */

/* What is foreseen of numbers that choose: a trial takes 2 to 80 iterations; the first, one of another kernel, one on
 * each side and the minimum of the parabola are five; three C at once, one more on a side and two between. */
static const double USUAL = 15, TRIALS = 5, VALUES = 6;

double ny_exact_flops(const ny_matrix *X, const ny_plan *plan, double iterations) {
    double n = (double)X->n, r = (double)plan->preconditioner, each = iterations > 0 ? iterations : USUAL;
    double trials = fmax(1, fmin(TRIALS, floor(NY_EXACT_CHOOSING / plan->exact_iteration / each)));
    double factors = (2 + VALUES) * n * r * r; /* the preconditioner, and the leverages for each C */
    return trials * (ny_kernel_product_flops(X, 0) + factors + each * n * n * 2 * (double)plan->exact_columns);
}

int64_t ny_exact_first(const double *C, int64_t j) {
    int64_t i = 0;
    while (C[i] != C[j]) i++;
    return i;
}

/* Each output at its own C. */
static ny_status own_C(ny_exact *x) {
    ny_status st = NY_OK;
    const ny_selection *sel = x->sel;
    int64_t systems = 0, middle = 0;
    double *C = NULL;
    NY_NEW_RAW(sel->ctx, C, sel->outputs);
    for (int64_t j = 0; j < sel->outputs; j++)
        if (ny_exact_first(x->own, j) == j) C[systems++] = x->own[j];
    for (int64_t k = 0; k < systems; k++) {
        int64_t below = 0;
        for (int64_t i = 0; i < systems; i++) below += C[i] < C[k];
        if (below == systems / 2) middle = k;
    }
    NY_TRY(ny_exact_try(x, systems, C, sel->outputs > 2 ? middle : -1));
done:
    ny_free(C);
    return st;
}

/* How many C around the one that smaller machines had: where outputs are many, each C costs as many columns. */
static int64_t usually_at_once(int64_t outputs) {
    return outputs <= 2 ? AT_ONCE : 1;
}

/* Every output at three C, or at one where outputs are many, and on, one by one, while the end is best; where outputs
 * are many, within the iterations that choosing may take. */
static ny_status best_C(ny_exact *x) {
    ny_status st = NY_OK;
    double middle = x->point.C;
    bool one = x->at_once == 1;
    for (int lower = 0; lower < LOWER && x->tried == 0 && !x->report.stopped; lower++, middle /= STEP * STEP) {
        double C[AT_ONCE] = {middle / STEP, middle, middle * STEP};
        NY_TRY(ny_exact_try(x, one ? 1 : AT_ONCE, one ? &middle : C, -1));
    }
    while (x->tried > 0 && x->tried < NY_EXACT_TRIED && !x->report.stopped) {
        int64_t best = 0, before = x->tried;
        double more = (double)x->report.iterations * (double)(x->tried + 1) / (double)x->tried;
        if (one && (more > x->choosing || x->mean[0] > HOPELESS * x->beat)) break;
        for (int64_t k = 1; k < x->tried; k++)
            if (x->mean[k] < x->mean[best]) best = k;
        bool low = true, high = true;
        for (int64_t k = 0; k < x->tried; k++) low &= x->at[best] <= x->at[k], high &= x->at[best] >= x->at[k];
        bool up = high && (!x->sel->classes || x->at[best] * STEP <= LARGEST_C); /* first: more rows bear a larger C */
        double next = up ? x->at[best] * STEP : x->at[best] / STEP;
        if (!(up || low) || (x->sel->classes && next < LEAST_C)) break;
        NY_TRY(ny_exact_try(x, 1, &next, -1));
        if (x->tried == before) break; /* not converged there */
    }
    /* Numbers mind a C that is off by a factor of two. */
    double finer[2] = {x->C[0] / 2, x->C[0] * 2};
    if (!x->sel->classes && x->tried > 0 && x->tried + 2 <= NY_EXACT_TRIED && !x->report.stopped)
        NY_TRY(ny_exact_try(x, 2, finer, -1));
done:
    return st;
}

/* Held-out outputs of its own, in place of those of the other machine: not where that one has left out folds, nor where
 * it was exact already. */
static bool judged(const ny_exact *x) {
    const ny_selection *sel = x->sel;
    bool exact = sel->best.asked >= sel->n && !sel->rank;
    return x->direct || (strcmp(sel->criterion->name, "loo") == 0 && !exact);
}

static ny_status adopt_outputs(ny_exact *x, double **held) {
    ny_status st = NY_OK;
    ny_solution *best = &x->sel->best;
    ny_error_sums sums = {0};
    ny_free(best->held);
    best->held = *held;
    *held = NULL;
    NY_TRY(ny_error_add(x->sel, &x->sel->all, best->held, &sums));
    ny_error_end(x->sel, &sums, best);
    best->value = best->squared_error;
done:
    return st;
}

/* The exact machine takes the place of the other one, whose landmarks stay if a posterior needs them, unless they are
 * the rows themselves. */
static ny_status adopt(ny_exact *x, double **held) {
    ny_status st = NY_OK;
    ny_selection *sel = x->sel;
    ny_solution *best = &sel->best;
    const ny_matrix *X = &sel->all.X;
    int64_t n = sel->all.n, q = sel->outputs, *every = NULL;
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
        for (int64_t i = 0; i < n; i++) beta[before + i + j * all] = sel->all.u[i] * x->alpha[i + j * n];
    memcpy(best->C, x->C, (size_t)q * sizeof *x->C);
    memcpy(best->f.b, x->b, (size_t)q * sizeof *x->b);
    ny_free(best->f.beta);
    best->f.beta = beta;
    beta = NULL;
    for (int64_t j = 0; j < q && best->posterior.r; j++) best->posterior.noise[j] = x->noise[j];
    if (judged(x)) NY_TRY(adopt_outputs(x, held));
    best->f.kernel.kernel = x->point.kernel;
    best->f.kernel.bandwidth = x->point.bandwidth;
    if (x->direct) {
        best->rows = best->asked = best->landmarks = best->rank = n;
        best->kernel_kept = 1;
        best->missing = 0;
        NY_TRY(ny_trial_add(sel, best));
    }
done:
    ny_free(every);
    ny_free(beta);
    return st;
}

/* A machine nobody asked for must not have larger leave-one-out errors than the one before it. */
static bool worse(const ny_exact *x) {
    double mean = 0;
    for (int64_t j = 0; j < x->sel->outputs; j++) mean += x->loss[j] / (double)x->sel->outputs;
    bool other = x->sel->best.valid && x->sel->best.rows == x->sel->n;
    return x->hasty && other && !(mean <= WORSE * x->sel->best.squared_error);
}

/* Every output has a machine. */
static bool found(const ny_exact *x) {
    bool finite = true;
    for (int64_t j = 0; j < x->sel->outputs; j++) finite &= isfinite(x->loss[j]);
    return finite;
}

/* Solved well enough, and nothing overflowed. Where nobody asked for the machine it will do if the training errors are
 * those of the exact solution but for a small share: then so are its leave-one-out errors. */
static bool good(const ny_exact *x) {
    bool solved = x->report.residual <= x->good || (x->hasty && x->beside <= x->share);
    return found(x) && isfinite(x->report.residual) && solved && !worse(x);
}

static ny_status tell(const ny_exact *x, ny_record *record) {
    ny_status st = NY_OK;
    ny_ctx *ctx = x->sel->ctx;
    const ny_cg_report *report = &x->report;
    const char *kept = good(x) ? "" : "; the low-rank machine was kept";
    if (x->hasty) { /* nobody asked for it */
        const char *what = report->stopped               ? "was stopped"
                           : !isfinite(report->residual) ? "could not be trained"
                           : found(x) && worse(x)        ? "has larger leave-one-out errors"
                                                         : "did not converge";
        if (!good(x) && (x->rank > 0 || report->stopped)) /* else it was not begun */
            NY_TRY(ny_record_note(ctx, record, "the exact machine on all rows %s%s", what, kept));
        goto done;
    }
    if (good(x) && !judged(x) && strcmp(x->sel->criterion->name, "loo") != 0)
        NY_TRY(ny_record_note(ctx, record, "the expected error is that of the low-rank machine"));
    if (!isfinite(report->residual))
        NY_TRY(ny_record_note(ctx, record, "--solver cg did not get to its first iteration%s", kept));
    else if (report->stopped)
        NY_TRY(ny_record_note(ctx, record, "--solver cg was stopped: residual %.2g after %lld iterations%s",
                              report->residual, (long long)report->iterations, kept));
    else if (!(report->left <= x->tol))
        NY_TRY(ny_record_note(ctx, record,
                              "not converged: residual %.2g after %lld iterations%s (--solver-iterations, --solver-tol "
                              "or a smaller --C)",
                              report->residual, (long long)report->iterations, kept));
    else if (!good(x)) NY_TRY(ny_record_note(ctx, record, "--solver cg: its outputs overflow%s", kept));
done:
    return st;
}

/* Single precision where nobody asked for more and C allows it: rounding moves eigenvalues by its size times the root
 * of the rows. Double where there is room. */
static ny_keep keep_for(const ny_exact *x, const ny_plan *plan) {
    double most = x->direct ? x->point.C : 0;
    for (int64_t j = 0; j < x->sel->outputs && !x->direct; j++) most = fmax(most, x->own[j]);
    bool rough = !ny_options_exact(x->sel->options) && x->kernel.kernel->base == NY_BASE_SQDIST &&
                 most * ROUNDING * sqrt((double)x->sel->all.n) <= ROUNDED;
    if (rough && plan->keep != NY_KEEP_NOTHING) return NY_KEEP_FLOAT;
    return plan->keep == NY_KEEP_DOUBLE ? NY_KEEP_DOUBLE : NY_KEEP_NOTHING;
}

/* The kernel matrix and the preconditioner at x->point. NY_STOPPED: also where every product would cost as much as the
 * first, and nobody asked for that. */
static ny_status begin(ny_exact *x, const ny_plan *plan, ny_record *record) {
    ny_status st = NY_OK;
    ny_selection *sel = x->sel;
    const ny_matrix *X = &sel->all.X;
    ny_kernel_side side = {0};
    bool asked = ny_options_exact(sel->options);
    int64_t q = sel->outputs;
    x->kernel = ny_point_kernel(sel, &x->point);
    if (!asked && ny_spans(&x->kernel, X->d, sel->best.asked)) return NY_STOPPED; /* it is there already */
    x->direct = x->point.C > 0;
    bool enough = sel->classes && !asked && sel->options->C.is_auto; /* of C */
    for (int64_t j = 0; j < q && !x->direct; j++)
        x->own[j] = enough ? fmin(sel->best.C[j], LARGEST_OWN) : sel->best.C[j];
    int64_t own = q > 2 ? 1 : q; /* sets of signs, where each output has its C */
    int64_t columns = ny_exact_columns(X->n, (x->direct ? x->at_once : 1) * q, x->direct ? x->at_once : own);
    ny_keep keep = keep_for(x, plan);
    if (!asked && keep == NY_KEEP_NOTHING) return NY_STOPPED;
    if (keep == NY_KEEP_DOUBLE && record->predicted_bytes < plan->exact_bytes)
        record->predicted_bytes = plan->exact_bytes;
    NY_TRY(ny_kernel_prepare(sel->ctx, X, false, &side));
    ny_kernel_diagonal(&x->kernel, &side, x->kappa);
    NY_TRY(ny_precondition_make(sel->ctx, &x->kernel, X, sel->all.u, sel->machine->bias, plan->preconditioner, columns,
                                sel->seed, &x->P));
    x->rank = x->P.f.r;
    for (int64_t i = 0; i < X->n; i++) x->rest[i] = fmax(x->P.f.unseen[i], 0);
    ny_progress(sel->ctx, "solve", 0, 1, -1);
    NY_TRY(ny_kernel_product_make(sel->ctx, &x->kernel, X, columns, keep, &x->K));
done:
    ny_kernel_release(&side);
    return st;
}

/* An exact machine for what x is for, at this point. */
static ny_status new_at(const ny_exact *like, ny_point point, ny_exact *x) {
    ny_status st = ny_exact_new(like->sel, x);
    x->point = point;
    x->tol = like->tol, x->share = like->share, x->signs_tol = like->signs_tol, x->good = like->good;
    x->at_once = like->at_once, x->beat = like->beat;
    x->iterations = like->iterations, x->choosing = like->choosing, x->hasty = like->hasty;
    return st;
}

static double loss_of(const ny_exact *x) {
    double mean = 0;
    for (int64_t j = 0; j < x->sel->outputs; j++) mean += x->loss[j] / (double)x->sel->outputs;
    return mean;
}

/* Another point, for numbers that choose for themselves. The better of both is x; *loss is that of the new one. */
static ny_status try_point(ny_exact *x, ny_point point, const ny_plan *plan, ny_record *record, double *loss) {
    ny_status st = NY_OK;
    ny_exact y;
    NY_TRY(new_at(x, point, &y));
    st = begin(&y, plan, record);
    if (st == NY_OK) st = best_C(&y);
    ny_kernel_product_clear(&y.K);
    ny_precondition_clear(&y.P);
    *loss = st == NY_OK ? loss_of(&y) : INFINITY;
    int64_t iterations = x->report.iterations + y.report.iterations;
    bool stopped = x->report.stopped || y.report.stopped;
    if (*loss < loss_of(x)) {
        ny_exact better = y;
        y = *x;
        *x = better;
    }
    if (!found(x)) x->report = y.report, x->rank = y.rank; /* what there is to tell */
    x->report.iterations = iterations;
    x->report.stopped = stopped;
    if (st == NY_ERR_NUMERIC) st = NY_OK; /* nothing is lost: x is what it was */
done:
    ny_exact_clear(&y);
    return st;
}

/* Where the low-rank machines of another bounded kernel were best; kernel NULL: nowhere. */
static ny_point rival(const ny_selection *sel) {
    for (int64_t c = 0; c < sel->kernels; c++) {
        const ny_hint *hint = &sel->hint[c];
        if (sel->candidate[c] != sel->best.f.kernel.kernel && ny_kernel_bounded(sel->candidate[c]) && hint->C)
            return (ny_point){sel->candidate[c], hint->bandwidth, hint->C[0], 0};
    }
    return (ny_point){0};
}

typedef struct { /* the bandwidths that were tried with one kernel */
    int64_t count;
    double x[16], loss[16]; /* log2 bandwidth */
} tried;

static void remember(tried *t, const ny_point *point, double loss) {
    if (t->count == 16) return;
    t->x[t->count] = log2(point->bandwidth);
    t->loss[t->count++] = loss;
}

/* The next bandwidth of the parabola through the best one, at x, and its neighbours on both sides; else, where there is
 * none on a side, half an octave that way, the narrow side first. NAN: none that is worth a trial. */
static double next_place(const tried *t, double x, double loss) {
    const double STEP_X = 0.5, CLOSER = 0.12;
    double low = NAN, high = NAN, below = 0, above = 0;
    for (int64_t i = 0; i < t->count; i++) {
        if (t->x[i] < x - 1e-9 && !(t->x[i] < low)) low = t->x[i], below = t->loss[i];
        if (t->x[i] > x + 1e-9 && !(t->x[i] > high)) high = t->x[i], above = t->loss[i];
    }
    if (isnan(low)) return x - STEP_X;
    if (isnan(high)) return x + STEP_X;
    double p = x - low, q = high - x, u = (below - loss) / p, v = (above - loss) / q;
    double vertex = round((x + 0.5 * (u * q - v * p) / (u + v)) * 32) / 32; /* the last bits depend on the threads */
    return isfinite(vertex) && fabs(vertex - x) > CLOSER && p + q > STEP_X ? vertex : NAN;
}

/* The exact machine of numbers chooses for itself, by its own leave-one-out errors: where the low-rank one is, where
 * the best one of another kernel is, and then along the bandwidths: half an octave at a time until the best is between
 * two others, narrower ones first, as what is best for few landmarks is too wide for all rows; then once more where a
 * parabola has its minimum. Another trial is made while it and those before it, if it takes as many iterations as the
 * last one did, are cheap together. */
static ny_status choose(ny_exact *x, const ny_plan *plan, ny_record *record) {
    ny_status st = NY_OK;
    const ny_selection *sel = x->sel;
    double loss;
    tried here = {0}, there = {0};
    ny_point next = {sel->best.f.kernel.kernel, sel->best.f.kernel.bandwidth, sel->best.C[0], 0};
    NY_TRY(try_point(x, next, plan, record, &loss));
    remember(&here, &next, loss);
    int64_t last = x->report.iterations;
    double more = ny_exact_flops(&sel->all.X, plan, (double)last) - ny_exact_flops(&sel->all.X, plan, 0);
    if (more > 0) ny_pace_more(x->sel, more, "the exact machine needs many iterations");
    next = rival(sel);
    if (next.kernel && !x->report.stopped && (double)(2 * last) <= x->choosing) {
        NY_TRY(try_point(x, next, plan, record, &loss));
        remember(&there, &next, loss);
        last = x->report.iterations - last;
    }
    tried *t = x->point.kernel == sel->best.f.kernel.kernel ? &here : &there;
    while (sel->bandwidth.is_auto && found(x) && !x->report.stopped && t->count < 16) {
        int64_t before = x->report.iterations;
        double at = next_place(t, log2(x->point.bandwidth), loss_of(x));
        if (isnan(at) || (double)(before + last) > x->choosing) break;
        next = (ny_point){x->point.kernel, exp2(at), x->C[0], 0};
        NY_TRY(try_point(x, next, plan, record, &loss));
        remember(t, &next, loss);
        last = x->report.iterations - before;
    }
done:
    return st;
}

/* The C of all outputs, in the mean of the logarithms, as a power of two. */
static double usual_C(const ny_exact *x) {
    double mean = 0;
    for (int64_t j = 0; j < x->sel->outputs; j++) mean += log2(x->C[j]) / (double)x->sel->outputs;
    return exp2(round(mean));
}

/* The exact machine of classes: where smaller machines had their best, where their second kernel was not worse than
 * they could tell, and, while that is cheap, along the bandwidths as numbers go. The trials after the first begin at
 * the C that was found, and look for another only where they are not hopeless. The second kernel may have as many
 * iterations as the first had. */
static ny_status follow(ny_exact *x, const ny_plan *plan, ny_record *record) {
    ny_status st = NY_OK;
    const ny_selection *sel = x->sel;
    const double cheap = PATIENT * x->choosing;
    ny_point next = sel->exact_rival;
    double loss;
    tried here = {0}, there = {0};
    NY_TRY(try_point(x, sel->exact_at, plan, record, &loss));
    if (!found(x) || x->report.stopped) goto done;
    remember(&here, &sel->exact_at, loss);
    x->at_once = 1;
    x->beat = loss;
    if (next.kernel) {
        next.C = fmin(next.C * usual_C(x) / sel->exact_at.C, LARGEST_C);
        x->choosing = fmax(x->choosing, (double)x->report.iterations);
        NY_TRY(try_point(x, next, plan, record, &loss));
        remember(&there, &next, loss);
    }
    tried *t = x->point.kernel == sel->exact_at.kernel ? &here : &there;
    while (sel->bandwidth.is_auto && !x->report.stopped && (double)x->report.iterations <= cheap) {
        double from = log2(x->point.bandwidth), at = next_place(t, from, loss_of(x));
        if (isnan(at) || t->count == 16) break;
        x->beat = loss_of(x);
        next = (ny_point){x->point.kernel, exp2(at), fmin(usual_C(x) * exp2(round(2 * (at - from))), LARGEST_C), 0};
        NY_TRY(try_point(x, next, plan, record, &loss));
        remember(t, &next, loss);
    }
done:
    return st;
}

/* What was found, measured by one product with true kernel values. A stop waits for it: without it nobody knows what
 * the machine is worth. */
static ny_status measure(ny_exact *x, double **held) {
    ny_status st = NY_OK;
    ny_ctx *ctx = x->sel->ctx;
    bool finishing = ctx->finishing;
    NY_NEW_RAW(ctx, *held, ny_size3(x->sel->all.n, x->sel->outputs, 1));
    ctx->finishing = true;
    st = ny_exact_measure(x, *held);
    ctx->finishing = finishing;
done:
    return st;
}

/* A posterior at the kernel, bandwidth and C of the exact machine, from a low-rank machine there, in place of that of
 * the low-rank machine before it. */
static ny_status accompany(ny_exact *x) {
    ny_status st = NY_OK;
    ny_selection *sel = x->sel;
    ny_solution beside = {0};
    ny_profile profile = {0};
    double seconds;
    bool finishing = sel->ctx->finishing;
    bool same = x->point.kernel == sel->best.f.kernel.kernel && x->point.bandwidth == sel->best.f.kernel.bandwidth;
    if (!sel->best.posterior.r || (same && x->C[0] == sel->best.C[0])) goto done;
    ny_point there = {x->point.kernel, x->point.bandwidth, x->C[0], 0};
    sel->ctx->finishing = true; /* without it the model has no intervals */
    st = ny_fit(sel, &sel->all, NULL, sel->landmarks, &there, &beside, &profile, &seconds);
    sel->ctx->finishing = finishing;
    if (st != NY_OK) goto done;
    ny_solution_clear(&sel->best);
    sel->best = beside;
    beside = (ny_solution){0};
done:
    ny_solution_clear(&beside);
    ny_profile_clear(&profile);
    return st;
}

ny_status ny_exact_train(ny_selection *sel, const ny_plan *plan, ny_record *record) {
    ny_status st = NY_OK;
    ny_exact x;
    double started = ny_now(), *held = NULL;
    bool asked = ny_options_exact(sel->options), direct = sel->exact_at.kernel != NULL;
    bool chooses = !asked && !direct && !sel->classes && sel->outputs == 1 && sel->options->C.is_auto;
    NY_TRY(ny_exact_new(sel, &x));
    const goals *g = asked ? &ASKED : sel->classes ? &CLASSES : &NUMBERS;
    x.tol = fmax(sel->options->solver_tol, g->tol);
    x.share = SHARE;
    x.signs_tol = g->signs;
    x.good = g->good;
    x.iterations = asked || sel->options->solver_iterations < PATIENCE ? sel->options->solver_iterations : PATIENCE;
    x.hasty = !asked;
    x.choosing = NY_EXACT_CHOOSING / plan->exact_iteration;
    double patience = fmin((double)sel->options->solver_iterations, PATIENT * x.choosing);
    if (chooses && patience > (double)x.iterations) x.iterations = (int64_t)patience;
    x.point = ny_solution_point(&sel->best);
    x.at_once = usually_at_once(sel->outputs);
    x.beat = INFINITY;
    if (sel->stopped) st = NY_STOPPED;
    else if (chooses) st = choose(&x, plan, record);
    else if (direct) st = follow(&x, plan, record);
    else if ((st = begin(&x, plan, record)) == NY_OK) st = own_C(&x);
    if (st == NY_ERR_NUMERIC && !asked) st = NY_OK; /* then the low-rank machine it is */
    if (st != NY_OK && st != NY_STOPPED) goto done;
    if (st == NY_STOPPED) x.report.stopped = ny_should_stop(sel->ctx);
    st = NY_OK;
    if (x.report.stopped) record->stopped = sel->ctx->finishing = true;
    ny_kernel_product_clear(&x.K); /* true values, and the model's rows, need room */
    ny_precondition_clear(&x.P);
    if (found(&x)) NY_TRY(measure(&x, &held));
    NY_TRY(tell(&x, record));
    if (good(&x)) {
        record->solver = (ny_solver){true, x.report.iterations, x.report.residual, x.rank, 0};
        if (chooses) NY_TRY(accompany(&x));
        NY_TRY(adopt(&x, &held));
        record->solver.seconds = ny_now() - started;
    }
done:
    ny_free(held);
    ny_exact_clear(&x);
    return st;
}

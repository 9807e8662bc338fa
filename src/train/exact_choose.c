/* exact_choose.c: see exact_choose.h. */
#include "exact_choose.h"

#include <math.h>

#include "search/fit.h"
#include "search/pace.h"

static const double ROUNDING =
    3.5e-8;                           /* twice the deviation of a number below 1 rounded to single precision, and ... */
static const double ROUNDED = 0.2;    /* ... the share of 1/C by which eigenvalues may move for it */
static const double LARGEST_C = 1000; /* beyond, conjugate gradients are slow, and classes bear it anyway, or ... */
static const double LARGEST_OWN = 16384; /* ... where low-rank machines have found a larger one */
static const double HOPELESS = 1.03;     /* times the error of another machine, at one C that ought to be good */
static const double TO_COME = 2;         /* times the last gain: more than all further steps gain, as each gains less */
static const double STEP = 4;            /* between values of C */
static const double LEAST_C = 1e-4;
static const double PATIENT = 0.25; /* of the iterations of choosing: what one trial may take, or all that follow */
enum { AT_ONCE = 3, LOWER = 2 };    /* values of C at most at once; how often, lower where none converges */

/* What is foreseen of numbers that choose: a trial takes 2 to 80 iterations; the first, one of another kernel, one on
 * each side and the minimum of the parabola are five; three C at once, one more on a side and two between. */
static const double USUAL = 15, TRIALS = 5, VALUES = 6;

double ny_exact_flops(const ny_matrix *X, const ny_plan *plan, double iterations) {
    double n = (double)X->n, r = (double)plan->preconditioner, each = iterations > 0 ? iterations : USUAL;
    double trials = fmax(1, fmin(TRIALS, floor(NY_EXACT_CHOOSING / plan->exact_iteration / each)));
    double factors = (2 + VALUES) * n * r * r; /* the preconditioner, and the leverages for each C */
    return trials * (ny_kernel_product_flops(X, 0) + factors + each * n * n * 2 * (double)plan->exact_columns);
}

/* Each output at its own C. */
static ny_status own_C(ny_exact *x) {
    ny_status st = NY_OK;
    double *C = NULL;
    NY_NEW_RAW(x->sel->ctx, C, x->sel->setup->outputs);
    NY_TRY(ny_exact_try(x, ny_system_values(x->sel->setup->outputs, x->own, C), C));
done:
    ny_free(C);
    return st;
}

/* How many C around the one that smaller machines had: where outputs are many, each C costs as many columns. */
static void ready(ny_exact *x, const ny_plan *plan) {
    x->at_once = x->sel->setup->outputs <= 2 ? AT_ONCE : 1;
    x->beat = INFINITY;
    x->choosing = NY_EXACT_CHOOSING / plan->exact_iteration;
}

/* Whether the best of the values tried is too far from the machine to beat for others to make it up. */
static bool hopeless(const ny_exact *x, int64_t best) {
    if (x->tried == 1) return x->mean[0] > HOPELESS * x->beat;
    double last = fabs(x->mean[x->tried - 1] - x->mean[x->tried - 2]);
    return x->mean[best] - TO_COME * last > x->beat;
}

/* Every output at three C, or at fewer where outputs are many or another machine is to be beaten, and on, one by one,
 * while the end is best; then within the iterations that choosing may take. */
static ny_status best_C(ny_exact *x) {
    ny_status st = NY_OK;
    double middle = x->point.C;
    bool few = x->at_once < AT_ONCE;
    for (int lower = 0; lower < LOWER && x->tried == 0 && !x->report.stopped; lower++, middle /= STEP * STEP) {
        double C[AT_ONCE] = {middle / STEP, middle, middle * STEP};
        NY_TRY(ny_exact_try(x, x->at_once, few ? C + 1 : C));
    }
    while (x->tried > 0 && x->tried < NY_EXACT_TRIED && !x->report.stopped) {
        int64_t best = 0, before = x->tried;
        double more = (double)x->report.iterations * (double)(x->tried + 1) / (double)x->tried;
        for (int64_t k = 1; k < x->tried; k++)
            if (x->mean[k] < x->mean[best]) best = k;
        if (few && (more > x->choosing || hopeless(x, best))) break;
        bool low = true, high = true;
        for (int64_t k = 0; k < x->tried; k++) low &= x->at[best] <= x->at[k], high &= x->at[best] >= x->at[k];
        bool up =
            high && (!x->sel->setup->classes || x->at[best] * STEP <= LARGEST_C); /* first: more rows bear a larger C */
        double next = up ? x->at[best] * STEP : x->at[best] / STEP;
        if (!(up || low) || (x->sel->setup->classes && next < LEAST_C)) break;
        NY_TRY(ny_exact_try(x, 1, &next));
        if (x->tried == before) break; /* not converged there */
    }
    /* Numbers mind a C that is off by a factor of two. */
    double finer[2] = {x->best.C[0] / 2, x->best.C[0] * 2};
    if (!x->sel->setup->classes && x->tried > 0 && x->tried + 2 <= NY_EXACT_TRIED && !x->report.stopped)
        NY_TRY(ny_exact_try(x, 2, finer));
done:
    return st;
}

bool ny_exact_found(const ny_exact *x) {
    bool finite = true;
    for (int64_t j = 0; j < x->sel->setup->outputs; j++) finite &= isfinite(x->best.loss[j]);
    return finite;
}

double ny_exact_loss(const ny_exact *x) {
    double mean = 0;
    for (int64_t j = 0; j < x->sel->setup->outputs; j++) mean += x->best.loss[j] / (double)x->sel->setup->outputs;
    return mean;
}

/* Single precision where nobody asked for more and C allows it: rounding moves eigenvalues by its size times the root
 * of the rows. Double where there is room. */
static ny_keep keep_for(const ny_exact *x, const ny_plan *plan) {
    double most = x->same_C ? x->point.C : 0;
    for (int64_t j = 0; j < x->sel->setup->outputs && !x->same_C; j++) most = fmax(most, x->own[j]);
    bool single = !x->sel->plan.route.asked && ny_kernel_bounded(x->kernel.kernel) &&
                  most * ROUNDING * sqrt((double)x->sel->rows->all.n) <= ROUNDED;
    if (single && plan->keep != NY_KEEP_NOTHING) return NY_KEEP_FLOAT;
    return plan->keep == NY_KEEP_DOUBLE ? NY_KEEP_DOUBLE : NY_KEEP_NOTHING;
}

/* The kernel matrix and the preconditioner at x->point. NY_STOPPED: also where every product would cost as much as the
 * first, and nobody asked for that. */
static ny_status begin(ny_exact *x, const ny_plan *plan, ny_record *record) {
    ny_selection *sel = x->sel;
    const ny_matrix *X = &sel->rows->all.X;
    bool asked = sel->plan.route.asked;
    int64_t q = sel->setup->outputs;
    x->kernel = ny_point_kernel(sel->setup, &x->point);
    if (!asked && ny_spans(&x->kernel, X->d, sel->found.best.asked)) return NY_STOPPED; /* it is there already */
    x->same_C = x->point.C > 0;
    bool enough = sel->setup->classes && !asked && sel->setup->C.is_auto; /* of C */
    for (int64_t j = 0; j < q && !x->same_C; j++)
        x->own[j] = enough ? fmin(sel->found.best.C[j], LARGEST_OWN) : sel->found.best.C[j];
    int64_t own = q > 2 ? 1 : q; /* sets of signs, where each output has its C */
    ny_system_iteration how = {.kernel = &x->kernel, .X = X, .rank = plan->preconditioner, .keep = keep_for(x, plan)};
    how.columns = ny_system_columns(X->n, (x->same_C ? x->at_once : 1) * q, x->same_C ? x->at_once : own);
    how.seed = sel->setup->seed;
    how.id = sel->rows->all.id;
    if (!asked && how.keep == NY_KEEP_NOTHING) return NY_STOPPED;
    if (how.keep == NY_KEEP_DOUBLE && record->spent.predicted_bytes < plan->exact_bytes)
        record->spent.predicted_bytes = plan->exact_bytes;
    ny_system_rows rows = ny_exact_learnt(x);
    ny_status st = ny_system_iterated(sel->ctx, &rows, &how, &x->goals, &x->system);
    x->rank = x->system.rank;
    return st;
}

/* An exact machine for what x is for, at this point. */
static ny_status new_at(const ny_exact *like, ny_point point, ny_exact *x) {
    ny_status st = ny_exact_new(like->sel, x);
    x->point = point;
    x->goals = like->goals;
    x->at_once = like->at_once, x->beat = like->beat, x->choosing = like->choosing;
    return st;
}

/* Another point, for numbers that choose for themselves. The better of both is x; *loss is that of the new one. */
static ny_status try_point(ny_exact *x, ny_point point, const ny_plan *plan, ny_record *record, double *loss) {
    ny_status st = NY_OK;
    ny_exact y;
    NY_TRY(new_at(x, point, &y));
    st = begin(&y, plan, record);
    if (st == NY_OK) st = best_C(&y);
    ny_system_clear(&y.system);
    *loss = st == NY_OK ? ny_exact_loss(&y) : INFINITY;
    int64_t iterations = x->report.iterations + y.report.iterations;
    bool stopped = x->report.stopped || y.report.stopped;
    if (*loss < ny_exact_loss(x)) {
        ny_exact better = y;
        y = *x;
        *x = better;
    }
    if (!ny_exact_found(x)) x->report = y.report, x->rank = y.rank; /* what there is to tell */
    x->report.iterations = iterations;
    x->report.stopped = stopped;
    if (st == NY_ERR_NUMERIC) st = NY_OK; /* nothing is lost: x is what it was */
done:
    ny_exact_clear(&y);
    return st;
}

/* The least value of the chosen kernel among machines of so many rows. */
static double least_with(const ny_selection *sel, int64_t rows) {
    double least = INFINITY;
    for (int64_t i = 0; i < sel->found.trials; i++) {
        const ny_trial *t = &sel->found.trial[i];
        if (t->kernel == sel->found.best.f.kernel.kernel && t->rows == rows) least = fmin(least, t->value);
    }
    return least;
}

ny_point ny_exact_rival(const ny_selection *sel) {
    ny_point best = {0};
    double ratio = 1 + ny_goal_error(sel->setup, &sel->found.best) / ny_goal(sel->setup, &sel->found.best);
    for (int64_t c = 0; c < sel->setup->kernels; c++) {
        const ny_hint *hint = &sel->cache.hint[c];
        const ny_kernel *kernel = sel->setup->candidate[c];
        if (kernel == sel->found.best.f.kernel.kernel || !ny_kernel_bounded(kernel) || !hint->C) continue;
        double behind = hint->value / least_with(sel, hint->rows);
        if (!(behind < ratio)) continue;
        ratio = behind;
        best = (ny_point){kernel, hint->bandwidth, hint->C[0], 0};
    }
    return best;
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
ny_status ny_exact_choose_numbers(ny_exact *x, const ny_plan *plan, ny_record *record) {
    ny_status st = NY_OK;
    const ny_selection *sel = x->sel;
    double loss;
    tried here = {0}, there = {0};
    ny_point next = {sel->found.best.f.kernel.kernel, sel->found.best.f.kernel.bandwidth, sel->found.best.C[0], 0};
    ready(x, plan);
    double patience = fmin((double)sel->setup->options->solver_iterations, PATIENT * x->choosing);
    if (patience > (double)x->goals.iterations) x->goals.iterations = (int64_t)patience;
    NY_TRY(try_point(x, next, plan, record, &loss));
    remember(&here, &next, loss);
    int64_t last = x->report.iterations;
    double more = ny_exact_flops(&sel->rows->all.X, plan, (double)last) - ny_exact_flops(&sel->rows->all.X, plan, 0);
    if (more > 0) ny_pace_more(x->sel, more, "the exact machine needs many iterations");
    next = ny_exact_rival(sel);
    if (next.kernel && !x->report.stopped && (double)(2 * last) <= x->choosing) {
        NY_TRY(try_point(x, next, plan, record, &loss));
        remember(&there, &next, loss);
        last = x->report.iterations - last;
    }
    tried *t = x->point.kernel == sel->found.best.f.kernel.kernel ? &here : &there;
    while (sel->setup->bandwidth.is_auto && ny_exact_found(x) && !x->report.stopped && t->count < 16) {
        int64_t before = x->report.iterations;
        double at = next_place(t, log2(x->point.bandwidth), ny_exact_loss(x));
        if (isnan(at) || (double)(before + last) > x->choosing) break;
        next = (ny_point){x->point.kernel, exp2(at), x->best.C[0], 0};
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
    for (int64_t j = 0; j < x->sel->setup->outputs; j++) mean += log2(x->best.C[j]) / (double)x->sel->setup->outputs;
    return exp2(round(mean));
}

/* The exact machine of classes: where smaller machines had their best, where their second kernel was not worse than
 * they could tell, and, while that is cheap, along the bandwidths as numbers go. The trials after the first begin at
 * the C that was found, and look for another only where they are not hopeless. The second kernel may have as many
 * iterations as the first had. */
ny_status ny_exact_choose_classes(ny_exact *x, const ny_plan *plan, ny_record *record) {
    ny_status st = NY_OK;
    const ny_selection *sel = x->sel;
    ny_point next = sel->found.exact_rival;
    double loss;
    tried here = {0}, there = {0};
    ready(x, plan);
    const double cheap = PATIENT * x->choosing;
    NY_TRY(try_point(x, sel->found.exact_at, plan, record, &loss));
    if (!ny_exact_found(x) || x->report.stopped) goto done;
    remember(&here, &sel->found.exact_at, loss);
    x->beat = loss;
    if (next.kernel) {
        x->at_once = x->sel->setup->outputs <= 2 ? 2 : 1;
        next.C = fmin(next.C, LARGEST_C);
        x->choosing = fmax(x->choosing, (double)x->report.iterations);
        NY_TRY(try_point(x, next, plan, record, &loss));
        remember(&there, &next, loss);
    }
    x->at_once = 1;
    tried *t = x->point.kernel == sel->found.exact_at.kernel ? &here : &there;
    while (sel->setup->bandwidth.is_auto && !x->report.stopped && (double)x->report.iterations <= cheap) {
        double from = log2(x->point.bandwidth), at = next_place(t, from, ny_exact_loss(x));
        if (isnan(at) || t->count == 16) break;
        x->beat = ny_exact_loss(x);
        next = (ny_point){x->point.kernel, exp2(at), fmin(usual_C(x) * exp2(round(2 * (at - from))), LARGEST_C), 0};
        NY_TRY(try_point(x, next, plan, record, &loss));
        remember(t, &next, loss);
    }
done:
    return st;
}

ny_status ny_exact_own(ny_exact *x, const ny_plan *plan, ny_record *record) {
    ny_status st = NY_OK;
    ready(x, plan);
    NY_TRY(begin(x, plan, record));
    NY_TRY(own_C(x));
done:
    return st;
}

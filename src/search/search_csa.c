/* search_csa.c: coupled simulated annealing (csa.c), then the simplex of Nelder and Mead (NLopt's) from the best point:
 * the selection of De Brabanter et al. 2010, section 6.3, with their numbers of evaluations as defaults. Every
 * evaluation is a machine of full size at one bandwidth and one C, common to all outputs.   docs/math.md, eq. 30 - 33
 *
 * The variables are log2 of the bandwidth and log2 of C, those of the two that are not given. Automatic bandwidths
 * range as the distances in the data say, a factor of 4 wider on both sides. An automatic C is relative to the kernel:
 * C times the mean of k(x,x), the ratio of the variances of signal and noise when the machine is seen as a Gaussian
 * process, lies within 2^-10 .. 2^20.
 *
 * With several kernels (--kernel auto) the starters are evaluated with each of them, and the kernel of the best one
 * goes on alone. */
#include <math.h>
#include <nlopt.h>

#include "csa.h"
#include "search.h"

enum { DIMS = 2 };

static const double WIDEN = 2;                  /* log2 */
static const double C_LOW = -10, C_HIGH = 20;   /* log2 of C times the mean of k(x,x) */
static const double GRAIN = 1024;               /* points lie on a grid of 1/GRAIN */
static const double CLOSE = 0.01, ALIKE = 1e-5; /* the simplex ends at this size, or with values as close as this */
static const double ON_THE_END = 1.0 / 64;      /* so close to an end of a range (log2) is on it */

typedef struct {
    ny_selection *sel;
    int64_t dims;
    double lo[DIMS], hi[DIMS];
    int64_t bandwidth_at, C_at; /* which variable each is; -1: none, it is given */
    double bandwidth;           /* the given one */
    const ny_kernel *kernel;    /* NULL until the starters have decided */
    ny_kernel_side side;        /* of all rows, for the kernel's diagonal, with an automatic C */
    double *diag;               /* n */
    ny_point *point;            /* of one round */
} space;

static int64_t add_variable(space *s, double lo, double hi) {
    s->lo[s->dims] = lo;
    s->hi[s->dims] = hi;
    return s->dims++;
}

static ny_status define(ny_selection *sel, space *s) {
    ny_status st = NY_OK;
    const ny_range *bandwidth = &sel->setup->bandwidth, *C = &sel->setup->C;
    double lo, hi, guess;
    s->bandwidth = bandwidth->single > 0 ? bandwidth->single : exp2(bandwidth->lo);
    if (sel->setup->candidate[0]->has_bandwidth && bandwidth->is_auto) {
        NY_TRY(ny_bandwidth_range(sel, sel->setup->candidate[0], &lo, &hi, &guess));
        s->bandwidth_at = add_variable(s, lo - WIDEN, hi + WIDEN);
    } else if (sel->setup->candidate[0]->has_bandwidth && bandwidth->hi > bandwidth->lo) {
        s->bandwidth_at = add_variable(s, bandwidth->lo, bandwidth->hi);
    }
    if (C->is_auto) {
        s->C_at = add_variable(s, C_LOW, C_HIGH);
        NY_TRY(ny_kernel_prepare(sel->ctx, &sel->rows->all.X, false, &s->side));
        NY_NEW_RAW(sel->ctx, s->diag, sel->rows->all.n);
    } else if (C->hi > C->lo) {
        s->C_at = add_variable(s, C->lo, C->hi);
    }
done:
    return st;
}

/* The value of a variable at x, on the grid: the last bits depend on the number of threads and must not reach the
 * model. */
static double at(const space *s, int64_t variable, const double *x) {
    double v = round(x[variable] * GRAIN) / GRAIN;
    return exp2(fmin(fmax(v, s->lo[variable]), s->hi[variable]));
}

/* mean of k(x_i, x_i); 1 where it tells nothing */
static double mean_diagonal(const space *s, const ny_point *point) {
    double sum = 0, n = (double)s->sel->rows->all.n;
    ny_kernel_params kernel = ny_point_kernel(s->sel->setup, point);
    ny_kernel_diagonal(&kernel, &s->side, s->diag);
    for (int64_t i = 0; i < s->sel->rows->all.n; i++) sum += s->diag[i] / n;
    return sum > 0 && isfinite(sum) ? sum : 1;
}

static ny_point point_at(const space *s, const ny_kernel *kernel, const double *x) {
    ny_point point = {.kernel = kernel, .bandwidth = s->bandwidth};
    if (s->bandwidth_at >= 0) point.bandwidth = at(s, s->bandwidth_at, x);
    if (s->C_at >= 0) point.C = at(s, s->C_at, x);
    if (s->diag) point.C /= mean_diagonal(s, &point);
    return point;
}

/* One round in one call, so that small machines are trained side by side. The first decides on the kernel: that of
 * the best machine. */
static ny_status energies(void *user, int64_t count, const double *x, double *E) {
    ny_status st = NY_OK;
    space *s = user;
    ny_selection *sel = s->sel;
    int64_t kernels = s->kernel ? 1 : sel->setup->kernels, chosen = 0;
    for (int64_t k = 0; k < kernels; k++)
        for (int64_t i = 0; i < count; i++)
            s->point[i + k * count] = point_at(s, s->kernel ? s->kernel : sel->setup->candidate[k], x + i * s->dims);
    NY_TRY(ny_evaluate(sel, sel->rows->n, sel->plan.landmarks, count * kernels, s->point));
    for (int64_t k = 1; k < kernels; k++)
        if (sel->setup->candidate[k] == sel->found.best.f.kernel.kernel) chosen = k;
    s->kernel = s->point[chosen * count].kernel;
    for (int64_t i = 0; i < count; i++) E[i] = s->point[i + chosen * count].value;
done:
    return st;
}

typedef struct { /* NLopt's callback can only return a value: the status waits here */
    space *s;
    nlopt_opt opt;
    const double *x;
    double E; /* known: the energy of x, where the simplex begins */
    ny_status st;
} simplex;

static double objective(unsigned dims, const double *x, double *gradient, void *user) {
    (void)gradient;
    simplex *job = user;
    double E = HUGE_VAL;
    bool known = true;
    for (unsigned d = 0; d < dims; d++) known &= x[d] == job->x[d];
    if (known) return job->E;
    job->st = energies(job->s, 1, x, &E);
    if (job->st == NY_OK) return E;
    nlopt_force_stop(job->opt);
    return HUGE_VAL;
}

/* Nelder and Mead from x, whose energy is E. The best machine is kept by ny_evaluate. */
static ny_status fine_tune(space *s, int64_t evaluations, const double *x, double E) {
    ny_status st = NY_OK;
    double y[DIMS], step[DIMS], value;
    simplex job = {.s = s, .x = x, .E = E, .opt = nlopt_create(NLOPT_LN_NELDERMEAD, (unsigned)s->dims)};
    if (!job.opt) NY_FAIL(s->sel->ctx, NY_ERR_MEMORY, "out of memory");
    for (int64_t d = 0; d < s->dims; d++) y[d] = x[d], step[d] = fmin(1, (s->hi[d] - s->lo[d]) / 4);
    nlopt_result set[] = {nlopt_set_min_objective(job.opt, objective, &job),
                          nlopt_set_lower_bounds(job.opt, s->lo),
                          nlopt_set_upper_bounds(job.opt, s->hi),
                          nlopt_set_initial_step(job.opt, step),
                          nlopt_set_xtol_abs1(job.opt, CLOSE),
                          nlopt_set_ftol_rel(job.opt, ALIKE),
                          nlopt_set_maxeval(job.opt, (int)evaluations + 1)}; /* the first value is known */
    nlopt_result result = NLOPT_SUCCESS;
    for (size_t i = 0; i < sizeof set / sizeof *set; i++)
        if (set[i] < 0) result = set[i];
    if (result > 0) result = nlopt_optimize(job.opt, y, &value);
    NY_TRY(job.st);
    if (result == NLOPT_OUT_OF_MEMORY) NY_FAIL(s->sel->ctx, NY_ERR_MEMORY, "out of memory");
done:
    nlopt_destroy(job.opt);
    return st;
}

/* -1, +1: the value lies on the lower, upper end of a range given by the user. */
static int edge(const ny_range *range, double value) {
    if (range->is_auto || !(range->hi > range->lo)) return 0;
    return log2(value) <= range->lo + ON_THE_END ? -1 : log2(value) >= range->hi - ON_THE_END;
}

static ny_status run(ny_selection *sel) {
    ny_status st = NY_OK;
    const ny_options *o = sel->setup->options;
    space s = {.sel = sel, .bandwidth_at = -1, .C_at = -1};
    double x[DIMS], E;
    NY_TRY(define(sel, &s));
    if (s.dims == 0) {
        NY_TRY(ny_search_none.run(sel));
        goto done;
    }
    /* The starters count once for each kernel. */
    int64_t share = o->csa_evaluations / sel->setup->kernels, q = o->csa_starters < share ? o->csa_starters : share;
    if (q < 1) q = 1;
    int64_t rest = o->csa_evaluations - q * sel->setup->kernels;
    ny_csa csa = {s.dims, q, q + (rest > 0 ? rest : 0), s.lo, s.hi, sel->setup->seed, energies, &s};
    NY_NEW_RAW(sel->ctx, s.point, ny_size3(q, sel->setup->kernels, 1));
    sel->found.work_total =
        (double)(o->csa_evaluations + o->simplex_evaluations) * ny_level_flops(sel, sel->rows->n, sel->plan.landmarks);
    NY_TRY(ny_csa_minimise(sel->ctx, &csa, x, &E));
    if (o->simplex_evaluations > 0) NY_TRY(fine_tune(&s, o->simplex_evaluations, x, E));
    if (s.bandwidth_at >= 0)
        sel->found.bandwidth_edge = edge(&sel->setup->bandwidth, sel->found.best.f.kernel.bandwidth);
    if (s.C_at >= 0) sel->found.best.C_edge = edge(&o->C, sel->found.best.C[0]);
done:
    ny_kernel_release(&s.side);
    ny_free(s.diag);
    ny_free(s.point);
    return st;
}

/* The simplex begins with steps of 1, ends at CLOSE, and takes about four evaluations to become half as large. */
static ny_search_cost cost(const ny_options *o, bool iterative) {
    (void)iterative;
    double tuning = fmin((double)o->simplex_evaluations, 4 * log2(1 / CLOSE));
    const ny_kernel *kernels[NY_KERNELS_MAX];
    double round = (double)(o->csa_starters * ny_kernel_candidates(o->kernel, NY_KERNELS_MAX, kernels));
    return (ny_search_cost){(double)o->csa_evaluations + tuning, round, true};
}

const ny_search ny_search_csa = {
    "csa", "bandwidth and C by coupled simulated annealing, then a simplex, all at full size", run, cost};

/* search_csa.c: coupled simulated annealing (csa.c), then the simplex of Nelder and Mead (NLopt's) from the best point:
 * the selection of De Brabanter et al. 2010, section 6.3, with their numbers of evaluations as defaults. Every
 * evaluation is a machine of full size at one bandwidth and one C, common to all outputs.   docs/math.md, eq. 30 - 33
 * The variables and their ranges are those of space.h.
 *
 * With several kernels (--kernel auto) the starters are evaluated with each of them, and the kernel of the best one
 * goes on alone. */
#include <math.h>
#include <nlopt.h>

#include "csa.h"
#include "space.h"

static const double CLOSE = 0.01, ALIKE = 1e-5; /* the simplex ends at this size, or with values as close as this */

typedef struct {
    ny_space at;
    const ny_kernel *kernel; /* NULL until the starters have decided */
    ny_point *point;         /* of one round */
} space;

/* One round in one call, so that small machines are trained side by side. The first decides on the kernel: that of
 * the best machine. */
static ny_status energies(void *user, int64_t count, const double *x, double *E) {
    ny_status st = NY_OK;
    space *s = user;
    ny_selection *sel = s->at.sel;
    int64_t kernels = s->kernel ? 1 : sel->setup->kernels, chosen = 0;
    for (int64_t k = 0; k < kernels; k++)
        for (int64_t i = 0; i < count; i++)
            s->point[i + k * count] =
                ny_space_point(&s->at, s->kernel ? s->kernel : sel->setup->candidate[k], x + i * s->at.dims);
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
    double y[NY_SPACE_DIMS], step[NY_SPACE_DIMS], value;
    simplex job = {.s = s, .x = x, .E = E, .opt = nlopt_create(NLOPT_LN_NELDERMEAD, (unsigned)s->at.dims)};
    if (!job.opt) NY_FAIL(s->at.sel->ctx, NY_ERR_MEMORY, "out of memory");
    for (int64_t d = 0; d < s->at.dims; d++) y[d] = x[d], step[d] = fmin(1, (s->at.hi[d] - s->at.lo[d]) / 4);
    nlopt_result set[] = {nlopt_set_min_objective(job.opt, objective, &job),
                          nlopt_set_lower_bounds(job.opt, s->at.lo),
                          nlopt_set_upper_bounds(job.opt, s->at.hi),
                          nlopt_set_initial_step(job.opt, step),
                          nlopt_set_xtol_abs1(job.opt, CLOSE),
                          nlopt_set_ftol_rel(job.opt, ALIKE),
                          nlopt_set_maxeval(job.opt, (int)evaluations + 1)}; /* the first value is known */
    nlopt_result result = NLOPT_SUCCESS;
    for (size_t i = 0; i < sizeof set / sizeof *set; i++)
        if (set[i] < 0) result = set[i];
    if (result > 0) result = nlopt_optimize(job.opt, y, &value);
    NY_TRY(job.st);
    if (result == NLOPT_OUT_OF_MEMORY) NY_FAIL(s->at.sel->ctx, NY_ERR_MEMORY, "out of memory");
done:
    nlopt_destroy(job.opt);
    return st;
}

static ny_status run(ny_selection *sel) {
    ny_status st = NY_OK;
    const ny_options *o = sel->setup->options;
    space s = {0};
    double x[NY_SPACE_DIMS], E;
    NY_TRY(ny_space_make(sel, &s.at));
    if (s.at.dims == 0) {
        NY_TRY(ny_search_none.run(sel));
        goto done;
    }
    /* The starters count once for each kernel. */
    int64_t share = o->csa_evaluations / sel->setup->kernels, q = o->csa_starters < share ? o->csa_starters : share;
    if (q < 1) q = 1;
    int64_t rest = o->csa_evaluations - q * sel->setup->kernels;
    ny_csa csa = {s.at.dims, q, q + (rest > 0 ? rest : 0), s.at.lo, s.at.hi, sel->setup->seed, energies, &s};
    NY_NEW_RAW(sel->ctx, s.point, ny_size3(q, sel->setup->kernels, 1));
    sel->found.work_total =
        (double)(o->csa_evaluations + o->simplex_evaluations) * ny_level_flops(sel, sel->rows->n, sel->plan.landmarks);
    NY_TRY(ny_csa_minimise(sel->ctx, &csa, x, &E));
    if (o->simplex_evaluations > 0) NY_TRY(fine_tune(&s, o->simplex_evaluations, x, E));
    ny_space_edges(&s.at);
done:
    ny_space_clear(&s.at);
    ny_free(s.point);
    return st;
}

/* The simplex begins with steps of 1, ends at CLOSE, and takes about four evaluations to become half as large. */
static ny_search_cost cost(const ny_options *o, bool iterative) {
    (void)iterative;
    double tuning = fmin((double)o->simplex_evaluations, 4 * log2(1 / CLOSE));
    const ny_kernel *kernels[NY_KERNELS_MAX];
    double round = (double)(o->csa_starters * ny_kernel_candidates(o->kernel, NY_KERNELS_MAX, kernels));
    return (ny_search_cost){.machines = (double)o->csa_evaluations + tuning, .round = round, .one_C = true};
}

const ny_search ny_search_csa = {
    "csa", "bandwidth and C by coupled simulated annealing, then a simplex, all at full size", run, cost};

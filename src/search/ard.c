/* ard.c: see ard.h. The variables are the logarithms of the scales and of C; NLopt's L-BFGS follows the gradient of
 * relevance.c. Columns are dropped from the least relevant on: half of them, on failure half of that, down to one. */
#include "ard.h"

#include <math.h>
#include <nlopt.h>
#include <stdlib.h>
#include <string.h>

#include "base/threads.h"
#include "fit.h"
#include "options/limits.h"
#include "relevance.h"
#include "search.h"

enum {
    ROWS = 10000,
    ROWS_LEAST = 500,
    LANDMARKS = 300,
    EVALUATIONS = 100,
    EVALUATIONS_SOME = 40,
    EVALUATIONS_FEW = 15,
    BANDWIDTHS = 24
};
static const double BYTES = 1e9;             /* of the small machine at most */
static const double WIDE = 6, C_WIDE = 10;   /* how far log scale and log C may go */
static const double ALIKE = 0.05;            /* values of the criterion (in nats) so close are the same */
static const double HOPELESS = 50;           /* nats above what is wanted: not worth going on */
static const double PULL = 1, PULL_LOO = 10; /* of the log scales towards their mean: eq. 73 */
static const double GRAIN = 16;              /* log2 of a scale is a multiple of 1/GRAIN */

typedef struct {
    ny_selection *sel; /* its best machine is where the scales begin */
    ny_relevance machine;
    double *scale; /* columns; 0: dropped */
    double C;
    double *gradient;             /* columns + 1 */
    int64_t variables, *variable; /* columns whose scales are sought */
    double *x, *best_x, *lo, *hi; /* variables + 1: log scales, log C */
    double best, value;           /* of this run, at best_x: with and without the pull */
    double target, limit;         /* a value good enough, and one bad enough, to end it */
    double pull;                  /* strength of the pull */
    int64_t evaluations, planned; /* for the progress */
    nlopt_opt opt;
    ny_status st; /* NLopt's callback can only return a value */
} job;

static void release(job *j) {
    ny_relevance_clear(&j->machine);
    ny_free(j->gradient);
    ny_free(j->variable);
    ny_free(j->x);
    ny_free(j->best_x);
    ny_free(j->lo);
    ny_free(j->hi);
}

void ny_ard_cost(int64_t n, int64_t d, int64_t m, bool select, double *bytes, double *flops) {
    double rows = fmin((double)n, ROWS), k = fmin(fmin((double)m, LANDMARKS), rows), inputs = (double)d;
    *bytes = fmin(8 * rows * (3 * inputs + 4 * k), BYTES);
    *flops = (select ? 250 : 60) * rows * k * (8 * k + 4 * inputs + 40);
}

/* ---- the small machine -------------------------------------------------------------------------------------- */

/* As many rows as their dense inputs, two copies of them and four matrices of features allow. */
static ny_status plan(ny_selection *sel, int64_t *rows, int64_t *landmarks) {
    ny_status st = NY_OK;
    int64_t n = sel->rows->all.n, d = sel->rows->all.X.d,
            m = sel->plan.landmarks < LANDMARKS ? sel->plan.landmarks : LANDMARKS;
    int64_t least = n < ROWS_LEAST ? n : ROWS_LEAST;
    double limit = fmin(ny_limits_memory(sel->ctx, sel->setup->options) / 2, BYTES),
           row = 8 * (3 * (double)d + 4 * (double)m);
    double most = fmin(fmin((double)n, ROWS), limit / row);
    NY_CHECK(sel->ctx, most >= (double)least, NY_ERR_MEMORY,
             "--ard looks at %lld rows of %lld inputs at least, which take %.0f MB, and %.0f MB may be used: raise "
             "--memory (up to 2G count here), give fewer inputs, or leave out --ard and --select-inputs",
             (long long)least, (long long)d, row * (double)least / 1e6, limit / 1e6);
    *rows = (int64_t)most;
    *landmarks = m < *rows ? m : *rows;
done:
    return st;
}

/* Bandwidths of a kernel, powers of two apart, from `point` on; returns how many. */
static ny_status ladder(ny_selection *sel, const ny_kernel *kernel, ny_point *point, int64_t *count) {
    ny_status st = NY_OK;
    const ny_range *range = &sel->setup->bandwidth;
    double lo = range->lo, hi = range->hi, guess;
    *count = 1;
    point[0] = (ny_point){.kernel = kernel, .bandwidth = range->single > 0 ? range->single : 1};
    if (!kernel->has_bandwidth || range->single > 0) goto done;
    if (range->is_auto) NY_TRY(ny_bandwidth_range(sel, kernel, &lo, &hi, &guess));
    double step = fmax(1, (hi - lo) / (BANDWIDTHS - 1));
    *count = (int64_t)((hi - lo) / step + 0.5) + 1;
    for (int64_t i = 0; i < *count; i++)
        point[i] = (ny_point){.kernel = kernel, .bandwidth = exp2(lo + step * (double)i)};
done:
    return st;
}

/* The best kernel and common bandwidth of this size; sel->found.best is its machine. */
static ny_status isotropic(ny_selection *sel, int64_t rows, int64_t m) {
    ny_status st = NY_OK;
    ny_point point[(BANDWIDTHS + 1) * NY_KERNELS_MAX];
    int64_t points = 0, count;
    for (int64_t k = 0; k < sel->setup->kernels; k++, points += count) {
        NY_TRY(ladder(sel, sel->setup->candidate[k], point + points, &count));
        if (k == 0) sel->cache.reference = point[count / 2];
    }
    sel->found.work_total = (double)points * ny_level_flops(sel, rows, m);
    NY_TRY(ny_evaluate(sel, rows, m, points, point));
done:
    return st;
}

/* Targets are as the criterion has them, tamed where some are outlying, as the scales go by squares. Several classes
 * one against all, whatever the coding. */
static ny_status targets(ny_ctx *ctx, const ny_selection *sel, const ny_rows *rows, ny_relevance *r) {
    ny_status st = NY_OK;
    int64_t n = rows->n;
    r->q = sel->setup->classes ? ny_codes_outputs(&ny_multiclass_ova, sel->setup->classes) : 1;
    NY_NEW_RAW(ctx, r->u, n);
    NY_NEW_RAW(ctx, r->Y, ny_size3(n, r->q, 1));
    for (int64_t i = 0; i < n; i++) r->u[i] = ny_heard(rows, i);
    for (int64_t i = 0; i < n; i++)
        if (sel->setup->classes) ny_codes_row(&ny_multiclass_ova, sel->setup->classes, rows->code[i], n, r->Y + i);
        else r->Y[i] = sel->rows->outlying ? rows->tame[i] : rows->y[i];
done:
    return st;
}

static ny_status machine(ny_selection *sel, const ny_rows *rows, int64_t m, job *j) {
    ny_status st = NY_OK;
    ny_relevance *r = &j->machine;
    const ny_solution *best = &sel->found.best;
    ny_kernel_side side = {0};
    ny_landmarks chosen = {0};
    r->kernel = best->f.kernel;
    r->evidence = sel->setup->options->ard_by == NY_ARD_BY_EVIDENCE;
    r->rho = sel->setup->rho;
    NY_TRY(ny_matrix_to_dense(sel->ctx, &rows->X, &r->X));
    NY_TRY(ny_kernel_prepare(sel->ctx, &r->X, false, &side));
    ny_landmark_spec spec = {
        &r->kernel,       &side, rows->code, sel->setup->classes, rows->id, m, sel->setup->options->rank_tol,
        sel->setup->seed, 0};
    NY_TRY(ny_landmark_uniform.choose(sel->ctx, &spec, &chosen));
    r->Z = chosen.Z;
    chosen.Z = (ny_matrix){0};
    NY_TRY(targets(sel->ctx, sel, rows, r));
    for (int64_t k = 0; k < sel->setup->outputs; k++) j->C += log(best->C[k]) / (double)sel->setup->outputs;
    j->C = exp(j->C);
done:
    ny_kernel_release(&side);
    ny_landmarks_clear(&chosen);
    return st;
}

/* ---- the best scales ---------------------------------------------------------------------------------------- */

/* p/2 sum_c (log a_c - mean)^2: scales differ only where that is worth something.                       (eq. 73) */
static double pull(const job *j, const double *x, double *gradient) {
    double mean = 0, sum = 0, n = (double)j->variables;
    for (int64_t k = 0; k < j->variables; k++) mean += x[k] / n;
    for (int64_t k = 0; k < j->variables; k++) {
        sum += j->pull / 2 * (x[k] - mean) * (x[k] - mean);
        gradient[k] += j->pull * (x[k] - mean);
    }
    return sum;
}

static double objective(unsigned dims, const double *x, double *gradient, void *user) {
    job *j = user;
    ny_ctx *ctx = j->sel->ctx;
    double value = HUGE_VAL;
    for (int64_t k = 0; k < j->variables; k++) j->scale[j->variable[k]] = exp(x[k]);
    ny_cut_before before = ny_cut_begin(ctx);
    j->st = ny_should_stop(ctx) ? NY_STOPPED
                                : ny_relevance_value(ctx, &j->machine, j->scale, exp(x[dims - 1]), &value, j->gradient);
    if (ny_cut_end(before)) j->st = NY_STOPPED;
    if (j->st != NY_OK || !isfinite(value)) {
        nlopt_force_stop(j->opt);
        return HUGE_VAL;
    }
    ny_progress(ctx, "relevance", (double)++j->evaluations, (double)j->planned, -1);
    for (int64_t k = 0; k < j->variables; k++) gradient[k] = j->gradient[j->variable[k]];
    gradient[dims - 1] = j->gradient[j->machine.columns];
    double pulled = value + pull(j, x, gradient);
    if (pulled < j->best || value <= j->target) {
        j->best = pulled;
        j->value = value;
        memcpy(j->best_x, x, dims * sizeof *x);
    }
    if (value <= j->target || value > j->limit) nlopt_force_stop(j->opt);
    return pulled;
}

/* From the scales and the C of the job to better ones; j->value is the criterion there. Ends early at j->target. */
static ny_status minimise(job *j, int64_t evaluations) {
    ny_status st = NY_OK;
    int64_t n = j->variables;
    double value;
    const ny_range *C = &j->sel->setup->C;
    bool fixed = !C->is_auto && !(C->hi > C->lo);
    for (int64_t k = 0; k <= n; k++) {
        j->x[k] = log(k < n ? j->scale[j->variable[k]] : j->C);
        j->lo[k] = k < n ? -WIDE : j->x[k] - (fixed ? 0 : C_WIDE);
        j->hi[k] = k < n ? WIDE : j->x[k] + (fixed ? 0 : C_WIDE);
    }
    memcpy(j->best_x, j->x, (size_t)(n + 1) * sizeof *j->x);
    j->best = j->value = HUGE_VAL;
    j->opt = nlopt_create(NLOPT_LD_LBFGS, (unsigned)(n + 1));
    if (!j->opt) NY_FAIL(j->sel->ctx, NY_ERR_MEMORY, "out of memory");
    nlopt_result set[] = {nlopt_set_min_objective(j->opt, objective, j), nlopt_set_lower_bounds(j->opt, j->lo),
                          nlopt_set_upper_bounds(j->opt, j->hi), nlopt_set_ftol_abs(j->opt, ALIKE),
                          nlopt_set_maxeval(j->opt, (int)evaluations)};
    nlopt_result result = NLOPT_SUCCESS;
    for (size_t i = 0; i < sizeof set / sizeof *set; i++)
        if (set[i] < 0) result = set[i];
    if (result > 0) result = nlopt_optimize(j->opt, j->x, &value);
    if (result == NLOPT_OUT_OF_MEMORY) NY_FAIL(j->sel->ctx, NY_ERR_MEMORY, "out of memory");
    st = j->st == NY_ERR_NUMERIC ? NY_OK : j->st; /* a step too far: the best before it stands */
done:
    nlopt_destroy(j->opt);
    for (int64_t k = 0; k < n; k++) j->scale[j->variable[k]] = exp(j->best_x[k]);
    j->C = exp(j->best_x[n]);
    return st;
}

/* ---- which columns can go ----------------------------------------------------------------------------------- */

typedef struct {
    double scale;
    int64_t column;
} ranked;

static int ascending(const void *a, const void *b) {
    const ranked *x = a, *y = b;
    if (x->scale != y->scale) return x->scale < y->scale ? -1 : 1;
    return (x->column > y->column) - (x->column < y->column);
}

/* The columns whose scales are sought, least relevant first, those that are needed last; returns how many may go. */
static int64_t rank(const job *j, const bool *needed, ranked *order) {
    int64_t open = 0;
    for (int64_t k = 0; k < j->variables; k++) {
        bool last = needed[j->variable[k]];
        order[k] = (ranked){last ? HUGE_VAL : j->scale[j->variable[k]], j->variable[k]};
        open += !last;
    }
    qsort(order, (size_t)j->variables, sizeof *order, ascending);
    return open;
}

/* Judged by the criterion alone, without the pull: it must not get worse than by the threshold for each column (eq.
 * 74). A column that acts linearly has a small scale and may matter all the same: one that cannot go alone is marked,
 * and those after it are tried. */
static ny_status eliminate(job *j) {
    ny_status st = NY_OK;
    int64_t columns = j->machine.columns, less = j->variables / 2, open;
    double *scale = NULL, value = j->value, C = j->C;
    bool *needed = NULL;
    ranked *order = NULL;
    NY_NEW_RAW(j->sel->ctx, scale, columns);
    NY_NEW(j->sel->ctx, needed, columns);
    NY_NEW_RAW(j->sel->ctx, order, j->variables);
    memcpy(scale, j->scale, (size_t)columns * sizeof *scale);
    while ((open = rank(j, needed, order)) > 0 && j->variables > 1) {
        if (less > open / 2) less = open / 2 > 1 ? open / 2 : 1;
        j->variables -= less;
        for (int64_t k = 0; k < less; k++) j->scale[order[k].column] = 0;
        for (int64_t k = 0; k < j->variables; k++) j->variable[k] = order[k + less].column;
        j->target = value + j->sel->setup->options->select_threshold * (double)less;
        j->limit = j->target + HOPELESS;
        j->planned += EVALUATIONS_FEW;
        NY_TRY(minimise(j, EVALUATIONS_FEW));
        if (j->value <= j->target) {
            value = j->value;
            C = j->C;
            memcpy(scale, j->scale, (size_t)columns * sizeof *scale);
            continue;
        }
        j->C = C;
        memcpy(j->scale, scale, (size_t)columns * sizeof *scale);
        j->variables += less;
        for (int64_t k = 0; k < j->variables; k++) j->variable[k] = order[k].column;
        if (less == 1) needed[order[0].column] = true;
        less = less > 1 ? less / 2 : 1;
    }
done:
    if (scale) memcpy(j->scale, scale, (size_t)columns * sizeof *scale); /* of the last success */
    ny_free(scale);
    ny_free(needed);
    ny_free(order);
    return st;
}

/* ---- all of it ---------------------------------------------------------------------------------------------- */

static ny_status prepare(job *j) {
    ny_status st = NY_OK;
    ny_ctx *ctx = j->sel->ctx;
    const ny_relevance *r = &j->machine;
    const ny_matrix *X = &r->X;
    bool *varies = NULL;
    NY_NEW(ctx, varies, r->columns);
    NY_NEW_RAW(ctx, j->gradient, r->columns + 1);
    NY_NEW_RAW(ctx, j->variable, r->columns);
    NY_NEW_RAW(ctx, j->x, r->columns + 1);
    NY_NEW_RAW(ctx, j->best_x, r->columns + 1);
    NY_NEW_RAW(ctx, j->lo, r->columns + 1);
    NY_NEW_RAW(ctx, j->hi, r->columns + 1);
    for (int64_t i = 1; i < X->n; i++)
        for (int64_t c = 0; c < X->d; c++) varies[r->column[c]] |= X->x[c + i * X->d] != X->x[c];
    for (int64_t c = 0; c < r->columns; c++)
        if (varies[c]) j->variable[j->variables++] = c;
done:
    ny_free(varies);
    return st;
}

/* From scales of 1 and the best machine of sel, on these rows, to the best scales. */
static ny_status scales(ny_selection *sel, const ny_rows *rows, int64_t m, int64_t evaluations, bool select, job *j) {
    ny_status st = NY_OK;
    for (int64_t c = 0; c < j->machine.columns; c++) j->scale[c] = 1;
    j->sel = sel;
    j->target = -HUGE_VAL;
    j->limit = HUGE_VAL;
    j->pull = PULL;
    j->planned = select ? 2 * evaluations : evaluations;
    NY_TRY(machine(sel, rows, m, j));
    NY_TRY(prepare(j));
    if (j->variables < 2) goto done; /* one scale is the bandwidth's business */
    if (select) {
        NY_TRY(minimise(j, evaluations));
        NY_TRY(eliminate(j));
    }
    j->pull = j->machine.evidence ? PULL : PULL_LOO;
    j->target = -HUGE_VAL;
    j->limit = HUGE_VAL;
    NY_TRY(minimise(j, evaluations));
done:
    /* The last bits of the values depend on the threads, and must not reach the model. */
    for (int64_t c = 0; c < j->machine.columns; c++)
        if (j->scale[c] > 0) j->scale[c] = exp2(round(log2(j->scale[c]) * GRAIN) / GRAIN);
    release(j);
    return st;
}

ny_status ny_ard_from(ny_selection *sel, int64_t columns, const int64_t *column, double *scale) {
    job j = {.scale = scale, .machine = {.columns = columns, .column = column}};
    int64_t m = sel->plan.landmarks < LANDMARKS ? sel->plan.landmarks : LANDMARKS;
    return scales(sel, &sel->rows->all, m, EVALUATIONS_SOME, false, &j);
}

ny_status ny_ard_find(const ny_selection *original, int64_t columns, const int64_t *column, bool select, double *scale,
                      ny_tried *tried) {
    ny_status st = NY_OK;
    ny_setup setup = *original->setup;
    ny_selection own, *sel = &own; /* without passes: the sample is enough */
    job j = {.scale = scale, .machine = {.columns = columns, .column = column}};
    const ny_rows *rows;
    int64_t n = 0, m = 0;
    for (int64_t c = 0; c < columns; c++) scale[c] = 1;
    setup.posterior = NY_POSTERIOR_NO;
    own = ny_selection_of(original->ctx, &setup, original->rows);
    own.plan = original->plan;
    own.pace = original->pace;
    own.found.started = ny_now();
    NY_TRY(plan(sel, &n, &m));
    NY_TRY(isotropic(sel, n, m));
    NY_TRY(ny_rows_of_level(sel, n, &rows));
    NY_TRY(scales(sel, rows, m, EVALUATIONS, select, &j));
done:
    *tried = own.found.tried;
    own.found.tried = (ny_tried){0};
    ny_selection_clear(&own);
    return st == NY_STOPPED ? NY_OK : st; /* the search to come will notice */
}

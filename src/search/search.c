/* search.c: the range of bandwidths, and what a level of the search costs. */
#include "search.h"

#include <math.h>

#include "base/order.h"

static const double THIN = 80; /* landmarks of a machine that has half the rate of a large one (measured) */

int64_t ny_plan_landmarks(const ny_selection *sel) {
    return sel->plan.spanning && sel->plan.landmarks >= sel->plan.spanning ? sel->rows->n : sel->plan.landmarks;
}

ny_size ny_size_of(const ny_selection *sel, int64_t rows, int64_t landmarks) {
    return (ny_size){.n = (double)rows,
                     .d = (double)sel->rows->all.X.d,
                     .m = (double)(landmarks < rows ? landmarks : rows),
                     .q = (double)sel->setup->outputs,
                     .folds = sel->setup->folds > 0 ? (double)sel->setup->folds : 1,
                     .values = NY_VALUES_OF_C,
                     .together = 1};
}

/* q = k (k - 1) / 2 pairs of k classes are q problems of one output, each with 2/k of the rows. */
static ny_size pair_of(const ny_size *size) {
    ny_size pair = *size;
    pair.n *= 2 / (0.5 + sqrt(2 * size->q + 0.25));
    pair.q = 1;
    return pair;
}

double ny_closed_flops(const ny_criterion *criterion, const ny_size *size, bool pairs) {
    ny_size pair = pair_of(size);
    return ny_factor_cost(size).flops + (pairs ? size->q * ny_judge_cost(criterion, NY_CLOSED_FORM, &pair).flops
                                               : ny_judge_cost(criterion, NY_CLOSED_FORM, size).flops);
}

double ny_newton_flops(const ny_criterion *criterion, const ny_size *size, bool pairs) {
    ny_size pair = pair_of(size);
    return pairs ? size->q * ny_judge_cost(criterion, NY_ITERATIVE, &pair).flops
                 : ny_judge_cost(criterion, NY_ITERATIVE, size).flops;
}

double ny_dense_flops(const ny_size *size) {
    return ny_factor_kernel_cost(size).flops + ny_judge_cost(&ny_criterion_loo, NY_OF_KERNEL, size).flops;
}

double ny_thin(int64_t landmarks) {
    return 1 + THIN / (double)landmarks;
}

double ny_level_flops(const ny_selection *sel, int64_t rows, int64_t landmarks) {
    bool pairs = ny_setup_pairs(sel->setup);
    ny_size size = ny_size_of(sel, rows, landmarks);
    if (landmarks >= rows && ny_by_kernel(&sel->now, rows, rows == sel->rows->n)) return ny_dense_flops(&size);
    double newton = ny_setup_iterates(&sel->now) ? ny_newton_flops(sel->setup->criterion, &size, pairs) : 0;
    return newton + ny_closed_flops(&ny_criterion_loo, &size, pairs);
}

/* The stored entries of a row: all of a dense one. input: which each is; NULL: 0, 1, ... */
static int64_t entries(const ny_matrix *X, int64_t i, const double **value, const int32_t **input) {
    bool sparse = ny_matrix_is_sparse(X);
    *value = sparse ? X->val + X->ptr[i] : X->x + i * X->d;
    *input = sparse ? X->idx + X->ptr[i] : NULL;
    return sparse ? X->ptr[i + 1] - X->ptr[i] : X->d;
}

/* sigma^2 = sum_i v_i |x_i - c|^2 / V,   c = sum_i v_i x_i / V,   V = sum_i v_i                   docs/math.md, eq. 97
 *
 * Entries that a sparse row does not store are 0 and add c_j^2: over all rows (V - V_j) c_j^2, V_j the weight of those
 * that store input j. */
ny_status ny_bandwidth_resolve(ny_ctx *ctx, const ny_rows *all, ny_range *bandwidth) {
    ny_status st = NY_OK;
    const ny_matrix *X = &all->X;
    const double *u = all->u, *value;
    const int32_t *input;
    double *centre = NULL, *stored = NULL, weight = 0, squares = 0;
    if (!bandwidth->is_zhang) return NY_OK;
    NY_NEW(ctx, centre, X->d);
    NY_NEW(ctx, stored, X->d);
    for (int64_t i = 0; i < X->n; i++) weight += u[i] * u[i];
    for (int64_t i = 0; i < X->n; i++)
        for (int64_t k = 0, count = entries(X, i, &value, &input); k < count; k++) {
            int64_t j = input ? input[k] : k;
            centre[j] += u[i] * u[i] / weight * value[k];
            stored[j] += u[i] * u[i];
        }
    for (int64_t i = 0; i < X->n; i++)
        for (int64_t k = 0, count = entries(X, i, &value, &input); k < count; k++) {
            double away = value[k] - centre[input ? input[k] : k];
            squares += u[i] * u[i] * away * away;
        }
    for (int64_t j = 0; j < X->d; j++) squares += fmax(weight - stored[j], 0) * centre[j] * centre[j];
    double sigma = sqrt(squares / weight), power = log2(sigma);
    NY_CHECK(ctx, fabs(power) <= 300, NY_ERR_DATA,
             "--bandwidth zhang: the rows' distance from their centre is %g: use --scale standard, or give a number",
             sigma);
    *bandwidth = (ny_range){.lo = power, .hi = power, .single = sigma};
done:
    ny_free(centre);
    ny_free(stored);
    return st;
}

static double root(double v, double order) {
    return order == 2 ? sqrt(v) : pow(v, 1 / order);
}

/* Whether a squared distance, which is a difference of norms and inner products, is no more than their rounding. */
static bool rounding(ny_kernel_base base, double v, double norms) {
    return base == NY_BASE_SQDIST && !(v > 1e-12 * norms);
}

/* Distances between the sampled points, D (k x k) to their power `order`: median of all, median to the nearest
 * neighbour. Identical points tell nothing about the scale and are left out. */
static void distance_scale(double *D, int64_t k, double order, double *all, double *median, double *nearest) {
    int64_t pairs = 0, near = 0;
    for (int64_t i = 0; i < k; i++) {
        double least = INFINITY;
        for (int64_t j = 0; j < k; j++)
            if (D[j + i * k] > 0) {
                least = fmin(least, D[j + i * k]);
                if (j < i) all[pairs++] = D[j + i * k];
            }
        if (isfinite(least)) D[near++] = least; /* column 0 upwards is free: i >= near */
    }
    *nearest = near ? root(ny_order_select(D, near, near / 2), order) : 0;
    *median = pairs ? root(ny_order_select(all, pairs, pairs / 2), order) : 0;
}

/* Distance kernels: from half of the typical nearest neighbour's distance to four times the median distance; the guess
 * is the median. Inner-product kernels: within a factor of four of the root mean squared norm. A best bandwidth on an
 * end leads the search on, so the range may be narrow. */
ny_status ny_bandwidth_range(ny_selection *sel, const ny_kernel *kernel, double *lo, double *hi, double *guess) {
    enum { SAMPLE = 400 };
    ny_status st = NY_OK;
    ny_ctx *ctx = sel->ctx;
    double *D = NULL, *all = NULL, median = 0, nearest = 0;
    const ny_rows *rows;
    ny_kernel_side side = {0};
    NY_TRY(ny_rows_of_level(sel, SAMPLE, &rows));
    int64_t k = rows->n;
    NY_NEW_RAW(ctx, D, k * k);
    NY_NEW_RAW(ctx, all, k * k);
    NY_TRY(ny_kernel_prepare(ctx, &rows->X, true, &side));
    if (kernel->base != NY_BASE_DOT) {
        ny_kernel_params p = {.kernel = kernel};
        ny_kernel_bases(&p, &side, &side, D, k);
        for (int64_t i = 0; i < k; i++)
            for (int64_t j = 0; j < k; j++)
                if (i == j || rounding(kernel->base, D[j + i * k], side.norms[i] + side.norms[j])) D[j + i * k] = 0;
        distance_scale(D, k, ny_base_order(kernel->base), all, &median, &nearest);
    } else {
        for (int64_t i = 0; i < k; i++) median += side.norms[i] / (double)k;
        median = sqrt(median);
        nearest = median / 2;
    }
    NY_CHECK(ctx, median > 0 && isfinite(median), NY_ERR_DATA,
             "all sampled rows have the same inputs: there is nothing to learn from");
    *guess = round(log2(median) * 32) / 32; /* the last bits, which depend on the processor, must not reach the model */
    *hi = *guess + 2;
    *lo = round(log2(nearest / 2) * 32) / 32;
done:
    ny_kernel_release(&side);
    ny_free(D);
    ny_free(all);
    return st;
}

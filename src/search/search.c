/* search.c: the range of bandwidths, and what a level of the search costs. */
#include "search.h"

#include <math.h>

#include "base/order.h"

double ny_evaluation_flops(int64_t rows, int64_t inputs, int64_t landmarks, int64_t outputs, bool pairs) {
    double n = (double)rows, d = (double)inputs, m = (double)(landmarks < rows ? landmarks : rows), q = (double)outputs;
    double factor = n * m * (2 * d + 20) + n * m * m, reduce = 3 * n * m * m + 14 * m * m * m;
    if (!pairs) return factor + reduce + 30 * n * m * (q + 1);
    double share = 2 / (0.5 + sqrt(2 * q + 0.25)); /* q = k (k - 1) / 2 pairs of k classes, each with 2/k of the rows */
    return factor + q * (3 * share * n * m * m + 14 * m * m * m + 60 * share * n * m);
}

static const double FACTORS = 4; /* a Cholesky factor and its inverse for each of about four C */
static const double THIN = 80;   /* landmarks of a machine that has half the rate of a large one (measured) */

double ny_dense_flops(int64_t rows, int64_t inputs, int64_t outputs) {
    double n = (double)rows, d = (double)inputs;
    return n * n * (2 * d + 20) + FACTORS * n * n * (2 * n / 3 + 4 * (double)(outputs + 1));
}

double ny_thin(int64_t landmarks) {
    return 1 + THIN / (double)landmarks;
}

double ny_newton_flops(int64_t rows, int64_t landmarks, int64_t outputs, bool pairs) {
    double n = (double)rows, k = (double)(landmarks < rows ? landmarks : rows), q = (double)outputs;
    double each = pairs ? q * 2 / (0.5 + sqrt(2 * q + 0.25)) : q; /* pairs of K classes have 2/K of the rows */
    return 3 * 8 * each * n * k * (k + 400);
}

double ny_level_flops(const ny_selection *sel, int64_t rows, int64_t landmarks) {
    bool pairs = ny_setup_pairs(sel->setup);
    double newton = sel->now.criterion->effort ? ny_newton_flops(rows, landmarks, sel->setup->outputs, pairs) : 0;
    if (landmarks >= rows && ny_by_kernel(&sel->now, rows, rows == sel->rows->n))
        return ny_dense_flops(rows, sel->rows->all.X.d, sel->setup->outputs);
    return newton + ny_evaluation_flops(rows, sel->rows->all.X.d, landmarks, sel->setup->outputs, pairs);
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

/* Distances between the sampled points D (k x k squared): median of all, median to the nearest neighbour. Identical
 * points tell nothing about the scale and are left out. */
static void distance_scale(double *D, int64_t k, double *all, double *median, double *nearest) {
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
    *nearest = near ? sqrt(ny_order_select(D, near, near / 2)) : 0;
    *median = pairs ? sqrt(ny_order_select(all, pairs, pairs / 2)) : 0;
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
    if (kernel->base == NY_BASE_SQDIST) {
        ny_kernel_params dot = {.kernel = &ny_kernel_linear};
        ny_kernel_matrix(&dot, &side, &side, false, D, k);
        for (int64_t i = 0; i < k; i++)
            for (int64_t j = 0; j < k; j++) {
                double sum = side.norms[i] + side.norms[j], v = sum - 2 * D[j + i * k];
                D[j + i * k] = i != j && v > 1e-12 * sum ? v : 0;
            }
        distance_scale(D, k, all, &median, &nearest);
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

/* differences.c: see differences.h.
 *
 * No product of matrices gives these sums, so they are made in blocks that stay in the registers: POINTS points, whose
 * inputs are laid side by side first, against COLUMNS columns. bench_kernel compares this with the bare arithmetic. */
#include "differences.h"

#include <math.h>
#include <string.h>

#include "base/simd.h"

enum { POINTS = 16, COLUMNS = 4, INPUTS = 64 };

typedef struct { /* of one step: some inputs of POINTS points, and of COLUMNS columns */
    int64_t inputs;
    double Z[INPUTS][POINTS];
    const double *x[COLUMNS];
    double sum[COLUMNS][POINTS];
} block;

/* sum += |z - x|^q, q = 1.5 or 1. The sums stay in registers: so a copy of them. */
static inline __attribute__((always_inline)) void add(block *b, bool sesqui) {
    double sum[COLUMNS][POINTS];
    memcpy(sum, b->sum, sizeof sum);
    for (int64_t j = 0; j < b->inputs; j++)
        for (int c = 0; c < COLUMNS; c++) {
            double x = b->x[c][j];
#pragma omp simd
            for (int i = 0; i < POINTS; i++) {
                double t = fabs(b->Z[j][i] - x);
                sum[c][i] += sesqui ? t * sqrt(t) : t;
            }
        }
    memcpy(b->sum, sum, sizeof sum);
}

NY_CLONES static void add_first(block *b) {
    add(b, false);
}

NY_CLONES static void add_sesqui(block *b) {
    add(b, true);
}

/* Points beyond the last and columns beyond the last repeat it; their sums are not stored. */
static void dense(ny_kernel_base base, const ny_matrix *Z, const ny_matrix *X, int64_t first, int64_t count, double *K,
                  int64_t ldk) {
    block b;
    for (int64_t at = 0; at < Z->n; at += POINTS)
        for (int64_t from = 0; from == 0 || from < Z->d; from += INPUTS) {
            b.inputs = Z->d - from < INPUTS ? Z->d - from : INPUTS;
            for (int64_t i = 0; i < POINTS; i++) {
                const double *z = Z->x + from + (at + i < Z->n ? at + i : Z->n - 1) * Z->d;
                for (int64_t j = 0; j < b.inputs; j++) b.Z[j][i] = z[j];
            }
            int64_t points = Z->n - at < POINTS ? Z->n - at : POINTS;
            for (int64_t c = 0; c < count; c += COLUMNS) {
                int64_t columns = count - c < COLUMNS ? count - c : COLUMNS;
                for (int64_t k = 0; k < COLUMNS; k++) {
                    int64_t column = c + (k < columns ? k : columns - 1);
                    b.x[k] = X->x + from + (first + column) * X->d;
                    for (int64_t i = 0; i < POINTS; i++)
                        b.sum[k][i] = from && i < points ? K[at + i + column * ldk] : 0;
                }
                if (base == NY_BASE_ABS) add_first(&b);
                else add_sesqui(&b);
                for (int64_t k = 0; k < columns; k++)
                    for (int64_t i = 0; i < points; i++) K[at + i + (c + k) * ldk] = b.sum[k][i];
            }
        }
}

static double power(ny_kernel_base base, double t) {
    t = fabs(t);
    return base == NY_BASE_ABS ? t : t * sqrt(t);
}

typedef struct { /* of a point: the inputs in their order that may differ from 0 */
    const double *value;
    const int32_t *input; /* NULL: all of them */
    int64_t count;
} entries;

static entries entries_of(const ny_matrix *X, int64_t i) {
    if (!ny_matrix_is_sparse(X)) return (entries){X->x + i * X->d, NULL, X->d};
    return (entries){X->val + X->ptr[i], X->idx + X->ptr[i], X->ptr[i + 1] - X->ptr[i]};
}

static int64_t input_of(const entries *a, int64_t k) {
    if (k >= a->count) return INT64_MAX;
    return a->input ? a->input[k] : k;
}

/* Both lists are in the order of the inputs, so going along them once meets every input that either has. */
static double merged(ny_kernel_base base, entries a, entries b) {
    double sum = 0;
    for (int64_t i = 0, k = 0; i < a.count || k < b.count;) {
        int64_t of_a = input_of(&a, i), of_b = input_of(&b, k);
        double left = of_a <= of_b ? a.value[i] : 0, right = of_b <= of_a ? b.value[k] : 0;
        sum += power(base, left - right);
        i += of_a <= of_b;
        k += of_b <= of_a;
    }
    return sum;
}

void ny_differences(ny_kernel_base base, const ny_matrix *Z, const ny_matrix *X, int64_t first, int64_t count,
                    double *K, int64_t ldk) {
    if (!ny_matrix_is_sparse(Z) && !ny_matrix_is_sparse(X)) {
        dense(base, Z, X, first, count, K, ldk);
        return;
    }
    for (int64_t c = 0; c < count; c++)
        for (int64_t i = 0; i < Z->n; i++) K[i + c * ldk] = merged(base, entries_of(Z, i), entries_of(X, first + c));
}

NY_CLONES static void add_row(ny_kernel_base base, int64_t d, double e, const double *z, const double *x,
                              double *sums) {
    if (base == NY_BASE_ABS) {
#pragma omp simd
        for (int64_t j = 0; j < d; j++) sums[j] += e * fabs(z[j] - x[j]);
    } else {
#pragma omp simd
        for (int64_t j = 0; j < d; j++) {
            double t = fabs(z[j] - x[j]);
            sums[j] += e * t * sqrt(t);
        }
    }
}

void ny_differences_by_input(ny_kernel_base base, const ny_matrix *Z, const ny_matrix *X, const double *E,
                             double *sums) {
    for (int64_t c = 0; c < X->n; c++)
        for (int64_t i = 0; i < Z->n; i++) add_row(base, Z->d, E[i + c * Z->n], Z->x + i * Z->d, X->x + c * X->d, sums);
}

NY_CLONES static void add_slope(ny_kernel_base base, int64_t d, double e, const double *z, const double *x, double *D) {
    if (base == NY_BASE_ABS) {
#pragma omp simd
        for (int64_t j = 0; j < d; j++) D[j] += x[j] > z[j] ? e : x[j] < z[j] ? -e : 0;
    } else {
#pragma omp simd
        for (int64_t j = 0; j < d; j++) D[j] += copysign(1.5 * e * sqrt(fabs(x[j] - z[j])), e * (x[j] - z[j]));
    }
}

void ny_differences_slopes(ny_kernel_base base, const ny_matrix *Z, const ny_matrix *X, int64_t first, int64_t count,
                           const double *E, double *D) {
    memset(D, 0, (size_t)(Z->d * count) * sizeof *D);
    for (int64_t c = 0; c < count; c++)
        for (int64_t i = 0; i < Z->n; i++)
            add_slope(base, Z->d, E[i + c * Z->n], Z->x + i * Z->d, X->x + (first + c) * X->d, D + c * Z->d);
}

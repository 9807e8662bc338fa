/* sweep.c: quadratic forms of (T + mu I)^-1 for many points at once, T tridiagonal. */
#include <math.h>
#include <string.h>

#include "base/simd.h"
#include "linalg.h"

/* d_0 = t_0 + mu,  l_i = o_{i-1} / d_{i-1},  d_i = t_i + mu - l_i o_{i-1}. T is semi-definite, so d_i >= mu but for
 * rounding. */
void ny_tridiag_factor(int64_t r, const double *diag, const double *off, double mu, double *l, double *inverse) {
    double d = 1;
    for (int64_t i = 0; i < r; i++) {
        l[i] = i ? off[i - 1] / d : 0;
        d = fmax(diag[i] + mu - (i ? l[i] * off[i - 1] : 0), mu * 1e-3);
        inverse[i] = 1 / d;
    }
}

/* L y = c, then L' x = D^-1 y. Columns in the inner loop: each is a chain of dependent operations, several overlap. */
void ny_tridiag_solve_with(int64_t n, int64_t k, const double *l, const double *inverse, double *c, int64_t ldc) {
    for (int64_t i = 1; i < n; i++)
        for (int64_t j = 0; j < k; j++) c[i + j * ldc] -= l[i] * c[i - 1 + j * ldc];
    for (int64_t j = 0; j < k && n > 0; j++) c[n - 1 + j * ldc] *= inverse[n - 1];
    for (int64_t i = n - 2; i >= 0; i--)
        for (int64_t j = 0; j < k; j++) c[i + j * ldc] = c[i + j * ldc] * inverse[i] - l[i + 1] * c[i + 1 + j * ldc];
}

/* h[s] = sum_i y_i[s]^2 inverse_i,  y_i = psi_i - l_i y_{i-1} */
NY_CLONES void ny_tridiag_sweep(int64_t r, const double *restrict P, const double *l, const double *inverse,
                                double *restrict h) {
    double y[NY_SWEEP] = {0}, sum[NY_SWEEP] = {0};
    for (int64_t i = 0; i < r; i++) {
        const double *p = P + i * NY_SWEEP, a = l[i], b = inverse[i];
#pragma omp simd
        for (int s = 0; s < NY_SWEEP; s++) {
            y[s] = p[s] - a * y[s];
            sum[s] += y[s] * y[s] * b;
        }
    }
    memcpy(h, sum, sizeof sum);
}

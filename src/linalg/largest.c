/* largest.c: the largest eigenvalue.
 *
 * By products: the Krylov space of a block B of random columns, span(B, AB, .. A^(k-1) B), kept orthonormal in Q by
 * full reorthogonalisation; the answer is the largest eigenvalue of Q'AQ. Its accuracy is that of Lanczos's method with
 * a random start (Kuczynski, Wozniakowski 1992; their Theorem 4.2 has 1.648 sqrt(n) exp(-sqrt(eps) (2k-1)) for the
 * probability of missing by more than eps; docs/math.md derives the form used here), for each column of the block
 * independently: the space holds the Krylov space of every column, so the block misses only if all of them do.
 *
 * Stored: Householder's tridiagonal form, then bisection by Sturm's count. */
#include "largest.h"

#include <math.h>
#include <string.h>

#include "base/rng.h"
#include "linalg.h"

/* P(one start misses by more than eps) <= sqrt(2n/pi) / cosh((2k-1) artanh sqrt eps), solved for eps at 0.01^(1/s). */
double ny_largest_accuracy(int64_t n, int64_t block, int64_t steps) {
    double start = sqrt(2 * (double)n / M_PI) * pow(0.01, -1 / (double)block);
    double root = tanh(acosh(fmax(start, 1)) / (double)(2 * steps - 1));
    return root * root;
}

/* W (n x s) less its part in Q (n x used), then orthonormal; a column that has nothing left becomes zero: the space is
 * exhausted, and zero columns add only zero eigenvalues. H: used x s. */
static void orthonormalise(int64_t n, int64_t used, int64_t s, const double *Q, double *W, double *H) {
    for (int64_t j = 0; j < s; j++) { /* so that "nothing left" has a measure */
        double norm = sqrt(ny_dot(n, W + j * n, W + j * n));
        for (int64_t i = 0; norm > 0 && i < n; i++) W[i + j * n] /= norm;
    }
    for (int pass = 0; pass < 2 && used > 0; pass++) { /* twice is enough */
        ny_gemm(true, false, used, s, n, 1.0, Q, n, W, n, 0.0, H, used);
        ny_gemm(false, false, n, s, used, -1.0, Q, n, H, used, 1.0, W, n);
    }
    for (int64_t j = 0; j < s; j++) {
        double *w = W + j * n;
        for (int pass = 0; pass < 2; pass++)
            for (int64_t k = 0; k < j; k++) {
                double h = ny_dot(n, W + k * n, w);
                for (int64_t i = 0; i < n; i++) w[i] -= h * W[i + k * n];
            }
        double norm = sqrt(ny_dot(n, w, w));
        for (int64_t i = 0; i < n; i++) w[i] = norm > 1e-11 ? w[i] / norm : 0;
    }
}

ny_status ny_largest_by_products(ny_ctx *ctx, int64_t n, ny_product_fn *product, void *arg, int64_t block,
                                 int64_t steps, uint64_t seed, const char *stage, ny_largest *out) {
    ny_status st = NY_OK;
    int64_t s = block < n ? block : n, most = (n + s - 1) / s, k = steps < most ? steps : most, size = k * s;
    double *Q = NULL, *T = NULL, *H = NULL, *lambda = NULL, started = ny_now();
    NY_NEW_RAW(ctx, Q, ny_size3(n, size + s, 1)); /* n x size, and the block that comes next */
    NY_NEW(ctx, T, ny_size3(size, size, 1));
    NY_NEW_RAW(ctx, H, ny_size3(size, s, 1));
    NY_NEW_RAW(ctx, lambda, size);
    ny_rng rng = ny_rng_make(seed, NY_RNG_BOUND, 0);
    for (int64_t i = 0; i < n * s; i++) Q[i] = ny_rng_normal(&rng);
    for (int64_t step = 0; step < k; step++) {
        int64_t used = step * s;
        double *V = Q + used * n, *W = V + s * n;
        orthonormalise(n, used, s, Q, V, H);
        product(arg, s, V, W);
        if (ny_should_stop(ctx)) NY_FAIL(ctx, NY_STOPPED, "stopped");
        /* block column of Q'AQ; symmetric, so the rows above are enough for what comes before */
        ny_gemm(true, false, used + s, s, n, 1.0, Q, n, W, n, 0.0, T + used * size, size);
        double elapsed = ny_now() - started;
        ny_progress(ctx, stage, (double)(step + 1), (double)k, elapsed * (double)(k - step - 1) / (double)(step + 1));
    }
    *out = (ny_largest){.accuracy = ny_largest_accuracy(n, s, k)};
    for (int64_t j = 0; j < size; j++) {
        out->captured += T[j + j * size];
        for (int64_t i = 0; i < j; i++) T[j + i * size] = T[i + j * size]; /* the lower triangle is what is read */
    }
    NY_TRY(ny_eig(ctx, size, T, size, lambda));
    out->value = fmax(lambda[size - 1], 0);
done:
    ny_free(Q);
    ny_free(T);
    ny_free(H);
    ny_free(lambda);
    return st;
}

/* Whether T - x I has a positive eigenvalue: as many as its LDL' has positive pivots. */
static bool is_below(int64_t n, const double *diag, const double *off, double x) {
    double d = 1;
    for (int64_t i = 0; i < n; i++) {
        d = diag[i] - x - (i > 0 ? off[i - 1] * off[i - 1] / d : 0);
        if (d > 0) return true;
        if (d == 0) d = -1e-300;
    }
    return false;
}

ny_status ny_largest_stored(ny_ctx *ctx, int64_t n, double *A, int64_t lda, double *value) {
    ny_status st = NY_OK;
    double *diag = NULL, *off = NULL, *tau = NULL;
    NY_NEW(ctx, diag, n);
    NY_NEW(ctx, off, n);
    NY_NEW(ctx, tau, n);
    NY_TRY(ny_tridiag(ctx, n, A, lda, diag, off, tau));
    double lo = -INFINITY, hi = -INFINITY, sum = 0; /* the largest diagonal element; Gershgorin */
    for (int64_t i = 0; i < n; i++) {
        lo = fmax(lo, diag[i]);
        sum += fabs(diag[i]) + (i + 1 < n ? fabs(off[i]) : 0); /* fmax passes over NAN */
        hi = fmax(hi, diag[i] + (i > 0 ? fabs(off[i - 1]) : 0) + (i + 1 < n ? fabs(off[i]) : 0));
    }
    NY_CHECK(ctx, isfinite(sum), NY_ERR_NUMERIC, "a matrix of %lld x %lld is not finite", (long long)n, (long long)n);
    for (int i = 0; i < 200 && hi > lo; i++) {
        double middle = lo + (hi - lo) / 2;
        if (middle <= lo || middle >= hi) break;
        if (is_below(n, diag, off, middle)) lo = middle;
        else hi = middle;
    }
    *value = hi;
done:
    ny_free(diag);
    ny_free(off);
    ny_free(tau);
    return st;
}

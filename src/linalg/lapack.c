/* lapack.c: factorisations. Debian's OpenBLAS carries LAPACK's Fortran symbols, so they are called directly. */
#include <cblas.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "blas_threads.h"
#include "linalg.h"

extern void dpotrf_(const char *, const int *, double *, const int *, int *);
extern void dpotrs_(const char *, const int *, const int *, const double *, const int *, double *, const int *, int *);
extern void dtrtri_(const char *, const char *, const int *, double *, const int *, int *);
extern void dpstrf_(const char *, const int *, double *, const int *, int *, int *, const double *, double *, int *);
extern void dsyevd_(const char *, const char *, const int *, double *, const int *, double *, double *, const int *,
                    int *, const int *, int *);
extern void dsytrd_(const char *, const int *, double *, const int *, double *, double *, double *, double *,
                    const int *, int *);
extern void dorgtr_(const char *, const int *, double *, const int *, const double *, double *, const int *, int *);
extern void dormtr_(const char *, const char *, const char *, const int *, const int *, const double *, const int *,
                    const double *, double *, const int *, double *, const int *, int *);

/* Block columns, with the inverse of each diagonal block: then all but 1/n of it is products, which run at twice the
 * speed of OpenBLAS's dpotrf and dtrsm (581 x 581: 1.7 ms instead of 2.6; 1343: 18 instead of 37). Threads only where a
 * product is large: with two of them for the blocks as well 1136 x 1136 took three times as long as with one.
 *     L_kk L_kk' = A_kk,   L_k = A_k L_kk^-T,   A -= L_k L_k' */
bool ny_chol(int64_t n, double *A, int64_t lda) {
    enum { WIDEST = 96 };
    double inverse[WIDEST * WIDEST];
    int64_t width = n <= 256 ? n : n <= 1500 ? 64 : WIDEST;
    int info = 0, LD = (int)lda;
    for (int64_t k = 0; k < n && info == 0; k += width) {
        int64_t count = n - k < width ? n - k : width, below = n - k - count;
        double *D = A + k + k * lda, *B = D + count;
        int N = (int)count, threads = ny_blas_begin(0);
        dpotrf_("L", &N, D, &LD, &info);
        for (int64_t j = 0; j < count && below > 0; j++)
            memcpy(inverse + j + j * count, D + j + j * lda, (size_t)(count - j) * sizeof *D);
        if (below > 0 && info == 0) {
            dtrtri_("L", "N", &N, inverse, &N, &info);
            cblas_dtrmm(CblasColMajor, CblasRight, CblasLower, CblasTrans, CblasNonUnit, (int)below, N, 1.0, inverse, N,
                        B, LD);
        }
        ny_blas_end(threads);
        if (below > 0 && info == 0) ny_syrk(below, count, -1.0, B, lda, 1.0, B + count * lda, lda);
    }
    return info == 0;
}

/* By halves, so that nearly all of it is products (OpenBLAS's dtrtri alone: a fifth of their speed):
 *     [A 0; B C]^-1 = [A^-1 0; -C^-1 B A^-1 C^-1] */
void ny_triangle_inverse(int64_t n, double *L, int64_t ldl) {
    if (n <= 32) {
        int N = (int)n, LD = (int)ldl, info;
        int threads = ny_blas_begin(0);
        dtrtri_("L", "N", &N, L, &LD, &info);
        ny_blas_end(threads);
        return;
    }
    int64_t half = (n / 2 + 7) / 8 * 8;
    double *B = L + half, *C = L + half + half * ldl;
    ny_triangle_inverse(half, L, ldl);
    ny_triangle_inverse(n - half, C, ldl);
    ny_trmm(false, n - half, half, C, ldl, B, ldl);
    ny_trmm_right(n - half, half, -1.0, L, ldl, B, ldl);
}

void ny_chol_solve(int64_t n, int64_t nrhs, const double *L, int64_t lda, double *B, int64_t ldb) {
    int N = (int)n, K = (int)nrhs, LDA = (int)lda, LDB = (int)ldb, info;
    int threads = ny_blas_begin(0);
    dpotrs_("L", &N, &K, L, &LDA, B, &LDB, &info);
    ny_blas_end(threads);
}

int64_t ny_chol_pivoted(int64_t n, double *A, int64_t lda, double tol, int32_t *pivot, double *scratch) {
    int N = (int)n, LD = (int)lda, rank, info;
    int threads = ny_blas_begin(0);
    dpstrf_("L", &N, A, &LD, pivot, &rank, &tol, scratch, &info);
    ny_blas_end(threads);
    for (int64_t i = 0; i < n; i++) pivot[i]--;
    return rank;
}

ny_status ny_eig(ny_ctx *ctx, int64_t n, double *A, int64_t lda, double *lambda) {
    ny_status st = NY_OK;
    double *work = NULL, want;
    int *iwork = NULL;
    int N = (int)n, LD = (int)lda, ask = -1, iwant, info;
    if (n == 0) return NY_OK;
    dsyevd_("V", "L", &N, A, &LD, lambda, &want, &ask, &iwant, &ask, &info);
    NY_NEW_RAW(ctx, work, (int64_t)want);
    NY_NEW_RAW(ctx, iwork, iwant);
    int lwork = (int)want;
    int threads = ny_blas_begin(0);
    dsyevd_("V", "L", &N, A, &LD, lambda, work, &lwork, iwork, &iwant, &info);
    ny_blas_end(threads);
    NY_CHECK(ctx, info == 0, NY_ERR_NUMERIC,
             "the eigenvalues of a %lld x %lld matrix did not converge: are the inputs scaled?", (long long)n,
             (long long)n);
done:
    ny_free(work);
    ny_free(iwork);
    return st;
}

ny_status ny_tridiag(ny_ctx *ctx, int64_t n, double *A, int64_t lda, double *diag, double *off, double *tau) {
    ny_status st = NY_OK;
    double *work = NULL, want;
    int N = (int)n, LD = (int)lda, ask = -1, info;
    if (n == 0) return NY_OK;
    dsytrd_("L", &N, A, &LD, diag, off, tau, &want, &ask, &info);
    NY_NEW_RAW(ctx, work, (int64_t)want);
    int lwork = (int)want;
    int threads = ny_blas_begin(0);
    dsytrd_("L", &N, A, &LD, diag, off, tau, work, &lwork, &info);
    ny_blas_end(threads);
done:
    ny_free(work);
    return st;
}

ny_status ny_tridiag_q(ny_ctx *ctx, int64_t n, double *A, int64_t lda, const double *tau) {
    ny_status st = NY_OK;
    double *work = NULL, want;
    int N = (int)n, LD = (int)lda, ask = -1, info;
    if (n == 0) return NY_OK;
    dorgtr_("L", &N, A, &LD, tau, &want, &ask, &info);
    NY_NEW_RAW(ctx, work, (int64_t)want);
    int lwork = (int)want, threads = ny_blas_begin(0);
    dorgtr_("L", &N, A, &LD, tau, work, &lwork, &info);
    ny_blas_end(threads);
done:
    ny_free(work);
    return st;
}

ny_status ny_tridiag_apply(ny_ctx *ctx, bool transpose, int64_t n, int64_t k, const double *A, int64_t lda,
                           const double *tau, double *B, int64_t ldb) {
    ny_status st = NY_OK;
    double *work = NULL, want;
    int N = (int)n, K = (int)k, LDA = (int)lda, LDB = (int)ldb, ask = -1, info;
    if (n == 0 || k == 0) return NY_OK;
    const char *trans = transpose ? "T" : "N";
    dormtr_("L", "L", trans, &N, &K, A, &LDA, tau, B, &LDB, &want, &ask, &info);
    NY_NEW_RAW(ctx, work, (int64_t)want);
    int lwork = (int)want;
    int threads = ny_blas_begin(0);
    dormtr_("L", "L", trans, &N, &K, A, &LDA, tau, B, &LDB, work, &lwork, &info);
    ny_blas_end(threads);
done:
    ny_free(work);
    return st;
}

/* The diagonal of (T + mu I)^-1 comes from the forward and the backward pivots: 1 / (forward_i + backward_i - (t_i +
 * mu)). */
double ny_tridiag_inverse_trace(int64_t n, const double *diag, const double *off, double mu, double *forward) {
    double *backward = forward + n, sum = 0;
    for (int64_t i = 0; i < n; i++) forward[i] = diag[i] + mu - (i ? off[i - 1] * off[i - 1] / forward[i - 1] : 0);
    for (int64_t i = n - 1; i >= 0; i--)
        backward[i] = diag[i] + mu - (i < n - 1 ? off[i] * off[i] / backward[i + 1] : 0);
    for (int64_t i = 0; i < n; i++) sum += 1 / (forward[i] + backward[i] - diag[i] - mu);
    return sum;
}

/* T is semi-definite, so pivots are at least mu but for rounding. */
double ny_tridiag_logdet(int64_t n, const double *diag, const double *off, double mu) {
    double d = 1, sum = 0;
    for (int64_t i = 0; i < n; i++) {
        d = fmax(diag[i] + mu - (i ? off[i - 1] * off[i - 1] / d : 0), mu * 1e-3);
        sum += log(d);
    }
    return sum;
}

/* LDL' of T + mu I: d_1 = t_1 + mu, l_i = o_i / d_i, d_{i+1} = t_{i+1} + mu - l_i o_i; then the two sweeps. */
void ny_tridiag_solve(int64_t n, int64_t k, const double *diag, const double *off, double mu, double *c, int64_t ldc,
                      double *d) {
    if (n == 0) return;
    d[0] = diag[0] + mu;
    for (int64_t i = 1; i < n; i++) d[i] = diag[i] + mu - off[i - 1] * off[i - 1] / d[i - 1];
    for (int64_t j = 0; j < k; j++) {
        double *x = c + j * ldc;
        for (int64_t i = 1; i < n; i++) x[i] -= off[i - 1] / d[i - 1] * x[i - 1];
        x[n - 1] /= d[n - 1];
        for (int64_t i = n - 2; i >= 0; i--) x[i] = (x[i] - off[i] * x[i + 1]) / d[i];
    }
}

/* blas.c: BLAS with checked sizes. */
#include <cblas.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/threads.h"
#include "blas_threads.h"
#include "linalg.h"

ny_status ny_blas_fits(ny_ctx *ctx, int64_t a, int64_t b) {
    if (a <= INT_MAX && b <= INT_MAX) return NY_OK;
    return ny_error(ctx, NY_ERR_DATA, "a matrix of %lld x %lld is beyond what BLAS can index", (long long)a,
                    (long long)b);
}

/* Parallel kind 2 is the OpenMP build, which follows omp_set_num_threads and knows when it is inside a region. The
 * pthread build does not: it is held to one thread and our own tiles are the parallelism. */
void ny_blas_prepare(void) {
    if (openblas_get_parallel() != 2) openblas_set_num_threads(1);
}

/* A processor that OpenBLAS has never heard of is one of these to it. */
const char *ny_blas_better_core(const char *core, bool avx2, bool avx512) {
    static const char *const resort[] = {"Prescott", "Core2", "Nehalem", "Sandybridge", "Generic", "generic"};
    bool unknown = false;
    for (size_t i = 0; i < sizeof resort / sizeof *resort; i++) unknown |= strcmp(core, resort[i]) == 0;
    return !unknown ? NULL : avx512 ? "SkylakeX" : avx2 ? "Haswell" : NULL;
}

const char *ny_blas_advice(void) {
    bool avx2 = false, avx512 = false;
#ifdef __x86_64__
    avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
    avx512 = avx2 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
             __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl");
#endif
    return getenv("OPENBLAS_CORETYPE") ? NULL : ny_blas_better_core(openblas_get_corename(), avx2, avx512);
}

/* Threads inside BLAS pay for large products only. For everything else one thread: a region costs a barrier, and when
 * another program has the second core each barrier can cost milliseconds (an eigen-decomposition of 200 x 200 makes
 * thousands: measured 5 s instead of 0.01 s). */
int ny_blas_begin(double flops) {
    int threads = ny_threads();
    if (flops < 3e8 && threads > 1) ny_threads_set(1);
    return threads;
}

void ny_blas_end(int threads) {
    if (threads > 1) ny_threads_set(threads);
}

static CBLAS_TRANSPOSE op(bool transpose) {
    return transpose ? CblasTrans : CblasNoTrans;
}

void ny_gemm(bool ta, bool tb, int64_t m, int64_t n, int64_t k, double alpha, const double *A, int64_t lda,
             const double *B, int64_t ldb, double beta, double *C, int64_t ldc) {
    if (m == 0 || n == 0) return;
    int threads = ny_blas_begin(2.0 * (double)m * (double)n * (double)k);
    cblas_dgemm(CblasColMajor, op(ta), op(tb), (int)m, (int)n, (int)k, alpha, A, (int)lda, B, (int)ldb, beta, C,
                (int)ldc);
    ny_blas_end(threads);
}

void ny_gemm_float(bool ta, int64_t m, int64_t n, int64_t k, const float *A, int64_t lda, const float *B, int64_t ldb,
                   float *C, int64_t ldc) {
    int threads = ny_blas_begin(2.0 * (double)m * (double)n * (double)k);
    cblas_sgemm(CblasColMajor, op(ta), CblasNoTrans, (int)m, (int)n, (int)k, 1.0F, A, (int)lda, B, (int)ldb, 0.0F, C,
                (int)ldc);
    ny_blas_end(threads);
}

void ny_gemv(bool ta, int64_t m, int64_t n, double alpha, const double *A, int64_t lda, const double *x, double beta,
             double *y) {
    int threads = ny_blas_begin(20.0 * (double)m * (double)n);
    cblas_dgemv(CblasColMajor, op(ta), (int)m, (int)n, alpha, A, (int)lda, x, 1, beta, y, 1);
    ny_blas_end(threads);
}

void ny_syrk(int64_t n, int64_t k, double alpha, const double *A, int64_t lda, double beta, double *C, int64_t ldc) {
    int threads = ny_blas_begin((double)n * (double)n * (double)k);
    cblas_dsyrk(CblasColMajor, CblasLower, CblasNoTrans, (int)n, (int)k, alpha, A, (int)lda, beta, C, (int)ldc);
    ny_blas_end(threads);
}

void ny_gram(int64_t n, int64_t k, double alpha, const double *A, int64_t lda, double beta, double *C, int64_t ldc) {
    if (n == 0) return;
    int threads = ny_blas_begin((double)n * (double)n * (double)k);
    cblas_dsyrk(CblasColMajor, CblasLower, CblasTrans, (int)n, (int)k, alpha, A, (int)lda, beta, C, (int)ldc);
    ny_blas_end(threads);
}

void ny_syr(int64_t n, double alpha, const double *x, double *C, int64_t ldc) {
    if (n == 0) return;
    int threads = ny_blas_begin(0);
    cblas_dsyr(CblasColMajor, CblasLower, (int)n, alpha, x, 1, C, (int)ldc);
    ny_blas_end(threads);
}

void ny_trsm(bool transpose, int64_t m, int64_t n, const double *L, int64_t ldl, double *B, int64_t ldb) {
    int threads = ny_blas_begin((double)m * (double)m * (double)n);
    cblas_dtrsm(CblasColMajor, CblasLeft, CblasLower, op(transpose), CblasNonUnit, (int)m, (int)n, 1.0, L, (int)ldl, B,
                (int)ldb);
    ny_blas_end(threads);
}

void ny_trmm(bool transpose, int64_t m, int64_t n, const double *L, int64_t ldl, double *B, int64_t ldb) {
    int threads = ny_blas_begin((double)m * (double)m * (double)n);
    cblas_dtrmm(CblasColMajor, CblasLeft, CblasLower, op(transpose), CblasNonUnit, (int)m, (int)n, 1.0, L, (int)ldl, B,
                (int)ldb);
    ny_blas_end(threads);
}

void ny_trmv(bool transpose, int64_t n, const double *L, int64_t ldl, double *x) {
    int threads = ny_blas_begin(0);
    cblas_dtrmv(CblasColMajor, CblasLower, op(transpose), CblasNonUnit, (int)n, L, (int)ldl, x, 1);
    ny_blas_end(threads);
}

void ny_trmm_right(int64_t m, int64_t n, double alpha, const double *L, int64_t ldl, double *B, int64_t ldb) {
    int threads = ny_blas_begin((double)m * (double)n * (double)n);
    cblas_dtrmm(CblasColMajor, CblasRight, CblasLower, CblasNoTrans, CblasNonUnit, (int)m, (int)n, alpha, L, (int)ldl,
                B, (int)ldb);
    ny_blas_end(threads);
}

void ny_trmm_float(int64_t m, int64_t n, const float *L, int64_t ldl, float *B, int64_t ldb) {
    int threads = ny_blas_begin((double)m * (double)m * (double)n);
    cblas_strmm(CblasColMajor, CblasLeft, CblasLower, CblasNoTrans, CblasNonUnit, (int)m, (int)n, 1.0F, L, (int)ldl, B,
                (int)ldb);
    ny_blas_end(threads);
}

double ny_dot(int64_t n, const double *x, const double *y) {
    int threads = ny_blas_begin(0);
    double sum = cblas_ddot((int)n, x, 1, y, 1);
    ny_blas_end(threads);
    return sum;
}

void ny_mirror(int64_t n, double *A, int64_t lda) {
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = j + 1; i < n; i++) A[j + i * lda] = A[i + j * lda];
}

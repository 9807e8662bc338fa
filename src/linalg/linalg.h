/* linalg.h: the only door to BLAS and LAPACK. Matrices are column-major; sizes are int64_t and checked once, in
 * ny_blas_fits, before a job starts. Symmetric matrices use their lower triangle. */
#ifndef NY_LINALG_H
#define NY_LINALG_H

#include <stdbool.h>
#include <stdint.h>

#include "base/ctx.h"
#include "base/threads.h"

/* NY_ERR_DATA when a dimension exceeds what BLAS can index. */
ny_status ny_blas_fits(ny_ctx *ctx, int64_t a, int64_t b);
/* A BLAS that has threads of its own is held to one: ours are the crew's. */
void ny_blas_prepare(void);
/* A crew of that many threads (0: ny_threads_available) with room for BLAS in each; what was before is for ny_crew_end.
 */
ny_status ny_blas_crew(ny_ctx *ctx, int threads, ny_crew_before *before);
/* The core that OpenBLAS should take the processor for, given the one that it takes it for; NULL: that one. */
const char *ny_blas_better_core(const char *core, bool avx2, bool avx512);

/* C = alpha op(A) op(B) + beta C, op(A) is m x k. */
void ny_gemm(bool ta, bool tb, int64_t m, int64_t n, int64_t k, double alpha, const double *A, int64_t lda,
             const double *B, int64_t ldb, double beta, double *C, int64_t ldc);
/* C = op(A) B in single precision. */
void ny_gemm_float(bool ta, int64_t m, int64_t n, int64_t k, const float *A, int64_t lda, const float *B, int64_t ldb,
                   float *C, int64_t ldc);
/* y = alpha op(A) x + beta y, A is m x n. */
void ny_gemv(bool ta, int64_t m, int64_t n, double alpha, const double *A, int64_t lda, const double *x, double beta,
             double *y);
/* C = alpha A A' + beta C (lower), A is n x k. */
void ny_syrk(int64_t n, int64_t k, double alpha, const double *A, int64_t lda, double beta, double *C, int64_t ldc);
/* C = alpha A'A + beta C (lower), A is k x n. */
void ny_gram(int64_t n, int64_t k, double alpha, const double *A, int64_t lda, double beta, double *C, int64_t ldc);
/* C += alpha x x' (lower). */
void ny_syr(int64_t n, double alpha, const double *x, double *C, int64_t ldc);
/* B = op(L)^-1 B, L lower triangular m x m, B m x n. */
void ny_trsm(bool transpose, int64_t m, int64_t n, const double *L, int64_t ldl, double *B, int64_t ldb);
/* B = op(L) B, L lower triangular m x m, B m x n. */
void ny_trmm(bool transpose, int64_t m, int64_t n, const double *L, int64_t ldl, double *B, int64_t ldb);
/* x = op(L) x, L lower triangular n x n. */
void ny_trmv(bool transpose, int64_t n, const double *L, int64_t ldl, double *x);
/* B = alpha B L, L lower triangular n x n, B m x n. */
void ny_trmm_right(int64_t m, int64_t n, double alpha, const double *L, int64_t ldl, double *B, int64_t ldb);
/* B = L B in single precision. */
void ny_trmm_float(int64_t m, int64_t n, const float *L, int64_t ldl, float *B, int64_t ldb);
double ny_dot(int64_t n, const double *x, const double *y);
void ny_mirror(int64_t n, double *A, int64_t lda); /* copies the lower triangle to the upper */

/* A = L L' in place (lower). false when A is not positive definite. */
bool ny_chol(int64_t n, double *A, int64_t lda);
/* B = A^-1 B from the factor of ny_chol; nrhs columns. */
void ny_chol_solve(int64_t n, int64_t nrhs, const double *L, int64_t lda, double *B, int64_t ldb);
/* L = L^-1 in place, lower triangular, no zero on its diagonal. */
void ny_triangle_inverse(int64_t n, double *L, int64_t ldl);
/* Diagonally pivoted Cholesky: P' A P = L L', stops where the largest pivot is <= tol. pivot: 0-based. scratch: 2n. */
int64_t ny_chol_pivoted(int64_t n, double *A, int64_t lda, double tol, int32_t *pivot, double *scratch);

/* A = Q diag(lambda) Q' : A becomes Q, lambda ascending. */
ny_status ny_eig(ny_ctx *ctx, int64_t n, double *A, int64_t lda, double *lambda);

/* A = Q T Q', T tridiagonal: A and tau keep Q, diag (n) and off (n-1) are T. */
ny_status ny_tridiag(ny_ctx *ctx, int64_t n, double *A, int64_t lda, double *diag, double *off, double *tau);
/* A becomes Q itself, from what ny_tridiag left in it. */
ny_status ny_tridiag_q(ny_ctx *ctx, int64_t n, double *A, int64_t lda, const double *tau);
/* B = Q B or Q' B with the Q of ny_tridiag; B n x k. */
ny_status ny_tridiag_apply(ny_ctx *ctx, bool transpose, int64_t n, int64_t k, const double *A, int64_t lda,
                           const double *tau, double *B, int64_t ldb);
/* x = (T + mu I)^-1 c for k columns c (n x k, overwritten by x). scratch: n. T + mu I positive definite. */
void ny_tridiag_solve(int64_t n, int64_t k, const double *diag, const double *off, double mu, double *c, int64_t ldc,
                      double *scratch);
/* tr (T + mu I)^-1; scratch: 2n. */
double ny_tridiag_inverse_trace(int64_t n, const double *diag, const double *off, double mu, double *scratch);
/* log det (T + mu I). */
double ny_tridiag_logdet(int64_t n, const double *diag, const double *off, double mu);
/* T + mu I = L D L': l[i] is L's entry left of the diagonal in row i (l[0] = 0), inverse[i] = 1 / D_ii. */
void ny_tridiag_factor(int64_t r, const double *diag, const double *off, double mu, double *l, double *inverse);
/* x = (T + mu I)^-1 c for k columns c side by side (n x k, overwritten by x), from those factors. */
void ny_tridiag_solve_with(int64_t n, int64_t k, const double *l, const double *inverse, double *c, int64_t ldc);
enum { NY_SWEEP = 64 }; /* points of a sweep */
/* h[s] = psi_s'(T + mu I)^-1 psi_s for NY_SWEEP points side by side, from those factors. P: NY_SWEEP x r, a point in
 * each row. */
void ny_tridiag_sweep(int64_t r, const double *P, const double *l, const double *inverse, double *h);

#endif

/* lapack.c: factorisations. Debian's OpenBLAS carries LAPACK's Fortran symbols, so they are called directly. */
#include <cblas.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "base/threads.h"
#include "linalg.h"

extern void dpotrf_(const char *, const int *, double *, const int *, int *);
extern void dpotrs_(const char *, const int *, const int *, const double *, const int *, double *, const int *, int *);
extern void dtrtri_(const char *, const char *, const int *, double *, const int *, int *);
extern void dpstrf_(const char *, const int *, double *, const int *, int *, int *, const double *, double *, int *);
extern void dstedc_(const char *, const int *, double *, double *, double *, const int *, double *, const int *, int *,
                    const int *, int *);
extern void dsytrd_(const char *, const int *, double *, const int *, double *, double *, double *, double *,
                    const int *, int *);
extern void dlatrd_(const char *, const int *, const int *, double *, const int *, double *, double *, double *,
                    const int *);
extern void dlarft_(const char *, const char *, const int *, const int *, const double *, const int *, const double *,
                    double *, const int *);
extern void dlarfb_(const char *, const char *, const char *, const char *, const int *, const int *, const int *,
                    const double *, const int *, const double *, const int *, double *, const int *, double *,
                    const int *);
extern void dorg2r_(const int *, const int *, const int *, double *, const int *, const double *, double *, int *);
extern void dormtr_(const char *, const char *, const char *, const int *, const int *, const double *, const int *,
                    const double *, double *, const int *, double *, const int *, int *);

/* Block columns, with the inverse of each diagonal block: then all but 1/n of it is products, which run at twice the
 * speed of OpenBLAS's dpotrf and dtrsm (581 x 581: 1.7 ms instead of 2.6; 1343: 18 instead of 37).
 *     L_kk L_kk' = A_kk,   L_k = A_k L_kk^-T,   A -= L_k L_k' */
bool ny_chol(int64_t n, double *A, int64_t lda) {
    enum { WIDEST = 64 };
    double inverse[WIDEST * WIDEST]; /* 33 kB: stacks may be small */
    int64_t width = n <= 256 ? n : WIDEST;
    int info = 0, LD = (int)lda;
    for (int64_t k = 0; k < n && info == 0 && !ny_cut(); k += width) {
        int64_t count = n - k < width ? n - k : width, below = n - k - count;
        double *D = A + k + k * lda, *B = D + count;
        int N = (int)count;
        dpotrf_("L", &N, D, &LD, &info);
        for (int64_t j = 0; j < count && below > 0; j++)
            memcpy(inverse + j + j * count, D + j + j * lda, (size_t)(count - j) * sizeof *D);
        if (below > 0 && info == 0) {
            dtrtri_("L", "N", &N, inverse, &N, &info);
            cblas_dtrmm(CblasColMajor, CblasRight, CblasLower, CblasTrans, CblasNonUnit, (int)below, N, 1.0, inverse, N,
                        B, LD);
        }
        if (below > 0 && info == 0) ny_syrk(below, count, -1.0, B, lda, 1.0, B + count * lda, lda);
    }
    return info == 0;
}

/* By halves, so that nearly all of it is products (OpenBLAS's dtrtri alone: a fifth of their speed):
 *     [A 0; B C]^-1 = [A^-1 0; -C^-1 B A^-1 C^-1] */
void ny_triangle_inverse(int64_t n, double *L, int64_t ldl) {
    if (n <= 32) {
        int N = (int)n, LD = (int)ldl, info;
        dtrtri_("L", "N", &N, L, &LD, &info);
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
    dpotrs_("L", &N, &K, L, &LDA, B, &LDB, &info);
}

int64_t ny_chol_pivoted(int64_t n, double *A, int64_t lda, double tol, int32_t *pivot, double *scratch) {
    int N = (int)n, LD = (int)lda, rank, info;
    if (ny_cut()) return 0; /* what is in A may be anything */
    dpstrf_("L", &N, A, &LD, pivot, &rank, &tol, scratch, &info);
    for (int64_t i = 0; i < n; i++) pivot[i]--;
    return rank;
}

typedef struct update { /* A -= V W' + W V' (lower), n x n, by groups of columns */
    int64_t n;
    int k;
    const double *V, *W;
    double *A;
    int64_t ldv, ldw, lda;
} update;

static void update_tile(void *arg, int64_t j, int64_t count, int thread) {
    (void)thread;
    const update *u = arg;
    int64_t below = u->n - j - count, next = j + count;
    double *A = u->A + j + j * u->lda;
    cblas_dsyr2k(CblasColMajor, CblasLower, CblasNoTrans, (int)count, u->k, -1.0, u->V + j, (int)u->ldv, u->W + j,
                 (int)u->ldw, 1.0, A, (int)u->lda);
    if (below == 0) return;
    cblas_dgemm(CblasColMajor, CblasNoTrans, CblasTrans, (int)below, (int)count, u->k, -1.0, u->V + next, (int)u->ldv,
                u->W + j, (int)u->ldw, 1.0, A + count, (int)u->lda);
    cblas_dgemm(CblasColMajor, CblasNoTrans, CblasTrans, (int)below, (int)count, u->k, -1.0, u->W + next, (int)u->ldw,
                u->V + j, (int)u->ldv, 1.0, A + count, (int)u->lda);
}

static void rank_2k(int64_t n, int k, const double *V, int64_t ldv, const double *W, int64_t ldw, double *A,
                    int64_t lda) {
    update u = {n, k, V, W, A, ldv, ldw, lda};
    ny_for_tiles_cut(n, n < 1500 ? n : 256, update_tile, &u);
}

/* As dsytrd does it, in panels, so that a stop is heard between them: a panel of columns is reduced (dlatrd), the rest
 * is updated by A -= V W' + W V'. */
ny_status ny_tridiag(ny_ctx *ctx, int64_t n, double *A, int64_t lda, double *diag, double *off, double *tau) {
    enum { PANEL = 32, LAST = 64 };
    ny_status st = NY_OK;
    double *work = NULL;
    int PB = n > 5000 ? PANEL / 2 : PANEL, LD = (int)lda, lwork = (int)(n * PANEL), info; /* about a second at most */
    int64_t i = 0;
    if (n == 0) return NY_OK;
    NY_NEW_RAW(ctx, work, ny_size3(n, PANEL, 1));
    for (; n - i > LAST && !ny_cut(); i += PB) {
        int N = (int)(n - i), rest = N - PB;
        double *D = A + i + i * lda;
        dlatrd_("L", &N, &PB, D, &LD, off + i, tau + i, work, &N);
        rank_2k(rest, PB, D + PB, lda, work + PB, N, D + PB + PB * lda, lda);
        for (int64_t j = i; j < i + PB; j++) {
            A[j + 1 + j * lda] = off[j];
            diag[j] = A[j + j * lda];
        }
    }
    int N = (int)(n - i);
    if (!ny_cut()) dsytrd_("L", &N, A + i + i * lda, &LD, diag + i, off + i, tau + i, work, &lwork, &info);
done:
    ny_free(work);
    return st;
}

typedef struct reflectors { /* C = (I - V T V') C, by columns */
    int64_t m, k;
    const double *V, *T;
    double *C, *work;
    int64_t ld, width;
} reflectors;

static void reflect_tile(void *arg, int64_t first, int64_t count, int thread) {
    const reflectors *h = arg;
    int M = (int)h->m, N = (int)count, K = (int)h->k, LD = (int)h->ld;
    dlarfb_("L", "N", "F", "C", &M, &N, &K, h->V, &LD, h->T, &K, h->C + first * h->ld, &LD,
            h->work + (int64_t)thread * h->width * h->k, &N);
}

/* Q of the reflectors below the diagonal of an n x n matrix, as dorgqr does it: the last block of columns first, then
 * each block of reflectors applied to all behind it. */
static ny_status reflectors_q(ny_ctx *ctx, int64_t n, double *A, int64_t lda, const double *tau) {
    enum { BLOCK = 64, WIDTH = 128 };
    ny_status st = NY_OK;
    double *T = NULL, *work = NULL;
    int LD = (int)lda, info;
    NY_NEW_RAW(ctx, T, BLOCK * BLOCK);
    NY_NEW_RAW(ctx, work, ny_size3(ny_threads(), WIDTH, BLOCK));
    for (int64_t i = (n - 1) / BLOCK * BLOCK; i >= 0 && !ny_cut(); i -= BLOCK) {
        int M = (int)(n - i), K = M < BLOCK ? M : BLOCK;
        double *V = A + i + i * lda;
        if (M > K) {
            dlarft_("F", "C", &M, &K, V, &LD, tau + i, T, &K);
            reflectors h = {M, K, V, T, V + K * lda, work, lda, WIDTH};
            ny_for_tiles_cut(M - K, WIDTH, reflect_tile, &h);
        }
        dorg2r_(&M, &K, &K, V, &LD, tau + i, work, &info);
        for (int64_t j = i; j < i + K; j++)
            for (int64_t k = 0; k < i; k++) A[k + j * lda] = 0;
    }
done:
    ny_free(T);
    ny_free(work);
    return st;
}

/* Reflector j is in column j below the subdiagonal: moved one column on, with a first row and column of the identity,
 * they are those of a QR factorisation (dorgtr). */
ny_status ny_tridiag_q(ny_ctx *ctx, int64_t n, double *A, int64_t lda, const double *tau) {
    if (n == 0) return NY_OK;
    for (int64_t j = n - 1; j > 0; j--) {
        A[j * lda] = 0;
        for (int64_t i = j + 1; i < n; i++) A[i + j * lda] = A[i + (j - 1) * lda];
    }
    for (int64_t i = 0; i < n; i++) A[i] = i == 0;
    return n == 1 ? NY_OK : reflectors_q(ctx, n - 1, A + 1 + lda, lda, tau);
}

/* By groups of columns, between which a stop is heard. */
ny_status ny_tridiag_apply(ny_ctx *ctx, bool transpose, int64_t n, int64_t k, const double *A, int64_t lda,
                           const double *tau, double *B, int64_t ldb) {
    enum { GROUP = 32 };
    ny_status st = NY_OK;
    double *work = NULL, want;
    int N = (int)n, K = k < GROUP ? (int)k : GROUP, LDA = (int)lda, LDB = (int)ldb, ask = -1, info;
    if (n == 0 || k == 0) return NY_OK;
    const char *trans = transpose ? "T" : "N";
    dormtr_("L", "L", trans, &N, &K, A, &LDA, tau, B, &LDB, &want, &ask, &info);
    NY_NEW_RAW(ctx, work, (int64_t)want);
    int lwork = (int)want;
    for (int64_t j = 0; j < k && !ny_cut(); j += GROUP) {
        K = k - j < GROUP ? (int)(k - j) : GROUP;
        dormtr_("L", "L", trans, &N, &K, A, &LDA, tau, B + j * ldb, &LDB, work, &lwork, &info);
    }
done:
    ny_free(work);
    return st;
}

/* As dsyevd does it, with a stop heard between and inside its parts: A = Q T Q', T = V diag(lambda) V', A becomes Q V.
 */
ny_status ny_eig(ny_ctx *ctx, int64_t n, double *A, int64_t lda, double *lambda) {
    ny_status st = NY_OK;
    double *V = NULL, *off = NULL, *tau = NULL, *work = NULL;
    int *iwork = NULL, N = (int)n, info = 0;
    if (n == 0) return NY_OK;
    int64_t size = 1 + 4 * n + n * n, isize = 3 + 5 * n;
    NY_NEW_RAW(ctx, V, ny_size3(n, n, 1));
    NY_NEW_RAW(ctx, off, n);
    NY_NEW_RAW(ctx, tau, n);
    NY_NEW_RAW(ctx, work, size);
    NY_NEW_RAW(ctx, iwork, isize);
    NY_TRY(ny_tridiag(ctx, n, A, lda, lambda, off, tau));
    NY_CHECK(ctx, !ny_cut(), NY_STOPPED, "stopped");
    int lwork = (int)size, liwork = (int)isize;
    dstedc_("I", &N, lambda, off, V, &N, work, &lwork, iwork, &liwork, &info);
    NY_CHECK(ctx, info == 0, NY_ERR_NUMERIC,
             "the eigenvalues of a %lld x %lld matrix did not converge: are the inputs scaled?", (long long)n,
             (long long)n);
    NY_TRY(ny_tridiag_apply(ctx, false, n, n, A, lda, tau, V, n));
    for (int64_t j = 0; j < n; j++) memcpy(A + j * lda, V + j * n, (size_t)n * sizeof *A);
done:
    ny_free(V);
    ny_free(off);
    ny_free(tau);
    ny_free(work);
    ny_free(iwork);
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

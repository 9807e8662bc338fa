/* blas.c: BLAS with checked sizes. */
#include <cblas.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/threads.h"
#include "linalg.h"

ny_status ny_blas_fits(ny_ctx *ctx, int64_t a, int64_t b) {
    if (a <= INT_MAX && b <= INT_MAX) return NY_OK;
    return ny_error(ctx, NY_ERR_DATA, "a matrix of %lld x %lld is beyond what BLAS can index", (long long)a,
                    (long long)b);
}

/* The OpenMP build (parallel kind 2) starts no threads where a crew is (ny_crew_begin); any other build is told here.
 */
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

/* Products are cut into pieces of about PIECE flops (some hundredths of a second): pieces are what the crew shares, and
 * between them a stop is heard. A product below LEAST flops is one piece: waking the crew would cost more than it
 * gives. Without a crew only a stop matters. */
static const double PIECE = 1e9, LEAST = 3e8;
enum { EDGE_LEAST = 128, EDGE_MOST = 512, STEP_LEAST = 256, WIDTH_LEAST = 32, SHARES = 16 };

static bool in_pieces(double flops) {
    return flops >= (ny_threads() > 1 && !ny_threads_busy() ? LEAST : 2 * PIECE);
}

static int64_t round_up(double x, int64_t unit) {
    return ((int64_t)x + unit - 1) / unit * unit;
}

/* Columns in a piece, of n that cost `flops` each. */
static int64_t piece_width(int64_t n, double flops) {
    if (!in_pieces(flops * (double)n)) return n;
    return round_up(fmax(fmin(PIECE / flops, (double)n / SHARES), WIDTH_LEAST), 8);
}

static CBLAS_TRANSPOSE op(bool transpose) {
    return transpose ? CblasTrans : CblasNoTrans;
}

typedef struct product { /* C = alpha op(A) op(B) + beta C, op(A) is m x k; C is cut into blocks */
    bool ta, tb;
    int64_t m, n, k;
    double alpha, beta;
    const double *A, *B;
    double *C;
    int64_t lda, ldb, ldc, edge;
} product;

static void choose_edge(product *p) {
    p->edge = round_up(sqrt((double)p->m * (double)p->n / SHARES), 32);
    if (p->edge < EDGE_LEAST) p->edge = EDGE_LEAST;
    if (p->edge > EDGE_MOST) p->edge = EDGE_MOST;
}

/* Block (i, j) of C, m x n: its sum over k is taken in steps. On the diagonal of a symmetric product the lower half. */
static void block(const product *p, int64_t i, int64_t j, int64_t m, int64_t n, bool half) {
    int64_t step = (int64_t)fmax(PIECE / (2 * (double)m * (double)n), STEP_LEAST);
    for (int64_t l = 0; l < p->k && !(l && ny_cut()); l += step) {
        int64_t k = p->k - l < step ? p->k - l : step;
        const double *A = p->A + (p->ta ? l + i * p->lda : i + l * p->lda);
        const double *B = p->B + (p->tb ? j + l * p->ldb : l + j * p->ldb);
        double beta = l ? 1 : p->beta, *C = p->C + i + j * p->ldc;
        if (half)
            cblas_dsyrk(CblasColMajor, CblasLower, op(p->ta), (int)m, (int)k, p->alpha, A, (int)p->lda, beta, C,
                        (int)p->ldc);
        else
            cblas_dgemm(CblasColMajor, op(p->ta), op(p->tb), (int)m, (int)n, (int)k, p->alpha, A, (int)p->lda, B,
                        (int)p->ldb, beta, C, (int)p->ldc);
    }
}

static void gemm_tile(void *arg, int64_t first, int64_t count, int thread) {
    (void)thread;
    const product *p = arg;
    int64_t down = (p->m + p->edge - 1) / p->edge;
    for (int64_t t = first; t < first + count; t++) {
        int64_t i = t % down * p->edge, j = t / down * p->edge;
        block(p, i, j, p->m - i < p->edge ? p->m - i : p->edge, p->n - j < p->edge ? p->n - j : p->edge, false);
    }
}

void ny_gemm(bool ta, bool tb, int64_t m, int64_t n, int64_t k, double alpha, const double *A, int64_t lda,
             const double *B, int64_t ldb, double beta, double *C, int64_t ldc) {
    if (m == 0 || n == 0) return;
    product p = {ta, tb, m, n, k, alpha, beta, A, B, C, lda, ldb, ldc, 0};
    if (!in_pieces(2.0 * (double)m * (double)n * (double)k)) {
        cblas_dgemm(CblasColMajor, op(ta), op(tb), (int)m, (int)n, (int)k, alpha, A, (int)lda, B, (int)ldb, beta, C,
                    (int)ldc);
        return;
    }
    choose_edge(&p);
    ny_for_tiles_cut(((m + p.edge - 1) / p.edge) * ((n + p.edge - 1) / p.edge), 1, gemm_tile, &p);
}

/* Tiles are the pairs of blocks i >= j, row by row. */
static void symmetric_tile(void *arg, int64_t first, int64_t count, int thread) {
    (void)thread;
    const product *p = arg;
    for (int64_t t = first; t < first + count; t++) {
        int64_t row = 0, before = 0; /* `before` tiles are above this row of blocks */
        while (before + row + 1 <= t) before += ++row;
        int64_t i = row * p->edge, j = (t - before) * p->edge;
        block(p, i, j, p->n - i < p->edge ? p->n - i : p->edge, p->n - j < p->edge ? p->n - j : p->edge, i == j);
    }
}

static void symmetric(bool ta, int64_t n, int64_t k, double alpha, const double *A, int64_t lda, double beta, double *C,
                      int64_t ldc) {
    if (n == 0) return;
    product p = {ta, !ta, n, n, k, alpha, beta, A, A, C, lda, lda, ldc, 0};
    if (!in_pieces((double)n * (double)n * (double)k)) {
        cblas_dsyrk(CblasColMajor, CblasLower, op(ta), (int)n, (int)k, alpha, A, (int)lda, beta, C, (int)ldc);
        return;
    }
    choose_edge(&p);
    int64_t blocks = (n + p.edge - 1) / p.edge;
    ny_for_tiles_cut(blocks * (blocks + 1) / 2, 1, symmetric_tile, &p);
}

void ny_syrk(int64_t n, int64_t k, double alpha, const double *A, int64_t lda, double beta, double *C, int64_t ldc) {
    symmetric(false, n, k, alpha, A, lda, beta, C, ldc);
}

void ny_gram(int64_t n, int64_t k, double alpha, const double *A, int64_t lda, double beta, double *C, int64_t ldc) {
    symmetric(true, n, k, alpha, A, lda, beta, C, ldc);
}

typedef struct single { /* C = op(A) B, by columns */
    bool ta;
    int64_t m, k;
    const float *A, *B;
    float *C;
    int64_t lda, ldb, ldc;
} single;

static void single_tile(void *arg, int64_t first, int64_t count, int thread) {
    (void)thread;
    const single *p = arg;
    cblas_sgemm(CblasColMajor, op(p->ta), CblasNoTrans, (int)p->m, (int)count, (int)p->k, 1.0F, p->A, (int)p->lda,
                p->B + first * p->ldb, (int)p->ldb, 0.0F, p->C + first * p->ldc, (int)p->ldc);
}

void ny_gemm_float(bool ta, int64_t m, int64_t n, int64_t k, const float *A, int64_t lda, const float *B, int64_t ldb,
                   float *C, int64_t ldc) {
    single p = {ta, m, k, A, B, C, lda, ldb, ldc};
    ny_for_tiles_cut(n, piece_width(n, 2.0 * (double)m * (double)k), single_tile, &p);
}

typedef struct vector { /* y = alpha op(A) x + beta y, by entries of y */
    bool ta;
    int64_t m, n;
    double alpha, beta;
    const double *A, *x;
    double *y;
    int64_t lda;
} vector;

static void gemv_tile(void *arg, int64_t first, int64_t count, int thread) {
    (void)thread;
    const vector *v = arg;
    const double *A = v->A + (v->ta ? first * v->lda : first);
    cblas_dgemv(CblasColMajor, op(v->ta), (int)(v->ta ? v->m : count), (int)(v->ta ? count : v->n), v->alpha, A,
                (int)v->lda, v->x, 1, v->beta, v->y + first, 1);
}

/* It waits for memory: its numbers count ten times. */
void ny_gemv(bool ta, int64_t m, int64_t n, double alpha, const double *A, int64_t lda, const double *x, double beta,
             double *y) {
    vector v = {ta, m, n, alpha, beta, A, x, y, lda};
    int64_t length = ta ? n : m, other = ta ? m : n;
    ny_for_tiles_cut(length, piece_width(length, 20.0 * (double)other), gemv_tile, &v);
}

void ny_syr(int64_t n, double alpha, const double *x, double *C, int64_t ldc) {
    if (n == 0) return;
    cblas_dsyr(CblasColMajor, CblasLower, (int)n, alpha, x, 1, C, (int)ldc);
}

typedef struct triangle { /* B is multiplied by op(L) or its inverse, by columns of B (from the right: by rows) */
    bool solve, transpose;
    int64_t size;
    double alpha;
    const double *L;
    double *B;
    int64_t ldl, ldb;
} triangle;

static void triangle_tile(void *arg, int64_t first, int64_t count, int thread) {
    (void)thread;
    const triangle *t = arg;
    (t->solve ? cblas_dtrsm : cblas_dtrmm)(CblasColMajor, CblasLeft, CblasLower, op(t->transpose), CblasNonUnit,
                                           (int)t->size, (int)count, 1.0, t->L, (int)t->ldl, t->B + first * t->ldb,
                                           (int)t->ldb);
}

void ny_trsm(bool transpose, int64_t m, int64_t n, const double *L, int64_t ldl, double *B, int64_t ldb) {
    triangle t = {true, transpose, m, 1, L, B, ldl, ldb};
    ny_for_tiles_cut(n, piece_width(n, (double)m * (double)m), triangle_tile, &t);
}

void ny_trmm(bool transpose, int64_t m, int64_t n, const double *L, int64_t ldl, double *B, int64_t ldb) {
    triangle t = {false, transpose, m, 1, L, B, ldl, ldb};
    ny_for_tiles_cut(n, piece_width(n, (double)m * (double)m), triangle_tile, &t);
}

static void trmm_right_tile(void *arg, int64_t first, int64_t count, int thread) {
    (void)thread;
    const triangle *t = arg;
    cblas_dtrmm(CblasColMajor, CblasRight, CblasLower, CblasNoTrans, CblasNonUnit, (int)count, (int)t->size, t->alpha,
                t->L, (int)t->ldl, t->B + first, (int)t->ldb);
}

void ny_trmm_right(int64_t m, int64_t n, double alpha, const double *L, int64_t ldl, double *B, int64_t ldb) {
    triangle t = {false, false, n, alpha, L, B, ldl, ldb};
    ny_for_tiles_cut(m, piece_width(m, (double)n * (double)n), trmm_right_tile, &t);
}

void ny_trmv(bool transpose, int64_t n, const double *L, int64_t ldl, double *x) {
    cblas_dtrmv(CblasColMajor, CblasLower, op(transpose), CblasNonUnit, (int)n, L, (int)ldl, x, 1);
}

static void trmm_float_tile(void *arg, int64_t first, int64_t count, int thread) {
    (void)thread;
    const single *p = arg;
    cblas_strmm(CblasColMajor, CblasLeft, CblasLower, CblasNoTrans, CblasNonUnit, (int)p->m, (int)count, 1.0F, p->A,
                (int)p->lda, p->C + first * p->ldc, (int)p->ldc);
}

void ny_trmm_float(int64_t m, int64_t n, const float *L, int64_t ldl, float *B, int64_t ldb) {
    single p = {.m = m, .A = L, .lda = ldl, .C = B, .ldc = ldb};
    ny_for_tiles_cut(n, piece_width(n, (double)m * (double)m), trmm_float_tile, &p);
}

double ny_dot(int64_t n, const double *x, const double *y) {
    return cblas_ddot((int)n, x, 1, y, 1);
}

void ny_mirror(int64_t n, double *A, int64_t lda) {
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = j + 1; i < n; i++) A[j + i * lda] = A[i + j * lda];
}

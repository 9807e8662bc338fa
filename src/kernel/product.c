/* product.c: see product.h. The matrix is symmetric, so a tile off the diagonal serves two blocks of the result. */
#include "product.h"

#include <string.h>

#include "base/threads.h"
#include "linalg/linalg.h"

enum {
    BLOCK = 256, /* a tile of BLOCK x BLOCK is half a megabyte: second-level cache */
    WIDEST = 64, /* columns of a tile that has all points on its other side */
    SHARES = 16, /* of the work; each has its own sums */
};

static int64_t block_of(const ny_kernel_params *kernel, const ny_matrix *X) {
    int64_t block = kernel->tile > 0 ? kernel->tile : BLOCK;
    if (ny_matrix_is_sparse(X)) {
        block = ny_kernel_tile_width(kernel, X->n, X->d);
        if (block > WIDEST) block = WIDEST;
    }
    return block < X->n ? block : X->n;
}

static int64_t tile_numbers(const ny_matrix *X, int64_t block) {
    return ny_size3(ny_threads(), ny_matrix_is_sparse(X) ? X->n : block, block);
}

static int64_t sums_numbers(const ny_matrix *X, int64_t columns) {
    return ny_matrix_is_sparse(X) ? 1 : ny_size3(X->n, columns, SHARES);
}

/* Pairs of blocks a <= b. */
static int64_t pairs_of(int64_t n, int64_t block) {
    int64_t blocks = (n + block - 1) / block;
    return blocks * (blocks + 1) / 2;
}

double ny_kernel_product_numbers(const ny_kernel_params *kernel, const ny_matrix *X, int64_t columns, ny_keep keep) {
    int64_t block = block_of(kernel, X);
    double sums = (double)sums_numbers(X, columns), kept = (double)pairs_of(X->n, block) * (double)(block * block);
    if (ny_matrix_is_sparse(X) || keep == NY_KEEP_NOTHING) kept = 0;
    if (keep == NY_KEEP_FLOAT) kept = kept / 2 + (double)(X->n * columns) / 2;
    return (double)tile_numbers(X, block) + sums + kept + (double)X->n;
}

double ny_kernel_product_flops(const ny_matrix *X, int64_t columns) {
    bool sparse = ny_matrix_is_sparse(X);
    double n = (double)X->n, inputs = sparse ? (double)X->ptr[X->n] / n : (double)X->d;
    return n * n * ((2 * inputs + 20) / (sparse ? 1 : 2) + 2 * (double)columns);
}

void ny_kernel_product_clear(ny_kernel_product *p) {
    ny_kernel_release(&p->X);
    ny_free(p->tile);
    ny_free(p->sums);
    ny_free(p->kept);
    ny_free(p->kept_float);
    ny_free(p->rounded);
    *p = (ny_kernel_product){0};
}

typedef struct {
    const ny_kernel_product *p;
    int64_t count;
    const double *V;
    double *out;
    bool single;
} product_job;

/* Sparse inputs: rows of K V from all of K's columns there, through the inverted index of all points. */
static void columns_tile(void *arg, int64_t first, int64_t width, int thread) {
    product_job *job = arg;
    const ny_kernel_product *p = job->p;
    int64_t n = p->X.X->n;
    double *K = p->tile + (int64_t)thread * n * p->block;
    if (ny_should_stop(p->ctx)) return;
    ny_kernel_tile(&p->kernel, &p->X, &p->X, first, width, K, n);
    ny_gemm(true, false, width, job->count, n, 1.0, K, n, job->V, n, 0.0, job->out + first, n);
}

typedef struct { /* blocks a <= b of the points, and which of all such pairs it is */
    int64_t number, at, rows, to, columns;
} pair;

/* Calls `work` for a share of the pairs, in order. The shares do not depend on the threads. */
static void each_pair(const ny_kernel_product *p, int64_t share, void (*work)(void *, const pair *, int), void *arg,
                      int thread) {
    int64_t n = p->X.X->n, width = p->block, pairs = pairs_of(n, width), number = 0;
    for (int64_t at = 0; at < n; at += width)
        for (int64_t to = at; to < n; to += width, number++) {
            if (number * SHARES / pairs != share || ny_should_stop(p->ctx)) continue;
            pair now = {number, at, n - at < width ? n - at : width, to, n - to < width ? n - to : width};
            work(arg, &now, thread);
        }
}

/* K = kappa of the pair, rows x columns. */
static void pair_tile(const ny_kernel_product *p, const pair *now, double *K) {
    const ny_matrix *X = p->X.X;
    ny_matrix points = {.d = X->d, .n = now->rows, .x = X->x + now->at * X->d};
    ny_kernel_side side = {.X = &points, .norms = p->X.norms + now->at};
    ny_kernel_tile(&p->kernel, &side, &p->X, now->to, now->columns, K, now->rows);
}

static void keep_pair(void *arg, const pair *now, int thread) {
    ny_kernel_product *p = arg;
    int64_t size = p->block * p->block;
    double *K = p->kept ? p->kept + now->number * size : p->tile + thread * size;
    pair_tile(p, now, K);
    for (int64_t i = 0; p->kept_float && i < now->rows * now->columns; i++)
        p->kept_float[i + now->number * size] = (float)K[i];
}

static void keep_share(void *arg, int64_t share, int64_t one, int thread) {
    (void)one;
    each_pair(arg, share, keep_pair, arg, thread);
}

ny_status ny_kernel_product_make(ny_ctx *ctx, const ny_kernel_params *kernel, const ny_matrix *X, int64_t columns,
                                 ny_keep keep, ny_kernel_product *p) {
    ny_status st = NY_OK;
    *p = (ny_kernel_product){.ctx = ctx, .kernel = *kernel, .block = block_of(kernel, X), .keep = keep};
    if (ny_matrix_is_sparse(X)) p->keep = NY_KEEP_NOTHING;
    int64_t numbers = pairs_of(X->n, p->block) * p->block * p->block;
    NY_TRY(ny_blas_fits(ctx, X->n, X->d));
    NY_TRY(ny_kernel_prepare(ctx, X, true, &p->X));
    NY_NEW_RAW(ctx, p->tile, tile_numbers(X, p->block));
    NY_NEW_RAW(ctx, p->sums, sums_numbers(X, columns));
    if (p->keep == NY_KEEP_FLOAT) NY_NEW_RAW(ctx, p->kept_float, numbers);
    if (p->keep == NY_KEEP_FLOAT) NY_NEW_RAW(ctx, p->rounded, ny_size3(X->n, columns, 1));
    if (p->keep == NY_KEEP_DOUBLE) NY_NEW_RAW(ctx, p->kept, numbers);
    if (p->keep != NY_KEEP_NOTHING) ny_for_tiles(SHARES, 1, keep_share, p);
done:
    if (st != NY_OK) ny_kernel_product_clear(p);
    return st;
}

/* The tile of the pair: kept, kept in single precision, or computed anew. */
static const double *tile_of(const ny_kernel_product *p, const pair *now, int thread) {
    int64_t size = p->block * p->block;
    double *K = p->tile + thread * size;
    if (p->kept) return p->kept + now->number * size;
    if (!p->kept_float) pair_tile(p, now, K);
    for (int64_t i = 0; p->kept_float && i < now->rows * now->columns; i++)
        K[i] = (double)p->kept_float[i + now->number * size];
    return K;
}

/* out_a += K_ab V_b and, off the diagonal, out_b += K_ab' V_a. In double also where the tiles are kept in single
 * precision: the sums are large beside the result, and a matrix that is slightly another one does not harm.   eq. 50 */
static void add_pair(void *arg, const pair *now, int thread) {
    const product_job *job = arg;
    const ny_kernel_product *p = job->p;
    int64_t n = p->X.X->n, share = now->number * SHARES / pairs_of(n, p->block);
    int64_t rows = now->rows, columns = now->columns, k = job->count;
    const double *K = tile_of(p, now, thread);
    double *out = p->sums + share * n * k;
    ny_gemm(false, false, rows, k, columns, 1.0, K, rows, job->V + now->to, n, 1.0, out + now->at, n);
    if (now->at == now->to) return;
    ny_gemm(true, false, columns, k, rows, 1.0, K, rows, job->V + now->at, n, 1.0, out + now->to, n);
}

static void add_block(int64_t rows, int64_t count, const float *from, double *to, int64_t ldt) {
    for (int64_t j = 0; j < count; j++)
        for (int64_t i = 0; i < rows; i++) to[i + j * ldt] += (double)from[i + j * rows];
}

/* The same in single precision, but for the sum over the pairs. */
static void add_pair_single(void *arg, const pair *now, int thread) {
    const product_job *job = arg;
    const ny_kernel_product *p = job->p;
    int64_t n = p->X.X->n, size = p->block * p->block, share = now->number * SHARES / pairs_of(n, p->block);
    int64_t rows = now->rows, columns = now->columns, k = job->count;
    const float *K = p->kept_float + now->number * size;
    float *part = (float *)(p->tile + thread * size); /* block x count */
    double *out = p->sums + share * n * k;
    ny_gemm_float(false, rows, k, columns, K, rows, p->rounded + now->to, n, part, rows);
    add_block(rows, k, part, out + now->at, n);
    if (now->at == now->to) return;
    ny_gemm_float(true, columns, k, rows, K, rows, p->rounded + now->at, n, part, columns);
    add_block(columns, k, part, out + now->to, n);
}

/* Dense inputs: a share of the pairs into sums of its own. */
static void pairs_share(void *arg, int64_t share, int64_t one, int thread) {
    (void)one;
    product_job *job = arg;
    const ny_kernel_product *p = job->p;
    int64_t size = p->X.X->n * job->count;
    memset(p->sums + share * size, 0, (size_t)size * sizeof *p->sums);
    each_pair(p, share, job->single ? add_pair_single : add_pair, job, thread);
}

/* The sums of the shares are added in order, whatever the threads: the result has the same bits with any number. */
static void run(const ny_kernel_product *p, int64_t count, const double *V, double *out, bool single) {
    int64_t n = p->X.X->n, size = n * count;
    product_job job = {p, count, V, out, single};
    if (ny_matrix_is_sparse(p->X.X)) {
        ny_for_tiles(n, p->block, columns_tile, &job);
        return;
    }
    ny_for_tiles(SHARES, 1, pairs_share, &job);
    memcpy(out, p->sums, (size_t)size * sizeof *out);
    for (int64_t share = 1; share < SHARES; share++)
        for (int64_t i = 0; i < size; i++) out[i] += p->sums[i + share * size];
}

void ny_kernel_product_run(const ny_kernel_product *p, int64_t count, const double *V, double *out) {
    run(p, count, V, out, false);
}

void ny_kernel_product_single(const ny_kernel_product *p, int64_t count, const double *V, double *out) {
    bool single = p->kept_float && count <= 2 * p->block; /* a tile's room in double is enough */
    for (int64_t i = 0; single && i < p->X.X->n * count; i++) p->rounded[i] = (float)V[i];
    run(p, count, V, out, single);
}

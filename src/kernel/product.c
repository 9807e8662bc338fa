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

double ny_kernel_product_scratch(const ny_kernel_params *kernel, const ny_matrix *X, int64_t columns) {
    return (double)tile_numbers(X, block_of(kernel, X)) + (double)sums_numbers(X, columns) + (double)X->n;
}

double ny_kernel_product_flops(const ny_matrix *X, int64_t columns) {
    bool sparse = ny_matrix_is_sparse(X);
    double n = (double)X->n, inputs = sparse ? (double)X->ptr[X->n] / n : (double)X->d;
    return n * n * ((2 * inputs + 20) / (sparse ? 1 : 2) + 2 * (double)columns);
}

ny_status ny_kernel_product_make(ny_ctx *ctx, const ny_kernel_params *kernel, const ny_matrix *X, int64_t columns,
                                 ny_kernel_product *p) {
    ny_status st = NY_OK;
    *p = (ny_kernel_product){.ctx = ctx, .kernel = *kernel, .block = block_of(kernel, X)};
    NY_TRY(ny_blas_fits(ctx, X->n, X->d));
    NY_TRY(ny_kernel_prepare(ctx, X, true, &p->X));
    NY_NEW_RAW(ctx, p->tile, tile_numbers(X, p->block));
    NY_NEW_RAW(ctx, p->sums, sums_numbers(X, columns));
done:
    if (st != NY_OK) ny_kernel_product_clear(p);
    return st;
}

void ny_kernel_product_clear(ny_kernel_product *p) {
    ny_kernel_release(&p->X);
    ny_free(p->tile);
    ny_free(p->sums);
    *p = (ny_kernel_product){0};
}

typedef struct {
    const ny_kernel_product *p;
    int64_t count;
    const double *V;
    double *out;
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

/* out_a += K_ab V_b and, off the diagonal, out_b += K_ab' V_a for blocks a <= b. */
static void add_pair(const product_job *job, int64_t a, int64_t b, double *K, double *out) {
    const ny_kernel_product *p = job->p;
    const ny_matrix *X = p->X.X;
    int64_t n = X->n, width = p->block, at = a * width, to = b * width;
    int64_t rows = n - at < width ? n - at : width, columns = n - to < width ? n - to : width;
    ny_matrix points = {.d = X->d, .n = rows, .x = X->x + at * X->d};
    ny_kernel_side side = {.X = &points, .norms = p->X.norms + at};
    ny_kernel_tile(&p->kernel, &side, &p->X, to, columns, K, rows);
    ny_gemm(false, false, rows, job->count, columns, 1.0, K, rows, job->V + to, n, 1.0, out + at, n);
    if (a == b) return;
    ny_gemm(true, false, columns, job->count, rows, 1.0, K, rows, job->V + at, n, 1.0, out + to, n);
}

/* Dense inputs: a share of the pairs of blocks, in order, into sums of its own.   eq. 50 */
static void pairs_tile(void *arg, int64_t share, int64_t one, int thread) {
    (void)one;
    product_job *job = arg;
    const ny_kernel_product *p = job->p;
    int64_t n = p->X.X->n, blocks = (n + p->block - 1) / p->block, pairs = blocks * (blocks + 1) / 2, pair = 0;
    double *K = p->tile + (int64_t)thread * p->block * p->block, *out = p->sums + share * n * job->count;
    memset(out, 0, (size_t)(n * job->count) * sizeof *out);
    for (int64_t a = 0; a < blocks; a++)
        for (int64_t b = a; b < blocks; b++, pair++)
            if (pair * SHARES / pairs == share && !ny_should_stop(p->ctx)) add_pair(job, a, b, K, out);
}

/* The shares do not depend on the threads, and are added in order: so neither does the result. */
void ny_kernel_product_run(const ny_kernel_product *p, int64_t count, const double *V, double *out) {
    int64_t n = p->X.X->n;
    product_job job = {p, count, V, out};
    if (ny_matrix_is_sparse(p->X.X)) {
        ny_for_tiles(n, p->block, columns_tile, &job);
        return;
    }
    ny_for_tiles(SHARES, 1, pairs_tile, &job);
    memcpy(out, p->sums, (size_t)(n * count) * sizeof *out);
    for (int64_t share = 1; share < SHARES; share++)
        for (int64_t i = 0; i < n * count; i++) out[i] += p->sums[i + share * n * count];
}

/* growing.c: see growing.h. */
#include "growing.h"

#include <math.h>

#include "base/threads.h"
#include "linalg/linalg.h"

ny_status ny_growing_begin(ny_ctx *ctx, const ny_landmark_spec *spec, ny_growing *g) {
    ny_status st = NY_OK;
    double trace = 0, largest = 0;
    *g = (ny_growing){.ctx = ctx, .kernel = spec->kernel, .X = spec->X, .n = spec->X->X->n, .m = spec->m};
    g->ldg = g->m + spec->spare;
    NY_NEW_RAW(ctx, g->G, ny_size3(g->ldg, g->n, 1));
    NY_NEW_RAW(ctx, g->residual, g->n);
    NY_NEW_RAW(ctx, g->pivot, g->m);
    NY_NEW_RAW(ctx, g->L, NY_PIVOTS * NY_PIVOTS);
    NY_NEW_RAW(ctx, g->GA, ny_size3(g->m, NY_PIVOTS, 1));
    ny_kernel_diagonal(spec->kernel, spec->X, g->residual);
    for (int64_t i = 0; i < g->n; i++) trace += g->residual[i], largest = fmax(largest, g->residual[i]);
    g->floor = fmax(spec->tol, 1e-15) * largest;
    NY_CHECK(ctx, isfinite(trace) && trace > 0, NY_ERR_NUMERIC,
             "the kernel matrix is %s: are the inputs constant, or far too large?", trace > 0 ? "not finite" : "zero");
done:
    return st;
}

/* The new rows of G for a tile of points, and what the points have left. */
static void extend_tile(void *arg, int64_t first, int64_t count, int thread) {
    (void)thread;
    ny_growing *g = arg;
    int64_t a = g->block, k = g->k, ldg = g->ldg;
    double *rows = g->G + k + first * ldg;
    ny_kernel_tile(g->kernel, &g->side, g->X, first, count, rows, ldg);
    ny_gemm(true, false, a, count, k, -1.0, g->GA, g->m, g->G + first * ldg, ldg, 1.0, rows, ldg);
    ny_trsm(false, a, count, g->L, NY_PIVOTS, rows, ldg);
    for (int64_t c = 0; c < count; c++) {
        double sum = 0, *new = rows + c * ldg, *left = &g->residual[first + c];
        for (int64_t j = 0; j < a; j++) sum += new[j] * new[j];
        *left = *left - sum > g->floor ? *left - sum : 0;
    }
}

ny_status ny_growing_extend(ny_growing *g) {
    ny_status st = NY_OK;
    NY_TRY(ny_matrix_gather(g->ctx, g->X->X, g->pivot + g->k, g->block, &g->P));
    NY_TRY(ny_kernel_prepare(g->ctx, &g->P, true, &g->side));
    ny_for_tiles(g->n, g->kernel->tile ? g->kernel->tile : 256, extend_tile, g);
    for (int64_t j = 0; j < g->block; j++) g->residual[g->pivot[g->k + j]] = 0;
    g->k += g->block;
done:
    ny_kernel_release(&g->side);
    ny_matrix_clear(&g->P);
    return st;
}

ny_status ny_growing_finish(ny_growing *g, ny_landmarks *out) {
    ny_status st = NY_OK;
    int64_t k = g->k;
    NY_TRY(ny_matrix_gather(g->ctx, g->X->X, g->pivot, k, &out->Z));
    NY_NEW(g->ctx, out->L, ny_size3(k, k, 1));
    for (int64_t i = 0; i < k; i++)
        for (int64_t j = 0; j <= i; j++) out->L[i + j * k] = g->G[j + g->pivot[i] * g->ldg];
    out->G = g->G;
    out->ldg = g->ldg;
    g->G = NULL;
done:
    return st;
}

void ny_growing_clear(ny_growing *g) {
    ny_kernel_release(&g->side);
    ny_matrix_clear(&g->P);
    double *list[] = {g->G, g->residual, g->L, g->GA};
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) ny_free(list[i]);
    ny_free(g->pivot);
    *g = (ny_growing){0};
}

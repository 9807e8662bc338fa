/* slopes.c: see slopes.h. With e_k = beta_k kappa'(v(z_k, x)), the slope of the kernel by its base v,
 *
 *     v = |x - z|^2:            df/dx_c = 2 (x_c sum_k e_k - sum_k e_k z_kc)
 *     v = x'z:                  df/dx_c = sum_k e_k z_kc
 *     v = sum_c |x_c - z_c|^q:  df/dx_c = q sum_k e_k sign(x_c - z_kc) |x_c - z_kc|^(q-1)                     (eq. 161)
 *
 * for a block of rows at a time. */
#include "slopes.h"

#include <math.h>

#include "base/threads.h"
#include "kernel/differences.h"
#include "linalg/linalg.h"

enum { BLOCK = 64 };

typedef struct {
    const ny_expansion *f;
    ny_kernel_side z, x;
    double *scratch; /* of each thread: slopes of the kernel, e (m x BLOCK each), gradients (d x BLOCK) */
    double *sums;    /* d for each block: their order must not depend on the threads */
} work;

static int64_t room(const work *w) {
    return (2 * w->f->Z.n + w->f->Z.d) * BLOCK;
}

/* D (d x count): the gradients at rows `first` on of the output whose e are E (m x count). */
static void gradients(const work *w, int64_t first, int64_t count, const double *E, double *D) {
    const ny_matrix *Z = &w->f->Z, *X = w->x.X;
    ny_kernel_base base = w->f->kernel.kernel->base;
    if (base != NY_BASE_SQDIST && base != NY_BASE_DOT) {
        ny_differences_slopes(base, Z, X, first, count, E, D);
        return;
    }
    bool distance = base == NY_BASE_SQDIST;
    ny_gemm(false, false, Z->d, count, Z->n, distance ? -2.0 : 1.0, Z->x, Z->d, E, Z->n, 0.0, D, Z->d);
    for (int64_t i = 0; i < count && distance; i++) {
        double sum = 0;
        for (int64_t k = 0; k < Z->n; k++) sum += E[k + i * Z->n];
        for (int64_t c = 0; c < Z->d; c++) D[c + i * Z->d] += 2 * sum * X->x[c + (first + i) * Z->d];
    }
}

static void tile(void *arg, int64_t first, int64_t count, int thread) {
    const work *w = arg;
    const ny_expansion *f = w->f;
    int64_t m = f->Z.n, d = f->Z.d;
    double *S = w->scratch + thread * room(w), *E = S + m * BLOCK, *D = E + m * BLOCK,
           *sums = w->sums + first / BLOCK * d;
    ny_kernel_slopes(&f->kernel, &w->z, &w->x, first, count, S, m);
    for (int64_t j = 0; j < f->outputs; j++) {
        const double *beta = f->beta + j * m;
        for (int64_t i = 0; i < count; i++)
            for (int64_t k = 0; k < m; k++) E[k + i * m] = beta[k] * S[k + i * m];
        gradients(w, first, count, E, D);
        for (int64_t i = 0; i < count; i++)
            for (int64_t c = 0; c < d; c++) sums[c] += D[c + i * d] * D[c + i * d];
    }
}

ny_status ny_slopes(ny_ctx *ctx, const ny_expansion *f, const ny_matrix *X, double *G) {
    ny_status st = NY_OK;
    int64_t blocks = (X->n + BLOCK - 1) / BLOCK;
    work w = {.f = f};
    NY_TRY(ny_kernel_prepare(ctx, &f->Z, false, &w.z));
    NY_TRY(ny_kernel_prepare(ctx, X, false, &w.x));
    NY_NEW_RAW(ctx, w.scratch, ny_size3(room(&w), ny_threads(), 1));
    NY_NEW(ctx, w.sums, ny_size3(X->d, blocks, 1));
    ny_for_tiles(X->n, BLOCK, tile, &w);
    for (int64_t c = 0; c < X->d; c++) {
        G[c] = 0;
        for (int64_t t = 0; t < blocks; t++) G[c] += w.sums[c + t * X->d] / (double)X->n;
    }
done:
    ny_kernel_release(&w.z);
    ny_kernel_release(&w.x);
    ny_free(w.scratch);
    ny_free(w.sums);
    return st;
}

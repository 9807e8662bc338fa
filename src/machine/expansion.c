/* expansion.c: see expansion.h. Tile by tile, F = beta'kappa(Z, X) + b. */
#include "expansion.h"

#include <string.h>

#include "base/threads.h"
#include "linalg/linalg.h"

typedef struct {
    const ny_expansion *f;
    ny_kernel_side Z, X;
    double *scratch; /* threads x stride: m x width, and what the variances take */
    int64_t width, stride;
    double *F;
    const ny_variances *variances;
    double *factor, *diag; /* r x 2 x outputs, n: for the variances */
} output_job;

void ny_expansion_clear(ny_expansion *f) {
    ny_matrix_clear(&f->Z);
    ny_free(f->beta);
    ny_free(f->b);
    *f = (ny_expansion){0};
}

static void output_tile(void *arg, int64_t first, int64_t count, int thread) {
    output_job *job = arg;
    const ny_expansion *f = job->f;
    const ny_variances *v = job->variances;
    int64_t m = f->Z.n, q = f->outputs;
    double *K = job->scratch + (int64_t)thread * job->stride, *F = job->F + first * q;
    ny_kernel_tile(&f->kernel, &job->Z, &job->X, first, count, K, m);
    for (int64_t i = 0; i < count; i++) memcpy(F + i * q, f->b, (size_t)q * sizeof *F);
    ny_gemm(true, false, q, count, m, 1.0, f->beta, m, K, m, 1.0, F, q);
    if (!v) return;
    ny_seen_points points = {count, K, m, job->diag + first};
    ny_posterior_variance(v->posterior, v->C, job->factor, &points, K + m * job->width, v->V + first * q);
}

ny_status ny_expansion_outputs(ny_ctx *ctx, const ny_expansion *f, const ny_matrix *X, int64_t width, double *F,
                               const ny_variances *variances) {
    ny_status st = NY_OK;
    output_job job = {.f = f, .F = F, .variances = variances};
    job.width = width ? width : ny_kernel_tile_width(&f->kernel, f->Z.n, f->Z.d);
    if (job.width > X->n) job.width = X->n;
    job.stride = f->Z.n * job.width + (variances ? ny_posterior_scratch(variances->posterior) : 0);
    NY_TRY(ny_kernel_prepare(ctx, &f->Z, true, &job.Z));
    NY_TRY(ny_kernel_prepare(ctx, X, false, &job.X));
    NY_NEW_RAW(ctx, job.scratch, ny_size3(ny_threads(), job.stride, 1));
    if (variances) {
        NY_NEW_RAW(ctx, job.factor, ny_size3(2, variances->posterior->r, f->outputs));
        NY_NEW_RAW(ctx, job.diag, X->n);
        ny_posterior_factor(variances->posterior, variances->C, job.factor);
        ny_kernel_diagonal(&f->kernel, &job.X, job.diag);
    }
    ny_for_tiles(X->n, job.width, output_tile, &job);
done:
    ny_free(job.scratch);
    ny_free(job.factor);
    ny_free(job.diag);
    ny_kernel_release(&job.Z);
    ny_kernel_release(&job.X);
    return st;
}

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
    int64_t first, q; /* of the list's outputs, where those of f begin, and how many there are */
    const ny_variances *variances;
    double *factor, *diag; /* r x 2 x outputs, n: for the variances */
} output_job;

static void clear_one(ny_expansion *f) {
    ny_matrix_clear(&f->Z);
    ny_free(f->beta);
    ny_free(f->b);
}

void ny_expansion_clear(ny_expansion *f) {
    clear_one(f);
    for (ny_expansion *at = f->next, *after; at; at = after) {
        after = at->next;
        clear_one(at);
        ny_free(at);
    }
    *f = (ny_expansion){0};
}

int64_t ny_expansion_count(const ny_expansion *f) {
    int64_t count = 0;
    for (; f; f = f->next) count++;
    return count;
}

int64_t ny_expansion_width(const ny_expansion *f) {
    int64_t outputs = 0;
    for (; f; f = f->next) outputs += f->outputs;
    return outputs;
}

int64_t ny_expansion_points(const ny_expansion *f) {
    int64_t points = 0;
    for (; f; f = f->next) points += f->Z.n;
    return points;
}

static void output_tile(void *arg, int64_t first, int64_t count, int thread) {
    output_job *job = arg;
    const ny_expansion *f = job->f;
    const ny_variances *v = job->variances;
    int64_t m = f->Z.n, own = f->outputs, q = job->q;
    double *K = job->scratch + (int64_t)thread * job->stride, *F = job->F + job->first + first * q;
    ny_kernel_tile(&f->kernel, &job->Z, &job->X, first, count, K, m);
    for (int64_t i = 0; i < count; i++) memcpy(F + i * q, f->b, (size_t)own * sizeof *F);
    ny_gemm(true, false, own, count, m, 1.0, f->beta, m, K, m, 1.0, F, q);
    if (!v) return;
    ny_seen_points points = {count, K, m, job->diag + first};
    ny_posterior_variance(v->posterior, v->C, job->factor, &points, K + m * job->width, v->V + first * q);
}

/* One expansion of the list, as the job says. */
static ny_status outputs_of(ny_ctx *ctx, const ny_matrix *X, int64_t width, output_job job) {
    ny_status st = NY_OK;
    const ny_expansion *f = job.f;
    const ny_variances *variances = job.variances;
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

ny_status ny_expansion_outputs(ny_ctx *ctx, const ny_expansion *f, const ny_matrix *X, int64_t width, double *F,
                               const ny_variances *variances) {
    ny_status st = NY_OK;
    output_job job = {.F = F, .q = ny_expansion_width(f), .variances = variances};
    for (job.f = f; job.f && st == NY_OK; job.first += job.f->outputs, job.f = job.f->next)
        st = outputs_of(ctx, X, width, job);
    return st;
}

/* predict.c: f(x) = kappa(s(x), Z) beta + b in tiles, then labels and probabilities. docs/math.md, eq. 7 */
#include <string.h>

#include "base/threads.h"
#include "calibration.h"
#include "linalg/linalg.h"
#include "model.h"
#include "scale/scale.h"

typedef struct {
    const ny_model *model;
    const ny_kernel_side *Z, *X;
    double *scratch; /* threads x (m x width) */
    int64_t width;
    double *F; /* outputs x n */
} output_job;

static void output_tile(void *arg, int64_t first, int64_t count, int thread) {
    output_job *job = arg;
    const ny_model *model = job->model;
    int64_t m = model->Z.n, q = model->outputs;
    double *K = job->scratch + (int64_t)thread * m * job->width, *F = job->F + first * q;
    ny_kernel_tile(&model->kernel, job->Z, job->X, first, count, K, m);
    for (int64_t i = 0; i < count; i++) memcpy(F + i * q, model->b, (size_t)q * sizeof *F);
    ny_gemm(true, false, q, count, m, 1.0, model->beta, m, K, m, 1.0, F, q);
}

/* A copy to be scaled. Sparse data stay sparse only where zeros stay zeros: a model that shifts its inputs wants all
 * of them. */
static ny_status inputs(ny_ctx *ctx, const ny_model *model, const ny_matrix *data, ny_matrix *X) {
    ny_status st = NY_OK;
    bool shifted = false;
    for (int64_t j = 0; j < data->d; j++) shifted |= model->shift[j] != 0;
    if (!ny_matrix_is_sparse(data) || !shifted) return ny_matrix_copy(ctx, data, X);
    NY_TRY(ny_matrix_dense(ctx, data->d, data->n, X));
    memset(X->x, 0, (size_t)(data->d * data->n) * sizeof *X->x);
    for (int64_t i = 0; i < data->n; i++)
        for (int64_t e = data->ptr[i]; e < data->ptr[i + 1]; e++) X->x[data->idx[e] + i * data->d] = data->val[e];
done:
    return st;
}

/* F: outputs x n, one row of the data after the other. */
static ny_status outputs(ny_ctx *ctx, const ny_model *model, const ny_matrix *data, int64_t block_rows, double *F) {
    ny_status st = NY_OK;
    ny_matrix X = {0};
    ny_kernel_side z = {0}, x = {0};
    output_job job = {.model = model,
                      .Z = &z,
                      .X = &x,
                      .F = F,
                      .width = block_rows ? block_rows : ny_kernel_tile_width(&model->kernel, model->Z.n, model->Z.d)};
    if (job.width > data->n) job.width = data->n;
    NY_TRY(inputs(ctx, model, data, &X));
    ny_scale_apply(model->shift, model->factor, &X);
    NY_TRY(ny_kernel_prepare(ctx, &model->Z, true, &z));
    NY_TRY(ny_kernel_prepare(ctx, &X, false, &x));
    NY_NEW_RAW(ctx, job.scratch, ny_size3(ny_threads(), model->Z.n, job.width));
    ny_for_tiles(X.n, job.width, output_tile, &job);
done:
    ny_free(job.scratch);
    ny_kernel_release(&z);
    ny_kernel_release(&x);
    ny_matrix_clear(&X);
    return st;
}

ny_status ny_predict(ny_ctx *ctx, const ny_model *model, const ny_data *data, const ny_options *options, double *value,
                     double *proba, double *scores) {
    ny_status st = NY_OK;
    int64_t n = data->X.n, q = model->outputs, k = model->classes;
    double *F = NULL, *score = NULL, *p = NULL;
    int threads = ny_threads();
    if (options) ny_threads_set((int)options->threads);
    ny_blas_prepare();
    NY_TRY(ny_data_in_memory(ctx, data, "prediction"));
    NY_CHECK(ctx, data->X.d == model->schema.inputs, NY_ERR_DATA, "%lld inputs, but the model was trained on %lld",
             (long long)data->X.d, (long long)model->schema.inputs);
    NY_CHECK(ctx, !proba || k, NY_ERR_USAGE, "probabilities are for classes; this model predicts a number");
    NY_NEW_RAW(ctx, F, ny_size3(q, n, 1));
    NY_NEW_RAW(ctx, score, k + 1);
    NY_NEW_RAW(ctx, p, k + 1);
    NY_TRY(outputs(ctx, model, &data->X, options ? options->block_rows : 0, F));
    for (int64_t i = 0; i < n; i++) {
        const double *f = F + i * q;
        int64_t label = k ? ny_calibrated(model->coding, k, f, model->calibration, score, p) : 0;
        if (value) value[i] = k ? (double)label : f[0];
        if (proba) memcpy(proba + i * k, p, (size_t)k * sizeof *p);
    }
    if (scores) memcpy(scores, F, (size_t)(q * n) * sizeof *F);
done:
    ny_free(F);
    ny_free(score);
    ny_free(p);
    ny_threads_set(threads);
    return st;
}

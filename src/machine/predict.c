/* predict.c: the outputs of new rows, then labels and probabilities, or intervals. */
#include <math.h>
#include <string.h>

#include "decide.h"
#include "interval.h"
#include "linalg/linalg.h"
#include "model.h"
#include "new_rows.h"
#include "quantiles.h"

/* F: outputs x n, one row of the data after the other; V: the variances of the posterior there, or NULL. */
static ny_status outputs(ny_ctx *ctx, const ny_model *model, const ny_matrix *data, const ny_options *options,
                         double *F, double *V) {
    ny_status st = NY_OK;
    ny_matrix X = {0};
    ny_variances variances = {&model->posterior, model->C, V};
    NY_TRY(ny_new_rows_inputs(ctx, model, data, ny_new_rows_clip(options), &X));
    NY_TRY(ny_expansion_outputs(ctx, &model->f, &X, options ? options->block_rows : 0, F, V ? &variances : NULL));
done:
    ny_matrix_clear(&X);
    return st;
}

/* Before any prediction: threads as the options say, and data that suit the model. */
static ny_status begin(ny_ctx *ctx, const ny_model *model, const ny_data *data, const ny_options *options,
                       ny_crew_before *before) {
    ny_status st = NY_OK;
    NY_TRY(ny_blas_crew(ctx, options ? (int)options->threads : 0, before));
    NY_TRY(ny_new_rows_check(ctx, model, data));
done:
    return st;
}

/* Rows with missing values, which are there only to keep their place, get NAN in `width` numbers each. */
static void leave_blank(const ny_data *data, int64_t width, double *v) {
    for (int64_t i = 0; v && data->lacks && i < data->X.n; i++)
        for (int64_t k = 0; k < width && data->lacks[i]; k++) v[i * width + k] = NAN;
}

ny_status ny_predict(ny_ctx *ctx, const ny_model *model, const ny_data *data, const ny_options *options, double *value,
                     double *proba, double *scores) {
    NY_NEEDS(ctx, ctx && model && data, "a context, a model and data");
    ny_status st = NY_OK;
    int64_t n = data->X.n, q = model->f.outputs, k = model->classes;
    int64_t middle = model->quantiles ? ny_quantiles_middle(q, model->quantiles) : 0;
    double *F = NULL, *V = NULL, *scratch = NULL, *p = NULL, *prior = NULL;
    ny_crew_before before;
    NY_TRY(begin(ctx, model, data, options, &before));
    NY_CHECK(ctx, !proba || k, NY_ERR_USAGE, "probabilities are for classes; this model predicts a number");
    NY_TRY(ny_prior_parse(ctx, model, options ? options->prior : "", &prior));
    NY_NEW_RAW(ctx, F, ny_size3(q, n, 1));
    if (model->moderation) NY_NEW_RAW(ctx, V, ny_size3(q, n, 1));
    NY_NEW_RAW(ctx, scratch, ny_decide_scratch(model));
    NY_NEW_RAW(ctx, p, k + 1);
    NY_TRY(outputs(ctx, model, &data->X, options, F, V));
    for (int64_t i = 0; i < n; i++) {
        double *f = F + i * q;
        if (model->quantiles) ny_quantiles_order(q, f);
        int64_t label = k ? ny_decide(model, prior, f, V ? V + i * q : NULL, scratch, p) : 0;
        if (value) value[i] = k ? (double)label : f[middle];
        if (proba) memcpy(proba + i * k, p, (size_t)k * sizeof *p);
    }
    if (scores) memcpy(scores, F, (size_t)(q * n) * sizeof *F);
    leave_blank(data, 1, value);
    leave_blank(data, k, proba);
    leave_blank(data, q, scores);
done:
    ny_free(F);
    ny_free(V);
    ny_free(scratch);
    ny_free(p);
    ny_free(prior);
    ny_crew_end(before);
    return st;
}

/* Between the two quantiles that leave as much below as above. There is no posterior to tell the deviations from. */
static ny_status between_quantiles(ny_ctx *ctx, const ny_model *model, const ny_data *data, const ny_options *options,
                                   double level, const ny_intervals *out) {
    ny_status st = NY_OK;
    int64_t n = data->X.n, q = model->f.outputs;
    double *scores = NULL, below = (1 - level) / 2, above = (1 + level) / 2;
    int64_t lo = ny_quantiles_find(q, model->quantiles, below), hi = ny_quantiles_find(q, model->quantiles, above);
    NY_CHECK(ctx, lo >= 0 && hi >= 0, NY_ERR_USAGE,
             "--interval %g is made of the quantiles %g and %g, and the model has not both: train it with --quantiles "
             "%g,0.5,%g",
             level, below, above, below, above);
    NY_NEW_RAW(ctx, scores, ny_size3(q, n, 1));
    NY_TRY(ny_predict(ctx, model, data, options, out->value, NULL, scores));
    for (int64_t i = 0; i < n; i++) {
        if (out->lower) out->lower[i] = scores[lo + i * q];
        if (out->upper) out->upper[i] = scores[hi + i * q];
    }
done:
    ny_free(scores);
    return st;
}

ny_status ny_predict_interval(ny_ctx *ctx, const ny_model *model, const ny_data *data, const ny_options *options,
                              double level, const ny_intervals *out) {
    NY_NEEDS(ctx, ctx && model && data && out, "a context, a model, data and a place for the results");
    ny_status st = NY_OK;
    int64_t n = data->X.n;
    double *F = NULL, *V = NULL, *prior = NULL;
    ny_crew_before before;
    NY_TRY(begin(ctx, model, data, options, &before));
    NY_CHECK(ctx, level > 0 && level < 1, NY_ERR_USAGE, "interval %g: must be above 0 and below 1", level);
    NY_CHECK(ctx, !model->classes, NY_ERR_USAGE,
             "--interval is for numbers, and the model predicts classes: use --proba");
    for (int64_t i = 0; model->quantiles && i < n; i++) {
        if (out->noise_sd) out->noise_sd[i] = NAN;
        if (out->model_sd) out->model_sd[i] = NAN;
    }
    if (model->quantiles) {
        st = between_quantiles(ctx, model, data, options, level, out);
        goto done;
    }
    NY_TRY(ny_prior_parse(ctx, model, options ? options->prior : "", &prior)); /* none in a regression */
    NY_CHECK(ctx, model->posterior.r && model->error_size, NY_ERR_USAGE,
             "the model has no posterior, which --interval needs: train it with --posterior yes (lssvm, krr) or with "
             "--machine quantile --quantiles %g,0.5,%g",
             (1 - level) / 2, (1 + level) / 2);
    NY_NEW_RAW(ctx, F, n);
    NY_NEW_RAW(ctx, V, n);
    NY_TRY(outputs(ctx, model, &data->X, options, F, V));
    double width = ny_interval_width(model->error_size, level), noise = model->posterior.noise[0];
    for (int64_t i = 0; i < n; i++) {
        double half = width * sqrt(noise + V[i]);
        if (out->value) out->value[i] = F[i];
        if (out->lower) out->lower[i] = F[i] - half;
        if (out->upper) out->upper[i] = F[i] + half;
        if (out->noise_sd) out->noise_sd[i] = sqrt(noise);
        if (out->model_sd) out->model_sd[i] = sqrt(V[i]);
    }
    double *const results[] = {out->value, out->lower, out->upper, out->noise_sd, out->model_sd};
    for (size_t k = 0; k < sizeof results / sizeof *results; k++) leave_blank(data, 1, results[k]);
done:
    ny_free(F);
    ny_free(V);
    ny_crew_end(before);
    return st;
}

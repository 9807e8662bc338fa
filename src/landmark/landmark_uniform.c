/* landmark_uniform.c: m rows drawn without replacement, all equally likely: those whose numbers have the smallest keys
 * (data/folds.h). The draw does not depend on the order of the rows, and those of a sample are those of all rows where
 * it is large enough. */
#include "landmark.h"
#include "read/folds.h"

static ny_status choose(ny_ctx *ctx, const ny_landmark_spec *spec, ny_landmarks *out) {
    ny_status st = NY_OK;
    int64_t n = spec->X->X->n, count = 0, *rows = NULL;
    ny_row_sampler sampler = {0};
    NY_NEW_RAW(ctx, rows, spec->m);
    NY_TRY(ny_row_sampler_init(ctx, 1, &n, spec->m, spec->seed, &sampler));
    for (int64_t i = 0; i < n; i++) ny_row_sampler_offer(&sampler, spec->id ? spec->id[i] : i, 0);
    for (int64_t i = 0; i < n && count < spec->m; i++)
        if (ny_row_sampler_has(&sampler, spec->id ? spec->id[i] : i, 0)) rows[count++] = i;
    NY_TRY(ny_matrix_gather(ctx, spec->X->X, rows, count, &out->Z));
done:
    ny_row_sampler_clear(&sampler);
    ny_free(rows);
    return st;
}

const ny_landmark_method ny_landmark_uniform = {"uniform", "rows drawn at random", false, choose};

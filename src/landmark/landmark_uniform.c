/* landmark_uniform.c: m rows drawn without replacement, all equally likely. */
#include "base/rng.h"
#include "landmark.h"

static ny_status choose(ny_ctx *ctx, const ny_landmark_spec *spec, ny_landmarks *out) {
    ny_status st = NY_OK;
    int64_t n = spec->X->X->n, m = spec->m, *rows = NULL;
    ny_rng rng = ny_rng_make(spec->seed, NY_RNG_LANDMARKS, 0);
    NY_NEW_RAW(ctx, rows, n);
    for (int64_t i = 0; i < n; i++) rows[i] = i;
    for (int64_t i = 0; i < m; i++) { /* the first m steps of a shuffle */
        int64_t j = i + ny_rng_below(&rng, n - i), t = rows[i];
        rows[i] = rows[j];
        rows[j] = t;
    }
    NY_TRY(ny_matrix_gather(ctx, spec->X->X, rows, m, &out->Z));
done:
    ny_free(rows);
    return st;
}

const ny_landmark_method ny_landmark_uniform = {"uniform", "rows drawn at random", false, choose};

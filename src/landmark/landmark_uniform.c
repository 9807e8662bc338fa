/* landmark_uniform.c: m rows drawn without replacement, all equally likely. */
#include "base/rng.h"
#include "landmark.h"

static ny_status choose(ny_ctx *ctx, const ny_kernel_params *kernel, const ny_kernel_side *X, int64_t m, double tol,
                        uint64_t seed, ny_landmarks *out) {
    (void)kernel, (void)tol;
    ny_status st = NY_OK;
    int64_t n = X->X->n, *rows = NULL;
    ny_rng rng = ny_rng_make(seed, NY_RNG_LANDMARKS, 0);
    NY_NEW_RAW(ctx, rows, n);
    for (int64_t i = 0; i < n; i++) rows[i] = i;
    for (int64_t i = 0; i < m; i++) { /* the first m steps of a shuffle */
        int64_t j = i + ny_rng_below(&rng, n - i), t = rows[i];
        rows[i] = rows[j];
        rows[j] = t;
    }
    NY_TRY(ny_matrix_gather(ctx, X->X, rows, m, &out->Z));
done:
    ny_free(rows);
    return st;
}

const ny_landmark_method ny_landmark_uniform = {"uniform", "rows drawn at random", choose};

/* landmark_entropy.c: rows of large quadratic Renyi entropy, by swaps (De Brabanter et al. 2010, sections 4.1 - 4.3):
 * spread out over the inputs, also where rows are rare. Bandwidths of the entropy from the plug-in rule, one for each
 * input; stratified for classes. Known weakness: with many inputs all rows are far apart in such bandwidths, every
 * choice has the same entropy, and the landmarks are those of a stratified uniform draw. */
#include "entropy.h"
#include "landmark.h"

static ny_status choose(ny_ctx *ctx, const ny_landmark_spec *spec, ny_landmarks *out) {
    ny_status st = NY_OK;
    const ny_matrix *X = spec->X->X;
    ny_entropy found = {0};
    ny_entropy_spec want = {X, spec->code, spec->classes, spec->m, spec->seed, -1};
    NY_TRY(ny_entropy_choose(ctx, &want, &found));
    NY_TRY(ny_matrix_gather(ctx, X, found.rows, spec->m, &out->Z));
done:
    ny_entropy_clear(&found);
    return st;
}

const ny_landmark_method ny_landmark_entropy = {"entropy", "rows of large quadratic Renyi entropy, by random swaps",
                                                false, choose};

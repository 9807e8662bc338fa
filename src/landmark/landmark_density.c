/* landmark_density.c: density-weighted Nystrom (Zhang & Kwok 2009): the centres of a k-means clustering, each with the
 * number of rows nearest to it. docs/math.md, eq. 94: a cut by --rank or --rank-tol then keeps what matters to many
 * rows. Known weakness: without a cut the weights change nothing, and it is `kmeans`. */
#include <string.h>

#include "kmeans.h"

static ny_status choose(ny_ctx *ctx, const ny_landmark_spec *spec, ny_landmarks *out) {
    ny_status st = NY_OK;
    NY_TRY(ny_kmeans(ctx, spec, &out->Z, &out->weight));
    int64_t d = out->Z.d, kept = 0;
    for (int64_t k = 0; k < out->Z.n; k++) {
        if (!(out->weight[k] > 0)) continue;
        memmove(out->Z.x + kept * d, out->Z.x + k * d, (size_t)d * sizeof *out->Z.x);
        out->weight[kept++] = out->weight[k];
    }
    out->Z.n = kept;
done:
    return st;
}

const ny_landmark_method ny_landmark_density = {
    "density", "k-means centres that count as often as they have rows: for a cut by --rank", false, choose};

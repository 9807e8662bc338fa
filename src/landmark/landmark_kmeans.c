/* landmark_kmeans.c: the centres of a k-means clustering (Zhang & Kwok 2010). */
#include <stddef.h>

#include "kmeans.h"

static ny_status choose(ny_ctx *ctx, const ny_landmark_spec *spec, ny_landmarks *out) {
    return ny_kmeans(ctx, spec, &out->Z, NULL);
}

const ny_landmark_method ny_landmark_kmeans = {"kmeans", "centres of a k-means clustering", false, choose};

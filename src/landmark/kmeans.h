/* kmeans.h: centres of a k-means clustering, dense whatever the rows are. */
#ifndef NY_KMEANS_H
#define NY_KMEANS_H

#include "landmark.h"

/* spec->m centres of a sample of the rows to Z; size (m, or NULL): how many rows of the sample are nearest to each. */
ny_status ny_kmeans(ny_ctx *ctx, const ny_landmark_spec *spec, ny_matrix *Z, double **size);

#endif

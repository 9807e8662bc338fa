/* calibrate.h: the slopes of the map from scores to probabilities (machine/calibration.h).     docs/math.md, eq. 21 */
#ifndef NY_CALIBRATE_H
#define NY_CALIBRATE_H

#include "base/ctx.h"
#include "codes/codes.h"

/* F: n x q outputs, column-major; code: true classes; u: square roots of row weights. */
ny_status ny_calibrate(ny_ctx *ctx, ny_coding coding, int64_t classes, int64_t n, int64_t q, const double *F,
                       const int32_t *code, const double *u, double slopes[2]);

#endif

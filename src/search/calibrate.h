/* calibrate.h: the slopes of the map from scores to probabilities (machine/calibration.h).     docs/math.md, eq. 21 */
#ifndef NY_CALIBRATE_H
#define NY_CALIBRATE_H

#include "base/ctx.h"
#include "codes/codes.h"

typedef struct ny_held_outputs { /* of rows whose classes are known */
    ny_coding coding;
    int64_t classes, n, q;
    const double *F;     /* n x q, column-major */
    const int32_t *code; /* n: the true classes */
    const double *u;     /* n: square roots of row weights */
} ny_held_outputs;

/* The slopes that make probabilities of the outputs most likely on these rows. */
ny_status ny_calibrate(ny_ctx *ctx, const ny_held_outputs *held, double slopes[2]);
/* Minus the log of the probability of each row's class (n), with the slopes that fit the outputs. */
ny_status ny_calibrated_losses(ny_ctx *ctx, const ny_held_outputs *held, double *loss);

#endif

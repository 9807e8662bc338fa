/* relevance.h: the criterion of a small machine as a function of the scales of its input columns, with its gradient.
 * What ard.c minimises.                                                                  docs/math.md, eq. 64 - 72 */
#ifndef NY_RELEVANCE_H
#define NY_RELEVANCE_H

#include "kernel/kernel.h"
#include "table/matrix.h"

typedef struct ny_relevance {
    ny_kernel_params kernel;
    bool evidence;
    double rho; /* of the bias: solver/bias.h */
    int64_t columns;
    const int64_t *column; /* inputs: which column each belongs to */
    ny_matrix X, Z;        /* dense: rows and landmarks at scale 1 */
    double *u, *Y;         /* n; n x q */
    int64_t q;
} ny_relevance;

void ny_relevance_clear(ny_relevance *r); /* what it holds, except `column` */

/* scale: of each column, 0 where it is dropped. gradient: by the logarithms of the scales and, last, by log C. */
ny_status ny_relevance_value(ny_ctx *ctx, const ny_relevance *r, const double *scale, double C, double *value,
                             double *gradient);

#endif

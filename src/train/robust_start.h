/* robust_start.h: where the targets are but for their outliers: a small machine that some wild targets do not lead
 * astray, and the noise around it.                                                        docs/math.md, section 16 */
#ifndef NY_ROBUST_START_H
#define NY_ROBUST_START_H

#include "base/order.h"
#include "search/rows.h"
#include "wild.h"

typedef struct ny_robust_start { /* all zero: empty */
    double noise;                /* standard deviation of the errors, were they normal; above 0 */
    double *f;                   /* rows of rows->all: outputs; of rows that it has learnt from, held out */
    ny_wild_limits limits;       /* of the errors y - f that noise explains */
} ny_robust_start;

/* Trains the small machines of the start on these rows. *out is for ny_robust_start_clear; empty after an error. */
ny_status ny_robust_start_make(ny_ctx *ctx, const ny_setup *setup, const ny_training_rows *rows, ny_robust_start *out);
void ny_robust_start_clear(ny_robust_start *start);

/* The median of absolute values, over that of a standard normal variable; where most of them are next to nothing, as
 * of counts that are mostly 0, a higher quantile or the root mean square in its place. Sorts e. */
double ny_robust_scale(ny_weighed *e, int64_t n);

#endif

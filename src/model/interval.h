/* interval.h: how many standard deviations an interval takes, learnt from held-out errors.  docs/math.md, eq. 57 */
#ifndef NY_INTERVAL_H
#define NY_INTERVAL_H

#include "model.h"

/* From n standardised errors (their order is lost): quantiles of their size, closer together the larger they are. */
void ny_interval_learn(int64_t n, double *error, double quantile[NY_QUANTILES]);
/* Standard deviations to both sides for a level in (0, 1). */
double ny_interval_width(const double quantile[NY_QUANTILES], double level);

#endif

/* interval.h: how many standard deviations an interval takes, learnt from held-out errors (train/spread.h).
 * docs/math.md, eq. 57 */
#ifndef NY_INTERVAL_H
#define NY_INTERVAL_H

#include "model.h"

/* The level of quantile k, 1 - (1 - k/NY_QUANTILES)^3: the last one leaves out a ten millionth. */
double ny_interval_level(int64_t k);
/* Standard deviations to both sides for a level in (0, 1). */
double ny_interval_width(const double quantile[NY_QUANTILES], double level);

#endif

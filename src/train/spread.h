/* spread.h: what held-out errors say of the width of intervals (machine/interval.h). */
#ifndef NY_SPREAD_H
#define NY_SPREAD_H

#include "machine/interval.h"

/* From n standardised errors (their order is lost): quantiles of their size, closer together the larger they are. */
void ny_interval_learn(int64_t n, double *error, double quantile[NY_QUANTILES]);

/* How much of a variance that is known up to a factor the errors show: the rho for which a normal distribution of mean
 * 0 and variance noise_i + rho variance_i is likeliest, where log2 rho has itself a normal prior of deviation 2 around
 * 0: few errors leave it near 1.   docs/math.md, eq. 56a */
double ny_interval_spread(int64_t n, const double *error, const double *noise, const double *variance);

#endif

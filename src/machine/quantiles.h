/* quantiles.h: what becomes of the outputs of a quantile machine. */
#ifndef NY_QUANTILES_H
#define NY_QUANTILES_H

#include <stdbool.h>
#include <stdint.h>

/* Puts the outputs f (q) of a row into ascending order, which the quantiles they stand for have: never a larger pinball
 * loss in all. Returns whether some had crossed.                                                 docs/math.md, eq. 90
 */
bool ny_quantiles_order(int64_t q, double *f);

/* The one that is the prediction: nearest to 1/2, the first of two as near. */
int64_t ny_quantiles_middle(int64_t q, const double *quantile);

/* Which one is `p`, or -1. */
int64_t ny_quantiles_find(int64_t q, const double *quantile, double p);

#endif

/* plugin.h: bandwidths for density estimates, one for each input (docs/math.md, eq. 44 - 46). */
#ifndef NY_PLUGIN_H
#define NY_PLUGIN_H

#include <stdint.h>

#include "base/ctx.h"
#include "table/matrix.h"

/* The bandwidth h > 0 of a normal kernel density estimate of n numbers: two-stage solve-the-equation plug-in (Sheather
 * & Jones 1991). The answer is that of R's bw.SJ(x, method = "ste") with ever more bins and ever smaller tolerance;
 * R's own binning (nb = 1000) and its root finder (tol = 0.1 lower) move its answer by more than ours moves.
 *
 * Error: exact sums for up to 512 distinct values; else binned, h within 0.1% of that from exact sums (density.h).
 *
 * Where the method has no answer (interquartile range 0, no solution within R's 99 widenings of the interval, or a
 * solution that 2^20 bins do not resolve) the normal reference rule: h = 1.06 sd n^(-1/5). For a constant column, or
 * n = 1, h is the largest absolute value, or 1 when that is 0: all differences are 0, so h has no influence.
 *
 * O(n) time; scratch: 2n numbers and the bins. NY_ERR_NUMERIC when a number is not finite. */
ny_status ny_plugin_bandwidth(ny_ctx *ctx, int64_t n, const double *x, double *h);

/* The same for each input of X: h (d). Sparse inputs stay sparse: where at most a quarter of a column is not zero its
 * interquartile range is 0 and the rule needs mean and variance only, O(nnz) for all such columns together. The few
 * others (at most 4 nnz / n) are spread out one at a time. So sparse and dense give the same bandwidths. */
ny_status ny_plugin_bandwidths(ny_ctx *ctx, const ny_matrix *X, double *h);

#endif

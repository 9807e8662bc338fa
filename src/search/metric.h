/* metric.h: a weight for each input column, from the slopes of the outputs of a small machine: an input along which
 * they change little counts little; or from its evidence (ard.h).                          docs/math.md, section 15a */
#ifndef NY_METRIC_H
#define NY_METRIC_H

#include <string.h>

#include "model/record.h"
#include "selection.h"

/* w weights that were learnt from some of n rows take 2 w / n off the mean loss of these rows, as w coefficients would
 * (Mallows, Akaike). */
static inline double ny_metric_penalty(int64_t weights, int64_t rows) {
    return 1 + 2 * (double)weights / (double)rows;
}
/* Whether the columns have different weights. */
static inline bool ny_metric_weighs(const ny_weighing *w) {
    return w->used && strcmp(w->used, "equal") != 0;
}
/* Learns weights, the largest of which is 1, from a sample of the rows of sel, which is only looked at: by slopes, and,
 * to choose, also by the evidence. To choose is to take the better of the two if it is better than equal weights, after
 * its penalty, by more than the standard error of the difference. column: which of the columns each input belongs to;
 * dense inputs. scale: columns; all 1 where equal weights are best or a stop came first. judgement->used is the
 * caller's to free. */
ny_status ny_metric_find(const ny_selection *sel, int64_t columns, const int64_t *column, bool choose, double *scale,
                         ny_weighing *judgement);

/* What that takes for n rows of d inputs and q outputs, as the plan counts. */
void ny_metric_cost(int64_t n, int64_t d, int64_t q, double *bytes, double *flops);

#endif

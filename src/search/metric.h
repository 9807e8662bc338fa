/* metric.h: a weight for each input column, from the slopes of the outputs of a small machine: an input along which
 * they change little counts little. docs/math.md, eq. 103 - 106, after Radhakrishnan et al. (2024) and Beaglehole et al.
 * (2025). */
#ifndef NY_METRIC_H
#define NY_METRIC_H

#include "model/record.h"
#include "selection.h"

/* w weights that were learnt from some of n rows take 2 w / n off the mean loss of these rows, as w coefficients would
 * (Mallows, Akaike). */
static inline double ny_metric_penalty(int64_t weights, int64_t rows) {
    return 1 + 2 * (double)weights / (double)rows;
}
/* Whether machines with the weights are better by more than the choice of the weights explains. */
static inline bool ny_metric_pays(const ny_weighing *w) {
    return w->weighed * w->penalty < w->equal;
}

/* Learns weights, the largest of which is 1, from a sample of the rows of sel, which is only looked at. column: which of
 * the columns each input belongs to; dense inputs. scale: columns; all 1 where a stop came first.
 * judgement: but for `used`. */
ny_status ny_metric_find(const ny_selection *sel, int64_t columns, const int64_t *column, double *scale,
                         ny_weighing *judgement);

/* What that takes for n rows of d inputs and q outputs, as the plan counts. */
void ny_metric_cost(int64_t n, int64_t d, int64_t q, double *bytes, double *flops);

#endif

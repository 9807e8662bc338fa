/* ard.h: automatic relevance determination: a scale for each input column, by the criterion; and which columns can go.
 * docs/math.md, eq. 64 - 75 */
#ifndef NY_ARD_H
#define NY_ARD_H

#include "selection.h"

/* On a small machine (a sample of sel's rows, few landmarks) finds the scales that make the criterion best, starting
 * from 1 at the best common bandwidth. column: which of the columns each input belongs to. select: also drops the
 * columns without which the criterion is no worse. scale: columns; 0: dropped. tried: gets the machines of all rows
 * that were tried here, as they are part of the choice. A stop leaves the best so far. sel is only looked at. */
ny_status ny_ard_find(const ny_selection *sel, int64_t columns, const int64_t *column, bool select, double *scale,
                      ny_tried *tried);

/* The same, without dropping anything, on all rows of sel (dense), from its best machine on, and quicker: with fewer
 * evaluations. The scales are relative to those of that machine. A stop is NY_STOPPED. */
ny_status ny_ard_from(ny_selection *sel, int64_t columns, const int64_t *column, double *scale);

/* What ny_ard_find takes for n rows of d inputs and m landmarks, as the plan counts. */
void ny_ard_cost(int64_t n, int64_t d, int64_t m, bool select, double *bytes, double *flops);

#endif

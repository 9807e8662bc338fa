/* exact.h: the exact machine on every row, by conjugate gradients (--solver cg, and auto where it is worth its time),
 * with its own leave-one-out outputs. docs/math.md, eq. 51 .. 53, 62, 63 */
#ifndef NY_EXACT_H
#define NY_EXACT_H

#include "model/record.h"
#include "plan.h"
#include "search/selection.h"

/* After the search: sel->found.best gets the coefficients and the bias of the exact machine at its kernel, bandwidth
 * and C, with every row in place of the landmarks (behind them, where they carry a posterior), and its held-out
 * outputs. Where the systems are not solved well enough (a stop, too few iterations) the low-rank machine stays, and a
 * note says so. */
ny_status ny_exact_train(ny_selection *sel, const ny_plan *plan, ny_record *record);

#endif

/* exact_choose.h: where the exact machine on all rows is to be: kernel, bandwidth and C, by its own leave-one-out
 * errors. docs/math.md, section 14 */
#ifndef NY_EXACT_CHOOSE_H
#define NY_EXACT_CHOOSE_H

#include "exact_try.h"
#include "model/record.h"
#include "plan.h"

/* Each of these leaves the best machine that it has found in x, which has its goals and its place of departure.
 * NY_STOPPED: not begun, or not worth beginning; a stop on the way is in the report. */

/* At the point of x, each output at the C that landmarks have found. */
ny_status ny_exact_own(ny_exact *x, const ny_plan *plan, ny_record *record);
/* Numbers, after a machine on landmarks. */
ny_status ny_exact_choose_numbers(ny_exact *x, const ny_plan *plan, ny_record *record);
/* Classes, after exact machines of some rows (NY_ROUTE_CG_ALONE). */
ny_status ny_exact_choose_classes(ny_exact *x, const ny_plan *plan, ny_record *record);

/* Where the low-rank machines of the best other bounded kernel were best; kernel NULL: nowhere. It must have been no
 * worse than the chosen one, where both had as many rows, by more than one standard error. */
ny_point ny_exact_rival(const ny_selection *sel);

/* Whether every output has a machine; the mean of their leave-one-out errors. */
bool ny_exact_found(const ny_exact *x);
double ny_exact_loss(const ny_exact *x);

/* Operations of numbers that choose for themselves, if each trial takes so many iterations; 0: as many as usual. */
double ny_exact_flops(const ny_matrix *X, const ny_plan *plan, double iterations);

#endif

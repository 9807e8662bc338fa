/* compare.h: all criteria of the finished machine side by side (--compare-criteria). */
#ifndef NY_COMPARE_H
#define NY_COMPARE_H

#include "model/record.h"
#include "search/selection.h"

/* What each criterion says of sel->found.best, and which C it would have chosen with that kernel and those landmarks,
 * into the model's record. All rows are in memory. */
ny_status ny_compare_criteria(ny_ctx *ctx, const ny_data *data, const ny_selection *sel, ny_model *model);

#endif

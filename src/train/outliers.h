/* outliers.h: says so when a few wild targets decide over everything. */
#ifndef NY_OUTLIERS_H
#define NY_OUTLIERS_H

#include "model/record.h"
#include "search/selection.h"

/* Notes on the held-out errors of the best machine of a regression: of squared losses, that a few rows hold most of the
 * error; of others, that outlying targets are in the error but not in the machine. */
ny_status ny_outliers_note(const ny_selection *sel, ny_record *record);

#endif

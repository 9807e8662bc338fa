/* expected.h: the error to be expected on fresh rows: how sure it is, and what saying always the same would cost. */
#ifndef NY_EXPECTED_H
#define NY_EXPECTED_H

#include "model/record.h"
#include "search/selection.h"

/* From the held-out outputs of sel->found.best and the decisions that the model, whose probabilities are calibrated,
 * will make by them: error and std_error of sel->found.best where these decisions are not those that the search has
 * counted, and the limits, the baseline and the error without class weights of the record. */
ny_status ny_expected_find(ny_selection *sel, const ny_data *data, ny_model *model);

#endif

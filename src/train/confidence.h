/* confidence.h: from held-out outputs and the posterior to intervals, probabilities and what they mean for the error.
 */
#ifndef NY_CONFIDENCE_H
#define NY_CONFIDENCE_H

#include "model/record.h"
#include "search/selection.h"

/* Before the search: the weight of each class in the training data, which probabilities are relative to, and the prior.
 */
ny_status ny_confidence_begin(ny_ctx *ctx, const ny_setup *setup, const ny_rows *all, ny_model *model);

/* Before the best moves into the model, whose probabilities are calibrated: takes the posterior over, and fills in
 * quantiles, moderation and what is to be expected of it (expected.h). */
ny_status ny_confidence_make(ny_selection *sel, const ny_data *data, ny_model *model);

#endif

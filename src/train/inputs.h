/* inputs.h: --ard and --select-inputs: how much each input column counts, and which are needed at all. */
#ifndef NY_INPUTS_H
#define NY_INPUTS_H

#include "model/record.h"
#include "search/selection.h"

/* After the inputs are scaled and before the search: multiplies the scaling of the model and the inputs of the rows,
 * those of a validation set too, by the columns' relevance, and takes dropped columns out of both. (Sparse inputs and
 * rows in passes keep them, with a factor of 0.) The record tells the relevance. */
ny_status ny_weigh_inputs(ny_ctx *ctx, const ny_data *data, ny_selection *sel, ny_training_rows *rows, ny_model *model);

#endif

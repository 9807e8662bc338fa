/* inputs.h: --metric, --ard and --select-inputs: how much each input column counts, and which are needed at all. */
#ifndef NY_INPUTS_H
#define NY_INPUTS_H

#include "model/record.h"
#include "search/selection.h"

/* Whether the columns are to be weighed at all: --metric, --ard, --select-inputs. */
bool ny_inputs_to_weigh(const ny_options *options, const ny_data *data);
/* What that takes for so many rows, outputs and landmarks, as the plan counts; 0 where they are not weighed. */
void ny_weighing_cost(const ny_options *options, const ny_data *data, int64_t rows, int64_t outputs, int64_t landmarks,
                      double *bytes, double *flops);
/* After the inputs are scaled and before the search: multiplies the scaling of the model and the inputs of the rows,
 * those of a validation set too, by the columns' relevance, and takes dropped columns out of both. (Sparse inputs and
 * rows in passes keep them, with a factor of 0.) The record tells the relevance. */
ny_status ny_weigh_inputs(ny_ctx *ctx, const ny_data *data, ny_selection *sel, ny_training_rows *rows, ny_model *model);

#endif

/* validation.h: rows to judge by that are not learnt from: --validation FILE, and of `nysel path` a share of the rows.
 */
#ifndef NY_VALIDATION_H
#define NY_VALIDATION_H

#include "model/record.h"
#include "training.h"

/* The rows into t->rows.validation, read by the schema of the training data where they are a file, with the class
 * weights and units that the training rows have; ny_prepare_inputs scales them. Does nothing where none are asked for.
 * Call it after ny_prepare_rows. */
ny_status ny_validation_prepare(ny_ctx *ctx, const ny_data *data, ny_training *t, ny_model *model);

#endif

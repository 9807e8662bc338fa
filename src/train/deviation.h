/* deviation.h: the exact machine beside the model, and how far apart their outputs are (--bound). */
#ifndef NY_DEVIATION_H
#define NY_DEVIATION_H

#include "model/record.h"
#include "search/selection.h"

/* Trains on every row, with the model's kernel, bandwidth and C, and puts the largest and the rms difference of raw
 * outputs into model->record->bound: over the rows of --test, else of the training data. Where the exact machine is too
 * large, or something goes wrong, a note says so. Scratch: n x n. */
ny_status ny_deviation_measure(ny_ctx *ctx, const ny_data *data, const ny_selection *sel, ny_model *model);

#endif

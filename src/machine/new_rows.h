/* new_rows.h: rows that a model has not been trained on, as its kernel sees them: the columns that it kept, brought to
 * the training range with a margin, scaled. docs/math.md, "Rows outside the training data" */
#ifndef NY_NEW_ROWS_H
#define NY_NEW_ROWS_H

#include "model.h"

/* Whether the data have the inputs that the model needs, in memory; if not, an error. */
ny_status ny_new_rows_check(ny_ctx *ctx, const ny_model *model, const ny_data *data);
/* Scaled inputs for the kernel. clip: inputs outside the limits are moved to the nearest limit first. */
ny_status ny_new_rows_inputs(ny_ctx *ctx, const ny_model *model, const ny_matrix *data, bool clip, ny_matrix *X);
/* --outside clip; true without options. */
static inline bool ny_new_rows_clip(const ny_options *options) {
    return !options || options->outside != NY_OUTSIDE_KEEP;
}
/* How far beyond the training range an input may lie, in widths of that range. */
double ny_range_margin(const ny_kernel_params *p);

#endif

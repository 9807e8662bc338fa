/* losses.h: the losses of the machine's outputs, and their measures where the user leaves them to the data. */
#ifndef NY_LOSSES_H
#define NY_LOSSES_H

#include "model/record.h"
#include "training.h"

/* The quantiles of --quantiles, ascending; count of them. */
ny_status ny_quantiles_parse(ny_ctx *ctx, const char *text, int64_t *count, double **quantile);

/* Fills t->loss, the unit of C and what the record tells of them: from the options, and from the noise in the scaled
 * rows. Nothing to do for squared losses. */
ny_status ny_prepare_losses(ny_ctx *ctx, ny_training *t, ny_measures *measures);

#endif

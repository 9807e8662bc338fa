/* encode.h: from the rows of a frame to inputs: schema, one-hot coding, means for missing values. */
#ifndef NY_ENCODE_H
#define NY_ENCODE_H

#include "frame.h"

/* What the rows so far tell, into `data`: the schema (a model's is copied), the target's labels and counts. */
ny_status ny_encode_learn(ny_ctx *ctx, ny_frame *frame, ny_data *data);

/* Moves the frame's held rows to X, y, code and weight of `data`, laid out by the schema, freeing the frame's blocks on
 * the way: the peak is about one copy of the numbers. (Where everything is a number and in one block, the block itself
 * becomes X.) */
ny_status ny_encode_take(ny_ctx *ctx, ny_frame *frame, const ny_schema *schema, ny_data *data);

#endif

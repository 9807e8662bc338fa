/* encode.h: from the rows of a frame to inputs: schema, one-hot coding, means for missing values. */
#ifndef NY_ENCODE_H
#define NY_ENCODE_H

#include "frame.h"

/* Checks the frame (ny_frame_check), then fills X, schema, target and weights of `data`, freeing the frame's blocks
 * on the way: the peak is about one copy of the numbers. (Where everything is a number and in one block, the block
 * itself becomes X.) */
ny_status ny_encode(ny_ctx *ctx, ny_frame *frame, ny_data *data);

#endif

/* identify.h: columns that name their row instead of describing it. */
#ifndef NY_IDENTIFY_H
#define NY_IDENTIFY_H

#include "frame.h"

/* Whether the next row is likelier to bring a new text than one of those seen: `singles` of the texts of `rows` rows
 * occur once (Good and Turing: a new one has probability singles/rows). It must be above 1/2 by two standard errors of
 * a share, 1/sqrt(rows); so with four rows or fewer nothing is said. */
bool ny_mostly_unseen(int64_t rows, int64_t singles);

/* While learning: the row at frame->row.x is kept. */
void ny_identify_row(ny_frame *frame);
/* A text column has too many levels: if it is an identifier by now, it is left out from here on. */
bool ny_identify_early(ny_frame *frame, int64_t slot);
/* After the last row: sets frame->slot.left_out. Fails when no input is left. */
ny_status ny_identify_end(ny_ctx *ctx, ny_frame *frame);
/* Tells what was recognised: forms, identifiers, columns that count the rows. */
void ny_identify_tell(ny_ctx *ctx, const ny_frame *frame);

#endif

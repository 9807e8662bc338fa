/* passes.h: training rows that do not fit in memory: block after block from a file, in as many passes as are needed.
 * Each block comes as the rows in memory do: scaled, coded, sorted by fold. */
#ifndef NY_PASSES_H
#define NY_PASSES_H

#include "read/folds.h"
#include "read/stream.h"
#include "rows.h"
#include "scale/bend.h"

struct ny_passes {
    ny_stream *stream;            /* borrowed from the data */
    const double *shift, *factor; /* scaling; NULL: not yet known, blocks come as they are */
    const ny_bend *bend;          /* before that */
    double *class_weight;         /* classes */
    int32_t *fold_file;           /* a fold for every row of the file; NULL: drawn */
    int64_t block;                /* rows of a block, at most */
    int64_t machines;             /* that may share a pass, at most */
    ny_fold_maker maker;
    int64_t at; /* number of the next row */
};

/* To the first row. */
ny_status ny_passes_begin(ny_ctx *ctx, const ny_setup *setup, const ny_training_rows *rows, struct ny_passes *passes);
/* The next rows of positive weight; block->n == 0 at the end. block is cleared first. */
ny_status ny_passes_next(ny_ctx *ctx, const ny_setup *setup, const ny_training_rows *rows, struct ny_passes *passes,
                         ny_rows *block);
void ny_passes_free(struct ny_passes *passes);

#endif

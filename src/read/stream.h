/* stream.h: a file's rows in blocks, pass after pass, in memory that does not grow with the rows.
 *
 * The first pass, the survey, reads every row once and keeps none. It leaves streamed data (see struct ny_data):
 * schema, labels and counts as reading the whole file gives them, and the stream that later passes come from. */
#ifndef NY_STREAM_H
#define NY_STREAM_H

#include "table/data.h"

/* Surveys the file. Fails exactly as reading it whole would; what cannot be read twice ("-", a pipe) is NY_ERR_USAGE.
 * (*shell)->stream is at the first row. */
ny_status ny_stream_open(ny_ctx *ctx, const char *path, const ny_options *options, ny_data **shell);

/* The next at most max_rows rows: X, y, code (numbers of the surveyed labels) and weight of the block, with rows,
 * sparse, weighted, has_target and numeric_target; schema and labels are in the shell only. What the block held is
 * freed first (all zero: nothing). block->X.n == 0: the pass has ended. */
ny_status ny_stream_next(ny_ctx *ctx, ny_stream *stream, int64_t max_rows, ny_data *block);
/* Back to the first row, from anywhere: the next pass. */
ny_status ny_stream_rewind(ny_ctx *ctx, ny_stream *stream);
/* ny_data_free does this. */
void ny_stream_close(ny_stream *stream);

/* Whether data of about `bytes` in memory (0: unknown) are to be streamed: as --stream says; auto: when twice that, as
 * read and as scaled, exceeds half of --memory (0: 80% of `available`). */
bool ny_stream_wanted(const ny_options *options, double bytes, int64_t available);

/* ---- a file for a model, in blocks, once ---------------------------------------------------------------------- */

typedef struct ny_data_blocks ny_blocks;

/* `like` must outlive the blocks. "-" may be read too. */
ny_status ny_blocks_open(ny_ctx *ctx, const char *path, const ny_options *options, const ny_schema *like,
                         ny_blocks **blocks);
/* So many numbers will be made of each row: the usual blocks have that many fewer rows. */
void ny_blocks_beside(ny_blocks *blocks, int64_t numbers);
/* The next at most max_rows rows (0: about 32 MB, between 1000 and 20,000 rows, or a quarter of --memory) as data of
 * their own, as ny_data_open gives them; *data is NULL at the end. Labels and counts are those of the rows so far.
 * Where reading the whole file would fail with a count over all rows, this reads on to the end and fails with it.
 * Warnings come once, at the end of the file, about all of it. With --missing drop the rows stay, and data->lacks tells
 * which had missing values. */
ny_status ny_blocks_next(ny_ctx *ctx, ny_blocks *blocks, int64_t max_rows, ny_data **data);
/* NULL is fine. Blocks that were handed out stay valid. */
void ny_blocks_close(ny_blocks *blocks);

#endif

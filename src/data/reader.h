/* reader.h: the file formats. Each reader fills X, target, weights and schema of empty data that only have a source
 * name. */
#ifndef NY_READER_H
#define NY_READER_H

#include "data.h"
#include "source.h"

typedef ny_status ny_reader(ny_ctx *ctx, ny_source *source, const ny_options *options, const ny_schema *like,
                            ny_data *data);

ny_reader ny_read_csv, ny_read_libsvm, ny_read_npy;

/* Whether the first line with two words has a word like 3:0.5 where libsvm text has it. */
bool ny_looks_libsvm(const ny_source *source, bool without_label);
/* Whether the file begins as .npy does. */
bool ny_looks_npy(const ny_source *source);

/* ny_data_open for a source that is already open: what the fuzzers call. */
ny_status ny_data_from_source(ny_ctx *ctx, ny_source *source, const ny_options *options, const ny_schema *like,
                              ny_data **data);

#endif

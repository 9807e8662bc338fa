/* reader.h: the file formats, each read in pieces: open, then next and take until the rows end, and all over again for
 * another pass. Reading a whole file is one piece without a limit. */
#ifndef NY_READER_H
#define NY_READER_H

#include "frame.h"
#include "layout.h"
#include "source.h"
#include "table/data.h"

typedef struct ny_file_format ny_file_format;

typedef struct ny_reader { /* all zero: closed */
    const ny_file_format *format;
    ny_source *source;
    const ny_schema *like; /* of a model, or NULL to learn; not owned */
    bool ended;            /* the last row has come */
    bool whole;            /* the format must hold the whole file: no passes in little memory */
    ny_counts count;
    int64_t expected;  /* rows that may still come, 0 when unknown: room for them is made at once */
    ny_target *target; /* what has been seen of it */
    ny_na na;          /* words for missing values */
    ny_layout layout;  /* CSV and .npy: what the fields are for */
    ny_frame frame;    /* CSV and .npy: the rows */
    void *state;       /* the format's own */
} ny_reader;

struct ny_file_format {
    size_t state; /* its size */
    /* Looks at the beginning of the file, up to the first row. */
    ny_status (*open)(ny_ctx *ctx, ny_reader *reader, const ny_options *options);
    /* The source has been rewound: up to the first row again; the schema is known. */
    ny_status (*restart)(ny_ctx *ctx, ny_reader *reader);
    /* Holds up to max_rows rows, or sets `ended`. */
    ny_status (*next)(ny_ctx *ctx, ny_reader *reader, int64_t max_rows);
    /* After the last row: whether the file as a whole can be used. */
    ny_status (*check)(ny_ctx *ctx, ny_reader *reader);
    /* What the rows so far tell: schema, labels, weights. */
    ny_status (*learn)(ny_ctx *ctx, ny_reader *reader, ny_data *data);
    /* Moves the held rows to X, y, code, weight. */
    ny_status (*take)(ny_ctx *ctx, ny_reader *reader, const ny_schema *schema, ny_data *data);
    void (*recycle)(ny_reader *reader); /* forgets the held rows */
    void (*close)(ny_reader *reader);
    /* About how much memory all rows will take; 0 when that cannot be told. */
    double (*bytes)(const ny_reader *reader);
};

extern const ny_file_format ny_format_csv, ny_format_libsvm, ny_format_npy;

/* Chooses the format and looks at the beginning. The reader looks at source and like as long as it is open, and is for
 * ny_reader_close, also after a failure. */
ny_status ny_reader_open(ny_ctx *ctx, ny_source *source, const ny_options *options, const ny_schema *like,
                         ny_reader *reader);
/* Frees what the reader holds and zeroes the struct; the source stays open. */
void ny_reader_close(ny_reader *reader);
/* Holds up to max_rows rows more, or sets `ended`. */
ny_status ny_reader_next(ny_ctx *ctx, ny_reader *reader, int64_t max_rows);
/* Another pass: back to the first row, with the schema that is known. */
ny_status ny_reader_restart(ny_ctx *ctx, ny_reader *reader);
/* Schema, labels and counts of the rows so far. */
ny_status ny_reader_learn(ny_ctx *ctx, ny_reader *reader, ny_data *data);
/* Moves the held rows to X, y, code and weight of the data, laid out by the schema. */
ny_status ny_reader_take(ny_ctx *ctx, ny_reader *reader, const ny_schema *schema, ny_data *data);
/* Reads on to the last row without keeping any, as far as memory goes. */
ny_status ny_reader_drain(ny_ctx *ctx, ny_reader *reader);
/* Warnings about the whole file: targets missing, rows dropped, values unseen. */
void ny_reader_warn(ny_ctx *ctx, const ny_reader *reader);
/* Everything at once. */
ny_status ny_reader_all(ny_ctx *ctx, ny_reader *reader, ny_data *data);

/* What CSV and .npy have in common (encode.c): members of their ny_file_format. */
ny_status ny_reader_frame_init(ny_ctx *ctx, ny_reader *reader, const ny_options *options, const ny_kind *kind);
/* After rows have come. */
void ny_reader_frame_count(ny_reader *reader);
ny_status ny_reader_frame_check(ny_ctx *ctx, ny_reader *reader);
/* What the rows so far tell, into `data`: the schema (a model's is copied), the target's labels and counts. */
ny_status ny_reader_frame_learn(ny_ctx *ctx, ny_reader *reader, ny_data *data);
/* Moves the frame's held rows to X, y, code and weight of `data`, laid out by the schema, freeing the frame's blocks on
 * the way: the peak is about one copy of the numbers. (Where everything is a number and in one block, the block itself
 * becomes X.) */
ny_status ny_reader_frame_take(ny_ctx *ctx, ny_reader *reader, const ny_schema *schema, ny_data *data);
void ny_reader_frame_recycle(ny_reader *reader);

/* Whether the first line with two words has a word like 3:0.5 where libsvm text has it. */
bool ny_looks_libsvm(const ny_source *source, bool without_label);
/* Whether the file begins as .npy does. */
bool ny_looks_npy(const ny_source *source);

/* ny_data_open for a source that is already open, always into memory: what the fuzzers call. */
ny_status ny_data_from_source(ny_ctx *ctx, ny_source *source, const ny_options *options, const ny_schema *like,
                              ny_data **data);

#endif

/* predictions.h: what nysel predict tells of each row: one table of columns, which every format of output follows. */
#ifndef CLI_PREDICTIONS_H
#define CLI_PREDICTIONS_H

#include "cli.h"

enum { CLI_BARS = 4 }; /* lower, upper, noise_sd, model_sd */

typedef struct cli_predictions { /* of one block */
    const ny_model *model;
    const ny_data *data;
    int64_t n, classes, outputs;
    double *value;    /* n: NAN where a row lacks a value and has a place but no prediction */
    double *proba;    /* n x classes, row by row, or NULL */
    double *scores;   /* n x outputs, row by row, or NULL */
    double *bars;     /* CLI_BARS lists of n, or NULL */
    int64_t *outside; /* n: inputs outside the training range */
    int shown;        /* of the bars: a quantile machine has no deviations */
    bool quantiles;   /* several, each with a column of its own */
    bool raw;         /* the scores are wanted as they are */
    bool outside_too; /* `outside` is wanted as a column */
} cli_predictions;

typedef struct cli_column {
    const char *name;                           /* of the list in JSON */
    int64_t (*width)(const cli_predictions *p); /* how many numbers each row has of it; 0: it is not wanted */
    bool nested;                                /* these are a list, even where there is one only */
    void (*title)(FILE *out, const cli_predictions *p, int64_t k);    /* heading of number k in CSV; NULL: the name */
    const char *(*text)(const cli_predictions *p, int64_t i);         /* of row i; NULL, or a NULL answer: a number */
    double (*number)(const cli_predictions *p, int64_t i, int64_t k); /* NAN: none */
} cli_column;

enum { CLI_COLUMNS = 10 };
extern const cli_column cli_columns[CLI_COLUMNS]; /* in their order in CSV and JSON */

typedef struct cli_rows_told { /* when all blocks are through */
    int64_t rows, outside;     /* outside: of these, with inputs outside the training range */
    int64_t *by_column;        /* of these, by column */
} cli_rows_told;

/* A format is a file of its own and a word of this list. */
#define CLI_FORMAT_LIST(X) \
    X(csv)                 \
    X(json)
typedef struct cli_format {
    ny_option_row row; /* the option that says where it goes; cli_text tells its value */
    size_t size;       /* of what it keeps between blocks, all zeros at first */
    /* One block; the end of the rows; and what must be done whether it ended or not. false: an error was reported. */
    bool (*block)(void *state, cli_job *job, const cli_predictions *p);
    bool (*end)(void *state, cli_job *job, const ny_model *model, const cli_rows_told *told);
    void (*close)(void *state);
} cli_format;
#define X(name) extern const cli_format cli_format_##name;
CLI_FORMAT_LIST(X)
#undef X

#endif

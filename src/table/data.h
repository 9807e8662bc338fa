/* data.h: a table ready for learning: numeric inputs, a target, weights, and the schema that made them. */
#ifndef NY_DATA_H
#define NY_DATA_H

#include <stdbool.h>
#include <stdint.h>

#include "base/ctx.h"
#include "form.h"
#include "matrix.h"
#include "options/options.h"

/* One column of the file that is an input. A categorical column becomes one input per level (one-hot). */
typedef struct ny_column {
    char *name;
    int64_t levels;          /* 0: numeric; else the number of levels */
    char **level;            /* levels */
    ny_form form;            /* how its numbers are written */
    double mean;             /* training mean of a numeric column, for --missing mean */
    int64_t position, input; /* where it was, as a column and with its first input, before others were dropped */
} ny_column;

/* A column that is no input. */
typedef struct ny_left_out {
    char *name;
    bool asked; /* by --ignore; else it was found to be an identifier */
} ny_left_out;

/* How a file's columns become inputs: learnt at training, stored in the model, applied at prediction. */
typedef struct ny_schema {
    int64_t columns; /* input columns, in file order */
    ny_column *column;
    int64_t inputs;      /* after one-hot coding: rows of X */
    bool sparse;         /* learnt from libsvm text: inputs are indices 1 .. inputs, columns = 0 */
    bool named;          /* the names come from a header, so columns are matched by name */
    char *target;        /* its name, or "" */
    char *weight;        /* name of the weight column, or "" */
    int64_t all_columns; /* of the training file, where some were left out or dropped (--select-inputs); else 0 */
    int64_t all_inputs;  /* before some were dropped; else 0 */
    ny_form target_form; /* how the target is written */
    char *na;            /* further words for missing values, or "" */
    int64_t left_out;    /* columns that were not used */
    ny_left_out *left;   /* left_out */
} ny_schema;

typedef ny_task_option ny_task;
extern const char *const ny_task_names[]; /* "none", "binary", ... */

typedef struct ny_stream ny_stream;

/* In memory all rows are here. Streamed data (stream != NULL; see stream.h) are a shell: X has d but no rows, and y,
 * code and weight are NULL, while schema, labels, counts and flags tell about all rows as in memory. */
struct ny_data {
    char *source;  /* file name, for messages */
    int64_t rows;  /* X.n in memory; what the passes will give when streamed */
    ny_matrix X;   /* inputs x n */
    bool sparse;   /* X is sparse, or the blocks' X are */
    bool weighted; /* rows have weights */
    ny_schema schema;
    bool has_target;
    bool numeric_target; /* every target value is a number: y holds it */
    double *y;           /* n: the number, or the label's index where the target is not numeric */
    int64_t labels;      /* distinct target values seen as text, when there are at most NY_LABELS_MAX; else 0 */
    char **label;        /* labels: numeric ones ascending by value, others in strcmp order */
    int64_t *label_rows; /* labels: how many rows have each, or NULL */
    int32_t *code;       /* n: label index of each row (labels > 0) */
    double *weight;      /* n, or NULL */
    bool *lacks;         /* n: the row has missing values and is there only to keep its place; NULL: no row is */
    char *id;            /* texts of the column --id, each with its NUL; NULL: none was asked for */
    int64_t *id_at;      /* n: where the text of each row begins */
    char *id_name;       /* what the column is called */
    double weight_sum;   /* of all rows; 0 without weights */
    int64_t weight_rows; /* rows of positive weight; all of them without weights */
    int64_t unseen;      /* fields with a category unknown to the schema (all zeros) */
    int64_t missing;     /* fields without a value, targets not counted */
    int64_t dropped;     /* rows dropped for missing values */
    ny_stream *stream;   /* NULL: in memory; owned */
    double seconds_read;
};

enum { NY_LABELS_MAX = 1000 };

/* Frees what the schema holds and zeroes the struct. */
void ny_schema_clear(ny_schema *schema);
/* A copy with texts of its own into an empty schema; what was copied before a failure is for ny_schema_clear. */
ny_status ny_schema_copy(ny_ctx *ctx, const ny_schema *from, ny_schema *to);

/* Adds to the list of columns that were not used. */
ny_status ny_schema_leave_out(ny_ctx *ctx, ny_schema *schema, const char *name, bool asked);

/* Drops the columns that are not kept, and remembers where the others were. One must stay. */
void ny_schema_keep(ny_schema *schema, const bool *kept);

/* Empty data of that name. */
ny_status ny_data_new(ny_ctx *ctx, const char *source, ny_data **data);
/* Frees what the data hold, but for a stream, and zeroes the struct. */
void ny_data_clear(ny_data *data);
/* NY_ERR_USAGE for streamed data, where `what` ("prediction") needs the rows in memory. */
ny_status ny_data_in_memory(ny_ctx *ctx, const ny_data *data, const char *what);

/* Reads a file; `like` is the schema of a model, or NULL to learn one. Without `like` the data may be streamed, as
 * --stream says. */
ny_status ny_data_open(ny_ctx *ctx, const char *path, const ny_options *options, const ny_schema *like, ny_data **data);

/* What targets may be: one of the labels or, where there are none, numbers. It borrows the labels. */
typedef struct ny_known_targets {
    int64_t labels;
    char *const *label;
} ny_known_targets;

/* ny_data_open of rows that a machine is to be judged by: always in memory, and every row must have a target that is
 * known. */
ny_status ny_data_open_judged(ny_ctx *ctx, const char *path, const ny_options *options, const ny_schema *like,
                              const ny_known_targets *known, ny_data **data);

/* Task from the option or, when auto, from the target: text or two values: classes; at most 20 distinct whole
 * numbers with at least 5 rows each on average: multiclass; else regression. Fails with a remedy when the target does
 * not suit. */
ny_status ny_data_task(ny_ctx *ctx, const ny_data *data, ny_task asked, ny_task *task);
/* Whether the target has so few whole numbers that they may be codes of classes, also where it is taken for numbers. */
bool ny_data_may_be_classes(const ny_data *data);

/* Whether each input has a meaning of its own, as the columns of a table have: not where there are very many (pixels,
 * spectra) or most are 0. */
static inline bool ny_data_is_table(const ny_data *data) {
    enum { COLUMNS = 200 };
    return data->X.d <= COLUMNS && !data->sparse;
}

#endif

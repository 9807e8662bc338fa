/* rows.h: the rows to learn from. */
#ifndef NY_ROWS_H
#define NY_ROWS_H

#include <math.h>

#include "setup.h"

enum {
    NY_SAMPLE_ROWS = 100000, /* a sample of so many tells what more would tell: below the full size, for calibration */
};

/* Times the noise around a robust fit: how far targets are let go where a squared loss stands in for another, and from
 * where on they are outliers (of normal errors one in 1.7 million). */
#define NY_TAME 2.0
#define NY_OUTLYING 5.0

/* By what the root of the weight of a row is multiplied that is not to be learnt from: 0 to all digits but a few, yet
 * its output, held out like that of every other row, can be told. */
#define NY_UNHEARD 0x1p-20

/* Rows, all or a subset, sorted by fold. */
typedef struct ny_rows {
    int64_t n;
    ny_matrix X;      /* inputs x n */
    int32_t *code;    /* n: classes; NULL for regression */
    double *u;        /* n: square root of the row's weight */
    bool weighted;    /* not all u are 1 */
    double *y;        /* n: targets, the same for every output; NULL for classes, whose codes are the targets */
    double *tame;     /* n: targets without their outliers, for a squared loss that stands in; NULL: as they are */
    double *excess;   /* n x q: of the loss of outlying targets, what the criterion does not count; NULL: nothing */
    bool *wild;       /* n: targets that no noise explains, which are not learnt from; NULL: there are none */
    int32_t *fold;    /* n; NULL where the criterion has no folds */
    int64_t unjudged; /* the first so many rows are always learnt from and have no held-out outputs (holdout) */
    int64_t *id;      /* n: row numbers in the data */
    int64_t *copy;    /* n: the group of equal rows that it is in, -1 where it is alone; NULL: there are none */
    int64_t copies;   /* groups of equal rows, which are held out together */
    int64_t repeats;  /* rows less distinct ones */
} ny_rows;

/* All that there is to learn from. The search only looks at it. */
typedef struct ny_training_rows {
    int64_t n;           /* how many */
    ny_rows all;         /* they, or a sample of them where they come in passes */
    ny_rows validation;  /* rows to judge by that are not learnt from; n = 0: there are none */
    ny_matrix as_read;   /* their inputs before they are scaled */
    int64_t set_aside;   /* rows that the last machine after a stop leaves out, for the time they would take */
    int64_t *copy_of;    /* rows of the data: the group of equal rows, -1: alone; NULL: there are no groups */
    int64_t outlying;    /* rows whose targets are outliers to a robust fit */
    int64_t wild;        /* rows that are not learnt from */
    double target_unit;  /* of regression targets, where their squares would leave the range of numbers; else 1 */
    double origin;       /* taken from regression targets where the bias is free, for the digits; back in the model */
    int64_t *class_rows; /* classes (1 in regression): rows in the data */
} ny_training_rows;

/* Frees what it holds; it is all zero then. */
void ny_training_rows_clear(ny_training_rows *rows);

/* Empty rows with room for n: everything but X. */
ny_status ny_rows_new(ny_ctx *ctx, const ny_setup *setup, int64_t n, ny_rows *rows);
void ny_rows_clear(ny_rows *rows);
/* Finds rows->unjudged, from rows->fold. */
void ny_rows_one_sided(const ny_setup *setup, ny_rows *rows);
/* Counts rows->repeats, from rows->copy. */
ny_status ny_rows_repeats(ny_ctx *ctx, ny_rows *rows);
/* Some of these rows, in this order, as rows of their own. */
ny_status ny_rows_gather(ny_ctx *ctx, const ny_setup *setup, const ny_rows *all, const int64_t *rows, int64_t count,
                         ny_rows *to);
/* The rows, and behind them those of the validation set, which come second of two folds; without inputs. */
ny_status ny_rows_join(ny_ctx *ctx, const ny_setup *setup, const ny_rows *rows, const ny_rows *validation, ny_rows *to);
/* A stratified sample of about `count` of them, or all where there are no more, as rows of their own. */
ny_status ny_rows_draw(ny_ctx *ctx, const ny_setup *setup, const ny_training_rows *rows, int64_t count, ny_rows *to);

/* The targets of the rows for one output. They are nowhere stored for all outputs: pairs of 100 classes are 4950. */
typedef struct ny_targets {
    const double *y;                /* numbers, row by row; NULL: the codes of the classes */
    const int32_t *code;            /* the classes of the rows */
    double of_class[NY_LABELS_MAX]; /* -1, +1, or 0 where a class takes no part */
} ny_targets;

/* Those of output j; tamed ones while a squared loss stands in for the machine's own. They borrow from the rows. */
void ny_targets_of(const ny_setup *setup, const ny_rows *rows, int64_t j, ny_targets *t);
/* Those of all outputs, row i scaled by u_i. Y: n x outputs. */
void ny_targets_scaled(const ny_setup *setup, const ny_rows *rows, double *Y);

/* The target of row i. */
static inline double ny_target(const ny_targets *t, int64_t i) {
    return t->y ? t->y[i] : t->of_class[t->code[i]];
}

/* The root of the weight that row i is learnt with. */
static inline double ny_heard(const ny_rows *rows, int64_t i) {
    return rows->wild && rows->wild[i] ? rows->u[i] * NY_UNHEARD : rows->u[i];
}

/* The weight that row i has among those that are judged. */
static inline double ny_judged_weight(const ny_rows *rows, int64_t i) {
    return i < rows->unjudged ? 0 : rows->u[i] * rows->u[i];
}

/* A target no further than `most` from f. */
static inline double ny_tamed(double y, double f, double most) {
    return fmax(f - most, fmin(y, f + most));
}

#endif

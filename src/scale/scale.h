/* scale.h: the scale family: x -> (x - shift) * factor for each input, fitted on the training rows. Sparse inputs are
 * only multiplied (shift 0), so that zeros stay zeros. */
#ifndef NY_SCALE_H
#define NY_SCALE_H

#include "base/ctx.h"
#include "table/matrix.h"

#define NY_SCALE_LIST(X)                                                           \
    X(standard, "mean 0, standard deviation 1; sparse inputs: root mean square 1") \
    X(range, "smallest value -1, largest +1; sparse inputs: largest magnitude 1")  \
    X(none, "as they are")

typedef struct ny_input_stats {  /* of one input */
    double mean, least, largest; /* mean: 0 where zeros must stay zeros (sparse) */
    double unit, variance;       /* of (x - mean) / unit about 0: squares of tiny values would underflow */
} ny_input_stats;

typedef struct ny_scale {
    const char *name, *help;
    void (*fit)(const ny_input_stats *stats, bool sparse, double *shift, double *factor);
} ny_scale;

#define X(name, help) extern const ny_scale ny_scale_##name;
NY_SCALE_LIST(X)
#undef X

const ny_scale *ny_scale_find(const char *name); /* NULL if there is none */
/* In the order of the list; NULL past the end. */
const ny_scale *ny_scale_at(int64_t index);

/* Statistics of rows that come in pieces; how they are cut into pieces matters to rounding only. */
typedef struct ny_scale_acc { /* all zero: empty */
    int64_t d, count;         /* inputs; rows so far */
    bool sparse;
    double *origin;        /* d: of the first row; means are kept from here, so that they keep their digits (dense) */
    ny_input_stats *stats; /* d: unit and variance hold for the rows so far, the variance times their number */
    double *mean, *least, *largest, *squares; /* d each: of one piece (dense) */
} ny_scale_acc;

typedef struct ny_scaling { /* what was fitted; the arrays are the caller's */
    double *shift, *factor; /* d each */
    double *range; /* the least value of each input, then the largest of each (sparse inputs: 0 counts, as the value of
                    * what is absent), or NULL */
    int64_t constant; /* inputs of one value only (factor 0 would lose nothing: they are mapped to 0) */
} ny_scaling;

/* Statistics of d inputs, of no rows yet. For ny_scale_acc_clear; empty after an error. */
ny_status ny_scale_begin(ny_ctx *ctx, int64_t d, bool sparse, ny_scale_acc *acc);
/* The rows rows[0..count) of X; all of X when rows is NULL. */
void ny_scale_add(ny_scale_acc *acc, const ny_matrix *X, const int64_t *rows, int64_t count);
/* Fills what `out` has places for. The rows so far may be followed by more. */
void ny_scale_end(const ny_scale_acc *acc, const ny_scale *scale, ny_scaling *out);
void ny_scale_acc_clear(ny_scale_acc *acc);

/* All at once, from the given rows of X. */
ny_status ny_scale_fit(ny_ctx *ctx, const ny_scale *scale, const ny_matrix *X, const int64_t *rows, int64_t count,
                       ny_scaling *out);
/* The inputs of one categorical column, `count` of them, are scaled together: the sum of their variances becomes 1, so
 * that the column weighs as much as a column of numbers, and a rare level no more than a frequent one. Two levels then
 * are as far apart as a standardised column of 0 and 1 has them. factor: as `standard` made it. */
void ny_scale_together(int64_t count, double *factor);
/* In place. */
void ny_scale_apply(const double *shift, const double *factor, ny_matrix *X);

#endif

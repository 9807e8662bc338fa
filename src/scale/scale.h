/* scale.h: the scale family: x -> (x - shift) * factor for each input, fitted on the training rows; some members bend
 * the input first (bend.h). Sparse inputs are only multiplied (shift 0), so that zeros stay zeros. */
#ifndef NY_SCALE_H
#define NY_SCALE_H

#include "base/ctx.h"
#include "bend.h"
#include "ordered.h"
#include "sketch.h"
#include "table/matrix.h"

/* Made from moments and ends; of sparse inputs too. */
#define NY_SCALE_STRAIGHT(X)                                                       \
    X(standard, "mean 0, standard deviation 1; sparse inputs: root mean square 1") \
    X(range, "smallest value -1, largest +1; sparse inputs: largest magnitude 1")  \
    X(none, "as they are")
/* Made from the order of the values; dense inputs only (scale_ordered.c). Inputs of so many different values or fewer
 * stay as `standard` has them: two values have no shape, and categories are scaled together. */
#define NY_SCALE_ORDERED(X)                                                                                      \
    X(quantile, 8, "ranks to a normal distribution; inputs of 8 values or fewer and categories as for standard") \
    X(robust, 2, "median 0, interquartile range 1; categories as for standard")                                  \
    X(log, 2, "sign and log(1 + size) of robust ones, then mean 0, standard deviation 1; categories as for standard")

typedef struct ny_input_stats {  /* of one input */
    double mean, least, largest; /* mean: 0 where zeros must stay zeros (sparse) */
    double unit, variance;       /* of (x - mean) / unit about 0: squares of tiny values would underflow */
} ny_input_stats;

struct ny_scaling;

typedef struct ny_scale {
    const char *name, *help;
    void (*fit)(const ny_input_stats *stats, bool sparse, double *shift, double *factor);
    /* Of a member made from the order, which has no `fit`: input j has the shift and the factor of `standard`, and may
     * get others and a bend; *error: by how much a share of the rows at or below a value may be off at most. */
    ny_status (*order)(ny_ctx *ctx, const ny_ordered *v, int64_t j, struct ny_scaling *out, double *error);
    int64_t few; /* inputs of so many different values or fewer stay as `standard` has them */
} ny_scale;

#define X(name, ...) extern const ny_scale ny_scale_##name;
NY_SCALE_STRAIGHT(X)
NY_SCALE_ORDERED(X)
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
    ny_sketch *sketch;                        /* d: where the scale goes by the order; else NULL */
} ny_scale_acc;

typedef struct ny_scaling { /* what was fitted; arrays and bend are the caller's */
    double *shift, *factor; /* d each */
    double *range; /* the least value of each input, then the largest of each (sparse inputs: 0 counts, as the value of
                    * what is absent), or NULL */
    int64_t constant; /* inputs of one value only (factor 0 would lose nothing: they are mapped to 0) */
    ny_bend *bend;    /* empty at first, for ny_bend_clear; NULL will do for scales that go by moments and ends */
    double error;     /* of the inputs that are bent along knots: by how much the share of the training rows at or below
                       * a value may be off, where the knots are not all values or the order comes from a sketch */
} ny_scaling;

/* Statistics of d inputs, of no rows yet. For ny_scale_acc_clear; empty after an error: NY_ERR_USAGE where the scale is
 * for dense inputs only, and these are sparse; so ny_scale_fit. */
ny_status ny_scale_begin(ny_ctx *ctx, const ny_scale *scale, int64_t d, bool sparse, ny_scale_acc *acc);
/* Bytes for d inputs of so many rows: of the sketches while the rows come in pieces, and of the bend that stays. */
double ny_scale_sketch_bytes(const ny_scale *scale, int64_t d, double rows);
double ny_scale_bend_bytes(const ny_scale *scale, int64_t d, double rows);
/* The rows rows[0..count) of X; all of X when rows is NULL. */
ny_status ny_scale_add(ny_ctx *ctx, ny_scale_acc *acc, const ny_matrix *X, const int64_t *rows, int64_t count);
/* Fills what `out` has places for. The rows so far may be followed by more. */
ny_status ny_scale_end(ny_ctx *ctx, const ny_scale_acc *acc, const ny_scale *scale, ny_scaling *out);
void ny_scale_acc_clear(ny_scale_acc *acc);

/* All at once, from the given rows of X. */
ny_status ny_scale_fit(ny_ctx *ctx, const ny_scale *scale, const ny_matrix *X, const int64_t *rows, int64_t count,
                       ny_scaling *out);
/* The inputs of one categorical column, `count` of them, are scaled together: the sum of their variances becomes 1, so
 * that the column weighs as much as a column of numbers, and a rare level no more than a frequent one. Two levels then
 * are as far apart as a standardised column of 0 and 1 has them. factor: as `standard` made it. */
void ny_scale_together(int64_t count, double *factor);
/* In place, after the bend. */
void ny_scale_apply(const double *shift, const double *factor, ny_matrix *X);

#endif

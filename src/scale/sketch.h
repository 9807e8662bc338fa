/* sketch.h: the order of numbers that are too many to keep, with a bound on what that costs: a quantile sketch that is
 * deterministic and can be merged (J. Munro, M. Paterson 1980; G. Manku, S. Rajagopalan, B. Lindsay 1998). */
#ifndef NY_SKETCH_H
#define NY_SKETCH_H

#include "ordered.h"

enum {
    NY_SKETCH_LEVELS = 48, /* numbers of weight up to 2^47 */
    NY_SKETCH_FEW = 8,     /* so many different values are told from more */
};

typedef struct ny_sketch {
    int64_t size;                    /* numbers of a buffer */
    int64_t count;                   /* numbers so far */
    int64_t waiting;                 /* of them in `open` */
    double *open;                    /* size: the last ones, as they came, each of weight 1 */
    double *level[NY_SKETCH_LEVELS]; /* size each, ascending, of weight 2^l; NULL: there is none */
    double least, largest;           /* exactly */
    double value[NY_SKETCH_FEW + 1]; /* the first different values */
    int64_t distinct;                /* how many of these there are */
    int64_t above, below; /* for every x, the weight at or below x exceeds the count by at most the first, and falls
                           * short of it by at most the second; so for the weight below x */
} ny_sketch;

/* An empty sketch with buffers of `size` numbers (even), for ny_sketch_clear. With n numbers in it, ranks are off by at
 * most n (log2(n / size) + 1) / (4 size), and not at all for n < 2 size; ny_sketch_error has the bound that was
 * reached. */
ny_status ny_sketch_begin(ny_ctx *ctx, int64_t size, ny_sketch *s);
void ny_sketch_clear(ny_sketch *s);
/* The numbers x[0], x[stride], ..., `count` of them, all finite. */
ny_status ny_sketch_add(ny_ctx *ctx, ny_sketch *s, const double *x, int64_t stride, int64_t count);
/* As if the numbers of `from`, a sketch of the same size, had been added; the bounds add up. */
ny_status ny_sketch_merge(ny_ctx *ctx, ny_sketch *s, const ny_sketch *from);
/* By how much a rank may be off; and the largest weight that one number has where some were left out (else 0): a value
 * that is not there any more has one within so many ranks on either side. */
int64_t ny_sketch_error(const ny_sketch *s);
int64_t ny_sketch_grain(const ny_sketch *s);
/* What it knows of the order: weights add up to the count, least and largest value are there; values of weight 0 stand
 * beside frequent ones, where others may have been left out. For ny_ordered_clear. */
ny_status ny_sketch_order(ny_ctx *ctx, const ny_sketch *s, ny_ordered *out);

#endif

/* ordered.h: the different values of an input in order, with how often each is there. */
#ifndef NY_ORDERED_H
#define NY_ORDERED_H

#include "table/matrix.h"

typedef struct ny_ordered { /* all zero: empty */
    int64_t n;              /* different values */
    double *value, *weight; /* n each; values ascend */
    double total;           /* of the weights */
} ny_ordered;

/* Frees what it owns and leaves it empty. */
void ny_ordered_clear(ny_ordered *v);
/* One more number, not below the last; there must be room. The total is the caller's. */
void ny_ordered_append(ny_ordered *v, double value, double weight);
/* Input j of the rows rows[0..count) of X (dense; all of X when rows is NULL); for ny_ordered_clear. */
ny_status ny_ordered_input(ny_ctx *ctx, const ny_matrix *X, const int64_t *rows, int64_t count, int64_t j,
                           ny_ordered *out);
/* The number at place share (total - 1), from 0, linear between two: the median for 1/2. */
double ny_ordered_quantile(const ny_ordered *v, double share);

#endif

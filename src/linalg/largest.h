/* largest.h: the largest eigenvalue of a symmetric positive semi-definite matrix: of a stored one exactly, of one that
 * is only known by its products from below, with an accuracy that can be stated beforehand. docs/math.md, eq. 38 */
#ifndef NY_LARGEST_H
#define NY_LARGEST_H

#include <stdint.h>

#include "base/ctx.h"

/* out = A V for `count` columns V (n x count). It may return early, with anything in out, when ny_should_stop. */
typedef void ny_product_fn(void *arg, int64_t count, const double *V, double *out);

typedef struct ny_largest {
    double value;    /* never above the largest eigenvalue, but for rounding */
    double captured; /* trace of A on the space searched: value + (trace A - captured) is never below the largest */
    double accuracy; /* value is at least (1 - accuracy) times the largest, with probability 0.99 */
} ny_largest;

/* Block Lanczos: `steps` products of `block` columns (fewer where n is small). Scratch: n x block x (steps + 1).
 * Reports progress as `stage`. NY_STOPPED when the user or the clock says so. */
ny_status ny_largest_by_products(ny_ctx *ctx, int64_t n, ny_product_fn *product, void *arg, int64_t block,
                                 int64_t steps, uint64_t seed, const char *stage, ny_largest *out);
/* tanh^2(acosh(sqrt(2n/pi) 0.01^(-1/block)) / (2 steps - 1)) */
double ny_largest_accuracy(int64_t n, int64_t block, int64_t steps);

/* A (n x n, lower triangle) is overwritten. */
ny_status ny_largest_stored(ny_ctx *ctx, int64_t n, double *A, int64_t lda, double *value);

#endif

/* entropy.h: rows of large quadratic Renyi entropy (docs/math.md, eq. 42). */
#ifndef NY_ENTROPY_H
#define NY_ENTROPY_H

#include <stdint.h>

#include "base/ctx.h"
#include "table/matrix.h"

typedef struct ny_entropy_spec {
    const ny_matrix *X;  /* d x n, dense or sparse */
    const int32_t *code; /* n: classes 0 .. classes-1, or NULL */
    int64_t classes;
    int64_t m; /* 1 <= m <= n */
    uint64_t seed;
    int64_t tries; /* at most; negative: as many as the stopping rule wants; 0: the start itself */
} ny_entropy_spec;

typedef struct ny_entropy {
    int64_t *rows; /* m distinct rows */
    double sum;    /* of the m x m kernel matrix: m when all are far apart, m^2 when all are equal */
    int64_t tries, swaps;
} ny_entropy;

/* Begins with ny_rows_sample (stratified) and swaps rows with others of their class. NY_STOPPED when asked to stop.
 * Work: bandwidths O(n d), then O(m d) for each try. Memory beyond X: O(n + d + m (d + 256)). */
ny_status ny_entropy_choose(ny_ctx *ctx, const ny_entropy_spec *spec, ny_entropy *out);
/* Frees the rows and zeroes the struct. */
void ny_entropy_clear(ny_entropy *entropy);

#endif

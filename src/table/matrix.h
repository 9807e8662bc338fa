/* matrix.h: samples as columns, dense or sparse. Dense: x is d x n column-major, byte for byte a C-contiguous numpy
 * (n, d). Sparse: sample i has its non-zeros at idx/val[ptr[i] .. ptr[i+1]), indices ascending. */
#ifndef NY_MATRIX_H
#define NY_MATRIX_H

#include <stdbool.h>
#include <stdint.h>

#include "base/ctx.h"

typedef struct ny_matrix {
    int64_t d, n;
    double *x;    /* d x n, or NULL when sparse */
    int64_t *ptr; /* n + 1 */
    int32_t *idx; /* ptr[n] */
    double *val;  /* ptr[n] */
} ny_matrix;

/* Whether only the entries that are not zero are stored. */
static inline bool ny_matrix_is_sparse(const ny_matrix *X) {
    return X->ptr != NULL;
}
/* Memory of the arrays. */
int64_t ny_matrix_bytes(const ny_matrix *X);
void ny_matrix_clear(ny_matrix *X); /* frees the arrays, zeroes the struct */
/* Zeros, d x n, in an empty matrix; for ny_matrix_clear, as what all functions below make. */
ny_status ny_matrix_dense(ny_ctx *ctx, int64_t d, int64_t n, ny_matrix *X);
/* A copy of the same kind. */
ny_status ny_matrix_copy(ny_ctx *ctx, const ny_matrix *from, ny_matrix *to);
/* A dense copy of any X. */
ny_status ny_matrix_to_dense(ny_ctx *ctx, const ny_matrix *X, ny_matrix *to);
/* The columns rows[0..count) of X, in that order. */
ny_status ny_matrix_gather(ny_ctx *ctx, const ny_matrix *X, const int64_t *rows, int64_t count, ny_matrix *to);
/* The columns rows[0..count) of X behind those of `to`, which may be all zero: empty. */
ny_status ny_matrix_append(ny_ctx *ctx, const ny_matrix *X, const int64_t *rows, int64_t count, ny_matrix *to);
/* |x_i|^2 for every sample. */
void ny_matrix_norms(const ny_matrix *X, double *norms);

#endif

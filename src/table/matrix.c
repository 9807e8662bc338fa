/* matrix.c: making, copying and picking from dense and sparse samples. */
#include "matrix.h"

#include <string.h>

int64_t ny_matrix_bytes(const ny_matrix *X) {
    if (!ny_matrix_is_sparse(X)) return X->x ? ny_size3(X->d, X->n, sizeof(double)) : 0;
    return (X->n + 1) * (int64_t)sizeof(int64_t) + X->ptr[X->n] * (int64_t)(sizeof(int32_t) + sizeof(double));
}

void ny_matrix_clear(ny_matrix *X) {
    ny_free(X->x);
    ny_free(X->ptr);
    ny_free(X->idx);
    ny_free(X->val);
    memset(X, 0, sizeof *X);
}

/* The numbers are left as they come: the caller writes them all. */
static ny_status make_dense(ny_ctx *ctx, int64_t d, int64_t n, ny_matrix *X) {
    ny_status st = NY_OK;
    memset(X, 0, sizeof *X);
    int64_t count = ny_size3(d, n, 1);
    NY_CHECK(ctx, count >= 0, NY_ERR_MEMORY, "out of memory: %lld x %lld numbers", (long long)d, (long long)n);
    NY_NEW_RAW(ctx, X->x, count > 0 ? count : 1);
    X->d = d;
    X->n = n;
done:
    return st;
}

ny_status ny_matrix_dense(ny_ctx *ctx, int64_t d, int64_t n, ny_matrix *X) {
    ny_status st = make_dense(ctx, d, n, X);
    if (st == NY_OK) memset(X->x, 0, (size_t)(d * n) * sizeof *X->x);
    return st;
}

/* ptr for n samples, idx and val for nnz entries. */
static ny_status make_sparse(ny_ctx *ctx, int64_t d, int64_t n, int64_t nnz, ny_matrix *X) {
    ny_status st = NY_OK;
    memset(X, 0, sizeof *X);
    NY_NEW(ctx, X->ptr, n + 1);
    NY_NEW_RAW(ctx, X->idx, nnz > 0 ? nnz : 1);
    NY_NEW_RAW(ctx, X->val, nnz > 0 ? nnz : 1);
    X->d = d;
    X->n = n;
done:
    if (st != NY_OK) ny_matrix_clear(X);
    return st;
}

ny_status ny_matrix_copy(ny_ctx *ctx, const ny_matrix *from, ny_matrix *to) {
    ny_status st = NY_OK;
    if (ny_matrix_is_sparse(from)) {
        int64_t nnz = from->ptr[from->n];
        NY_TRY(make_sparse(ctx, from->d, from->n, nnz, to));
        memcpy(to->ptr, from->ptr, (size_t)(from->n + 1) * sizeof *to->ptr);
        memcpy(to->idx, from->idx, (size_t)nnz * sizeof *to->idx);
        memcpy(to->val, from->val, (size_t)nnz * sizeof *to->val);
    } else {
        NY_TRY(make_dense(ctx, from->d, from->n, to));
        memcpy(to->x, from->x, (size_t)(from->d * from->n) * sizeof *to->x);
    }
done:
    return st;
}

ny_status ny_matrix_to_dense(ny_ctx *ctx, const ny_matrix *X, ny_matrix *to) {
    if (!ny_matrix_is_sparse(X)) return ny_matrix_copy(ctx, X, to);
    ny_status st = ny_matrix_dense(ctx, X->d, X->n, to);
    for (int64_t i = 0; st == NY_OK && i < X->n; i++)
        for (int64_t e = X->ptr[i]; e < X->ptr[i + 1]; e++) to->x[X->idx[e] + i * X->d] = X->val[e];
    return st;
}

static ny_status gather_sparse(ny_ctx *ctx, const ny_matrix *X, const int64_t *rows, int64_t count, ny_matrix *to) {
    ny_status st = NY_OK;
    int64_t nnz = 0;
    for (int64_t i = 0; i < count; i++) nnz += X->ptr[rows[i] + 1] - X->ptr[rows[i]];
    NY_TRY(make_sparse(ctx, X->d, count, nnz, to));
    for (int64_t i = 0; i < count; i++) {
        int64_t first = X->ptr[rows[i]], length = X->ptr[rows[i] + 1] - first;
        memcpy(to->idx + to->ptr[i], X->idx + first, (size_t)length * sizeof *to->idx);
        memcpy(to->val + to->ptr[i], X->val + first, (size_t)length * sizeof *to->val);
        to->ptr[i + 1] = to->ptr[i] + length;
    }
done:
    return st;
}

ny_status ny_matrix_gather(ny_ctx *ctx, const ny_matrix *X, const int64_t *rows, int64_t count, ny_matrix *to) {
    if (ny_matrix_is_sparse(X)) return gather_sparse(ctx, X, rows, count, to);
    ny_status st = NY_OK;
    NY_TRY(make_dense(ctx, X->d, count, to));
    for (int64_t i = 0; i < count; i++) memcpy(to->x + i * X->d, X->x + rows[i] * X->d, (size_t)X->d * sizeof *to->x);
done:
    return st;
}

static bool grow(ny_ctx *ctx, void **at, int64_t old, int64_t count, size_t size) {
    void *grown = ny_realloc(ctx, *at, old, count > 0 ? count : 1, size);
    if (grown) *at = grown;
    return grown != NULL;
}

ny_status ny_matrix_append(ny_ctx *ctx, const ny_matrix *X, const int64_t *rows, int64_t count, ny_matrix *to) {
    int64_t n = to->n, d = X->d;
    to->d = d;
    if (!ny_matrix_is_sparse(X)) {
        if (!grow(ctx, (void **)&to->x, n * d, (n + count) * d, sizeof *to->x)) return NY_ERR_MEMORY;
        for (int64_t i = 0; i < count; i++) memcpy(to->x + (n + i) * d, X->x + rows[i] * d, (size_t)d * sizeof *to->x);
        to->n += count;
        return NY_OK;
    }
    int64_t have = to->ptr ? to->ptr[n] : 0, nnz = have;
    for (int64_t i = 0; i < count; i++) nnz += X->ptr[rows[i] + 1] - X->ptr[rows[i]];
    bool first = to->ptr == NULL;
    if (!grow(ctx, (void **)&to->ptr, first ? 0 : n + 1, n + count + 1, sizeof *to->ptr)) return NY_ERR_MEMORY;
    if (first) to->ptr[0] = 0;
    if (!grow(ctx, (void **)&to->idx, have, nnz, sizeof *to->idx)) return NY_ERR_MEMORY;
    if (!grow(ctx, (void **)&to->val, have, nnz, sizeof *to->val)) return NY_ERR_MEMORY;
    for (int64_t i = 0; i < count; i++) {
        int64_t from = X->ptr[rows[i]], length = X->ptr[rows[i] + 1] - from;
        memcpy(to->idx + to->ptr[n + i], X->idx + from, (size_t)length * sizeof *to->idx);
        memcpy(to->val + to->ptr[n + i], X->val + from, (size_t)length * sizeof *to->val);
        to->ptr[n + i + 1] = to->ptr[n + i] + length;
    }
    to->n += count;
    return NY_OK;
}

void ny_matrix_norms(const ny_matrix *X, double *norms) {
    for (int64_t i = 0; i < X->n; i++) {
        bool sparse = ny_matrix_is_sparse(X);
        const double *v = sparse ? X->val + X->ptr[i] : X->x + i * X->d;
        int64_t length = sparse ? X->ptr[i + 1] - X->ptr[i] : X->d;
        double sum = 0;
        for (int64_t k = 0; k < length; k++) sum += v[k] * v[k];
        norms[i] = sum;
    }
}

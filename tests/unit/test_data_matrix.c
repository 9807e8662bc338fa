/* test_data_matrix.c: dense and sparse samples: copies, picks, norms and sizes agree with each other. */
#include "support.h"
#include "table/matrix.h"

enum { D = 4, N = 3 };
static const double full[] = {1, 0, 0, 2, 0, 0, 0, 0, -3, 0, 0.5, 0}; /* D x N */

static ny_matrix make_dense(ny_ctx *ctx) {
    ny_matrix X;
    must(ctx, ny_matrix_dense(ctx, D, N, &X));
    for (int i = 0; i < D * N; i++) assert_true(X.x[i] == 0);
    memcpy(X.x, full, sizeof full);
    return X;
}

static ny_matrix make_sparse(ny_ctx *ctx) {
    ny_matrix X = {.d = D, .n = N};
    X.ptr = ny_alloc(ctx, N + 1, sizeof *X.ptr);
    X.idx = ny_alloc(ctx, D * N, sizeof *X.idx);
    X.val = ny_alloc(ctx, D * N, sizeof *X.val);
    for (int i = 0; i < N; i++) {
        X.ptr[i + 1] = X.ptr[i];
        for (int k = 0; k < D; k++) {
            if (full[i * D + k] == 0) continue;
            X.idx[X.ptr[i + 1]] = k;
            X.val[X.ptr[i + 1]++] = full[i * D + k];
        }
    }
    return X;
}

/* Samples rows[0 .. count) of `full` are what X holds. */
static void check(const ny_matrix *X, const int64_t *rows, int64_t count) {
    assert_true(X->d == D && X->n == count);
    double norms[8];
    ny_matrix_norms(X, norms);
    for (int64_t i = 0; i < count; i++) {
        double x[D] = {0}, sum = 0;
        if (X->x) memcpy(x, X->x + i * D, sizeof x);
        else
            for (int64_t k = X->ptr[i]; k < X->ptr[i + 1]; k++) x[X->idx[k]] = X->val[k];
        for (int k = 0; k < D; k++) sum += x[k] * x[k];
        assert_memory_equal(x, full + rows[i] * D, sizeof x);
        assert_true(norms[i] == sum);
    }
}

static void both_kinds(void **state) {
    (void)state;
    ny_ctx *ctx = ny_ctx_new();
    int64_t live = ny_alloc_live();
    for (int sparse = 0; sparse < 2; sparse++) {
        ny_matrix X = sparse ? make_sparse(ctx) : make_dense(ctx), copy, some;
        static const int64_t all[] = {0, 1, 2}, picked[] = {2, 0, 0, 1, 2};
        check(&X, all, N);
        must(ctx, ny_matrix_copy(ctx, &X, &copy));
        check(&copy, all, N);
        must(ctx, ny_matrix_gather(ctx, &X, picked, 5, &some));
        check(&some, picked, 5);
        assert_int_equal(ny_matrix_is_sparse(&some), sparse);
        static const int64_t more[] = {2, 0, 1}, both[] = {2, 0, 0, 1, 2, 2, 0, 1};
        must(ctx, ny_matrix_append(ctx, &X, more, 3, &some));
        check(&some, both, 8);
        assert_int_equal(ny_matrix_bytes(&X), sparse ? (N + 1) * 8 + 4 * 12 : D * N * 8);
        ny_matrix_clear(&some);
        must(ctx, ny_matrix_gather(ctx, &X, picked, 0, &some));
        assert_int_equal(some.n, 0);
        ny_matrix_clear(&some);
        ny_matrix_clear(&copy);
        ny_matrix_clear(&X);
        assert_int_equal(ny_matrix_bytes(&X), 0);
    }
    assert_int_equal(ny_alloc_live(), live);
    ny_matrix X;
    assert_int_equal(ny_matrix_dense(ctx, INT64_MAX / 2, 8, &X), NY_ERR_MEMORY);
    ny_ctx_free(ctx);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(both_kinds)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

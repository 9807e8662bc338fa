/* test_landmark.c: what every landmark method and both forms of the factor must satisfy. */
#include "support.h"

#include <math.h>

#include "factor/factor.h"
#include "linalg/linalg.h"

enum { N = 300, D = 3 };

static void data(ny_ctx *ctx, ny_matrix *X) {
    ny_rng rng = ny_rng_make(5, NY_RNG_TEST, 1);
    must(ctx, ny_matrix_dense(ctx, D, N, X));
    for (int64_t i = 0; i < D * N; i++) X->x[i] = ny_rng_normal(&rng);
    memcpy(X->x + 10 * D, X->x, D * sizeof(double)); /* two equal rows */
}

static void kernel_of(ny_ctx *ctx, const ny_kernel_params *p, const ny_matrix *A, const ny_matrix *B, double *K) {
    ny_kernel_side a, b;
    must(ctx, ny_kernel_prepare(ctx, A, true, &a));
    must(ctx, ny_kernel_prepare(ctx, B, true, &b));
    ny_kernel_matrix(p, &a, &b, false, K, A->n);
    ny_kernel_release(&a);
    ny_kernel_release(&b);
}

/* Largest entry of |G'G - K_xz W^-1 K_zx|, the inverse by elimination. */
static double nystrom_gap(ny_ctx *ctx, const ny_kernel_params *p, const ny_matrix *X, const ny_factor *f) {
    int64_t m = f->m;
    double *W = calloc((size_t)(m * m), 8), *K = calloc((size_t)(m * N), 8), *V = calloc((size_t)(m * N), 8), gap = 0;
    kernel_of(ctx, p, &f->Z, &f->Z, W);
    kernel_of(ctx, p, &f->Z, X, K);
    memcpy(V, K, (size_t)(m * N) * 8);
    dense_solve(m, N, W, V);
    for (int64_t i = 0; i < N; i++)
        for (int64_t j = 0; j < N; j++) {
            double a = ny_dot(m, K + i * m, V + j * m), b = ny_dot(f->r, f->G + i * f->ldg, f->G + j * f->ldg);
            gap = fmax(gap, fabs(a - b));
        }
    free(W);
    free(K);
    free(V);
    return gap;
}

static void test_factor_is_the_nystrom_matrix(void **state) {
    (void)state;
    ny_ctx *ctx = ny_ctx_new();
    ny_matrix X = {0};
    data(ctx, &X);
    ny_kernel_params p = {&ny_kernel_matern32, 1.0, 1, 3, 0};
    for (int64_t k = 0; ny_landmark_at(k); k++)
        for (int form = 0; form < 2; form++) {
            ny_factor f;
            ny_factor_spec spec = {ny_landmark_at(k), NULL, NULL, 0, 40, form ? 1000 : 0, 1e-12, 3};
            must(ctx, ny_factor_make(ctx, &p, &X, &spec, &f));
            assert_int_equal(f.m, 40);
            for (int64_t a = 0; a < f.m; a++) /* distinct */
                for (int64_t b = 0; b < a; b++)
                    assert_memory_not_equal(f.Z.x + a * D, f.Z.x + b * D, D * sizeof(double));
            assert_true(nystrom_gap(ctx, &p, &X, &f) < 1e-9);
            double w[40], beta[40], *K = calloc(40 * N, 8); /* coefficients reproduce g'w */
            for (int i = 0; i < 40; i++) w[i] = sin(i + 1);
            ny_factor_coefficients(&f, 1, w, beta);
            kernel_of(ctx, &p, &f.Z, &X, K);
            for (int64_t i = 0; i < N; i++)
                assert_close(ny_dot(40, K + i * 40, beta), ny_dot(f.r, f.G + i * f.ldg, w), 1e-9);
            free(K);
            ny_factor_clear(&f);
        }
    ny_matrix_clear(&X);
    ny_ctx_free(ctx);
}

static void test_all_points_are_exact(void **state) {
    (void)state;
    ny_ctx *ctx = ny_ctx_new();
    ny_matrix X = {0};
    data(ctx, &X);
    ny_kernel_params p = {&ny_kernel_rbf, 1.0, 1, 3, 0};
    double *K = calloc(N * N, 8);
    kernel_of(ctx, &p, &X, &X, K);
    for (int form = 0; form < 2; form++) {
        ny_factor f;
        ny_factor_spec spec = {&ny_landmark_uniform, NULL, NULL, 0, N, form ? 1000 : 0, 1e-14, 3};
        must(ctx, ny_factor_make(ctx, &p, &X, &spec, &f));
        assert_true(f.r < N); /* one of the equal rows adds nothing */
        for (int64_t i = 0; i < N; i++)
            for (int64_t j = 0; j < N; j++)
                assert_close(ny_dot(f.r, f.G + i * f.ldg, f.G + j * f.ldg), K[i + j * N], 1e-10);
        ny_factor_clear(&f);
    }
    free(K);
    ny_matrix_clear(&X);
    ny_ctx_free(ctx);
}

/* The rank of a linear kernel is the number of inputs, however many landmarks are asked for. */
static void test_finite_rank_is_found(void **state) {
    (void)state;
    ny_ctx *ctx = ny_ctx_new();
    ny_matrix X = {0};
    data(ctx, &X);
    ny_kernel_params linear = {&ny_kernel_linear, 1, 1, 3, 0}, square = {&ny_kernel_poly, 1, 1, 2, 0};
    for (int64_t k = 0; ny_landmark_at(k); k++) {
        ny_factor f;
        ny_factor_spec spec = {ny_landmark_at(k), NULL, NULL, 0, 60, 0, 1e-10, 3};
        must(ctx, ny_factor_make(ctx, &linear, &X, &spec, &f));
        assert_int_equal(f.r, D);
        ny_factor_clear(&f);
        must(ctx, ny_factor_make(ctx, &square, &X, &spec, &f));
        assert_int_equal(f.r, (D + 1) * (D + 2) / 2);
        ny_factor_clear(&f);
    }
    ny_matrix_clear(&X);
    ny_ctx_free(ctx);
}

/* Over many seeds the first pivot of each row set must follow the law: with a diagonal kernel of two scales, pivots
 * are drawn in proportion to the residual. Rows 0..9 have k(x,x) = 9, rows 10..99 have 1 (linear kernel on disjoint
 * inputs), so the share of heavy rows among the first pivots is 90 / 180. */
static void test_rpcholesky_draws_by_residual(void **state) {
    (void)state;
    ny_ctx *ctx = ny_ctx_new();
    ny_matrix X = {0};
    ny_kernel_params linear = {&ny_kernel_linear, 1, 1, 3, 0};
    int heavy = 0;
    enum { POINTS = 100, RUNS = 600 };
    must(ctx, ny_matrix_dense(ctx, POINTS, POINTS, &X));
    memset(X.x, 0, POINTS * POINTS * 8);
    for (int i = 0; i < POINTS; i++) X.x[i + i * POINTS] = i < 10 ? 3 : 1;
    for (uint64_t seed = 0; seed < RUNS; seed++) {
        ny_kernel_side x;
        ny_landmarks l = {0};
        must(ctx, ny_kernel_prepare(ctx, &X, true, &x));
        ny_landmark_spec spec = {&linear, &x, NULL, 0, 1, 1e-12, seed};
        must(ctx, ny_landmark_rpcholesky.choose(ctx, &spec, &l));
        for (int i = 0; i < 10; i++) heavy += l.Z.x[i] != 0;
        ny_landmarks_clear(&l);
        ny_kernel_release(&x);
    }
    assert_true(abs(heavy - RUNS / 2) < 4 * 0.5 * sqrt(RUNS)); /* four standard deviations */
    ny_matrix_clear(&X);
    ny_ctx_free(ctx);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_factor_is_the_nystrom_matrix),
        cmocka_unit_test(test_all_points_are_exact),
        cmocka_unit_test(test_finite_rank_is_found),
        cmocka_unit_test(test_rpcholesky_draws_by_residual),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* test_kernel.c: what every kernel must satisfy; a new member is tested unasked. */
#include "support.h"

#include <math.h>

#include "kernel/kernel.h"
#include "kernel/vexp.h"
#include "linalg/linalg.h"

enum { N = 40, M = 17, D = 5 };

static void random_matrix(ny_ctx *ctx, int64_t n, uint32_t stream, ny_matrix *X) {
    ny_rng rng = ny_rng_make(11, NY_RNG_TEST, stream);
    must(ctx, ny_matrix_dense(ctx, D, n, X));
    for (int64_t i = 0; i < D * n; i++) X->x[i] = ny_rng_normal(&rng);
}

/* A third of the entries, dense and sparse. */
static void sparse_pair(ny_ctx *ctx, int64_t n, uint32_t stream, ny_matrix *dense, ny_matrix *sparse) {
    ny_rng rng = ny_rng_make(12, NY_RNG_TEST, stream);
    must(ctx, ny_matrix_dense(ctx, D, n, dense));
    *sparse = (ny_matrix){.d = D, .n = n};
    sparse->ptr = ny_alloc(ctx, n + 1, sizeof *sparse->ptr);
    sparse->idx = ny_alloc(ctx, n * D, sizeof *sparse->idx);
    sparse->val = ny_alloc(ctx, n * D, sizeof *sparse->val);
    for (int64_t i = 0, e = 0; i < n; i++) {
        for (int32_t j = 0; j < D; j++) {
            dense->x[j + i * D] = ny_rng_uniform(&rng) < 0.33 ? ny_rng_normal(&rng) : 0;
            if (dense->x[j + i * D] != 0) sparse->idx[e] = j, sparse->val[e++] = dense->x[j + i * D];
        }
        sparse->ptr[i + 1] = e;
    }
}

static ny_kernel_params params(int64_t k) {
    return (ny_kernel_params){ny_kernel_at(k), 1.7, 0.5, 3, 0};
}

/* One pair, from its definition in the base quantity alone. */
static double pointwise(const ny_kernel_params *p, const double *a, const double *b, bool slope) {
    ny_kernel_base base = p->kernel->base;
    double v = 0;
    for (int j = 0; j < D; j++) v += base == NY_BASE_DOT ? a[j] * b[j] : pow(fabs(a[j] - b[j]), ny_base_order(base));
    (slope ? p->kernel->slope : p->kernel->map)(&v, 1, p);
    return v;
}

/* Far away a kernel value is a polynomial of the point, of the degree that the kernel gives, or bounded. */
static void test_degree(void **state) {
    (void)state;
    for (int64_t k = 0; ny_kernel_at(k); k++)
        for (int64_t degree = 1; degree <= 4; degree++) {
            ny_kernel_params p = params(k);
            p.degree = degree;
            double z[D] = {1, -2, 0.5, 3, 1}, x[D], value[2];
            for (int far = 0; far < 2; far++) {
                for (int j = 0; j < D; j++) x[j] = z[j] * (far ? 2e6 : 1e6);
                value[far] = pointwise(&p, x, z, false);
            }
            if (p.kernel->degree) assert_close(log2(value[1] / value[0]), (double)p.kernel->degree(&p), 1e-5);
            else assert_true(fabs(value[0]) <= 1 && fabs(value[1]) <= 1);
        }
}

static void test_tile_is_pointwise(void **state) {
    (void)state;
    ny_ctx *ctx = ny_ctx_new();
    ny_matrix A = {0}, B = {0}, S = {0}, T = {0};
    sparse_pair(ctx, M, 1, &A, &S);
    sparse_pair(ctx, N, 2, &B, &T);
    const ny_matrix *left[] = {&A, &A, &S, &S}, *right[] = {&B, &T, &B, &T};
    for (int64_t k = 0; ny_kernel_at(k); k++)
        for (int c = 0; c < 8; c++) {
            ny_kernel_params p = params(k);
            ny_kernel_side z, x;
            double K[M * N];
            bool slope = c >= 4;
            must(ctx, ny_kernel_prepare(ctx, left[c % 4], true, &z));
            must(ctx, ny_kernel_prepare(ctx, right[c % 4], false, &x));
            ny_kernel_matrix(&p, &z, &x, slope, K, M);
            for (int i = 0; i < M; i++)
                for (int j = 0; j < N; j++)
                    assert_close(K[i + j * M], pointwise(&p, A.x + i * D, B.x + j * D, slope), 1e-12);
            ny_kernel_release(&z);
            ny_kernel_release(&x);
        }
    ny_matrix_clear(&A);
    ny_matrix_clear(&B);
    ny_matrix_clear(&S);
    ny_matrix_clear(&T);
    ny_ctx_free(ctx);
}

/* More inputs, points and columns than a block of differences.c has, and no multiple of them. */
static void test_wide_tile(void **state) {
    (void)state;
    enum { WIDE = 131, POINTS = 21, COLUMNS = 7 };
    ny_ctx *ctx = ny_ctx_new();
    ny_matrix Z = {0}, X = {0};
    ny_rng rng = ny_rng_make(13, NY_RNG_TEST, 1);
    must(ctx, ny_matrix_dense(ctx, WIDE, POINTS, &Z));
    must(ctx, ny_matrix_dense(ctx, WIDE, COLUMNS, &X));
    for (int i = 0; i < WIDE * POINTS; i++) Z.x[i] = ny_rng_normal(&rng);
    for (int i = 0; i < WIDE * COLUMNS; i++) X.x[i] = ny_rng_normal(&rng);
    for (int64_t k = 0; ny_kernel_at(k); k++) {
        ny_kernel_params p = params(k);
        double order = ny_base_order(p.kernel->base), V[POINTS * COLUMNS];
        ny_kernel_side z, x;
        must(ctx, ny_kernel_prepare(ctx, &Z, true, &z));
        must(ctx, ny_kernel_prepare(ctx, &X, false, &x));
        ny_kernel_bases(&p, &z, &x, V, POINTS);
        for (int i = 0; i < POINTS; i++)
            for (int c = 0; c < COLUMNS; c++) {
                double sum = 0;
                for (int j = 0; j < WIDE; j++) {
                    double a = Z.x[j + i * WIDE], b = X.x[j + c * WIDE];
                    sum += p.kernel->base == NY_BASE_DOT ? a * b : pow(fabs(a - b), order);
                }
                assert_close(V[i + c * POINTS], sum, 1e-12);
            }
        ny_kernel_release(&z);
        ny_kernel_release(&x);
    }
    ny_matrix_clear(&Z);
    ny_matrix_clear(&X);
    ny_ctx_free(ctx);
}

static void test_symmetric_and_semidefinite(void **state) {
    (void)state;
    ny_ctx *ctx = ny_ctx_new();
    ny_matrix X = {0};
    random_matrix(ctx, N, 3, &X);
    for (int64_t k = 0; ny_kernel_at(k); k++) {
        ny_kernel_params p = params(k);
        ny_kernel_side x;
        static double K[N * N], lambda[N], diag[N];
        must(ctx, ny_kernel_prepare(ctx, &X, true, &x));
        ny_kernel_matrix(&p, &x, &x, false, K, N);
        ny_kernel_diagonal(&p, &x, diag);
        for (int i = 0; i < N; i++) {
            assert_close(diag[i], K[i + i * N], 1e-12);
            for (int j = 0; j < N; j++) assert_close(K[i + j * N], K[j + i * N], 1e-13);
        }
        must(ctx, ny_eig(ctx, N, K, N, lambda));
        assert_true(lambda[0] > -1e-10 * lambda[N - 1]);
        ny_kernel_release(&x);
    }
    ny_matrix_clear(&X);
    ny_ctx_free(ctx);
}

/* By the base, and, from the same member, by log sigma. */
static void test_slope_is_the_difference_quotient(void **state) {
    (void)state;
    const double h = 1e-5;
    for (int64_t k = 0; ny_kernel_at(k); k++)
        for (double v = 0.01; v < 20; v *= 2.3) {
            ny_kernel_params p = params(k), up = p, down = p;
            up.bandwidth *= exp(h);
            down.bandwidth *= exp(-h);
            double slope = v, hi = v * (1 + h), lo = v * (1 - h), wide = v, narrow = v;
            p.kernel->slope(&slope, 1, &p);
            p.kernel->map(&hi, 1, &p);
            p.kernel->map(&lo, 1, &p);
            assert_close(slope, (hi - lo) / (2 * h * v), 1e-7);
            if (!p.kernel->has_bandwidth) continue;
            p.kernel->map(&wide, 1, &up);
            p.kernel->map(&narrow, 1, &down);
            assert_close(-ny_base_order(p.kernel->base) * v * slope, (wide - narrow) / (2 * h), 1e-7);
        }
}

static void test_exp(void **state) {
    (void)state;
    double worst = 0;
    for (double x = 0; x > -700; x -= 0.00137) worst = fmax(worst, fabs(ny_vexp(x) / exp(x) - 1));
    assert_true(worst < 5e-16);
    assert_true(ny_vexp(0) == 1);
    assert_true(ny_vexp(-1e6) >= 0 && ny_vexp(-1e6) < 1e-300);
    assert_true(ny_vexp(-INFINITY) >= 0 && ny_vexp(-INFINITY) < 1e-300);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tile_is_pointwise),
        cmocka_unit_test(test_wide_tile),
        cmocka_unit_test(test_degree),
        cmocka_unit_test(test_symmetric_and_semidefinite),
        cmocka_unit_test(test_slope_is_the_difference_quotient),
        cmocka_unit_test(test_exp),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

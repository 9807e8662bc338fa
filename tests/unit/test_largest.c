/* test_largest.c: the largest eigenvalue, stored and by products, against known ones. */
#include "support.h"

#include <math.h>

#include "linalg/largest.h"

enum { N = 60 };

typedef struct {
    int64_t n;
    const double *lambda;
} diagonal;

static void diagonal_product(void *arg, int64_t count, const double *V, double *out) {
    const diagonal *d = arg;
    for (int64_t i = 0; i < d->n * count; i++) out[i] = d->lambda[i % d->n] * V[i];
}

/* A random start looks the same from every basis, so diagonal matrices stand for all. */
static void estimate_is_as_accurate_as_it_says(void **state) {
    (void)state;
    enum { SIZE = 3000 };
    static double lambda[SIZE];
    ny_ctx *ctx = ny_ctx_new();
    for (int kind = 0; kind < 5; kind++)
        for (int seed = 0; seed < 6; seed++) {
            double trace = 0, steps = 3 + 2 * seed;
            for (int i = 0; i < SIZE; i++) {
                double x = (double)i / SIZE;
                double spectra[] = {exp(-0.01 * i), 1 - x, 1 / (1.0 + i), i == 0 ? 1 : 0.9, i < 4 ? 1 - 0.1 * i : 0};
                lambda[i] = 7 * spectra[kind];
                trace += lambda[i];
            }
            diagonal d = {SIZE, lambda};
            ny_largest found;
            must(ctx, ny_largest_by_products(ctx, SIZE, diagonal_product, &d, 10, (int64_t)steps, (uint64_t)seed,
                                             "test", &found));
            assert_close(found.accuracy, ny_largest_accuracy(SIZE, 10, (int64_t)steps), 1e-15);
            assert_true(found.accuracy > 0 && found.accuracy < 1);
            assert_true(found.value <= 7 * (1 + 1e-12) && found.value >= 7 * (1 - found.accuracy));
            assert_true(found.value + trace - found.captured >= 7 * (1 - 1e-12));
        }
    assert_true(ny_largest_accuracy(13000, 10, 12) < 0.06);
    for (int64_t steps = 2; steps < 20; steps += 3) /* all starts of a block miss by more with a chance of 1% */
        for (int64_t block = 1; block <= 10; block += 3) {
            double root = sqrt(ny_largest_accuracy(13000, block, steps));
            double one = sqrt(2 * 13000 / M_PI) / cosh((double)(2 * steps - 1) * atanh(root));
            assert_close(pow(one, (double)block), 0.01, 1e-9);
        }
    ny_ctx_free(ctx);
}

static void stored_matrix_is_exact(void **state) {
    (void)state;
    ny_ctx *ctx = ny_ctx_new();
    static double A[N * N], B[N * N], Q[N * N];
    ny_rng rng = ny_rng_make(3, NY_RNG_TEST, 0);
    for (int i = 0; i < N; i++)
        for (int j = 0; j <= i; j++) A[i + j * N] = A[j + i * N] = ny_rng_normal(&rng);
    double value, one = 3;
    memcpy(B, A, sizeof B);
    must(ctx, ny_largest_stored(ctx, N, B, N, &value));
    memcpy(B, A, sizeof B);
    dense_eigen(N, B, Q);
    double largest = B[0];
    for (int i = 1; i < N; i++) largest = fmax(largest, B[i + i * N]);
    assert_close(value, largest, 1e-12);
    must(ctx, ny_largest_stored(ctx, 1, &one, 1, &value));
    assert_close(value, 3, 1e-15);
    A[0] = NAN;
    assert_int_equal(ny_largest_stored(ctx, N, A, N, &value), NY_ERR_NUMERIC);
    ny_ctx_free(ctx);
}

static void stop(void *user, const char *stage, double done, double total, double left) {
    (void)stage, (void)done, (void)total, (void)left;
    ny_cancel(user);
}

static void small_spaces_and_stops(void **state) {
    (void)state;
    ny_ctx *ctx = ny_ctx_new();
    double lambda[25];
    ny_largest found;
    for (int n = 1; n <= 25; n++) { /* fewer dimensions than columns asked for */
        for (int i = 0; i < n; i++) lambda[i] = i == n / 2 ? 2 : 0;
        diagonal d = {n, lambda};
        must(ctx, ny_largest_by_products(ctx, n, diagonal_product, &d, 10, 12, 1, "test", &found));
        assert_close(found.value, 2, 1e-12);
        assert_close(found.captured, 2, 1e-12);
    }
    diagonal d = {25, lambda};
    ny_on_progress(ctx, stop, ctx);
    assert_int_equal(ny_largest_by_products(ctx, 25, diagonal_product, &d, 2, 12, 1, "test", &found), NY_STOPPED);
    ny_ctx_free(ctx);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(estimate_is_as_accurate_as_it_says),
        cmocka_unit_test(stored_matrix_is_exact),
        cmocka_unit_test(small_spaces_and_stops),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

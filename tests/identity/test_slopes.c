/* test_slopes.c: the slopes of an expansion are the difference quotients of its outputs, for every kernel, several
 * outputs and more rows than a block has. */
#include <math.h>

#include "search/slopes.h"
#include "with_ctx.h"

enum { M = 9, N = 70, D = 5, Q = 2 };

static void fill(ny_matrix *X, int64_t n, uint64_t seed) {
    ny_rng rng = ny_rng_make(seed, NY_RNG_TEST, 0);
    must(ctx, ny_matrix_dense(ctx, D, n, X));
    for (int64_t i = 0; i < n * D; i++) X->x[i] = ny_rng_normal(&rng);
}

/* G_c by central differences. */
static void quotients(const ny_expansion *f, ny_matrix *X, double *G) {
    const double h = 1e-5;
    static double up[N * Q], down[N * Q];
    for (int c = 0; c < D; c++) {
        for (int i = 0; i < N; i++) X->x[c + i * D] += h;
        must(ctx, ny_expansion_outputs(ctx, f, X, 0, up, NULL));
        for (int i = 0; i < N; i++) X->x[c + i * D] -= 2 * h;
        must(ctx, ny_expansion_outputs(ctx, f, X, 0, down, NULL));
        for (int i = 0; i < N; i++) X->x[c + i * D] += h;
        G[c] = 0;
        for (int k = 0; k < N * Q; k++) G[c] += pow((up[k] - down[k]) / (2 * h), 2) / N;
    }
}

static void test_quotients(void **state) {
    (void)state;
    ny_matrix X = {0};
    double G[D], expected[D];
    fill(&X, N, 2);
    for (int64_t k = 0; ny_kernel_at(k); k++) {
        ny_expansion f = {.kernel = {ny_kernel_at(k), 1.3, 0.7, 3, 0}, .outputs = Q};
        fill(&f.Z, M, 1);
        f.beta = ny_alloc(ctx, M * Q, sizeof *f.beta);
        f.b = ny_alloc(ctx, Q, sizeof *f.b);
        for (int i = 0; i < M * Q; i++) f.beta[i] = cos(3.0 * i);
        for (int i = 0; i < M; i++) f.Z.x[3 + i * D] = 0.2; /* x and z never meet here; the outputs hardly move */
        must(ctx, ny_slopes(ctx, &f, &X, G));
        quotients(&f, &X, expected);
        for (int c = 0; c < D; c++) assert_close(G[c] / expected[c], 1, 1e-6);
        ny_expansion_clear(&f);
    }
    ny_matrix_clear(&X);
}

/* Where a row is a landmark the separable kernels have an edge: the mean of both sides is 0. */
static void test_on_a_landmark(void **state) {
    (void)state;
    ny_matrix X = {0};
    double G[D];
    fill(&X, 1, 1);
    for (int64_t k = 0; ny_kernel_at(k); k++) {
        if (!ny_kernel_bounded(ny_kernel_at(k))) continue;
        ny_expansion f = {.kernel = {ny_kernel_at(k), 1.3, 0.7, 3, 0}, .outputs = 1};
        fill(&f.Z, 1, 1);
        f.beta = ny_alloc(ctx, 1, sizeof *f.beta);
        f.b = ny_alloc(ctx, 1, sizeof *f.b);
        f.beta[0] = 2;
        must(ctx, ny_slopes(ctx, &f, &X, G));
        for (int c = 0; c < D; c++) assert_true(G[c] == 0);
        ny_expansion_clear(&f);
    }
    ny_matrix_clear(&X);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_quotients),
        cmocka_unit_test(test_on_a_landmark),
    };
    return cmocka_run_group_tests_name("slopes of the outputs", tests, setup, teardown);
}

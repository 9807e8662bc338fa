/* test_expansion.c: the outputs of an expansion against the sum that it stands for, and nothing owned is left behind.
 */
#include <math.h>

#include "machine/expansion.h"
#include "with_ctx.h"

enum { M = 7, N = 23, D = 3, Q = 2 };

static void fill(ny_matrix *X, int64_t n, uint64_t seed) {
    ny_rng rng = ny_rng_make(seed, NY_RNG_TEST, 0);
    must(ctx, ny_matrix_dense(ctx, D, n, X));
    for (int64_t i = 0; i < n * D; i++) X->x[i] = ny_rng_normal(&rng);
}

static double kappa(const ny_kernel_params *p, const double *a, const double *b) {
    double d2 = 0, dot = 0;
    for (int j = 0; j < D; j++) d2 += (a[j] - b[j]) * (a[j] - b[j]), dot += a[j] * b[j];
    if (p->kernel == &ny_kernel_rbf) return exp(-d2 / (2 * p->bandwidth * p->bandwidth));
    return dot;
}

static void test_sum(void **state) {
    (void)state;
    static const ny_kernel *const kernels[] = {&ny_kernel_rbf, &ny_kernel_linear};
    double F[N * Q + 1];
    ny_matrix X = {0};
    fill(&X, N, 2);
    for (int k = 0; k < 2; k++) {
        ny_expansion f = {.kernel = {.kernel = kernels[k], .bandwidth = 1.3}, .outputs = Q};
        fill(&f.Z, M, 1);
        f.beta = ny_alloc(ctx, M * Q, sizeof *f.beta);
        f.b = ny_alloc(ctx, Q, sizeof *f.b);
        for (int i = 0; i < M * Q; i++) f.beta[i] = cos(3.0 * i);
        for (int j = 0; j < Q; j++) f.b[j] = 10 + j;
        for (int64_t width = 0; width <= 2 * N; width = 3 * width + 1) { /* 0: its own choice */
            F[N * Q] = 77;
            must(ctx, ny_expansion_outputs(ctx, &f, &X, width, F, NULL));
            for (int i = 0; i < N; i++)
                for (int j = 0; j < Q; j++) {
                    double sum = f.b[j];
                    for (int m = 0; m < M; m++) sum += f.beta[m + j * M] * kappa(&f.kernel, f.Z.x + m * D, X.x + i * D);
                    assert_close(F[j + i * Q], sum, 1e-13);
                }
            assert_true(F[N * Q] == 77);
        }
        ny_matrix none = {.d = D, .x = X.x};
        must(ctx, ny_expansion_outputs(ctx, &f, &none, 0, NULL, NULL));
        ny_expansion_clear(&f);
        assert_true(!f.beta && !f.b && !f.Z.x && !f.kernel.kernel);
        ny_expansion_clear(&f); /* an empty one may be cleared again */
    }
    ny_matrix_clear(&X);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_sum)};
    return cmocka_run_group_tests(tests, setup, teardown);
}

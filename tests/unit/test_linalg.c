/* test_linalg.c: products that are cut into pieces, against sums. */
#include "with_ctx.h"

#include <math.h>

#include "linalg/linalg.h"

enum { M = 160, N = 168, K = 40000, LOOKS = 300 }; /* a block of 128 x 128 sums 30517 rows at a time */

static double *random_numbers(int64_t count, uint32_t index) {
    double *v = malloc((size_t)count * sizeof *v);
    ny_rng rng = ny_rng_make(2, NY_RNG_TEST, index);
    for (int64_t i = 0; i < count; i++) v[i] = ny_rng_uniform(&rng) - 0.5;
    return v;
}

/* C = 2 A'B + 3 C, whose sums over K rows are taken in several steps. */
static void test_long_product(void **state) {
    (void)state;
    double *A = random_numbers(K * M, 0), *B = random_numbers(K * N, 1), *C = random_numbers(M * N, 2);
    double *before = malloc((size_t)(M * N) * sizeof *C);
    memcpy(before, C, (size_t)(M * N) * sizeof *C);
    ny_gemm(true, false, M, N, K, 2.0, A, K, B, K, 3.0, C, M);
    ny_rng rng = ny_rng_make(3, NY_RNG_TEST, 0);
    for (int look = 0; look < LOOKS; look++) {
        int64_t i = ny_rng_below(&rng, M), j = ny_rng_below(&rng, N);
        double sum = 3 * before[i + j * M];
        for (int64_t k = 0; k < K; k++) sum += 2 * A[k + i * K] * B[k + j * K];
        assert_close(C[i + j * M], sum, 1e-11);
    }
    free(A), free(B), free(C), free(before);
}

/* S = A A' + 3 S, the lower triangle. */
static void test_long_symmetric_product(void **state) {
    (void)state;
    double *A = random_numbers(M * K, 4), *S = random_numbers(M * M, 5), *before = malloc((size_t)(M * M) * sizeof *S);
    memcpy(before, S, (size_t)(M * M) * sizeof *S);
    ny_syrk(M, K, 1.0, A, M, 3.0, S, M);
    ny_rng rng = ny_rng_make(3, NY_RNG_TEST, 1);
    for (int look = 0; look < LOOKS; look++) {
        int64_t i = ny_rng_below(&rng, M), j = ny_rng_below(&rng, i + 1);
        double sum = 3 * before[i + j * M];
        for (int64_t k = 0; k < K; k++) sum += A[i + k * M] * A[j + k * M];
        assert_close(S[i + j * M], sum, 1e-11);
    }
    free(A), free(S), free(before);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_long_product),
                                       cmocka_unit_test(test_long_symmetric_product)};
    return cmocka_run_group_tests(tests, setup, teardown);
}

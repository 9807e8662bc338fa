/* Which errors no noise explains: train/wild.c. The honest errors are quantiles of a distribution, so that nothing is
 * left to chance. */
#include "train/wild.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { N = 400 };

/* The quantile of p of Student's distribution with 2 degrees of freedom, which just has no variance. */
static double student2(double p) {
    return (2 * p - 1) * sqrt(2 / (4 * p * (1 - p)));
}

static double logistic(double p) {
    return log(p / (1 - p));
}

static double exponential(double p) { /* around its median */
    return -log(1 - p) - log(2);
}

static double lognormal(double p) { /* around its median; log V nearly normal */
    return exp(logistic(p) / 1.7) - 1;
}

static void quantiles(double (*of)(double), double *e) {
    for (int64_t i = 0; i < N; i++) e[i] = of(((double)i + 0.5) / N);
}

static double noise_of(double (*of)(double)) { /* half of the quartiles' distance: near the median of |e| */
    return (of(0.75) - of(0.25)) / 2 / 0.6745;
}

static int64_t outside(ny_wild_limits limits, const double *e) {
    int64_t count = 0;
    for (int64_t i = 0; i < N; i++) count += ny_is_wild(limits, e[i]);
    return count;
}

static double (*const HONEST[])(double) = {logistic, student2, exponential, lognormal};
enum { KINDS = sizeof HONEST / sizeof *HONEST };

static void honest_errors_are_not_wild(void **state) {
    double e[N], d[N];
    (void)state;
    for (int k = 0; k < KINDS; k++) {
        quantiles(HONEST[k], e);
        assert_int_equal(outside(ny_wild_find(N, e, noise_of(HONEST[k]), 3, d), e), 0);
    }
}

/* Every `step`-th target is wrong by `off` times the noise; `both`: to either side in turn. */
static void spoil(double *e, int64_t step, double off, bool both) {
    for (int64_t i = step / 2, k = 0; i < N; i += step, k++) e[i] += both && k % 2 ? -off : off;
}

static void wrong_targets_are(void **state) {
    double e[N], d[N];
    (void)state;
    for (int k = 0; k < KINDS; k++)
        for (int both = 0; both < 2; both++)
            for (int64_t step = 5; step <= 20; step += 15) { /* a fifth, a twentieth */
                double noise = noise_of(HONEST[k]);
                quantiles(HONEST[k], e);
                spoil(e, step, 1000 * noise, both);
                ny_wild_limits limits = ny_wild_find(N, e, noise, 1, d);
                assert_int_equal(outside(limits, e), N / step);
                limits = ny_wild_suspect(N, e, noise, d);
                assert_int_equal(outside(limits, e), N / step);
            }
}

/* Ten times the noise away is enough where there are twenty of them and the noise is that of normal errors or so. */
static void near_ones_too(void **state) {
    double e[N], d[N], noise = noise_of(logistic);
    (void)state;
    quantiles(logistic, e);
    spoil(e, 20, 12 * noise, false);
    assert_int_equal(outside(ny_wild_find(N, e, noise, 1, d), e), N / 20);
}

static void few_are_not_enough_to_tell(void **state) {
    double e[N], d[N], noise = noise_of(student2);
    (void)state;
    quantiles(student2, e);
    e[0] -= 5 * noise;
    e[N - 1] += 5 * noise;
    assert_int_equal(outside(ny_wild_find(N, e, noise, 3, d), e), 0);
}

static void of_several_sizes_the_largest_first(void **state) {
    double e[N], d[N], noise = noise_of(logistic);
    (void)state;
    quantiles(logistic, e);
    spoil(e, 20, 1e6 * noise, true);
    for (int64_t i = 3; i < N; i += 20) e[i] += 100 * noise;
    assert_int_equal(outside(ny_wild_find(N, e, noise, 1, d), e), N / 20);
    assert_int_equal(outside(ny_wild_find(N, e, noise, 2, d), e), N / 10);
    assert_int_equal(outside(ny_wild_find(N, e, noise, 9, d), e), N / 10);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(honest_errors_are_not_wild), cmocka_unit_test(wrong_targets_are),
        cmocka_unit_test(near_ones_too),              cmocka_unit_test(few_are_not_enough_to_tell),
        cmocka_unit_test(of_several_sizes_the_largest_first),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

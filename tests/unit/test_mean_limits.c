/* test_mean_limits.c: limits hold what they promise: of counts, of skewed losses, of the best of many machines. */
#include "base/mean_limits.h"

#include <math.h>

#include "base/rng.h"
#include "with_ctx.h"

/* Wilson's limits as in Newcombe (1998), Statistics in Medicine 17, table I, method 3. */
static void test_wilson(void **state) {
    (void)state;
    ny_between a = ny_wilson(81.0 / 263, 263), b = ny_wilson(15.0 / 148, 148), none = ny_wilson(0, 20),
               all = ny_wilson(1, 29);
    assert_true(fabs(a.lower - 0.2553) < 5e-5 && fabs(a.upper - 0.3662) < 5e-5);
    assert_true(fabs(b.lower - 0.0624) < 5e-5 && fabs(b.upper - 0.1605) < 5e-5);
    assert_true(none.lower == 0 && fabs(none.upper - 0.1611) < 5e-5);
    assert_true(fabs(all.lower - 0.8830) < 5e-5 && all.upper == 1);
}

static void test_share_error(void **state) {
    (void)state;
    assert_true(ny_share_error(0, 50) > 0.01 && fabs(ny_share_error(1, 50) - ny_share_error(0, 50)) < 1e-12);
    assert_true(fabs(ny_share_error(0.3, 1e6) / sqrt(0.21 / 1e6) - 1) < 1e-4);
    double v[4] = {1, 1, 2, 0};
    assert_true(fabs(ny_effective_rows(4, v) - 16.0 / 6) < 1e-12);
}

/* mean = sum l / V, error^2 = sum (l - mean v)^2 / V^2 n / (n - 1). */
static void test_standing(void **state) {
    (void)state;
    double one[4] = {1, 1, 1, 1}, l[4] = {1, 2, 3, 6}, v[3] = {2, 1, 1}, vl[3] = {2, 3, 3};
    ny_standing s = ny_standing_of(4, one, l), t = ny_standing_of(3, v, vl);
    assert_close(s.mean, 3, 1e-15);
    assert_close(s.error, sqrt(14.0 / 4 / 3), 1e-15); /* the textbook's: s / sqrt(n) */
    assert_close(t.mean, 2, 1e-15);
    assert_close(t.error, sqrt((4.0 + 1 + 1) / 16 * 3 / 2), 1e-15);
    assert_true(isnan(ny_standing_of(1, one, l).error));
}

enum { ROWS = 60, DRAWS = 200, MACHINES = 20 };

/* Squares of normal errors with a normal logarithm of their size: a few rows hold most of the loss. */
static double skewed_loss(ny_rng *rng) {
    double e = ny_rng_normal(rng) * exp(0.7 * ny_rng_normal(rng));
    return e * e;
}

/* The mean is exp(2 * 0.7^2). The standard error alone holds it far less often than it says. */
static void test_skewed(void **state) {
    (void)state;
    double v[ROWS], l[ROWS], truth = exp(2 * 0.49);
    int held = 0, old = 0;
    for (int i = 0; i < ROWS; i++) v[i] = 1;
    for (int d = 0; d < DRAWS; d++) {
        ny_rng rng = ny_rng_make(1, NY_RNG_TEST, (uint32_t)d);
        for (int i = 0; i < ROWS; i++) l[i] = skewed_loss(&rng);
        ny_sample sample = {.units = ROWS, .weight = v, .loss = l, .variance = 1, .seed = (uint64_t)d};
        ny_between limits;
        ny_standing s = ny_standing_of(ROWS, v, l);
        assert_int_equal(ny_mean_limits(ctx, &sample, &limits), NY_OK);
        assert_true(limits.lower < s.mean && s.mean < limits.upper);
        held += limits.lower <= truth && truth <= limits.upper;
        old += fabs(s.mean - truth) <= 1.96 * s.error;
    }
    assert_true(old < 0.85 * DRAWS);
    assert_true(held >= 0.88 * DRAWS && held <= 0.99 * DRAWS);
}

/* Equally good machines: the one that looks best is no better than the others. wrong: 1 or 0, of a share. */
static double best_of_many(bool shares, bool contenders) {
    static double choice[MACHINES][ROWS], weight[ROWS];
    ny_contender c[MACHINES];
    int held = 0;
    for (int i = 0; i < ROWS; i++) weight[i] = 1;
    for (int d = 0; d < DRAWS; d++) {
        ny_rng rng = ny_rng_make(2, NY_RNG_TEST, (uint32_t)d);
        int best = 0;
        double least = INFINITY;
        for (int k = 0; k < MACHINES; k++) {
            double sum = 0;
            for (int i = 0; i < ROWS; i++) {
                double e = ny_rng_normal(&rng);
                choice[k][i] = shares ? ny_rng_uniform(&rng) < 0.3 : e * e;
                sum += choice[k][i];
            }
            c[k] = (ny_contender){choice[k], choice[k]};
            if (sum < least) least = sum, best = k;
        }
        ny_sample sample = {.units = ROWS,
                            .weight = weight,
                            .loss = choice[best],
                            .contenders = contenders ? MACHINES : 0,
                            .contender = c,
                            .variance = 1,
                            .seed = (uint64_t)d};
        ny_between limits;
        double truth = shares ? 0.3 : 1;
        assert_int_equal(ny_mean_limits(ctx, &sample, &limits), NY_OK);
        if (shares) {
            double optimism;
            assert_int_equal(ny_optimism(ctx, &sample, &optimism), NY_OK);
            limits = (ny_between){ny_wilson(least / ROWS, ROWS).lower, ny_wilson(least / ROWS + optimism, ROWS).upper};
        }
        held += limits.lower <= truth && truth <= limits.upper;
    }
    return (double)held / DRAWS;
}

static void test_choice(void **state) {
    (void)state;
    assert_true(best_of_many(false, true) > 0.9);
    assert_true(best_of_many(false, false) < 0.8);
    assert_true(best_of_many(true, true) > 0.9);
    assert_true(best_of_many(true, false) < 0.8);
}

/* The scale of losses and weights does not matter, the seed alone decides; losses that say nothing have no limits. */
static void test_mean_limits(void **state) {
    (void)state;
    double v[ROWS], l[ROWS], none[ROWS] = {0};
    ny_rng rng = ny_rng_make(3, NY_RNG_TEST, 0);
    for (int i = 0; i < ROWS; i++) v[i] = 1 + ny_rng_uniform(&rng), l[i] = v[i] * skewed_loss(&rng);
    ny_between a, b, c;
    ny_sample sample = {.units = ROWS, .weight = v, .loss = l, .variance = 1, .seed = 5};
    assert_int_equal(ny_mean_limits(ctx, &sample, &a), NY_OK);
    assert_int_equal(ny_mean_limits(ctx, &sample, &b), NY_OK);
    assert_true(a.lower == b.lower && a.upper == b.upper);
    sample.variance = 2;
    assert_int_equal(ny_mean_limits(ctx, &sample, &c), NY_OK);
    assert_true(c.lower < a.lower && c.upper > a.upper);
    for (int i = 0; i < ROWS; i++) l[i] *= 1024, v[i] *= 4;
    sample.variance = 1;
    assert_int_equal(ny_mean_limits(ctx, &sample, &b), NY_OK);
    assert_true(fabs(b.lower / a.lower - 256) < 1e-9 && fabs(b.upper / a.upper - 256) < 1e-9);
    sample.loss = none;
    assert_int_equal(ny_mean_limits(ctx, &sample, &b), NY_OK);
    assert_true(isnan(b.lower) && isnan(b.upper));
    assert_true(ny_gain(ROWS, v, none, 0) == 0 && ny_gain(ROWS, v, v, 0) > 100 && ny_gain(ROWS, v, v, 1) <= 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_wilson),   cmocka_unit_test(test_share_error),
                                       cmocka_unit_test(test_standing), cmocka_unit_test(test_skewed),
                                       cmocka_unit_test(test_choice),   cmocka_unit_test(test_mean_limits)};
    return cmocka_run_group_tests(tests, setup, teardown);
}

/* test_metrics.c: metrics against values worked out by hand. */
#include <math.h>

#include "report/metrics.h"
#include "with_ctx.h"

static double auc_of(int64_t n, const double *score, const int32_t *positive, const double *v) {
    double auc = -1;
    must(ctx, ny_auc(ctx, n, score, positive, v, &auc));
    return auc;
}

static void auc_counts_pairs(void **state) {
    (void)state;
    const double score[] = {0.1, 0.4, 0.35, 0.8};
    const int32_t positive[] = {0, 0, 1, 1};
    assert_close(auc_of(4, score, positive, NULL), 0.75, 1e-15); /* scikit-learn's own example */
    const int32_t worst[] = {1, 1, 0, 0};
    const double apart[] = {1, 2, 3, 4};
    assert_close(auc_of(4, apart, worst, NULL), 0, 0);
    const int32_t best[] = {0, 0, 7, -1}; /* anything but 0 is positive */
    assert_close(auc_of(4, apart, best, NULL), 1, 0);
}

static void auc_gives_half_for_ties(void **state) {
    (void)state;
    const double same[] = {2, 2, 2, 2, 2};
    const int32_t positive[] = {0, 1, 0, 1, 1};
    assert_close(auc_of(5, same, positive, NULL), 0.5, 1e-15);
    /* positives 1, 2, 3; negatives 1, 2: pairs 0.5 + 0, 1 + 0.5, 1 + 1 of 6 */
    const double score[] = {1, 1, 2, 2, 3};
    assert_close(auc_of(5, score, positive, NULL), 4.0 / 6, 1e-15);
}

static void auc_weights_rows(void **state) {
    (void)state;
    /* A row of weight 3 is the same as three rows; a row of weight 0 is none. */
    const double score[] = {0.1, 0.4, 0.35, 0.8, 0.5}, v[] = {1, 3, 2, 1, 0};
    const int32_t positive[] = {0, 0, 1, 1, 0};
    const double long_score[] = {0.1, 0.4, 0.4, 0.4, 0.35, 0.35, 0.8};
    const int32_t long_positive[] = {0, 0, 0, 0, 1, 1, 1};
    assert_close(auc_of(5, score, positive, v), auc_of(7, long_score, long_positive, NULL), 1e-15);
    assert_close(auc_of(5, score, positive, v), 0.5, 1e-15); /* (2 * 1 + 1 * 4) / (3 * 4) */
}

static void auc_is_undefined_with_one_class(void **state) {
    (void)state;
    const double score[] = {1, 2};
    const int32_t ones[] = {1, 1}, zeros[] = {0, 0};
    assert_true(isnan(auc_of(2, score, ones, NULL)));
    assert_true(isnan(auc_of(2, score, zeros, NULL)));
    assert_true(isnan(auc_of(0, score, zeros, NULL)));
    const double broken[] = {NAN, NAN}; /* must end, whatever it says */
    const int32_t mixed[] = {0, 1};
    auc_of(2, broken, mixed, NULL);
}

static void two_classes(void **state) {
    (void)state;
    const int32_t truth[] = {0, 0, 0, 1, 1}, predicted[] = {0, 0, 1, 1, 0};
    const double proba[] = {0.9, 0.1, 0.6, 0.4, 0.3, 0.7, 0.2, 0.8, 1.0, 0.0};
    ny_metrics m;
    must(ctx, ny_metrics_classes(ctx, &(ny_guesses){5, 2, truth, predicted, proba, NULL}, &m));
    assert_int_equal(m.rows, 5);
    assert_close(m.error, 0.4, 1e-15);
    assert_close(m.balanced_accuracy, (2.0 / 3 + 0.5) / 2, 1e-15);
    assert_close(m.auc, 3.0 / 6, 1e-15); /* 0.8 above 0.1, 0.4, 0.7; 0.0 above none */
    assert_close(m.log_loss, -(log(0.9) + log(0.6) + log(0.3) + log(0.8) + log(1e-15)) / 5, 1e-14);
    assert_close(m.brier, 2 * (0.01 + 0.16 + 0.49 + 0.04 + 1) / 5, 1e-15);
    /* Of the predicted classes: 0.6 right; 0.7 wrong; 0.8 right; 0.9 right and 1.0, wrong, in the last tenth. */
    const int64_t rows[NY_RELIABILITY] = {[6] = 1, [7] = 1, [8] = 1, [9] = 2};
    const double observed[NY_RELIABILITY] = {[6] = 1, [7] = 0, [8] = 1, [9] = 0.5};
    for (int b = 0; b < NY_RELIABILITY; b++) {
        assert_int_equal(m.reliability[b].rows, rows[b]);
        if (rows[b]) assert_close(m.reliability[b].observed, observed[b], 1e-15);
        else assert_true(isnan(m.reliability[b].observed));
    }
    assert_close(m.reliability[9].predicted, 0.95, 1e-15);
    const int64_t confusion[] = {2, 1, 1, 1};
    assert_memory_equal(m.confusion, confusion, sizeof confusion);
    assert_true(isnan(m.mse));
    ny_metrics_clear(&m);
    assert_null(m.confusion);
}

static void three_classes_with_weights(void **state) {
    (void)state;
    /* Class 2 does not occur; class 1 is always right; weights 1, 2, 3. */
    const int32_t truth[] = {0, 0, 1}, predicted[] = {0, 2, 1};
    const double proba[] = {0.5, 0.2, 0.3, 0.3, 0.3, 0.4, 0.0, 1.0, 0.0}, v[] = {1, 2, 3};
    ny_metrics m;
    must(ctx, ny_metrics_classes(ctx, &(ny_guesses){3, 3, truth, predicted, proba, v}, &m));
    assert_close(m.error, 2.0 / 6, 1e-15);
    assert_close(m.balanced_accuracy, (1.0 / 3 + 1) / 2, 1e-15);
    assert_close(m.auc, 1, 1e-15); /* mean over classes 0 and 1, both perfectly apart */
    assert_close(m.log_loss, -(log(0.5) + 2 * log(0.3) + 3 * log(1 - 1e-15)) / 6, 1e-14);
    assert_close(m.brier, (0.25 + 0.04 + 0.09 + 2 * (0.49 + 0.09 + 0.16)) / 6, 1e-15);
    assert_true(m.reliability[4].rows == 1 && m.reliability[4].observed == 0);
    const int64_t confusion[] = {1, 0, 1, 0, 1, 0, 0, 0, 0};
    assert_memory_equal(m.confusion, confusion, sizeof confusion);
    ny_metrics_clear(&m);
}

static void without_probabilities(void **state) {
    (void)state;
    const int32_t truth[] = {0, 1}, predicted[] = {0, 0};
    ny_metrics m;
    must(ctx, ny_metrics_classes(ctx, &(ny_guesses){2, 2, truth, predicted, NULL, NULL}, &m));
    assert_close(m.error, 0.5, 0);
    assert_true(isnan(m.auc) && isnan(m.log_loss) && isnan(m.brier));
    ny_metrics_clear(&m);
}

static void regression(void **state) {
    (void)state;
    const double truth[] = {3, -0.5, 2, 7}, predicted[] = {2.5, 0.0, 2, 8};
    ny_metrics m;
    ny_metrics_regression(4, truth, predicted, NULL, &m);
    assert_close(m.mse, 0.375, 1e-15);
    assert_close(m.rmse, sqrt(0.375), 1e-15);
    assert_close(m.mae, 0.5, 1e-15);
    assert_close(m.r2, 1 - 1.5 / 29.1875, 1e-14); /* scikit-learn's own example: 0.948... */
    assert_true(isnan(m.error));
    const double v[] = {0, 0, 1, 3};
    ny_metrics_regression(4, truth, predicted, v, &m);
    assert_close(m.mse, 0.75, 1e-15);
    assert_close(m.mae, 0.75, 1e-15);
    assert_close(m.r2, 1 - 3 / 18.75, 1e-14); /* mean 5.75: 14.0625 + 3 * 1.5625 */
}

static void coverage(void **state) {
    (void)state;
    const double truth[] = {1, 2, 3, 4}, lower[] = {1, 2.5, 0, 3}, upper[] = {2, 3, 3, 3.5}, v[] = {1, 0, 0, 3};
    ny_metrics m = {0};
    ny_metrics_interval(4, truth, lower, upper, NULL, 0.9, &m); /* the ends belong to the interval */
    assert_true(m.interval == 0.9);
    assert_close(m.coverage, 0.5, 1e-15);
    assert_close(m.mean_width, 5.0 / 4, 1e-15);
    ny_metrics_interval(4, truth, lower, upper, v, 0.9, &m);
    assert_close(m.coverage, 0.25, 1e-15);
    assert_close(m.mean_width, 2.5 / 4, 1e-15);
}

static void regression_of_a_constant(void **state) {
    (void)state;
    const double truth[] = {0.1, 0.1, 0.1}, predicted[] = {0.1, 0.2, 0.1}; /* whose mean is not 0.1 in floating point */
    ny_metrics m;
    ny_metrics_regression(3, truth, predicted, NULL, &m);
    assert_true(isnan(m.r2));
    assert_close(m.mae, 0.1 / 3, 1e-15);
    ny_metrics_regression(1, truth, predicted, NULL, &m);
    assert_true(isnan(m.r2) && m.mse == 0);
    ny_metrics_regression(0, truth, predicted, NULL, &m);
    assert_true(isnan(m.mse));
}

static void survives_failing_allocations(void **state) {
    (void)state;
    const int32_t truth[] = {0, 1, 2}, predicted[] = {0, 0, 1};
    const double proba[] = {1, 0, 0, 1, 0, 0, 0, 1, 0};
    int64_t live = ny_alloc_live();
    ny_status st = NY_ERR_MEMORY;
    int64_t k = 0;
    while (st != NY_OK) {
        ny_metrics m;
        ny_alloc_fail_at(++k);
        st = ny_metrics_classes(ctx, &(ny_guesses){3, 3, truth, predicted, proba, NULL}, &m);
        ny_alloc_fail_at(0);
        if (st == NY_OK) ny_metrics_clear(&m);
        else assert_int_equal(st, NY_ERR_MEMORY);
        assert_int_equal(ny_alloc_live(), live);
    }
    assert_true(k > 5);
}

/* Squares of these are no numbers, but their errors are. */
static void regression_of_tiny_targets(void **state) {
    (void)state;
    const double y[] = {1e-200, 3e-200, 5e-200, 9e-200}, f[] = {1e-200, 3e-200, 5e-200, 7e-200};
    ny_metrics m;
    ny_metrics_regression(4, y, f, NULL, &m);
    assert_close(m.rmse / 1e-200, 1, 1e-12);
    assert_close(m.mae / 1e-200, 0.5, 1e-12);
    assert_close(m.r2, 1 - 4 / 35.0, 1e-12);
    assert_true(isnan(m.mse));
}

/* Weights: rows that count twice are two rows for the mean, but not for how sure it is. */
/* Limits of an RMSE are in the units of the targets. */
static void limits_have_the_units_of_the_error(void **state) {
    (void)state;
    enum { ROWS = 50 };
    double truth[2][ROWS], none[ROWS] = {0}, loss[ROWS];
    ny_metrics m[2];
    for (int k = 0; k < 2; k++) {
        for (int i = 0; i < ROWS; i++) {
            truth[k][i] = (k ? 1000 : 1) * (1 + sin(i + 1));
            loss[i] = truth[k][i] * truth[k][i];
        }
        ny_metrics_regression(ROWS, truth[k], none, NULL, &m[k]);
        must(ctx, ny_metrics_compare(ctx, ROWS, loss, loss, NULL, &m[k]));
        assert_true(m[k].error_lower < m[k].rmse && m[k].rmse < m[k].error_upper);
        assert_true(m[k].error_lower > 0.5 * m[k].rmse && m[k].error_upper < 2 * m[k].rmse);
    }
    assert_close(m[1].error_upper, 1000 * m[0].error_upper, 1e-9);
    assert_close(m[1].error_lower, 1000 * m[0].error_lower, 1e-9);
    assert_close(m[1].baseline_error, m[1].rmse, 1e-9);
}

static void compares_with_a_baseline(void **state) {
    (void)state;
    const double loss[] = {0, 1, 0, 0, 0, 0}, base[] = {1, 1, 1, 0, 0, 1}, v[] = {1, 1, 1, 1, 1, 2};
    ny_metrics m = {.classes = 2, .error = 1.0 / 7};
    assert_int_equal(ny_metrics_compare(ctx, 6, loss, base, v, &m), NY_OK);
    assert_close(m.baseline_error, 5.0 / 7, 1e-12);
    assert_true(m.error_lower > 0 && m.error_lower < 1.0 / 7 && m.error_upper > 0.4 && m.error_upper < 0.7);
    assert_true(m.baseline_gain > 1 && m.baseline_gain < 4);
    assert_int_equal(ny_metrics_compare(ctx, 6, loss, loss, v, &m), NY_OK);
    assert_true(m.baseline_gain == 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(auc_counts_pairs),
        cmocka_unit_test(auc_gives_half_for_ties),
        cmocka_unit_test(auc_weights_rows),
        cmocka_unit_test(auc_is_undefined_with_one_class),
        cmocka_unit_test(two_classes),
        cmocka_unit_test(three_classes_with_weights),
        cmocka_unit_test(without_probabilities),
        cmocka_unit_test(regression),
        cmocka_unit_test(coverage),
        cmocka_unit_test(regression_of_a_constant),
        cmocka_unit_test(regression_of_tiny_targets),
        cmocka_unit_test(limits_have_the_units_of_the_error),
        cmocka_unit_test(compares_with_a_baseline),
        cmocka_unit_test(survives_failing_allocations),
    };
    return cmocka_run_group_tests_name("metrics", tests, setup, teardown);
}

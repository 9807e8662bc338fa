/* test_expected.c: what a model is expected to be worth beside what does not look at the inputs; outliers among its
 * errors. */
#include "with_ctx.h"

#include <math.h>

#include "model/record.h"
#include "report/lines.h"
#include "table/data.h"

/* The mean of the others for every row, as a held-out error of the machine: y_i - mean of the rest. */
static void test_the_baseline_is_held_out(void **state) {
    (void)state;
    enum { ROWS = 40 };
    ny_data *data = NULL;
    double sum = 0, squares = 0;
    must(ctx, ny_data_generate(ctx, "sinc", ROWS, 1, &data));
    for (int i = 0; i < ROWS; i++) sum += data->y[i];
    for (int i = 0; i < ROWS; i++) {
        double e = data->y[i] - (sum - data->y[i]) / (ROWS - 1);
        squares += e * e;
    }
    ny_model *model = train_with_options(ctx, data, make_options(ctx, "kernel", "rbf", NULL));
    const ny_expected *r = &model->record->expected;
    assert_close(r->baseline_error, sqrt(squares / ROWS), 1e-12);
    assert_true(r->error_lower < r->error && r->error < r->error_upper && r->error < r->baseline_error);
    assert_close(ny_expected_r2(model), 1 - r->error * r->error / (r->baseline_error * r->baseline_error), 1e-12);
    ny_model_free(model);
    ny_data_free(data);
}

/* Every row a landmark, but redundant ones are left out: that is the exact machine as long as C does not make count
 * what they leave, and else it is said. */
static void test_called_exact_where_it_is(void **state) {
    (void)state;
    ny_data *data = NULL;
    must(ctx, ny_data_generate(ctx, "sinc", 120, 1, &data));
    for (int k = 0; k < 2; k++) {
        ny_model *model = train_with_options(ctx, data,
                                             make_options(ctx, "kernel", "rbf", "bandwidth", "2", "landmarks", "all",
                                                          "rank-tol", "1e-6", "C", k ? "1e6" : "0.01", NULL));
        assert_true(model->record->origin.rank < 120);
        assert_int_equal(model->record->origin.exact, k == 0);
        assert_int_equal(has_note(model, "not quite the exact machine"), k);
        ny_model_free(model);
    }
    ny_data_free(data);
}

/* Of 200 errors of Student's distribution with three degrees of freedom one is beyond 31 robust deviations by a chance
 * of 1%: a target that is farther off is told, a nearer one is not. */
static void test_one_outlier(void **state) {
    (void)state;
    enum { ROWS = 200 };
    static double x[ROWS], y[ROWS];
    for (int k = 0; k < 2; k++) {
        ny_data *data = NULL;
        ny_rng rng = ny_rng_make(8, NY_RNG_TEST, 0);
        for (int i = 0; i < ROWS; i++) x[i] = ny_rng_normal(&rng), y[i] = x[i] + 0.1 * ny_rng_normal(&rng);
        y[17] += k ? 4.2 : 2.4;
        must(ctx, ny_data_from_rows(ctx, ROWS, 1, x, y, &data));
        ny_model *model = train_with_options(ctx, data, make_options(ctx, "kernel", "linear", NULL));
        assert_int_equal(has_note(model, "of the squared held-out error (the largest is row 18)"), k);
        ny_model_free(model);
        ny_data_free(data);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_the_baseline_is_held_out),
                                       cmocka_unit_test(test_called_exact_where_it_is),
                                       cmocka_unit_test(test_one_outlier)};
    return cmocka_run_group_tests(tests, setup, teardown);
}

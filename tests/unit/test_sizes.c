/* test_sizes.c: how many landmarks: candidates to choose from, and growing while it pays. */
#include "support.h"

#include <math.h>

#include "model/record.h"

static ny_ctx *ctx;

static void test_candidates_are_separate_searches(void **state) {
    (void)state;
    static const char *const size[] = {"30", "200", "90"};
    ny_data *data = NULL;
    must(ctx, ny_data_generate(ctx, "waveform", 500, 1, &data));
    double value[3], least = INFINITY;
    int best = 0;
    for (int k = 0; k < 3; k++) {
        ny_model *m = train_with_options(ctx, data, make_options(ctx, "kernel", "rbf", "landmarks", size[k], NULL));
        value[k] = m->record->expected.value;
        if (value[k] < least) least = value[k], best = k;
        ny_model_free(m);
    }
    ny_model *m =
        train_with_options(ctx, data, make_options(ctx, "kernel", "rbf", "landmarks", "auto:30,200,90", NULL));
    assert_close(m->record->expected.value, value[best], 1e-12);
    assert_int_equal(m->record->origin.landmarks, atoi(size[best]));
    assert_int_equal(m->f.Z.n, m->record->origin.landmarks);
    ny_model_free(m);
    m = train_with_options(ctx, data,
                           make_options(ctx, "kernel", "rbf", "landmarks", "auto:5000", "bandwidth", "4", NULL));
    assert_true(m->record->origin.exact); /* more than there are rows: all of them */
    ny_model_free(m);
    ny_data_free(data);
}

/* sin(a x) sin(a y) has (a/pi)^2 hills in the unit square; a machine needs a few landmarks for each. */
static ny_data *hills(int64_t n, double a) {
    double *x = calloc((size_t)n * 2, sizeof *x), *y = calloc((size_t)n, sizeof *y);
    ny_rng rng = ny_rng_make(3, NY_RNG_TEST, 0);
    ny_data *data = NULL;
    for (int64_t i = 0; i < n; i++) {
        x[2 * i] = ny_rng_uniform(&rng);
        x[2 * i + 1] = ny_rng_uniform(&rng);
        y[i] = sin(a * x[2 * i]) * sin(a * x[2 * i + 1]) + 0.1 * ny_rng_normal(&rng);
    }
    must(ctx, ny_data_from_rows(ctx, n, 2, x, y, &data));
    free(x);
    free(y);
    return data;
}

/* The criterion at full rows for a number of landmarks; INFINITY when it was not tried. */
static double tried(const ny_model *m, int64_t landmarks) {
    for (int64_t i = 0; i < m->record->evaluations; i++) {
        const ny_evaluation *e = &m->record->evaluation[i];
        if (e->rows == m->record->rows && llabs(e->landmarks - landmarks) <= 2) return e->value;
    }
    return INFINITY;
}

static void test_they_grow_while_they_help(void **state) {
    (void)state;
    ny_data *rough = hills(2700, 70), *smooth = hills(2700, 3);
    ny_model *m = train_with_options(
        ctx, rough,
        make_options(ctx, "kernel", "rbf", "search", "none", "bandwidth", "0.08", "landmarks", "grow", NULL));
    assert_int_equal(m->record->origin.landmarks, 2 * 883); /* 883 were planned */
    ny_model_free(m);
    m = train_with_options(
        ctx, smooth,
        make_options(ctx, "kernel", "matern32", "search", "none", "bandwidth", "1", "landmarks", "grow", NULL));
    assert_in_range(m->record->origin.landmarks, 800, 900);
    assert_true(
        isfinite(tried(m, m->record->origin.landmarks / 2))); /* the half was looked at, and did not call for more */
    ny_model_free(m);
    ny_data_free(rough);
    ny_data_free(smooth);
}

static void test_memory_limits_growth(void **state) {
    (void)state;
    ny_data *rough = hills(2700, 70);
    ny_model *m = train_with_options(ctx, rough,
                                     make_options(ctx, "kernel", "rbf", "search", "none", "bandwidth", "0.08", "memory",
                                                  "70M", "landmarks", "grow", NULL));
    assert_in_range(m->record->origin.landmarks, 100, 900);
    ny_model_free(m);
    ny_data_free(rough);
}

static void test_list_is_parsed(void **state) {
    (void)state;
    ny_options *o = make_options(ctx, "landmarks", "auto:100,200,50", NULL);
    assert_int_equal(o->landmarks.candidates, 3);
    assert_int_equal(o->landmarks.candidate[2], 50);
    static const char *const wrong[] = {
        "auto:",  "auto:10,", "auto:1.5",  "auto:0",
        "auto:a", "auto100",  "auto:1,-2", "auto:1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17"};
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++)
        assert_int_equal(ny_options_set(ctx, o, "landmarks", wrong[k]), NY_ERR_USAGE);
    assert_int_equal(o->landmarks.candidates, 3); /* what was there stays */
    must(ctx, ny_options_set(ctx, o, "landmarks", "7"));
    assert_int_equal(o->landmarks.number, 7);
    assert_int_equal(o->landmarks.candidates, 0);
    ny_options_free(o);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_candidates_are_separate_searches),
        cmocka_unit_test(test_they_grow_while_they_help),
        cmocka_unit_test(test_memory_limits_growth),
        cmocka_unit_test(test_list_is_parsed),
    };
    ctx = ny_ctx_new();
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    ny_ctx_free(ctx);
    return failed;
}

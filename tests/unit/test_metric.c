/* test_metric.c: --metric from data to predictions: which columns count, where the weights pay and where they do not,
 * and what must not matter. The slopes themselves are in identity/test_slopes.c. */
#include <math.h>

#include "model/record.h"
#include "search/metric.h"
#include "table/data.h"
#include "with_ctx.h"

enum { COLUMNS = 6, ROWS = 400 };

/* Column order[c] of the file is input c, times unit[c]. few: two inputs matter, one of them by a wave; else all do
 * alike. classes: of the sign. */
typedef struct {
    int rows, order[COLUMNS];
    double unit[COLUMNS];
    bool few, classes;
} table;

static const table plain = {ROWS, {0, 1, 2, 3, 4, 5}, {1, 1, 1, 1, 1, 1}, true, false};

static ny_data *data_of(const table *t) {
    char *text = malloc((size_t)t->rows * 200), *at = text;
    for (int i = 0; i < t->rows; i++) {
        ny_rng rng = ny_rng_make(7, NY_RNG_TEST, (uint32_t)i);
        double x[COLUMNS], sum = 0;
        for (int c = 0; c < COLUMNS; c++) x[c] = ny_rng_normal(&rng), sum += x[c] * x[c];
        double y = (t->few ? 2 * sin(3 * x[0]) + x[1] : cos(sqrt(sum))) + 0.2 * ny_rng_normal(&rng);
        for (int c = 0; c < COLUMNS; c++) at += sprintf(at, "%.17g,", t->unit[t->order[c]] * x[t->order[c]]);
        at += t->classes ? sprintf(at, "%s\n", y > 0 ? "up" : "down") : sprintf(at, "%.17g\n", y);
    }
    char *file = write_file(".csv", text, -1);
    ny_options *options = make_options(ctx, NULL);
    ny_data *data = NULL;
    must(ctx, ny_data_read(ctx, file, options, NULL, &data));
    ny_options_free(options);
    remove(file);
    free(file);
    free(text);
    return data;
}

static ny_model *train(const table *t, const char *metric, const char *effort) {
    ny_data *data = data_of(t);
    ny_model *model = train_with_options(ctx, data, make_options(ctx, "metric", metric, "effort", effort, NULL));
    ny_data_free(data);
    return model;
}

static void test_few_matter(void **state) {
    (void)state;
    for (int classes = 0; classes < 2; classes++) {
        table t = plain;
        t.classes = classes;
        ny_model *with = train(&t, "auto", "normal"), *without = train(&t, "none", "normal");
        const ny_record *r = with->record;
        assert_true(r->metric.known && ny_metric_weighs(&r->metric) && r->metric.weights == COLUMNS);
        assert_true(fmin(r->metric.slopes, r->metric.evidence) < r->metric.equal);
        assert_close(r->metric.penalty, 1 + 2.0 * COLUMNS / ROWS, 1e-12);
        assert_int_equal(r->columns, COLUMNS);
        assert_true(r->column[0].relevance == 1);
        for (int c = 2; c < COLUMNS; c++) assert_true(r->column[c].relevance < 0.2);
        assert_true(!without->record->metric.known && without->record->columns == 0);
        double noise = classes ? 0 : 0.2 * 0.2, gain = classes ? 0.9 : 0.3;
        if (!(r->expected.value - noise < gain * (without->record->expected.value - noise)))
            fail_msg("%g with weights, %g without", r->expected.value, without->record->expected.value);
        ny_model_free(with);
        ny_model_free(without);
    }
}

/* Each round makes what hardly matters smaller, as the slopes are those in the inputs as they were. */
static void test_rounds_go_on(void **state) {
    (void)state;
    ny_model *model = train(&plain, "diagonal", "normal");
    for (int c = 2; c < COLUMNS; c++)
        if (!(model->record->column[c].relevance < 0.06)) fail_msg("%d: %g", c, model->record->column[c].relevance);
    ny_model_free(model);
}

/* The expected error is raised by what the weights gain by chance, and nothing else. */
static void test_expected_error_is_raised(void **state) {
    (void)state;
    ny_model *model = train(&plain, "auto", "normal");
    const ny_expected *e = &model->record->expected;
    assert_close(e->error, sqrt(e->squared_error * (1 + 2.0 * COLUMNS / ROWS)), 1e-9);
    ny_model_free(model);
}

/* Where all inputs matter alike and rows are few, weights would only follow the noise. */
static void test_all_alike(void **state) {
    (void)state;
    table t = plain;
    t.few = false;
    t.rows = 80;
    ny_model *model = train(&t, "auto", "normal"), *none = train(&t, "none", "normal");
    assert_true(model->record->metric.known && !ny_metric_weighs(&model->record->metric));
    assert_int_equal(model->record->columns, 0);
    assert_true(model->record->expected.value == none->record->expected.value);
    ny_model_free(model);
    ny_model_free(none);
    model = train(&t, "diagonal", "normal"); /* asked for */
    assert_string_equal(model->record->metric.used, "slopes");
    assert_true(model->record->columns == COLUMNS && isnan(model->record->metric.evidence));
    ny_model_free(model);
}

/* Neither the order of the columns nor their units; a power of two leaves every digit as it is. */
static void test_units_and_order(void **state) {
    (void)state;
    table t = {ROWS, {5, 3, 0, 1, 4, 2}, {1024, 0.25, 1, 8, 0x1p-20, 2}, true, false};
    ny_model *one = train(&plain, "auto", "normal"), *two = train(&t, "auto", "normal");
    for (int c = 0; c < COLUMNS; c++)
        assert_close(two->record->column[c].relevance, one->record->column[t.order[c]].relevance, 0.05);
    assert_close(two->record->expected.value / one->record->expected.value, 1, 0.02);
    table units = plain;
    memcpy(units.unit, t.unit, sizeof units.unit);
    ny_model *same = train(&units, "auto", "normal");
    assert_true(same->record->expected.value == one->record->expected.value);
    ny_model_free(one);
    ny_model_free(two);
    ny_model_free(same);
}

static void test_where_it_is_not_learnt(void **state) {
    (void)state;
    static const char *const option[][2] = {{"effort", "fast"}, {"kernel", "rbf"}, {"bandwidth", "2"}};
    ny_data *data = data_of(&plain);
    for (size_t k = 0; k < sizeof option / sizeof *option; k++) {
        ny_model *model =
            train_with_options(ctx, data, make_options(ctx, "landmarks", "60", option[k][0], option[k][1], NULL));
        assert_true(!model->record->metric.known);
        ny_model_free(model);
    }
    ny_data_free(data);
}

/* More rows than the weights are learnt from: others judge them as well. */
static void test_judged_by_more_rows(void **state) {
    (void)state;
    table t = plain;
    t.rows = 2000;
    ny_data *data = data_of(&t);
    ny_model *model = train_with_options(ctx, data, make_options(ctx, "landmarks", "100", NULL));
    const ny_weighing *w = &model->record->metric;
    assert_true(ny_metric_weighs(w) && w->rows == 2000 && w->landmarks == 500);
    assert_close(w->penalty, 1 + 2.0 * COLUMNS / 2000, 1e-12);
    ny_model_free(model);
    ny_data_free(data);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_few_matter),
        cmocka_unit_test(test_rounds_go_on),
        cmocka_unit_test(test_expected_error_is_raised),
        cmocka_unit_test(test_all_alike),
        cmocka_unit_test(test_units_and_order),
        cmocka_unit_test(test_where_it_is_not_learnt),
        cmocka_unit_test(test_judged_by_more_rows),
    };
    return cmocka_run_group_tests_name("weights for the columns", tests, setup, teardown);
}

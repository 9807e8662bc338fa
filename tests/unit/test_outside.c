/* test_outside.c: inputs of new rows that lie far outside the training range: where the limits are, that predictions
 * are those of the limits, that nothing changes within them, and who is counted. */
#include <math.h>

#include "machine/new_rows.h"
#include "model/record.h"
#include "table/data.h"
#include "with_ctx.h"

enum { ROWS = 60, INPUTS = 3, FAR = 5 };

static double inner(int i, int j) {
    return j == 2 ? (double)((i * 7) % 5) : sin(1.0 + i * (j + 1.3)) + (j == 1 ? 0.3 * cos(i) : 0);
}

/* Rows of the training, then FAR rows that are like the first ones but for one input each. */
static void fill(int n, double *x, double *y) {
    static const double far[FAR] = {1000, -1000, 1e150, -3, 1.5}; /* the last is outside, but within the margin */
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < INPUTS; j++) x[i * INPUTS + j] = inner(i % ROWS, j);
        if (i >= ROWS) x[i * INPUTS + i % INPUTS] = far[i - ROWS];
        y[i] = x[i * INPUTS] * x[i * INPUTS + 1] + 0.1 * inner(i % ROWS, 2);
    }
}

static ny_model *train(const char *kernel, const char *degree, const char *scale) {
    double x[ROWS * INPUTS], y[ROWS];
    ny_data *data = NULL;
    fill(ROWS, x, y);
    must(ctx, ny_data_from_rows(ctx, ROWS, INPUTS, x, y, &data));
    ny_options *options = make_options(ctx, "kernel", kernel, "scale", scale, NULL);
    if (strcmp(kernel, "poly") == 0) must(ctx, ny_options_set(ctx, options, "degree", degree));
    ny_model *model = train_with_options(ctx, data, options);
    ny_data_free(data);
    return model;
}

static void predict(const ny_model *model, int n, const double *x, const char *outside, double *value) {
    ny_data *data = NULL;
    ny_options *options = make_options(ctx, "outside", outside, NULL);
    must(ctx, ny_data_from_rows(ctx, n, INPUTS, x, NULL, &data));
    must(ctx, ny_predict(ctx, model, data, options, value, NULL, NULL));
    ny_options_free(options);
    ny_data_free(data);
}

/* By hand: m = max((3^(1/p) - 1) / 2, (sqrt(2) - 1) / 2). */
static double margin_of(const char *kernel, const char *degree) {
    double p = strcmp(kernel, "linear") == 0 ? 1 : strcmp(kernel, "poly") == 0 ? atof(degree) : INFINITY;
    return fmax((pow(3, 1 / p) - 1) / 2, (sqrt(2) - 1) / 2);
}

static const char *const kernels[][3] = {
    {"linear", "3", "standard"}, {"poly", "1", "standard"}, {"poly", "2", "range"},        {"poly", "3", "standard"},
    {"poly", "6", "standard"},   {"rbf", "3", "standard"},  {"matern32", "3", "standard"}, {"laplace", "3", "none"},
};
enum { KERNELS = sizeof kernels / sizeof *kernels };

/* Far rows get the prediction of the limits, all others that of --outside keep, to the last bit. */
static void predictions_are_those_of_the_limits(void **state) {
    (void)state;
    enum { N = ROWS + FAR };
    for (int k = 0; k < KERNELS; k++) {
        double x[N * INPUTS], y[N], clipped[N], kept[N], by_hand[N];
        ny_model *model = train(kernels[k][0], kernels[k][1], kernels[k][2]);
        double m = margin_of(kernels[k][0], kernels[k][1]);
        assert_close(ny_range_margin(&model->f.kernel), m, 1e-15);
        m = ny_range_margin(&model->f.kernel);
        fill(N, x, y);
        predict(model, N, x, "clip", clipped);
        predict(model, N, x, "keep", kept);
        int moved = 0;
        for (int j = 0; j < INPUTS; j++) {
            double least = INFINITY, largest = -INFINITY;
            for (int i = 0; i < ROWS; i++) {
                least = fmin(least, x[i * INPUTS + j]);
                largest = fmax(largest, x[i * INPUTS + j]);
            }
            assert_true(model->range[j] == least && model->range[j + INPUTS] == largest);
            for (int i = ROWS; i < N; i++) {
                double *v = &x[i * INPUTS + j], more = m * (largest - least);
                moved += *v < least - more || *v > largest + more;
                *v = fmin(fmax(*v, least - more), largest + more);
            }
        }
        assert_true(moved >= 3 && moved <= FAR);
        predict(model, N, x, "keep", by_hand);
        assert_memory_equal(clipped, by_hand, sizeof clipped);
        assert_memory_equal(clipped, kept, ROWS * sizeof *kept);
        for (int i = ROWS; i < N; i++) assert_true(fabs(clipped[i]) < 100);
        ny_model_free(model);
    }
}

/* The default without options is to clip, in intervals and tests too; a model that does not know its range keeps. */
static void options_and_older_models(void **state) {
    (void)state;
    enum { N = ROWS + FAR };
    double x[N * INPUTS], y[N], clipped[N], kept[N], value[N], lower[N], upper[N];
    ny_model *model = train("poly", "3", "standard");
    ny_data *data = NULL;
    char *json = NULL;
    int64_t count[N], by_column[INPUTS] = {0};
    fill(N, x, y);
    predict(model, N, x, "clip", clipped);
    predict(model, N, x, "keep", kept);
    assert_true(fabs(kept[ROWS]) > 100 && fabs(clipped[ROWS]) < 10); /* the damage, and the cure */
    must(ctx, ny_data_from_rows(ctx, N, INPUTS, x, y, &data));
    must(ctx, ny_predict(ctx, model, data, NULL, value, NULL, NULL));
    assert_memory_equal(value, clipped, sizeof value);
    must(ctx, ny_predict_interval(ctx, model, data, NULL, 0.9,
                                  &(ny_intervals){.value = value, .lower = lower, .upper = upper}));
    for (int i = 0; i < N; i++) {
        assert_close(value[i], clipped[i], 1e-12);
        assert_true(upper[i] - lower[i] < 100);
    }
    must(ctx, ny_outside(ctx, model, data, count, by_column));
    for (int i = 0; i < ROWS; i++) assert_int_equal(count[i], 0);
    for (int i = ROWS; i < N; i++) assert_int_equal(count[i], i < N - 1);
    assert_int_equal(by_column[0], 2);
    assert_int_equal(by_column[1], 1);
    assert_int_equal(by_column[2], 1);
    must(ctx, ny_test(ctx, model, data, NULL, &json, NULL));
    assert_non_null(strstr(json, "\"outside_rows\": 4"));
    assert_non_null(strstr(json, "\"outside_columns\": [\n    {\n      \"name\": \"x1\",\n      \"rows\": 2"));
    ny_text_free(json);
    assert_true(ny_model_has_range(model));
    ny_free(model->range);
    model->range = NULL;
    assert_false(ny_model_has_range(model));
    must(ctx, ny_predict(ctx, model, data, NULL, value, NULL, NULL));
    assert_memory_equal(value, kept, sizeof value);
    must(ctx, ny_outside(ctx, model, data, count, NULL));
    for (int i = 0; i < N; i++) assert_int_equal(count[i], 0);
    ny_data_free(data);
    ny_model_free(model);
}

static ny_data *read_text(const char *suffix, const char *text, const ny_options *options, const ny_model *like) {
    char *path = write_file(suffix, text, -1);
    ny_data *data = NULL;
    must(ctx, ny_data_read(ctx, path, options, like, &data));
    remove(path);
    free(path);
    return data;
}

static void calls_without_a_model(void **state) {
    (void)state;
    assert_int_equal(ny_outside(ctx, NULL, NULL, NULL, NULL), NY_ERR_USAGE);
    ny_outside_warn(ctx, NULL, NULL, NULL, 1, 1, NULL);
    assert_false(ny_model_has_range(NULL));
    assert_int_equal(ny_model_columns(NULL), 0);
    assert_null(ny_model_column(NULL, 0));
    assert_null(ny_data_id(NULL, 0));
    assert_null(ny_data_id_name(NULL));
}

/* A text of 40 rows with an input of one value, a column of categories and a column of noise. */
static void table(char *text, const char *last) {
    int at = sprintf(text, "a,one,noise,colour,y\n");
    for (int i = 0; i < 40; i++)
        at += sprintf(text + at, "%d,7,%.4f,%s,%.4f\n", i % 11, sin(i * 1.7), i % 3 ? "red" : "blue",
                      (i % 11) * 0.5 + (i % 3 ? 2 : 0) + 0.01 * cos(i * 2.9));
    sprintf(text + at, "%s", last);
}

/* Columns without meaning to the kernel are not counted; unknown categories are zeros as ever, and inside. */
static void constant_and_categorical_columns(void **state) {
    (void)state;
    char text[4000];
    double clipped[3], kept[3];
    int64_t count[3], by_column[4] = {0};
    ny_options *options = make_options(ctx, "target", "y", NULL), *keep = make_options(ctx, "outside", "keep", NULL);
    table(text, "");
    ny_data *data = read_text(".csv", text, options, NULL);
    ny_model *model = train_with_options(ctx, data, make_options(ctx, "kernel", "linear", NULL));
    ny_data *rows =
        read_text(".csv", "a,one,noise,colour\n5,99,0.5,red\n5,7,0.5,green\n1e6,7,-1e6,blue\n", keep, model);
    must(ctx, ny_outside(ctx, model, rows, count, by_column));
    const int64_t expected[] = {0, 0, 2}, columns[] = {1, 0, 1, 0};
    assert_memory_equal(count, expected, sizeof expected);
    assert_memory_equal(by_column, columns, sizeof columns);
    must(ctx, ny_predict(ctx, model, rows, NULL, clipped, NULL, NULL));
    must(ctx, ny_predict(ctx, model, rows, keep, kept, NULL, NULL));
    assert_memory_equal(clipped, kept, 2 * sizeof *kept);
    assert_true(fabs(clipped[2]) < 30 && fabs(kept[2]) > 1e4);
    ny_data_free(rows);
    ny_data_free(data);
    ny_model_free(model);
    ny_options_free(options);
    ny_options_free(keep);
}

/* A model that kept some columns has the ranges of these, whatever columns the rows come with. */
static void dropped_columns(void **state) {
    (void)state;
    char text[4000];
    double few[2], all[2];
    int64_t count[2];
    ny_options *options = make_options(ctx, "target", "y", NULL), *plain = make_options(ctx, NULL, NULL);
    table(text, "");
    ny_data *data = read_text(".csv", text, options, NULL);
    ny_model *model = train_with_options(ctx, data, make_options(ctx, "kernel", "rbf", "select-inputs", "yes", NULL));
    assert_int_equal(model->schema.all_columns, 4); /* `one` at least is dropped */
    int64_t d = model->schema.inputs;
    assert_true(d < 5);
    assert_true(model->range[0] == 0 && model->range[d] == 10);            /* a */
    assert_true(model->range[d - 2] == 0 && model->range[2 * d - 2] == 1); /* blue */
    assert_true(model->range[d - 1] == 0 && model->range[2 * d - 1] == 1); /* red */
    ny_data *some = read_text(".csv", "colour,noise,a\nred,0.5,1e6\nblue,0.5,3\n", plain, model);
    must(ctx, ny_predict(ctx, model, some, NULL, few, NULL, NULL));
    double x[] = {1e6, 1e9, 0.5, 0, 1, 3, 7, 0.5, 1, 0}; /* all inputs of the training */
    ny_data *whole = NULL;
    must(ctx, ny_data_from_rows(ctx, 2, 5, x, NULL, &whole));
    must(ctx, ny_predict(ctx, model, whole, NULL, all, NULL, NULL));
    assert_memory_equal(few, all, sizeof all);
    must(ctx, ny_outside(ctx, model, whole, count, NULL));
    assert_int_equal(count[0], 1);
    assert_int_equal(count[1], 0);
    ny_data_free(whole);
    ny_data_free(some);
    ny_data_free(data);
    ny_model_free(model);
    ny_options_free(options);
    ny_options_free(plain);
}

/* Sparse rows stay sparse: absent is 0 and inside; an input that was always absent in training is taken as absent. */
static void sparse_rows(void **state) {
    (void)state;
    char text[8000];
    int at = 0;
    double clipped[3], by_hand[3];
    int64_t count[3];
    for (int i = 0; i < 50; i++) {
        int a = 1 + i % 7, b = 20 + i % 13;
        at += sprintf(text + at, "%d %d:%.3f %d:%.3f 40:%d\n", i % 2 ? 1 : -1, a, 1 + 0.1 * (i % 5), b,
                      (i % 2 ? 1 : -1) * (2 + 0.01 * i), 1);
    }
    ny_options *options = make_options(ctx, NULL, NULL);
    ny_data *data = read_text(".svm", text, options, NULL);
    assert_true(ny_matrix_is_sparse(&data->X));
    ny_model *model = train_with_options(ctx, data, make_options(ctx, "kernel", "poly", "degree", "2", NULL));
    double m = ny_range_margin(&model->f.kernel);
    assert_true(model->range[0] == 0 && model->range[39] == 0 && model->range[10] == 0 && model->range[50] == 0);
    ny_data *rows = read_text(".svm", "1 1:1 22:2\n1 1:1000 11:5 22:2\n1 2:-50 40:1\n", options, model);
    assert_true(ny_matrix_is_sparse(&rows->X));
    sprintf(text, "1 1:1 22:2\n1 1:%.17g 22:2\n1 2:%.17g 40:1\n", model->range[40] * (1 + m), -m * model->range[41]);
    ny_data *hand = read_text(".svm", text, options, model);
    must(ctx, ny_predict(ctx, model, rows, NULL, NULL, NULL, clipped));
    ny_options *keep = make_options(ctx, "outside", "keep", NULL);
    must(ctx, ny_predict(ctx, model, hand, keep, NULL, NULL, by_hand));
    for (int i = 0; i < 3; i++) assert_close(clipped[i], by_hand[i], 1e-14);
    must(ctx, ny_outside(ctx, model, rows, count, NULL));
    assert_int_equal(count[0], 0);
    assert_int_equal(count[1], 2);
    assert_int_equal(count[2], 1);
    ny_options_free(keep);
    ny_data_free(hand);
    ny_data_free(rows);
    ny_data_free(data);
    ny_model_free(model);
    ny_options_free(options);
}

/* Rows of weight 0 are no training rows; rows in passes give the same ranges. */
static void weights_and_passes(void **state) {
    (void)state;
    char text[30000];
    int at = sprintf(text, "a,w,y\n");
    for (int i = 0; i < 800; i++)
        at += sprintf(text + at, "%.3f,%d,%.3f\n", i % 100 == 50 ? 500.0 : sin(i * 0.7), i % 100 == 50 ? 0 : 1, cos(i));
    char *path = write_file(".csv", text, -1);
    for (int passes = 0; passes < 2; passes++) {
        ny_data *data = NULL;
        ny_options *options = make_options(ctx, "weight-column", "w", "stream", passes ? "yes" : "no", "landmarks",
                                           "20", "criterion", "cv", "kernel", "rbf", NULL);
        must(ctx, ny_data_read(ctx, path, options, NULL, &data));
        ny_model *model = train_with_options(ctx, data, options);
        assert_true(model->range[0] == -1 && model->range[1] == 1);
        ny_data_free(data);
        ny_model_free(model);
    }
    remove(path);
    free(path);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(predictions_are_those_of_the_limits),
        cmocka_unit_test(options_and_older_models),
        cmocka_unit_test(constant_and_categorical_columns),
        cmocka_unit_test(dropped_columns),
        cmocka_unit_test(sparse_rows),
        cmocka_unit_test(weights_and_passes),
        cmocka_unit_test(calls_without_a_model),
    };
    return cmocka_run_group_tests_name("rows outside the training range", tests, setup, teardown);
}

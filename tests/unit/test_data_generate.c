/* test_data_generate.c: the demo sets against what their papers say, data from memory, and CSV out and in again. */
#include <math.h>

#include "demo/generate.h"
#include "support.h"
#include "table/data.h"

static void every_demo(void **state) {
    (void)state;
    ny_ctx *ctx = ny_ctx_new();
    for (int64_t i = 0; ny_demo_at(i); i++) {
        const ny_demo *demo = ny_demo_at(i);
        ny_data *data = NULL, *more = NULL, *other = NULL;
        assert_ptr_equal(ny_demo_find(demo->name), demo);
        must(ctx, ny_data_generate(ctx, demo->name, 0, 1, &data));
        must(ctx, ny_data_generate(ctx, demo->name, demo->rows + 50, 1, &more));
        must(ctx, ny_data_generate(ctx, demo->name, 0, 2, &other));
        assert_int_equal(ny_data_rows(data), demo->rows);
        assert_int_equal(ny_data_inputs(data), demo->inputs);
        size_t bytes = (size_t)(demo->rows * demo->inputs) * sizeof(double);
        assert_memory_equal(data->X.x, more->X.x, bytes); /* more rows extend the set */
        assert_memory_equal(data->y, more->y, (size_t)demo->rows * sizeof(double));
        assert_memory_not_equal(data->X.x, other->X.x, bytes);
        ny_task task;
        must(ctx, ny_data_task(ctx, data, NY_TASK_NONE, &task));
        int64_t classes = 0;
        while (demo->labels[classes]) classes++;
        assert_int_equal(task, classes == 0 ? NY_TASK_REGRESSION : classes == 2 ? NY_TASK_BINARY : NY_TASK_MULTICLASS);
        for (int64_t k = 0; k < classes; k++) { /* all about equally frequent */
            int64_t count = 0;
            for (int64_t r = 0; r < demo->rows; r++) count += data->code[r] == k;
            assert_true(llabs(count * classes - demo->rows) < demo->rows / 5);
        }
        ny_data_free(data);
        ny_data_free(more);
        ny_data_free(other);
    }
    ny_data *none = NULL;
    assert_int_equal(ny_data_generate(ctx, "nothing", 0, 1, &none), NY_ERR_USAGE);
    assert_int_equal(ny_data_generate(ctx, "banana", -1, 1, &none), NY_ERR_USAGE);
    ny_ctx_free(ctx);
}

static double normal2(const double *x, double m0, double m1, double a, double b, double c) {
    double det = a * c - b * b, u = x[0] - m0, v = x[1] - m1;
    return exp(-0.5 * (c * u * u - 2 * b * u * v + a * v * v) / det) / (2 * M_PI * sqrt(det));
}

/* Log of p(x | +1) / p(x | -1). */
static double mixture_ratio(const double *x) {
    return log(normal2(x, 1, 1, 8, -6, 8)) -
           log(0.5 * normal2(x, 0, 0, 0.25, 0, 0.25) + 0.5 * normal2(x, 5, -2, 1, 0, 1));
}

static double twonorm_ratio(const double *x) {
    double sum = 0;
    for (int k = 0; k < 20; k++) sum += x[k];
    return sum;
}

static double ringnorm_ratio(const double *x) {
    double log_ratio = -20 * log(2), a = 2 / sqrt(20);
    for (int k = 0; k < 20; k++) log_ratio += 0.5 * (x[k] - a) * (x[k] - a) - 0.125 * x[k] * x[k];
    return log_ratio;
}

/* The best classifier's error on a large sample is the Bayes error: right densities on both sides. */
static void bayes_errors(void **state) {
    (void)state;
    static const struct {
        const char *name;
        double (*ratio)(const double *);
        double error, tolerance;
    } cases[] = {
        {"mixture", mixture_ratio, 0.1367, 0.003},
        {"twonorm", twonorm_ratio, 0.02275, 0.0015},
        {"ringnorm", ringnorm_ratio, 0.0124, 0.0015},
    };
    enum { ROWS = 100000 };
    ny_ctx *ctx = ny_ctx_new();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ny_data *data = NULL;
        must(ctx, ny_data_generate(ctx, cases[i].name, ROWS, 7, &data));
        assert_string_equal(data->label[1], "+1");
        int64_t wrong = 0;
        for (int64_t r = 0; r < ROWS; r++)
            wrong += (cases[i].ratio(data->X.x + r * data->X.d) > 0) != (data->code[r] == 1);
        double error = (double)wrong / ROWS;
        if (fabs(error - cases[i].error) > cases[i].tolerance) fail_msg("%s: error %g", cases[i].name, error);
        ny_data_free(data);
    }
    ny_ctx_free(ctx);
}

static void sinc_shape(void **state) {
    (void)state;
    enum { ROWS = 20000 };
    ny_ctx *ctx = ny_ctx_new();
    ny_data *data = NULL;
    must(ctx, ny_data_generate(ctx, "sinc", ROWS, 3, &data));
    double noise = 0, near = 0, third = 0;
    for (int64_t i = 0; i < ROWS; i++) {
        const double *x = data->X.x + 3 * i;
        double z = 2 * M_PI * M_PI * x[0], e = data->y[i] - (z == 0 ? 1 : sin(z) / z);
        assert_true(x[0] >= -0.5 && x[0] < 0.5);
        noise += e * e / ROWS;
        near += (x[1] - x[0]) * (x[1] - x[0]) / ROWS;
        third += x[2] * x[2] / ROWS;
    }
    assert_true(fabs(sqrt(noise) - 0.1) < 0.002 && fabs(sqrt(near) - 0.05) < 0.001 && fabs(sqrt(third) - 0.5) < 0.01);
    assert_true(data->numeric_target && data->labels == 0);
    ny_data_free(data);
    ny_ctx_free(ctx);
}

static void same_data(const ny_data *a, const ny_data *b) {
    assert_int_equal(a->X.n, b->X.n);
    assert_int_equal(a->X.d, b->X.d);
    if (a->X.x && b->X.x) assert_memory_equal(a->X.x, b->X.x, (size_t)(a->X.n * a->X.d) * sizeof(double));
    assert_memory_equal(a->y, b->y, (size_t)a->X.n * sizeof(double));
    assert_int_equal(a->labels, b->labels);
    for (int64_t k = 0; k < a->labels; k++) assert_string_equal(a->label[k], b->label[k]);
    for (int64_t c = 0; c < a->schema.columns; c++) {
        assert_string_equal(a->schema.column[c].name, b->schema.column[c].name);
        assert_int_equal(a->schema.column[c].levels, b->schema.column[c].levels);
    }
    assert_int_equal(a->weight == NULL, b->weight == NULL);
    if (a->weight) assert_memory_equal(a->weight, b->weight, (size_t)a->X.n * sizeof(double));
}

static void write_and_read(ny_ctx *ctx, const ny_data *data, const ny_options *options) {
    char *path = write_file(".csv", "", 0);
    ny_data *back = NULL;
    must(ctx, ny_data_write_csv(ctx, data, path));
    must(ctx, ny_data_open(ctx, path, options, NULL, &back));
    same_data(data, back);
    ny_data_free(back);
    remove(path);
    free(path);
}

static void csv_round_trip(void **state) {
    (void)state;
    ny_ctx *ctx = ny_ctx_new();
    ny_options *options = make_options(ctx, NULL), *weighted = make_options(ctx, "weight-column", "w;w", NULL);
    ny_data *data = NULL;
    for (int64_t i = 0; ny_demo_at(i); i++) {
        must(ctx, ny_data_generate(ctx, ny_demo_at(i)->name, 1500, 1, &data));
        write_and_read(ctx, data, options);
        ny_data_free(data);
    }
    char *path = write_file(
        ".csv",
        "\"a,b\",colour,\"w;w\",\"the \"\"target\"\"\"\n0.1,\"light, blue\",1,\" x\"\n1e-300,\"say \"\"hi\"\"\",2,y\n"
        "123456789.123456789,\"two\nlines\",0.5,\"y,z\"\n",
        -1);
    must(ctx, ny_data_open(ctx, path, weighted, NULL, &data));
    assert_int_equal(data->schema.column[1].levels, 3);
    write_and_read(ctx, data, weighted);
    ny_data_free(data);
    remove(path);
    free(path);
    path = write_file(".svm", "1 2:5 40:1\n2 3:7\n", -1);
    must(ctx, ny_data_open(ctx, path, options, NULL, &data));
    assert_true(ny_matrix_is_sparse(&data->X));
    write_and_read(ctx, data, options);
    assert_int_equal(ny_data_write_csv(ctx, data, "no/such/dir/out.csv"), NY_ERR_FILE);
    ny_data_free(data);
    remove(path);
    free(path);
    ny_options_free(options);
    ny_options_free(weighted);
    ny_ctx_free(ctx);
}

static void from_memory(void **state) {
    (void)state;
    ny_ctx *ctx = ny_ctx_new();
    ny_data *data = NULL;
    double x[] = {1, 2, 3, 4, 5, 6}, y[] = {1, -0.0, 0};
    must(ctx, ny_data_from_rows(ctx, 3, 2, x, y, &data));
    assert_memory_equal(data->X.x, x, sizeof x);
    assert_int_equal(data->labels, 2); /* -0 and 0 are one */
    assert_close(data->schema.column[1].mean, 4, 1e-15);
    ny_data_free(data);
    must(ctx, ny_data_from_rows(ctx, 3, 2, x, NULL, &data));
    assert_false(data->has_target);
    ny_task task;
    assert_int_equal(ny_data_task(ctx, data, NY_TASK_NONE, &task), NY_ERR_DATA);
    ny_data_free(data);
    must(ctx, ny_data_from_labels(ctx, 3, 2, x, (const char *[]){"b", "a", "b"}, &data));
    assert_true(data->code[0] == 1 && data->code[1] == 0 && data->y[0] == 1 && !data->numeric_target);
    ny_data_free(data);
    assert_int_equal(ny_data_from_rows(ctx, 0, 2, x, NULL, &data), NY_ERR_DATA);
    assert_int_equal(ny_data_from_rows(ctx, 3, 0, x, NULL, &data), NY_ERR_DATA);
    x[3] = NAN;
    assert_int_equal(ny_data_from_rows(ctx, 3, 2, x, NULL, &data), NY_ERR_DATA);
    assert_non_null(strstr(ny_message(ctx), "row 2, column 2"));
    x[3] = 1e200;
    assert_int_equal(ny_data_from_rows(ctx, 3, 2, x, NULL, &data), NY_ERR_DATA);
    x[3] = 0;
    y[2] = NAN;
    assert_int_equal(ny_data_from_rows(ctx, 3, 2, x, y, &data), NY_ERR_DATA);
    assert_string_equal(ny_message(ctx), "row 3: the target is missing");
    assert_int_equal(ny_data_from_labels(ctx, 3, 2, x, (const char *[]){"b", "", "b"}, &data), NY_ERR_DATA);
    ny_ctx_free(ctx);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_demo),     cmocka_unit_test(bayes_errors), cmocka_unit_test(sinc_shape),
        cmocka_unit_test(csv_round_trip), cmocka_unit_test(from_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

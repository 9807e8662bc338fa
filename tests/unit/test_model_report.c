/* test_model_report.c: what the reports say: JSON keys and their order, summaries, tests of predictions, data. */
#include "unit/test_model_samples.h"

#include <jansson.h>

#include "with_ctx.h"

static json_t *parse(char *text) {
    json_error_t error;
    json_t *value = json_loads(text, 0, &error);
    if (!value) fail_msg("%s in:\n%s", error.text, text);
    ny_text_free(text);
    return value;
}

static json_t *model_json(sample_kind kind) {
    ny_model *model = sample_model(ctx, kind);
    char *text = NULL;
    must(ctx, ny_model_json(ctx, model, &text));
    assert_int_equal(text[strlen(text) - 1], '\n');
    ny_model_free(model);
    return parse(text);
}

static void expect_keys(const json_t *object, const char *const *keys) {
    const char *key;
    json_t *value;
    int i = 0;
    json_object_foreach((json_t *)(uintptr_t)object, key, value) {
        assert_non_null(keys[i]);
        assert_string_equal(key, keys[i]);
        i++;
    }
    assert_null(keys[i]);
}

static double real_at(const json_t *object, const char *key) {
    const json_t *value = json_object_get(object, key);
    if (!json_is_number(value)) fail_msg("'%s' is not a number", key);
    return json_number_value(value);
}

static void expect_lines(const char *text, int64_t most, const char *const *parts) {
    int64_t lines = 0;
    for (const char *p = text; *p; p++) lines += *p == '\n';
    if (lines > most) fail_msg("%d lines:\n%s", (int)lines, text);
    for (; *parts; parts++)
        if (!strstr(text, *parts)) fail_msg("'%s' is not in:\n%s", *parts, text);
}

/* ---- train ------------------------------------------------------------------------------------------------------ */

static void json_keeps_its_contract(void **state) {
    (void)state;
    static const char *const top[] = {"version",
                                      "command",
                                      "options",
                                      "data",
                                      "landmarks",
                                      "rank",
                                      "kernel_kept",
                                      "exact",
                                      "kernel",
                                      "bandwidth",
                                      "gamma_libsvm",
                                      "C",
                                      "bias",
                                      "criterion",
                                      "evaluations",
                                      "bound",
                                      "posterior",
                                      "noise_sd",
                                      "frequencies",
                                      "prior",
                                      "route",
                                      "solver",
                                      "loss",
                                      "metric",
                                      "inputs",
                                      "scale",
                                      "seconds",
                                      "peak_bytes",
                                      "predicted_bytes",
                                      "predicted_seconds",
                                      "seed",
                                      "threads",
                                      "stopped",
                                      "notes",
                                      NULL};
    static const char *const bound[] = {
        "kernel_error", "kernel_error_upper", "accuracy",      "exact",         "kernel_norm",
        "bound",        "bound_paper",        "deviation_max", "deviation_rms", "deviation_rows",
        "epsilon",      "kernel_error_prior", "bound_prior",   "seconds",       NULL};
    static const char *const solver[] = {"name", "iterations", "residual", "rank", "seconds", NULL};
    static const char *const newton[] = {"name", "steps", "gap", "objective", NULL};
    static const char *const squared[] = {"name", NULL};
    static const char *const pinball[] = {"name", "width", "quantiles", "crossed", "noise", NULL};
    static const char *const data[] = {"rows", "inputs", "task", "classes", NULL};
    static const char *const criterion[] = {"name",     "folds",       "value",       "error",
                                            "stderr",   "error_lower", "error_upper", "plain_error",
                                            "baseline", "r2",          "evidence",    NULL};
    static const char *const evidence[] = {"mu", "zeta", "gamma_eff", "log_mu_stderr", "log_zeta_stderr", NULL};
    static const char *const baseline[] = {"name", "error", "better", NULL};
    static const char *const seconds[] = {"read", "scale", "landmarks", "select", "train", "total", NULL};
    static const char *const evaluation[] = {"kernel", "bandwidth", "C",    "value",    "error",
                                             "rows",   "landmarks", "rank", "log_loss", NULL};
    for (int kind = 0; kind < SAMPLES; kind++) {
        json_t *json = model_json((sample_kind)kind);
        expect_keys(json, top);
        expect_keys(json_object_get(json, "data"), data);
        expect_keys(json_object_get(json, "criterion"), criterion);
        const json_t *inferred = json_object_get(json_object_get(json, "criterion"), "evidence");
        if (kind != SAMPLE_SPARSE && kind != SAMPLE_REGRESSION) assert_true(json_is_null(inferred));
        else expect_keys(inferred, evidence);
        if (kind == SAMPLE_SPARSE) assert_int_equal(json_array_size(json_object_get(inferred, "zeta")), 6);
        if (kind == SAMPLE_REGRESSION) assert_close(real_at(inferred, "zeta"), 110, 1e-15);
        const json_t *other = json_object_get(json_object_get(json, "criterion"), "baseline");
        if (kind == SAMPLE_CATEGORIES) expect_keys(other, baseline);
        else assert_true(json_is_null(other));
        expect_keys(json_object_get(json, "seconds"), seconds);
        if (!json_is_null(json_object_get(json, "bound"))) expect_keys(json_object_get(json, "bound"), bound);
        if (!json_is_null(json_object_get(json, "solver")))
            expect_keys(json_object_get(json, "solver"), kind == SAMPLE_QUANTILES ? newton : solver);
        expect_keys(json_object_get(json, "loss"), kind == SAMPLE_QUANTILES ? pinball : squared);
        assert_int_equal(json_array_size(json_object_get(json, "evaluations")), 5);
        expect_keys(json_array_get(json_object_get(json, "evaluations"), 0), evaluation);
        assert_string_equal(json_string_value(json_object_get(json, "command")), "train");
        assert_string_equal(json_string_value(json_object_get(json, "version")), NYSEL_VERSION);
        const ny_option_row *row;
        int64_t options = 0;
        for (; (row = ny_options_row(options)); options++)
            assert_true(json_is_string(json_object_get(json_object_get(json, "options"), row->name)));
        assert_int_equal(json_object_size(json_object_get(json, "options")), options);
        json_decref(json);
    }
}

static void json_holds_the_values(void **state) {
    (void)state;
    json_t *json = model_json(SAMPLE_CATEGORIES);
    const json_t *classes = json_object_get(json_object_get(json, "data"), "classes");
    assert_string_equal(json_string_value(json_array_get(classes, 1)), "caf\xc3\xa9"); /* Latin-1 becomes UTF-8 */
    assert_true(real_at(json, "bandwidth") == 7.43 / 3);
    assert_close(real_at(json, "gamma_libsvm"), 0.5 * 9 / (7.43 * 7.43), 1e-12);
    assert_true(json_is_real(json_object_get(json, "C")));
    assert_true(json_is_null(json_object_get(json_object_get(json, "criterion"), "folds")));
    assert_true(real_at(json_object_get(json, "criterion"), "value") == 1.0 / 3);
    assert_true(json_is_null(json_object_get(json_array_get(json_object_get(json, "evaluations"), 3), "error")));
    assert_string_equal(json_string_value(json_object_get(json_object_get(json, "options"), "C")), "-3:7:0.5");
    assert_true(real_at(json, "kernel_kept") == 0.99967);
    const json_t *inputs = json_object_get(json, "inputs"), *second = json_array_get(inputs, 1);
    assert_int_equal(json_array_size(inputs), 7);
    assert_true(real_at(second, "relevance") == 1 && json_is_true(json_object_get(second, "kept")));
    assert_string_equal(json_string_value(json_object_get(second, "name")), "c\xc3\xb6l 1");
    assert_true(json_is_false(json_object_get(json_array_get(inputs, 6), "kept")));
    const json_t *bound = json_object_get(json, "bound");
    assert_true(real_at(bound, "kernel_error") == 1.0 / 3 && real_at(bound, "kernel_error_upper") == 0.9);
    assert_true(real_at(bound, "bound") == 31.5 && real_at(bound, "bound_paper") == 5.2e7);
    assert_true(real_at(bound, "deviation_max") == 0.021 && real_at(bound, "deviation_rows") == 343);
    assert_true(json_is_null(json_object_get(json, "solver")));
    json_decref(json);
    json = model_json(SAMPLE_SPARSE); /* a linear kernel has no bandwidth */
    assert_true(json_is_null(json_object_get(json, "bandwidth")));
    assert_true(json_is_null(json_object_get(json, "kernel_kept"))); /* not known */
    assert_true(json_is_null(json_object_get(json, "bound")));
    const json_t *solver = json_object_get(json, "solver");
    assert_string_equal(json_string_value(json_object_get(solver, "name")), "cg");
    assert_true(real_at(solver, "iterations") == 45 && real_at(solver, "residual") == 1.0 / 3e8);
    assert_true(real_at(solver, "rank") == 1000 && real_at(solver, "seconds") == 12.5);
    assert_true(json_is_null(json_object_get(json, "inputs")));
    assert_int_equal(json_array_size(json_object_get(json, "C")), 6);
    assert_true(json_is_true(json_object_get(json, "stopped")));
    json_decref(json);
    json = model_json(SAMPLE_REGRESSION); /* NaN and infinity are no JSON */
    assert_true(json_is_null(json_object_get(json_object_get(json, "criterion"), "stderr")));
    assert_true(json_is_null(json_object_get(json_object_get(json, "criterion"), "value")));
    assert_true(json_is_null(json_object_get(json_object_get(json, "data"), "classes")));
    json_decref(json);
    json = model_json(SAMPLE_MULTICLASS);
    assert_true(json_is_null(json_object_get(json_object_get(json, "bound"), "kernel_error")));
    assert_int_equal(json_integer_value(json_object_get(json_object_get(json, "criterion"), "folds")), 10);
    json_decref(json);
    json = model_json(SAMPLE_MACHINES); /* lists, one for each output: the second machine has two */
    static const char *const lists[] = {"kernel", "bandwidth", "gamma_libsvm", "landmarks", "C"};
    for (int i = 0; i < 5; i++) assert_int_equal(json_array_size(json_object_get(json, lists[i])), 3);
    const json_t *kernel = json_object_get(json, "kernel"), *width = json_object_get(json, "bandwidth");
    assert_string_equal(json_string_value(json_array_get(kernel, 0)), "rbf");
    assert_string_equal(json_string_value(json_array_get(kernel, 2)), "matern32");
    assert_true(json_number_value(json_array_get(width, 0)) == 7.43 / 3);
    assert_true(json_number_value(json_array_get(width, 1)) == 1.7 / 3);
    assert_int_equal(json_integer_value(json_array_get(json_object_get(json, "landmarks"), 2)), 4);
    json_decref(json);
}

static void summary_is_short_and_complete(void **state) {
    (void)state;
    static const char *const parts[SAMPLES][18] = {
        {"lssvm, rbf kernel: 2-class model of spam base.csv (3067 rows, 57 inputs)\n",
         "bandwidth       2.48   (LIBSVM gamma", "landmarks       1000 of 3067 rows\n",
         "rank            998 of 1000 landmarks keeps 99.97% of the kernel's trace\n",
         "kernel error    |K - K~| between 0.333 and 0.354 (99% sure), at most 0.9; |K| = 214\n",
         "bound           outputs differ from the exact machine's by at most 31.5 (Ding, Liao eq. 24: 5.2e+07)\n",
         "before the draw |K - K~| at most 1500, outputs 3e+09, 99% sure (Ding, Liao theorems 2, 3 with epsilon "
         "0.75)\n",
         "measured        largest difference 0.021, rms 0.004 on 343 rows: the rank is enough\n",
         "relevance       1        c\xf6l 1\n", "dropped         3 of 7 columns: c\xf6l 3, c\xf6l 4, c\xf6l 6\n",
         "weighted error  6.7%, 95%: 5.8% to 7.9%   (leave-one-out)\n",
         "plain error     6.6%   (without class weights)\n", "baseline        39.4%   (always saying '",
         "tried           5 points, bandwidth 1 to 54.6, C 0.0156 to 64\n",
         "time            0.84 s: read 0.02, scale 0.00, landmarks 0.10, select 0.60, train 0.10\n",
         "memory          61 MB   (predicted 58 MB)\n", "note: the best C is at the edge of its range: 100% sure\n"},
        {"linear kernel: 4-class", "landmarks       1000 of 3067 rows, rank 998\n", "(one for each of 6 outputs)\n",
         "solver          cg: exact on all 3067 rows, 45 iterations, residual 3.33e-09, 12.5 s\n",
         "level 2         mu 2.5 to 4.17, zeta 18.3 to 110, effective parameters 12.5   (log mu +- 0.1, log zeta +- "
         "0.05 at "
         "most)\n",
         "C 0.0156 to 64   (stopped early)\n"},
        {"poly kernel: regression model", "landmarks       all 3067 rows: the exact machine", "note: third\n"},
        {"3-class", "|K - K~| at most 0.9 (its trace); |K| = 214\n",
         "before the draw no bound: it is for landmarks drawn uniformly from rows of equal weight\n",
         "(10-fold cross-validation)\n"},
        {"2-class"},
        {"quantile, rbf kernel: regression model", "quantiles       0.2, 0.4, 0.6\n",
         "solver          newton: 23 steps, duality gap 3e-13 of the objective\n",
         "expected pinball loss  0.0671 +- 0.0047   (leave-one-out by Newton steps)\n"},
        {"lssvm, machines of their own: 3-class", "kernels         rbf (1), matern32 (2)\n",
         "bandwidth       0.567 to 2.48\n", "(one for each of 3 outputs)\n", "landmarks       4 for each machine\n"},
    };
    for (int kind = 0; kind < SAMPLES; kind++) {
        ny_model *model = sample_model(ctx, (sample_kind)kind);
        for (int i = 0; i < 20; i++) must(ctx, ny_record_note(ctx, model->record, "note %d", i));
        char *text = NULL;
        must(ctx, ny_model_summary(ctx, model, &text));
        expect_lines(text, kind == SAMPLE_CATEGORIES ? 29 : 23, parts[kind]); /* one for each kept column */
        ny_text_free(text);
        ny_model_free(model);
    }
}

/* ---- test ------------------------------------------------------------------------------------------------------- */

/* f(x) = slope x + b for one input, all of it exact. */
static ny_model *line_model(bool regression, double slope, double b) {
    static const char *const labels[] = {"no", "1.5"};
    ny_model *model = NULL;
    must(ctx, ny_model_new(ctx, &model));
    model->schema.inputs = 1;
    model->task = regression ? NY_TASK_REGRESSION : NY_TASK_BINARY;
    model->classes = regression ? 0 : 2;
    model->label = regression ? NULL : sample_texts(ctx, 2, labels);
    model->coding.method = ny_multiclass_find("ova");
    model->f.kernel = (ny_kernel_params){.kernel = ny_kernel_find("linear"), .degree = 1};
    model->shift = ny_alloc(ctx, 1, sizeof(double));
    model->factor = ny_alloc(ctx, 1, sizeof(double));
    *model->factor = 1;
    must(ctx, ny_matrix_dense(ctx, 1, 1, &model->f.Z));
    model->f.Z.x[0] = 1;
    model->f.outputs = 1;
    model->f.beta = ny_alloc(ctx, 1, sizeof(double));
    model->f.b = ny_alloc(ctx, 1, sizeof(double));
    model->C = ny_alloc(ctx, 1, sizeof(double));
    *model->f.beta = slope;
    *model->f.b = b;
    *model->C = 1;
    model->calibration = ny_alloc(ctx, 2, sizeof(double));
    model->calibration[0] = model->calibration[1] = 1;
    model->options = ny_options_new(ctx);
    return model;
}

static void test_measures_regression(void **state) {
    (void)state;
    const double x[] = {0, 1, 2, 3}, y[] = {1, 3, 5, 9};
    ny_model *model = line_model(true, 2, 1);
    ny_data *data = NULL;
    must(ctx, ny_data_from_rows(ctx, 4, 1, x, y, &data));
    char *json = NULL, *text = NULL;
    must(ctx, ny_test(ctx, model, data, NULL, &json, &text));
    static const char *const parts[] = {"4 rows\n", "RMSE               1\n", "MAE                0.5\n",
                                        "baseline           2.96   (always the mean of the targets)\n", NULL};
    expect_lines(text, 9, parts);
    json_t *report = parse(json), *metrics = json_object_get(report, "metrics");
    assert_int_equal(json_integer_value(json_object_get(report, "rows")), 4);
    assert_true(real_at(metrics, "mse") == 1 && real_at(metrics, "rmse") == 1 && real_at(metrics, "mae") == 0.5);
    assert_close(real_at(metrics, "r2"), 1 - 4 / 35.0, 1e-12);
    assert_close(real_at(json_object_get(metrics, "baseline"), "error"), sqrt(35.0 / 4), 1e-12);
    assert_true(real_at(metrics, "rmse_lower") < 1 && real_at(metrics, "rmse_upper") > 1);
    assert_true(json_is_null(json_object_get(report, "confusion")));
    json_decref(report);
    ny_text_free(text);
    ny_data_free(data);
    ny_model_free(model);
}

static void test_measures_classes(void **state) {
    (void)state;
    const double x[] = {-2, -1, 1, 2};
    const char *const labels[] = {"no", "1.5", "1.50", "no"};
    ny_model *model = line_model(false, 1, 0);
    ny_data *data = NULL;
    must(ctx, ny_data_from_labels(ctx, 4, 1, x, labels, &data));
    char *json = NULL, *text = NULL;
    must(ctx, ny_test(ctx, model, data, NULL, &json, NULL)); /* either may be left out */
    must(ctx, ny_test(ctx, model, data, NULL, NULL, &text));
    static const char *const parts[] = {"error              50.0%\n",
                                        "AUC                0.5\n",
                                        "  true    predicted\n",
                                        "  1.5          1       1\n",
                                        "15.0% to 85.0%   (95% limits)\n",
                                        "note: here the model is no better than always saying 'no'\n",
                                        NULL};
    expect_lines(text, 15, parts);
    json_t *report = parse(json), *metrics = json_object_get(report, "metrics");
    assert_true(real_at(metrics, "error") == 0.5 && real_at(metrics, "balanced_accuracy") == 0.5);
    double s1 = log1p(exp(-1)), s2 = log1p(exp(-2)); /* -log sigmoid */
    assert_close(real_at(metrics, "log_loss"), (s2 + (1 + s1) + s1 + (2 + s2)) / 4, 1e-12);
    const json_t *confusion = json_object_get(report, "confusion");
    assert_string_equal(json_string_value(json_array_get(json_object_get(confusion, "labels"), 1)), "1.5");
    const json_t *row = json_array_get(json_object_get(confusion, "counts"), 0);
    assert_int_equal(json_integer_value(json_array_get(row, 0)), 1);
    assert_int_equal(json_array_size(row), 2);
    json_decref(report);
    ny_text_free(text);
    ny_data_free(data);
    ny_model_free(model);
}

static void test_counts_unknown_labels_as_errors(void **state) {
    (void)state;
    const double x[] = {-2, -1, 1, 2};
    const char *const labels[] = {"no", "perhaps", "1.5", "1.5"};
    ny_model *model = line_model(false, 1, 0);
    ny_data *data = NULL;
    must(ctx, ny_data_from_labels(ctx, 4, 1, x, labels, &data));
    char *json = NULL, *text = NULL;
    must(ctx, ny_test(ctx, model, data, NULL, &json, &text));
    static const char *const parts[] = {"error              25.0%\n", "(unknown)", "such as 'perhaps'", NULL};
    expect_lines(text, 17, parts);
    json_t *report = parse(json);
    assert_true(real_at(json_object_get(report, "metrics"), "error") == 0.25);
    assert_int_equal(json_integer_value(json_object_get(report, "unknown_labels")), 1);
    assert_int_equal(json_array_size(json_object_get(json_object_get(report, "confusion"), "labels")), 3);
    json_decref(report);
    ny_text_free(text);
    ny_data_free(data);
    ny_model_free(model);
}

static void test_refuses_what_cannot_be_compared(void **state) {
    (void)state;
    const double x[] = {1, 2};
    const char *const labels[] = {"a", "b"};
    ny_model *classes = line_model(false, 1, 0), *numbers = line_model(true, 1, 0);
    ny_data *none = NULL, *texts = NULL;
    must(ctx, ny_data_from_rows(ctx, 2, 1, x, NULL, &none));
    must(ctx, ny_data_from_labels(ctx, 2, 1, x, labels, &texts));
    char *json = NULL, *text = NULL;
    assert_int_equal(ny_test(ctx, classes, none, NULL, &json, &text), NY_ERR_DATA);
    assert_non_null(strstr(ny_message(ctx), "no target"));
    assert_int_equal(ny_test(ctx, numbers, texts, NULL, &json, &text), NY_ERR_DATA);
    assert_non_null(strstr(ny_message(ctx), "not numeric"));
    assert_true(!json && !text);
    ny_data_free(none);
    ny_data_free(texts);
    ny_model_free(classes);
    ny_model_free(numbers);
}

/* ---- data ------------------------------------------------------------------------------------------------------- */

static void describes_columns_and_classes(void **state) {
    (void)state;
    char *path = write_file(".csv", "age,colour,class\n1,red,yes\n2,blue,no\n3,red,no\n6,red,no\n", -1);
    ny_options *options = ny_options_new(ctx);
    ny_data *data = NULL;
    char *json = NULL, *text = NULL;
    must(ctx, ny_data_open(ctx, path, options, NULL, &data));
    must(ctx, ny_data_describe(ctx, data, options, &json, &text));
    static const char *const parts[] = {": 4 rows, 3 inputs\n",
                                        "task      binary (target \"class\")\n",
                                        "no (3), yes (1)\n",
                                        "2 levels: blue (1), red (3)\n",
                                        "1 to 6",
                                        "mean 3\n",
                                        NULL};
    expect_lines(text, 40, parts);
    json_t *report = parse(json), *columns = json_object_get(report, "columns");
    assert_true(real_at(json_array_get(columns, 0), "max") == 6 && real_at(json_array_get(columns, 0), "mean") == 3);
    const json_t *red = json_array_get(json_object_get(json_array_get(columns, 1), "levels"), 1);
    assert_string_equal(json_string_value(json_object_get(red, "level")), "red");
    assert_int_equal(json_integer_value(json_object_get(red, "rows")), 3);
    assert_string_equal(json_string_value(json_object_get(report, "task")), "binary");
    assert_int_equal(json_array_size(json_object_get(json_object_get(report, "target"), "classes")), 2);
    json_decref(report);
    ny_text_free(text);
    ny_data_free(data);
    ny_options_free(options);
    remove(path);
    free(path);
}

static void describes_sparse_and_wide_data_briefly(void **state) {
    (void)state;
    char *path = write_file(".svm", "1.5 1:1 50:2\n2.25 3:-1\n7 100:4\n", -1);
    ny_options *options = make_options(ctx, "format", "libsvm", "task", "regression", NULL);
    ny_data *data = NULL;
    char *json = NULL, *text = NULL;
    must(ctx, ny_data_open(ctx, path, options, NULL, &data));
    must(ctx, ny_data_describe(ctx, data, options, &json, &text));
    static const char *const sparse[] = {"3 rows, 100 inputs\n", "1.3% of the values", "1.5 to 7, mean 3.58\n", NULL};
    expect_lines(text, 40, sparse);
    json_t *report = parse(json);
    assert_close(real_at(report, "density"), 4 / 300.0, 1e-12);
    json_decref(report);
    ny_text_free(text);
    ny_data_free(data);
    ny_options_free(options);
    remove(path);
    free(path);

    double *x = calloc(2 * 500, sizeof *x);
    must(ctx, ny_data_from_rows(ctx, 2, 500, x, NULL, &data));
    must(ctx, ny_data_describe(ctx, data, NULL, NULL, &text));
    static const char *const wide[] = {"2 rows, 500 inputs\n", "target    none\n", "... and 471 more\n", NULL};
    expect_lines(text, 40, wide);
    ny_text_free(text);
    ny_data_free(data);
    free(x);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(json_keeps_its_contract),
        cmocka_unit_test(json_holds_the_values),
        cmocka_unit_test(summary_is_short_and_complete),
        cmocka_unit_test(test_measures_regression),
        cmocka_unit_test(test_measures_classes),
        cmocka_unit_test(test_counts_unknown_labels_as_errors),
        cmocka_unit_test(test_refuses_what_cannot_be_compared),
        cmocka_unit_test(describes_columns_and_classes),
        cmocka_unit_test(describes_sparse_and_wide_data_briefly),
    };
    return cmocka_run_group_tests_name("reports", tests, setup, teardown);
}

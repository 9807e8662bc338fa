/* test_api.c: the public interface at its edges: data from memory, calls that cannot succeed, cancellation and time
 * limits, status texts and messages. */
#include <math.h>
#include <time.h>

#include "linalg/linalg.h"
#include "model/record.h"
#include "table/data.h"
#include "with_ctx.h"

/* For the sanitizers: blocks that no machine has are asked for on purpose. */
NY_API const char *__asan_default_options(void);
NY_API const char *__tsan_default_options(void);
const char *__asan_default_options(void) {
    return "allocator_may_return_null=1";
}
const char *__tsan_default_options(void) {
    return "allocator_may_return_null=1";
}

/* ---- data from memory
 * ------------------------------------------------------------------------------------------------ */

static void data_from_rows(void **state) {
    (void)state;
    const double x[] = {1, 2, 3, 4, 5, 6}, y[] = {0.5, 1.5, 2.5}, bad_y[] = {1, NAN, 2}, far_y[] = {1, 2, 1e151};
    double row[2];
    ny_data *data = NULL;
    must(ctx, ny_data_from_rows(ctx, 3, 2, x, y, &data));
    assert_int_equal(ny_data_rows(data), 3);
    assert_int_equal(ny_data_inputs(data), 2);
    assert_true(data->has_target && data->numeric_target && data->y[2] == 2.5);
    assert_non_null(ny_data_row(data, 1, row));
    assert_true(row[0] == 3 && row[1] == 4);
    ny_data_free(data);
    must(ctx, ny_data_from_rows(ctx, 3, 2, x, NULL, &data));
    assert_false(data->has_target);
    assert_null(ny_data_row(data, 2, row));
    assert_true(row[0] == 5 && row[1] == 6);
    ny_data_free(data);

    static const double odd[] = {NAN, INFINITY, -INFINITY, 1e151};
    for (int k = 0; k < 4; k++) {
        double values[] = {1, 2, 3, odd[k]};
        assert_int_equal(ny_data_from_rows(ctx, 2, 2, values, NULL, &data), NY_ERR_DATA);
        assert_null(data);
        assert_non_null(strstr(ny_message(ctx), "row 2, column 2"));
    }
    assert_int_equal(ny_data_from_rows(ctx, 3, 2, x, bad_y, &data), NY_ERR_DATA);
    assert_non_null(strstr(ny_message(ctx), "row 2"));
    assert_int_equal(ny_data_from_rows(ctx, 3, 2, x, far_y, &data), NY_ERR_DATA);
    assert_non_null(strstr(ny_message(ctx), "row 3"));
    const int64_t sizes[][2] = {{0, 2}, {3, 0}, {-1, 2}, {3, -1}, {0, 0}, {3, INT64_MAX}};
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++)
        assert_int_equal(ny_data_from_rows(ctx, sizes[k][0], sizes[k][1], x, y, &data), NY_ERR_DATA);
    assert_int_equal(ny_data_from_rows(ctx, INT64_MAX / 4, 1000, x, y, &data), NY_ERR_MEMORY); /* overflows */
    assert_int_equal(ny_data_from_rows(ctx, INT64_C(1) << 50, 1, x, y, &data), NY_ERR_MEMORY); /* 8 PB */
    assert_null(data);
    ny_data_free(NULL);
}

static void data_from_labels(void **state) {
    (void)state;
    const double x[] = {1, 2, 3, 4};
    ny_data *data = NULL;
    must(ctx, ny_data_from_labels(ctx, 4, 1, x, (const char *const[]){"pear", "apple", "pear", "caf\xe9"}, &data));
    assert_int_equal(data->labels, 3);
    assert_false(data->numeric_target);
    assert_string_equal(data->label[0], "apple");
    double value;
    assert_string_equal(ny_data_row(data, 2, &value), "pear");
    ny_data_free(data);
    must(ctx, ny_data_from_labels(ctx, 4, 1, x, (const char *const[]){"10", "9", "-1", "9"}, &data));
    assert_true(data->numeric_target);
    assert_string_equal(data->label[0], "-1"); /* by value, not by letter */
    assert_string_equal(data->label[2], "10");
    ny_data_free(data);
    assert_int_equal(ny_data_from_labels(ctx, 4, 1, x, (const char *const[]){"a", "", "b", "a"}, &data), NY_ERR_DATA);
    assert_non_null(strstr(ny_message(ctx), "row 2"));
    assert_int_equal(ny_data_from_labels(ctx, 4, 1, x, (const char *const[]){"a", "b", NULL, "a"}, &data), NY_ERR_DATA);
    assert_non_null(strstr(ny_message(ctx), "row 3"));

    enum { MANY = NY_LABELS_MAX + 1 };
    static double many_x[MANY];
    static char text[MANY][16];
    static const char *many[MANY];
    for (int i = 0; i < MANY; i++) {
        snprintf(text[i], sizeof text[i], "class%d", i);
        many[i] = text[i];
        many_x[i] = i;
    }
    must(ctx, ny_data_from_labels(ctx, NY_LABELS_MAX, 1, many_x, many, &data));
    assert_int_equal(data->labels, NY_LABELS_MAX);
    ny_data_free(data);
    assert_int_equal(ny_data_from_labels(ctx, MANY, 1, many_x, many, &data), NY_ERR_DATA);
    assert_null(data);
}

/* ---- wrong use of what is right
 * ---------------------------------------------------------------------------------------- */

static ny_data *demo(const char *name, int64_t rows) {
    ny_data *data = NULL;
    must(ctx, ny_data_generate(ctx, name, rows, 1, &data));
    return data;
}

static void wrong_calls(void **state) {
    (void)state;
    const double x[] = {1, 2, 3, 4, 5, 6};
    double value[100], proba[200];
    int64_t live = ny_alloc_live();
    ny_options *options = make_options(ctx, "search", "none", "threads", "1", NULL);
    ny_data *wave = demo("sinc", 50), *other = NULL, *nothing = NULL, *text = NULL;
    ny_model *model = NULL, *none = NULL;
    must(ctx, ny_train(ctx, wave, options, &model));
    assert_int_equal(ny_model_classes(model), 0);
    assert_int_equal(ny_model_outputs(model), 1);
    assert_null(ny_model_label(model, 0));
    assert_null(ny_model_label(model, -1));
    assert_int_equal(ny_predict(ctx, model, wave, options, value, proba, NULL), NY_ERR_USAGE);
    must(ctx, ny_predict(ctx, model, wave, NULL, value, NULL, NULL));
    must(ctx, ny_predict(ctx, model, wave, NULL, NULL, NULL, NULL));
    must(ctx, ny_data_from_rows(ctx, 1, 6, x, NULL, &other));
    assert_int_equal(ny_predict(ctx, model, other, NULL, value, NULL, NULL), NY_ERR_DATA);
    assert_non_null(strstr(ny_message(ctx), "6 inputs"));
    must(ctx, ny_data_from_rows(ctx, 6, 1, x, NULL, &nothing));
    assert_int_equal(ny_train(ctx, nothing, options, &none), NY_ERR_DATA);
    assert_int_equal(ny_test(ctx, model, nothing, NULL, NULL, NULL), NY_ERR_DATA);
    must(ctx, ny_data_from_labels(ctx, 3, 1, x, (const char *const[]){"a", "b", "a"}, &text));
    assert_int_equal(ny_test(ctx, model, text, NULL, NULL, NULL), NY_ERR_DATA);
    ny_data_free(other);
    ny_data_free(text);
    assert_int_equal(ny_data_generate(ctx, "nosuch", 10, 1, &other), NY_ERR_USAGE);
    assert_null(other);
    assert_int_equal(ny_data_generate(ctx, "banana", -1, 1, &other), NY_ERR_USAGE);
    assert_int_equal(ny_model_load(ctx, "no such file", &none), NY_ERR_FILE);
    assert_int_equal(ny_model_load(ctx, ".", &none), NY_ERR_FILE);
    assert_int_equal(ny_model_save(ctx, model, "no such folder/m"), NY_ERR_FILE);
    assert_int_equal(ny_data_read(ctx, "no such file", options, NULL, &text), NY_ERR_FILE);
    assert_true(!none && !text);
    ny_data_free(wave);
    ny_data_free(nothing);
    ny_model_free(model);
    ny_model_free(NULL);
    ny_text_free(NULL);
    ny_ctx_free(NULL);
    ny_options_free(options);
    assert_int_equal(ny_alloc_live(), live);
}

/* Two contexts, one seed: the same bits. Another seed: other landmarks. */
static void reproducible(void **state) {
    (void)state;
    enum { N = 300 };
    double score[3][N];
    for (int k = 0; k < 3; k++) {
        ny_ctx *own = ny_ctx_new();
        ny_options *options = make_options(own, "landmarks", "20", "seed", k < 2 ? "5" : "6", "threads", "1", NULL);
        ny_data *data = NULL;
        ny_model *model = NULL;
        must(own, ny_data_generate(own, "banana", N, 3, &data));
        must(own, ny_train(own, data, options, &model));
        must(own, ny_predict(own, model, data, options, NULL, NULL, score[k]));
        ny_model_free(model);
        ny_data_free(data);
        ny_options_free(options);
        ny_ctx_free(own);
    }
    assert_memory_equal(score[0], score[1], sizeof score[0]);
    assert_memory_not_equal(score[0], score[2], sizeof score[0]);
}

/* ---- stopping
 * ---------------------------------------------------------------------------------------------------------- */

static ny_options *long_search(void) {
    return make_options(ctx, "search", "grid", "kernel", "rbf", "landmarks", "all", "bandwidth", "-8:8:0.002", "C",
                        "-5:15:0.1", "threads", "1", NULL);
}

static void check_usable(const ny_model *model, const ny_data *data) {
    double value[300], proba[600];
    char *json = NULL, *text = NULL;
    assert_non_null(model);
    assert_true(model->record->stopped && model->record->notes > 0);
    must(ctx, ny_predict(ctx, model, data, NULL, value, proba, NULL));
    int64_t right = 0, n = ny_data_rows(data);
    for (int64_t i = 0; i < n; i++) {
        assert_close(proba[2 * i] + proba[2 * i + 1], 1, 1e-12);
        right += (int32_t)value[i] == data->code[i];
    }
    assert_true(right > n * 3 / 4);
    must(ctx, ny_model_json(ctx, model, &json));
    must(ctx, ny_model_summary(ctx, model, &text));
    assert_non_null(strstr(text, "stopped early"));
    ny_text_free(json);
    ny_text_free(text);
    must(ctx, ny_model_save(ctx, model, "api_stopped.nysel"));
    assert_int_equal(remove("api_stopped.nysel"), 0);
}

static void cancelled_before(void **state) {
    (void)state;
    ny_options *options = long_search();
    ny_data *data = demo("banana", 150);
    ny_model *model = NULL;
    ny_cancel(ctx);
    assert_int_equal(ny_train(ctx, data, options, &model), NY_STOPPED);
    check_usable(model, data);
    ny_model_free(model);
    model = NULL;
    must(ctx, ny_options_set(ctx, options, "search", "none"));
    must(ctx, ny_options_set(ctx, options, "bandwidth", "1"));
    must(ctx, ny_train(ctx, data, options, &model)); /* one cancellation ends one training */
    assert_false(model->record->stopped);
    ny_model_free(model);
    ny_data_free(data);
    ny_options_free(options);
}

/* Machines of robust losses have something to do before the search begins: a stop there must not cost the model. */
static void cancelled_before_robust(void **state) {
    (void)state;
    static const char *const machines[] = {"huber", "svr", "quantile"};
    for (int k = 0; k < 3; k++) {
        ny_options *options = make_options(ctx, "machine", machines[k], "threads", "1", NULL);
        ny_data *data = demo("sinc", 300);
        ny_model *model = NULL;
        double value[300], error = 0, plain = 0;
        ny_cancel(ctx);
        assert_int_equal(ny_train(ctx, data, options, &model), NY_STOPPED);
        assert_true(model && model->record->stopped);
        must(ctx, ny_predict(ctx, model, data, NULL, value, NULL, NULL));
        for (int64_t i = 0; i < 300; i++) {
            error += fabs(value[i] - data->y[i]);
            plain += fabs(data->y[i]);
        }
        assert_true(error < 0.7 * plain); /* it has learnt something */
        ny_model_free(model);
        ny_data_free(data);
        ny_options_free(options);
    }
}

typedef struct seen {
    int calls, selecting;
    bool wrong;
} seen;

static void cancel_soon(void *user, const char *stage, double done, double total, double left) {
    seen *s = user;
    s->calls++;
    s->wrong |= !(done >= 0 && done <= total) || isnan(left);
    if (strcmp(stage, "select") == 0 && ++s->selecting == 2) ny_cancel(ctx);
}

static void cancelled_during(void **state) {
    (void)state;
    ny_options *options = long_search();
    ny_data *data = demo("banana", 150);
    ny_model *model = NULL;
    seen s = {0};
    ny_on_progress(ctx, cancel_soon, &s);
    assert_int_equal(ny_train(ctx, data, options, &model), NY_STOPPED);
    ny_on_progress(ctx, NULL, NULL);
    assert_true(s.selecting >= 2 && s.selecting < 100 && !s.wrong);
    assert_true(model->record->evaluations > 0);
    check_usable(model, data);
    ny_model_free(model);
    ny_data_free(data);
    ny_options_free(options);
}

static void time_limit(void **state) {
    (void)state;
    ny_options *options = long_search();
    ny_data *data = demo("banana", 150);
    const char *const limits[] = {"0.2", "0.000001"};
    for (int k = 0; k < 2; k++) {
        ny_model *model = NULL;
        must(ctx, ny_options_set(ctx, options, "time-limit", limits[k]));
        clock_t start = clock(); /* of the processor: a busy machine takes its time, but no more work is done in it */
        assert_int_equal(ny_train(ctx, data, options, &model), NY_STOPPED);
        assert_true((double)(clock() - start) / CLOCKS_PER_SEC < (double)small_step(10)); /* of minutes */
        check_usable(model, data);
        ny_model_free(model);
    }
    ny_options_free(options);
    options = make_options(ctx, "time-limit", "1h", "search", "none", "threads", "1", NULL);
    ny_model *model = NULL;
    must(ctx, ny_train(ctx, data, options, &model)); /* a limit that is not reached changes nothing */
    assert_false(model->record->stopped);
    ny_model_free(model);
    ny_data_free(data);
    ny_options_free(options);
}

static int warnings;
static void count_warnings(void *user, ny_level level, const char *message) {
    assert_ptr_equal(user, &warnings);
    warnings += level == NY_LOG_WARNING && message[0];
}

static void status_and_messages(void **state) {
    (void)state;
    static const char *const texts[] = {
#define X(code, text) text,
        NY_STATUS_LIST(X)
#undef X
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        assert_string_equal(ny_status_text((ny_status)i), texts[i]);
        for (size_t k = 0; k < i; k++) assert_string_not_equal(texts[k], texts[i]);
    }
    assert_string_equal(ny_status_text((ny_status)999), "unknown status");
    assert_string_equal(ny_status_text((ny_status)-1), "unknown status");
    assert_string_equal(ny_version(), NYSEL_VERSION);
    assert_string_equal(ny_blas_better_core("Prescott", true, true), "SkylakeX");
    assert_string_equal(ny_blas_better_core("Prescott", true, false), "Haswell");
    assert_null(ny_blas_better_core("Prescott", false, false));
    assert_null(ny_blas_better_core("Zen", true, true)); /* known: its own choice */
    assert_int_equal(NY_OK, 0);

    static char longest[3 * NY_MESSAGE_MAX];
    memset(longest, 'm', sizeof longest - 1);
    assert_int_equal(ny_error(ctx, NY_ERR_DATA, "%s", longest), NY_ERR_DATA);
    assert_int_equal(strlen(ny_message(ctx)), NY_MESSAGE_MAX - 1);
    assert_int_equal(ny_error_prefix(ctx, NY_ERR_DATA, "%s:", longest), NY_ERR_DATA);
    assert_int_equal(strlen(ny_message(ctx)), NY_MESSAGE_MAX - 1);
    ny_error(ctx, NY_ERR_DATA, "%d apples", 3);
    ny_error_prefix(ctx, NY_ERR_DATA, "%s: ", "basket");
    assert_string_equal(ny_message(ctx), "basket: 3 apples");
    assert_int_equal(ny_error(NULL, NY_ERR_FILE, "no context"), NY_ERR_FILE);

    char *path = write_file(".csv", "a,b,y\n1,2,p\n,1,q\n3,1,p\n4,2,q\n", -1);
    ny_options *options = make_options(ctx, "missing", "drop", NULL);
    ny_data *data = NULL;
    ny_on_log(ctx, count_warnings, &warnings);
    must(ctx, ny_data_read(ctx, path, options, NULL, &data));
    ny_on_log(ctx, NULL, NULL);
    assert_int_equal(warnings, 1);
    assert_int_equal(data->dropped, 1);
    ny_data_free(data);
    ny_options_free(options);
    remove(path);
    free(path);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(data_from_rows),      cmocka_unit_test(data_from_labels),
        cmocka_unit_test(wrong_calls),         cmocka_unit_test(reproducible),
        cmocka_unit_test(cancelled_before),    cmocka_unit_test(cancelled_before_robust),
        cmocka_unit_test(cancelled_during),    cmocka_unit_test(time_limit),
        cmocka_unit_test(status_and_messages),
    };
    return cmocka_run_group_tests_name("public interface", tests, setup, teardown);
}

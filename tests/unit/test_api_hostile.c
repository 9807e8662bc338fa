/* test_api_hostile.c: every public function with NULL and with numbers out of range: a status and a message that names
 * the function, or nothing done, and never a crash. */
#include <math.h>

#include "with_ctx.h"

static ny_options *options;
static ny_data *data, *words;
static ny_model *model, *classes;

/* One row of the tables below: what was called, and what came of it. */
static void refused(const char *call, ny_status st) {
    char name[64];
    snprintf(name, sizeof name, "%.*s needs", (int)strcspn(call, "("), call);
    if (st != NY_ERR_USAGE) fail_msg("%s: %s", call, ny_status_text(st));
    bool told = strstr(ny_message(ctx), name) || strstr(call, "(NULL"); /* without a context nobody can be told */
    if (!told) fail_msg("%s: the message is \"%s\"", call, ny_message(ctx));
}
#define REFUSED(call) refused(#call, call)

static int setup_all(void **state) {
    if (setup(state) != 0) return -1;
    options = make_options(ctx, "threads", "2", "landmarks", "20", NULL);
    return ny_data_generate(ctx, "sinc", 60, 1, &data) != NY_OK ||
           ny_data_generate(ctx, "banana", 60, 1, &words) != NY_OK || ny_train(ctx, data, options, &model) != NY_OK ||
           ny_train(ctx, words, options, &classes) != NY_OK;
}

static int teardown_all(void **state) {
    ny_data_free(data);
    ny_data_free(words);
    ny_model_free(model);
    ny_model_free(classes);
    ny_options_free(options);
    return teardown(state);
}

static void statuses(void **state) {
    (void)state;
    double x[4] = {1, 2, 3, 4};
    const char *labels[] = {"a", "b"};
    char *text = NULL;
    ny_data *read = NULL;
    ny_model *made = NULL;
    ny_outfile *out = NULL;
    ny_data_blocks *blocks = NULL;
    REFUSED(ny_options_set(ctx, NULL, "kernel", "rbf"));
    REFUSED(ny_options_set(ctx, options, NULL, "rbf"));
    REFUSED(ny_options_set(ctx, options, "kernel", NULL));
    REFUSED(ny_data_read(NULL, "x.csv", options, NULL, &read));
    REFUSED(ny_data_read(ctx, NULL, options, NULL, &read));
    REFUSED(ny_data_read(ctx, "x.csv", NULL, NULL, &read));
    REFUSED(ny_data_read(ctx, "x.csv", options, NULL, NULL));
    REFUSED(ny_data_from_rows(NULL, 2, 2, x, x, &read));
    REFUSED(ny_data_from_rows(ctx, 2, 2, NULL, x, &read));
    REFUSED(ny_data_from_rows(ctx, 2, 2, x, x, NULL));
    REFUSED(ny_data_from_labels(NULL, 2, 2, x, labels, &read));
    REFUSED(ny_data_from_labels(ctx, 2, 2, NULL, labels, &read));
    REFUSED(ny_data_from_labels(ctx, 2, 2, x, NULL, &read));
    REFUSED(ny_data_from_labels(ctx, 2, 2, x, labels, NULL));
    REFUSED(ny_data_generate(NULL, "sinc", 10, 1, &read));
    REFUSED(ny_data_generate(ctx, NULL, 10, 1, &read));
    REFUSED(ny_data_generate(ctx, "sinc", 10, 1, NULL));
    REFUSED(ny_data_write_csv(NULL, data, "x.csv"));
    REFUSED(ny_data_write_csv(ctx, NULL, "x.csv"));
    REFUSED(ny_data_write_csv(ctx, data, NULL));
    REFUSED(ny_outfile_check(ctx, NULL));
    REFUSED(ny_outfile_open(NULL, "x.csv", &out));
    REFUSED(ny_outfile_open(ctx, NULL, &out));
    REFUSED(ny_outfile_open(ctx, "x.csv", NULL));
    REFUSED(ny_outfile_commit(ctx, NULL));
    REFUSED(ny_outfile_commit(ctx, &out));
    REFUSED(ny_data_describe(NULL, data, options, &text, NULL));
    REFUSED(ny_data_describe(ctx, NULL, options, &text, NULL));
    REFUSED(ny_data_blocks_open(NULL, "x.csv", options, model, &blocks));
    REFUSED(ny_data_blocks_open(ctx, NULL, options, model, &blocks));
    REFUSED(ny_data_blocks_open(ctx, "x.csv", NULL, model, &blocks));
    REFUSED(ny_data_blocks_open(ctx, "x.csv", options, model, NULL));
    REFUSED(ny_data_blocks_next(ctx, NULL, 10, &read));
    REFUSED(ny_train(NULL, data, options, &made));
    REFUSED(ny_train(ctx, NULL, options, &made));
    REFUSED(ny_train(ctx, data, NULL, &made));
    REFUSED(ny_train(ctx, data, options, NULL));
    REFUSED(ny_model_save(NULL, model, "x.nysel"));
    REFUSED(ny_model_save(ctx, NULL, "x.nysel"));
    REFUSED(ny_model_save(ctx, model, NULL));
    REFUSED(ny_model_load(NULL, "x.nysel", &made));
    REFUSED(ny_model_load(ctx, NULL, &made));
    REFUSED(ny_model_load(ctx, "x.nysel", NULL));
    REFUSED(ny_model_json(NULL, model, &text));
    REFUSED(ny_model_json(ctx, NULL, &text));
    REFUSED(ny_model_json(ctx, model, NULL));
    REFUSED(ny_model_summary(NULL, model, &text));
    REFUSED(ny_model_summary(ctx, NULL, &text));
    REFUSED(ny_model_summary(ctx, model, NULL));
    REFUSED(ny_path(NULL, words, options, &text, NULL, NULL));
    REFUSED(ny_path(ctx, NULL, options, &text, NULL, NULL));
    REFUSED(ny_path(ctx, words, NULL, &text, NULL, NULL));
    REFUSED(ny_predict(NULL, model, data, options, x, NULL, NULL));
    REFUSED(ny_predict(ctx, NULL, data, options, x, NULL, NULL));
    REFUSED(ny_predict(ctx, model, NULL, options, x, NULL, NULL));
    REFUSED(ny_predict_interval(NULL, model, data, options, 0.9, &(ny_intervals){.value = x}));
    REFUSED(ny_predict_interval(ctx, NULL, data, options, 0.9, &(ny_intervals){.value = x}));
    REFUSED(ny_predict_interval(ctx, model, data, options, 0.9, NULL));
    REFUSED(ny_predict_interval(ctx, model, NULL, options, 0.9, &(ny_intervals){.value = x}));
    REFUSED(ny_test(NULL, model, data, options, &text, NULL));
    REFUSED(ny_test(ctx, NULL, data, options, &text, NULL));
    REFUSED(ny_test(ctx, model, NULL, options, &text, NULL));
    assert_true(!text && !read && !made && !blocks);
}

static void numbers_out_of_range(void **state) {
    (void)state;
    double x[4] = {1, 2, 3, 4}, level[] = {NAN, 0, 1, -1, 2, INFINITY};
    const char *labels[] = {"a", NULL};
    ny_data *read = NULL;
    const int64_t sizes[][2] = {{-1, 2},        {2, -1},        {INT64_MIN, 2}, {INT64_MAX, INT64_MAX},
                                {INT64_MAX, 2}, {2, INT64_MAX}, {0, 0},         {INT64_C(1) << 40, 1 << 30}};
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        ny_status st = ny_data_from_rows(ctx, sizes[k][0], sizes[k][1], x, NULL, &read);
        assert_true((st == NY_ERR_DATA || st == NY_ERR_MEMORY) && !read && *ny_message(ctx));
    }
    assert_int_equal(ny_data_from_labels(ctx, 2, 2, x, labels, &read), NY_ERR_DATA);
    assert_int_equal(ny_data_generate(ctx, "sinc", -1, 1, &read), NY_ERR_USAGE);
    assert_int_equal(ny_data_generate(ctx, "sinc", INT64_MAX, 1, &read), NY_ERR_USAGE);
    for (size_t k = 0; k < sizeof level / sizeof *level; k++)
        assert_int_equal(ny_predict_interval(ctx, model, data, NULL, level[k], &(ny_intervals){.value = x}),
                         NY_ERR_USAGE);
    ny_data_blocks *blocks = NULL;
    must(ctx, ny_data_write_csv(ctx, data, "hostile_blocks.csv"));
    must(ctx, ny_data_blocks_open(ctx, "hostile_blocks.csv", options, model, &blocks));
    REFUSED(ny_data_blocks_next(ctx, blocks, -1, &read));
    REFUSED(ny_data_blocks_next(ctx, blocks, 1, NULL));
    ny_data_blocks_close(blocks);
    remove("hostile_blocks.csv");
}

/* Functions without a status answer with nothing. */
static void answers(void **state) {
    (void)state;
    double x[8] = {7};
    static const int64_t outside[] = {-1, 60, INT64_MAX, INT64_MIN};
    ny_on_log(NULL, NULL, NULL);
    ny_on_progress(NULL, NULL, NULL);
    ny_cancel(NULL);
    ny_ctx_free(NULL);
    ny_options_free(NULL);
    ny_data_free(NULL);
    ny_data_blocks_close(NULL);
    ny_model_free(NULL);
    ny_text_free(NULL);
    ny_outfile_abort(NULL);
    assert_null(ny_outfile_stream(NULL));
    assert_int_equal(ny_number_format(1, NULL), 0);
    assert_int_equal(ny_is_utf8(NULL), 0);
    assert_int_equal(ny_is_utf8("\xc3\xa4"), 1);
    assert_int_equal(ny_is_utf8("\xe4"), 0);
    assert_string_equal(ny_message(NULL), "");
    assert_non_null(ny_status_text((ny_status)-1));
    assert_non_null(ny_status_text((ny_status)1000));
    assert_null(ny_options_get(NULL, "kernel"));
    assert_null(ny_options_get(options, NULL));
    assert_null(ny_family_member(NULL, 0, NULL));
    assert_int_equal(ny_data_rows(NULL), 0);
    assert_int_equal(ny_data_inputs(NULL), 0);
    assert_int_equal(ny_model_classes(NULL), 0);
    assert_int_equal(ny_model_outputs(NULL), 0);
    assert_null(ny_model_label(NULL, 0));
    assert_true(isnan(ny_model_quantile(NULL, 0)));
    assert_null(ny_data_row(NULL, 0, x));
    assert_null(ny_data_row(words, 0, NULL));
    for (size_t k = 0; k < sizeof outside / sizeof *outside; k++) {
        assert_null(ny_data_row(words, outside[k], x));
        assert_null(ny_options_row(outside[k] == 60 ? 100000 : outside[k]));
        assert_null(ny_family_name(outside[k]));
        assert_null(ny_family_member("kernel", outside[k], NULL));
        assert_null(ny_model_label(classes, outside[k]));
        assert_true(isnan(ny_model_quantile(model, outside[k])));
    }
    assert_true(x[0] == 7);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(statuses),
        cmocka_unit_test(numbers_out_of_range),
        cmocka_unit_test(answers),
    };
    return cmocka_run_group_tests(tests, setup_all, teardown_all);
}

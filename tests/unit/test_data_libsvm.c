/* test_data_libsvm.c: sparse text, with the position of everything that is wrong. */
#include "support.h"
#include "table/data.h"

static ny_data *open_text(ny_ctx *ctx, const char *text, const char *option, const char *value, ny_status *st) {
    char *path = write_file(".svm", text, -1);
    ny_options *options = make_options(ctx, option, value, NULL);
    ny_data *data = NULL;
    *st = ny_data_open(ctx, path, options, NULL, &data);
    ny_options_free(options);
    remove(path);
    free(path);
    return data;
}

static void sparse_rows(void **state) {
    (void)state;
    ny_ctx *ctx = ny_ctx_new();
    ny_status st;
    ny_data *data = open_text(ctx, "# a comment\n+1 1:0.5 20:2 # more\r\n\n-1 qid:3 7:0 8:-1e3\n+1\n", 0, 0, &st);
    must(ctx, st);
    assert_true(ny_matrix_is_sparse(&data->X));
    assert_int_equal(data->X.d, 20);
    assert_int_equal(data->X.n, 3);
    static const int64_t ptr[] = {0, 2, 3, 3};
    static const int32_t idx[] = {0, 19, 7}; /* the explicit zero is not kept */
    static const double val[] = {0.5, 2, -1000};
    assert_memory_equal(data->X.ptr, ptr, sizeof ptr);
    assert_memory_equal(data->X.idx, idx, sizeof idx);
    assert_memory_equal(data->X.val, val, sizeof val);
    assert_int_equal(data->labels, 2);
    assert_string_equal(data->label[0], "-1");
    assert_string_equal(data->label[1], "+1");
    assert_true(data->y[0] == 1 && data->y[1] == -1 && data->code[2] == 1);
    assert_true(data->schema.sparse && data->schema.columns == 0 && data->schema.inputs == 20);
    double norms[3];
    ny_matrix_norms(&data->X, norms);
    assert_true(norms[0] == 4.25 && norms[1] == 1e6 && norms[2] == 0);
    ny_matrix some;
    must(ctx, ny_matrix_gather(ctx, &data->X, (int64_t[]){2, 1, 1}, 3, &some));
    assert_true(some.ptr[1] == 0 && some.ptr[3] == 2 && some.idx[1] == 7 && some.val[0] == -1000);
    ny_matrix_clear(&some);
    ny_data_free(data);
    ny_ctx_free(ctx);
}

static void dense_when_full(void **state) {
    (void)state;
    ny_ctx *ctx = ny_ctx_new();
    ny_status st;
    ny_data *data = open_text(ctx, "a 1:1 2:2 3:3\nb 2:4\n", 0, 0, &st);
    must(ctx, st);
    assert_false(ny_matrix_is_sparse(&data->X));
    static const double x[] = {1, 2, 3, 0, 4, 0};
    assert_memory_equal(data->X.x, x, sizeof x);
    assert_true(data->schema.sparse && !data->numeric_target);
    ny_data_free(data);
    ny_ctx_free(ctx);
}

static void dropped_rows(void **state) {
    (void)state;
    ny_ctx *ctx = ny_ctx_new();
    ny_status st;
    ny_data *data = open_text(ctx, "1 1:1\n? 1:5 9:3\n2 2:2\n", "missing", "drop", &st);
    must(ctx, st);
    assert_int_equal(data->X.n, 2);
    assert_int_equal(data->X.d, 2);
    assert_int_equal(data->dropped, 1);
    ny_data_free(data);
    ny_ctx_free(ctx);
}

static const struct {
    const char *text, *option, *value, *message;
} bads[] = {
    {"1 1:2\n1 0:3\n", 0, 0, ":2:3: indices begin at 1: '0:3'"},
    {"1 1:2\n1 3:3 2:1\n", 0, 0, ":2:7: indices must ascend: '2:1'"},
    {"1 1:2\n1 3:3 3:1\n", 0, 0, ":2:7: indices must ascend: '3:1'"},
    {"1 1:2\n1 2147483648:3\n", 0, 0, ":2:3: indices end at 2147483647: '2147483648:3'"},
    {"1 1:2\n1 99999999999999999999999:3\n", 0, 0, ":2:3: indices end at 2147483647:"},
    {"1 1:2\n1 3\n", 0, 0, ":2:3: expected index:value, found '3'"},
    {"1 1:2\n1 a:3\n", 0, 0, ":2:3: expected index:value, found 'a:3'"},
    {"1 1:2\n1 -1:3\n", 0, 0, ":2:3: expected index:value, found '-1:3'"},
    {"1 1:2\n1 1:2 3:x\n", 0, 0, ":2:9: not a number: 'x'"},
    {"1 1:2\n1 3:1.5z\n", 0, 0, ":2:5: not a number: '1.5z'"},
    {"1 1:2\n1 3:nan\n", 0, 0, ":2:5: not a number: 'nan'"},
    {"1 1:2\n1 3:\n", 0, 0, ":2:5: not a number: ''"},
    {"1 1:2\n1 3:inf\n", 0, 0, ":2:5: too large (magnitudes may not exceed 1e150"},
    {"1 1:2\n1 3:1e151\n", 0, 0, ":2:5: too large"},
    {"1 1:2\n1,2 3:1\n", 0, 0, ":2:1: several labels in one row are not supported: '1,2'"},
    {"1 1:2\n  3:1\n", 0, 0, ":2:3: expected a label, found '3:1'"},
    {"1 1:2\n? 3:1\n", 0, 0, ":2:1: the target is missing here and in 1 rows in all"},
    {"1 1:2\n1e200 3:1\n", 0, 0, ":2:1: target '1e200' is too large"},
    {"1 1:2\n", "target", "1", ": --target does not apply to libsvm text"},
    {"1 1:2\n", "weight-column", "1", ": --weight-column does not apply to libsvm text"},
    {"# nothing\n\n", "format", "libsvm", " has no rows"},
    {"1\n2\n", "format", "libsvm", " has no inputs: no row has an index:value"},
};

static void bad_files(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof bads / sizeof *bads; i++) {
        ny_ctx *ctx = ny_ctx_new();
        ny_status st;
        open_text(ctx, bads[i].text, bads[i].option, bads[i].value, &st);
        if (st == NY_OK || !strstr(ny_message(ctx), bads[i].message))
            fail_msg("\n  message  %s\n  expected %s", st == NY_OK ? "none" : ny_message(ctx), bads[i].message);
        ny_ctx_free(ctx);
    }
}

/* What is libsvm text by its looks and what is not. */
static void recognised(void **state) {
    (void)state;
    static const struct {
        const char *text;
        bool sparse;
    } cases[] = {
        {"1 1:2 5:3\n2 2:2\n", true}, {"\n# c\nred 1:2\nblue 2:2\n", true},
        {"1\n2 1:3\n", true},         {"1 qid:1 1:2\n2 2:2\n", true},
        {"1,2\n3,4\n", false},        {"2020-01-01 12:30,5\n2020-01-02 12:30,6\n", false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ny_ctx *ctx = ny_ctx_new();
        ny_status st;
        ny_data *data = open_text(ctx, cases[i].text, 0, 0, &st);
        must(ctx, st);
        assert_int_equal(data->schema.sparse, cases[i].sparse);
        ny_data_free(data);
        ny_ctx_free(ctx);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sparse_rows), cmocka_unit_test(dense_when_full), cmocka_unit_test(dropped_rows),
        cmocka_unit_test(bad_files),   cmocka_unit_test(recognised),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

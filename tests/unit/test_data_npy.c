/* test_data_npy.c: numpy arrays of every type and order, and headers that lie. */
#include <math.h>

#include "support.h"
#include "table/data.h"

enum { ROWS = 3, COLUMNS = 2, NUMBERS = ROWS * COLUMNS };

/* magic, version, header padded to a multiple of 64, then the numbers. */
static long make_npy(char *out, int version, const char *dict, const void *numbers, size_t size) {
    int prefix = version == 1 ? 10 : 12;
    size_t length = strlen(dict) + 1, padded = (length + (size_t)prefix + 63) / 64 * 64 - (size_t)prefix;
    memcpy(out, "\x93NUMPY", 6);
    out[6] = (char)version;
    out[7] = 0;
    for (int i = 0; i < prefix - 8; i++) out[8 + i] = (char)(padded >> 8 * i);
    memset(out + prefix, ' ', padded);
    memcpy(out + prefix, dict, length - 1);
    out[(size_t)prefix + padded - 1] = '\n';
    memcpy(out + (size_t)prefix + padded, numbers, size);
    return (long)((size_t)prefix + padded + size);
}

static ny_data *open_bytes(ny_ctx *ctx, const char *bytes, long size, const char *option, const char *value,
                           ny_status *st) {
    char *path = write_file(".npy", bytes, size);
    ny_options *options = make_options(ctx, option, value, NULL);
    ny_data *data = NULL;
    *st = ny_data_open(ctx, path, options, NULL, &data);
    ny_options_free(options);
    remove(path);
    free(path);
    return data;
}

/* The numbers 1 .. 6 (0 and 1 for b1) in a numpy type, byte by byte. */
static size_t put_numbers(const char *type, char *out) {
    size_t size = (size_t)(type[2] - '0');
    for (int k = 0; k < NUMBERS; k++) {
        char item[8];
        int64_t whole = type[1] == 'b' ? k % 2 : k + 1;
        double real = k + 1;
        float small = (float)(k + 1);
        if (type[1] != 'f') memcpy(item, &whole, 8); /* this machine is little-endian, as numpy's files mostly are */
        else if (size == 8) memcpy(item, &real, 8);
        else memcpy(item, &small, 4);
        for (size_t i = 0; i < size; i++) out[(size_t)k * size + i] = item[type[0] == '>' ? size - 1 - i : i];
    }
    return size * NUMBERS;
}

static void every_type(void **state) {
    (void)state;
    static const char *const types[] = {"<f8", "<f4", "|i1", "<i2", "<i4", "<i8", "|u1", "<u2", "<u4", "<u8",
                                        "|b1", ">f8", ">f4", ">i2", ">i4", ">i8", ">u2", ">u4", ">u8"};
    for (size_t t = 0; t < sizeof types / sizeof *types; t++)
        for (int fortran = 0; fortran < 2; fortran++) {
            ny_ctx *ctx = ny_ctx_new();
            char bytes[512], numbers[64], dict[128];
            ny_status st;
            snprintf(dict, sizeof dict, "{'descr': '%s', 'fortran_order': %s, 'shape': (3, 2), }", types[t],
                     fortran ? "True" : "False");
            long size = make_npy(bytes, 1 + (int)t % 3, dict, numbers, put_numbers(types[t], numbers));
            ny_data *data = open_bytes(ctx, bytes, size, 0, 0, &st);
            must(ctx, st);
            assert_int_equal(data->X.n, ROWS);
            assert_int_equal(data->X.d, 1);
            for (int i = 0; i < ROWS; i++) {
                int first = fortran ? i : 2 * i, second = fortran ? i + ROWS : 2 * i + 1;
                bool flag = types[t][1] == 'b';
                assert_true(data->X.x[i] == (flag ? first % 2 : first + 1));
                assert_true(data->y[i] == (flag ? second % 2 : second + 1));
            }
            ny_data_free(data);
            ny_ctx_free(ctx);
        }
}

static void signs_and_labels(void **state) {
    (void)state;
    ny_ctx *ctx = ny_ctx_new();
    char bytes[512];
    ny_status st;
    static const int8_t small[] = {-128, -1, 127, 1, -5, -1};
    long size = make_npy(bytes, 1, "{'shape': (3, 2), \"descr\": '|i1', 'fortran_order': False}", small, sizeof small);
    ny_data *data = open_bytes(ctx, bytes, size, 0, 0, &st);
    must(ctx, st);
    assert_true(data->X.x[0] == -128 && data->X.x[1] == 127 && data->X.x[2] == -5);
    assert_int_equal(data->labels, 2);
    assert_string_equal(data->label[0], "-1");
    assert_string_equal(data->label[1], "1");
    assert_false(data->schema.named);
    assert_string_equal(data->schema.target, "x2");
    ny_data *again = NULL; /* with the schema: one column is inputs only */
    size = make_npy(bytes, 1, "{'descr': '|i1', 'fortran_order': False, 'shape': (6,), }", small, sizeof small);
    char *path = write_file(".npy", bytes, size);
    ny_options *options = make_options(ctx, NULL);
    must(ctx, ny_data_open(ctx, path, options, &data->schema, &again));
    assert_true(again->X.n == 6 && again->X.d == 1 && !again->has_target);
    remove(path);
    free(path);
    ny_options_free(options);
    ny_data_free(again);
    ny_data_free(data);
    data = open_bytes(ctx, bytes,
                      make_npy(bytes, 1, "{'descr': '|i1', 'fortran_order': False, 'shape': (2, 3), }", small, 6),
                      "target", "1", &st);
    must(ctx, st);
    assert_true(data->y[0] == -128 && data->y[1] == 1 && data->X.d == 2 && data->X.x[0] == -1);
    ny_data_free(data);
    ny_ctx_free(ctx);
}

/* Whole numbers may be categories here too. */
static void categories(void **state) {
    (void)state;
    ny_ctx *ctx = ny_ctx_new();
    char bytes[512];
    ny_status st;
    static const int8_t small[] = {7, 0, 2, 1, 7, 0};
    long size = make_npy(bytes, 1, "{'descr': '|i1', 'fortran_order': False, 'shape': (3, 2), }", small, sizeof small);
    ny_data *data = open_bytes(ctx, bytes, size, "categorical", "1", &st);
    must(ctx, st);
    static const double x[] = {0, 1, 1, 0, 0, 1};
    assert_int_equal(data->X.d, 2);
    assert_memory_equal(data->X.x, x, sizeof x);
    assert_string_equal(data->schema.column[0].level[1], "7");
    ny_data_free(data);
    ny_ctx_free(ctx);
}

#define F8(order, shape) "{'descr': '<f8', 'fortran_order': " order ", 'shape': " shape ", }"

static const struct {
    const char *dict, *message;
} bads[] = {
    {F8("False", "(3, 3)"), ": cut short: 3 rows of 3 columns take 72 bytes, 48 are there"},
    {F8("True", "(3, 3)"), ": cut short: 3 rows of 3 columns take 72 bytes, 48 are there"},
    {F8("False", "(1000000000000, 2)"), ": cut short"},
    {F8("True", "(1000000000000, 2)"), ": cut short"},
    {F8("False", "(2, 1000000000)"), ": cut short"},
    {F8("False", "(2, 3000000000)"), ": 2 rows of 3000000000 columns are too many"},
    {F8("False", "(4611686018427387904, 4)"), "are too many"},
    {F8("False", "(99999999999999999999, 4)"), ": the header of the .npy file cannot be understood"},
    {F8("False", "(-1, 4)"), "cannot be understood"},
    {F8("False", "(3, 2"), "cannot be understood"},
    {F8("False", "3"), "cannot be understood"},
    {F8("False", "(0, 2)"), " is empty: 0 rows of 2 columns"},
    {F8("False", "(3, 0)"), " is empty: 3 rows of 0 columns"},
    {F8("False", "()"), ": an array of 0 dimensions; one or two are expected"},
    {F8("False", "(1, 1, 6)"), ": an array of 3 dimensions"},
    {F8("False", "(6,)"), " has no input columns"},
    {F8("Maybe", "(3, 2)"), "cannot be understood"},
    {"{'descr': '<c16', 'fortran_order': False, 'shape': (3, 2), }", "numpy type '<c16' cannot be read"},
    {"{'descr': '|O', 'fortran_order': False, 'shape': (3, 2), }", "numpy type '|O' cannot be read"},
    {"{'descr': '<f2', 'fortran_order': False, 'shape': (3, 2), }", "numpy type '<f2' cannot be read"},
    {"{'descr': [('a', '<f8')], 'fortran_order': False, 'shape': (3,), }", ": a structured array"},
    {"{'descr': '<f8', 'shape': (3, 2), }", "cannot be understood"},
    {"{'descr': '<f8', 'fortran_order': False, 'shape': (3, 2), 'x': 1}", "cannot be understood"},
    {"{'descr': '<f8', 'fortran_order': False, 'shape': (3, 2), } x", "cannot be understood"},
    {"", "cannot be understood"},
};

static void bad_headers(void **state) {
    (void)state;
    double numbers[NUMBERS] = {1, 2, 3, 4, 5, 6};
    for (size_t i = 0; i < sizeof bads / sizeof *bads; i++) {
        ny_ctx *ctx = ny_ctx_new();
        char bytes[512];
        ny_status st;
        open_bytes(ctx, bytes, make_npy(bytes, 1, bads[i].dict, numbers, sizeof numbers), 0, 0, &st);
        if (st == NY_OK || !strstr(ny_message(ctx), bads[i].message))
            fail_msg("\n  header   %s\n  message  %s\n  expected %s", bads[i].dict, ny_message(ctx), bads[i].message);
        ny_ctx_free(ctx);
    }
}

static void bad_beginnings(void **state) {
    (void)state;
    static const struct {
        const char *bytes;
        long size;
        const char *message;
    } cases[] = {
        {"\x93NUMPY", 6, " is not a .npy file"},
        {"\x93NUMPY\x04\0\0\0", 10, ": .npy format version 4 is unknown"},
        {"\x93NUMPY\x01\0\x40", 9, " ends within its header"},
        {"\x93NUMPY\x01\0\x40\0{", 11, " ends within its header"},
        {"\x93NUMPY\x02\0\xff\xff\xff\xff{", 13, ": a header of 4294967295 bytes cannot be right"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ny_ctx *ctx = ny_ctx_new();
        ny_status st;
        open_bytes(ctx, cases[i].bytes, cases[i].size, 0, 0, &st);
        if (st == NY_OK || !strstr(ny_message(ctx), cases[i].message)) fail_msg("%s", ny_message(ctx));
        ny_ctx_free(ctx);
    }
}

static void bad_values(void **state) {
    (void)state;
    static const struct {
        int at;
        double v;
        const char *option, *value, *message;
    } cases[] = {
        {2, NAN, 0, 0, ":2:1: missing value (column \"x1\"), one of 1"},
        {3, NAN, 0, 0, ":2:2: the target is missing here and in 1 rows"},
        {2, INFINITY, 0, 0, ":2:1: 'inf' is too large"},
        {2, -1e300, 0, 0, ":2:1: '-1e+300' is too large"},
        {3, -INFINITY, 0, 0, ":2:2: target '-inf' is too large"},
        {2, 1, "target", "name", " has no column \"name\": without a header"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        double numbers[NUMBERS] = {1, 2, 3, 4, 5, 6};
        numbers[cases[i].at] = cases[i].v;
        ny_ctx *ctx = ny_ctx_new();
        char bytes[512];
        ny_status st;
        open_bytes(ctx, bytes, make_npy(bytes, 1, F8("False", "(3, 2)"), numbers, sizeof numbers), cases[i].option,
                   cases[i].value, &st);
        if (st == NY_OK || !strstr(ny_message(ctx), cases[i].message)) fail_msg("%s", ny_message(ctx));
        ny_ctx_free(ctx);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_type),     cmocka_unit_test(signs_and_labels), cmocka_unit_test(bad_headers),
        cmocka_unit_test(bad_beginnings), cmocka_unit_test(bad_values),       cmocka_unit_test(categories),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

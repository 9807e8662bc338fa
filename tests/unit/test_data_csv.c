/* test_data_csv.c: what CSV files become, and what is said about those that cannot be read. */
#include <math.h>

#include "support.h"
#include "table/data.h"

typedef struct good {
    const char *what, *text;
    const char *option, *value; /* one option, or NULL */
    int64_t n, d;
    double x[12];       /* row by row */
    const char *target; /* the target column row by row as text, joined by | */
} good;

static const good goods[] = {
    {"plain", "a,b,y\n1,2,0\n3,4,1\n", 0, 0, 2, 2, {1, 2, 3, 4}, "0|1"},
    {"no header", "1,2,0\n3,4,1\n", 0, 0, 2, 2, {1, 2, 3, 4}, "0|1"},
    {"no line end at the end", "1,2,0\n3,4,1", 0, 0, 2, 2, {1, 2, 3, 4}, "0|1"},
    {"CR LF", "a,b,y\r\n1,2,0\r\n3,4,1\r\n", 0, 0, 2, 2, {1, 2, 3, 4}, "0|1"},
    {"semicolons", "a;b;y\n1;2;0\n3;4;1\n", 0, 0, 2, 2, {1, 2, 3, 4}, "0|1"},
    {"tabs", "a\tb\ty\n1\t2\t0\n3\t4\t1\n", 0, 0, 2, 2, {1, 2, 3, 4}, "0|1"},
    {"semicolons with commas in texts",
     "a;b;y\n1;2;\"x, or y\"\n3;4;\"z,z\"\n",
     0,
     0,
     2,
     2,
     {1, 2, 3, 4},
     "x, or y|z,z"},
    {"byte order mark",
     "\xef\xbb\xbf"
     "a,b,y\n1,2,0\n3,4,1\n",
     0,
     0,
     2,
     2,
     {1, 2, 3, 4},
     "0|1"},
    {"blank lines", "\n\na,b,y\n\n1,2,0\n  \n3,4,1\n\n\n", 0, 0, 2, 2, {1, 2, 3, 4}, "0|1"},
    {"blanks around", "a , b, y\n 1 ,2 , 0\n3,\t4,1 \n", 0, 0, 2, 2, {1, 2, 3, 4}, "0|1"},
    {"quoted numbers", "\"a\",\"b\",\"y\"\n\"1\",\"2\",\"0\"\n\"3\",\"4\",\"1\"\n", 0, 0, 2, 2, {1, 2, 3, 4}, "0|1"},
    {"doubled quotes", "a,b,y\n1,2,\"say \"\"hi\"\"\"\n3,4,\"\"\"\"\n", 0, 0, 2, 2, {1, 2, 3, 4}, "say \"hi\"|\""},
    {"line ends in quotes", "a,b,\"the\ntarget\"\n1,2,\"x\r\ny\"\n3,4,z\n", 0, 0, 2, 2, {1, 2, 3, 4}, "x\r\ny|z"},
    {"quote within a text", "a,b,y\n1,2,5\" pipe\n3,4,6\" pipe\n", 0, 0, 2, 2, {1, 2, 3, 4}, "5\" pipe|6\" pipe"},
    {"spellings stay", "1,2,+1\n3,4,-1\n5,6,+1\n", 0, 0, 3, 2, {1, 2, 3, 4, 5, 6}, "+1|-1|+1"},
    {"one number, two spellings", "1,2,1.0\n3,4,2\n5,6,1\n", 0, 0, 3, 2, {1, 2, 3, 4, 5, 6}, "1.0|2|1.0"},
    {"texts are not merged", "1,2,1.0\n3,4,b\n5,6,1\n", 0, 0, 3, 2, {1, 2, 3, 4, 5, 6}, "1.0|b|1"},
    {"column called class", "class,a,b\n0,1,2\n1,3,4\n", 0, 0, 2, 2, {1, 2, 3, 4}, "0|1"},
    {"target before y", "y,a,TARGET\n1,2,0\n3,4,1\n", 0, 0, 2, 2, {1, 2, 3, 4}, "0|1"},
    {"target by name", "a,b,c\n1,0,2\n3,1,4\n", "target", "b", 2, 2, {1, 2, 3, 4}, "0|1"},
    {"target by number", "a,b,c\n0,1,2\n1,3,4\n", "target", "1", 2, 2, {1, 2, 3, 4}, "0|1"},
    {"target by number, no header", "0,1,2\n1,3,4\n", "target", "1", 2, 2, {1, 2, 3, 4}, "0|1"},
    {"name before number", "2,b,1\n1,2,0\n3,4,1\n", "header", "yes", 2, 2, {1, 2, 3, 4}, "0|1"},
    {"header forced off", "1,2,a\n3,4,b\n", "header", "no", 2, 2, {1, 2, 3, 4}, "a|b"},
    {"header of years", "2010,2011,y\n1,2,0\n3,4,1\n", 0, 0, 2, 2, {1, 2, 3, 4}, "0|1"},
    {"categories one-hot, sorted", "c,y\nb,0\na,1\nb,2\n", 0, 0, 3, 2, {0, 1, 1, 0, 0, 1}, "0|1|2"},
    {"categories asked for", "1,5,0\n2,6,1\n", "categorical", "1", 2, 3, {1, 0, 5, 0, 1, 6}, "0|1"},
    {"texts only, header", "shape,class\nround,yes\nlong,no\n", 0, 0, 2, 2, {0, 1, 1, 0}, "yes|no"},
    {"texts only, no header", "x,p\ny,e\nx,e\n", 0, 0, 3, 2, {1, 0, 0, 1, 1, 0}, "p|e|e"},
    {"drop", "a,b,y\n1,2,0\n,3,0\n3,4,1\n5,6,?\n", "missing", "drop", 2, 2, {1, 2, 3, 4}, "0|1"},
    {"mean", "a,b,y\n1,2,0\nNA,4,0\n3,nan,1\n", "missing", "mean", 3, 2, {1, 2, 2, 4, 3, 3}, "0|0|1"},
    {"mean of categories is none", "c,y\nb,0\n?,1\na,2\n", "missing", "mean", 3, 2, {0, 1, 0, 0, 1, 0}, "0|1|2"},
    {"levels of dropped rows vanish",
     "c,x,y\nb,1,0\nq,,1\na,2,2\n",
     "missing",
     "drop",
     2,
     3,
     {0, 1, 1, 1, 0, 2},
     "0|2"},
    {"one row", "1,2,3\n", 0, 0, 1, 2, {1, 2}, "3"},
    {"large but allowed", "1e150,-1e150,3\n0,0,4\n", 0, 0, 2, 2, {1e150, -1e150, 0, 0}, "3|4"},
    {"tiny", "1e-320,-0,3\n0,0,4\n", 0, 0, 2, 2, {1e-320, 0, 0, 0}, "3|4"},
};

static void check_good(ny_ctx *ctx, const good *g, const ny_data *data) {
    char joined[256] = "";
    if (data->X.n != g->n || data->X.d != g->d)
        fail_msg("%s: %lld rows of %lld inputs", g->what, (long long)data->X.n, (long long)data->X.d);
    for (int64_t i = 0; i < g->n * g->d; i++)
        if (data->X.x[i] != g->x[i]) fail_msg("%s: number %lld is %g", g->what, (long long)i, data->X.x[i]);
    for (int64_t i = 0; i < g->n; i++) {
        if (i) strcat(joined, "|");
        strcat(joined, data->label[data->code[i]]);
    }
    if (strcmp(joined, g->target) != 0) fail_msg("%s: the target is %s", g->what, joined);
    assert_true(data->has_target);
    (void)ctx;
}

static void good_files(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof goods / sizeof *goods; i++) {
        const good *g = &goods[i];
        ny_ctx *ctx = ny_ctx_new();
        ny_options *options = make_options(ctx, g->option, g->value, NULL);
        char *path = write_file(".csv", g->text, -1);
        ny_data *data = NULL;
        if (ny_data_open(ctx, path, options, NULL, &data) != NY_OK) fail_msg("%s: %s", g->what, ny_message(ctx));
        check_good(ctx, g, data);
        ny_data_free(data);
        ny_options_free(options);
        ny_ctx_free(ctx);
        remove(path);
        free(path);
    }
}

typedef struct bad {
    const char *text;
    const char *option, *value;
    const char *message; /* what follows the file name, as far as it matters */
} bad;

static const bad bads[] = {
    {"", 0, 0, " is empty"},
    {"\n\n \n", 0, 0, " is empty: it has blank lines only"},
    {"a,b,y\n", 0, 0, " has a header but no rows"},
    {"a,b,y\n", "header", "yes", " has a header but no rows"},
    {"1\n2\n", 0, 0, " has no input columns, only a target"},
    {"w,y\n1,2\n3,4\n", "weight-column", "w", " has no input columns, only a target and a weight"},
    {"1 2 3\n4 5 6\n", 0, 0, ":1: one column only; fields must be separated by commas"},
    {"age,b,y\n1,2,0\n3,4,1\nabc,6,0\n", 0, 0,
     ":4:1: 'abc' is not a number (column \"age\"); --categorical age treats"},
    {"1,2,0\n3,x7,1\n3,4,1\n3,4,1\n", 0, 0, ":2:2: 'x7' is not a number (column \"x2\")"},
    {"a,b,y\n1,2,\"0\n0\"\n\n1,2,0\n1,2,0\n3,\"q\nr\",1\n", 0, 0, ":7:2: 'q?r' is not a number"},
    {"a,b,y\n1,2,0\n3,4,1,5\n", 0, 0, ":3: 4 fields, expected 3"},
    {"a,b,y\n1,2,0\n3\n", 0, 0, ":3: 1 fields, expected 3"},
    {"a,b,y\n1,2,0\n3,\"4,1\n5,6,7\n", 0, 0, ":3:2: the quote opened here is never closed"},
    {"a,b,y\n1,2,0\n\"x\ny\",\"4,1\n5,6,7\n", 0, 0, ":4:2: the quote opened here is never closed"},
    {"a,b,y\n1,2,0\n3,\"4\"x,1\n", 0, 0, ":3:2: text after the closing quote"},
    {"a,b,y\n1,2,0\n3,,1\n?,NA,1\n", 0, 0, ":3:2: missing value (column \"b\"), one of 3 in the file; --missing drop"},
    {"a,b,y\n1,2,0\n3,4,\n5,6,NA\n", 0, 0, ":3:3: the target is missing here and in 2 rows in all"},
    {"a,b,y\n1,2,0\n3,4,\n", "missing", "mean", ":3:3: the target is missing here and in 1 rows"},
    {"a,b,y\n1,,0\n,4,1\n", "missing", "drop", ": each of its 2 rows has a missing value"},
    {"a,b,y\n1,2,0\n3,inf,1\n", 0, 0, ":3:2: 'inf' is too large: magnitudes may not exceed 1e150"},
    {"a,b,y\n1,2,0\n-1.1e150,4,1\n", 0, 0, ":3:1: '-1.1e150' is too large"},
    {"a,b,y\n1,2,0\n1e999,4,1\n", 0, 0, ":3:1: '1e999' is too large"},
    {"a,b,y\n1,2,0\n1,4,1e200\n", 0, 0, ":3:3: target '1e200' is too large"},
    {"a,b,y\n1,2,0\n1,4,1\n", "target", "z", " has no column \"z\"; its columns are a, b, y"},
    {"a,b,y\n1,2,0\n1,4,1\n", "target", "4", " has no column 4; it has 3"},
    {"a,b,y\n1,2,0\n1,4,1\n", "target", "0", " has no column 0; it has 3"},
    {"1,2,0\n1,4,1\n", "target", "z", " has no column \"z\": without a header, columns go by number, 1 to 3"},
    {"a,b,c,d,e,f,g,h,i,j\n1,2,3,4,5,6,7,8,9,0\n", "target", "z",
     " has no column \"z\"; its columns are a, b, c, d, e, f, g, h, ..."},
    {"a,b,y\n1,2,0\n1,4,1\n", "categorical", "a,q", " has no column \"q\""},
    {"a,w,y\n1,2,0\n1,-4,1\n", "weight-column", "w", ":3:2: '-4' is a negative weight (column \"w\")"},
    {"a,w,y\n1,2,0\n1,x,1\n1,3,1\n1,3,1\n", "weight-column", "w", ":3:2: the weight 'x' is not a number"},
    {"a,w,y\n1,2,0\n1,,1\n", "weight-column", "w", ":3:2: the weight is missing"},
    {"a,w,y\n1,0,0\n1,0,1\n", "weight-column", "w", ": the weights (column \"w\") are all zero"},
    {"a;b;y\n1,5;2;0\n2.5;3;1\n", 0, 0, ":2:1: '1,5' is not a number"},
    {"\xff\xfe"
     "a\0",
     0, 0, " is UTF-16 text"},
    {"c,x,y\n?,1,0\n?,2,1\n", "categorical", "c", ":2:1: missing value (column \"c\"), one of 2"},
};

static void bad_files(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof bads / sizeof *bads; i++) {
        const bad *b = &bads[i];
        ny_ctx *ctx = ny_ctx_new();
        ny_options *options = make_options(ctx, b->option, b->value, NULL);
        char *path = write_file(".csv", b->text, -1), expected[512];
        ny_data *data = NULL;
        ny_status st = ny_data_open(ctx, path, options, NULL, &data);
        snprintf(expected, sizeof expected, "%s%s", path, b->message);
        if (st == NY_OK) fail_msg("no error, but expected %s", b->message);
        if (strncmp(ny_message(ctx), expected, strlen(expected)) != 0)
            fail_msg("\n  message  %s\n  expected %s", ny_message(ctx), expected);
        assert_null(data);
        ny_options_free(options);
        ny_ctx_free(ctx);
        remove(path);
        free(path);
    }
}

static ny_data *open_text(ny_ctx *ctx, const char *text, long size, ny_status *st) {
    char *path = write_file(".csv", text, size);
    ny_options *options = make_options(ctx, NULL);
    ny_data *data = NULL;
    *st = ny_data_open(ctx, path, options, NULL, &data);
    ny_options_free(options);
    remove(path);
    free(path);
    return data;
}

static void nul_byte(void **state) {
    (void)state;
    ny_ctx *ctx = ny_ctx_new();
    ny_status st;
    open_text(ctx,
              "1,2\n3,\0"
              "4\n",
              9, &st);
    assert_int_equal(st, NY_ERR_DATA);
    assert_non_null(strstr(ny_message(ctx), ":2: a NUL byte"));
    ny_ctx_free(ctx);
}

/* Numbers first, a text deep in the file: beyond the rows that are looked at to tell the kind of a column. */
static void late_text(void **state) {
    (void)state;
    ny_ctx *ctx = ny_ctx_new();
    char *text = malloc(200000);
    int used = 0;
    for (int i = 0; i < 5000; i++) used += sprintf(text + used, "%d,%d,%d\n", i, i + 1, i % 2);
    used += sprintf(text + used, "5,six,0\n");
    ny_status st;
    open_text(ctx, text, used, &st);
    assert_non_null(strstr(ny_message(ctx), ":5001:2: 'six' is not a number"));
    free(text);
    ny_ctx_free(ctx);
}

/* More than a window of bytes: long records, quoted fields across the windows, many rows. */
static void large_file(void **state) {
    (void)state;
    ny_ctx *ctx = ny_ctx_new();
    enum { ROWS = 300, FIELD = 30000 };
    char *text = malloc(2 * ROWS * FIELD);
    long used = sprintf(text, "a,b,y\n");
    for (int i = 0; i < ROWS; i++) {
        used += sprintf(text + used, "%d.5,%d,\"", i, -i);
        for (int k = 0; k < FIELD; k += 10)
            used += sprintf(text + used, "%s", k % 100 ? "abcd,fghij" : "ab\n\"\"efgh\"\"");
        used += sprintf(text + used, "%d\"\n", i % 7);
    }
    ny_status st;
    ny_data *data = open_text(ctx, text, used, &st);
    must(ctx, st);
    assert_int_equal(data->X.n, ROWS);
    assert_int_equal(data->labels, 7);
    for (int i = 0; i < ROWS; i++) {
        assert_true(data->X.x[2 * i] == i + 0.5 && data->X.x[2 * i + 1] == -i);
        assert_int_equal(data->code[i], i % 7);
    }
    ny_data_free(data);
    free(text);
    ny_ctx_free(ctx);
}

static void many_values(void **state) {
    (void)state;
    ny_ctx *ctx = ny_ctx_new();
    char *text = malloc(400000);
    long used = 0;
    ny_status st;
    for (int i = 0; i < NY_LABELS_MAX + 5; i++) used += sprintf(text + used, "1,%d.25\n", i);
    ny_data *data = open_text(ctx, text, used, &st);
    must(ctx, st);
    assert_int_equal(data->labels, 0);
    assert_true(data->numeric_target && data->y[0] == 0.25 && data->y[NY_LABELS_MAX + 4] == NY_LABELS_MAX + 4.25);
    ny_data_free(data);
    used += sprintf(text + used, "1,red\n");
    open_text(ctx, text, used, &st);
    assert_non_null(strstr(ny_message(ctx), ":1006:2: 'red' is not a number, but the target has more than 1000"));
    used = 0;
    for (int i = 0; i < NY_LABELS_MAX + 5; i++) used += sprintf(text + used, "1,name%d\n", i);
    open_text(ctx, text, used, &st);
    assert_non_null(strstr(ny_message(ctx), ":1001:2: the target has more than 1000 different values"));
    used = 0;
    for (int i = 0; i < 20002; i++) used += sprintf(text + used, "name%d,1,2\n", i / 2);
    open_text(ctx, text, used, &st);
    assert_non_null(strstr(ny_message(ctx), ":20001:1: column \"x1\" has more than 10000 different texts"));
    free(text);
    ny_ctx_free(ctx);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(good_files), cmocka_unit_test(bad_files),  cmocka_unit_test(nul_byte),
        cmocka_unit_test(late_text),  cmocka_unit_test(large_file), cmocka_unit_test(many_values),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

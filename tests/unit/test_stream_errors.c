/* test_stream_errors.c: what goes wrong in passes and blocks: the same words as for the whole file; files that change;
 * what cannot be read twice; what needs the rows in memory; and when --stream auto streams. */
#include <sys/stat.h>
#include <unistd.h>

#include "read/stream.h"
#include "support.h"

static const struct bad {
    const char *text, *option, *value;
    long size; /* 0: strlen */
} bads[] = {
    {"", 0, 0, 0},
    {"\n\n", 0, 0, 0},
    {"a,b,y\n", 0, 0, 0},
    {"a,b,y\n1,2,0\n1,x,0\n3,4,1\n", 0, 0, 0},
    {"a,b,y\n1,2,0\n1,2\n3,4,1\n", 0, 0, 0},
    {"a,b,y\n1,2,0\n1,\"2,1\n", 0, 0, 0},
    {"a,b,y\n1,2,0\n\n1,,1\n3,,1\n", 0, 0, 0},
    {"a,b,y\n1,2,0\n\n1,,1\n3,,1\n3,x,1\n", 0, 0, 0},
    {"a,b,y\n1,,0\n,2,1\n", "missing", "drop", 0},
    {"a,b,y\n1,2,0\n3,4,\n5,6,1\n7,8,?\n", 0, 0, 0},
    {"a,w,y\n1,0,0\n3,0,1\n", "weight-column", "w", 0},
    {"a,w,y\n1,1,0\n3,-1,1\n", "weight-column", "w", 0},
    {"a,b,y\n1,2,0\n1e200,4,1\n", 0, 0, 0},
    {"a,b,y\n1,2,0\n1,4,1e200\n", 0, 0, 0},
    {"c,y\n,0\nNA,1\n", "categorical", "c", 0},
    {"a,b,y\n1,2,0\n", "target", "z", 0},
    {"a,b,y\n1,2,0\n3,4,1\n\0,4,1\n", 0, 0, 25},
    {"1 1:2\n2 0:1\n", 0, 0, 0},
    {"1 1:2\n2 3:x\n", 0, 0, 0},
    {"1 1:2\n2:1\n", 0, 0, 0},
    {"1 1:2\n? 2:1\n", 0, 0, 0},
    {"? 1:2\n? 2:1\n", "missing", "drop", 0},
    {"1 1:2\n2 2:1\n", "target", "1", 0},
    {"\x93NUMPY\x01\0\x38\0{'descr': '|i1', 'fortran_order': False,'shape': (3,3)}\n\1\2\3\4\5\6", 0, 0, 72},
    {"\x93NUMPY\x01\0\x38\0{'descr': '|i1', 'fortran_order': True, 'shape': (3,3)}\n\1\2\3\4\5\6", 0, 0, 72},
    {"\x1f\x8b\x08 and no more", 0, 0, 0},
};

static void same_errors(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof bads / sizeof *bads; i++) {
        ny_ctx *ctx = ny_ctx_new();
        ny_options *options = make_options(ctx, "stream", "no", bads[i].option, bads[i].value, NULL);
        char *path = write_file(".data", bads[i].text, bads[i].size ? bads[i].size : -1), message[NY_MESSAGE_MAX];
        ny_data *data = NULL;
        ny_status st = ny_data_open(ctx, path, options, NULL, &data);
        if (st == NY_OK) fail_msg("case %d can be read", (int)i);
        snprintf(message, sizeof message, "%s", ny_message(ctx));
        assert_int_equal(ny_stream_open(ctx, path, options, &data), st);
        assert_null(data);
        assert_string_equal(ny_message(ctx), message);
        remove(path);
        free(path);
        ny_options_free(options);
        ny_ctx_free(ctx);
    }
}

/* With a model, in blocks. */
static void same_errors_blocks(void **state) {
    (void)state;
    static const char *const texts[] = {
        "a,b,y\n1,2,0\n3,,1\n4,5,1\n,6,0\n7,8,1\n", /* the count is of the whole file */
        "a,b,y\n1,2,0\n3,,1\n4,5,1\n,6,0\n7,q,1\n", /* a later error comes first */
        "a,b,y\n1,2,0\n3,1,1\n4,5,1\n7,q,1\n",      "a,b,y\n1,2,0\n3,1,1\n4,5\n", "a,b,y\n", "a,c,y\n1,2,3\n",
    };
    ny_ctx *ctx = ny_ctx_new();
    ny_options *options = make_options(ctx, NULL);
    char *train = write_file(".csv", "a,b,y\n1,2,0\n3,4,1\n", -1);
    ny_data *model = NULL, *data = NULL;
    must(ctx, ny_data_open(ctx, train, options, NULL, &model));
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        char *path = write_file(".csv", texts[i], -1), message[NY_MESSAGE_MAX];
        ny_status st = ny_data_open(ctx, path, options, &model->schema, &data);
        if (st == NY_OK) fail_msg("case %d can be read", (int)i);
        snprintf(message, sizeof message, "%s", ny_message(ctx));
        for (int64_t rows = 1; rows <= 10; rows += 3) {
            ny_blocks *blocks = NULL;
            ny_status got = ny_blocks_open(ctx, path, options, &model->schema, &blocks);
            do {
                ny_data_free(data);
                data = NULL;
                if (got == NY_OK) got = ny_blocks_next(ctx, blocks, rows, &data);
            } while (data);
            ny_blocks_close(blocks);
            assert_int_equal(got, st);
            assert_string_equal(ny_message(ctx), message);
        }
        remove(path);
        free(path);
    }
    remove(train);
    free(train);
    ny_data_free(model);
    ny_options_free(options);
    ny_ctx_free(ctx);
}

static void put(const char *path, const char *text) {
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fputs(text, f);
    fclose(f);
}

static void changed_files(void **state) {
    (void)state;
    static const struct {
        const char *before, *after, *message;
    } cases[] = {
        {"1,2,0\n3,4,1\n", "1,2,0\n", "has changed while it was in use: 2 rows at first, now fewer"},
        {"1,2,0\n3,4,1\n", "1,2,0\n3,4,1\n5,6,1\n", "has changed while it was in use: 2 rows at first, now more"},
        {"1,2,0\n3,4,1\n", "1,2,0\n3,4,2\n", ":2:3: a target value that was not there before: the file has changed"},
        {"a,1\nb,2\n", "a,1\nc,2\n", ":2:1: a category that was not there before: the file has changed"},
        {"1 1:1\n2 2:1\n", "1 1:1\n2 3:1\n", ":2: an index that was not there before: the file has changed"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ny_ctx *ctx = ny_ctx_new();
        ny_options *options = make_options(ctx, NULL);
        char *path = write_file(".csv", cases[i].before, -1);
        ny_data *data = NULL, block = {0};
        must(ctx, ny_stream_open(ctx, path, options, &data));
        put(path, cases[i].after);
        ny_status st = ny_stream_rewind(ctx, data->stream);
        do {
            if (st == NY_OK) st = ny_stream_next(ctx, data->stream, 2, &block);
        } while (st == NY_OK && block.X.n > 0);
        assert_int_equal(st, NY_ERR_DATA);
        if (!strstr(ny_message(ctx), cases[i].message)) fail_msg("%s", ny_message(ctx));
        ny_data_free(data);
        remove(path);
        free(path);
        ny_options_free(options);
        ny_ctx_free(ctx);
    }
}

static void not_twice(void **state) {
    (void)state;
    ny_ctx *ctx = ny_ctx_new();
    ny_options *yes = make_options(ctx, "stream", "yes", NULL),
               *small = make_options(ctx, "memory", "1K", NULL); /* auto */
    int pipes[2], in = dup(STDIN_FILENO);
    ny_data *data = NULL;
    for (int k = 0; k < 2; k++) {
        assert_int_equal(pipe(pipes), 0);
        assert_int_equal(write(pipes[1], "1,2,0\n3,4,1\n", 12), 12);
        close(pipes[1]);
        dup2(pipes[0], STDIN_FILENO);
        close(pipes[0]);
        ny_status st = ny_data_open(ctx, "-", k == 0 ? yes : small, NULL, &data);
        if (k == 0) {
            assert_int_equal(st, NY_ERR_USAGE);
            assert_non_null(strstr(ny_message(ctx), "standard input cannot be read twice"));
        } else { /* auto takes what it gets */
            must(ctx, st);
            assert_true(data->rows == 2 && !data->stream);
        }
    }
    dup2(in, STDIN_FILENO);
    close(in);
    ny_data_free(data);
    ny_options_free(yes);
    ny_options_free(small);
    ny_ctx_free(ctx);
}

static void needs_memory(void **state) {
    (void)state;
    ny_ctx *ctx = ny_ctx_new();
    ny_options *options = make_options(ctx, "stream", "yes", NULL);
    char *path = write_file(".csv", "1,2,0\n3,4,1\n", -1), *json = NULL;
    ny_data *data = NULL;
    double x[2];
    must(ctx, ny_data_read(ctx, path, options, NULL, &data));
    assert_true(data->stream && ny_data_rows(data) == 2 && ny_data_inputs(data) == 2);
    assert_null(ny_data_row(data, 0, x));
    assert_int_equal(ny_data_describe(ctx, data, options, &json, NULL), NY_ERR_USAGE);
    assert_non_null(strstr(ny_message(ctx), "a description needs the rows in memory, and they are streamed"));
    assert_int_equal(ny_data_write_csv(ctx, data, "never.csv"), NY_ERR_USAGE);
    assert_int_equal(access("never.csv", F_OK), -1);
    ny_data_free(data);
    remove(path);
    free(path);
    ny_options_free(options);
    ny_ctx_free(ctx);
}

static void decision(void **state) {
    (void)state;
    ny_ctx *ctx = ny_ctx_new();
    ny_options *yes = make_options(ctx, "stream", "yes", NULL), *no = make_options(ctx, "stream", "no", NULL);
    ny_options *mega = make_options(ctx, "memory", "1M", NULL), *free_memory = make_options(ctx, NULL);
    assert_true(ny_stream_wanted(yes, 1, INT64_MAX));
    assert_false(ny_stream_wanted(no, 1e18, 1));
    assert_false(ny_stream_wanted(mega, 262144, 1)); /* twice this is half a megabyte */
    assert_true(ny_stream_wanted(mega, 262145, INT64_MAX));
    assert_false(ny_stream_wanted(free_memory, 200, 1000)); /* half of 80% */
    assert_true(ny_stream_wanted(free_memory, 201, 1000));
    assert_false(ny_stream_wanted(free_memory, 0, 1000)); /* unknown */
    char *text = malloc(1 << 20), *path;
    long used = 0;
    for (int i = 0; i < 20000; i++) used += sprintf(text + used, "%d,%d,%d\n", i % 100, i % 7, i % 2);
    path = write_file(".csv", text, used); /* about 20000 x 4 x 8 = 640 kB */
    static const struct {
        const char *memory;
        bool streamed;
    } cases[] = {{"10M", false}, {"3M", false}, {"2M", true}, {"100K", true}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        ny_data *data = NULL;
        must(ctx, ny_options_set(ctx, free_memory, "memory", cases[k].memory));
        must(ctx, ny_data_open(ctx, path, free_memory, NULL, &data));
        assert_int_equal(data->stream != NULL, cases[k].streamed);
        assert_int_equal(data->rows, 20000);
        ny_data_free(data);
    }
    remove(path);
    free(path);
    free(text);
    ny_options_free(yes);
    ny_options_free(no);
    ny_options_free(mega);
    ny_options_free(free_memory);
    ny_ctx_free(ctx);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(same_errors), cmocka_unit_test(same_errors_blocks), cmocka_unit_test(changed_files),
        cmocka_unit_test(not_twice),   cmocka_unit_test(needs_memory),       cmocka_unit_test(decision),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

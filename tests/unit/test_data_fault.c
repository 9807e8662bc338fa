/* test_data_fault.c: the k-th allocation fails, for every k: the right status, no data, nothing leaked. */
#include "read/folds.h"
#include "read/stream.h"
#include "support.h"
#include "table/data.h"

typedef ny_status step(ny_ctx *ctx, const char *path, const ny_options *options, const ny_schema *like);

static ny_status read_step(ny_ctx *ctx, const char *path, const ny_options *options, const ny_schema *like) {
    ny_data *data = NULL;
    ny_status st = ny_data_open(ctx, path, options, like, &data);
    assert_int_equal(st == NY_OK, data != NULL);
    ny_data_free(data);
    return st;
}

/* The survey, a pass that is left, and a whole one. */
static ny_status stream_step(ny_ctx *ctx, const char *path, const ny_options *options, const ny_schema *like) {
    (void)like;
    ny_data *data = NULL, block = {0};
    ny_status st = ny_stream_open(ctx, path, options, &data);
    assert_int_equal(st == NY_OK, data != NULL);
    if (st == NY_OK) st = ny_stream_next(ctx, data->stream, 1, &block);
    if (st == NY_OK) st = ny_stream_rewind(ctx, data->stream);
    do {
        if (st == NY_OK) st = ny_stream_next(ctx, data->stream, 2, &block);
    } while (st == NY_OK && block.X.n > 0);
    ny_data_clear(&block);
    ny_data_free(data);
    return st;
}

static ny_status blocks_step(ny_ctx *ctx, const char *path, const ny_options *options, const ny_schema *like) {
    ny_blocks *blocks = NULL;
    ny_data *data = NULL;
    ny_status st = ny_blocks_open(ctx, path, options, like, &blocks);
    assert_int_equal(st == NY_OK, blocks != NULL);
    do {
        ny_data_free(data);
        data = NULL;
        if (st == NY_OK) st = ny_blocks_next(ctx, blocks, 2, &data);
    } while (data);
    ny_blocks_close(blocks);
    return st;
}

/* The same with a column carried over. */
static ny_status ids_step(ny_ctx *ctx, const char *path, const ny_options *options, const ny_schema *like) {
    ny_options *own = NULL;
    ny_status st = ny_options_copy(ctx, options, &own);
    if (st == NY_OK) st = ny_options_set(ctx, own, "id", "colour");
    if (st == NY_OK) st = blocks_step(ctx, path, own, like);
    ny_options_free(own);
    return st;
}

static ny_status generate_step(ny_ctx *ctx, const char *path, const ny_options *options, const ny_schema *like) {
    (void)options, (void)like;
    ny_data *data = NULL;
    ny_status st = ny_data_generate(ctx, "waveform", 30, 1, &data);
    if (st == NY_OK) st = ny_data_write_csv(ctx, data, path);
    ny_data_free(data);
    return st;
}

static ny_status folds_step(ny_ctx *ctx, const char *path, const ny_options *options, const ny_schema *like) {
    (void)options, (void)like, (void)path;
    int32_t code[20] = {0}, fold[20];
    int64_t rows[10];
    ny_status st = ny_folds_make(ctx, 20, code, 1, 5, 1, fold);
    return st == NY_OK ? ny_rows_sample(ctx, 20, code, 1, 10, 1, rows) : st;
}

static void every_failure(step *run, const char *what, const char *content, long size, bool with_schema) {
    ny_ctx *ctx = ny_ctx_new();
    ny_options *options = make_options(ctx, "missing", "drop", NULL);
    if (strncmp(what, "local", 5) == 0) must(ctx, ny_options_set(ctx, options, "na", "none,-1"));
    char *path = write_file(".data", content, size);
    ny_data *model = NULL;
    if (with_schema) must(ctx, ny_data_open(ctx, path, options, NULL, &model));
    int64_t live = ny_alloc_live(), made = ny_alloc_count();
    must(ctx, run(ctx, path, options, model ? &model->schema : NULL));
    made = ny_alloc_count() - made;
    assert_true(made > 3);
    for (int64_t k = 1; k <= made; k++) { /* where less memory will do as well, the run goes on */
        ny_alloc_fail_at(k);
        ny_status st = run(ctx, path, options, model ? &model->schema : NULL);
        ny_alloc_fail_at(0);
        if (ny_alloc_live() != live) fail_msg("%s: allocation %lld leaks", what, (long long)k);
        if (st != NY_OK && st != NY_ERR_MEMORY)
            fail_msg("%s: allocation %lld: status %d, %s", what, (long long)k, st, ny_message(ctx));
    }
    ny_data_free(model);
    ny_options_free(options);
    ny_ctx_free(ctx);
    remove(path);
    free(path);
}

static const char table[] = "a,colour,a,y\n1,red,\"x\"\"y\",p\n2,blue,z,q\n3,,z,p\n4,red,z,\"q\"\n";
static const char sparse[] = "1 1:2 30:5\n2 2:1\n? 3:1\n";
static const unsigned char packed[] = {/* gzip of "1,2\n" */
                                       0x1f, 0x8b, 0x08, 0,    0,    0,    0,    0,    0x02, 0x03, 0x33, 0xd4,
                                       0x31, 0xe2, 0x02, 0x00, 0x33, 0x42, 0x21, 0x55, 0x04, 0,    0,    0};
static const char array[] =
    "\x93NUMPY\x01\0\x38\0{'descr': '|i1', 'fortran_order': True, 'shape': (2,3)}\n\1\2\3\4\5\6";

static void reading(void **state) {
    (void)state;
    every_failure(read_step, "csv", table, -1, false);
    every_failure(read_step, "csv with a schema", table, -1, true);
    every_failure(read_step, "libsvm", sparse, -1, false);
    every_failure(read_step, "libsvm with a schema", sparse, -1, true);
    every_failure(read_step, "gzip", (const char *)packed, sizeof packed, false);
    every_failure(read_step, "npy", array, sizeof array - 1, false);
    every_failure(stream_step, "csv in passes", table, -1, false);
    every_failure(stream_step, "libsvm in passes", sparse, -1, false);
    every_failure(stream_step, "gzip in passes", (const char *)packed, sizeof packed, false);
    every_failure(stream_step, "npy in passes", array, sizeof array - 1, false);
    every_failure(blocks_step, "csv in blocks", table, -1, true);
    every_failure(ids_step, "csv in blocks, with a column carried over", table, -1, true);
    every_failure(blocks_step, "libsvm in blocks", sparse, -1, true);
}

/* Dates, decimal commas, an identifier, Windows-1252; the last rows, beyond the first that are looked at, have the
 * first comma, so all rows are asked and the reading begins again. */
static void local_spellings(void **state) {
    (void)state;
    enum { ROWS = 1200, ROOM = 64 };
    char *text = malloc((size_t)ROWS * ROOM);
    long used = sprintf(text, "nr,n\xe4me,tag,wert,y\n");
    for (int i = 0; i < ROWS; i++)
        used += sprintf(text + used, "%d,K%d \xfc,%02d.12.2024,%s,%d\n", i + 1, i, 1 + i % 30,
                        i < 1100 ? "12" : "\"12,5\"", i % 2);
    every_failure(read_step, "local spellings", text, used, false);
    every_failure(read_step, "local spellings with a schema", text, used, true);
    free(text);
}

static void others(void **state) {
    (void)state;
    every_failure(generate_step, "generate and write", "", 0, false);
    every_failure(folds_step, "folds", "", 0, false);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(reading), cmocka_unit_test(local_spellings),
                                       cmocka_unit_test(others)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* test_stream_memory.c: the survey and the passes take memory by the block, whatever the rows. */
#include "read/stream.h"
#include "support.h"

enum { COLUMNS = 21, BLOCK = 1000 };

static char *make_file(bool npy, int rows) {
    char *path = write_file(npy ? ".npy" : ".csv", "", 0);
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    if (npy) {
        char dict[118];
        memset(dict, ' ', sizeof dict);
        int used =
            snprintf(dict, sizeof dict, "{'descr': '<f8', 'fortran_order': False, 'shape': (%d, %d), }", rows, COLUMNS);
        dict[used] = ' ';
        dict[sizeof dict - 1] = '\n';
        fwrite("\x93NUMPY\x01\0\x76\0", 1, 10, file);
        fwrite(dict, 1, sizeof dict, file);
    }
    for (int i = 0; i < rows; i++)
        for (int c = 0; c < COLUMNS; c++) {
            double v = c == COLUMNS - 1 ? i % 2 : (i * 31 + c * 17) % 1009 / 8.0;
            if (npy) fwrite(&v, sizeof v, 1, file);
            else fprintf(file, c == COLUMNS - 1 ? "%g\n" : "%g,", v);
        }
    assert_int_equal(fclose(file), 0);
    return path;
}

/* Peak bytes of the survey and two passes. */
static int64_t read_through(bool npy, int rows) {
    ny_ctx *ctx = ny_ctx_new();
    ny_options *options = make_options(ctx, "stream", "yes", NULL);
    char *path = make_file(npy, rows);
    ny_data *data = NULL, block = {0};
    int64_t before = ny_alloc_bytes();
    ny_alloc_peak();
    must(ctx, ny_data_open(ctx, path, options, NULL, &data));
    assert_int_equal(data->rows, rows);
    for (int pass = 0; pass < 2; pass++) {
        int64_t seen = 0;
        do {
            must(ctx, ny_stream_next(ctx, data->stream, BLOCK, &block));
            seen += block.X.n;
        } while (block.X.n > 0);
        assert_int_equal(seen, rows);
        must(ctx, ny_stream_rewind(ctx, data->stream));
    }
    ny_data_clear(&block);
    ny_data_free(data);
    int64_t peak = ny_alloc_peak() - before;
    remove(path);
    free(path);
    ny_options_free(options);
    ny_ctx_free(ctx);
    return peak;
}

static void bounded(void **state) {
    (void)state;
    for (int npy = 0; npy < 2; npy++) {
        int64_t few = read_through(npy, 60000), many = read_through(npy, 200000);
        if (many > few + 4096 || many > 8 << 20)
            fail_msg("%s: %lld bytes for 60000 rows, %lld for 200000", npy ? "npy" : "csv", (long long)few,
                     (long long)many);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(bounded)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

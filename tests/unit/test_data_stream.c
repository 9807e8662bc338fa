/* test_data_stream.c: a file in blocks is the file as a whole: the same rows, labels, schema, warnings and errors. */
#include <unistd.h>
#include <zlib.h>

#include "read/stream.h"
#include "support.h"

static const int64_t sizes[] = {1, 7, 1000};
enum { SIZES = sizeof sizes / sizeof *sizes, LOG = 2000 };

typedef struct file {
    const char *what, *bytes;
    long size; /* -1: strlen */
    const char *option[4][2];
} file;

/* ---- comparing ---------------------------------------------------------------------------------------------- */

static void same_numbers(const void *a, const void *b, int64_t count, size_t size) {
    assert_int_equal(a == NULL, b == NULL);
    if (a) assert_memory_equal(a, b, (size_t)count * size);
}

static void same_schema(const ny_schema *a, const ny_schema *b) {
    assert_int_equal(a->columns, b->columns);
    assert_int_equal(a->inputs, b->inputs);
    assert_int_equal(a->sparse, b->sparse);
    assert_int_equal(a->named, b->named);
    assert_string_equal(a->target, b->target);
    assert_string_equal(a->weight, b->weight);
    for (int64_t c = 0; c < a->columns; c++) {
        assert_string_equal(a->column[c].name, b->column[c].name);
        assert_int_equal(a->column[c].levels, b->column[c].levels);
        same_numbers(&a->column[c].mean, &b->column[c].mean, 1, sizeof(double));
        for (int64_t k = 0; k < a->column[c].levels; k++)
            assert_string_equal(a->column[c].level[k], b->column[c].level[k]);
    }
}

static void same_facts(const ny_data *a, const ny_data *b) {
    assert_string_equal(a->source, b->source);
    assert_int_equal(a->rows, b->rows);
    assert_int_equal(ny_data_rows(a), ny_data_rows(b));
    assert_int_equal(ny_data_inputs(a), ny_data_inputs(b));
    assert_int_equal(a->sparse, b->sparse);
    assert_int_equal(a->weighted, b->weighted);
    assert_int_equal(a->has_target, b->has_target);
    assert_int_equal(a->numeric_target, b->numeric_target);
    assert_int_equal(a->labels, b->labels);
    for (int64_t k = 0; k < a->labels; k++) assert_string_equal(a->label[k], b->label[k]);
    same_numbers(a->label_rows, b->label_rows, a->labels, sizeof *a->label_rows);
    same_numbers(&a->weight_sum, &b->weight_sum, 1, sizeof(double));
    assert_int_equal(a->weight_rows, b->weight_rows);
    assert_int_equal(a->unseen, b->unseen);
    assert_int_equal(a->missing, b->missing);
    assert_int_equal(a->dropped, b->dropped);
    same_schema(&a->schema, &b->schema);
}

/* The block's rows are those of `all` from row `first` on. */
static void same_rows(const ny_data *all, int64_t first, const ny_data *block, bool with_labels) {
    int64_t n = block->X.n, d = all->X.d;
    assert_true(first + n <= all->X.n);
    assert_int_equal(block->X.d, d);
    assert_int_equal(block->rows, n);
    assert_int_equal(ny_matrix_is_sparse(&block->X), ny_matrix_is_sparse(&all->X));
    if (ny_matrix_is_sparse(&all->X)) {
        int64_t begin = all->X.ptr[first];
        for (int64_t i = 0; i <= n; i++) assert_int_equal(block->X.ptr[i], all->X.ptr[first + i] - begin);
        same_numbers(block->X.idx, all->X.idx + begin, block->X.ptr[n], sizeof(int32_t));
        same_numbers(block->X.val, all->X.val + begin, block->X.ptr[n], sizeof(double));
    } else {
        same_numbers(block->X.x, all->X.x + first * d, n * d, sizeof(double));
    }
    if (!with_labels || all->has_target) assert_int_equal(block->has_target, all->has_target);
    same_numbers(block->weight, all->weight ? all->weight + first : NULL, n, sizeof(double));
    if (with_labels) { /* their own labels: the same texts */
        for (int64_t i = 0; all->labels && i < n; i++)
            assert_string_equal(block->label[block->code[i]], all->label[all->code[first + i]]);
    } else {
        assert_int_equal(block->numeric_target, all->numeric_target);
        same_numbers(block->y, all->y ? all->y + first : NULL, n, sizeof(double));
        same_numbers(block->code, all->code ? all->code + first : NULL, n, sizeof(int32_t));
    }
}

/* The same for a block that keeps rows with missing values in their place: the others are those of `all`. Returns how
 * many they are. */
static int64_t same_whole_rows(const ny_data *all, int64_t first, const ny_data *block) {
    int64_t seen = first, d = all->X.d;
    assert_int_equal(block->X.d, d);
    for (int64_t i = 0; i < block->X.n; i++) {
        if (block->lacks[i]) continue;
        assert_true(seen < all->X.n);
        same_numbers(block->X.x + i * d, all->X.x + seen * d, d, sizeof(double));
        if (all->weight) same_numbers(block->weight + i, all->weight + seen, 1, sizeof(double));
        if (all->labels) assert_string_equal(block->label[block->code[i]], all->label[all->code[seen]]);
        seen++;
    }
    return seen - first;
}

static void keep_log(void *user, ny_level level, const char *message) {
    char *text = user;
    size_t used = strlen(text);
    snprintf(text + used, LOG - used, "%d %s\n", (int)level, message);
}

/* ---- passes ------------------------------------------------------------------------------------------------- */

static void check_passes(ny_ctx *ctx, const ny_data *whole, const ny_data *shell, int64_t max_rows) {
    ny_data block = {0};
    must(ctx, ny_stream_next(ctx, shell->stream, 3, &block)); /* a pass that is left */
    must(ctx, ny_stream_rewind(ctx, shell->stream));
    for (int pass = 0; pass < 2; pass++) {
        int64_t seen = 0;
        for (;;) {
            must(ctx, ny_stream_next(ctx, shell->stream, max_rows, &block));
            if (block.X.n == 0) break;
            assert_true(block.X.n <= max_rows);
            assert_true(block.X.n == max_rows || seen + block.X.n == whole->X.n);
            same_rows(whole, seen, &block, false);
            seen += block.X.n;
        }
        assert_int_equal(seen, whole->X.n);
        must(ctx, ny_stream_next(ctx, shell->stream, max_rows, &block)); /* the end stays the end */
        assert_int_equal(block.X.n, 0);
        must(ctx, ny_stream_rewind(ctx, shell->stream));
    }
    ny_data_clear(&block);
}

/* With its own schema as a model's. */
static void check_blocks(const char *path, const ny_options *options, const ny_schema *like, int64_t max_rows) {
    char told[2][LOG] = {"", ""};
    ny_ctx *ctx = ny_ctx_new();
    ny_data *whole = NULL, *block = NULL;
    ny_blocks *blocks = NULL;
    ny_on_log(ctx, keep_log, told[0]);
    must(ctx, ny_data_open(ctx, path, options, like, &whole));
    ny_on_log(ctx, keep_log, told[1]);
    must(ctx, ny_blocks_open(ctx, path, options, like, &blocks));
    int64_t seen = 0, kept = 0;
    for (;;) {
        must(ctx, ny_blocks_next(ctx, blocks, max_rows, &block));
        if (!block) break;
        same_schema(&whole->schema, &block->schema);
        if (block->lacks) {
            kept += same_whole_rows(whole, kept, block);
        } else {
            same_rows(whole, kept, block, true);
            kept += block->X.n;
        }
        seen += block->X.n;
        ny_data_free(block);
    }
    assert_int_equal(kept, whole->X.n);
    assert_int_equal(seen, whole->X.n + (like->sparse ? 0 : whole->dropped));
    if (seen == kept) assert_string_equal(told[1], told[0]);
    else assert_non_null(strstr(told[1], "rows have missing values: their predictions are empty"));
    ny_blocks_close(blocks);
    ny_data_free(whole);
    ny_ctx_free(ctx);
}

static ny_options *options_of(ny_ctx *ctx, const file *f, const char *stream) {
    ny_options *options = make_options(ctx, "stream", stream, NULL);
    for (int k = 0; k < 4 && f->option[k][0]; k++)
        must(ctx, ny_options_set(ctx, options, f->option[k][0], f->option[k][1]));
    return options;
}

static void check_file(const file *f) {
    char told[2][LOG] = {"", ""};
    ny_ctx *ctx = ny_ctx_new();
    ny_options *no = options_of(ctx, f, "no"), *yes = options_of(ctx, f, "yes");
    char *path = write_file(".data", f->bytes, f->size);
    ny_data *whole = NULL, *shell = NULL;
    ny_on_log(ctx, keep_log, told[0]);
    must(ctx, ny_data_open(ctx, path, no, NULL, &whole));
    assert_null(whole->stream);
    ny_on_log(ctx, keep_log, told[1]);
    must(ctx, ny_data_open(ctx, path, yes, NULL, &shell));
    assert_true(shell->stream && shell->X.n == 0 && !shell->X.x && !shell->y && !shell->code && !shell->weight);
    assert_string_equal(told[1], told[0]);
    same_facts(whole, shell);
    for (int k = 0; k < SIZES; k++) {
        check_passes(ctx, whole, shell, sizes[k]);
        check_blocks(path, no, &whole->schema, sizes[k]);
    }
    assert_string_equal(told[1], told[0]); /* passes do not warn again */
    ny_task task[2];
    must(ctx, ny_data_task(ctx, whole, NY_TASK_NONE, &task[0]));
    must(ctx, ny_data_task(ctx, shell, NY_TASK_NONE, &task[1]));
    assert_int_equal(task[0], task[1]);
    ny_data_free(whole);
    ny_data_free(shell);
    remove(path);
    free(path);
    ny_options_free(no);
    ny_options_free(yes);
    ny_ctx_free(ctx);
}

static const file small[] = {
    {"header", "a,b,y\n1,2,0\n3,4,1\n5,6,0\n", -1, {{0}}},
    {"no header", "1,2,0\n3,4,1\n5,6,0\n7,8,1", -1, {{0}}},
    {"byte order mark",
     "\xef\xbb\xbf"
     "a;b;y\r\n1;2;p\r\n3;4;q\r\n",
     -1,
     {{0}}},
    {"late categories", "c,y\nb,0\nb,1\nb,2\nb,0\nb,1\nb,0\nb,1\nb,2\na,0\nz,1\n", -1, {{0}}},
    {"categories of dropped rows", "c,d,y\nb,1,0\nq,,1\na,2,1\nb,3,0\nc,4,NA\n", -1, {{"missing", "drop"}}},
    {"means", "c,d,y\nb,1,0\n,2,1\na,,1\nb,4.25,0\nb,0.1,1\nb,0.3,1\n", -1, {{"missing", "mean"}}},
    {"quoted", "a,\"the\nname\",y\n1,\"x, or\ny\",\"say \"\"hi\"\"\"\n2,\"z\",no\n\n3,z,no\n", -1, {{0}}},
    {"weights", "a,w,y\n1,2,0\n3,0,1\n5,0.25,0\n", -1, {{"weight-column", "w"}}},
    {"weights dropped", "a,w,y\n1,2,0\n3,,1\n5,0.25,1\n", -1, {{"weight-column", "w"}, {"missing", "drop"}}},
    {"spellings", "1,2,+1\n3,4,-1\n5,6,1.0\n7,8,1\n9,9,-1e0\n", -1, {{0}}},
    {"text and numbers", "1,2,10\n3,4,b\n5,6,9\n7,8,10\n", -1, {{0}}},
    {"regression", "1,2,0.5\n3,4,1.5\n5,6,-0\n7,8,2.5\n8,9,3.5\n", -1, {{"target", "3"}}},
    {"libsvm", "1 1:2 30:5\n-1 2:1 # one\n\n+1\n2 qid:3 7:0.5\n", -1, {{0}}},
    {"libsvm, dense", "1 1:2 2:5\n-1 2:1\n1 1:3 2:4\n", -1, {{0}}},
    {"libsvm, dropped", "1 1:2 30:5\n? 40:1\n-1 2:1\n", -1, {{"missing", "drop"}}},
};

static void small_files(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof small / sizeof *small; i++) {
        print_message("%s\n", small[i].what);
        check_file(&small[i]);
    }
}

/* ---- larger ones -------------------------------------------------------------------------------------------- */

enum { ROWS = 6000, TEXT = ROWS * 80 };

static long make_csv(char *text, bool many) {
    long used = sprintf(text, "x1,colour,w,\"x 2\",target\n");
    for (int i = 0, rows = (int)(ROWS / small_step(4)); i < rows; i++) {
        ny_rng rng = ny_rng_make(1, NY_RNG_TEST, (uint32_t)i);
        double u = ny_rng_uniform(&rng), v = ny_rng_normal(&rng);
        used += sprintf(text + used, u < 0.05 ? "," : "%.17g,", v);
        used += sprintf(text + used, i % 50 == 7 ? "," : "\"level \"\"%d\"\"\",", i / 60);
        used += sprintf(text + used, "%d,%.3f,", i % 5, u);
        used += many ? sprintf(text + used, "%.9g\n", v + u) : sprintf(text + used, "class %d\n", i * i % 7);
    }
    return used;
}

static long pack(const char *text, long length, char *out) {
    z_stream z = {0};
    assert_int_equal(deflateInit2(&z, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
    z.next_in = (unsigned char *)(uintptr_t)text;
    z.avail_in = (unsigned)length;
    z.next_out = (unsigned char *)out;
    z.avail_out = TEXT;
    assert_int_equal(deflate(&z, Z_FINISH), Z_STREAM_END);
    deflateEnd(&z);
    return (long)z.total_out;
}

static void large_csv(void **state) {
    (void)state;
    char *text = malloc(TEXT), *packed = malloc(TEXT);
    static const char *const policy[] = {"drop", "mean"};
    for (int k = 0; k < 4; k++) {
        long size = make_csv(text, k & 1), packed_size = pack(text, size, packed);
        file f = {"large", text, size, {{"missing", policy[k >> 1]}, {"weight-column", "w"}}};
        check_file(&f);
        f.bytes = packed;
        f.size = packed_size;
        check_file(&f);
    }
    free(text);
    free(packed);
}

/* Rows of small whole numbers, which every type holds. */
static void npy_types(void **state) {
    (void)state;
    static const char *const types[] = {"<f8", ">f8", "<f4", "|i1", "<u2", ">i4", "<i8", "|b1"};
    enum { N = 2500, P = 4 };
    char *bytes = calloc(1, 128 + N * P * 8 + 3);
    for (size_t t = 0; t < sizeof types / sizeof *types; t++)
        for (int fortran = 0; fortran < 2; fortran++) {
            size_t item = (size_t)(types[t][2] - '0');
            memset(bytes, ' ', 128);
            memcpy(bytes, "\x93NUMPY\x01\0\x76\0", 10);
            int used = sprintf(bytes + 10, "{'descr': '%s', 'fortran_order': %s, 'shape': (%d, %d)}", types[t],
                               fortran ? "True" : "False", N, P);
            bytes[10 + used] = ' ';
            for (int k = 0; k < N * P; k++) {
                int64_t whole = types[t][1] == 'b' ? k % 3 == 1 : (k * 7 + k / 11) % 100;
                double real = (double)whole + (item == 8 ? 0.1 : 0);
                float half = (float)whole;
                char raw[8];
                if (types[t][1] != 'f') memcpy(raw, &whole, 8);
                else if (item == 8) memcpy(raw, &real, 8);
                else memcpy(raw, &half, 4);
                for (size_t i = 0; i < item; i++)
                    bytes[128 + (size_t)k * item + i] = raw[types[t][0] == '>' ? item - 1 - i : i];
            }
            file f = {"npy", bytes, (long)(128 + N * P * item), {{"target", fortran ? "2" : "4"}}};
            check_file(&f);
            f.option[1][0] = "weight-column", f.option[1][1] = "1";
            if (t != 7) f.option[2][0] = "categorical", f.option[2][1] = "3";
            check_file(&f);
            f.size += 3; /* bytes behind the array: warned about once */
            check_file(&f);
        }
    free(bytes);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(small_files), cmocka_unit_test(large_csv),
                                       cmocka_unit_test(npy_types)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

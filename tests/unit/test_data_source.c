/* test_data_source.c: files that are gzipped, cut short, unreadable or no files; and output that is whole or absent. */
#include <dirent.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "read/reader.h"
#include "read/source.h"
#include "support.h"
#include "table/data.h"

/* A gzip member of the text; returns its size. */
static long pack(const char *text, size_t length, char *out, size_t room) {
    z_stream z = {0};
    assert_int_equal(deflateInit2(&z, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
    z.next_in = (unsigned char *)(uintptr_t)text;
    z.avail_in = (unsigned)length;
    z.next_out = (unsigned char *)out;
    z.avail_out = (unsigned)room;
    assert_int_equal(deflate(&z, Z_FINISH), Z_STREAM_END);
    long size = (long)z.total_out;
    deflateEnd(&z);
    return size;
}

static char *make_text(int rows, size_t *length) {
    char *text = malloc((size_t)rows * 32);
    *length = 0;
    for (int i = 0; i < rows; i++) *length += (size_t)sprintf(text + *length, "%d.5,%d,%d\n", i, -i, i % 3);
    return text;
}

static ny_status open_bytes(ny_ctx *ctx, const char *suffix, const char *bytes, long size, ny_data **data) {
    char *path = write_file(suffix, bytes, size);
    ny_options *options = make_options(ctx, NULL);
    ny_status st = ny_data_open(ctx, path, options, NULL, data);
    ny_options_free(options);
    remove(path);
    free(path);
    return st;
}

static void gzipped(void **state) {
    (void)state;
    enum { ROWS = 200000 }; /* several windows */
    ny_ctx *ctx = ny_ctx_new();
    size_t length;
    char *text = make_text(ROWS, &length), *packed = malloc(length + 4096);
    long size = pack(text, length / 2, packed, length),
         more = pack(text + length / 2, length - length / 2, packed + size, length - (size_t)size);
    memset(packed + size + more, 0, 100); /* two members and padding, as gzip writes to tape */
    ny_data *data = NULL;
    must(ctx, open_bytes(ctx, ".anything", packed, size + more + 100, &data));
    assert_int_equal(data->X.n, ROWS);
    for (int i = 0; i < ROWS; i++) assert_true(data->X.x[2 * i] == i + 0.5 && data->X.x[2 * i + 1] == -i);
    ny_data_free(data);
    data = NULL;
    for (long cut = 2; cut < size; cut += size / 7) { /* within the first member, and so within the file */
        assert_int_equal(open_bytes(ctx, ".gz", packed, cut, &data), NY_ERR_FILE);
        assert_non_null(strstr(ny_message(ctx), ".gz: the gzip file is cut short"));
    }
    packed[size - 6] ^= 0x55; /* in the check sum */
    assert_int_equal(open_bytes(ctx, ".gz", packed, size, &data), NY_ERR_FILE);
    assert_non_null(strstr(ny_message(ctx), ".gz: damaged gzip data"));
    free(text);
    free(packed);
    ny_ctx_free(ctx);
}

static void no_files(void **state) {
    (void)state;
    ny_ctx *ctx = ny_ctx_new();
    ny_options *options = make_options(ctx, NULL);
    ny_data *data = NULL;
    assert_int_equal(ny_data_open(ctx, "no/such/file.csv", options, NULL, &data), NY_ERR_FILE);
    assert_string_equal(ny_message(ctx), "no/such/file.csv: no such file");
    assert_int_equal(ny_data_open(ctx, ".", options, NULL, &data), NY_ERR_FILE);
    assert_string_equal(ny_message(ctx), ".: is a directory, not a file");
    char *path = write_file(".csv", "1,2\n", -1);
    chmod(path, 0);
    if (access(path, R_OK) != 0) { /* root may read everything */
        assert_int_equal(ny_data_open(ctx, path, options, NULL, &data), NY_ERR_FILE);
        assert_non_null(strstr(ny_message(ctx), ": no permission to read it"));
    }
    remove(path);
    free(path);
    ny_options_free(options);
    ny_ctx_free(ctx);
}

static void standard_input(void **state) {
    (void)state;
    ny_ctx *ctx = ny_ctx_new();
    ny_options *options = make_options(ctx, NULL);
    int ends[2], old = dup(STDIN_FILENO);
    assert_int_equal(pipe(ends), 0);
    assert_int_equal(write(ends[1], "1,2,a\n3,x,b\n5,6,c\n", 18), 18);
    close(ends[1]);
    dup2(ends[0], STDIN_FILENO);
    close(ends[0]);
    ny_data *data = NULL;
    ny_status st = ny_data_open(ctx, "-", options, NULL, &data);
    dup2(old, STDIN_FILENO);
    close(old);
    assert_int_equal(st, NY_ERR_DATA);
    assert_non_null(strstr(ny_message(ctx), "standard input:2:2: 'x' is not a number"));
    ny_options_free(options);
    ny_ctx_free(ctx);
}

static void cancelled(void **state) {
    (void)state;
    ny_ctx *ctx = ny_ctx_new();
    ny_data *data = NULL;
    ny_cancel(ctx);
    assert_int_equal(open_bytes(ctx, ".csv", "1,2\n", -1, &data), NY_ERR_CANCELLED);
    ny_ctx_free(ctx);
}

static void lines(void **state) {
    (void)state;
    ny_ctx *ctx = ny_ctx_new();
    for (int64_t piece = 0; piece < 10; piece++) {
        ny_source source;
        must(ctx, ny_source_memory(ctx, "memory", "one\r\n\ntwo", 9, piece, &source));
        static const char *const expected[] = {"one", "", "two"};
        const char *begin, *end;
        bool found;
        for (int i = 0; i < 3; i++) {
            must(ctx, ny_source_line(ctx, &source, &begin, &end, &found));
            assert_true(found && (size_t)(end - begin) == strlen(expected[i]));
            assert_memory_equal(begin, expected[i], (size_t)(end - begin));
        }
        must(ctx, ny_source_line(ctx, &source, &begin, &end, &found));
        assert_false(found);
        ny_source_close(&source);
    }
    ny_ctx_free(ctx);
}

/* Wherever the window ends, the data are the same. The first piece must hold what formats are told by, hence 24. */
static void pieces(void **state) {
    (void)state;
    static const char *const texts[] = {
        "a,b,y\n1.25,22,p\n3,4e-2,q\n1,\"2\",p\r\n\n\n-7.75,123456789,\"a\n\"\"b\"\"\"\n1,2,p",
        "p 1:5 2:6.5 3:1e1\nq 2:7 # comment\n\nq 1:1\r\np 3:123.456",
    };
    ny_ctx *ctx = ny_ctx_new();
    ny_options *options = make_options(ctx, NULL);
    for (size_t t = 0; t < sizeof texts / sizeof *texts; t++) {
        ny_data *whole = NULL;
        for (int64_t piece = 0; piece < 80; piece = piece ? piece + 1 : 24) {
            ny_source source;
            ny_data *data = NULL;
            must(ctx, ny_source_memory(ctx, "memory", texts[t], (int64_t)strlen(texts[t]), piece, &source));
            must(ctx, ny_data_from_source(ctx, &source, options, NULL, &data));
            if (whole) {
                assert_true(data->X.n == whole->X.n && data->X.d == whole->X.d && data->labels == whole->labels);
                assert_memory_equal(data->X.x, whole->X.x, (size_t)(data->X.n * data->X.d) * sizeof(double));
                assert_memory_equal(data->code, whole->code, (size_t)data->X.n * sizeof *data->code);
            }
            ny_source_close(&source);
            if (whole) ny_data_free(data);
            else whole = data;
        }
        ny_data_free(whole);
    }
    ny_options_free(options);
    ny_ctx_free(ctx);
}

static int count_files(const char *prefix) {
    int count = 0;
    DIR *dir = opendir(".");
    for (struct dirent *e; (e = readdir(dir));) count += strncmp(e->d_name, prefix, strlen(prefix)) == 0;
    closedir(dir);
    return count;
}

static void check_content(const char *path, const char *expected) {
    char text[64] = "";
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    text[fread(text, 1, sizeof text - 1, file)] = 0;
    fclose(file);
    assert_string_equal(text, expected);
}

static void outfiles(void **state) {
    (void)state;
    ny_ctx *ctx = ny_ctx_new();
    ny_outfile *out;
    char *path = write_file(".out", "old", -1), link_name[256];
    chmod(path, 0640);
    snprintf(link_name, sizeof link_name, "%s.link", path);
    assert_int_equal(symlink(path, link_name), 0);
    must(ctx, ny_outfile_open(ctx, path, &out));
    fputs("half", ny_outfile_stream(out));
    fflush(ny_outfile_stream(out));
    check_content(path, "old"); /* until the new one is complete */
    ny_outfile_abort(out);
    check_content(path, "old");
    must(ctx, ny_outfile_open(ctx, link_name, &out));
    fputs("new", ny_outfile_stream(out));
    must(ctx, ny_outfile_commit(ctx, &out));
    ny_outfile_abort(out); /* does nothing now */
    check_content(path, "new");
    struct stat info;
    assert_int_equal(lstat(link_name, &info), 0);
    assert_true(S_ISLNK(info.st_mode));
    stat(path, &info);
    assert_int_equal(info.st_mode & 0777, 0640);
    assert_int_equal(count_files(path), 2); /* the file and the link, no temporary ones */
    assert_int_equal(ny_outfile_open(ctx, "no/such/dir/x", &out), NY_ERR_FILE);
    assert_int_equal(ny_outfile_open(ctx, ".", &out), NY_ERR_FILE);
    must(ctx, ny_outfile_open(ctx, "/dev/null", &out));
    must(ctx, ny_outfile_commit(ctx, &out));
    if (access("/dev/full", W_OK) == 0) {
        must(ctx, ny_outfile_open(ctx, "/dev/full", &out));
        fputs("x", ny_outfile_stream(out));
        assert_int_equal(ny_outfile_commit(ctx, &out), NY_ERR_FILE);
        assert_non_null(strstr(ny_message(ctx), "cannot write '/dev/full'"));
    }
    remove(link_name);
    remove(path);
    free(path);
    ny_ctx_free(ctx);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gzipped),   cmocka_unit_test(no_files), cmocka_unit_test(standard_input),
        cmocka_unit_test(cancelled), cmocka_unit_test(lines),    cmocka_unit_test(pieces),
        cmocka_unit_test(outfiles),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

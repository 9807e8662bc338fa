/* test_data_forms.c: numbers and dates in local spellings, identifiers, words for missing values, encodings and formats
 * that are not ours; each in memory and, where it matters, in passes. */
#include <math.h>
#include <unistd.h>

#include "read/identify.h"
#include "read/reader.h"
#include "read/stream.h"
#include "read/utf8.h"
#include "support.h"
#include "table/data.h"
#include "table/form.h"

/* ---- single fields ------------------------------------------------------------------------------------------ */

static const struct spelling {
    ny_form form;
    const char *text;
    double value; /* NAN: does not fit */
} spellings[] = {
    {NY_FORM_PLAIN, "1.5", 1.5},
    {NY_FORM_PLAIN, "1,5", NAN},
    {NY_FORM_POINT, "1,234.5", 1234.5},
    {NY_FORM_POINT, "12,345,678", 12345678},
    {NY_FORM_POINT, "1,23", NAN},
    {NY_FORM_POINT, "1,2345", NAN},
    {NY_FORM_POINT, "0,123", NAN},
    {NY_FORM_POINT, "1'234.5", 1234.5},
    {NY_FORM_POINT, "1,234'567", NAN},
    {NY_FORM_COMMA, "27,61", 27.61},
    {NY_FORM_COMMA, "-1.234,5", -1234.5},
    {NY_FORM_COMMA, "1.234", 1234},
    {NY_FORM_COMMA, "0.123", NAN},
    {NY_FORM_COMMA, "1.23", NAN},
    {NY_FORM_COMMA, "1 234,5", 1234.5},
    {NY_FORM_COMMA,
     "1\xc2\xa0"
     "234,5",
     1234.5},
    {NY_FORM_COMMA,
     "1\xe2\x80\xaf"
     "234",
     1234},
    {NY_FORM_COMMA, "1,5e3", 1500},
    {NY_FORM_COMMA, ",5", 0.5},
    {NY_FORM_COMMA, "1,5,6", NAN},
    {NY_FORM_COMMA, "1,5.6", NAN},
    {NY_FORM_COMMA, "", NAN},
    {NY_FORM_COMMA, "-", NAN},
    {NY_FORM_COMMA, "7", 7},
    {NY_FORM_PERCENT, "5%", 5},
    {NY_FORM_PERCENT, "5.5 %", 5.5},
    {NY_FORM_PERCENT, "5", NAN},
    {NY_FORM_PERCENT, "%", NAN},
    {NY_FORM_PERCENT_COMMA, "1.005,5%", 1005.5},
    {NY_FORM_DATE, "1970-01-01", 0},
    {NY_FORM_DATE, "1970-01-02T12:00:00Z", 1.5},
    {NY_FORM_DATE, "2024-01-31", 19753},
    {NY_FORM_DATE, "2024-02-29", 19782},
    {NY_FORM_DATE, "2023-02-29", NAN},
    {NY_FORM_DATE, "1900-02-29", NAN},
    {NY_FORM_DATE, "1969-12-31 18:00", -0.25},
    {NY_FORM_DATE, "1970-01-01T01:00:00+01:00", 0},
    {NY_FORM_DATE, "1970/1/2", 1},
    {NY_FORM_DATE, "2024-13-01", NAN},
    {NY_FORM_DATE, "2024-01-31T", NAN},
    {NY_FORM_DATE, "2024-01-31x", NAN},
    {NY_FORM_DATE_DMY, "31.12.2024", 20088},
    {NY_FORM_DATE_DMY, "31/12/2024 6:00 PM", 20088.75},
    {NY_FORM_DATE_DMY, "31.12.24", 20088},
    {NY_FORM_DATE_DMY, "1.2.10", NAN},
    {NY_FORM_DATE_DMY, "31.12/2024", NAN},
    {NY_FORM_DATE_DMY, "12/31/2024", NAN},
    {NY_FORM_DATE_MDY, "12/31/2024", 20088},
    {NY_FORM_DATE_MDY, "12.31.2024", NAN},
};

static void spelt(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof spellings / sizeof *spellings; i++) {
        const struct spelling *s = &spellings[i];
        double v = NAN, all[NY_FORMS];
        bool fits = ny_form_parse(s->form, s->text, (int64_t)strlen(s->text), &v);
        unsigned mask = ny_form_all(s->text, (int64_t)strlen(s->text), all);
        if (fits == isnan(s->value) || (fits && v != s->value))
            fail_msg("'%s' as %s: %s, %.17g", s->text, ny_form_word(s->form), fits ? "fits" : "does not fit", v);
        if (fits != (mask >> s->form & 1))
            fail_msg("'%s' as %s: not the same among all forms", s->text, ny_form_word(s->form));
    }
    for (int form = 0; form < NY_FORMS; form++) assert_int_equal(ny_form_find(ny_form_word((ny_form)form)), form);
    assert_int_equal(ny_form_find("nosuch"), NY_FORMS);
}

/* ---- files -------------------------------------------------------------------------------------------------- */

static ny_data *read_text(ny_ctx *ctx, const char *text, int64_t size, const char *option, const char *value,
                          const ny_schema *like, ny_status *st) {
    ny_options *options = ny_options_new(ctx);
    ny_source source;
    ny_data *data = NULL;
    if (option) must(ctx, ny_options_set(ctx, options, option, value));
    must(ctx, ny_source_memory(ctx, "file", text, size, 0, &source));
    *st = ny_data_from_source(ctx, &source, options, like, &data);
    ny_source_close(&source);
    ny_options_free(options);
    return data;
}

static const struct good {
    const char *text, *option, *value;
    double x[8]; /* the first column, row by row */
    int64_t n;
    ny_form form;
} goods[] = {
    {"a,y\n\"27,61\",0\n\"1,5\",1\n", 0, 0, {27.61, 1.5}, 2, NY_FORM_COMMA},
    {"a;y\n1,5;0\n2,5;1\n", 0, 0, {1.5, 2.5}, 2, NY_FORM_COMMA},
    {"1,5;2,5;0\n2,5;3,5;1\n", 0, 0, {1.5, 2.5}, 2, NY_FORM_COMMA}, /* as many commas as semicolons */
    {"a;y\n1,234;0\n2,345;1\n", 0, 0, {1.234, 2.345}, 2, NY_FORM_COMMA},
    {"a,b,y\n\"1.234,5\",1,0\n\"1.234\",2,1\n", 0, 0, {1234.5, 1234}, 2, NY_FORM_COMMA},
    {"a,b,y\n\"1,234\",\"2,5\",0\n\"2,345\",\"3,5\",1\n", 0, 0, {1.234, 2.345}, 2, NY_FORM_COMMA}, /* b tells */
    {"a,b,y\n\"1,234\",2.5,0\n\"2,345\",3.5,1\n", 0, 0, {1234, 2345}, 2, NY_FORM_POINT},
    {"a,b,y\n\"1,234\",2,0\n\"2,345.5\",3,1\n", 0, 0, {1234, 2345.5}, 2, NY_FORM_POINT},
    {"a,y\n1.234,0\n2.345,1\n", 0, 0, {1.234, 2.345}, 2, NY_FORM_PLAIN},
    {"a,y\n\"1,234\",0\n\"2,345\",1\n", "decimal", ",", {1.234, 2.345}, 2, NY_FORM_COMMA},
    {"a,y\n\"1,234\",0\n\"2,345\",1\n", "decimal", ".", {1234, 2345}, 2, NY_FORM_POINT},
    {"a,y\n1.234,0\n2.345,1\n", "decimal", ",", {1234, 2345}, 2, NY_FORM_COMMA},
    {"a,y\n5%,0\n7.5%,1\n", 0, 0, {5, 7.5}, 2, NY_FORM_PERCENT},
    {"a,y\n2024-01-31,0\n1970-01-01,1\n", 0, 0, {19753, 0}, 2, NY_FORM_DATE},
    {"a,y\n31/12/2024,0\n01/02/2024,1\n", 0, 0, {20088, 19754}, 2, NY_FORM_DATE_DMY},
    {"a,y\n12/31/2024,0\n01/02/2024,1\n", 0, 0, {20088, 19724}, 2, NY_FORM_DATE_MDY},
    {"a,b,y\n01/02/2024,13/12/2023,0\n02/02/2024,12/12/2023,1\n", 0, 0, {19754, 19755}, 2, NY_FORM_DATE_DMY},
    {"a,y\n02/02/2024,0\n03/03/2024,1\n", 0, 0, {19755, 19785}, 2, NY_FORM_DATE_DMY}, /* the same either way */
    {"sep=;\na;y\n1,5;0\n2,5;1\n", 0, 0, {1.5, 2.5}, 2, NY_FORM_COMMA},
    {"sep=\t\r\na\ty\r\n1.5\t0\r\n2.5\t1\r\n", 0, 0, {1.5, 2.5}, 2, NY_FORM_PLAIN},
    {"a,y\n-,0\n2,1\n3,1\n", "na", "x,-", {NAN}, 0, NY_FORM_PLAIN}, /* refused below */
};

static void good_files(void **state) {
    (void)state;
    ny_ctx *ctx = ny_ctx_new();
    for (size_t i = 0; i < sizeof goods / sizeof *goods; i++) {
        const struct good *g = &goods[i];
        ny_status st;
        ny_data *data = read_text(ctx, g->text, (int64_t)strlen(g->text), g->option, g->value, NULL, &st);
        if (g->n == 0) {
            assert_int_equal(st, NY_ERR_DATA);
            assert_non_null(strstr(ny_message(ctx), "file:2:1: missing value"));
            continue;
        }
        if (st != NY_OK) fail_msg("%s: %s", g->text, ny_message(ctx));
        assert_int_equal(data->X.n, g->n);
        if (data->schema.column[0].form != g->form)
            fail_msg("%s: %s", g->text, ny_form_word(data->schema.column[0].form));
        for (int64_t k = 0; k < g->n; k++)
            if (data->X.x[k * data->X.d] != g->x[k])
                fail_msg("%s: row %d is %g", g->text, (int)k, data->X.x[k * data->X.d]);
        /* A model reads its own file in the same way, whatever else that might mean. */
        ny_data *again = read_text(ctx, g->text, (int64_t)strlen(g->text), NULL, NULL, &data->schema, &st);
        if (st != NY_OK) fail_msg("%s: %s", g->text, ny_message(ctx));
        assert_memory_equal(again->X.x, data->X.x, (size_t)(data->X.n * data->X.d) * sizeof(double));
        assert_true(!again->has_target || memcmp(again->y, data->y, (size_t)data->X.n * sizeof(double)) == 0);
        ny_data_free(again);
        ny_data_free(data);
    }
    ny_ctx_free(ctx);
}

static const struct bad {
    const char *text, *option, *value, *message;
} bads[] = {
    {"a,y\n\"1,234\",0\n\"2,345\",1\n", 0, 0, "file:2:1: '1,234' is 1234 or 1.234 (column \"a\")"},
    {"a,y\n\"1,234\",0\n\"2,345\",1\n", 0, 0, "--decimal . reads the first, --decimal , the second"},
    {"a;b;y\n1,234;2.5;0\n2,345;3.5;1\n", 0, 0, "file:2:1: '1,234' is 1234 or 1.234"},
    {"a,y\n01/02/2024,0\n03/04/2024,1\n", 0, 0, "file:2:1: '01/02/2024' has either the day or the month first"},
    {"a,y\n1%,0\n2%,1\n3,0\n", 0, 0, "file:4:1: '3' does not fit column \"a\", which holds percentages"},
    {"a;y\n1,5;0\n2,5;1\n2.5;1\n", 0, 0,
     "file:4:1: '2.5' does not fit column \"a\", which holds numbers with a decimal comma"},
    {"a,b,y\n1,2,0\n3,4,1\n", "ignore", "c", "file has no column \"c\""},
    {"a,b,y\n1,2,0\n3,4,1\n", "ignore", "y", "file: --ignore is for inputs, and column \"y\" is the target"},
    {"a,b,y\n1,2,0\n3,4,1\n", "ignore", "1,2", "has no input columns"},
    {"\xff\xfe"
     "a\0,\0",
     0, 0, "UTF-16"},
    {"PAR1\x15\x04\x15", 0, 0, "file is a Parquet file"},
    {"ARROW1\1\2", 0, 0, "file is an Arrow (Feather) file"},
    {"\x28\xb5\x2f\xfd....", 0, 0, "file is compressed by zstd; unpack it first (zstd -d)"},
    {"BZh91AY&SY\1\2", 0, 0, "file is compressed by bzip2"},
    {"\x80\x04\x95..", 0, 0, "file is a Python pickle"},
    {"\x89HDF\r\n\x1a\n", 0, 0, "file is an HDF5 file"},
    {"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", 0, 0, "file is an old Excel"},
    {"%PDF-1.4", 0, 0, "file is a PDF document"},
    {"{\"a\": 1}", 0, 0, "file is JSON"},
};

static void bad_files(void **state) {
    (void)state;
    ny_ctx *ctx = ny_ctx_new();
    for (size_t i = 0; i < sizeof bads / sizeof *bads; i++) {
        const struct bad *b = &bads[i];
        ny_status st;
        ny_data *data = read_text(ctx, b->text, (int64_t)strlen(b->text), b->option, b->value, NULL, &st);
        assert_null(data);
        if (!strstr(ny_message(ctx), b->message))
            fail_msg("%s\n  says     %s\n  expected %s", b->text, ny_message(ctx), b->message);
    }
    /* A text that only begins like a binary format is a text. */
    ny_status st;
    const char *text = "PAR1,ORC\n1,2\n3,4\n";
    ny_data *data = read_text(ctx, text, (int64_t)strlen(text), NULL, NULL, NULL, &st);
    must(ctx, st);
    ny_data_free(data);
    ny_ctx_free(ctx);
}

/* ---- what only later rows tell, whole and in passes --------------------------------------------------------- */

enum { EARLY = 3000 };

/* EARLY rows `early`, then `late`. */
static void write_late(const char *path, const char *header, const char *early, const char *late) {
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fprintf(f, "%s\n", header);
    for (int i = 0; i < EARLY; i++) fprintf(f, "%s,%d\n", early, i % 3);
    fprintf(f, "%s", late);
    fclose(f);
}

static void both_ways(ny_ctx *ctx, const char *path, double first, double last, ny_form form) {
    ny_options *options = ny_options_new(ctx);
    ny_data *whole = NULL, *shell = NULL, block = {0};
    must(ctx, ny_options_set(ctx, options, "stream", "no"));
    must(ctx, ny_data_open(ctx, path, options, NULL, &whole));
    assert_int_equal(whole->schema.column[0].form, form);
    assert_true(whole->X.x[0] == first && whole->X.x[(whole->X.n - 1) * whole->X.d] == last);
    must(ctx, ny_stream_open(ctx, path, options, &shell));
    assert_int_equal(shell->schema.column[0].form, form);
    assert_int_equal(shell->rows, whole->rows);
    assert_true(shell->schema.column[0].mean == whole->schema.column[0].mean);
    for (int pass = 0; pass < 2; pass++) {
        int64_t row = 0;
        must(ctx, ny_stream_rewind(ctx, shell->stream));
        for (;;) {
            must(ctx, ny_stream_next(ctx, shell->stream, 700, &block));
            if (block.X.n == 0) break;
            assert_memory_equal(block.X.x, whole->X.x + row * whole->X.d,
                                (size_t)(block.X.n * block.X.d) * sizeof(double));
            row += block.X.n;
        }
        assert_int_equal(row, whole->rows);
    }
    ny_data_clear(&block);
    ny_data_free(shell);
    ny_data_free(whole);
    ny_options_free(options);
}

static void late_rows(void **state) {
    (void)state;
    ny_ctx *ctx = ny_ctx_new();
    char path[] = "ny_forms_XXXXXX";
    close(mkstemp(path));
    write_late(path, "a,b,y", "7,1", "\"1,5\",1,0\n");
    both_ways(ctx, path, 7, 1.5, NY_FORM_COMMA);
    write_late(path, "a,b,y", "1.234,1", "\"1.234,5\",1,0\n"); /* so 1.234 was 1234 */
    both_ways(ctx, path, 1234, 1234.5, NY_FORM_COMMA);
    write_late(path, "a,b,y", "\"1,234\",1", "\"1,234\",2.5,0\n"); /* another column tells */
    both_ways(ctx, path, 1234, 1234, NY_FORM_POINT);
    write_late(path, "a,b,y", "01/02/2024,1", "01/31/2024,1,0\n");
    both_ways(ctx, path, 19724, 19753, NY_FORM_DATE_MDY);
    write_late(path, "a,b,y", "NA,1", ""); /* nothing before the last row */
    FILE *f = fopen(path, "a");
    for (int i = 0; i < 3; i++) fprintf(f, "%s,1,0\n", i % 2 ? "red" : "blue");
    fclose(f);
    ny_options *options = ny_options_new(ctx);
    ny_data *data = NULL;
    must(ctx, ny_options_set(ctx, options, "missing", "mean"));
    must(ctx, ny_data_open(ctx, path, options, NULL, &data));
    assert_int_equal(data->schema.column[0].levels, 2);
    ny_data_free(data);
    /* A target that is numbers but for late ones with a comma is no class. */
    f = fopen(path, "w");
    fprintf(f, "a,y\n");
    for (int i = 0; i < EARLY; i++) fprintf(f, "1,%d\n", i % 50);
    fprintf(f, "2,\"1,5\"\n");
    fclose(f);
    must(ctx, ny_data_open(ctx, path, options, NULL, &data));
    assert_true(data->numeric_target && data->y[EARLY] == 1.5);
    ny_data_free(data);
    /* A mistake stays one, at its place. */
    write_late(path, "a,b,y", "7.5,1", "oops,1,0\n");
    assert_int_equal(ny_data_open(ctx, path, options, NULL, &data), NY_ERR_DATA);
    assert_non_null(strstr(ny_message(ctx), ":3002:1: 'oops' is not a number"));
    unlink(path);
    ny_options_free(options);
    ny_ctx_free(ctx);
}

/* ---- identifiers -------------------------------------------------------------------------------------------- */

static void identifiers(void **state) {
    (void)state;
    assert_false(ny_mostly_unseen(4, 4));
    assert_true(ny_mostly_unseen(5, 5));
    assert_false(ny_mostly_unseen(100, 60));
    assert_true(ny_mostly_unseen(100, 61));
    ny_ctx *ctx = ny_ctx_new();
    char path[] = "ny_forms_XXXXXX";
    close(mkstemp(path));
    /* id counts the rows; name has nearly as many texts as rows; t counts them too, but may be a time. */
    FILE *f = fopen(path, "w");
    fprintf(f, "id,name,t,x,colour,y\n");
    for (int i = 0; i < 12000; i++)
        fprintf(f, "%d,n%d,%d,%d.5,%s,%d\n", i + 1, i, i + 7, i % 10, i % 2 ? "red" : "blue", i % 2);
    fclose(f);
    ny_options *options = ny_options_new(ctx);
    ny_data *whole = NULL, *shell = NULL, block = {0};
    must(ctx, ny_data_open(ctx, path, options, NULL, &whole));
    assert_int_equal(whole->schema.columns, 3);
    assert_int_equal(whole->X.d, 4);
    assert_int_equal(whole->schema.left_out, 2);
    assert_string_equal(whole->schema.left[0].name, "id");
    assert_string_equal(whole->schema.left[1].name, "name");
    assert_true(!whole->schema.left[1].asked && whole->schema.all_columns == 5 &&
                whole->schema.column[1].position == 3);
    const double row[] = {7 + 11999, 9.5, 0, 1};
    assert_memory_equal(whole->X.x + 11999 * 4, row, sizeof row);
    must(ctx, ny_stream_open(ctx, path, options, &shell));
    must(ctx, ny_stream_next(ctx, shell->stream, 12000, &block));
    assert_memory_equal(block.X.x, whole->X.x, 12000 * 4 * sizeof(double));
    ny_data_clear(&block);
    ny_data_free(shell);
    /* Without names the file is laid out by positions; the model knows which columns were left out. */
    ny_schema schema;
    must(ctx, ny_schema_copy(ctx, &whole->schema, &schema));
    schema.named = false;
    ny_status st;
    const char *new_row = "9,zoe,3,4.5,red\n8,max,4,5.5,blue\n";
    ny_data *data = read_text(ctx, new_row, (int64_t)strlen(new_row), "header", "no", &schema, &st);
    must(ctx, st);
    const double expected[] = {3, 4.5, 0, 1, 4, 5.5, 1, 0};
    assert_memory_equal(data->X.x, expected, sizeof expected);
    ny_data_free(data);
    ny_schema_clear(&schema);
    ny_data_free(whole);
    must(ctx, ny_options_set(ctx, options, "ignore", "name,x"));
    must(ctx, ny_data_open(ctx, path, options, NULL, &whole));
    assert_int_equal(whole->schema.left_out, 3);
    assert_true(whole->schema.left[1].asked && !whole->schema.left[0].asked);
    ny_data_free(whole);
    must(ctx, ny_options_set(ctx, options, "ignore", "none"));
    assert_int_equal(ny_data_open(ctx, path, options, NULL, &whole), NY_ERR_DATA);
    assert_non_null(strstr(ny_message(ctx), "column \"name\" has more than 10000 different texts"));
    unlink(path);
    ny_options_free(options);
    ny_ctx_free(ctx);
}

/* A few texts are categories; --categorical keeps what looks like an identifier; missing ones do not matter. */
static void small_identifiers(void **state) {
    (void)state;
    ny_ctx *ctx = ny_ctx_new();
    ny_status st;
    const char *text = "c,x,y\na,1.5,0\nb,2.5,1\nc,3.5,0\nd,4.5,1\ne,5.5,0\n,6.5,1\n";
    ny_data *data = read_text(ctx, text, (int64_t)strlen(text), NULL, NULL, NULL, &st);
    must(ctx, st);
    assert_int_equal(data->X.d, 1);
    assert_int_equal(data->X.n, 6);
    ny_data_free(data);
    const char *full = "c,x,y\na,1.5,0\nb,2.5,1\nc,3.5,0\nd,4.5,1\ne,5.5,0\n";
    data = read_text(ctx, full, (int64_t)strlen(full), "categorical", "c", NULL, &st);
    must(ctx, st);
    assert_int_equal(data->X.d, 6);
    ny_data_free(data);
    const char *four = "c,x,y\na,1.5,0\nb,2.5,1\nc,3.5,0\nd,4.5,1\n";
    data = read_text(ctx, four, (int64_t)strlen(four), NULL, NULL, NULL, &st);
    must(ctx, st);
    assert_int_equal(data->X.d, 5);
    ny_data_free(data);
    const char *only = "c,y\na,0\nb,1\nc,0\nd,1\ne,0\n";
    assert_null(read_text(ctx, only, (int64_t)strlen(only), NULL, NULL, NULL, &st));
    assert_non_null(strstr(ny_message(ctx), "no input columns but identifiers, as \"c\""));
    ny_ctx_free(ctx);
}

/* ---- words for missing values, targets, encodings ----------------------------------------------------------- */

static void missing_words(void **state) {
    (void)state;
    ny_ctx *ctx = ny_ctx_new();
    ny_options *options = ny_options_new(ctx);
    must(ctx, ny_options_set(ctx, options, "na", "unknown,-999"));
    must(ctx, ny_options_set(ctx, options, "missing", "drop"));
    const char *text = "a,b,y\n1,2,0\n-999.0,3,1\nunknown,4,1\n5,-999,0\n6,7,1\n";
    ny_source source;
    ny_data *data = NULL;
    must(ctx, ny_source_memory(ctx, "file", text, (int64_t)strlen(text), 0, &source));
    must(ctx, ny_data_from_source(ctx, &source, options, NULL, &data));
    ny_source_close(&source);
    const double expected[] = {1, 2, 6, 7};
    assert_int_equal(data->X.n, 2);
    assert_int_equal(data->dropped, 3);
    assert_memory_equal(data->X.x, expected, sizeof expected);
    assert_string_equal(data->schema.na, "unknown,-999");
    ny_status st; /* the model knows its words */
    ny_data *again = read_text(ctx, text, (int64_t)strlen(text), "missing", "drop", &data->schema, &st);
    must(ctx, st);
    assert_int_equal(again->X.n, 2);
    ny_data_free(again);
    ny_data_free(data);
    ny_options_free(options);
    ny_ctx_free(ctx);
}

static void questioned_targets(void **state) {
    (void)state;
    ny_ctx *ctx = ny_ctx_new();
    char *text = malloc(100000);
    ny_status st;
    ny_task task;
    long used = sprintf(text, "a,y\n");
    for (int i = 0; i < 40; i++) used += sprintf(text + used, "%d.5,name%d\n", i % 7, i);
    ny_data *data = read_text(ctx, text, used, NULL, NULL, NULL, &st);
    must(ctx, st);
    assert_int_equal(ny_data_task(ctx, data, NY_TASK_NONE, &task), NY_ERR_DATA);
    assert_non_null(strstr(ny_message(ctx), "the target \"y\" has 40 different texts"));
    must(ctx, ny_data_task(ctx, data, NY_TASK_MULTICLASS, &task));
    ny_data_free(data);
    used = sprintf(text, "a,y\n"); /* one mistake among numbers */
    for (int i = 0; i < 1000; i++) used += sprintf(text + used, "%d.5,%d\n", i % 7, i % 100);
    used += sprintf(text + used, "1,l00\n");
    data = read_text(ctx, text, used, NULL, NULL, NULL, &st);
    must(ctx, st);
    assert_int_equal(ny_data_task(ctx, data, NY_TASK_NONE, &task), NY_ERR_DATA);
    assert_non_null(strstr(ny_message(ctx), "most of them numbers, but 'l00' is none"));
    ny_data_free(data);
    used = sprintf(text, "a,y\n"); /* 26 letters are classes */
    for (int i = 0; i < 26 * 5; i++) used += sprintf(text + used, "%d.5,%c\n", i % 7, 'A' + i % 26);
    data = read_text(ctx, text, used, NULL, NULL, NULL, &st);
    must(ctx, st);
    must(ctx, ny_data_task(ctx, data, NY_TASK_NONE, &task));
    assert_int_equal(task, NY_TASK_MULTICLASS);
    ny_data_free(data);
    free(text);
    ny_ctx_free(ctx);
}

static void encodings(void **state) {
    (void)state;
    char out[16];
    assert_true(ny_utf8_valid("M\xc3\xbcller", 7));
    assert_false(ny_utf8_valid("M\xfcller", 6));
    assert_false(ny_utf8_valid("\xc0\x80", 2));
    assert_false(ny_utf8_valid("\xed\xa0\x80", 3));
    assert_false(ny_utf8_valid("\xc3", 1));
    assert_int_equal(ny_utf8_from_1252("\x80\xfc", 2, out), 5);
    assert_memory_equal(out, "\xe2\x82\xac\xc3\xbc", 5);
    ny_ctx *ctx = ny_ctx_new();
    ny_status st;
    const char *text =
        "gr\xf6\xdf"
        "e,ort,y\n1.5,\"M\xfcnchen \"\"S\xfc"
        "d\"\"\",\xe4\n2.5,K\xf6ln,b\n";
    ny_data *data = read_text(ctx, text, (int64_t)strlen(text), NULL, NULL, NULL, &st);
    must(ctx, st);
    assert_string_equal(data->schema.column[0].name,
                        "gr\xc3\xb6\xc3\x9f"
                        "e");
    assert_string_equal(data->schema.column[1].level[1],
                        "M\xc3\xbcnchen \"S\xc3\xbc"
                        "d\"");
    assert_string_equal(data->label[1], "\xc3\xa4");
    ny_data_free(data);
    ny_ctx_free(ctx);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(spelt),         cmocka_unit_test(good_files),         cmocka_unit_test(bad_files),
        cmocka_unit_test(late_rows),     cmocka_unit_test(identifiers),        cmocka_unit_test(small_identifiers),
        cmocka_unit_test(missing_words), cmocka_unit_test(questioned_targets), cmocka_unit_test(encodings),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

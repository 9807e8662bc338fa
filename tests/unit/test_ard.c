/* test_ard.c: --ard and --select-inputs from data to predictions: which columns stay, what the model asks of a file
 * then, sparse and streamed rows, stops. The gradient itself is in identity/test_relevance.c. */
#include "support.h"

#include <math.h>

#include "model/record.h"
#include "table/data.h"

enum { N = 240, COLUMNS = 6 };

/* Two columns of numbers and one of categories matter, two and one do not. */
static const char *const names[] = {"wave", "noise", "colour", "other", "slope", "shape"};
static const bool relevant[] = {true, false, true, false, true, false};
static const char *const colours[] = {"blue", "green", "red"}, *const shapes[] = {"round", "square"};

typedef struct {
    double wave, noise, other, slope, y;
    int colour, shape;
} record;

static record row_of(int i) {
    ny_rng rng = ny_rng_make(3, NY_RNG_TEST, (uint32_t)i);
    record r = {.colour = (int)ny_rng_below(&rng, 3), .shape = (int)ny_rng_below(&rng, 2)};
    r.wave = ny_rng_normal(&rng);
    r.noise = ny_rng_normal(&rng);
    r.other = 5 * ny_rng_normal(&rng);
    r.slope = 3 * ny_rng_normal(&rng);
    r.y = 10 + 2 * sin(2 * r.wave) + r.colour * r.colour + 0.4 * r.slope + 0.2 * ny_rng_normal(&rng);
    return r;
}

/* kind: 0 numbers, 2 or 3 classes. header, dropped: whether the names, the irrelevant columns are there; target: at the
 * end, or not at all. Categories are numbers where there is no header, so that .npy files can hold the same. */
static char *table(int kind, bool header, bool all, bool target) {
    char *text = malloc(N * 200), *at = text;
    for (int c = 0; c < COLUMNS && header; c++)
        if (all || relevant[c]) at += sprintf(at, "%s,", names[c]);
    if (header) at += sprintf(at - !target, target ? "y\n" : "\n") - !target;
    for (int i = 0; i < N; i++) {
        record r = row_of(i);
        at += sprintf(at, "%.17g,", r.wave);
        if (all) at += sprintf(at, "%.17g,", r.noise);
        at += header ? sprintf(at, "%s,", colours[r.colour]) : sprintf(at, "%d,", r.colour);
        if (all) at += sprintf(at, "%.17g,", r.other);
        at += sprintf(at, "%.17g,", r.slope);
        if (all) at += header ? sprintf(at, "%s,", shapes[r.shape]) : sprintf(at, "%d,", r.shape);
        double y = kind == 0 ? r.y : kind == 2 ? r.y > 11.5 : (r.y > 10.5) + (r.y > 12.5);
        if (target) at += sprintf(at, kind ? "class%g\n" : "%.17g\n", y);
        else at += sprintf(at - 1, "\n") - 1;
    }
    char *file = write_file(".csv", text, -1);
    free(text);
    return file;
}

static ny_data *read_as(ny_ctx *ctx, const char *file, const ny_options *options, const ny_model *model) {
    ny_data *data = NULL;
    must(ctx, ny_data_read(ctx, file, options, model, &data));
    return data;
}

static ny_model *train_file(ny_ctx *ctx, const char *file, ny_options *options) {
    ny_data *data = read_as(ctx, file, options, NULL);
    ny_model *model = train_with_options(ctx, data, options);
    ny_data_free(data);
    return model;
}

static void discard(char *file) {
    remove(file);
    free(file);
}

/* ---- which columns stay ------------------------------------------------------------------------------------------ */

static void check_columns(const ny_model *model) {
    const ny_record *r = model->record;
    double largest = 0;
    assert_int_equal(r->columns, COLUMNS);
    for (int c = 0; c < COLUMNS; c++) {
        assert_string_equal(r->column[c].name, names[c]);
        if (r->column[c].kept != relevant[c]) fail_msg("%s: kept %d", names[c], r->column[c].kept);
        assert_true(r->column[c].kept == (r->column[c].relevance > 0));
        largest = fmax(largest, r->column[c].relevance);
    }
    assert_true(largest == 1);
    assert_int_equal(model->schema.columns, 3);
    assert_int_equal(model->schema.inputs, 5);
    assert_int_equal(model->schema.all_columns, 6);
    assert_int_equal(model->schema.all_inputs, 9);
    assert_int_equal(model->f.Z.d, 5);
    assert_int_equal(r->inputs, 5);
}

static void test_irrelevant_columns_go(void **state) {
    (void)state;
    const int kinds[] = {0, 2, 3};
    ny_ctx *ctx = ny_ctx_new();
    for (int k = 0; k < 3; k++) {
        char *file = table(kinds[k], true, true, true);
        ny_model *model =
            train_file(ctx, file, make_options(ctx, "select-inputs", "yes", "kernel", "rbf", "landmarks", "80", NULL));
        ny_model *plain = train_file(ctx, file, make_options(ctx, "kernel", "rbf", "landmarks", "80", NULL));
        check_columns(model);
        assert_int_equal(plain->record->columns, 0);
        assert_true(model->record->expected.value < 0.8 * plain->record->expected.value);
        char *text = NULL;
        must(ctx, ny_model_summary(ctx, model, &text));
        assert_non_null(strstr(text, "dropped         3 of 6 columns: noise, other, shape\n"));
        ny_text_free(text);
        ny_model_free(model);
        ny_model_free(plain);
        discard(file);
    }
    ny_ctx_free(ctx);
}

/* --ard alone keeps every column, and one scale serves all inputs of a category. */
/* Each of the three columns that matter is worth some 400 nats here. */
static void test_threshold(void **state) {
    (void)state;
    static const char *const nats[] = {"0", "0.5", "300", "600"};
    int64_t kept[4] = {0};
    for (int k = 0; k < 4; k++) {
        ny_ctx *ctx = ny_ctx_new();
        char *file = table(0, true, true, true);
        ny_model *model = train_file(ctx, file,
                                     make_options(ctx, "select-inputs", "yes", "kernel", "rbf", "landmarks", "80",
                                                  "select-threshold", nats[k], NULL));
        for (int64_t c = 0; c < COLUMNS; c++) kept[k] += model->record->column[c].kept;
        if (k == 1) check_columns(model);
        ny_model_free(model);
        ny_ctx_free(ctx);
        discard(file);
    }
    assert_true(kept[0] >= 3 && kept[1] == 3 && kept[2] == 3 && kept[3] == 1);
}

static void test_relevance_alone(void **state) {
    (void)state;
    ny_ctx *ctx = ny_ctx_new();
    char *file = table(0, true, true, true);
    ny_model *model =
        train_file(ctx, file, make_options(ctx, "ard", "yes", "kernel", "matern52", "landmarks", "80", NULL));
    const double *f = model->factor;
    assert_int_equal(model->schema.columns, 6);
    assert_int_equal(model->schema.all_columns, 0);
    assert_true(f[2] == f[3] && f[3] == f[4] && f[7] == f[8] && f[2] != f[7]);
    double least = 1, most = 0;
    for (int c = 0; c < COLUMNS; c++) {
        double relevance = model->record->column[c].relevance;
        assert_true(model->record->column[c].kept);
        if (relevant[c]) least = fmin(least, relevance);
        else most = fmax(most, relevance);
    }
    if (!(least > 2 * most)) fail_msg("relevance of at least %g where it matters, up to %g where not", least, most);
    ny_model_free(model);
    discard(file);
    ny_ctx_free(ctx);
}

static void test_any_number_of_threads(void **state) {
    (void)state;
    ny_ctx *ctx = ny_ctx_new();
    char *file = table(3, true, true, true);
    ny_model *one = train_file(ctx, file, make_options(ctx, "ard", "yes", "threads", "1", "landmarks", "40", NULL));
    ny_model *two = train_file(ctx, file, make_options(ctx, "ard", "yes", "threads", "2", "landmarks", "40", NULL));
    for (int c = 0; c < COLUMNS; c++)
        assert_close(two->record->column[c].relevance, one->record->column[c].relevance, 0);
    ny_model_free(one);
    ny_model_free(two);
    discard(file);
    ny_ctx_free(ctx);
}

/* ---- what the model asks of a file ------------------------------------------------------------------------------- */

static void predict_file(ny_ctx *ctx, const ny_model *model, const char *file, const char *target, double *f) {
    ny_options *options = make_options(ctx, "target", target, NULL);
    ny_data *data = read_as(ctx, file, options, model);
    assert_int_equal(data->X.n, N);
    assert_int_equal(data->X.d, model->schema.inputs);
    must(ctx, ny_predict(ctx, model, data, NULL, f, NULL, NULL));
    ny_data_free(data);
    ny_options_free(options);
}

/* The file of the training, with and without its target, and files of the kept columns only: all the same. */
static void same_predictions(bool header, const char *categorical) {
    ny_ctx *ctx = ny_ctx_new();
    static double expected[N], f[N];
    char *file = table(0, header, true, true);
    ny_options *options =
        make_options(ctx, "select-inputs", "yes", "kernel", "rbf", "landmarks", "80", "categorical", categorical, NULL);
    ny_data *data = read_as(ctx, file, options, NULL);
    ny_model *model = train_with_options(ctx, data, options), *loaded = NULL;
    assert_int_equal(model->schema.columns, 3);
    must(ctx, ny_predict(ctx, model, data, NULL, expected, NULL, NULL)); /* the data of the training, in memory */
    ny_data_free(data);
    char *saved = write_file(".nysel", "", 0);
    must(ctx, ny_model_save(ctx, model, saved));
    must(ctx, ny_model_load(ctx, saved, &loaded));
    assert_int_equal(loaded->schema.all_inputs, model->schema.all_inputs);
    assert_int_equal(loaded->record->columns, COLUMNS);
    for (int k = 0; k < 4; k++) {
        char *other = table(0, header, k < 2, k % 2 == 0);
        predict_file(ctx, loaded, other, "", f);
        for (int i = 0; i < N; i++) assert_close(f[i], expected[i], 1e-12);
        discard(other);
    }
    char *other = table(0, false, false, true); /* told: no header, the kept columns and a target */
    if (!header) {
        predict_file(ctx, loaded, other, "4", f);
        for (int i = 0; i < N; i++) assert_close(f[i], expected[i], 1e-12);
    }
    discard(other);
    discard(saved);
    discard(file);
    ny_model_free(loaded);
    ny_model_free(model);
    ny_ctx_free(ctx);
}

static void test_kept_columns_are_enough(void **state) {
    (void)state;
    same_predictions(true, "");
    same_predictions(false, "3,6");
    same_predictions(false, "");
}

static void test_wrong_number_of_columns(void **state) {
    (void)state;
    ny_ctx *ctx = ny_ctx_new();
    char *file = table(0, false, true, true), *wrong = write_file(".csv", "1,2,3,4,5\n2,3,4,5,6\n", -1);
    ny_model *model =
        train_file(ctx, file, make_options(ctx, "select-inputs", "yes", "kernel", "rbf", "landmarks", "80", NULL));
    ny_data *data = NULL;
    assert_int_equal(ny_data_read(ctx, wrong, model->options, model, &data), NY_ERR_DATA);
    assert_non_null(strstr(ny_message(ctx), "the model needs 3 inputs, or all 6 of its training file"));
    char *svm = write_file(".svm", "1 1:2 2:3\n2 1:3 3:4\n", -1);
    assert_int_equal(ny_data_read(ctx, svm, model->options, model, &data), NY_ERR_DATA);
    assert_non_null(strstr(ny_message(ctx), "keeps 3 of 6"));
    discard(svm);
    discard(wrong);
    discard(file);
    ny_model_free(model);
    ny_ctx_free(ctx);
}

/* ---- sparse inputs, rows in passes, stops ------------------------------------------------------------------------ */

static char *sparse_table(int inputs) {
    char *text = malloc(N * 100), *at = text;
    for (int i = 0; i < N; i++) {
        record r = row_of(i);
        at += sprintf(at, "%d %d:%g %d:1", r.wave + r.colour > 0.5, r.colour + 1, 0.5 + r.colour, 4);
        at += sprintf(at, " 6:%g %d:%g\n", r.wave, i % 2 ? 8 : inputs, r.noise);
    }
    char *file = write_file(".svm", text, -1);
    free(text);
    return file;
}

static void test_sparse(void **state) {
    (void)state;
    ny_ctx *ctx = ny_ctx_new();
    char *file = sparse_table(40), *wide = sparse_table(3000000);
    ny_model *model =
        train_file(ctx, file, make_options(ctx, "select-inputs", "yes", "kernel", "rbf", "landmarks", "80", NULL));
    assert_int_equal(model->schema.inputs, 40);
    assert_int_equal(model->record->columns, 40);
    assert_string_equal(model->record->column[5].name, "6");
    assert_true(model->record->column[5].kept && model->factor[5] > 0);
    assert_true(!model->record->column[7].kept && model->factor[7] == 0);
    ny_options *options = make_options(ctx, "ard", "yes", NULL);
    ny_data *data = read_as(ctx, wide, options, NULL);
    ny_model *none = NULL;
    assert_int_equal(ny_train(ctx, data, options, &none), NY_ERR_MEMORY);
    assert_non_null(strstr(ny_message(ctx), "240 rows of 3000000 inputs"));
    ny_data_free(data);
    ny_options_free(options);
    ny_model_free(model);
    discard(file);
    discard(wide);
    ny_ctx_free(ctx);
}

static void test_rows_in_passes(void **state) {
    (void)state;
    ny_ctx *ctx = ny_ctx_new();
    char *file = table(0, true, true, true);
    ny_model *model = train_file(
        ctx, file,
        make_options(ctx, "select-inputs", "yes", "kernel", "rbf", "stream", "yes", "landmarks", "80", NULL));
    assert_int_equal(model->schema.columns, 6);
    assert_true(model->factor[0] > 0 && model->factor[1] == 0 && model->factor[7] == 0);
    ny_model *memory =
        train_file(ctx, file, make_options(ctx, "select-inputs", "yes", "kernel", "rbf", "landmarks", "80", NULL));
    assert_true(fabs(model->record->expected.error / memory->record->expected.error - 1) < 0.1); /* 0.2 is the noise */
    assert_true(model->record->expected.error > 0.15 && model->record->expected.error < 0.25);
    ny_model_free(memory);
    ny_model_free(model);
    discard(file);
    ny_ctx_free(ctx);
}

static void test_a_stop_gives_a_model(void **state) {
    (void)state;
    ny_ctx *ctx = ny_ctx_new();
    char *file = table(0, true, true, true);
    ny_options *options = make_options(ctx, "select-inputs", "yes", NULL);
    ny_data *data = read_as(ctx, file, options, NULL);
    must(ctx, ny_options_set(ctx, options, "time-limit", "1e-9")); /* for the training: reading would not end */
    ny_model *model = NULL;
    assert_int_equal(ny_train(ctx, data, options, &model), NY_STOPPED);
    assert_non_null(model);
    assert_int_equal(model->record->columns, COLUMNS);
    ny_model_free(model);
    ny_data_free(data);
    ny_options_free(options);
    discard(file);
    ny_ctx_free(ctx);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_irrelevant_columns_go),
        cmocka_unit_test(test_threshold),
        cmocka_unit_test(test_relevance_alone),
        cmocka_unit_test(test_any_number_of_threads),
        cmocka_unit_test(test_kept_columns_are_enough),
        cmocka_unit_test(test_wrong_number_of_columns),
        cmocka_unit_test(test_sparse),
        cmocka_unit_test(test_rows_in_passes),
        cmocka_unit_test(test_a_stop_gives_a_model),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

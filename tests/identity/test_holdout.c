/* test_holdout.c: a training by --criterion holdout against a training on the rows that stay, tested on those that do
 * not; which rows these are; what they have to do with the final machine; rows of a file; the column of a path. */
#include <math.h>

#include "model/record.h"
#include "read/folds.h"
#include "support.h"
#include "train/regpath.h"

enum { ROWS = 150, STAY = 105 };

/* Rows first .. first + count of dense data as data of their own. */
static ny_data *some(ny_ctx *ctx, const ny_data *data, bool classes, int64_t first, int64_t count) {
    ny_data *part = NULL;
    const char *label[ROWS];
    const double *X = data->X.x + first * data->X.d;
    for (int64_t i = 0; i < count && classes; i++) label[i] = data->label[data->code[first + i]];
    if (classes) must(ctx, ny_data_from_labels(ctx, count, data->X.d, X, label, &part));
    else must(ctx, ny_data_from_rows(ctx, count, data->X.d, X, data->y + first, &part));
    return part;
}

static ny_model *train(ny_ctx *ctx, const ny_data *data, const char *machine, const char *multiclass, const char *C,
                       const char *folds) {
    return train_with_options(ctx, data,
                              make_options(ctx, "machine", machine, "kernel", "rbf", "bandwidth", "1.5", "scale",
                                           "none", "landmarks", "all", "rank-tol", "1e-14", "multiclass", multiclass,
                                           "C", C, "criterion", folds ? "holdout" : "cv", folds ? "fold-file" : "folds",
                                           folds ? folds : "3", "search", "none", "proba-method", "calibration", NULL));
}

/* The error in the record, and for a choice of C the one that the rows held out ask for. */
static void test_error_is_that_of_unseen_rows(void **state) {
    (void)state;
    static const struct {
        const char *demo, *machine, *multiclass;
    } cases[] = {{"mixture", "lssvm", "ova"},    {"mixture", "svm", "ova"},    {"mixture", "l2svm", "ova"},
                 {"waveform", "lssvm", "ova"},   {"waveform", "lssvm", "ovo"}, {"sinc", "krr", "ova"},
                 {"mixture", "logistic", "ova"}, {"sinc", "lssvm", "ova"}};
    char numbers[4 * ROWS] = "";
    ny_ctx *ctx = ny_ctx_new();
    for (int i = 0; i < ROWS; i++) strcat(numbers, i < STAY ? "1\n" : "2\n");
    char *folds = write_file(".folds", numbers, -1);
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        ny_data *data = NULL;
        must(ctx, ny_data_generate(ctx, cases[k].demo, ROWS, 4, &data));
        bool classes = strcmp(cases[k].demo, "sinc") != 0;
        ny_data *stay = some(ctx, data, classes, 0, STAY), *out = some(ctx, data, classes, STAY, ROWS - STAY);
        ny_model *whole = train(ctx, data, cases[k].machine, cases[k].multiclass, "2", folds);
        ny_model *part = train(ctx, stay, cases[k].machine, cases[k].multiclass, "2", NULL);
        ny_model *plain = train(ctx, data, cases[k].machine, cases[k].multiclass, "2", NULL);
        double said[ROWS], a[ROWS * 3], b[ROWS * 3], wrong = 0;
        must(ctx, ny_predict(ctx, part, out, NULL, said, NULL, NULL));
        for (int64_t i = 0; i < ROWS - STAY; i++) {
            bool same = classes && strcmp(part->label[(int)said[i]], data->label[data->code[STAY + i]]) == 0;
            double e = classes ? 0 : said[i] - data->y[STAY + i];
            wrong += classes ? !same : e * e;
        }
        wrong /= ROWS - STAY;
        print_message("%s %s %s\n", cases[k].demo, cases[k].machine, cases[k].multiclass);
        assert_close(whole->record->expected.error, classes ? wrong : sqrt(wrong), 1e-5);
        assert_true(whole->record->expected.error_lower < whole->record->expected.error &&
                    whole->record->expected.error < whole->record->expected.error_upper);
        must(ctx, ny_predict(ctx, whole, out, NULL, NULL, NULL, a)); /* the final machine has learnt from all rows */
        must(ctx, ny_predict(ctx, plain, out, NULL, NULL, NULL, b));
        for (int64_t i = 0; i < ROWS - STAY; i++) assert_close(a[i], b[i], 1e-5);
        ny_model_free(whole);
        ny_model_free(part);
        ny_model_free(plain);
        ny_data_free(stay);
        ny_data_free(out);
        ny_data_free(data);
    }
    remove(folds);
    free(folds);
    ny_ctx_free(ctx);
}

/* C of a range by --select-on mse: the least squared error of the rows held out, whatever the others would say. */
static void test_choice_of_C(void **state) {
    (void)state;
    static const char *const machines[] = {"krr", "svr"};
    ny_ctx *ctx = ny_ctx_new();
    ny_data *data = NULL;
    must(ctx, ny_data_generate(ctx, "sinc", ROWS, 4, &data));
    for (int k = 0; k < 2; k++) {
        double least = INFINITY, best = 0;
        char C[32];
        for (int c = -4; c <= 8; c += 2) {
            snprintf(C, sizeof C, "%.17g", exp2(c));
            ny_model *m = train_with_options(
                ctx, data,
                make_options(ctx, "machine", machines[k], "kernel", "rbf", "bandwidth", "1.5", "search", "none", "C", C,
                             "criterion", "holdout", "validation", "0.3", NULL));
            if (m->record->expected.value < least) least = m->record->expected.value, best = exp2(c);
            ny_model_free(m);
        }
        ny_model *m =
            train_with_options(ctx, data,
                               make_options(ctx, "machine", machines[k], "kernel", "rbf", "bandwidth", "1.5", "search",
                                            "none", "C", "-4:8:2", "criterion", "holdout", "validation", "0.3", NULL));
        assert_close(m->C[0], best, 1e-12);
        if (k == 0) assert_close(m->record->expected.value, pow(m->record->expected.error, 2), 1e-12);
        assert_close(m->record->expected.value, least, 1e-3);
        ny_model_free(m);
    }
    ny_data_free(data);
    ny_ctx_free(ctx);
}

/* ---- a file of its own ------------------------------------------------------------------------------------------- */

/* Some rows as a CSV file: inputs, the target or its label, and unless NULL the weights. */
static char *csv_of(const ny_data *data, bool classes, const int64_t *rows, int64_t count, const double *weight) {
    static char text[200 * ROWS * 4];
    char *at = text;
    for (int64_t j = 0; j < data->X.d; j++) at += sprintf(at, "x%d,", (int)j + 1);
    at += sprintf(at, weight ? "y,v\n" : "y\n");
    for (int64_t i = 0; i < count; i++) {
        int64_t row = rows[i];
        for (int64_t j = 0; j < data->X.d; j++) at += sprintf(at, "%.17g,", data->X.x[j + row * data->X.d]);
        if (classes) at += sprintf(at, "%s", data->label[data->code[row]]);
        else at += sprintf(at, "%.17g", data->y[row]);
        at += weight ? sprintf(at, ",%.17g\n", weight[row]) : sprintf(at, "\n");
    }
    return write_file(".csv", text, -1);
}

static ny_data *read_csv(ny_ctx *ctx, const char *path, bool weights) {
    ny_data *data = NULL;
    ny_options *o = make_options(ctx, "target", "y", "weight-column", weights ? "v" : NULL, NULL);
    must(ctx, ny_data_read(ctx, path, o, NULL, &data));
    ny_options_free(o);
    return data;
}

/* Rows of the file are judged by, with their weights, as `nysel test` would, and never learnt from: the model is that
 * of the other rows alone, scaling and landmarks included. */
static void test_file(void **state) {
    (void)state;
    static const struct {
        const char *demo, *machine, *multiclass, *landmarks, *rank, *bias;
    } cases[] = {{"mixture", "lssvm", "ova", "all", NULL, NULL},    {"mixture", "svm", "ova", "40", NULL, "none"},
                 {"mixture", "l2svm", "ova", "all", NULL, NULL},    {"waveform", "lssvm", "ova", "40", "30", NULL},
                 {"waveform", "lssvm", "ovo", "all", NULL, NULL},   {"waveform", "svm", "ovo", "40", NULL, NULL},
                 {"sinc", "krr", "ova", "all", NULL, NULL},         {"mixture", "logistic", "ova", "30", NULL, NULL},
                 {"sinc", "lssvm", "ova", "30", NULL, "penalised"}, {"sinc", "huber", "ova", "all", NULL, NULL},
                 {"sinc", "svr", "ova", "40", NULL, NULL}};
    ny_ctx *ctx = ny_ctx_new();
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        ny_data *data = NULL;
        ny_rng rng = ny_rng_make(3, NY_RNG_TEST, (uint32_t)k);
        must(ctx, ny_data_generate(ctx, cases[k].demo, ROWS, 4, &data));
        bool classes = strcmp(cases[k].demo, "sinc") != 0;
        double weight[ROWS], said[ROWS], a[3 * ROWS], b[3 * ROWS], wrong = 0, sum = 0;
        int64_t order[ROWS];
        for (int64_t i = 0; i < ROWS; i++) order[i] = i, weight[i] = (double)(1 + ny_rng_below(&rng, 4));
        weight[STAY + 2] = 0;
        char *stay = csv_of(data, classes, order, STAY, weight);
        char *out = csv_of(data, classes, order + STAY, ROWS - STAY, weight);
        ny_data *learn = read_csv(ctx, stay, true), *judge = read_csv(ctx, out, true);
        ny_model *model[2];
        for (int file = 0; file < 2; file++)
            model[file] = train_with_options(
                ctx, learn,
                make_options(ctx, "machine", cases[k].machine, "kernel", "rbf", "bandwidth", "1.5", "bias",
                             cases[k].bias, "landmarks", cases[k].landmarks, "rank", cases[k].rank, "multiclass",
                             cases[k].multiclass, "C", "2", "search", "none", "weight-column", "v", "target", "y",
                             "criterion", file ? "holdout" : "cv", file ? "validation" : "folds", file ? out : "3",
                             "proba-method", "calibration", NULL));
        must(ctx, ny_predict(ctx, model[0], judge, NULL, said, NULL, a));
        must(ctx, ny_predict(ctx, model[1], judge, NULL, NULL, NULL, b));
        for (int64_t i = 0; i < ROWS - STAY; i++) {
            const char *label = classes ? data->label[data->code[STAY + i]] : "";
            double e =
                classes ? strcmp(model[0]->label[(int)said[i]], label) != 0 : pow(said[i] - data->y[STAY + i], 2);
            wrong += weight[STAY + i] * e;
            sum += weight[STAY + i];
        }
        print_message("%s %s %s: %g\n", cases[k].demo, cases[k].machine, cases[k].multiclass, wrong / sum);
        assert_close(model[1]->record->expected.error, classes ? wrong / sum : sqrt(wrong / sum), 1e-5);
        assert_int_equal(model[1]->record->rows, STAY);
        for (int64_t i = 0; i < ROWS - STAY; i++) assert_close(b[i], a[i], 1e-4);
        for (int file = 0; file < 2; file++) ny_model_free(model[file]);
        ny_data_free(learn);
        ny_data_free(judge);
        ny_data_free(data);
        remove(stay), free(stay);
        remove(out), free(out);
    }
    ny_ctx_free(ctx);
}

/* The machine without bias at one point: f = K(out, stay) (K + I/C)^-1 y, and its mean squared error on the others. */
static double squared_anew(const ny_data *data, const int64_t *rows, int64_t stay, double sigma, double C) {
    static double A[ROWS * ROWS], alpha[ROWS];
    double sum = 0;
    for (int64_t a = 0; a < ROWS; a++) {
        double f = 0;
        for (int64_t b = 0; b < stay; b++) {
            double d2 = 0;
            for (int64_t j = 0; j < data->X.d; j++)
                d2 += pow(data->X.x[j + rows[a] * data->X.d] - data->X.x[j + rows[b] * data->X.d], 2);
            double value = exp(-d2 / (2 * sigma * sigma));
            if (a < stay) A[a + b * stay] = value + (a == b ? 1 / C : 0);
            else f += value * alpha[b];
        }
        if (a < stay) alpha[a] = data->y[rows[a]];
        if (a == stay - 1) dense_solve(stay, 1, A, alpha);
        if (a >= stay) sum += pow(f - data->y[rows[a]], 2);
    }
    return sum / (double)(ROWS - stay);
}

/* A file with the rows that a share would have held out gives the same choice, which is that of a dense machine. */
static void test_file_and_share(void **state) {
    (void)state;
    enum { FOLDS = 10, HELD = 3 };
    ny_ctx *ctx = ny_ctx_new();
    ny_data *data = NULL;
    int32_t fold[ROWS];
    int64_t rows[ROWS], stay = 0, at = 0;
    must(ctx, ny_data_generate(ctx, "sinc", ROWS, 4, &data));
    must(ctx, ny_folds_make(ctx, ROWS, NULL, 0, FOLDS, 1, fold));
    for (int side = 0; side < 2; side++)
        for (int64_t i = 0; i < ROWS; i++)
            if ((fold[i] < HELD) == side) rows[at++] = i, stay += !side;
    char *learn = csv_of(data, false, rows, stay, NULL), *out = csv_of(data, false, rows + stay, ROWS - stay, NULL);
    ny_data *part = read_csv(ctx, learn, false);
    static const char *const machines[] = {"krr", "lssvm", "huber"};
    for (int k = 0; k < 3; k++) {
        ny_model *model[2];
        for (int file = 0; file < 2; file++)
            model[file] =
                train_with_options(ctx, file ? part : data,
                                   make_options(ctx, "machine", machines[k], "kernel", "rbf", "bandwidth", "-2:3:1",
                                                "scale", "none", "landmarks", "all", "search", "grid", "C", "-4:8:2",
                                                "criterion", "holdout", "validation", file ? out : "0.3", NULL));
        print_message("%s: sigma %g and %g, C %g and %g, value %g and %g\n", machines[k], model[0]->f.kernel.bandwidth,
                      model[1]->f.kernel.bandwidth, model[0]->C[0], model[1]->C[0], model[0]->record->expected.value,
                      model[1]->record->expected.value);
        assert_close(model[1]->f.kernel.bandwidth, model[0]->f.kernel.bandwidth, 1e-12);
        assert_close(model[1]->C[0], model[0]->C[0],
                     k < 2 ? 1e-12 : 0.2); /* huber: in units of the noise of its rows */
        if (k < 2) assert_close(model[1]->record->expected.value, model[0]->record->expected.value, 1e-6);
        double least = INFINITY, sigma = 0, C = 0;
        for (int s = -2; s <= 3 && k == 0; s++)
            for (int c = -4; c <= 8; c += 2) {
                double value = squared_anew(data, rows, stay, exp2(s), exp2(c));
                if (value < least) least = value, sigma = exp2(s), C = exp2(c);
            }
        if (k == 0) {
            assert_close(model[1]->f.kernel.bandwidth, sigma, 1e-12);
            assert_close(model[1]->C[0], C, 1e-12);
            assert_close(model[1]->record->expected.value, least, 1e-6);
        }
        for (int file = 0; file < 2; file++) ny_model_free(model[file]);
    }
    ny_data_free(part);
    ny_data_free(data);
    remove(learn), free(learn);
    remove(out), free(out);
    ny_ctx_free(ctx);
}

/* ---- along the path ---------------------------------------------------------------------------------------------- */

/* The hold-out column of a path is the error of l2-SVMs that are trained anew on the other rows, at the C of some of
 * its breakpoints; with a file, and with the rows that a share sets apart. */
static void test_path_column(void **state) {
    (void)state;
    enum { FOLDS = 10, HELD = 3 };
    ny_ctx *ctx = ny_ctx_new();
    for (int k = 0; k < 4; k++) {
        bool file = k & 1, none = k & 2;
        ny_data *data = NULL;
        int32_t fold[ROWS];
        int64_t rows[ROWS], stay = 0, at = 0;
        double weight[ROWS], said[ROWS];
        must(ctx, ny_data_generate(ctx, "mixture", ROWS, 4, &data));
        must(ctx, ny_folds_make(ctx, ROWS, data->code, 2, FOLDS, 1, fold));
        for (int64_t i = 0; i < ROWS; i++) weight[i] = (double)(1 + i % 3);
        for (int side = 0; side < 2; side++)
            for (int64_t i = 0; i < ROWS; i++)
                if ((fold[i] < HELD) == side) rows[at++] = i, stay += !side;
        char *learn = csv_of(data, true, rows, stay, weight);
        char *out = csv_of(data, true, rows + stay, ROWS - stay, weight);
        for (int64_t i = 0; i < ROWS; i++) rows[i] = i;
        char *every = csv_of(data, true, rows, ROWS, weight);
        ny_data *part = read_csv(ctx, learn, true), *judge = read_csv(ctx, out, true),
                *all = read_csv(ctx, every, true);
        ny_options *o = make_options(ctx, "kernel", "rbf", "bandwidth", "0.8", "landmarks", "all", "weight-column", "v",
                                     "target", "y", "class-weight", "-1=2", "bias", none ? "none" : NULL, "lambda-max",
                                     "100", "lambda-min", "0.01", "validation", file ? out : "0.3", NULL);
        ny_regpath path;
        double differ = 0, least = 1, most = 0;
        must(ctx, ny_regpath_make(ctx, file ? part : all, o, &path));
        ny_options_free(o);
        assert_int_equal(path.model->record->rows, stay);
        for (int64_t b = 0; b < path.count; b += 5) {
            char C[32];
            double wrong = 0, sum = 0;
            snprintf(C, sizeof C, "%.17g", 2 / path.at[b].lambda);
            ny_model *model = train_with_options(
                ctx, part,
                make_options(ctx, "machine", "l2svm", "kernel", "rbf", "bandwidth", "0.8", "landmarks", "all", "C", C,
                             "search", "none", "class-weight", "-1=2", "bias", none ? "none" : NULL, NULL));
            must(ctx, ny_predict(ctx, model, judge, NULL, said, NULL, NULL));
            for (int64_t i = 0; i < ROWS - stay; i++) {
                const char *label = judge->label[judge->code[i]];
                double v = judge->weight[i] * (strcmp(label, "-1") == 0 ? 2 : 1);
                wrong += v * (strcmp(model->label[(int)said[i]], label) != 0);
                sum += v;
            }
            differ += fabs(path.at[b].holdout_error - wrong / sum) > 1e-9;
            least = fmin(least, wrong / sum), most = fmax(most, wrong / sum);
            ny_model_free(model);
        }
        print_message("%s, %s: errors %.3f to %.3f, %g breakpoints differ\n", file ? "file" : "share",
                      none ? "no bias" : "bias", least, most, differ);
        assert_true(differ == 0 && most > least);
        ny_regpath_clear(&path);
        ny_data_free(part);
        ny_data_free(judge);
        ny_data_free(all);
        ny_data_free(data);
        remove(learn), free(learn);
        remove(out), free(out);
        remove(every), free(every);
    }
    ny_ctx_free(ctx);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_error_is_that_of_unseen_rows),
        cmocka_unit_test(test_choice_of_C),
        cmocka_unit_test(test_file),
        cmocka_unit_test(test_file_and_share),
        cmocka_unit_test(test_path_column),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

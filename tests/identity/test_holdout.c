/* test_holdout.c: a training by --criterion holdout against a training on the rows that stay, tested on those that do
 * not; which rows these are; and what they have to do with the final machine. */
#include <math.h>

#include "model/record.h"
#include "support.h"

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

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_error_is_that_of_unseen_rows),
        cmocka_unit_test(test_choice_of_C),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

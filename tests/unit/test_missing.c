/* test_missing.c: missing values from training to prediction: what --missing said then holds for new rows, and rows
 * that cannot be predicted keep their place, empty. */
#include "with_ctx.h"

#include <math.h>

#include "model/record.h"
#include "table/data.h"

enum { ROWS = 60 };

/* A column of numbers with gaps, a column without, a target of numbers or of classes. */
static char *table(bool classes, bool gaps) {
    char *text = malloc(ROWS * 64), *at = text + sprintf(text, "a,b,y\n");
    ny_rng rng = ny_rng_make(4, NY_RNG_TEST, gaps);
    for (int i = 0; i < ROWS; i++) {
        double a = ny_rng_normal(&rng), b = ny_rng_normal(&rng), y = a - b + 0.1 * ny_rng_normal(&rng);
        if (gaps && i % 7 == 3) at += sprintf(at, ",%.6f,", b);
        else at += sprintf(at, "%.6f,%.6f,", a, b);
        at += classes ? sprintf(at, "%s\n", y > 0 ? "yes" : "no") : sprintf(at, "%.6f\n", y);
    }
    char *file = write_file(".csv", text, -1);
    free(text);
    return file;
}

static ny_model *train_on(const char *file, const char *missing) {
    ny_options *options = make_options(ctx, "missing", missing, "kernel", "rbf", "landmarks", "20", NULL);
    ny_data *data = NULL;
    must(ctx, ny_data_read(ctx, file, options, NULL, &data));
    ny_model *model = train_with_options(ctx, data, options);
    ny_data_free(data);
    return model;
}

/* --missing auto of a prediction is that of the training: the mean of the column here, an error there. */
static void test_as_trained(void **state) {
    (void)state;
    char *gaps = table(false, true), *whole = table(false, false);
    static const char *const missing[] = {"mean", "error"};
    for (int k = 0; k < 2; k++) {
        ny_model *model = train_on(k ? whole : gaps, missing[k]);
        ny_options *plain = make_options(ctx, NULL);
        ny_data *data = NULL;
        double value[ROWS];
        ny_status st = ny_data_read(ctx, gaps, plain, model, &data);
        assert_int_equal(st, k ? NY_ERR_DATA : NY_OK);
        if (k == 0) {
            must(ctx, ny_predict(ctx, model, data, plain, value, NULL, NULL));
            for (int i = 0; i < ROWS; i++) assert_true(isfinite(value[i]));
        }
        ny_data_free(data);
        ny_options_free(plain);
        ny_model_free(model);
    }
    remove(gaps), remove(whole);
    free(gaps), free(whole);
}

static void test_empty_places(void **state) {
    (void)state;
    for (int classes = 0; classes < 2; classes++) {
        char *gaps = table(classes, true), *whole = table(classes, false);
        ny_model *model = train_on(whole, "auto");
        ny_options *drop = make_options(ctx, "missing", "drop", NULL);
        ny_data *data = NULL;
        ny_data_blocks *blocks = NULL;
        double value[ROWS], proba[2 * ROWS], scores[ROWS];
        must(ctx, ny_data_blocks_open(ctx, gaps, drop, model, &blocks));
        must(ctx, ny_data_blocks_next(ctx, blocks, 0, &data));
        assert_int_equal(ny_data_rows(data), ROWS);
        must(ctx, ny_predict(ctx, model, data, drop, value, classes ? proba : NULL, scores));
        for (int i = 0; i < ROWS; i++) {
            bool empty = i % 7 == 3;
            assert_int_equal(isnan(value[i]) != 0, empty);
            assert_int_equal(isnan(scores[i]) != 0, empty);
            for (int c = 0; c < 2 && classes; c++) assert_int_equal(isnan(proba[2 * i + c]) != 0, empty);
        }
        ny_data_free(data);
        ny_data_blocks_close(blocks);
        ny_options_free(drop);
        ny_model_free(model);
        remove(gaps), remove(whole);
        free(gaps), free(whole);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_as_trained), cmocka_unit_test(test_empty_places)};
    return cmocka_run_group_tests(tests, setup, teardown);
}

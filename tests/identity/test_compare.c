/* test_compare.c: --compare-criteria says what trainings with each criterion say. */
#include "support.h"

#include <math.h>

#include "criterion/criterion.h"
#include "model/record.h"

enum { N = 90, D = 2 };

static ny_data *make_data(ny_ctx *ctx, bool classes) {
    static double x[N * D], y[N];
    ny_data *data = NULL;
    ny_rng rng = ny_rng_make(17, NY_RNG_TEST, 0);
    for (int i = 0; i < N; i++) {
        x[2 * i] = ny_rng_normal(&rng);
        x[2 * i + 1] = ny_rng_normal(&rng);
        double f = sin(2 * x[2 * i]) + x[2 * i + 1] + 0.4 * ny_rng_normal(&rng);
        y[i] = classes ? (f > -0.5) + (f > 0.5) : f;
    }
    must(ctx, ny_data_from_rows(ctx, N, D, x, y, &data));
    return data;
}

static ny_model *train(ny_ctx *ctx, const ny_data *data, const char *criterion, const char *multiclass, const char *C,
                       const char *compare) {
    bool folds = ny_criterion_find(criterion)->folds || strcmp(compare, "yes") == 0;
    return train_with_options(ctx, data,
                              make_options(ctx, "kernel", "rbf", "search", "none", "bandwidth", "1.2", "criterion",
                                           criterion, "multiclass", multiclass, "C", C, "landmarks", "30", "folds",
                                           folds ? "7" : NULL, "compare-criteria", compare, NULL));
}

static void test_each_line_is_a_training(void **state) {
    (void)state;
    static const char *const criteria[] = {"loo", "cv", "gcv", "evidence", "bif"};
    for (int k = 0; k < 5 * 3; k++) {
        ny_ctx *ctx = ny_ctx_new();
        ny_data *data = make_data(ctx, k / 5 > 0);
        const char *own = criteria[k % 5], *multiclass = k / 5 == 2 ? "ovo" : "ova";
        ny_model *model = train(ctx, data, own, multiclass, "auto", "yes");
        const ny_record *r = model->record;
        assert_int_equal(r->comparisons, 5);
        assert_int_equal(r->folds, k % 5 == 1 || k % 5 == 4 ? 7 : 0);
        for (int c = 0; c < 5; c++) {
            const ny_comparison *line = &r->comparison[c];
            ny_model *other = train(ctx, data, line->criterion, multiclass, "auto", "no");
            assert_string_equal(line->criterion, criteria[c]);
            assert_close(line->best_value, other->record->expected.value, 1e-9);
            assert_close(line->best_error, other->record->expected.error, 1e-9);
            if (model->f.outputs == 1) assert_close(line->best_C, other->C[0], 1e-9);
            ny_model_free(other);
            if (model->f.outputs > 1) continue; /* --C is common to all outputs: nothing to compare with */
            char C[40];
            snprintf(C, sizeof C, "%.17g", model->C[0]);
            other = train(ctx, data, line->criterion, multiclass, C, "no");
            assert_close(line->value, other->record->expected.value, 1e-9);
            assert_close(line->error, other->record->expected.error, 1e-9);
            assert_close(line->std_error, other->record->expected.std_error, 1e-9);
            ny_model_free(other);
        }
        assert_close(r->comparison[k % 5].value, r->expected.value, 1e-9);
        assert_close(r->comparison[k % 5].error, r->expected.error, 1e-9);
        ny_model_free(model);
        ny_data_free(data);
        ny_ctx_free(ctx);
    }
}

static void test_it_is_in_the_file_and_the_reports(void **state) {
    (void)state;
    ny_ctx *ctx = ny_ctx_new();
    ny_data *data = make_data(ctx, false);
    ny_model *model = train(ctx, data, "evidence", "ova", "auto", "yes"), *read = NULL;
    char *json = NULL, *text = NULL;
    must(ctx, ny_model_save(ctx, model, "compare.nysel"));
    must(ctx, ny_model_load(ctx, "compare.nysel", &read));
    assert_int_equal(read->record->comparisons, 5);
    for (int c = 0; c < 5; c++) {
        assert_string_equal(read->record->comparison[c].criterion, model->record->comparison[c].criterion);
        assert_true(read->record->comparison[c].best_value == model->record->comparison[c].best_value);
    }
    must(ctx, ny_model_json(ctx, read, &json));
    must(ctx, ny_model_summary(ctx, read, &text));
    assert_non_null(strstr(json, "\"criteria\""));
    assert_non_null(strstr(text, "C preferred"));
    assert_non_null(strstr(text, "log evidence"));
    ny_text_free(json);
    ny_text_free(text);
    remove("compare.nysel");
    ny_model_free(model);
    ny_model_free(read);
    ny_data_free(data);
    ny_ctx_free(ctx);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_each_line_is_a_training),
        cmocka_unit_test(test_it_is_in_the_file_and_the_reports),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

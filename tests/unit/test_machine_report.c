/* test_machine_report.c: what the summary says of machines of other losses, and what the plan expects of them. */
#include "unit/test_model_samples.h"

#include "base/threads.h"
#include "data/data.h"
#include "train/plan.h"
#include "with_ctx.h"

/* Every way to hold rows out has its words, and every machine its error. */
static void summary_names_criterion_and_error(void **state) {
    (void)state;
    static const struct {
        const char *machine, *criterion, *words;
        int64_t folds;
    } cases[] = {
        {"svr", "newton", "expected RMSE   0.0671 +- 0.0047   (10-fold cross-validation by Newton steps)\n", 10},
        {"huber", "bif", "expected RMSE   0.0671 +- 0.0047   (10-fold, first order)\n", 10},
        {"huber", "cv", "(10-fold cross-validation)\n", 10},
        {"svr", "loo", "(leave-one-out by Newton steps)\n", 0},
        {"lssvm", "loo", "(leave-one-out)\n", 0},
        {"svr", "cv", "epsilon         0.42   (half the noise)\n", 10},
        {"huber", "cv", "delta           0.42   (1.345 times the noise)\n", 10},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ny_model *model = sample_model(ctx, SAMPLE_REGRESSION);
        ny_record *r = model->record;
        r->error = 0.0671;
        r->std_error = 0.0047;
        r->folds = cases[i].folds;
        r->loss = (ny_measures){.known = true, .level = 0.42};
        ny_free(r->criterion);
        r->criterion = ny_strdup(ctx, cases[i].criterion);
        must(ctx, ny_options_set(ctx, model->options, "machine", cases[i].machine));
        char *text = NULL;
        must(ctx, ny_model_summary(ctx, model, &text));
        if (!strstr(text, cases[i].words)) fail_msg("'%s' is not in:\n%s", cases[i].words, text);
        if (strcmp(cases[i].machine, "lssvm") == 0) assert_null(strstr(text, "epsilon"));
        ny_text_free(text);
        ny_model_free(model);
    }
}

static ny_plan plan_of(const ny_data *data, const char *machine, const char *criterion, int64_t m, int64_t q) {
    ny_plan plan;
    char landmarks[32];
    snprintf(landmarks, sizeof landmarks, "%d", (int)m);
    ny_options *o = make_options(ctx, "machine", machine, "criterion", criterion, "landmarks", landmarks, "threads",
                                 "2", "memory", "64G", NULL);
    must(ctx, ny_plan_make(ctx, &(ny_job){.options = o, .data = data, .rows = data->rows, .outputs = q}, &plan));
    ny_options_free(o);
    return plan;
}

/* Curvatures beside the factor, and time for every output; no matrix for each fold. */
static void the_plan_knows_newton(void **state) {
    (void)state;
    ny_data *data = NULL;
    const double m2 = 8 * 900.0 * 900.0;
    must(ctx, ny_data_generate(ctx, "banana", 5000, 1, &data));
    ny_plan lssvm = plan_of(data, "lssvm", "loo", 900, 1), svm = plan_of(data, "svm", "auto", 900, 1);
    double more = (double)(svm.bytes - lssvm.bytes);
    assert_true(more > 3 * m2 && more < 6 * m2 + 1e-1 * 8 * 5000 * 900 * ny_threads() + ny_threads() * m2);
    assert_true(plan_of(data, "lssvm", "newton", 900, 1).bytes == svm.bytes);
    assert_true(plan_of(data, "svm", "cv", 900, 1).bytes == svm.bytes);
    assert_true(plan_of(data, "lssvm", "cv", 900, 1).bytes > svm.bytes); /* folds of squared losses are all kept */
    assert_true(svm.seconds > 2 * lssvm.seconds);
    assert_true(plan_of(data, "svm", "auto", 900, 6).seconds > 4 * svm.seconds);
    ny_data_free(data);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(summary_names_criterion_and_error),
        cmocka_unit_test(the_plan_knows_newton),
    };
    return cmocka_run_group_tests_name("machine report", tests, setup, teardown);
}

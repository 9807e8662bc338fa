/* test_machine_report.c: what the summary says of machines of other losses, and what the plan expects of them. */
#include "unit/test_model_samples.h"

#include "base/threads.h"
#include "table/data.h"
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
        {"lssvm", "bif", "expected RMSE   0.0671 +- 0.0047   (leave-one-out; bif of 10 folds chose)\n", 10},
        {"huber", "cv", "(10-fold cross-validation)\n", 10},
        {"svr", "loo", "(leave-one-out by Newton steps)\n", 0},
        {"lssvm", "loo", "(leave-one-out)\n", 0},
        {"svr", "cv", "epsilon         0.42   (half the noise)\n", 10},
        {"huber", "cv", "delta           0.42   (1.345 times the noise)\n", 10},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ny_model *model = sample_model(ctx, SAMPLE_REGRESSION);
        ny_record *r = model->record;
        r->expected.error = 0.0671;
        r->expected.std_error = 0.0047;
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
    ny_options *o = make_options(ctx, "metric", "none", "machine", machine, "criterion", criterion, "landmarks",
                                 landmarks, "threads", "2", "memory", "64G", NULL);
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

/* Flops and bytes of regression with 300 landmarks, which keeps its posterior. */
static ny_cost foreseen(const ny_data *data, const char *option, const char *value, const char *other,
                        const char *more) {
    ny_plan plan;
    ny_options *o = make_options(ctx, "metric", "none", "landmarks", "300", "threads", "2", "memory", "64G", option,
                                 value, other, more, NULL);
    must(ctx,
         ny_plan_make(
             ctx,
             &(ny_job){.options = o, .data = data, .rows = data->rows, .outputs = 1, .posterior = NY_POSTERIOR_SMALL},
             &plan));
    ny_options_free(o);
    return (ny_cost){plan.seconds * plan.rate, (double)plan.bytes};
}

/* A reduction for each fold, unless the folds are small; the machines of a round, which wait for each other; and a
 * simplex that does not take all that it may. */
static void the_plan_knows_folds_and_rounds(void **state) {
    (void)state;
    ny_data *data = NULL;
    const double m2 = 8 * 300.0 * 300.0;
    must(ctx, ny_data_generate(ctx, "sinc", 3000, 1, &data));
    ny_cost loo = foreseen(data, "criterion", "loo", "search", "profile");
    ny_cost ten = foreseen(data, "criterion", "cv", "folds", "10"),
            five = foreseen(data, "criterion", "cv", "folds", "5");
    ny_cost many = foreseen(data, "criterion", "cv", "folds", "500");
    assert_true(ten.flops > 1.1 * loo.flops && five.flops < ten.flops);
    assert_true(fabs(ten.numbers - five.numbers - 2 * 5 * m2) < m2); /* of each fold, in both threads */
    assert_true(many.flops > loo.flops && many.numbers == loo.numbers);
    ny_cost csa = foreseen(data, "search", "csa", "csa-evaluations", "60");
    ny_cost longer = foreseen(data, "search", "csa", "simplex-evaluations", "1000");
    assert_true(csa.flops > 20 * loo.flops && csa.flops < 60 * loo.flops); /* of about two machines of full size */
    assert_true(longer.flops < 1.5 * csa.flops);
    assert_true(csa.numbers > loo.numbers + 8 * m2);
    ny_data_free(data);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(summary_names_criterion_and_error),
        cmocka_unit_test(the_plan_knows_newton),
        cmocka_unit_test(the_plan_knows_folds_and_rounds),
    };
    return cmocka_run_group_tests_name("machine report", tests, setup, teardown);
}

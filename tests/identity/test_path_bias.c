/* test_path_bias.c: trainings and paths of the l2-SVM by span, smooth-span and radius-margin with --bias penalised and
 * none. A penalty V is a machine without bias whose kernel has 1/V more, and its limits are none and a free bias. What
 * the pieces do is in test_span.c, test_span_gradient.c and test_regpath.c. */
#include "with_ctx.h"

#include <math.h>

#include "model/record.h"
#include "train/regpath.h"

enum { N = 120 };

static const char *const CRITERIA[] = {"span", "smooth-span", "radius-margin"};

static ny_data *rows(void) {
    ny_data *data = NULL;
    must(ctx, ny_data_generate(ctx, "mixture", N, 5, &data));
    return data;
}

/* kernel: a name, or "shifted": linear, and 1/2 more in every value. machine: with its bias (support.h). */
static ny_options *options_of(const char *machine, const char *kernel, const char *criterion, const char *C) {
    bool shifted = strcmp(kernel, "shifted") == 0, rbf = strcmp(kernel, "rbf") == 0;
    ny_options *o =
        make_options(ctx, "kernel", shifted ? "poly" : kernel, "degree", shifted ? "1" : NULL, "coef0",
                     shifted ? "0.5" : NULL, "bandwidth",
                     shifted ? "1"
                     : rbf   ? "0.7"
                             : NULL,
                     "landmarks", rbf ? "30" : "all", "landmark-method", rbf ? "uniform" : NULL, "class-weight", "-1=2",
                     "scale", "none", "criterion", criterion, "search", C ? "none" : NULL, "C", C, NULL);
    if (criterion) set_machine(ctx, o, machine);
    else if (strchr(machine, ':')) set_machine(ctx, o, machine), must(ctx, ny_options_set(ctx, o, "machine", "l2svm"));
    return o;
}

typedef struct {
    double value, C, f[N];
} trained;

static trained train(const char *machine, const char *kernel, const char *criterion, const char *C) {
    trained t;
    ny_data *data = rows();
    ny_model *model = train_with_options(ctx, data, options_of(machine, kernel, criterion, C));
    must(ctx, ny_predict(ctx, model, data, NULL, NULL, NULL, t.f));
    t.value = model->record->expected.value;
    t.C = model->C[0];
    ny_model_free(model);
    ny_data_free(data);
    return t;
}

static double apart(const trained *a, const trained *b) {
    double most = fabs(log(a->value / b->value)) + fabs(log(a->C / b->C));
    for (int i = 0; i < N; i++) most = fmax(most, fabs(a->f[i] - b->f[i]));
    return most;
}

static void test_limits(void **state) {
    (void)state;
    for (int c = 0; c < 3; c++) {
        trained free = train("l2svm", "rbf", CRITERIA[c], "2"), none = train("l2svm:none", "rbf", CRITERIA[c], "2");
        trained near = train("l2svm:1e-6", "rbf", CRITERIA[c], "2"), far = train("l2svm:1e9", "rbf", CRITERIA[c], "2");
        double between = apart(&free, &none);
        print_message("%s: free and none differ by %.2g, their limits by %.2g and %.2g\n", CRITERIA[c], between,
                      apart(&free, &near), apart(&none, &far));
        assert_true(between > 1e-2 && apart(&free, &near) < 1e-2 * between && apart(&none, &far) < 1e-6);
    }
}

/* linear, penalised by 2, is x'z + 1/2 without bias: also where C is found along the path, whose stops depend on where
 * it begins. */
static void test_shifted_kernel(void **state) {
    (void)state;
    for (int c = 0; c < 3; c++)
        for (int found = 0; found < 2; found++) {
            trained a = train("l2svm:2", "linear", CRITERIA[c], found ? NULL : "0.1");
            trained b = train("l2svm:none", "shifted", CRITERIA[c], found ? NULL : "0.1");
            print_message("%s: C %.6g and %.6g, value %.9g and %.9g\n", CRITERIA[c], a.C, b.C, a.value, b.value);
            assert_close(a.value, b.value, found ? 3e-3 : 1e-8);
            for (int i = 0; i < N && !found; i++) assert_close(a.f[i], b.f[i], 1e-6);
        }
}

static ny_regpath path_of(const char *machine, const char *kernel) {
    ny_regpath path;
    ny_data *data = rows();
    ny_options *o = options_of(machine, kernel, NULL, NULL);
    must(ctx, ny_options_set(ctx, o, "radius-margin", "yes"));
    must(ctx, ny_options_set(ctx, o, "lambda-max", "100"));
    must(ctx, ny_options_set(ctx, o, "lambda-min", "0.01"));
    must(ctx, ny_regpath_make(ctx, data, o, &path));
    ny_options_free(o);
    ny_data_free(data);
    return path;
}

/* Breakpoint by breakpoint. */
static void same_path(const char *machine, const char *kernel, const char *other, const char *other_kernel,
                      double tol) {
    ny_regpath a = path_of(machine, kernel), b = path_of(other, other_kernel);
    assert_int_equal(a.count, b.count);
    assert_true(a.count > 10);
    for (int64_t k = 0; k < a.count; k++) {
        assert_close(log(a.at[k].lambda), log(b.at[k].lambda), tol);
        assert_close(a.at[k].objective, b.at[k].objective, tol);
        assert_close(a.at[k].loo_error, b.at[k].loo_error, 1e-9);
        assert_close(a.at[k].radius_margin, b.at[k].radius_margin, 10 * tol);
        assert_int_equal(a.at[k].active, b.at[k].active);
        assert_true(fmax(a.at[k].kkt, b.at[k].kkt) < 0.1 * tol); /* 1e-6 makes kernel values of 1e6 */
    }
    ny_regpath_clear(&a);
    ny_regpath_clear(&b);
}

static void test_paths(void **state) {
    (void)state;
    same_path("l2svm:2", "linear", "l2svm:none", "shifted", 1e-7);
    same_path("l2svm:1e11", "rbf", "l2svm:none", "rbf", 1e-6);
    same_path("l2svm:1e-6", "rbf", "l2svm", "rbf", 1e-3);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_limits),
        cmocka_unit_test(test_shifted_kernel),
        cmocka_unit_test(test_paths),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}

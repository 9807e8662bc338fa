/* test_search_parts.c: parts of the search: the parabola through bandwidths, rows of the levels, the best machines that
 * are remembered, and held-out outputs that belong to the C that was chosen. */
#include "with_ctx.h"

#include <math.h>

#include "model/record.h"
#include "search/fit.h"
#include "search/widths.h"
#include "table/data.h"
#include "train/exact_choose.h"
#include "train/session.h"

/* The minimum of (x - a)^2 from three places, uneven or not; to a 32nd, which is all that is kept. */
static void test_vertex(void **state) {
    (void)state;
    static const double place[][3] = {{-1, 0, 1}, {-1, 0, 0.5}, {-2, 0, 1}};
    for (int k = 0; k < 3; k++)
        for (int step = -7; step <= 7; step++) {
            double a = step / 32.0; /* near the middle one, so that it is the lowest */
            ny_widths l = {.count = 3};
            for (int i = 0; i < 3; i++) l.x[i] = place[k][i], l.value[i] = 5 + pow(place[k][i] - a, 2);
            assert_close(ny_widths_vertex(&l, 1), a, 1e-12);
            assert_true(ny_widths_vertex(&l, 0) == l.x[0] && ny_widths_vertex(&l, 2) == l.x[2]);
        }
}

/* Each level has more rows than the one before it, up to all. */
static void test_levels_grow(void **state) {
    (void)state;
    enum { ROWS = 3000 };
    ny_data *data = NULL;
    must(ctx, ny_data_generate(ctx, "banana", ROWS, 1, &data));
    ny_model *model = train_with_options(ctx, data, make_options(ctx, "kernel", "rbf", "landmarks", "240", NULL));
    int64_t rows = 0, sizes = 0;
    for (int64_t i = 0; i < model->record->evaluations; i++) {
        const ny_evaluation *e = &model->record->evaluation[i];
        assert_true(e->rows >= rows);
        sizes += e->rows > rows;
        rows = e->rows;
    }
    assert_int_equal(rows, ROWS);
    assert_int_equal(sizes, 3);
    ny_model_free(model);
    ny_data_free(data);
}

/* Of many machines the best are remembered, each with its own losses: a better one takes the place of the worst. */
static void test_contenders(void **state) {
    (void)state;
    enum { ROWS = 4, MORE = 7, MACHINES = NY_CONTENDERS + MORE };
    double y[ROWS] = {0}, u[ROWS] = {1, 1, 1, 1}, held[ROWS], kept[NY_CONTENDERS];
    ny_criterion plain = {.name = "loo"};
    ny_setup setup = {.outputs = 1, .criterion = &plain, .machine = ny_machine_find("lssvm")};
    ny_training_rows rows = {.n = ROWS, .all = {.n = ROWS, .y = y, .u = u}};
    ny_selection sel = {.ctx = ctx, .setup = &setup, .now = setup, .rows = &rows};
    for (int k = 0; k < MACHINES; k++) { /* values 0 .. MACHINES-1 in a mixed order; each errs by its value */
        double value = (double)(k * 11 % MACHINES);
        for (int i = 0; i < ROWS; i++) held[i] = value;
        ny_solution s = {.rows = ROWS, .held = held, .value = value};
        must(ctx, ny_contenders_add(&sel, &s));
    }
    assert_int_equal(sel.found.tried.count, NY_CONTENDERS);
    for (int k = 0; k < NY_CONTENDERS; k++) {
        assert_close(sel.found.tried.machine[k].loss[2], pow(sel.found.tried.value[k], 2), 1e-12);
        kept[k] = sel.found.tried.value[k];
    }
    for (int k = 0; k < NY_CONTENDERS; k++) { /* the least of all, every one once */
        int count = 0;
        for (int i = 0; i < NY_CONTENDERS; i++) count += kept[i] == k;
        assert_int_equal(count, 1);
    }
    ny_contenders_clear(&sel.found.tried);
}

/* --select-on error of a machine without a closed form: value and error are those at the C that was chosen, which is
 * not the C of the least loss. */
static void test_held_out_at_the_chosen_C(void **state) {
    (void)state;
    ny_data *data = NULL;
    double C[2], error[2], value[2];
    must(ctx, ny_data_generate(ctx, "mixture", 120, 3, &data));
    for (int k = 0; k < 2; k++) {
        ny_model *model = train_with_options(ctx, data,
                                             make_options(ctx, "machine", "svm", "kernel", "rbf", "bandwidth", "1",
                                                          "landmarks", "30", "select-on", k ? "error" : "mse", NULL));
        C[k] = model->C[0], error[k] = model->record->expected.error, value[k] = model->record->expected.value;
        ny_model_free(model);
    }
    assert_true(C[0] != C[1] && error[1] < error[0] && value[1] > value[0]);
    char text[32];
    snprintf(text, sizeof text, "%.17g", C[1]);
    ny_model *model = train_with_options(
        ctx, data,
        make_options(ctx, "machine", "svm", "kernel", "rbf", "bandwidth", "1", "landmarks", "30", "C", text, NULL));
    assert_close(model->record->expected.error, error[1], 1e-9);
    assert_close(model->record->expected.value, value[1], 1e-3); /* as near as the path of C comes to it */
    ny_model_free(model);
    ny_data_free(data);
}

/* All rows of a machine that is trained by Newton's method, which leave-one-out must not take for the exact machine of
 * squared loss that goes by its kernel matrix. */
static void test_leave_one_out_keeps_the_loss(void **state) {
    (void)state;
    ny_data *data = NULL;
    must(ctx, ny_data_generate(ctx, "mixture", 100, 3, &data));
    ny_model *model = train_with_options(
        ctx, data, make_options(ctx, "machine", "svm", "kernel", "rbf", "bandwidth", "1", "criterion", "loo", NULL));
    assert_true(model->record->descent.known && model->record->descent.steps > 0);
    ny_model_free(model);
    ny_data_free(data);
}

/* Machines that are tried for another purpose leave the search as it was: its level, its hints, what it has found; and
 * what they are worth does not depend on it. */
static void test_two_selections(void **state) {
    (void)state;
    ny_data *data = NULL;
    ny_training t = {0};
    ny_selection sel = {0};
    ny_session before;
    ny_model *model = NULL;
    ny_plan plan;
    must(ctx, ny_data_generate(ctx, "banana", 300, 1, &data));
    must(ctx, ny_model_new(ctx, &model));
    model->options = make_options(ctx, "kernel", "rbf", "landmarks", "40", NULL);
    must(ctx, ny_session_begin(ctx, model->options, &before));
    must(ctx, ny_session_prepare(ctx, data, &t, &sel, model, &plan));
    ny_point wide = {sel.setup->candidate[0], 4, 0, 0}, narrow = {sel.setup->candidate[0], 0.5, 0, 0}, again = narrow;
    must(ctx, ny_evaluate(&sel, 100, 20, 1, &wide));
    const double value = sel.found.best.value, near = sel.cache.hint[0].C[0];
    const int64_t *rows = sel.cache.subset.id;
    ny_setup asked = *sel.setup;
    asked.criterion = &ny_criterion_gcv;
    for (int k = 0; k < 2; k++) { /* beside the search, and after it has gone on */
        ny_selection other = ny_selection_of(ctx, &asked, sel.rows);
        ny_point *point = k ? &again : &narrow;
        other.plan = sel.plan;
        other.pace = sel.pace;
        must(ctx, ny_evaluate(&other, 60, 15, 1, point));
        assert_true(other.found.trials == 1 && other.found.best.value != value);
        assert_true(sel.found.best.value == value && sel.found.trials == 1 + k && sel.cache.hint[0].C[0] == near);
        assert_true(sel.cache.subset.id == rows && sel.cache.subset_asked == 100);
        ny_selection_clear(&other);
        ny_point worse = {sel.setup->candidate[0], 1e-3, 0, 0};
        must(ctx, ny_evaluate(&sel, 100, 20, 1, &worse));
    }
    assert_true(again.value == narrow.value);
    ny_selection_clear(&sel);
    ny_training_clear(&t);
    ny_session_end(ctx, before);
    ny_model_free(model);
    ny_data_free(data);
}

/* The second kernel that the exact machine tries: the best of the bounded ones that was within one standard error of
 * the chosen one where both had as many rows, and no other. */
static void test_a_rival_is_within_a_standard_error(void **state) {
    (void)state;
    enum { RBF, MATERN, POWEXP, LINEAR, KERNELS };
    static const ny_kernel *const kernel[] = {&ny_kernel_rbf, &ny_kernel_matern32, &ny_kernel_powexp1,
                                              &ny_kernel_linear};
    static const struct {
        double value[KERNELS]; /* on the smaller level, where the chosen one had 2; its standard error is 10% */
        int rival;             /* -1: none */
    } sets[] = {{{2, 2.19, 2.3, 1.9}, MATERN},
                {{2, 2.21, 2.3, 1.9}, -1},
                {{2, 2.19, 2.1, 1.9}, POWEXP},
                {{2, 2.19, 1.8, 1.9}, POWEXP},
                {{2, 2.21, 2.19, 1.9}, POWEXP}};
    ny_setup setup = {.options = make_options(ctx, NULL), .criterion = &ny_criterion_loo, .kernels = KERNELS};
    ny_trial trial[] = {{.kernel = kernel[RBF], .value = 2, .rows = 100},
                        {.kernel = kernel[RBF], .value = 2.5, .rows = 100},
                        {.kernel = kernel[MATERN], .value = 1, .rows = 100},
                        {.kernel = kernel[RBF], .value = 1, .rows = 300}};
    for (size_t k = 0; k < sizeof sets / sizeof *sets; k++) {
        double C[KERNELS] = {1, 2, 3, 4};
        ny_selection sel = {.setup = &setup, .found = {.trials = 4, .trial = trial}};
        sel.found.best = (ny_solution){.f.kernel.kernel = kernel[RBF], .value = 1, .value_error = 0.1, .rows = 300};
        for (int c = 0; c < KERNELS; c++) {
            setup.candidate[c] = kernel[c];
            sel.cache.hint[c] = (ny_hint){.rows = 100, .value = sets[k].value[c], .bandwidth = 5 + c, .C = C + c};
        }
        ny_point rival = ny_exact_rival(&sel);
        int c = sets[k].rival;
        assert_ptr_equal(rival.kernel, c < 0 ? NULL : kernel[c]);
        if (c >= 0) assert_true(rival.bandwidth == 5 + c && rival.C == C[c]);
    }
    ny_options_free((ny_options *)setup.options);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_vertex),
        cmocka_unit_test(test_levels_grow),
        cmocka_unit_test(test_contenders),
        cmocka_unit_test(test_held_out_at_the_chosen_C),
        cmocka_unit_test(test_leave_one_out_keeps_the_loss),
        cmocka_unit_test(test_two_selections),
        cmocka_unit_test(test_a_rival_is_within_a_standard_error),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}

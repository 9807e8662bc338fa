/* test_contest.c: kernels for classes meet by the log loss of their calibrated held-out outputs. */
#include "with_ctx.h"

#include <math.h>

#include "model/record.h"
#include "search/contest.h"
#include "table/data.h"

enum { ROWS = 800 };

typedef struct {
    double margin[ROWS], noise[ROWS], u[ROWS];
    int32_t code[ROWS];
} sample;

/* The true output of each row and noise beside it: a class is 1 with probability 1 / (1 + exp(-margin)). */
static void draw(sample *s) {
    ny_rng rng = ny_rng_make(8, NY_RNG_TEST, 0);
    for (int i = 0; i < ROWS; i++) {
        s->margin[i] = 3 * ny_rng_normal(&rng);
        s->noise[i] = ny_rng_normal(&rng);
        s->code[i] = ny_rng_uniform(&rng) < 1 / (1 + exp(-s->margin[i]));
        s->u[i] = 1;
    }
}

/* The mean log loss at the better of a fine grid of slopes for both signs: independent of ny_calibrate. */
static double misfit(const sample *s, const double *f) {
    double least = INFINITY;
    for (double a = -3; a < 4; a += 0.1)
        for (double b = -3; b < 4; b += 0.1) {
            double sum = 0;
            for (int i = 0; i < ROWS; i++) {
                double x = (f[i] > 0 ? exp(a) : exp(b)) * f[i];
                sum += log1p(exp(s->code[i] ? -x : x)) / ROWS;
            }
            least = fmin(least, sum);
        }
    return least;
}

typedef struct {
    sample s;
    ny_options *options;
    ny_setup setup;
    ny_training_rows rows;
    ny_selection sel;
} arena;

/* A selection of two classes that compares these kernels; select_on: as the user says, or NULL. */
static void arena_new(arena *a, const char *select_on) {
    draw(&a->s);
    a->options = select_on ? make_options(ctx, "select-on", select_on, NULL) : make_options(ctx, NULL);
    a->setup = (ny_setup){.options = a->options,
                          .classes = 2,
                          .outputs = 1,
                          .coding = {.method = &ny_multiclass_ova},
                          .criterion = &ny_criterion_loo,
                          .machine = ny_machine_find("lssvm"),
                          .kernels = 3,
                          .candidate = {&ny_kernel_rbf, &ny_kernel_matern32, &ny_kernel_linear}};
    a->rows = (ny_training_rows){.n = ROWS, .all = {.n = ROWS, .code = a->s.code, .u = a->s.u}};
    a->sel = ny_selection_of(ctx, &a->setup, &a->rows);
}

static void arena_clear(arena *a) {
    ny_selection_clear(&a->sel);
    ny_options_free(a->options);
}

/* A machine of the kernel whose outputs are shape(margin + noise) enters; the least value is the best so far. */
static void enter(arena *a, const ny_kernel *kernel, double value, double noise, bool flat, double *f) {
    for (int i = 0; i < ROWS; i++) {
        double x = a->s.margin[i] + noise * a->s.noise[i];
        f[i] = flat ? x / 3 : tanh(x);
    }
    ny_solution s = {
        .valid = true, .f = {.kernel = {.kernel = kernel}}, .rows = ROWS, .asked = ROWS, .held = f, .value = value};
    must(ctx, ny_contest_enter(&a->sel, &a->rows.all, &s));
    if (a->sel.found.best.valid && a->sel.found.best.value < value) return;
    a->sel.found.best =
        (ny_solution){.valid = true, .f = {.kernel = {.kernel = kernel}}, .rows = ROWS, .asked = ROWS, .value = value};
}

/* Outputs of another shape that order the rows better win, whatever their squared error; the losses are those of an
 * independent calibration. */
static void test_shape_is_forgiven(void **state) {
    (void)state;
    static arena a;
    static double rbf[ROWS], matern[ROWS], linear[ROWS];
    ny_standings s;
    arena_new(&a, NULL);
    enter(&a, &ny_kernel_matern32, 0.1, 2.0, false, matern);
    enter(&a, &ny_kernel_rbf, 0.15, 2.2, false, rbf);
    enter(&a, &ny_kernel_linear, 0.5, 0.0, true, linear);
    must(ctx, ny_contest_hold(&a.sel, &s));
    assert_int_equal(s.winner, 2);
    assert_true(!s.near[0] && !s.near[1] && s.near[2]);
    assert_close(s.loss[0], misfit(&a.s, rbf), 1e-3);
    assert_close(s.loss[1], misfit(&a.s, matern), 1e-3);
    assert_close(s.loss[2], misfit(&a.s, linear), 1e-3);
    arena_clear(&a);
}

/* What chance may have done changes nothing: the least value stays. */
static void test_place_is_kept_within_chance(void **state) {
    (void)state;
    static arena a;
    static double rbf[ROWS], linear[ROWS];
    ny_standings s;
    arena_new(&a, NULL);
    enter(&a, &ny_kernel_rbf, 0.1, -0.06, true, rbf);
    enter(&a, &ny_kernel_linear, 0.5, 0.0, true, linear);
    must(ctx, ny_contest_hold(&a.sel, &s));
    assert_int_equal(s.winner, 0);
    assert_true(s.loss[2] < s.loss[0] && s.near[2] && isnan(s.loss[1]));
    arena_clear(&a);
}

/* Where both a bounded kernel and one without bound are better than the one in place, and about as good as each other,
 * the bounded one wins. */
static void test_bounded_goes_first(void **state) {
    (void)state;
    static arena a;
    static double rbf[ROWS], matern[ROWS], linear[ROWS];
    ny_standings s;
    arena_new(&a, NULL);
    enter(&a, &ny_kernel_matern32, 0.1, 3.0, false, matern);
    enter(&a, &ny_kernel_rbf, 0.15, 0.06, true, rbf);
    enter(&a, &ny_kernel_linear, 0.5, 0.0, true, linear);
    must(ctx, ny_contest_hold(&a.sel, &s));
    assert_int_equal(s.winner, 0);
    arena_clear(&a);
}

/* --select-on mse says what counts: there is no contest. Nor where the criterion has a value of its own. */
static void test_who_says_otherwise(void **state) {
    (void)state;
    static arena a;
    static double matern[ROWS], linear[ROWS];
    ny_standings s;
    for (int k = 0; k < 2; k++) {
        arena_new(&a, k ? NULL : "mse");
        if (k) a.setup.criterion = &ny_criterion_evidence;
        enter(&a, &ny_kernel_matern32, 0.1, 2.0, false, matern);
        enter(&a, &ny_kernel_linear, 0.5, 0.0, true, linear);
        must(ctx, ny_contest_hold(&a.sel, &s));
        assert_int_equal(s.winner, -1);
        arena_clear(&a);
    }
}

/* Two normal clouds, whose best boundary is a plane. By squared loss a bounded kernel is far ahead. */
static void test_a_plane_is_found(void **state) {
    (void)state;
    ny_data *data = NULL;
    must(ctx, ny_data_generate(ctx, "twonorm", 1400, 4, &data));
    ny_model *by_loss = train_with_options(ctx, data, make_options(ctx, "select-on", "mse", NULL));
    ny_model *model = train_with_options(ctx, data, make_options(ctx, "criterion", "loo", NULL));
    const ny_record *r = model->record;
    assert_true(by_loss->f.kernel.kernel != &ny_kernel_linear && model->f.kernel.kernel == &ny_kernel_linear);
    assert_true(r->expected.value > 1.2 * by_loss->record->expected.value);
    double log_loss[2] = {NAN,
                          NAN}; /* of the last that were told: the chosen machine's and that of the best by value */
    for (int64_t i = 0; i < r->evaluations; i++)
        if (!isnan(r->evaluation[i].log_loss) && r->evaluation[i].rows == 1400)
            log_loss[r->evaluation[i].kernel != &ny_kernel_linear] = r->evaluation[i].log_loss;
    assert_true(log_loss[0] < log_loss[1]);
    for (int64_t i = 0; i < by_loss->record->evaluations; i++)
        assert_true(isnan(by_loss->record->evaluation[i].log_loss));
    ny_model_free(by_loss);
    ny_model_free(model);
    ny_data_free(data);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_shape_is_forgiven),  cmocka_unit_test(test_place_is_kept_within_chance),
        cmocka_unit_test(test_bounded_goes_first), cmocka_unit_test(test_who_says_otherwise),
        cmocka_unit_test(test_a_plane_is_found),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}

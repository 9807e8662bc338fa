/* test_cg.c: --solver cg against the dense bordered system written here anew, and what it reports about itself. */
#include "with_ctx.h"

#include <math.h>

#include "model/record.h"

enum { N = 131, D = 3, NEW = 50, MOST = 4 }; /* no multiple of the tiles' 32 */

static double X[N * D], target[N], weight[N], fresh[NEW * D];
typedef struct {
    int64_t classes; /* 0: regression */
    const char *machine, *kernel, *C;
    bool weights;
} scenario;

static const scenario scenarios[] = {
    {0, "lssvm", "rbf", "3", false},        {0, "krr", "rbf", "300", true},
    {0, "lssvm", "matern32", "1000", true}, {0, "krr", "linear", "10", false},
    {2, "lssvm", "rbf", "20", true},        {2, "lssvm", "poly", "0.1", false},
    {4, "lssvm", "rbf", "-4:8:0.5", true},  {4, "krr", "laplace", "-4:6:1", false},
    {4, "lssvm", "rbf", "7", false},        {0, "lssvm:0.05", "rbf", "30", true},
    {4, "krr:2", "rbf", "7", true},         {2, "lssvm:none", "rbf", "20", true},
};
enum { SCENARIOS = sizeof scenarios / sizeof *scenarios };
static const double SIGMA = 1.5;

static ny_data *make_data(const scenario *s) {
    ny_data *data = NULL;
    ny_rng rng = ny_rng_make(21, NY_RNG_TEST, (uint32_t)s->classes);
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < D; j++) X[j + i * D] = ny_rng_normal(&rng);
        double f = sin(2 * X[i * D]) + 0.5 * X[1 + i * D] + 0.3 * ny_rng_normal(&rng);
        target[i] = s->classes ? fmod(floor(fabs(3 * f)), (double)s->classes) : 10 + f;
        weight[i] = s->weights ? 0.3 + 2 * ny_rng_uniform(&rng) : 1;
    }
    for (int i = 0; i < NEW * D; i++) fresh[i] = ny_rng_normal(&rng);
    must(ctx, ny_data_from_rows(ctx, N, D, X, target, &data));
    data->weight = ny_alloc(ctx, N, sizeof(double));
    memcpy(data->weight, weight, sizeof weight);
    return data;
}

static ny_options *options_of(const scenario *s, const char *tol, const char *iterations) {
    const char *task = s->classes == 0 ? "regression" : s->classes == 2 ? "binary" : "multiclass";
    ny_options *o =
        make_options(ctx, "task", task, "kernel", s->kernel, "scale", "none", "landmarks", "12", "search", "none",
                     "bandwidth", strcmp(s->kernel, "linear") == 0 ? NULL : "1.5", "C", s->C, "solver", "cg",
                     "solver-tol", tol, "solver-iterations", iterations, "block-rows", "32", NULL);
    set_machine(ctx, o, s->machine);
    return o;
}

static ny_model *train(const scenario *s) {
    ny_data *data = make_data(s);
    ny_model *model = train_with_options(ctx, data, options_of(s, "1e-13", "1000"));
    ny_data_free(data);
    return model;
}

/* ---- dense, independent of the library ------------------------------------------------------------------------- */

static double kappa(const char *name, const double *a, const double *b) {
    double d2 = 0, dot = 0;
    for (int j = 0; j < D; j++) d2 += (a[j] - b[j]) * (a[j] - b[j]), dot += a[j] * b[j];
    double r = sqrt(d2) / SIGMA;
    if (strcmp(name, "linear") == 0) return dot;
    if (strcmp(name, "poly") == 0) return pow(dot / (SIGMA * SIGMA) + 1, 3);
    if (strcmp(name, "rbf") == 0) return exp(-r * r / 2);
    if (strcmp(name, "laplace") == 0) return exp(-r);
    return (1 + sqrt(3) * r) * exp(-sqrt(3) * r);
}

/* [K + diag(1/(C v)), 1; 1', 0] [alpha; b] = [y; 0]; krr without the border; penalised: -rho in the corner. */
static void dense_machine(const scenario *s, const double *y, double C, double *alpha, double *b) {
    static double A[(N + 1) * (N + 1)], x[N + 1];
    double rho = rho_of(s->machine);
    int64_t size = N + (isfinite(rho) ? 1 : 0);
    memset(A, 0, sizeof A);
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < N; j++) A[i + j * size] = kappa(s->kernel, X + i * D, X + j * D);
        A[i + i * size] += 1 / (C * weight[i]);
        if (size > N) A[i + N * size] = A[N + i * size] = 1;
        x[i] = y[i];
    }
    x[N] = 0;
    if (size > N) A[N + N * size] = -rho;
    dense_solve(size, 1, A, x);
    memcpy(alpha, x, N * sizeof *alpha);
    *b = size > N ? x[N] : 0;
}

/* ---- the machine ------------------------------------------------------------------------------------------------ */

static void it_is_the_exact_machine(void **state) {
    (void)state;
    bool differ = false, share = false;
    for (int k = 0; k < SCENARIOS; k++) {
        const scenario *s = &scenarios[k];
        ny_model *model = train(s);
        ny_data *points = NULL;
        static double scores[NEW * MOST], y[N], alpha[N], b;
        assert_true(model->record->solver.known && model->record->solver.residual <= 1e-12);
        assert_int_equal(model->f.Z.n, N + model->posterior.m); /* landmarks that carry a posterior stand before them */
        assert_int_equal(model->posterior.r > 0, s->classes == 0);
        assert_int_equal(model->record->origin.landmarks <= 12, 1);
        must(ctx, ny_data_from_rows(ctx, NEW, D, fresh, NULL, &points));
        must(ctx, ny_predict(ctx, model, points, NULL, NULL, NULL, scores));
        int64_t q = model->f.outputs;
        for (int64_t j = 0; j < q; j++) {
            differ |= model->C[j] != model->C[0];
            share |= j > 0 && model->C[j] == model->C[0];
            for (int i = 0; i < N; i++)
                y[i] = s->classes ? ny_codes_code(model->coding.method, s->classes, (int64_t)target[i], j) : target[i];
            dense_machine(s, y, model->C[j], alpha, &b);
            assert_close(model->f.b[j], b, 1e-8);
            for (int i = 0; i < NEW; i++) {
                double f = b;
                for (int r = 0; r < N; r++) f += alpha[r] * kappa(s->kernel, X + r * D, fresh + i * D);
                assert_close(scores[j + i * q], f, 1e-8);
            }
        }
        ny_data_free(points);
        ny_model_free(model);
    }
    assert_true(differ && share); /* both ways through the common right sides were taken */
}

static void threads_do_not_matter(void **state) {
    (void)state;
    for (int k = 0; k < SCENARIOS; k++) {
        ny_model *model[2];
        for (int t = 0; t < 2; t++) {
            ny_data *data = make_data(&scenarios[k]);
            ny_options *options = options_of(&scenarios[k], "1e-13", "1000");
            must(ctx, ny_options_set(ctx, options, "threads", t ? "3" : "1"));
            model[t] = train_with_options(ctx, data, options);
            ny_data_free(data);
        }
        for (int64_t i = 0; i < model[0]->f.outputs * model[0]->f.Z.n; i++)
            assert_close(model[1]->f.beta[i], model[0]->f.beta[i], 1e-9);
        for (int64_t j = 0; j < model[0]->f.outputs; j++) assert_close(model[1]->f.b[j], model[0]->f.b[j], 1e-9);
        ny_model_free(model[0]);
        ny_model_free(model[1]);
    }
}

/* Leave-one-out of the exact machine: v_i e_i^2 with e_i = alpha_i / (A^-1)_ii of the bordered system A. */
static double dense_loo(const scenario *s, double C) {
    static double A[(N + 1) * (N + 1)], copy[(N + 1) * (N + 1)], unit[N + 1], alpha[N];
    double rho = rho_of(s->machine);
    int64_t size = N + (isfinite(rho) ? 1 : 0);
    double b, sum = 0, total = 0;
    dense_machine(s, target, C, alpha, &b);
    memset(A, 0, sizeof A);
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < N; j++) A[i + j * size] = kappa(s->kernel, X + i * D, X + j * D);
        A[i + i * size] += 1 / (C * weight[i]);
        if (size > N) A[i + N * size] = A[N + i * size] = 1;
    }
    if (size > N) A[N + N * size] = -rho;
    for (int i = 0; i < N; i++) {
        memcpy(copy, A, sizeof A);
        memset(unit, 0, sizeof unit);
        unit[i] = 1;
        dense_solve(size, 1, copy, unit);
        sum += weight[i] * alpha[i] / unit[i] * alpha[i] / unit[i];
        total += weight[i];
    }
    return sum / total;
}

/* The expected error is the exact machine's own, up to the noise of 16 random signs. */
static void its_own_leave_one_out(void **state) {
    (void)state;
    for (int k = 0; k < 4; k++) {
        ny_model *model = train(&scenarios[k]);
        double dense = dense_loo(&scenarios[k], model->C[0]);
        assert_true(fabs(model->record->expected.squared_error / dense - 1) < 0.08);
        assert_true(model->record->expected.value == model->record->expected.squared_error);
        ny_model_free(model);
    }
}

/* Intervals have their width from the low-rank posterior, whose landmarks the file keeps before the rows. */
static void intervals_and_the_file(void **state) {
    (void)state;
    static double mean[2][NEW], low[2][NEW], high[2][NEW], sd[2][NEW];
    ny_data *points = NULL;
    ny_model *model[2] = {train(&scenarios[2]), NULL};
    must(ctx, ny_data_from_rows(ctx, NEW, D, fresh, NULL, &points));
    must(ctx, ny_model_save(ctx, model[0], "ny_test_cg.nysel"));
    must(ctx, ny_model_load(ctx, "ny_test_cg.nysel", &model[1]));
    for (int k = 0; k < 2; k++) {
        must(ctx, ny_predict_interval(
                      ctx, model[k], points, NULL, 0.9,
                      &(ny_intervals){.value = mean[k], .lower = low[k], .upper = high[k], .model_sd = sd[k]}));
        for (int i = 0; i < NEW; i++) assert_true(low[k][i] < mean[k][i] && mean[k][i] < high[k][i] && sd[k][i] > 0);
        ny_model_free(model[k]);
    }
    assert_memory_equal(mean[0], mean[1], sizeof mean[0]);
    assert_memory_equal(low[0], low[1], sizeof low[0]);
    remove("ny_test_cg.nysel");
    ny_data_free(points);
}

/* With every row a landmark the direct machine is the exact one too. */
static void all_landmarks_agree(void **state) {
    (void)state;
    const scenario *s = &scenarios[4];
    static double F[2][N];
    for (int cg = 0; cg < 2; cg++) {
        ny_data *data = make_data(s);
        ny_options *options = options_of(s, cg ? "1e-12" : NULL, cg ? "1000" : NULL);
        must(ctx, ny_options_set(ctx, options, "landmarks", "all"));
        must(ctx, ny_options_set(ctx, options, "rank-tol", "0"));
        must(ctx, ny_options_set(ctx, options, "solver", cg ? "cg" : "direct"));
        ny_model *model = train_with_options(ctx, data, options);
        must(ctx, ny_predict(ctx, model, data, NULL, NULL, NULL, F[cg]));
        assert_true(model->record->solver.known == (cg == 1));
        ny_model_free(model);
        ny_data_free(data);
    }
    for (int i = 0; i < N; i++) assert_close(F[1][i], F[0][i], 1e-8);
}

/* ---- limits, stops, refusals ------------------------------------------------------------------------------------ */

static void too_few_iterations(void **state) {
    (void)state;
    const scenario *s = &scenarios[2];
    ny_data *data = make_data(s);
    ny_model *cut = train_with_options(ctx, data, options_of(s, "1e-8", "1")),
             *near = train_with_options(ctx, data, options_of(s, "1e-8", "1000"));
    assert_true(has_note(cut, "not converged: residual") && has_note(cut, "after 1 iterations"));
    assert_true(has_note(cut, "the low-rank machine was kept"));
    assert_false(cut->record->solver.known);
    assert_true(cut->f.Z.n <= 12);
    assert_false(has_note(near, "not converged"));
    char most[16];
    snprintf(most, sizeof most, "%d", (int)near->record->solver.iterations - 2);
    ny_model *almost = train_with_options(ctx, data, options_of(s, "1e-8", most)); /* good enough to be kept */
    assert_true(has_note(almost, "not converged: residual") && almost->record->solver.known);
    assert_true(almost->record->solver.residual > 1e-8 && almost->record->solver.residual < 1e-3);
    assert_int_equal(almost->f.Z.n, N + almost->posterior.m);
    ny_model_free(cut);
    ny_model_free(near);
    ny_model_free(almost);
    ny_data_free(data);
}

static void stop_at(void *user, const char *stage, double done, double total, double seconds_left) {
    (void)seconds_left;
    ctx->progress_last = 0; /* every call, please */
    if (strcmp(stage, "solve") == 0 && done >= *(double *)user * total) ny_cancel(ctx);
}

static void stops(void **state) {
    (void)state;
    const scenario *s = &scenarios[2];
    static const double places[] = {0, 1e-9, 0.6}; /* before it begins; on its way; where the residual is good */
    ny_data *data = make_data(s);
    for (int k = 0; k < 3; k++) {
        ny_options *options = options_of(s, "1e-10", "1000");
        ny_model *model = NULL;
        double place = places[k];
        ny_on_progress(ctx, stop_at, &place);
        assert_int_equal(ny_train(ctx, data, options, &model), NY_STOPPED);
        ny_on_progress(ctx, NULL, NULL);
        assert_true(model->record->stopped && model->record->solver.known == (k == 2));
        assert_int_equal(model->f.Z.n >= N, k == 2);
        assert_true(has_note(model, "--solver cg"));
        assert_int_equal(has_note(model, "the low-rank machine was kept"), k < 2);
        assert_false(has_note(model, "the search was stopped"));
        if (k == 2) assert_true(model->record->solver.residual < 1e-3);
        ny_model_free(model);
        ny_options_free(options);
    }
    ny_data_free(data);
}

static void memory_is_respected(void **state) {
    (void)state;
    const scenario s = scenarios[0];
    enum { ROWS = 20000 };
    double *x = ny_alloc(ctx, ROWS, sizeof *x);
    for (int i = 0; i < ROWS; i++) x[i] = sin(i);
    ny_data *data = NULL;
    must(ctx, ny_data_from_rows(ctx, ROWS, 1, x, x, &data));
    for (int k = 0; k < 2; k++) {
        ny_options *options = options_of(&s, "1e-3", "1");
        must(ctx, ny_options_set(ctx, options, "memory", k ? "30M" : "140M"));
        must(ctx, ny_options_set(ctx, options, "task", "regression"));
        ny_model *model = NULL;
        ny_alloc_peak();
        ny_status st = ny_train(ctx, data, options, &model);
        if (k == 0) {
            must(ctx, st);
            assert_true(model->record->spent.predicted_bytes <= 140 << 20 &&
                        model->record->spent.predicted_bytes > 120 << 20);
            assert_true(ny_alloc_peak() + (16 << 20) <= model->record->spent.predicted_bytes);
        } else {
            assert_int_equal(st, NY_ERR_MEMORY);
            assert_non_null(strstr(ny_message(ctx), "--solver cg needs about"));
            assert_non_null(strstr(ny_message(ctx), "--solver direct"));
        }
        ny_model_free(model);
        ny_options_free(options);
    }
    ny_data_free(data);
    ny_free(x);
}

static void refusals(void **state) {
    (void)state;
    static const char *const bad[][3] = {{"multiclass", "ovo", "--multiclass ova"},
                                         {"expansion", "training", "use one of them"},
                                         {"bound", "yes", "--solver direct"}};
    ny_data *data = make_data(&scenarios[6]);
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        ny_options *options = options_of(&scenarios[6], "1e-8", "1000");
        ny_model *model = NULL;
        must(ctx, ny_options_set(ctx, options, bad[k][0], bad[k][1]));
        assert_int_equal(ny_train(ctx, data, options, &model), NY_ERR_USAGE);
        assert_null(model);
        assert_non_null(strstr(ny_message(ctx), "--solver cg"));
        assert_non_null(strstr(ny_message(ctx), bad[k][2]));
        ny_options_free(options);
    }
    ny_data_free(data);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_is_the_exact_machine), cmocka_unit_test(threads_do_not_matter),
        cmocka_unit_test(its_own_leave_one_out),   cmocka_unit_test(intervals_and_the_file),
        cmocka_unit_test(all_landmarks_agree),

        cmocka_unit_test(too_few_iterations),      cmocka_unit_test(stops),
        cmocka_unit_test(memory_is_respected),     cmocka_unit_test(refusals),
    };
    return cmocka_run_group_tests_name("the exact machine by conjugate gradients", tests, setup, teardown);
}

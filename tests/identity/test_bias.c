/* test_bias.c: --bias free, penalised and none, of whole trainings: eq. 7 of De Brabanter et al. (2010) as it is
 * printed, the limits of the penalty, and copies, weights, expansions and files of such machines. What the pieces do is
 * in test_squared.c, test_dense.c, test_system.c, test_posterior.c, test_passes.c, test_relevance.c, test_losses.c, ...
 */
#include "with_ctx.h"

#include <math.h>

#include "model/record.h"
#include "solver/machine.h"

enum { N = 80, D = 3 };

static double X[N * D], target[N], weight[N];

static void make_data(bool classes) {
    ny_rng rng = ny_rng_make(17, NY_RNG_TEST, 2);
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < D; j++) X[j + i * D] = ny_rng_normal(&rng);
        double f = sin(2 * X[i * D]) + 0.5 * X[1 + i * D] + 0.3 * ny_rng_normal(&rng);
        target[i] = !classes ? 4 + f : f > -0.4;
        weight[i] = 1;
    }
}

static ny_data *rows_of(int64_t n) {
    ny_data *data = NULL;
    must(ctx, ny_data_from_rows(ctx, n, D, X, target, &data));
    data->weight = ny_alloc(ctx, n, sizeof *weight);
    memcpy(data->weight, weight, (size_t)n * sizeof *weight);
    return data;
}

/* machine: with its bias (rho_of in support.h). */
static ny_model *train(const char *machine, const char *kernel, const char *landmarks, const char *C,
                       const char *expansion) {
    bool linear = strcmp(kernel, "linear") == 0;
    ny_options *o = make_options(ctx, "kernel", kernel, "bandwidth", linear ? NULL : "1.5", "C", C, "landmarks",
                                 landmarks, "landmark-method", "uniform", "scale", "none", "search", "none",
                                 "expansion", expansion, "solver", "direct", NULL);
    set_machine(ctx, o, machine);
    ny_data *data = rows_of(N);
    ny_model *model = train_with_options(ctx, data, o);
    ny_data_free(data);
    return model;
}

static void outputs_of(const ny_model *model, double *f) {
    ny_data *data = rows_of(N);
    must(ctx, ny_predict(ctx, model, data, NULL, NULL, NULL, f));
    ny_data_free(data);
}

static double rbf(const double *a, const double *b) {
    double d2 = 0;
    for (int j = 0; j < D; j++) d2 += (a[j] - b[j]) * (a[j] - b[j]);
    return exp(-d2 / (2 * 1.5 * 1.5));
}

/* ---- eq. 7 ------------------------------------------------------------------------------------------------------- */

/* Phi_e = [phi_1 .. phi_m, 1] with phi_i(x) = root sum_k u_ki k(z_k, x) / sqrt(lambda_i), and
 * (w; b) = (Phi_e'Phi_e + I_{m+1} / gamma)^-1 Phi_e'y. With root = sqrt m these are the features of LS-SVMlab. */
static void printed_machine(const ny_model *model, double root, double gamma, double *f) {
    static double W[N * N], U[N * N], P[N * (N + 1)], A[(N + 1) * (N + 1)], c[N + 1];
    int64_t m = model->f.Z.n, size = m + 1;
    const double *Z = model->f.Z.x;
    for (int64_t a = 0; a < m * m; a++) W[a] = rbf(Z + a / m * D, Z + a % m * D);
    dense_eigen(m, W, U);
    for (int i = 0; i < N; i++) {
        P[i + m * N] = 1;
        for (int64_t k = 0; k < m; k++) {
            P[i + k * N] = 0;
            for (int64_t a = 0; a < m; a++)
                P[i + k * N] += root * U[a + k * m] * rbf(Z + a * D, X + i * D) / sqrt(W[k + k * m]);
        }
    }
    for (int64_t a = 0; a < size; a++) {
        c[a] = 0;
        for (int i = 0; i < N; i++) c[a] += P[i + a * N] * target[i];
        for (int64_t b = 0; b < size; b++) {
            A[a + b * size] = a == b ? 1 / gamma : 0;
            for (int i = 0; i < N; i++) A[a + b * size] += P[i + a * N] * P[i + b * N];
        }
    }
    dense_solve(size, 1, A, c);
    for (int i = 0; i < N; i++) {
        f[i] = 0;
        for (int64_t a = 0; a < size; a++) f[i] += P[i + a * N] * c[a];
    }
}

/* Ours has rho = 1 and C = gamma; that of LS-SVMlab rho = m and C = m gamma. */
static void equation_7(void **state) {
    (void)state;
    make_data(false);
    for (int k = 0; k < 2; k++) {
        double f[N], said[N], gamma = 0.5;
        ny_model *model = train(k ? "lssvm:10" : "lssvm:1", "rbf", "10", k ? "5" : "0.5", "landmarks");
        assert_int_equal(model->f.Z.n, 10);
        outputs_of(model, said);
        printed_machine(model, k ? sqrt(10) : 1, gamma, f);
        for (int i = 0; i < N; i++) assert_close(said[i], f[i], 1e-8);
        ny_model_free(model);
    }
}

/* ---- the limits of the penalty ----------------------------------------------------------------------------------- */

static double apart(const char *machine, const char *bias, const char *other, const char *landmarks) {
    char name[64];
    double f[N], g[N], most = 0;
    snprintf(name, sizeof name, "%s%s", machine, bias);
    ny_model *model = train(name, "rbf", landmarks, "2", "landmarks");
    outputs_of(model, f);
    ny_model_free(model);
    snprintf(name, sizeof name, "%s%s", machine, other);
    model = train(name, "rbf", landmarks, "2", "landmarks");
    outputs_of(model, g);
    ny_model_free(model);
    for (int i = 0; i < N; i++) most = fmax(most, fabs(f[i] - g[i]));
    return most;
}

/* What is left of the difference falls with rho, and with 1/rho; all machines, few landmarks and all rows. */
static void free_and_none_are_its_limits(void **state) {
    (void)state;
    const ny_machine *m;
    for (int64_t k = 0; (m = ny_machine_at(k)); k++)
        for (int all = 0; all < 2; all++) {
            const char *landmarks = all ? "all" : "12", *name = m->bias ? m->name : "lssvm";
            make_data(m->loss->classes);
            double free = apart(name, ":1e-6", "", landmarks), none = apart(name, ":1e9", ":none", landmarks);
            double between = apart(name, "", ":none", landmarks);
            assert_true(between > 1e-2 && free < 1e-4 * between && none < 1e-4 * between);
            assert_true(apart(name, ":1", "", landmarks) < between && apart(name, ":1", ":none", landmarks) < between);
        }
}

/* krr is lssvm without a bias, and with a penalised one they are the same. */
static void two_names(void **state) {
    (void)state;
    make_data(false);
    double f[N], g[N];
    for (int k = 0; k < 2; k++) {
        ny_model *a = train(k ? "krr" : "krr:2", "rbf", "12", "2", "landmarks");
        ny_model *b = train(k ? "lssvm:none" : "lssvm:2", "rbf", "12", "2", "landmarks");
        outputs_of(a, f);
        outputs_of(b, g);
        assert_memory_equal(f, g, sizeof f);
        ny_model_free(a);
        ny_model_free(b);
    }
}

/* ---- weights, expansions, files ---------------------------------------------------------------------------------- */

/* A row of weight 2 is two rows of weight 1. */
static void weights_are_copies(void **state) {
    (void)state;
    const ny_machine *m;
    for (int64_t k = 0; (m = ny_machine_at(k)); k++) {
        char name[64];
        double f[N], g[N];
        snprintf(name, sizeof name, "%s:0.3", m->name);
        make_data(m->loss->classes);
        memcpy(X + N / 2 * D, X, sizeof X / 2);
        memcpy(target + N / 2, target, sizeof target / 2);
        ny_model *model = train(name, "rbf", "all", "2", "landmarks");
        outputs_of(model, f);
        ny_model_free(model);
        for (int i = 0; i < N; i++) weight[i] = i < N / 2 ? 2 : 0;
        model = train(name, "rbf", "all", "2", "landmarks");
        outputs_of(model, g);
        ny_model_free(model);
        for (int i = 0; i < N; i++) assert_close(f[i], g[i], 1e-5);
    }
}

/* Rows that cost nothing are left out, and the outputs stay. */
static void active_rows(void **state) {
    (void)state;
    make_data(true);
    for (int k = 0; k < 2; k++) {
        double f[N], g[N];
        const char *name = k ? "l2svm:none" : "l2svm:0.3";
        ny_model *all = train(name, "rbf", "all", "2", "landmarks"), *few = train(name, "rbf", "all", "2", "active");
        assert_true(few->f.Z.n < N);
        outputs_of(all, f);
        outputs_of(few, g);
        for (int i = 0; i < N; i++) assert_close(g[i], f[i], 1e-6);
        ny_model_free(all);
        ny_model_free(few);
    }
}

/* A model from its file says the same, and which bias it has. */
static void files(void **state) {
    (void)state;
    make_data(false);
    double f[N], g[N];
    char *json = NULL;
    ny_model *model = train("lssvm:0.3", "rbf", "12", "2", "landmarks"), *read = NULL;
    char *file = write_file(".nysel", "", -1);
    must(ctx, ny_model_save(ctx, model, file));
    must(ctx, ny_model_load(ctx, file, &read));
    outputs_of(model, f);
    outputs_of(read, g);
    assert_memory_equal(f, g, sizeof f);
    must(ctx, ny_model_json(ctx, read, &json));
    assert_non_null(strstr(json, "\"kind\": \"penalised\""));
    ny_text_free(json);
    ny_model_free(model);
    ny_model_free(read);
    remove(file);
    free(file);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equation_7),  cmocka_unit_test(free_and_none_are_its_limits),
        cmocka_unit_test(two_names),   cmocka_unit_test(weights_are_copies),
        cmocka_unit_test(active_rows), cmocka_unit_test(files),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}

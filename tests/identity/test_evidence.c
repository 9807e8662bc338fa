/* test_evidence.c: the evidence from the tridiagonal form against densities of n correlated numbers, written here anew.
 *
 * y ~ N(b, S/mu), S = K + diag(1/(C v)), b with a flat prior (krr: no b):
 *     -log p = 1/2 [ N log(2 pi/mu) + log det S + log 1'S^-1 1 + mu y'Py ],  P = S^-1 - S^-1 11'S^-1 / 1'S^-1 1 */
#include "support.h"

#include <math.h>

#include "criterion/criterion.h"
#include "model/record.h"

enum { N = 50, D = 3 };

static double X[N * D], target[N], weight[N];

static void make_data(bool weights, int inputs) {
    ny_rng rng = ny_rng_make(11, NY_RNG_TEST, (uint32_t)inputs);
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < D; j++) X[j + i * D] = ny_rng_normal(&rng);
        target[i] = 4 + sin(2 * X[i * D]) + 0.5 * X[1 + i * D] + 0.3 * ny_rng_normal(&rng);
        weight[i] = weights ? 0.5 + ny_rng_uniform(&rng) : 1;
    }
}

static ny_model *train(ny_ctx *ctx, const char *machine, const char *kernel, const char *criterion,
                       const char *landmarks, const char *C) {
    ny_data *data = NULL;
    must(ctx, ny_data_from_rows(ctx, N, D, X, target, &data));
    data->weight = ny_alloc(ctx, N, sizeof(double));
    memcpy(data->weight, weight, sizeof weight);
    ny_options *o = make_options(ctx, "task", "regression", "kernel", kernel, "scale", "none", "landmarks", landmarks,
                                 "criterion", criterion, "search", "none", "bandwidth",
                                 strcmp(kernel, "linear") == 0 ? NULL : "1.5", "C", C, NULL);
    set_machine(ctx, o, machine);
    ny_model *model = train_with_options(ctx, data, o);
    ny_data_free(data);
    return model;
}

static double rbf(const double *a, const double *b) {
    double d2 = 0;
    for (int j = 0; j < D; j++) d2 += (a[j] - b[j]) * (a[j] - b[j]);
    return exp(-d2 / (2 * 1.5 * 1.5));
}

/* K, or K_xz W^-1 K_zx from the model's landmarks; returns what it lacks of the trace, weighted. */
static double kernel_matrix(const ny_model *model, bool low_rank, double *K) {
    static double W[N * N], B[N * N];
    double rest = 0;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) K[i + j * N] = rbf(X + i * D, X + j * D);
    if (!low_rank) return 0;
    int64_t m = model->f.Z.n;
    for (int64_t a = 0; a < m; a++) {
        for (int64_t b = 0; b < m; b++) W[a + b * m] = rbf(model->f.Z.x + a * D, model->f.Z.x + b * D);
        for (int i = 0; i < N; i++) B[a + i * m] = rbf(model->f.Z.x + a * D, X + i * D);
    }
    dense_solve(m, N, W, B);
    for (int i = 0; i < N; i++) {
        rest += weight[i] * K[i + i * N];
        for (int j = 0; j < N; j++) {
            K[i + j * N] = 0;
            for (int64_t a = 0; a < m; a++) K[i + j * N] += rbf(model->f.Z.x + a * D, X + i * D) * B[a + j * m];
        }
        rest -= weight[i] * K[i + i * N];
    }
    return rest;
}

typedef struct {
    double logdet, border, quadratic, parameters; /* log det S, log 1'S^-1 1, y'Py, effective parameters without b */
} dense;

static dense dense_form(const double *K, double C, bool bias) {
    static double S[N * N], copy[N * N], Q[N * N], P[N * N], one[N];
    dense d = {0};
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            S[i + j * N] = copy[i + j * N] = K[i + j * N] + (i == j ? 1 / (C * weight[i]) : 0);
            P[i + j * N] = i == j;
        }
    dense_eigen(N, copy, Q);
    for (int i = 0; i < N; i++) d.logdet += log(copy[i + i * N]);
    dense_solve(N, N, S, P);
    double sum = 0;
    for (int i = 0; i < N; i++) {
        one[i] = 0;
        for (int j = 0; j < N; j++) one[i] += P[i + j * N];
        sum += one[i];
    }
    for (int i = 0; bias && i < N; i++)
        for (int j = 0; j < N; j++) P[i + j * N] -= one[i] * one[j] / sum;
    d.parameters = N - bias;
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < N; j++) d.quadratic += target[i] * P[i + j * N] * target[j];
        d.parameters -= P[i + i * N] / (C * weight[i]);
    }
    if (bias) d.border = log(sum);
    return d;
}

/* Level 3: the uncertainty of log mu and log zeta is integrated out around their best. */
static double level_3(double level_2, double n, double g) {
    return level_2 + 0.5 * log(g) + 0.5 * log(n - g) - log(4 * M_PI);
}

static void test_evidence_is_the_density(void **state) {
    (void)state;
    static double K[N * N];
    static const char *const machines[] = {"krr", "lssvm", "lssvm:0.3"};
    for (int k = 0; k < 24; k++) {
        const char *machine = machines[k / 8];
        double rho = rho_of(machine);
        bool weights = k & 1, bias = rho == 0, low_rank = k & 4;
        const char *C = k & 2 ? "200" : "0.7"; /* the larger lies beyond what 12 landmarks allow */
        ny_ctx *ctx = ny_ctx_new();
        make_data(weights, 0);
        ny_model *model = train(ctx, machine, "rbf", "evidence", low_rank ? "12" : "all", C);
        double rest = kernel_matrix(model, low_rank, K), n = N - bias;
        double used = low_rank ? fmin(strtod(C, NULL), n / rest) : strtod(C, NULL);
        if (low_rank) assert_true(rest > 0 && (used < strtod(C, NULL)) == (strtod(C, NULL) == 200));
        for (int i = 0; i < N * N && rho > 0; i++) K[i] += 1 / rho; /* part of the kernel */
        dense d = dense_form(K, used, bias);
        double level_2 = 0.5 * (n * log(2 * M_PI * d.quadratic / n) + d.logdet + d.border + n);
        assert_close(model->record->expected.value, level_3(level_2, n, d.parameters), 1e-8);
        assert_close(model->C[0], strtod(C, NULL), 1e-12);
        const ny_inferred *level = model->record->level;
        assert_int_equal(model->record->levels, 1);
        assert_close(level->mu, n / d.quadratic, 1e-8);
        assert_close(level->zeta, used * n / d.quadratic, 1e-8);
        assert_close(level->gamma_eff, d.parameters + bias, 1e-8);
        assert_close(level->log_mu_stderr, sqrt(2 / d.parameters), 1e-8);
        assert_close(level->log_zeta_stderr, sqrt(2 / (n - d.parameters)), 1e-8);
        ny_model_free(model);
        ny_ctx_free(ctx);
    }
}

/* Bayesian linear regression as in the textbooks: features (1, x), A = alpha I + beta Phi'Phi, m = beta A^-1 Phi't,
 *     log p = M/2 log alpha + n/2 log beta - beta/2 |t - Phi m|^2 - alpha/2 |m|^2 - 1/2 log det A - n/2 log 2 pi
 * with a precision of 1e-8 for the constant, whose prior density is taken off again. */
static void test_linear_kernel_is_bayesian_linear_regression(void **state) {
    (void)state;
    enum { F = D + 1 };
    const double C = 2.5, flat = 1e-8, n = N - 1;
    ny_ctx *ctx = ny_ctx_new();
    make_data(false, 1);
    ny_model *model = train(ctx, "lssvm", "linear", "evidence", "all", "2.5");
    double A[F * F] = {0}, m[F] = {0}, copy[F * F], Q[F * F], error = 0, norm = 0, logdet = 0, parameters = 0;
    double alpha = 1, Phi[N][F]; /* beta = C alpha; the posterior mean does not depend on alpha */
    for (int i = 0; i < N; i++)
        for (int a = 0; a < F; a++) Phi[i][a] = a ? X[a - 1 + i * D] : 1;
    for (int i = 0; i < N; i++)
        for (int a = 0; a < F; a++) {
            for (int b = 0; b < F; b++) A[a + b * F] += C * Phi[i][a] * Phi[i][b];
            m[a] += C * Phi[i][a] * target[i];
        }
    for (int a = 0; a < F; a++) A[a + a * F] += a ? 1 : flat;
    memcpy(copy, A, sizeof A);
    dense_eigen(F, copy, Q);
    for (int a = 0; a < F; a++) logdet += log(copy[a + a * F]);
    memcpy(copy, A, sizeof A);
    for (int a = 0; a < F * F; a++) Q[a] = a % (F + 1) == 0;
    dense_solve(F, F, copy, Q);
    for (int a = 1; a < F; a++) parameters += 1 - Q[a + a * F];
    dense_solve(F, 1, A, m);
    for (int i = 0; i < N; i++) {
        double e = target[i];
        for (int a = 0; a < F; a++) e -= Phi[i][a] * m[a];
        error += e * e;
    }
    for (int a = 1; a < F; a++) norm += m[a] * m[a];
    alpha = n / (C * error + norm); /* the best */
    double log_p = 0.5 * (D * log(alpha) + log(flat) + N * log(C * alpha) - alpha * (C * error + norm) - logdet -
                          F * log(alpha) - N * log(2 * M_PI));
    double prior = 0.5 * log(flat / (2 * M_PI)); /* of the constant, near 0 */
    assert_close(model->record->expected.value, level_3(-(log_p - prior), n, parameters), 1e-7);
    ny_model_free(model);
    ny_ctx_free(ctx);
}

/* -log p(y | mu, zeta) but for constants: in the eigenvectors of the centred kernel matrix, lambda their values and z
 * the target, y has variances lambda/mu + 1/zeta. The direction of the constant, where both are 0, does not count. */
static double minus_log_p(const double *lambda, const double *z, double log_mu, double log_zeta) {
    double sum = 0.5 * log_zeta;
    for (int i = 0; i < N; i++) {
        double variance = fmax(lambda[i], 0) * exp(-log_mu) + exp(-log_zeta);
        sum += 0.5 * (log(variance) + z[i] * z[i] / variance);
    }
    return sum;
}

/* At the best C, mu and zeta are where the slopes vanish, the paper's formulas by E_W and E_D give the same, and the
 * curvature there is what the standard errors say: nearly so where eigenvalues are large or zero, as of a linear
 * kernel. */
static void test_level_2_is_the_best(void **state) {
    (void)state;
    static double K[N * N], Q[N * N];
    double lambda[N], z[N] = {0}, mean[N] = {0}, all = 0, y = 0, w2 = 0, e2 = 0;
    ny_ctx *ctx = ny_ctx_new();
    make_data(false, 1);
    ny_model *model = train(ctx, "lssvm", "linear", "evidence", "all", "auto");
    const ny_inferred *level = model->record->level;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            for (int a = 0; a < D; a++) K[i + j * N] += X[a + i * D] * X[a + j * D];
            mean[i] += K[i + j * N] / N;
            all += K[i + j * N] / (N * N);
        }
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < N; j++) K[i + j * N] += all - mean[i] - mean[j];
        y += target[i] / N;
    }
    dense_eigen(N, K, Q);
    for (int k = 0; k < N; k++) {
        for (int i = 0; i < N; i++) z[k] += Q[i + k * N] * (target[i] - y);
        lambda[k] = K[k + k * N];
    }
    double C = model->C[0], u = log(level->mu), v = log(level->zeta), h = 1e-3, f[3][3];
    for (int k = 0; k < N; k++) {
        double l = fmax(lambda[k], 0), s = l + 1 / C;
        w2 += l * z[k] * z[k] / (s * s);
        e2 += z[k] * z[k] / (C * C * s * s);
    }
    for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++) f[a][b] = minus_log_p(lambda, z, u + (a - 1) * h, v + (b - 1) * h);
    double g = level->gamma_eff - 1, ratio = C * e2 / w2;
    assert_true(fabs((f[2][1] - f[0][1]) / (2 * h)) < 0.02 && fabs((f[1][2] - f[1][0]) / (2 * h)) < 0.02);
    assert_close(level->mu, g / w2, 0.02);
    assert_close(level->zeta, (N - level->gamma_eff) / e2, 0.02);
    assert_close(level->gamma_eff, (N + ratio) / (1 + ratio), 0.02);
    assert_close(level->log_mu_stderr, 1 / sqrt((f[2][1] - 2 * f[1][1] + f[0][1]) / (h * h)), 0.1);
    assert_close(level->log_zeta_stderr, 1 / sqrt((f[1][2] - 2 * f[1][1] + f[1][0]) / (h * h)), 0.1);
    ny_model_free(model);
    ny_ctx_free(ctx);
}

/* (14) of the paper: the landmarks' centred eigenvalues times n/m, zeros for the rest. */
static void test_nystrom_is_the_papers(void **state) {
    (void)state;
    static double K[N * N], W[N * N], Q[N * N];
    ny_ctx *ctx = ny_ctx_new();
    make_data(false, 0);
    const double C = 30, n = N - 1;
    ny_model *model = train(ctx, "lssvm", "rbf", "evidence-nystrom", "15", "30");
    int64_t m = model->f.Z.n;
    kernel_matrix(model, true, K);
    dense d = dense_form(K, C, true);
    double logdet = -(N - (double)m) * log(C), g = 0, all = 0, mean[N] = {0};
    for (int64_t a = 0; a < m; a++)
        for (int64_t b = 0; b < m; b++) {
            W[a + b * m] = rbf(model->f.Z.x + a * D, model->f.Z.x + b * D);
            mean[a] += W[a + b * m] / (double)m;
            all += W[a + b * m] / (double)(m * m);
        }
    for (int64_t a = 0; a < m; a++)
        for (int64_t b = 0; b < m; b++) W[a + b * m] += all - mean[a] - mean[b];
    dense_eigen(m, W, Q);
    int64_t least = 0; /* the paper's sum has m - 1 terms: not the zero that centring makes */
    for (int64_t a = 1; a < m; a++)
        if (W[a + a * m] < W[least + least * m]) least = a;
    for (int64_t a = 0; a < m; a++) {
        double lambda = N / (double)m * W[a + a * m];
        if (a == least) continue;
        logdet += log(lambda + 1 / C);
        g += C * lambda / (1 + C * lambda);
    }
    double level_2 = 0.5 * (n * log(2 * M_PI * d.quadratic / n) + logdet + log(N) + n);
    assert_close(model->record->expected.value, level_3(level_2, n, g), 1e-8);
    assert_close(model->record->level->mu, n / d.quadratic, 1e-8);
    assert_close(model->record->level->gamma_eff, g + 1, 1e-8);
    ny_model_free(model);
    ny_ctx_free(ctx);
}

/* A linear kernel of 3 inputs needs 3 of 20 landmarks, and the determinant counts all 20, as the eigen form keeps them;
 * also where the finished machine is judged again. */
static void test_nystrom_counts_the_landmarks_drawn(void **state) {
    (void)state;
    double value[3];
    make_data(true, 0);
    for (int k = 0; k < 3; k++) {
        ny_ctx *ctx = ny_ctx_new();
        ny_data *data = NULL;
        must(ctx, ny_data_from_rows(ctx, N, D, X, target, &data));
        ny_options *o =
            make_options(ctx, "task", "regression", "kernel", "linear", "landmarks", "20", "landmark-method", "uniform",
                         "C", "0.5", "search", "none", "criterion", "evidence-nystrom", "rank", k == 1 ? "20" : "0",
                         "compare-criteria", k == 2 ? "yes" : "no", NULL);
        ny_model *model = train_with_options(ctx, data, o);
        const ny_record *r = model->record;
        assert_int_equal(model->f.Z.n, k == 1 ? 20 : D);
        value[k] = k < 2 ? r->expected.value : NAN;
        for (int64_t i = 0; i < r->comparisons; i++)
            if (strcmp(r->comparison[i].criterion, "evidence-nystrom") == 0) value[k] = r->comparison[i].value;
        ny_model_free(model);
        ny_data_free(data);
        ny_ctx_free(ctx);
    }
    assert_close(value[0], value[1], 1e-10);
    assert_close(value[2], value[1], 1e-10);
}

/* With every row a landmark nothing is estimated: both are the evidence of the exact machine. */
static void test_nystrom_of_all_rows_is_the_evidence(void **state) {
    (void)state;
    static const char *const criterion[] = {"evidence", "evidence-nystrom"};
    double value[2];
    make_data(true, 0);
    for (int k = 0; k < 2; k++) {
        ny_ctx *ctx = ny_ctx_new();
        ny_model *model = train(ctx, "lssvm", "rbf", criterion[k], "all", "20");
        value[k] = model->record->expected.value;
        ny_model_free(model);
        ny_ctx_free(ctx);
    }
    assert_close(value[1], value[0], 1e-12);
}

/* d value / d log C by central differences, for both members and several outputs. */
static void test_slope_is_the_difference_quotient(void **state) {
    (void)state;
    enum { R = 7, Q = 2, M = 9 };
    static const ny_criterion *const member[] = {&ny_criterion_evidence, &ny_criterion_evidence_nystrom};
    ny_ctx *ctx = ny_ctx_new();
    ny_rng rng = ny_rng_make(5, NY_RNG_TEST, 0);
    for (int k = 0; k < 4; k++) {
        double G[R * N], u[N], Y[N * Q], diag[M], off[M];
        for (int i = 0; i < R * N; i++) G[i] = ny_rng_normal(&rng);
        for (int i = 0; i < N * Q; i++) Y[i] = ny_rng_normal(&rng) + G[i % N * R];
        for (int i = 0; i < N; i++) u[i] = 0.5 + ny_rng_uniform(&rng);
        for (int i = 0; i < M; i++) diag[i] = 2 + ny_rng_uniform(&rng), off[i] = 0.8 * ny_rng_uniform(&rng);
        ny_problem problem = {.r = R,
                              .n = N,
                              .q = Q,
                              .G = G,
                              .ldg = R,
                              .u = u,
                              .Y = Y,
                              .bias = k / 2,
                              .rest = 0.1,
                              .spectrum = {M, diag, off}};
        void *s = NULL;
        must(ctx, member[k % 2]->closed->prepare(ctx, &problem, 1, &s));
        for (double C = 1e-3; C < 400; C *= 5) {
            const double h = 1e-5, three[] = {C * exp(-h), C, C * exp(h)};
            double value[3 * Q], slope[3 * Q];
            must(ctx, member[k % 2]->value->at(ctx, s, &(ny_C_list){3, false, three}, value, NULL));
            must(ctx, member[k % 2]->value->slope(ctx, s, &(ny_C_list){3, false, three}, slope));
            for (int j = 0; j < Q; j++)
                assert_close(slope[1 + 3 * j], (value[2 + 3 * j] - value[3 * j]) / (2 * h), 1e-6);
        }
        member[k % 2]->closed->release(s);
    }
    ny_ctx_free(ctx);
}

/* C is where the slope vanishes, to 1/64 of an octave. */
static void test_C_is_the_best(void **state) {
    (void)state;
    static double K[N * N];
    ny_ctx *ctx = ny_ctx_new();
    make_data(true, 0);
    ny_model *model = train(ctx, "lssvm", "rbf", "evidence", "all", "auto");
    double here[3];
    kernel_matrix(model, false, K);
    for (int k = 0; k < 3; k++) {
        double C = model->C[0] * exp2((k - 1) / 20.0), n = N - 1;
        dense d = dense_form(K, C, true);
        here[k] = 0.5 * (n * log(d.quadratic) + d.logdet + d.border);
    }
    assert_true(here[1] < here[0] && here[1] < here[2]);
    ny_model_free(model);
    ny_ctx_free(ctx);
}

/* Van Gestel's sinc with two inputs too many, 50 of 200 rows as landmarks: kernels that no landmark sees do not
 * pass for good ones. (They would with the exact machine's errors beside the landmarks' determinant.) */
static void test_narrow_kernels_do_not_win(void **state) {
    (void)state;
    enum { ROWS = 200 };
    static double x[ROWS * 3], y[ROWS];
    ny_rng rng = ny_rng_make(3, NY_RNG_TEST, 0);
    for (int i = 0; i < ROWS; i++) {
        x[3 * i] = ny_rng_uniform(&rng) - 0.5;
        x[3 * i + 1] = x[3 * i] + 0.05 * ny_rng_normal(&rng);
        x[3 * i + 2] = 0.5 * ny_rng_normal(&rng);
        double z = 2 * M_PI * M_PI * x[3 * i];
        y[i] = (z == 0 ? 1 : sin(z) / z) + 0.1 * ny_rng_normal(&rng);
    }
    double value[2][2];
    for (int k = 0; k < 4; k++) {
        ny_ctx *ctx = ny_ctx_new();
        ny_data *data = NULL;
        must(ctx, ny_data_from_rows(ctx, ROWS, 3, x, y, &data));
        ny_options *o = make_options(ctx, "task", "regression", "kernel", "rbf", "landmarks", "50", "landmark-method",
                                     "uniform", "criterion", k / 2 ? "evidence-nystrom" : "evidence", "search", "none",
                                     "bandwidth", k % 2 ? "0.01" : "0.7", NULL);
        ny_model *model = train_with_options(ctx, data, o);
        value[k / 2][k % 2] = model->record->expected.value;
        ny_model_free(model);
        ny_data_free(data);
        ny_ctx_free(ctx);
    }
    for (int k = 0; k < 2; k++) assert_true(value[k][0] + 50 < value[k][1]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_evidence_is_the_density),
        cmocka_unit_test(test_linear_kernel_is_bayesian_linear_regression),
        cmocka_unit_test(test_level_2_is_the_best),
        cmocka_unit_test(test_nystrom_is_the_papers),
        cmocka_unit_test(test_nystrom_counts_the_landmarks_drawn),
        cmocka_unit_test(test_nystrom_of_all_rows_is_the_evidence),
        cmocka_unit_test(test_slope_is_the_difference_quotient),
        cmocka_unit_test(test_C_is_the_best),
        cmocka_unit_test(test_narrow_kernels_do_not_win),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

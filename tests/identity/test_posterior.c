/* test_posterior.c: the posterior against a dense Gaussian process with a flat prior on the bias, or a normal one,
 * written here anew.
 *
 * With M = K + diag(1/(C v)), noise s2 and the kernel scaled by C s2, the variance of f(x) + b given the targets is
 *
 *     C s2 (k(x,x) - k'M^-1 k + (1 - 1'M^-1 k)^2 / (rho + 1'M^-1 1))   (without bias rho is infinite)
 *
 * and with a low rank it is that of the low-rank kernel plus C s2 times what that kernel misses at x. */
#include "support.h"

#include <math.h>

#include "criterion/criterion.h"
#include "machine/interval.h"
#include "model/record.h"

enum { N = 40, T = 15, ALL = N + T, D = 2, CLASSES = 3 };

typedef struct {
    const char *name;
    int64_t classes; /* 0: regression */
    const char *machine, *criterion;
    bool weights;
    const char *landmarks, *rank, *C;
} scenario;

static const scenario scenarios[] = {
    {"exact", 0, "lssvm", "loo", false, "all", "0", "7"},
    {"exact, weights", 0, "lssvm", "loo", true, "all", "0", "7"},
    {"kernel ridge", 0, "krr", "loo", true, "all", "0", "3"},
    {"exact, by the kernel matrix", 0, "lssvm", "loo", true, "all", "0", "auto"},
    {"kernel ridge, by the kernel matrix", 0, "krr", "loo", true, "all", "0", "auto"},
    {"low rank", 0, "lssvm", "loo", true, "10", "0", "7"},
    {"low rank, kernel ridge", 0, "krr", "loo", false, "10", "0", "7"},
    {"low rank, eigen form", 0, "lssvm", "loo", true, "14", "6", "7"},
    {"gcv", 0, "lssvm", "gcv", true, "10", "0", "7"},
    {"large folds", 0, "lssvm", "cv", true, "10", "0", "7"},
    {"large folds, several C", 0, "krr", "cv", true, "10", "0", "-4:6:1"},
    {"small folds", 0, "lssvm", "cv", true, "all", "0", "-4:6:1"},
    {"two classes", 2, "lssvm", "loo", true, "12", "0", "5"},
    {"classes, each output its C", CLASSES, "lssvm", "loo", true, "12", "0", "auto"},
    {"classes, exact", CLASSES, "krr", "loo", false, "all", "0", "9"},
    {"penalised bias, exact", 0, "lssvm:0.05", "loo", true, "all", "0", "7"},
    {"penalised bias, by the kernel matrix", 0, "lssvm:0.05", "loo", true, "all", "0", "auto"},
    {"penalised bias, low rank", 0, "lssvm:0.3", "loo", true, "10", "0", "7"},
    {"penalised bias, eigen form", 0, "krr:2", "gcv", true, "14", "6", "7"},
    {"penalised bias, large folds", 0, "lssvm:0.3", "cv", true, "10", "0", "-4:6:1"},
    {"no bias, by the kernel matrix", 0, "lssvm:none", "loo", true, "all", "0", "auto"},
    {"penalised bias, classes", CLASSES, "lssvm:0.3", "loo", true, "12", "0", "auto"},
};
enum { SCENARIOS = sizeof scenarios / sizeof *scenarios };

static double X[ALL * D], target[ALL], weight[ALL], K[ALL * ALL], missing[ALL];

static void make_data(const scenario *s) {
    ny_rng rng = ny_rng_make(11, NY_RNG_TEST, (uint32_t)s->classes);
    for (int i = 0; i < ALL; i++) {
        for (int j = 0; j < D; j++) X[j + i * D] = 1.5 * ny_rng_normal(&rng);
        double f = sin(X[i * D]) + 0.5 * X[1 + i * D] + 0.3 * ny_rng_normal(&rng);
        target[i] = s->classes ? fmin(fmax(floor(f + 1), 0), (double)s->classes - 1) : 10 + f;
        if (i < s->classes) target[i] = i;
        weight[i] = s->weights && i < N ? 0.5 + ny_rng_uniform(&rng) : 1;
    }
}

static ny_data *data_of(ny_ctx *ctx, const scenario *s, int first, int count) {
    ny_data *data = NULL;
    must(ctx, ny_data_from_rows(ctx, count, D, X + first * D, target + first, &data));
    if (s->weights) {
        data->weight = ny_alloc(ctx, count, sizeof(double));
        memcpy(data->weight, weight + first, (size_t)count * sizeof(double));
    }
    return data;
}

static ny_model *train(ny_ctx *ctx, const scenario *s) {
    ny_data *data = data_of(ctx, s, 0, N);
    ny_options *o =
        make_options(ctx, "task",
                     s->classes == 0   ? "regression"
                     : s->classes == 2 ? "binary"
                                       : "multiclass",
                     "kernel", "matern32", "scale", "none", "landmarks", s->landmarks, "rank", s->rank, "criterion",
                     s->criterion, "folds", ny_criterion_find(s->criterion)->folds ? "5" : NULL, "search", "profile",
                     "bandwidth", "2", "C", s->C, "proba-method", "posterior", NULL);
    set_machine(ctx, o, s->machine);
    ny_model *model = train_with_options(ctx, data, o);
    ny_data_free(data);
    return model;
}

/* ---- the independent process ------------------------------------------------------------------------------------ */

static double kernel_value(const double *a, const double *b) {
    double d2 = 0;
    for (int j = 0; j < D; j++) d2 += (a[j] - b[j]) * (a[j] - b[j]);
    double r = sqrt(3 * d2) / 2;
    return (1 + r) * exp(-r);
}

/* K of all points, or its approximation from the model's landmarks; missing: what that lacks of k(x,x) = 1. */
static void kernel_matrix(const scenario *s, const ny_model *model) {
    static double W[N * N], U[N * N], phi[N * ALL];
    memset(missing, 0, sizeof missing);
    for (int i = 0; i < ALL; i++)
        for (int j = 0; j < ALL; j++) K[i + j * ALL] = kernel_value(X + i * D, X + j * D);
    if (strcmp(s->landmarks, "all") == 0) return;
    int64_t m = model->f.Z.n, rank = model->record->origin.rank;
    const double *Z = model->f.Z.x;
    for (int64_t a = 0; a < m * m; a++) W[a] = kernel_value(Z + a / m * D, Z + a % m * D);
    dense_eigen(m, W, U);
    memset(K, 0, sizeof K);
    for (int64_t k = 0; k < rank; k++) { /* the k-th largest eigenvalue */
        int64_t top = 0;
        for (int64_t a = 1; a < m; a++)
            if (W[a + a * m] > W[top + top * m]) top = a;
        for (int64_t i = 0; i < ALL; i++) {
            phi[i] = 0;
            for (int64_t a = 0; a < m; a++)
                phi[i] += U[a + top * m] * kernel_value(Z + a * D, X + i * D) / sqrt(W[top + top * m]);
        }
        W[top + top * m] = -1;
        for (int i = 0; i < ALL; i++)
            for (int j = 0; j < ALL; j++) K[i + j * ALL] += phi[i] * phi[j];
    }
    for (int i = 0; i < ALL; i++) missing[i] = 1 - K[i + i * ALL];
}

typedef struct {
    double mean, variance; /* of f + b; the variance for noise 1 */
} belief;

/* About point `at`, from the training rows but `without`. */
static belief process(const double *y, double C, double rho, int without, int at) {
    static double M[N * N], R[3 * N];
    int row[N], n = 0;
    for (int i = 0; i < N; i++)
        if (i != without) row[n++] = i;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) M[i + j * n] = K[row[i] + row[j] * ALL];
        M[i + i * n] += 1 / (C * weight[row[i]]);
        R[i] = K[row[i] + at * ALL];
        R[i + n] = 1;
        R[i + 2 * n] = y[row[i]];
    }
    dense_solve(n, 3, M, R);
    double kk = 0, ok = 0, oo = 0, ky = 0, oy = 0;
    for (int i = 0; i < n; i++) {
        double k = K[row[i] + at * ALL];
        kk += k * R[i];
        ok += R[i];
        oo += R[i + n];
        ky += k * R[i + 2 * n];
        oy += R[i + 2 * n];
    }
    belief b = {ky, C * (K[at + at * ALL] - kk + missing[at])};
    b.mean += (1 - ok) * oy / (rho + oo);
    b.variance += C * (1 - ok) * (1 - ok) / (rho + oo);
    return b;
}

/* sum v e^2 / (n - tr H), the smoother H row by row. */
static double noise_of(const double *y, double C, double rho) {
    double squares = 0, left = N, unit[ALL] = {0};
    for (int i = 0; i < N; i++) {
        double e = y[i] - process(y, C, rho, -1, i).mean;
        squares += weight[i] * e * e;
        unit[i] = 1;
        left -= process(unit, C, rho, -1, i).mean;
        unit[i] = 0;
    }
    return squares / left;
}

/* ---- regression ------------------------------------------------------------------------------------------------- */

static void test_variance_is_that_of_the_process(void **state) {
    (void)state;
    for (int k = 0; k < SCENARIOS; k++) {
        const scenario *s = &scenarios[k];
        if (s->classes) continue;
        ny_ctx *ctx = ny_ctx_new();
        double rho = rho_of(s->machine);
        make_data(s);
        ny_model *model = train(ctx, s);
        ny_data *test = data_of(ctx, s, N, T);
        double value[T], lower[T], upper[T], noise_sd[T], model_sd[T], C = model->C[0];
        must(ctx, ny_predict_interval(ctx, model, test, NULL, 0.9,
                                      &(ny_intervals){value, lower, upper, noise_sd, model_sd}));
        kernel_matrix(s, model);
        double noise = noise_of(target, C, rho), width = ny_interval_width(model->error_size, 0.9);
        for (int i = 0; i < T; i++) {
            belief b = process(target, C, rho, -1, N + i);
            assert_close(value[i], b.mean, 1e-8);
            assert_close(noise_sd[i], sqrt(noise), 1e-8);
            b.variance *= model->posterior.spread;
            assert_close(model_sd[i], sqrt(noise * b.variance), 1e-8);
            assert_close(upper[i], b.mean + width * sqrt(noise * (1 + b.variance)), 1e-8);
            assert_close(lower[i], b.mean - width * sqrt(noise * (1 + b.variance)), 1e-8);
        }
        ny_model_free(model);
        ny_data_free(test);
        ny_ctx_free(ctx);
    }
}

static int ascending(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Errors and variances of n refits; the i-th of n errors has level i / (n + 1). */
static void test_quantiles_are_those_of_refits(void **state) {
    (void)state;
    for (int k = 0; k < SCENARIOS; k++) {
        const scenario *s = &scenarios[k];
        if (s->classes || strcmp(s->criterion, "loo") != 0) continue;
        ny_ctx *ctx = ny_ctx_new();
        double rho = rho_of(s->machine);
        make_data(s);
        ny_model *model = train(ctx, s);
        kernel_matrix(s, model);
        double t[N + 1] = {0}, C = model->C[0], noise = noise_of(target, C, rho);
        for (int i = 0; i < N; i++) {
            belief b = process(target, C, rho, i, i);
            t[i + 1] = fabs(target[i] - b.mean) / sqrt(noise * (1 / weight[i] + model->posterior.spread * b.variance));
        }
        qsort(t, N + 1, sizeof *t, ascending);
        int checked = 0;
        for (int q = 0; q < NY_QUANTILES; q++) {
            double at = (1 - pow(1 - q / (double)NY_QUANTILES, 3)) * (N + 1), part = at - floor(at);
            if (at >= N) continue;
            assert_close(model->error_size[q], t[(int)at] * (1 - part) + t[(int)at + 1] * part, 1e-7);
            checked++;
        }
        assert_true(checked > 100 && model->error_size[NY_QUANTILES - 1] > t[N]);
        ny_model_free(model);
        ny_ctx_free(ctx);
    }
}

/* ---- classes ---------------------------------------------------------------------------------------------------- */

/* Log odds of output j at the test points, everything from refits. */
static void log_odds(const scenario *s, const ny_model *model, int64_t j, double *l) {
    double rho = rho_of(s->machine);
    double y[ALL], f[N], C = model->C[j], sum[2] = {0}, part[2] = {0}, squares = 0;
    for (int i = 0; i < ALL; i++) y[i] = ny_codes_code(model->coding.method, s->classes, (int64_t)target[i], j);
    double noise = noise_of(y, C, rho);
    for (int i = 0; i < N; i++) {
        f[i] = process(y, C, rho, i, i).mean;
        sum[y[i] > 0] += weight[i] * f[i];
        part[y[i] > 0] += weight[i];
    }
    double mean[2] = {sum[0] / part[0], sum[1] / part[1]};
    for (int i = 0; i < N; i++) squares += weight[i] * pow(f[i] - mean[y[i] > 0], 2);
    double within = squares / (part[0] + part[1]);
    for (int i = 0; i < T; i++) {
        belief b = process(y, C, rho, -1, N + i);
        l[i] = (mean[1] - mean[0]) * (b.mean - (mean[0] + mean[1]) / 2) / (within + noise * b.variance) +
               log(part[1] / part[0]);
    }
}

static void test_probabilities_are_those_of_the_formula(void **state) {
    (void)state;
    for (int k = 0; k < SCENARIOS; k++) {
        const scenario *s = &scenarios[k];
        if (!s->classes) continue;
        ny_ctx *ctx = ny_ctx_new();
        make_data(s);
        ny_model *model = train(ctx, s);
        ny_data *test = data_of(ctx, s, N, T);
        double value[T], proba[T * CLASSES], l[CLASSES][T];
        must(ctx, ny_predict(ctx, model, test, NULL, value, proba, NULL));
        kernel_matrix(s, model);
        bool different = false;
        for (int64_t j = 0; j < model->f.outputs; j++) {
            log_odds(s, model, j, l[j]);
            different |= model->C[j] != model->C[0];
        }
        if (strcmp(s->C, "auto") == 0) assert_true(different);
        for (int i = 0; i < T; i++) {
            double p[CLASSES], all = 0, top = 0;
            for (int64_t c = 0; c < s->classes; c++)
                all += p[c] = s->classes == 2 ? (c ? exp(l[0][i]) : 1) : exp(l[c][i]);
            for (int64_t c = 0; c < s->classes; c++) {
                assert_close(proba[i * s->classes + c], p[c] / all, 1e-6);
                top = fmax(top, proba[i * s->classes + c]);
            }
            assert_true(proba[i * s->classes + (int64_t)value[i]] == top);
        }
        ny_model_free(model);
        ny_data_free(test);
        ny_ctx_free(ctx);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_variance_is_that_of_the_process),
        cmocka_unit_test(test_quantiles_are_those_of_refits),
        cmocka_unit_test(test_probabilities_are_those_of_the_formula),
    };
    return cmocka_run_group_tests_name("posterior", tests, NULL, NULL);
}

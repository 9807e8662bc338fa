/* test_squared.c: the fast formulas of the squared loss against refits of the dense machine, written here anew.
 *
 * The dense machine on rows S:  [K_SS + diag(1/(C v)), 1; 1', 0] [alpha; b] = [y; 0]   (without border for krr;
 * with -rho in the corner where the bias has a penalty). */
#include "support.h"

#include <math.h>

#include "model/record.h"

enum { N = 60, D = 3, CLASSES = 4 };

typedef struct {
    const char *name;
    int64_t classes; /* 0: regression */
    const char *multiclass, *decoding;
    const char *machine; /* with its bias: rho_of */
    const char *kernel;
    bool weights;
    const char *landmarks;
    const char *rank; /* "0": the Cholesky form */
    bool training;    /* --expansion training: trained with the low-rank kernel, the true one at test */
} scenario;

static const scenario scenarios[] = {
    {"regression", 0, "ova", "auto", "lssvm", "rbf", false, "all", "0", false},
    {"regression, weights", 0, "ova", "auto", "lssvm", "rbf", true, "all", "0", false},
    {"kernel ridge", 0, "ova", "auto", "krr", "matern32", false, "all", "0", false},
    {"kernel ridge, weights", 0, "ova", "auto", "krr", "laplace", true, "all", "0", false},
    {"binary", 2, "ova", "auto", "lssvm", "rbf", false, "all", "0", false},
    {"binary, weights", 2, "ova", "auto", "lssvm", "matern52", true, "all", "0", false},
    {"one-vs-all", CLASSES, "ova", "auto", "lssvm", "rbf", false, "all", "0", false},
    {"one-vs-all, weights", CLASSES, "ova", "auto", "lssvm", "rbf", true, "all", "0", false},
    {"one-vs-one", CLASSES, "ovo", "auto", "lssvm", "rbf", false, "all", "0", false},
    {"one-vs-one, weights", CLASSES, "ovo", "auto", "krr", "rbf", true, "all", "0", false},
    {"one-vs-all by loss", CLASSES, "ova", "loss", "lssvm", "rbf", false, "all", "0", false},
    {"one-vs-one by Hamming distance", CLASSES, "ovo", "hamming", "lssvm", "rbf", false, "all", "0", false},
    {"one-vs-one by loss, weights", CLASSES, "ovo", "loss", "lssvm", "rbf", true, "all", "0", false},
    {"minimum output coding", CLASSES, "moc", "auto", "lssvm", "rbf", false, "all", "0", false},
    {"minimum output coding, weights", CLASSES + 1, "moc", "hamming", "krr", "rbf", true, "all", "0", false},
    {"linear, of finite rank, weights", 0, "ova", "auto", "lssvm", "linear", true, "all", "0", false},
    {"linear, of finite rank, one-vs-one", CLASSES, "ovo", "auto", "krr", "linear", false, "all", "0", false},
    {"low rank regression", 0, "ova", "auto", "lssvm", "rbf", false, "12", "0", false},
    {"low rank classes, weights", CLASSES, "ova", "auto", "lssvm", "rbf", true, "12", "0", false},
    {"low rank, eigen form", CLASSES, "ovo", "auto", "lssvm", "rbf", true, "15", "7", false},
    {"Ding & Liao", 2, "ova", "auto", "lssvm", "rbf", false, "16", "8", true},
    {"Ding & Liao, weights", 0, "ova", "auto", "lssvm", "rbf", true, "30", "20", true},
    {"Ding & Liao, classes", CLASSES, "ova", "auto", "krr", "rbf", true, "12", "0", true},
    {"penalised bias", 0, "ova", "auto", "lssvm:0.02", "rbf", false, "all", "0", false},
    {"penalised bias, low rank, weights", CLASSES, "ova", "auto", "lssvm:3", "rbf", true, "12", "0", false},
    {"penalised bias, eigen form", CLASSES, "ovo", "auto", "lssvm:0.2", "rbf", true, "15", "7", false},
    {"penalised bias, linear", CLASSES, "moc", "auto", "lssvm:1", "linear", false, "all", "0", false},
    {"penalised bias of krr, Ding & Liao", 0, "ova", "auto", "krr:2", "rbf", true, "30", "20", true},
    {"no bias, one-vs-one", CLASSES, "ovo", "auto", "lssvm:none", "rbf", true, "12", "0", false},
};
enum { SCENARIOS = sizeof scenarios / sizeof *scenarios };

static double X[N * D], target[N], weight[N];
static int32_t fold[N];

static void make_data(const scenario *s) {
    ny_rng rng = ny_rng_make(7, NY_RNG_TEST, (uint32_t)s->classes);
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < D; j++) X[j + i * D] = ny_rng_normal(&rng);
        double f = sin(2 * X[i * D]) + 0.5 * X[1 + i * D] + 0.3 * ny_rng_normal(&rng);
        target[i] = s->classes ? fmod(floor(fabs(3 * f)), (double)s->classes) : 10 + f;
        if (i < s->classes) target[i] = i; /* every class has a row */
        weight[i] = s->weights ? 0.5 + ny_rng_uniform(&rng) : 1;
    }
}

static ny_data *data_of(ny_ctx *ctx, const scenario *s) {
    ny_data *data = NULL;
    must(ctx, ny_data_from_rows(ctx, N, D, X, target, &data));
    if (s->weights) {
        data->weight = ny_alloc(ctx, N, sizeof(double));
        memcpy(data->weight, weight, sizeof weight);
    }
    return data;
}

/* ---- the independent machine ---------------------------------------------------------------------------------- */

static double kernel_value(const char *name, const double *a, const double *b, double sigma) {
    double d2 = 0, dot = 0;
    for (int j = 0; j < D; j++) dot += a[j] * b[j];
    if (strcmp(name, "linear") == 0) return dot;
    for (int j = 0; j < D; j++) d2 += (a[j] - b[j]) * (a[j] - b[j]);
    double r = sqrt(d2) / sigma;
    if (strcmp(name, "rbf") == 0) return exp(-r * r / 2);
    if (strcmp(name, "laplace") == 0) return exp(-r);
    if (strcmp(name, "matern32") == 0) return (1 + sqrt(3) * r) * exp(-sqrt(3) * r);
    return (1 + sqrt(5) * r + 5 * r * r / 3) * exp(-sqrt(5) * r);
}

typedef struct {
    double train[N * N], test[N * N];
} kernels;

static ny_model *train(ny_ctx *ctx, const scenario *s, const char *criterion, const char *C, const char *folds_file);

/* K, or its low-rank approximation from the model's own landmarks: K_xz W^+ K_zx with W cut to `rank`. The cut is
 * rebuilt from the model's feature count by power iteration with deflation, which shares no code with the library. A
 * model that keeps the training rows has the landmarks of one that keeps its landmarks, trained alike. */
static void kernel_matrix(const scenario *s, const ny_model *model, const char *criterion, const char *folds_file,
                          kernels *both) {
    double sigma = model->f.kernel.bandwidth, *K = both->train;
    static double W[N * N], Kz[N * N], U[N * N];
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) both->test[i + j * N] = kernel_value(s->kernel, X + i * D, X + j * D, sigma);
    if (strcmp(s->landmarks, "all") == 0) {
        memcpy(K, both->test, sizeof both->test);
        return;
    }
    scenario plain = *s;
    plain.training = false;
    ny_ctx *ctx = ny_ctx_new();
    ny_model *twin = train(ctx, &plain, criterion, "5", folds_file);
    const ny_matrix *Z = &twin->f.Z;
    int64_t m = Z->n;
    for (int64_t a = 0; a < m; a++) {
        for (int64_t b = 0; b < m; b++) W[a + b * m] = kernel_value(s->kernel, Z->x + a * D, Z->x + b * D, sigma);
        for (int64_t i = 0; i < N; i++) Kz[a + i * m] = kernel_value(s->kernel, Z->x + a * D, X + i * D, sigma);
    }
    ny_model_free(twin);
    ny_ctx_free(ctx);
    int64_t rank = model->record->origin.rank;
    memset(K, 0, sizeof both->train);
    for (int64_t k = 0; k < rank; k++) {
        double *u = U + k * m, v[N], norm = 1, lambda = 0;
        for (int64_t a = 0; a < m; a++) u[a] = 1 + 0.01 * (double)((a * 7 + k * 3) % 11);
        for (int round = 0; round < 20000; round++) {
            norm = 0;
            for (int64_t a = 0; a < m; a++) {
                v[a] = 0;
                for (int64_t b = 0; b < m; b++) v[a] += W[a + b * m] * u[b];
                norm += v[a] * v[a];
            }
            norm = sqrt(norm);
            for (int64_t a = 0; a < m; a++) u[a] = v[a] / norm;
        }
        lambda = norm;
        for (int64_t a = 0; a < m; a++)
            for (int64_t b = 0; b < m; b++) W[a + b * m] -= lambda * u[a] * u[b];
        double g[N];
        for (int i = 0; i < N; i++) {
            g[i] = 0;
            for (int64_t a = 0; a < m; a++) g[i] += u[a] * Kz[a + i * m] / sqrt(lambda);
        }
        for (int i = 0; i < N; i++)
            for (int j = 0; j < N; j++) K[i + j * N] += g[i] * g[j];
    }
    if (!s->training) memcpy(both->test, K, sizeof both->test);
}

/* Trains on the rows with in[i] and y[i] != NAN and the kernel K; predicts all rows with the kernel at test. */
static void dense_machine(const kernels *K, const bool *in, const double *y, double C, double rho, double *f) {
    static double A[(N + 1) * (N + 1)], x[N + 1];
    int64_t row[N], n = 0;
    for (int i = 0; i < N; i++)
        if (in[i] && !isnan(y[i])) row[n++] = i;
    int64_t size = n + (isfinite(rho) ? 1 : 0);
    memset(A, 0, sizeof A);
    for (int64_t i = 0; i < n; i++) {
        for (int64_t j = 0; j < n; j++) A[i + j * size] = K->train[row[i] + row[j] * N];
        A[i + i * size] += 1 / (C * weight[row[i]]);
        if (size > n) A[i + n * size] = A[n + i * size] = 1;
        x[i] = y[row[i]];
    }
    if (size > n) x[n] = 0, A[n + n * size] = -rho;
    dense_solve(size, 1, A, x);
    for (int i = 0; i < N; i++) {
        f[i] = size > n ? x[n] : 0;
        for (int64_t j = 0; j < n; j++) f[i] += K->test[i + row[j] * N] * x[j];
    }
}

static void codes(const scenario *s, const ny_model *model, int64_t j, double *y) {
    for (int i = 0; i < N; i++) {
        int c = s->classes ? ny_codes_code(model->coding.method, s->classes, (int64_t)target[i], j) : 1;
        y[i] = !s->classes ? target[i] : c == 0 ? NAN : (double)c;
    }
}

/* Held-out outputs of every row by refitting without its fold; rows that take no part in an output are predicted by
 * the machine of all rows. */
static void refit(const scenario *s, const ny_model *model, const kernels *K, int64_t folds, double C, double *held) {
    bool in[N];
    double rho = rho_of(s->machine);
    double y[N], f[N];
    for (int64_t j = 0; j < model->f.outputs; j++) {
        codes(s, model, j, y);
        for (int i = 0; i < N; i++) in[i] = true;
        dense_machine(K, in, y, C, rho, f);
        for (int i = 0; i < N; i++) held[i + j * N] = f[i];
        for (int64_t k = 0; k < folds; k++) {
            for (int i = 0; i < N; i++) in[i] = fold[i] != k;
            dense_machine(K, in, y, C, rho, f);
            for (int i = 0; i < N; i++)
                if (!in[i] && !isnan(y[i])) held[i + j * N] = f[i];
        }
    }
}

static void check_record(const scenario *s, const ny_model *model, const double *held) {
    double value = 0, parts = 0, error = 0, total = 0, right = 0, said[16] = {0}, is[16] = {0}, y[N], row[16];
    for (int64_t j = 0; j < model->f.outputs; j++) {
        double sum = 0, part = 0;
        codes(s, model, j, y);
        for (int i = 0; i < N; i++)
            if (!isnan(y[i])) sum += weight[i] * (y[i] - held[i + j * N]) * (y[i] - held[i + j * N]), part += weight[i];
        value += sum; /* the mean over rows and the outputs that they take part in */
        parts += part;
    }
    value /= parts;
    for (int i = 0; i < N; i++) {
        for (int64_t j = 0; j < model->f.outputs; j++) row[j] = held[i + j * N];
        if (s->classes) {
            int64_t k = ny_codes_decide(model->coding, s->classes, row);
            error += weight[i] * (k != (int64_t)target[i]);
            said[k] += weight[i];
            is[(int64_t)target[i]] += weight[i];
        } else error += weight[i] * (row[0] - target[i]) * (row[0] - target[i]);
        total += weight[i];
    }
    assert_close(model->record->expected.value, value, 1e-8);
    for (int k = 0; k < 16; k++) right += said[k] / total * is[k] / total; /* of decisions that know nothing */
    assert_close(model->record->expected.error, s->classes ? fmin(error / total, 1 - right) : sqrt(error / total),
                 1e-8);
}

static ny_model *train(ny_ctx *ctx, const scenario *s, const char *criterion, const char *C, const char *folds_file) {
    ny_options *o = make_options(ctx, "task",
                                 s->classes == 0   ? "regression"
                                 : s->classes == 2 ? "binary"
                                                   : "multiclass",
                                 "multiclass", s->multiclass, "decoding", s->decoding, "kernel", s->kernel, "scale",
                                 "none", "landmarks", s->landmarks, "rank", s->rank, "criterion", criterion, "search",
                                 "none", "bandwidth", strcmp(s->kernel, "linear") == 0 ? NULL : "1.5", "C", C,
                                 "fold-file", folds_file, "expansion", s->training ? "training" : "landmarks", NULL);
    set_machine(ctx, o, s->machine);
    ny_data *data = data_of(ctx, s);
    ny_model *model = NULL;
    must(ctx, ny_train(ctx, data, o, &model));
    ny_data_free(data);
    ny_options_free(o);
    return model;
}

/* ---- the tests -------------------------------------------------------------------------------------------------- */

static void test_predictions_are_the_dense_machine(void **state) {
    (void)state;
    for (int k = 0; k < SCENARIOS; k++) {
        const scenario *s = &scenarios[k];
        ny_ctx *ctx = ny_ctx_new();
        make_data(s);
        ny_model *model = train(ctx, s, "loo", "3", "");
        ny_data *data = data_of(ctx, s);
        static kernels K;
        static double f[N], y[N], scores[N * 16];
        bool in[N];
        for (int i = 0; i < N; i++) in[i] = true;
        must(ctx, ny_predict(ctx, model, data, NULL, NULL, NULL, scores));
        kernel_matrix(s, model, "loo", "", &K);
        for (int64_t j = 0; j < model->f.outputs; j++) {
            codes(s, model, j, y);
            dense_machine(&K, in, y, 3, rho_of(s->machine), f);
            for (int i = 0; i < N; i++) assert_close(scores[j + i * model->f.outputs], f[i], 1e-8);
        }
        ny_model_free(model);
        ny_data_free(data);
        ny_ctx_free(ctx);
    }
}

static void test_loo_is_n_refits(void **state) {
    (void)state;
    static kernels K;
    static double held[N * 16];
    for (int k = 0; k < SCENARIOS; k++) {
        const scenario *s = &scenarios[k];
        ny_ctx *ctx = ny_ctx_new();
        make_data(s);
        for (int i = 0; i < N; i++) fold[i] = i;
        ny_model *model = train(ctx, s, "loo", "5", "");
        kernel_matrix(s, model, "loo", "", &K);
        refit(s, model, &K, N, 5, held);
        check_record(s, model, held);
        ny_model_free(model);
        ny_ctx_free(ctx);
    }
}

/* 2, 5, 10 and n folds; one value of C (Cholesky for each) and a range (tridiagonal), of which the best is reported. */
static void test_cv_is_refits(void **state) {
    (void)state;
    static kernels K;
    static double held[N * 16];
    static const int64_t folds[] = {2, 5, 10, N};
    for (int k = 0; k < SCENARIOS * 4; k++) {
        const scenario *s = &scenarios[k / 4];
        ny_ctx *ctx = ny_ctx_new();
        char text[N * 8] = "";
        make_data(s);
        for (int i = 0; i < N; i++) {
            fold[i] = (int32_t)((i * 7 + i / 9) % folds[k % 4]);
            if (folds[k % 4] == N) fold[i] = i;
            snprintf(text + strlen(text), sizeof text - strlen(text), "%d\n", fold[i] + 10);
        }
        char *file = write_file(".txt", text, -1);
        ny_model *model = train(ctx, s, "cv", "5", file);
        assert_int_equal(model->record->folds, folds[k % 4]);
        kernel_matrix(s, model, "cv", file, &K);
        refit(s, model, &K, folds[k % 4], 5, held);
        check_record(s, model, held);
        ny_model_free(model);
        model = train(ctx, s, "cv", "-4:6:1", file);
        if (model->f.outputs == 1) { /* with several, each has its own C */
            refit(s, model, &K, folds[k % 4], model->C[0], held);
            check_record(s, model, held);
        }
        ny_model_free(model);
        remove(file);
        free(file);
        ny_ctx_free(ctx);
    }
}

/* GCV from the dense smoother: column i of H is the prediction of all rows from the unit target e_i. */
static void test_gcv_is_its_formula(void **state) {
    (void)state;
    static kernels K;
    for (int k = 0; k < SCENARIOS; k++) {
        const scenario *s = &scenarios[k];
        if (s->classes) continue;
        ny_ctx *ctx = ny_ctx_new();
        bool in[N];
        double rho = rho_of(s->machine);
        double y[N], f[N], trace = 0, sum = 0, total = 0;
        make_data(s);
        ny_model *model = train(ctx, s, "gcv", "5", "");
        kernel_matrix(s, model, "gcv", "", &K);
        for (int i = 0; i < N; i++) in[i] = true;
        for (int i = 0; i < N; i++) {
            for (int j = 0; j < N; j++) y[j] = i == j;
            dense_machine(&K, in, y, 5, rho, f);
            trace += f[i];
        }
        dense_machine(&K, in, target, 5, rho, f);
        for (int i = 0; i < N; i++) sum += weight[i] * (target[i] - f[i]) * (target[i] - f[i]), total += weight[i];
        double left = fmax(1 - trace / N, 1e-12); /* with the true kernel the mean leverage may exceed 1 */
        assert_close(model->record->expected.value / (sum / total / (left * left)), 1, 1e-8);
        ny_model_free(model);
        ny_ctx_free(ctx);
    }
}

/* The same answer for 1 and 2 threads, the same bits for the same number; all criteria, default search. (Rounding of
 * sums is amplified by the condition of the system, C times the largest eigenvalue: here about 1e4.) */
static void test_threads_and_seed(void **state) {
    (void)state;
    ny_ctx *ctx = ny_ctx_new();
    static const char *const criteria[] = {"loo", "cv", "gcv"};
    ny_data *data = NULL;
    must(ctx, ny_data_generate(ctx, "banana", 1200, 1, &data));
    for (int c = 0; c < 3; c++) {
        double *p[3];
        for (int run = 0; run < 3; run++) {
            ny_options *o =
                make_options(ctx, "criterion", criteria[c], "landmarks", "150", "threads", run == 2 ? "1" : "2", NULL);
            ny_model *model = NULL;
            must(ctx, ny_train(ctx, data, o, &model));
            p[run] = calloc(1200, sizeof(double));
            must(ctx, ny_predict(ctx, model, data, NULL, NULL, NULL, p[run]));
            ny_model_free(model);
            ny_options_free(o);
        }
        assert_memory_equal(p[0], p[1], 1200 * sizeof(double));
        for (int i = 0; i < 1200; i++) assert_close(p[2][i], p[0][i], 1e-10);
        for (int run = 0; run < 3; run++) free(p[run]);
    }
    ny_data_free(data);
    ny_ctx_free(ctx);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_predictions_are_the_dense_machine),
        cmocka_unit_test(test_loo_is_n_refits),
        cmocka_unit_test(test_cv_is_refits),
        cmocka_unit_test(test_gcv_is_its_formula),
        cmocka_unit_test(test_threads_and_seed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

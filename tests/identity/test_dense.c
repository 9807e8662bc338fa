/* test_dense.c: small exact machines whose C is to be found go by their kernel matrix (criterion/dense.c). Value and
 * outputs against refits of the dense machine, written here anew, and C against its neighbours. */
#include "support.h"

#include <math.h>

#include "model/record.h"
#include "search/search.h"

enum { N = 50, D = 2, CLASSES = 3 };

typedef struct {
    const char *name;
    int64_t classes; /* 0: regression */
    const char *machine;
    bool weights;
    const char *bandwidth;
} scenario;

static const scenario scenarios[] = {
    {"regression", 0, "lssvm", false, "1.5"},         {"regression, weights", 0, "lssvm", true, "0.8"},
    {"kernel ridge, weights", 0, "krr", true, "1.5"}, {"two classes, weights", 2, "lssvm", true, "1.5"},
    {"classes", CLASSES, "lssvm", false, "1.5"},      {"classes, weights", CLASSES, "krr", true, "3"},
    {"penalised bias", 0, "lssvm:0.02", true, "1.5"}, {"penalised, classes", CLASSES, "krr:4", true, "1.5"},
    {"no bias", 2, "lssvm:none", false, "1.5"},
};
enum { SCENARIOS = sizeof scenarios / sizeof *scenarios };

static double X[N * D], target[N], weight[N];

static ny_data *make_data(ny_ctx *ctx, const scenario *s) {
    ny_rng rng = ny_rng_make(5, NY_RNG_TEST, (uint32_t)s->classes);
    ny_data *data = NULL;
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < D; j++) X[j + i * D] = ny_rng_normal(&rng);
        double f = sin(2 * X[i * D]) + 0.5 * X[1 + i * D] + 0.4 * ny_rng_normal(&rng);
        target[i] = s->classes ? fmin(fmax(floor(f + 1), 0), (double)s->classes - 1) : 10 + f;
        if (i < s->classes) target[i] = i;
        weight[i] = s->weights ? 0.5 + ny_rng_uniform(&rng) : 1;
    }
    must(ctx, ny_data_from_rows(ctx, N, D, X, target, &data));
    if (s->weights) {
        data->weight = ny_alloc(ctx, N, sizeof(double));
        memcpy(data->weight, weight, sizeof weight);
    }
    return data;
}

static ny_model *train(ny_ctx *ctx, const scenario *s, const ny_data *data, const char *bandwidth) {
    ny_options *o = make_options(ctx, "task",
                                 s->classes > 2 ? "multiclass"
                                 : s->classes   ? "binary"
                                                : "regression",
                                 "kernel", "rbf", "scale", "none", "landmarks", "all", "bandwidth", bandwidth, NULL);
    set_machine(ctx, o, s->machine);
    assert_true(ny_wants_kernel(o));
    return train_with_options(ctx, data, o);
}

/* What the machine of C says of row `at`, trained on all rows but `without`. */
static double says(const double *y, double sigma, double C, double rho, int without, int at) {
    static double M[(N + 1) * (N + 1)], r[N + 1];
    int row[N], n = 0, size;
    for (int i = 0; i < N; i++)
        if (i != without) row[n++] = i;
    size = n + (isfinite(rho) ? 1 : 0);
    double k[N], f = 0;
    for (int a = 0; a < n; a++) {
        for (int b = 0; b < n; b++) {
            double d0 = X[row[a] * D] - X[row[b] * D], d1 = X[row[a] * D + 1] - X[row[b] * D + 1];
            M[a + b * size] = exp(-(d0 * d0 + d1 * d1) / (2 * sigma * sigma));
        }
        M[a + a * size] += 1 / (C * weight[row[a]]);
        double d0 = X[row[a] * D] - X[at * D], d1 = X[row[a] * D + 1] - X[at * D + 1];
        k[a] = exp(-(d0 * d0 + d1 * d1) / (2 * sigma * sigma));
        r[a] = y[row[a]];
        if (size > n) M[n + a * size] = M[a + n * size] = 1;
    }
    if (size > n) M[n + n * size] = -rho, r[n] = 0;
    dense_solve(size, 1, M, r);
    for (int a = 0; a < n; a++) f += k[a] * r[a];
    return f + (size > n ? r[n] : 0);
}

/* The weighted mean squared error of n refits. */
static double left_out(const double *y, double sigma, double C, double rho) {
    double sum = 0, total = 0;
    for (int i = 0; i < N; i++) {
        double e = y[i] - says(y, sigma, C, rho, i, i);
        sum += weight[i] * e * e;
        total += weight[i];
    }
    return sum / total;
}

/* The targets of output j. */
static void code_of(const scenario *s, int64_t outputs, int64_t j, double *y) {
    for (int i = 0; i < N; i++) {
        y[i] = target[i];
        if (s->classes) y[i] = (outputs == 1 ? target[i] > 0 : target[i] == (double)j) ? 1 : -1;
    }
}

static void check(const scenario *s) {
    ny_ctx *ctx = ny_ctx_new();
    ny_data *data = make_data(ctx, s);
    ny_model *model = train(ctx, s, data, s->bandwidth);
    int64_t outputs = s->classes > 2 ? s->classes : 1;
    double sigma = atof(s->bandwidth), value = 0, y[N];
    double rho = rho_of(s->machine);
    assert_int_equal(model->f.outputs, outputs);
    assert_int_equal(model->f.Z.n, N);
    for (int64_t j = 0; j < outputs; j++) {
        double C = model->C[j], half = 0, twice = 0;
        code_of(s, outputs, j, y);
        value += left_out(y, sigma, C, rho) / (double)outputs;
        for (int64_t k = 0; k < outputs; k++) { /* all outputs at this C: half and twice are no better together */
            code_of(s, outputs, k, y);
            half += left_out(y, sigma, C / 2, rho) / (double)outputs;
            twice += left_out(y, sigma, C * 2, rho) / (double)outputs;
        }
        assert_true(model->record->expected.value <= 1.0011 * half); /* a step that gains 0.1% is not taken */
        assert_true(model->record->expected.value <= 1.0011 * twice);
    }
    assert_close(model->record->expected.value, value, 1e-8);
    ny_model_free(model);
    ny_data_free(data);
    ny_ctx_free(ctx);
}

static void test_value_is_that_of_refits(void **state) {
    (void)state;
    for (int k = 0; k < SCENARIOS; k++) {
        print_message("%s\n", scenarios[k].name);
        check(&scenarios[k]);
    }
}

/* The outputs of the model are those of the machine trained on all rows. */
static void test_outputs_are_those_of_the_machine(void **state) {
    (void)state;
    for (int k = 0; k < SCENARIOS; k++) {
        const scenario *s = &scenarios[k];
        if (s->classes) continue;
        ny_ctx *ctx = ny_ctx_new();
        ny_data *data = make_data(ctx, s);
        ny_model *model = train(ctx, s, data, s->bandwidth);
        double out[N], sigma = atof(s->bandwidth);
        must(ctx, ny_predict(ctx, model, data, NULL, out, NULL, NULL));
        for (int i = 0; i < N; i++)
            assert_close(out[i], says(target, sigma, model->C[0], rho_of(s->machine), -1, i), 1e-8);
        ny_model_free(model);
        ny_data_free(data);
        ny_ctx_free(ctx);
    }
}

/* A machine on the way to a larger one has a value nearly as good as it would have for its own sake; and once it is
 * clear that it cannot beat another one, it is left alone. */
static void test_on_the_way(void **state) {
    (void)state;
    enum { ROWS = 120 };
    static double points[ROWS * D], y[ROWS], u[ROWS], G[ROWS * ROWS], held[ROWS];
    ny_ctx *ctx = ny_ctx_new();
    ny_rng rng = ny_rng_make(9, NY_RNG_TEST, 0);
    for (int i = 0; i < ROWS; i++) {
        for (int j = 0; j < D; j++) points[j + i * D] = ny_rng_normal(&rng);
        y[i] = sin(2 * points[i * D]) + 0.3 * ny_rng_normal(&rng);
        u[i] = 1;
    }
    double value[3], C[3], near = 1e-3; /* far off: the best C is about 10 */
    for (int way = 0; way < 3; way++) {
        for (int a = 0; a < ROWS; a++)
            for (int b = 0; b < ROWS; b++) {
                double d0 = points[a * D] - points[b * D], d1 = points[a * D + 1] - points[b * D + 1];
                G[a + b * ROWS] = exp(-(d0 * d0 + d1 * d1) / 2);
            }
        ny_problem P = {.r = ROWS, .n = ROWS, .q = 1, .G = G, .ldg = ROWS, .u = u, .Y = y, .bias = true};
        P.hurry.passing = way > 0;
        P.hurry.beat = way == 2 ? 1e-3 : INFINITY;
        void *job = NULL;
        C[way] = 0;
        value[way] = INFINITY;
        must(ctx, ny_dense_loo.prepare(ctx, &P, &job));
        must(ctx, ny_dense_loo.choose(ctx, job, &(ny_C_choice){&near, false, &C[way], &value[way], held, 0}));
        assert_true(C[way] > 0.1 && C[way] < 1000);
        double sum = 0; /* the value is that of what is held out */
        for (int i = 0; i < ROWS; i++) sum += (y[i] - held[i]) * (y[i] - held[i]) / ROWS;
        assert_close(value[way], sum, 1e-10);
        ny_dense_loo.release(job);
    }
    assert_true(value[0] <= value[1] && value[1] <= 1.002 * value[0]);
    /* The hopeless one is left at the first C of the long steps that is between two others: not as good, another C. */
    assert_true(value[2] > value[1] && value[2] <= 1.5 * value[0] && C[2] != C[1]);
    ny_ctx_free(ctx);
}

/* A kernel matrix that is constant but for rounding, and one that is the identity, still give a machine. */
static void test_extremes(void **state) {
    (void)state;
    for (int k = 0; k < SCENARIOS; k++)
        for (int wide = 0; wide < 2; wide++) {
            ny_ctx *ctx = ny_ctx_new();
            ny_data *data = make_data(ctx, &scenarios[k]);
            ny_model *model = train(ctx, &scenarios[k], data, wide ? "1e80" : "1e-80");
            assert_true(isfinite(model->record->expected.value) && isfinite(model->record->expected.error));
            ny_model_free(model);
            ny_data_free(data);
            ny_ctx_free(ctx);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_value_is_that_of_refits),
        cmocka_unit_test(test_outputs_are_those_of_the_machine),
        cmocka_unit_test(test_extremes),
        cmocka_unit_test(test_on_the_way),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* test_active.c: --expansion active against the machine over its landmarks, and against the conditions of its optimum:
 * of all rows l2svm's coefficients are C v y (1 - y f) where y f < 1, and 0 elsewhere. */
#include <math.h>
#include <unistd.h>

#include "model/record.h"
#include "with_ctx.h"

enum { N = 120, NEW = 60, D = 3 };

static double x[(N + NEW) * D], y[N + NEW];
static const char *label[N + NEW];

static void fill(int classes) {
    static const char *const names[] = {"-1", "1", "2"};
    ny_rng rng = ny_rng_make(21, NY_RNG_TEST, 0);
    for (int i = 0; i < N + NEW; i++) {
        for (int j = 0; j < D; j++) x[j + i * D] = ny_rng_normal(&rng);
        y[i] = sin(2 * x[i * D]) + 0.5 * x[1 + i * D] + 0.3 * ny_rng_normal(&rng);
        label[i] = names[y[i] < 0 ? 0 : y[i] < 0.7 || classes < 3 ? 1 : 2];
    }
}

static ny_data *data_of(int classes, int first, int count) {
    ny_data *data = NULL;
    if (classes) must(ctx, ny_data_from_labels(ctx, count, D, x + first * D, label + first, &data));
    else must(ctx, ny_data_from_rows(ctx, count, D, x + first * D, y + first, &data));
    return data;
}

typedef struct {
    const char *machine, *hinge, *landmarks, *multiclass;
    int classes;
    const char *weights;
} scenario;

static const scenario scenarios[] = {
    {"l2svm", "smooth", "all", "ova", 2, "none"},    {"l2svm", "smooth", "all", "ova", 2, "balanced"},
    {"l2svm", "smooth", "all", "ovo", 3, "none"},    {"l2svm", "smooth", "all", "ova", 3, "none"},
    {"svm", "smooth", "all", "ova", 2, "none"},      {"svm", "exact", "all", "ova", 2, "none"},
    {"svr", "smooth", "all", "ova", 0, "none"},      {"svr", "exact", "all", "ova", 0, "none"},
    {"l2svm", "smooth", "25", "ova", 2, "balanced"}, {"svm", "smooth", "25", "ovo", 3, "none"},
    {"svr", "smooth", "25", "ova", 0, "none"},
};
enum { SCENARIOS = sizeof scenarios / sizeof *scenarios };

static ny_model *train(const scenario *s, const ny_data *data, const char *expansion) {
    return train_with_options(
        ctx, data,
        make_options(ctx, "machine", s->machine, "hinge", s->hinge, "landmarks", s->landmarks, "multiclass",
                     s->multiclass, "class-weight", s->weights, "kernel", "rbf", "search", "none", "bandwidth", "1",
                     "C", "3", "scale", "none", "folds", "3", "rank-tol", "1e-14", "expansion", expansion, NULL));
}

static bool same_row(const double *a, const double *b) {
    for (int j = 0; j < D; j++)
        if (a[j] != b[j]) return false;
    return true;
}

/* Where the row z is in x, exactly; -1 if nowhere. */
static int row_of(const double *z) {
    for (int i = 0; i < N; i++)
        if (same_row(z, x + i * D)) return i;
    return -1;
}

static double rbf(const double *a, const double *b) {
    double d2 = 0;
    for (int j = 0; j < D; j++) d2 += (a[j] - b[j]) * (a[j] - b[j]);
    return exp(-d2 / 2);
}

/* Coefficients of f_J - b by elimination, and with them the outputs of the new points. */
static void project(const ny_model *active, const double *F, int64_t q, double *out) {
    int64_t m = active->f.Z.n;
    double *K = malloc((size_t)(m * m) * sizeof *K), *g = malloc((size_t)(m * q) * sizeof *g);
    for (int64_t a = 0; a < m; a++) {
        int row = row_of(active->f.Z.x + a * D);
        for (int64_t j = 0; j < q; j++) g[a + j * m] = F[row * q + j] - active->f.b[j];
        for (int64_t b = 0; b < m; b++) K[b + a * m] = rbf(active->f.Z.x + a * D, active->f.Z.x + b * D);
    }
    dense_solve(m, q, K, g);
    for (int64_t i = 0; i < NEW; i++)
        for (int64_t j = 0; j < q; j++) {
            out[i * q + j] = active->f.b[j];
            for (int64_t a = 0; a < m; a++)
                out[i * q + j] += g[a + j * m] * rbf(x + (N + i) * D, active->f.Z.x + a * D);
        }
    free(K);
    free(g);
}

static void test_outputs(void **state) {
    (void)state;
    ny_options *keep = make_options(ctx, "outside", "keep", NULL); /* the formula knows no limits */
    for (int c = 0; c < SCENARIOS; c++) {
        const scenario *s = &scenarios[c];
        fill(s->classes);
        ny_data *rows = data_of(s->classes, 0, N), *fresh = data_of(s->classes, N, NEW);
        ny_model *m = train(s, rows, "landmarks"), *a = train(s, rows, "active");
        double F[N * 3], FA[N * 3], G[NEW * 3], GA[NEW * 3], own[NEW * 3];
        int64_t q = m->f.outputs;
        bool all = strcmp(s->landmarks, "all") == 0;
        must(ctx, ny_predict(ctx, m, rows, NULL, NULL, NULL, F));
        must(ctx, ny_predict(ctx, a, rows, NULL, NULL, NULL, FA));
        must(ctx, ny_predict(ctx, m, fresh, keep, NULL, NULL, G));
        must(ctx, ny_predict(ctx, a, fresh, keep, NULL, NULL, GA));
        assert_true(has_note(a, "rows that cost something carry the model"));
        assert_true(a->f.Z.n > 0 && a->f.Z.n < N);
        for (int64_t k = 0; k < a->f.Z.n; k++) {
            int row = row_of(a->f.Z.x + k * D);
            assert_true(row >= 0);
            for (int64_t j = 0; j < q; j++) assert_close(FA[row * q + j], F[row * q + j], 1e-6);
        }
        project(a, F, q, own);
        for (int64_t i = 0; i < NEW * q; i++) {
            assert_close(GA[i], own[i], 1e-6);
            if (all) assert_close(GA[i], G[i], 1e-6);
        }
        ny_model_free(m);
        ny_model_free(a);
        ny_data_free(rows);
        ny_data_free(fresh);
    }
    ny_options_free(keep);
}

/* J is E, and gamma the dual's coefficients. */
static void test_l2svm_has_its_dual(void **state) {
    (void)state;
    fill(2);
    ny_data *rows = data_of(2, 0, N);
    ny_model *m = train(&scenarios[0], rows, "landmarks"), *a = train(&scenarios[0], rows, "active");
    double F[N];
    int64_t inside = 0;
    must(ctx, ny_predict(ctx, m, rows, NULL, NULL, NULL, F));
    for (int i = 0; i < N; i++) inside += (label[i][0] == '-' ? -1 : 1) * F[i] < 1;
    assert_int_equal(a->f.Z.n, inside);
    for (int64_t k = 0; k < inside; k++) {
        int i = row_of(a->f.Z.x + k * D);
        double sign = label[i][0] == '-' ? -1 : 1;
        assert_true(sign * F[i] < 1);
        assert_close(a->f.beta[k], 3 * sign * (1 - sign * F[i]), 1e-5);
    }
    ny_model_free(m);
    ny_model_free(a);
    ny_data_free(rows);
}

static void test_redundant_rows_go(void **state) {
    (void)state;
    fill(2);
    for (int i = 0; i < N / 2; i++) { /* every row twice */
        memcpy(x + (N / 2 + i) * D, x + i * D, D * sizeof *x);
        label[N / 2 + i] = label[i];
    }
    ny_data *rows = data_of(2, 0, N);
    ny_model *a = train(&scenarios[0], rows, "active");
    for (int64_t k = 0; k < a->f.Z.n; k++)
        for (int64_t l = 0; l < k; l++) assert_false(same_row(a->f.Z.x + k * D, a->f.Z.x + l * D));
    ny_model_free(a);
    ny_data_free(rows);
}

static void test_round_trip(void **state) {
    (void)state;
    fill(3);
    ny_data *rows = data_of(3, 0, N);
    ny_model *a = train(&scenarios[9], rows, "active"), *b = NULL;
    char *file = write_file(".nysel", "", 0);
    double F[N * 3], G[N * 3];
    must(ctx, ny_model_save(ctx, a, file));
    must(ctx, ny_model_load(ctx, file, &b));
    must(ctx, ny_predict(ctx, a, rows, NULL, NULL, NULL, F));
    must(ctx, ny_predict(ctx, b, rows, NULL, NULL, NULL, G));
    assert_memory_equal(F, G, sizeof F);
    assert_int_equal(b->options->expansion, NY_EXPANSION_ACTIVE);
    ny_model_free(a);
    ny_model_free(b);
    ny_data_free(rows);
    unlink(file);
    free(file);
}

/* Too little memory for the kernel matrix of the active rows: the machine over its landmarks is not lost. */
static void test_memory(void **state) {
    (void)state;
    ny_data *data = NULL;
    must(ctx, ny_data_generate(ctx, "ringnorm", 3000, 1, &data));
    for (int k = 0; k < 2; k++) {
        ny_model *m = train_with_options(
            ctx, data,
            make_options(ctx, "machine", "l2svm", "kernel", "rbf", "bandwidth", "5", "C", "1e-4", "landmarks", "20",
                         "criterion", "newton", "memory", k ? "600M" : "60M", "expansion", "active", NULL));
        assert_int_equal(has_note(m, "the landmarks were kept: the kernel matrix of 3000 rows needs"), !k);
        assert_int_equal(has_note(m, "rows that cost something carry the model"), k);
        if (!k) assert_int_equal(m->f.Z.n, 20);
        ny_model_free(m);
    }
    ny_data_free(data);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_outputs),
        cmocka_unit_test(test_l2svm_has_its_dual),
        cmocka_unit_test(test_redundant_rows_go),
        cmocka_unit_test(test_round_trip),
        cmocka_unit_test(test_memory),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}

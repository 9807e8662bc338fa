/* test_search.c: searches, weights and selection rules through the public training call. */
#include "support.h"

#include <math.h>

#include "model/record.h"

/* The grid records every pair, and the model is the best of them. */
static void test_grid_tries_every_pair(void **state) {
    (void)state;
    ny_ctx *ctx = ny_ctx_new();
    ny_data *data = NULL;
    must(ctx, ny_data_generate(ctx, "banana", 150, 1, &data));
    ny_model *m = train_with_options(
        ctx, data, make_options(ctx, "kernel", "rbf", "search", "grid", "bandwidth", "-3:2:1", "C", "-2:6:2", NULL));
    double least = INFINITY, bandwidth = 0, C = 0;
    assert_int_equal(m->record->evaluations, 6 * 5);
    for (int64_t i = 0; i < 30; i++) {
        const ny_evaluation *e = &m->record->evaluation[i];
        assert_close(e->bandwidth, exp2(-3 + (double)(i / 5)), 1e-12);
        assert_close(e->C, exp2(-2 + 2 * (double)(i % 5)), 1e-12);
        if (e->value < least) least = e->value, bandwidth = e->bandwidth, C = e->C;
    }
    assert_close(m->f.kernel.bandwidth, bandwidth, 1e-12);
    assert_close(m->C[0], C, 1e-12);
    assert_close(m->record->expected.value, least, 1e-12);
    ny_model_free(m);
    ny_data_free(data);
    ny_ctx_free(ctx);
}

/* The profile search comes within two per cent of a fine grid at the full size, with a fraction of its work. */
static void test_profile_finds_the_grids_optimum(void **state) {
    (void)state;
    static const char *const names[] = {"banana", "waveform", "sinc", "mixture"};
    ny_ctx *ctx = ny_ctx_new();
    for (int k = 0; k < 4; k++) {
        ny_data *data = NULL;
        must(ctx, ny_data_generate(ctx, names[k], 1500, 1, &data));
        ny_model *p = train_with_options(ctx, data, make_options(ctx, "kernel", "rbf", "landmarks", "300", NULL));
        ny_model *g = train_with_options(
            ctx, data,
            make_options(ctx, "kernel", "rbf", "landmarks", "300", "search", "grid", "bandwidth", "-4:5:0.5", NULL));
        assert_true(p->record->expected.value <= 1.02 * g->record->expected.value);
        int64_t full = 0;
        for (int64_t i = 0; i < p->record->evaluations; i++)
            full += p->record->evaluation[i].rows == 1500 && p->record->evaluation[i].landmarks > 200;
        assert_true(full <= 6);
        ny_model_free(p);
        ny_model_free(g);
        ny_data_free(data);
    }
    ny_ctx_free(ctx);
}

/* --kernel auto: all are tried, each in its own range, and one like that which the data were made with wins. */
static void test_auto_finds_the_kernel(void **state) {
    (void)state;
    enum { ROWS = 400, D = 3, KINDS = 3 };
    static const ny_kernel *const kernels[] = {&ny_kernel_rbf,      &ny_kernel_matern32, &ny_kernel_poly,
                                               &ny_kernel_powexp15, &ny_kernel_powexp1,  &ny_kernel_linear};
    static const char *const searches[] = {"profile", "grid", "none"};
    static double x[ROWS * D], y[ROWS];
    ny_ctx *ctx = ny_ctx_new();
    for (int k = 0; k < KINDS * 3; k++) {
        int kind = k % KINDS;
        ny_rng rng = ny_rng_make(9, NY_RNG_TEST, (uint32_t)kind);
        for (int i = 0; i < ROWS; i++) {
            double *r = x + i * D;
            for (int j = 0; j < D; j++) r[j] = ny_rng_normal(&rng);
            double f = kind == 0   ? r[0] - 2 * r[1]
                       : kind == 1 ? r[0] * r[1] * r[2] - r[0] * r[0]
                                   : sin(3 * r[0]) + r[1];
            y[i] = f + 0.2 * ny_rng_normal(&rng);
        }
        ny_data *data = NULL;
        must(ctx, ny_data_from_rows(ctx, ROWS, D, x, y, &data));
        ny_model *m = train_with_options(ctx, data,
                                         make_options(ctx, "task", "regression", "criterion", "evidence", "landmarks",
                                                      "150", "search", searches[k / KINDS], NULL));
        for (int c = 0; c < 6; c++) {
            bool tried = false;
            for (int64_t i = 0; i < m->record->evaluations; i++) tried |= m->record->evaluation[i].kernel == kernels[c];
            assert_true(tried);
        }
        if (kind == 0 && k == 0)
            assert_ptr_not_equal(m->f.kernel.kernel, &ny_kernel_matern32); /* others can be linear */
        else if (kind == 0) assert_ptr_equal(m->f.kernel.kernel, &ny_kernel_linear);
        else if (kind == 1) assert_ptr_equal(m->f.kernel.kernel, &ny_kernel_poly);
        else assert_true(ny_kernel_bounded(m->f.kernel.kernel));
        ny_model_free(m);
        ny_data_free(data);
    }
    ny_ctx_free(ctx);
}

/* On the last level every kernel that is close to the best has its own best between two others: else one whose
 * bandwidth is only guessed loses to one whose bandwidth is known. */
static void test_close_kernels_are_bracketed(void **state) {
    (void)state;
    enum { ROWS = 600, KERNELS = 4 };
    static const ny_kernel *const kernels[KERNELS] = {&ny_kernel_rbf, &ny_kernel_matern32, &ny_kernel_powexp1,
                                                      &ny_kernel_powexp15};
    const double CLOSE = 1.02, HALF = 0.51; /* the search takes those within 3%, and half octaves */
    ny_ctx *ctx = ny_ctx_new();
    ny_data *data = NULL;
    must(ctx, ny_data_generate(ctx, "waveform", ROWS, 2, &data));
    ny_model *m = train_with_options(ctx, data, make_options(ctx, NULL));
    const ny_record *r = m->record;
    int close = 0;
    for (int k = 0; k < KERNELS; k++) {
        const ny_evaluation *best = NULL, *e;
        bool below = false, above = false;
        for (e = r->evaluation; e < r->evaluation + r->evaluations; e++)
            if (e->rows == ROWS && e->kernel == kernels[k] && (!best || e->value < best->value)) best = e;
        if (!best || best->value > CLOSE * r->expected.value) continue;
        for (e = r->evaluation; e < r->evaluation + r->evaluations; e++) {
            double away = log2(e->bandwidth / best->bandwidth);
            if (e->rows != ROWS || e->kernel != kernels[k] || fabs(away) > HALF) continue;
            below |= away < 0;
            above |= away > 0;
        }
        assert_true(below && above);
        close++;
    }
    assert_true(close >= 3); /* or there is nothing to see */
    ny_model_free(m);
    ny_data_free(data);
    ny_ctx_free(ctx);
}

/* Wide kernels have a low rank. That is no smaller level: the best value wins, whatever the number of landmarks. */
static void test_best_may_have_fewer_landmarks(void **state) {
    (void)state;
    enum { N = 150 };
    static const char *const searches[] = {"grid", "csa"};
    ny_ctx *ctx = ny_ctx_new();
    ny_data *data = NULL;
    double x[N], y[N];
    ny_rng rng = ny_rng_make(5, NY_RNG_TEST, 9);
    for (int i = 0; i < N; i++) x[i] = ny_rng_normal(&rng), y[i] = x[i] + 0.1 * ny_rng_normal(&rng);
    must(ctx, ny_data_from_rows(ctx, N, 1, x, y, &data));
    for (int k = 0; k < 2; k++) {
        ny_model *m = train_with_options(
            ctx, data, make_options(ctx, "kernel", "rbf", "search", searches[k], "bandwidth", "-6:5:1", NULL));
        assert_true(m->record->origin.landmarks < N / 2);
        for (int64_t i = 0; i < m->record->evaluations; i++)
            assert_true(m->record->expected.value <= m->record->evaluation[i].value + 1e-12);
        ny_model_free(m);
    }
    ny_data_free(data);
    ny_ctx_free(ctx);
}

/* Bandwidths that lose may have their best C on an end of the range: that is no reason to widen it. */
static void test_the_edge_is_the_winners(void **state) {
    (void)state;
    enum { LO = -6, HI = 10 };
    ny_ctx *ctx = ny_ctx_new();
    ny_data *data = NULL;
    must(ctx, ny_data_generate(ctx, "banana", 150, 1, &data));
    ny_model *m = train_with_options(ctx, data,
                                     make_options(ctx, "kernel", "rbf", "search", "grid", "bandwidth", "-4:6:1", "C",
                                                  "-6:10:1", "landmarks", "60", NULL));
    int64_t on_the_edge = 0;
    const ny_evaluation *e = m->record->evaluation, *least = e;
    for (int64_t i = 1; i <= m->record->evaluations; i++) { /* in the order of the bandwidths */
        bool last = i == m->record->evaluations || e[i].bandwidth != least->bandwidth;
        if (last) on_the_edge += least->C == exp2(LO) || least->C == exp2(HI);
        if (i < m->record->evaluations && (last || e[i].value < least->value)) least = &e[i];
    }
    assert_true(on_the_edge > 0);
    assert_true(m->C[0] > exp2(LO) && m->C[0] < exp2(HI));
    assert_false(has_note(m, "a best C is"));
    ny_model_free(m);
    ny_data_free(data);
    ny_ctx_free(ctx);
}

static void test_edges_are_told_or_extended(void **state) {
    (void)state;
    ny_ctx *ctx = ny_ctx_new();
    ny_data *data = NULL;
    must(ctx, ny_data_generate(ctx, "banana", 150, 1, &data));
    static const char *const searches[] = {"grid", "profile"};
    for (int k = 0; k < 2; k++) {
        ny_model *m = train_with_options(
            ctx, data, make_options(ctx, "kernel", "rbf", "search", searches[k], "bandwidth", "4:6:1", NULL));
        assert_true(has_note(m, "widen the range"));
        assert_close(m->f.kernel.bandwidth, 16, 1e-9);
        ny_model_free(m);
    }
    ny_model *m = train_with_options(ctx, data, make_options(ctx, "kernel", "rbf", "C", "-20:-18:1", NULL));
    assert_true(has_note(m, "--C -20:-18:1"));
    ny_model_free(m);
    m = train_with_options(ctx, data, make_options(ctx, "bandwidth", "-4:4:1", NULL));
    assert_false(has_note(m, "widen"));
    ny_model_free(m);
    ny_data_free(data);
    ny_ctx_free(ctx);
}

/* A weight of 2 is the row twice; a weight of 0 is the row left out. */
static void test_weights_are_repetitions(void **state) {
    (void)state;
    enum { N = 60 };
    ny_ctx *ctx = ny_ctx_new();
    double x[3 * N * 2], y[3 * N], w[N], score[2][N];
    int64_t rows = 0;
    ny_rng rng = ny_rng_make(3, NY_RNG_TEST, 9);
    double X[2 * N], Y[N];
    for (int i = 0; i < N; i++) {
        X[2 * i] = ny_rng_normal(&rng), X[2 * i + 1] = ny_rng_normal(&rng);
        Y[i] = X[2 * i] * X[2 * i + 1] + 0.1 * ny_rng_normal(&rng);
        w[i] = (double)(i % 3);
        for (int k = 0; k < i % 3; k++, rows++) x[2 * rows] = X[2 * i], x[2 * rows + 1] = X[2 * i + 1], y[rows] = Y[i];
    }
    for (int k = 0; k < 2; k++) {
        ny_data *data = NULL, *all = NULL;
        must(ctx, ny_data_from_rows(ctx, k ? N : rows, 2, k ? X : x, k ? Y : y, &data));
        must(ctx, ny_data_from_rows(ctx, N, 2, X, Y, &all));
        if (k) {
            data->weight = ny_alloc(ctx, N, sizeof(double));
            memcpy(data->weight, w, sizeof w);
        }
        ny_model *m = train_with_options(ctx, data,
                                         make_options(ctx, "scale", "none", "kernel", "rbf", "landmarks", "all",
                                                      "search", "none", "bandwidth", "1", "C", "4", NULL));
        must(ctx, ny_predict(ctx, m, all, NULL, score[k], NULL, NULL));
        ny_model_free(m);
        ny_data_free(data);
        ny_data_free(all);
    }
    for (int i = 0; i < N; i++) assert_close(score[1][i], score[0][i], 1e-9);
    ny_ctx_free(ctx);
}

/* --class-weight A=w is a weight on each of the class's rows; balanced is n / (k n_c). */
static void test_class_weights_are_row_weights(void **state) {
    (void)state;
    enum { N = 90 };
    ny_ctx *ctx = ny_ctx_new();
    double X[2 * N], score[3][N];
    const char *label[N];
    ny_rng rng = ny_rng_make(4, NY_RNG_TEST, 9);
    int count = 0;
    for (int i = 0; i < N; i++) {
        X[2 * i] = ny_rng_normal(&rng), X[2 * i + 1] = ny_rng_normal(&rng);
        label[i] = X[2 * i] + X[2 * i + 1] * X[2 * i + 1] > 1.5 ? "yes" : "no";
        count += label[i][0] == 'y';
    }
    char explicit_weights[80];
    snprintf(explicit_weights, sizeof explicit_weights, "yes=%.17g,no=%.17g", N / (2.0 * count),
             N / (2.0 * (N - count)));
    for (int c = 0; c < 6; c++) { /* first at a C that is given: twice the weight would be twice the C that is found */
        int k = c % 3;
        ny_data *data = NULL;
        must(ctx, ny_data_from_labels(ctx, N, 2, X, label, &data));
        if (k == 2) {
            data->weight = ny_alloc(ctx, N, sizeof(double));
            for (int i = 0; i < N; i++) data->weight[i] = N / (2.0 * (label[i][0] == 'y' ? count : N - count));
        }
        const char *weights[] = {"balanced", explicit_weights, "none"};
        ny_model *m = train_with_options(
            ctx, data, make_options(ctx, "class-weight", weights[k], "kernel", "rbf", "C", c < 3 ? "4" : "auto", NULL));
        must(ctx, ny_predict(ctx, m, data, NULL, NULL, NULL, score[k]));
        for (int i = 0; i < N; i++) assert_close(score[k][i], score[0][i], 1e-9);
        ny_model_free(m);
        ny_data_free(data);
    }
    ny_ctx_free(ctx);
}

/* Of all pairs of the grid --select-on error takes one of the fewest errors, and mse one of the least squares: not the
 * same one here. */
static void test_select_on_error(void **state) {
    (void)state;
    ny_ctx *ctx = ny_ctx_new();
    ny_data *data = NULL;
    must(ctx, ny_data_generate(ctx, "waveform", 200, 2, &data));
    double error[2], value[2], fewest = INFINITY, least = INFINITY;
    for (int k = 0; k < 2; k++) {
        ny_model *m = train_with_options(ctx, data,
                                         make_options(ctx, "kernel", "rbf", "search", "grid", "bandwidth", "-1:5:1",
                                                      "C", "-6:8:1", "select-on", k ? "error" : "mse", NULL));
        error[k] = m->record->expected.error;
        value[k] = m->record->expected.value;
        for (int64_t i = 0; i < m->record->evaluations; i++) {
            fewest = fmin(fewest, m->record->evaluation[i].error);
            least = fmin(least, m->record->evaluation[i].value);
        }
        ny_model_free(m);
    }
    assert_true(error[1] < error[0] && value[1] > value[0]);
    assert_close(error[1], fewest, 1e-12);
    assert_close(value[0], least, 1e-12);
    ny_data_free(data);
    must(ctx, ny_data_generate(ctx, "ringnorm", 120, 3, &data)); /* small C have one class only: a plateau of errors */
    ny_model *m = train_with_options(ctx, data,
                                     make_options(ctx, "machine", "svm", "kernel", "rbf", "bandwidth", "1", "landmarks",
                                                  "30", "select-on", "error", NULL));
    assert_true(m->record->expected.error < 0.2);
    ny_model_free(m);
    ny_data_free(data);
    ny_ctx_free(ctx);
}

enum { WIDTHS = 4, CS = 8 };

/* What one bandwidth and C are worth: 2^(b - 1), 2^(2 c - 6). */
static void worth(ny_ctx *ctx, const ny_data *data, const char *machine, int b, int c, double *value, double *error) {
    char width[32], C[32];
    snprintf(width, sizeof width, "%.17g", exp2(b - 1));
    snprintf(C, sizeof C, "%.17g", exp2(2 * c - 6));
    ny_model *m = train_with_options(
        ctx, data,
        make_options(ctx, "machine", machine, "criterion", strcmp(machine, "l2svm") == 0 ? "span" : "cv", "kernel",
                     "rbf", "search", "none", "bandwidth", width, "C", C, "landmarks", "40", "landmark-method",
                     "uniform", NULL));
    *value = m->record->expected.value;
    *error = m->record->expected.error;
    ny_model_free(m);
}

/* --select-on for each level, against all machines of the grid one by one: at every bandwidth C by the second word, the
 * smaller one among equal errors; the bandwidth by the least loss of any C, or by the errors at its C. */
static void test_select_on_levels(void **state) {
    (void)state;
    static const char *const machines[] = {"lssvm", "svm", "l2svm"}, *const words[] = {"error", "mse,error",
                                                                                       "error,mse"};
    ny_ctx *ctx = ny_ctx_new();
    ny_data *data = NULL;
    must(ctx, ny_data_generate(ctx, "mixture", 100, 2, &data));
    int ties = 0, differ = 0;
    for (int k = 0; k < 3; k++) {
        double value[WIDTHS][CS], error[WIDTHS][CS];
        for (int b = 0; b < WIDTHS; b++)
            for (int c = 0; c < CS; c++) worth(ctx, data, machines[k], b, c, &value[b][c], &error[b][c]);
        for (int w = 0; w < 3; w++) {
            int at[WIDTHS], best = 0;
            double goal[WIDTHS];
            for (int b = 0; b < WIDTHS; b++) {
                const double *by = w < 2 ? error[b] : value[b];
                double least = INFINITY;
                at[b] = 0;
                for (int c = 1; c < CS; c++) at[b] = by[c] < by[at[b]] ? c : at[b];
                for (int c = at[b] + 1; c < CS; c++) ties += by[c] == by[at[b]] && value[b][c] < value[b][at[b]];
                for (int c = 0; c < CS; c++) least = fmin(least, value[b][c]);
                double own = value[b][at[b]];
                goal[b] = w == 1 ? least : error[b][at[b]] + 1e-6 * own / (1 + own);
                differ += w == 1 && own > least * 1.01;
                if (goal[b] < goal[best]) best = b;
            }
            ny_model *m = train_with_options(
                ctx, data,
                make_options(ctx, "machine", machines[k], "criterion", k == 2 ? "span" : "cv", "kernel", "rbf",
                             "search", "grid", "bandwidth", "-1:2:1", "C", "-6:8:2", "landmarks", "40",
                             "landmark-method", "uniform", "select-on", words[w], NULL));
            assert_close(m->f.kernel.bandwidth, exp2(best - 1), 1e-12);
            assert_close(m->C[0], exp2(2 * at[best] - 6), 1e-12);
            assert_close(m->record->expected.error, error[best][at[best]], 1e-12);
            assert_close(m->record->expected.value, value[best][at[best]], 1e-3);
            ny_model_free(m);
        }
    }
    assert_true(ties > 0 && differ > 0);
    ny_data_free(data);
    ny_ctx_free(ctx);
}

/* What is saved is what was trained, to the last bit. */
static void test_saved_model_predicts_the_same_bits(void **state) {
    (void)state;
    static const char *const names[] = {"banana", "waveform", "sinc"};
    ny_ctx *ctx = ny_ctx_new();
    for (int k = 0; k < 3; k++) {
        enum { N = 200 };
        ny_data *data = NULL;
        ny_model *again = NULL;
        double a[3][N * 4], b[3][N * 4];
        must(ctx, ny_data_generate(ctx, names[k], N, 1, &data));
        ny_model *m = train_with_options(ctx, data, make_options(ctx, "landmarks", "40", NULL));
        must(ctx, ny_model_save(ctx, m, "ny_test_saved.nysel"));
        must(ctx, ny_model_load(ctx, "ny_test_saved.nysel", &again));
        bool classes = ny_model_classes(m) > 0;
        must(ctx, ny_predict(ctx, m, data, NULL, a[0], classes ? a[1] : NULL, a[2]));
        must(ctx, ny_predict(ctx, again, data, NULL, b[0], classes ? b[1] : NULL, b[2]));
        assert_memory_equal(a[0], b[0], N * sizeof(double));
        if (classes) assert_memory_equal(a[1], b[1], (size_t)(N * ny_model_classes(m)) * sizeof(double));
        assert_memory_equal(a[2], b[2], (size_t)(N * ny_model_outputs(m)) * sizeof(double));
        for (int i = 0; classes && i < N; i++) { /* the largest probability is the label */
            int64_t c = ny_model_classes(m), top = 0;
            double sum = 0;
            for (int64_t j = 0; j < c; j++) sum += a[1][i * c + j], top = a[1][i * c + j] > a[1][i * c + top] ? j : top;
            assert_int_equal(top, (int64_t)a[0][i]);
            assert_close(sum, 1, 1e-12);
        }
        remove("ny_test_saved.nysel");
        ny_model_free(m);
        ny_model_free(again);
        ny_data_free(data);
    }
    ny_ctx_free(ctx);
}

/* The log loss of fresh rows that two classes have if all log odds are taken that many times. */
static double log_loss(const ny_data *fresh, const double *p, double times) {
    double sum = 0, n = (double)ny_data_rows(fresh);
    for (int64_t i = 0; i < ny_data_rows(fresh); i++) {
        double odds = times * log(p[2 * i + 1] / p[2 * i]);
        sum += log1p(exp(fresh->code[i] == 1 ? -odds : odds)) / n;
    }
    return sum;
}

/* Held-out scores calibrate: the log loss of fresh rows beats that of the class shares by far, it would be larger if
 * all log odds were larger or smaller by a quarter, and among rows given p near 0.8, about that share is right. */
static void test_probabilities_are_calibrated(void **state) {
    (void)state;
    enum { N = 8000 };
    ny_ctx *ctx = ny_ctx_new();
    ny_data *data = NULL, *fresh = NULL;
    must(ctx, ny_data_generate(ctx, "mixture", 1500, 1, &data));
    must(ctx, ny_data_generate(ctx, "mixture", N, 77, &fresh));
    ny_model *m = train_with_options(ctx, data, make_options(ctx, "landmarks", "200", NULL));
    double *p = calloc(2 * N, sizeof *p), right = 0, sum = 0, count = 0;
    must(ctx, ny_predict(ctx, m, fresh, NULL, NULL, p, NULL));
    for (int i = 0; i < N; i++) {
        int top = p[2 * i + 1] > p[2 * i];
        if (p[2 * i + top] < 0.65 || p[2 * i + top] > 0.9) continue;
        right += top == fresh->code[i];
        sum += p[2 * i + top];
        count++;
    }
    assert_true(count > 3000);
    assert_true(fabs(right / count - sum / count) < 0.025); /* four standard errors */
    double loss = log_loss(fresh, p, 1);
    assert_true(loss < 0.7 * log(2) && loss < log_loss(fresh, p, 0.8) && loss < log_loss(fresh, p, 1.25));
    free(p);
    ny_model_free(m);
    ny_data_free(data);
    ny_data_free(fresh);
    ny_ctx_free(ctx);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_grid_tries_every_pair),
        cmocka_unit_test(test_profile_finds_the_grids_optimum),
        cmocka_unit_test(test_auto_finds_the_kernel),
        cmocka_unit_test(test_close_kernels_are_bracketed),
        cmocka_unit_test(test_best_may_have_fewer_landmarks),
        cmocka_unit_test(test_edges_are_told_or_extended),
        cmocka_unit_test(test_the_edge_is_the_winners),
        cmocka_unit_test(test_weights_are_repetitions),
        cmocka_unit_test(test_class_weights_are_row_weights),
        cmocka_unit_test(test_select_on_error),
        cmocka_unit_test(test_select_on_levels),
        cmocka_unit_test(test_saved_model_predicts_the_same_bits),
        cmocka_unit_test(test_probabilities_are_calibrated),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* test_finite_rank.c: kernels of finite rank: the dimension, and the exact machine without an n x n matrix
 * (docs/math.md, eq. 95, 96). The dense machine is written anew: [K + I/C, 1; 1', 0] [alpha; b] = [y; 0]. */
#include "with_ctx.h"

#include <math.h>

#include "factor/factor.h"
#include "model/record.h"
#include "train/plan.h"

enum { N = 200, D = 3 };

static double power(double u, int64_t degree) {
    double r = 1;
    for (int64_t k = 0; k < degree; k++) r *= u;
    return r;
}

static double dot(int64_t d, const double *a, const double *b) {
    double sum = 0;
    for (int64_t j = 0; j < d; j++) sum += a[j] * b[j];
    return sum;
}

/* As many eigenvalues of the kernel matrix of random points are not zero. */
static void the_dimension_is_the_rank(void **state) {
    (void)state;
    enum { POINTS = 60 };
    double *K = calloc(POINTS * POINTS, 8), *U = calloc(POINTS * POINTS, 8), x[POINTS * D];
    ny_rng rng = ny_rng_make(3, NY_RNG_TEST, 1);
    for (int i = 0; i < POINTS * D; i++) x[i] = ny_rng_normal(&rng);
    for (int64_t d = 1; d <= D; d++)
        for (int64_t degree = 1; degree <= 4; degree++)
            for (int c = 0; c < 2; c++) {
                ny_kernel_params p = {&ny_kernel_poly, 1, c, degree, 0};
                for (int i = 0; i < POINTS; i++)
                    for (int j = 0; j < POINTS; j++)
                        K[i + j * POINTS] = power(dot(d, x + i * D, x + j * D) + c, degree);
                dense_eigen(POINTS, K, U);
                double rank = 0, most = 0;
                for (int i = 0; i < POINTS; i++) most = fmax(most, K[i + i * POINTS]);
                for (int i = 0; i < POINTS; i++) rank += K[i + i * POINTS] > 1e-11 * most;
                assert_true(ny_kernel_dimension(&p, d) == rank);
            }
    ny_kernel_params linear = {&ny_kernel_linear, 1, 1, 3, 0}, rbf = {&ny_kernel_rbf, 1, 1, 3, 0};
    assert_true(ny_kernel_dimension(&linear, 17) == 17);
    assert_true(isinf(ny_kernel_dimension(&rbf, 17)));
    free(K);
    free(U);
}

static double X[N * D], y[N];

static void make_rows(void) {
    ny_rng rng = ny_rng_make(9, NY_RNG_TEST, 2);
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < D; j++) X[j + i * D] = ny_rng_normal(&rng);
        y[i] = X[i * D] * X[1 + i * D] + X[2 + i * D] + 0.5 * ny_rng_normal(&rng);
    }
}

/* Outputs and leave-one-out errors alpha_i / (M^-1)_ii of the dense machine. */
static void dense_machine(const double *K, double C, double *outputs, double *loo) {
    enum { S = N + 1 };
    double *M = calloc(S * S, 8), *B = calloc(S * (S + 1), 8), mean = 0;
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < N; j++) M[i + j * S] = K[i + j * N] + (i == j ? 1 / C : 0);
        M[i + N * S] = M[N + i * S] = 1;
        B[i] = y[i];
    }
    for (int i = 0; i < S; i++) B[i + (i + 1) * S] = 1;
    dense_solve(S, S + 1, M, B);
    for (int i = 0; i < N; i++) {
        double e = B[i] / B[i + (i + 1) * S];
        outputs[i] = y[i] - B[i] / C;
        mean += e * e / N;
    }
    *loo = mean;
    free(M);
    free(B);
}

static void all_rows_are_the_dense_machine(void **state) {
    (void)state;
    static const struct {
        const char *kernel, *degree, *coef0, *landmarks;
        int64_t dimension;
    } cases[] = {{"linear", "1", "0", "all", 3},
                 {"poly", "2", "1", "all", 10},
                 {"poly", "3", "0", "auto", 10},
                 {"poly", "3", "1", "150", 20}};
    double *K = calloc(N * N, 8), outputs[N], F[N], loo;
    ny_data *data = NULL;
    make_rows();
    must(ctx, ny_data_from_rows(ctx, N, D, X, y, &data));
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        bool linear = strcmp(cases[k].kernel, "linear") == 0;
        ny_model *m = train_with_options(
            ctx, data,
            make_options(ctx, "kernel", cases[k].kernel, "degree", linear ? NULL : cases[k].degree, "coef0",
                         linear ? NULL : cases[k].coef0, "landmarks", cases[k].landmarks, "bandwidth",
                         linear ? NULL : "2", "C", "0.7", "scale", "none", "task", "regression", NULL));
        for (int i = 0; i < N; i++)
            for (int j = 0; j < N; j++) {
                double v = dot(D, X + i * D, X + j * D);
                K[i + j * N] = linear ? v : power(v / 4 + atof(cases[k].coef0), atoll(cases[k].degree));
            }
        dense_machine(K, 0.7, outputs, &loo);
        must(ctx, ny_predict(ctx, m, data, NULL, NULL, NULL, F));
        for (int i = 0; i < N; i++) assert_close(F[i], outputs[i], 1e-8);
        assert_close(m->record->expected.value, loo, 1e-8);
        assert_true(m->record->origin.exact && m->record->origin.kernel_kept == 1);
        assert_int_equal(m->f.Z.n, cases[k].dimension);
        ny_model_free(m);
    }
    ny_data_free(data);
    free(K);
}

/* Named methods choose among random rows and make no claim; --rank cuts, so it is not the exact machine. */
static void exact_is_said_where_it_is(void **state) {
    (void)state;
    static const char *const more[][2] = {{"landmark-method", "uniform"}, {"rank", "2"}};
    ny_data *data = NULL;
    make_rows();
    must(ctx, ny_data_from_rows(ctx, N, D, X, y, &data));
    for (int k = 0; k < 2; k++) {
        ny_model *m = train_with_options(ctx, data,
                                         make_options(ctx, "kernel", "linear", "landmarks", "50", "task", "regression",
                                                      more[k][0], more[k][1], NULL));
        assert_false(m->record->origin.exact);
        assert_int_equal(m->record->origin.rank, k ? 2 : 3);
        ny_model_free(m);
    }
    ny_data_free(data);
}

enum { ROWS = 2000, INPUTS = 70 };

/* Sparse rows, each with one of 60 common inputs; inputs 60 .. 69 are in five rows each. */
static void rare_inputs(ny_matrix *S) {
    *S = (ny_matrix){.d = INPUTS, .n = ROWS};
    S->ptr = ny_alloc(ctx, ROWS + 1, sizeof *S->ptr);
    S->idx = ny_alloc(ctx, 2 * ROWS, sizeof *S->idx);
    S->val = ny_alloc(ctx, 2 * ROWS, sizeof *S->val);
    for (int64_t i = 0, e = 0; i < ROWS; i++) {
        S->idx[e] = (int32_t)(i % 60), S->val[e++] = 1 + (double)(i % 7);
        if (i % 40 == 5) S->idx[e] = (int32_t)(60 + i / 40 % 10), S->val[e++] = 0.5;
        S->ptr[i + 1] = e;
    }
}

/* Random rows would miss some of them; what is drawn by what is left misses none. */
static void rare_inputs_are_found(void **state) {
    (void)state;
    ny_matrix S;
    ny_factor f;
    ny_kernel_params linear = {&ny_kernel_linear, 1, 1, 3, 0};
    rare_inputs(&S);
    ny_factor_spec spec = {&ny_landmark_uniform, NULL, NULL, 0, NULL, ROWS, 0, 1e-10, 3, 0, 0};
    must(ctx, ny_factor_make(ctx, &linear, &S, &spec, &f));
    assert_int_equal(f.r, INPUTS);
    assert_true(ny_matrix_is_sparse(&f.Z));
    for (int64_t i = 0; i < ROWS; i++) {
        double norm = 0;
        for (int64_t e = S.ptr[i]; e < S.ptr[i + 1]; e++) norm += S.val[e] * S.val[e];
        assert_close(dot(f.r, f.G + i * f.ldg, f.G + i * f.ldg), norm, 1e-12);
    }
    ny_factor_clear(&f);
    ny_matrix_clear(&S);
}

/* From a sample, where rows come in passes: nobody can promise the whole space, but it is more than random rows have.
 */
static void in_passes_most_are_found(void **state) {
    (void)state;
    ny_matrix S;
    ny_data *data = NULL;
    int64_t rank[2];
    char *text = calloc(ROWS, 64), *at = text;
    rare_inputs(&S);
    for (int64_t i = 0; i < ROWS; i++) {
        at += sprintf(at, "%d", i % 3 ? 1 : -1);
        for (int64_t e = S.ptr[i]; e < S.ptr[i + 1]; e++) at += sprintf(at, " %d:%g", (int)S.idx[e] + 1, S.val[e]);
        at += sprintf(at, "\n");
    }
    char *file = write_file(".svm", text, -1);
    for (int k = 0; k < 2; k++) {
        ny_options *o = make_options(ctx, "kernel", "linear", "stream", "yes", "scale", "none", "landmark-method",
                                     k ? "uniform" : "auto", NULL);
        must(ctx, ny_data_open(ctx, file, o, NULL, &data));
        ny_model *m = train_with_options(ctx, data, o);
        rank[k] = m->record->origin.rank;
        assert_false(m->record->origin.exact);
        ny_model_free(m);
        ny_data_free(data);
    }
    assert_in_range(rank[0], rank[1] + 4, INPUTS);
    remove(file);
    free(file);
    free(text);
    ny_matrix_clear(&S);
}

static ny_plan plan_of(int64_t rows, int64_t inputs, const char *kernel, const char *landmarks, const char *method) {
    ny_plan plan;
    ny_data data = {.rows = rows, .X = {.d = inputs, .n = rows}};
    ny_options *o = make_options(ctx, "kernel", kernel, "degree", "2", "landmarks", landmarks, "landmark-method",
                                 method, "threads", "2", "memory", "8G", NULL);
    ny_status st = ny_plan_make(ctx, &(ny_job){.options = o, .data = &data, .rows = rows, .outputs = 1}, &plan);
    if (st != NY_OK) plan = (ny_plan){0};
    ny_options_free(o);
    return plan;
}

static void the_plan_knows_the_dimension(void **state) {
    (void)state;
    ny_plan p = plan_of(50000, 22, "linear", "all", "auto");
    assert_int_equal(p.landmarks, 27);
    assert_int_equal(p.spanning, 27);
    assert_true(p.bytes < 100000000);
    assert_int_equal(plan_of(50000, 22, "rbf", "all", "auto").landmarks, 0); /* 60 GB */
    assert_int_equal(plan_of(50000, 22, "auto", "all", "auto").landmarks, 0);
    p = plan_of(50000, 22, "poly", "auto", "auto"); /* 276 dimensions; 774 landmarks for an infinite one */
    assert_int_equal(p.landmarks, 281);
    assert_int_equal(p.landmarks_most, 281);
    p = plan_of(50000, 22, "poly", "auto", "uniform");
    assert_int_equal(p.landmarks, 365);
    assert_int_equal(p.spanning, 0);
    assert_int_equal(plan_of(50000, 22, "rbf", "auto", "auto").landmarks, 774);
    assert_int_equal(plan_of(50000, 45, "poly", "auto", "auto").landmarks, 1086); /* up to twice as many: the whole */
    assert_int_equal(plan_of(50000, 60, "poly", "auto", "auto").landmarks, 774);  /* 1891: too many */
    assert_int_equal(plan_of(50000, 22, "poly", "100", "auto").landmarks, 100);
    assert_int_equal(plan_of(50000, 22, "poly", "400", "auto").landmarks, 281);
    assert_int_equal(plan_of(50000, 22, "poly", "400", "uniform").landmarks, 400);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_dimension_is_the_rank), cmocka_unit_test(all_rows_are_the_dense_machine),
        cmocka_unit_test(exact_is_said_where_it_is), cmocka_unit_test(rare_inputs_are_found),
        cmocka_unit_test(in_passes_most_are_found),  cmocka_unit_test(the_plan_knows_the_dimension),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}

/* test_criterion.c: what every criterion, search and scale must satisfy; a new member is tested unasked. */
#include "support.h"

#include <math.h>

#include "criterion/judge.h"
#include "model/record.h"
#include "scale/scale.h"
#include "search/search.h"

enum { N = 50, R = 6, Q = 2, FOLDS = 5 };

typedef struct {
    double G[R * N], u[N], Y[N * Q];
    int64_t start[FOLDS + 1];
    ny_problem ridge;
} problem;

static void make_problem(problem *p, bool bias) {
    ny_rng rng = ny_rng_make(21, NY_RNG_TEST, 0);
    for (int i = 0; i < N; i++) {
        p->u[i] = sqrt(0.5 + ny_rng_uniform(&rng));
        for (int k = 0; k < R; k++) p->G[k + i * R] = p->u[i] * ny_rng_normal(&rng);
        for (int j = 0; j < Q; j++)
            p->Y[i + j * N] = p->u[i] * (p->G[j + i * R] / p->u[i] + 3 + 0.5 * ny_rng_normal(&rng));
    }
    for (int f = 0; f <= FOLDS; f++) p->start[f] = f * N / FOLDS;
    p->ridge = (ny_problem){.r = R,
                            .n = N,
                            .q = Q,
                            .G = p->G,
                            .ldg = R,
                            .u = p->u,
                            .Y = p->Y,
                            .bias = bias,
                            .folds = FOLDS,
                            .fold_start = p->start};
}

/* The first and the last of the kinds that judge machines of squared loss on landmarks. */
static ny_criterion_kind kind_of(const ny_criterion *criterion, bool last) {
    if (!criterion->closed) return NY_ITERATIVE;
    return last && criterion->iterative ? NY_ITERATIVE : NY_CLOSED_FORM;
}

/* The machine of a criterion satisfies the normal equations, recomputed here:
 * w / C = sum u (uy - uf) g / u ... in scaled rows: w/C = sum g (y - g'w - u b),  0 = sum u (y - g'w - u b). */
static void test_solution_is_optimal(void **state) {
    (void)state;
    ny_ctx *ctx = ny_ctx_new();
    for (int64_t k = 0; ny_criterion_at(k); k++)
        for (int c = 0; c < 8; c++) {
            problem p, q;
            bool bias = c % 2;
            ny_judge judge;
            ny_effort effort = {0};
            double C[Q] = {0.3, 7}, W[R * Q], b[Q];
            make_problem(&p, bias);
            make_problem(&q, bias);
            ny_criterion_kind kind = kind_of(ny_criterion_at(k), c / 4);
            must(ctx, ny_judge_new(ctx, ny_criterion_at(k), kind, &p.ridge, c / 2 % 2 ? 100 : 1, &judge));
            must(ctx, ny_judge_solve(ctx, &judge, C, W, b, &effort));
            for (int j = 0; j < Q; j++) {
                double sum[R + 1] = {0};
                for (int i = 0; i < N; i++) {
                    double e = q.Y[i + j * N] - q.u[i] * b[j];
                    for (int a = 0; a < R; a++) e -= q.G[a + i * R] * W[a + j * R];
                    for (int a = 0; a < R; a++) sum[a] += q.G[a + i * R] * e;
                    sum[R] += q.u[i] * e;
                }
                for (int a = 0; a < R; a++) assert_close(sum[a], W[a + j * R] / C[j], 1e-9);
                if (bias) assert_close(sum[R], 0, 1e-9);
                else assert_true(b[j] == 0);
            }
            ny_judge_clear(&judge);
            ny_free(effort.objective);
        }
    ny_ctx_free(ctx);
}

/* A list for each output says the same as the common list; the trace is that of the centred Gram matrix. */
static void test_lists_agree(void **state) {
    (void)state;
    ny_ctx *ctx = ny_ctx_new();
    for (int64_t k = 0; ny_criterion_at(k / 2); k++) {
        problem p;
        ny_judge judge;
        double C[3] = {0.1, 1, 10}, each[3 * Q], F[3 * N * Q], E[3 * N * Q], trace = 0, mean[R] = {0}, weight = 0;
        make_problem(&p, true);
        for (int i = 0; i < N; i++) {
            weight += p.u[i] * p.u[i];
            for (int a = 0; a < R; a++) mean[a] += p.u[i] * p.G[a + i * R], trace += p.G[a + i * R] * p.G[a + i * R];
        }
        for (int a = 0; a < R; a++) trace -= mean[a] * mean[a] / weight;
        for (int j = 0; j < Q; j++) memcpy(each + 3 * j, C, sizeof C);
        const ny_criterion *criterion = ny_criterion_at(k / 2);
        must(ctx, ny_judge_new(ctx, criterion, kind_of(criterion, k % 2), &p.ridge, 3, &judge));
        assert_close(ny_judge_trace(&judge), trace, 1e-10);
        must(ctx, ny_judge_held(ctx, &judge, &(ny_C_list){3, false, C}, F));
        must(ctx, ny_judge_held(ctx, &judge, &(ny_C_list){3, true, each}, E));
        for (int i = 0; i < 3 * N * Q; i++) {
            assert_close(E[i], F[i], 1e-12);
            assert_true(isfinite(F[i]));
        }
        ny_judge_clear(&judge);
    }
    ny_ctx_free(ctx);
}

/* Every search ends with a machine of all rows and all landmarks whose value is the least it tried at that size. */
static void test_searches_end_with_their_best(void **state) {
    (void)state;
    ny_ctx *ctx = ny_ctx_new();
    ny_data *data = NULL;
    must(ctx, ny_data_generate(ctx, "banana", 400, 1, &data));
    for (int64_t k = 0; ny_search_at(k); k++)
        for (int64_t c = 0; ny_criterion_at(c); c++) {
            ny_model *m = NULL;
            bool csa = strcmp(ny_search_at(k)->name, "csa") == 0;
            if (strcmp(ny_search_at(k)->name, "gradient") == 0 && !ny_criterion_at(c)->gradient) continue; /* refused */
            ny_options *o = make_options(
                ctx, "kernel", "laplace", "search", ny_search_at(k)->name, "criterion", ny_criterion_at(c)->name,
                "machine", ny_criterion_at(c)->only ? "l2svm" : "lssvm", "landmarks", "120", "csa-evaluations",
                csa ? "20" : NULL, "simplex-evaluations", csa ? "8" : NULL, NULL);
            must(ctx, ny_train(ctx, data, o, &m));
            assert_int_equal(m->record->rows, 400);
            assert_int_equal(m->record->origin.landmarks, 120);
            for (int64_t i = 0; i < m->record->evaluations; i++) {
                const ny_evaluation *e = &m->record->evaluation[i];
                if (e->rows == 400 && e->landmarks == 120) assert_true(m->record->expected.value <= e->value + 1e-15);
            }
            assert_true(m->record->expected.error < 0.2);
            ny_model_free(m);
            ny_options_free(o);
        }
    ny_data_free(data);
    ny_ctx_free(ctx);
}

/* Scaled inputs are finite whatever came in; a constant input becomes 0 (or stays, unscaled). */
static void test_scales(void **state) {
    (void)state;
    ny_ctx *ctx = ny_ctx_new();
    for (int64_t k = 0; ny_scale_at(k); k++) {
        ny_matrix X = {0};
        enum { D = 4, ROWS = 30 };
        int64_t rows[ROWS];
        double shift[D], factor[D], mean[D] = {0}, square[D] = {0};
        must(ctx, ny_matrix_dense(ctx, D, ROWS, &X));
        for (int i = 0; i < ROWS; i++) {
            rows[i] = i;
            X.x[i * D] = i, X.x[1 + i * D] = 1e9 + i % 7, X.x[2 + i * D] = 42, X.x[3 + i * D] = 1e-200 * (i % 5);
        }
        ny_bend bend = {0};
        ny_scaling fitted = {.shift = shift, .factor = factor, .bend = &bend};
        must(ctx, ny_scale_fit(ctx, ny_scale_at(k), &X, rows, ROWS, &fitted));
        assert_int_equal(fitted.constant, 1);
        ny_bend_apply(&bend, &X);
        ny_scale_apply(shift, factor, &X);
        for (int i = 0; i < D * ROWS; i++) {
            assert_true(isfinite(X.x[i]));
            mean[i % D] += X.x[i] / ROWS;
            square[i % D] += X.x[i] * X.x[i] / ROWS;
        }
        if (ny_scale_at(k) != &ny_scale_none) assert_true(square[2] == 0);
        if (ny_scale_at(k) == &ny_scale_standard)
            for (int j = 0; j < 2; j++) assert_close(mean[j], 0, 1e-6), assert_close(square[j], 1, 1e-6);
        if (ny_scale_at(k)->order) { /* the order stays */
            assert_true(ny_bend_value(&bend, 0, 3) < ny_bend_value(&bend, 0, 3.5) && factor[0] > 0);
            assert_true(ny_bend_value(&bend, 0, 3.5) < ny_bend_value(&bend, 0, 4));
        }
        ny_bend_clear(&bend);
        ny_matrix_clear(&X);
    }
    ny_ctx_free(ctx);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_solution_is_optimal),
        cmocka_unit_test(test_lists_agree),
        cmocka_unit_test(test_searches_end_with_their_best),
        cmocka_unit_test(test_scales),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

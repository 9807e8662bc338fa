/* test_copies.c: rows with equal inputs are held out together. Held-out outputs against refits without the group by an
 * independent solver; whole trainings against those of the distinct rows with weights. */
#include <math.h>

#include "any_loss.h"
#include "model/record.h"
#include "solver/together.h"
#include "table/copies.h"

enum { ROWS = 60, GROUPS = 3 };

static int64_t group[ROWS];
static double group_weight[ROWS], group_mean[ROWS];
static ny_together together = {GROUPS, group, group_weight, group_mean};

/* Rows 0, 1, 2 lead groups of 2, 5 and 3 rows, with targets and weights of their own. */
static void make_copies(set *s, const char *machine, int64_t r, bool weights) {
    static const int64_t of[ROWS] = {
        [0] = 1, [20] = 1, [1] = 2, [7] = 2, [8] = 2, [40] = 2, [59] = 2, [2] = 3, [30] = 3, [31] = 3};
    double weight[GROUPS] = {0}, sum[GROUPS] = {0};
    make_rows(s, ny_machine_find(machine), ROWS, 3, weights, 0.1);
    for (int64_t i = 0; i < ROWS; i++)
        if ((group[i] = of[i] - 1) >= 0) memcpy(s->X + i * INPUTS, s->X + group[i] * INPUTS, INPUTS * sizeof *s->X);
    make_features(s, r, 1);
    for (int64_t i = 0; i < ROWS; i++)
        if (group[i] >= 0) weight[group[i]] += s->v[i], sum[group[i]] += s->v[i] * s->y[i];
    for (int64_t i = 0; i < ROWS; i++) {
        group_weight[i] = group[i] >= 0 ? weight[group[i]] : 0;
        group_mean[i] = group[i] >= 0 ? sum[group[i]] / weight[group[i]] : 0;
    }
}

/* What the machine says of row i when it has seen neither it nor its copies. */
static double without(const set *s, double C, int64_t i) {
    static set left;
    double w[MOST], b, f[MOST];
    left = *s;
    for (int64_t k = 0; k < ROWS; k++)
        if (k == i || (group[i] >= 0 && group[k] == group[i])) left.v[k] = 0;
    descend(&left, C, w, &b);
    outputs(&left, w, b, f);
    return f[i];
}

static void test_closed_form(void **state) {
    (void)state;
    static set s;
    const ny_criterion_kind kinds[] = {NY_CLOSED_FORM, NY_ITERATIVE};
    for (int c = 0; c < 2; c++)
        for (int w = 0; w < 4; w++) {
            double F[MOST], C = w ? 3 : 50, f;
            ny_judge judge;
            ny_effort effort = {0};
            ny_C_list list = {1, false, &C};
            double weights[MOST], b;
            make_copies(&s, w % 2 ? "lssvm" : "krr", w < 2 ? 12 : 25, w > 0);
            problem_of(&s);
            s.problem.together = &together;
            must(ctx, ny_judge_new(ctx, &ny_criterion_loo, kinds[c], &s.problem, 1, &judge));
            must(ctx, ny_judge_solve(ctx, &judge, &C, weights, &b, &effort));
            must(ctx, ny_judge_held(ctx, &judge, &list, F));
            ny_judge_clear(&judge);
            ny_free(effort.objective);
            for (int64_t i = 0; i < ROWS; i++) {
                f = without(&s, C, i);
                assert_close(F[i], f, 1e-7);
            }
        }
}

/* The kernel matrix in place of the features: C is the criterion's own choice. */
static void test_of_kernel(void **state) {
    (void)state;
    static set s, dense;
    for (int w = 0; w < 2; w++) {
        double F[MOST], C = 1, value = INFINITY, sum = 0, weight = 0;
        void *job = NULL;
        make_copies(&s, w ? "lssvm" : "krr", 25, true);
        dense = s;
        dense.r = ROWS;
        for (int64_t i = 0; i < ROWS; i++)
            for (int64_t k = 0; k < ROWS; k++) {
                double dot = 0;
                for (int64_t a = 0; a < s.r; a++) dot += s.G[a + i * s.r] * s.G[a + k * s.r];
                dense.G[k + i * ROWS] = dot;
            }
        problem_of(&dense);
        dense.problem.together = &together;
        must(ctx, ny_dense_loo.prepare(ctx, &dense.problem, &job));
        must(ctx, ny_dense_loo.choose(ctx, job, &(ny_C_choice){NULL, false, &C, &value, F}));
        ny_dense_loo.release(job);
        for (int64_t i = 0; i < ROWS; i++) {
            double f = without(&s, C, i);
            assert_close(F[i], f, 1e-6);
            sum += s.v[i] * (s.y[i] - f) * (s.y[i] - f);
            weight += s.v[i];
        }
        assert_close(value, sum / weight, 1e-6);
    }
}

/* A row that is there three times is a row of weight 3, in machine, criterion, error and standard error. */
static void test_trainings(void **state) {
    (void)state;
    enum { N = 40, MORE = 80 };
    static const char *const runs[][6] = {{"machine", "lssvm", "criterion", "loo", "C", "-1:6:1"},
                                          {"machine", "krr", "criterion", "cv", "C", "-1:6:1"},
                                          {"machine", "lssvm", "expansion", "training", "C", "4"},
                                          {"machine", "huber", "delta", "0.2", "criterion", "newton"},
                                          {"machine", "huber", "delta", "0.2", "criterion", "loo"}};
    double X[MORE * 2], y[MORE], weight[N];
    ny_rng rng = ny_rng_make(8, NY_RNG_TEST, 0);
    for (int i = 0; i < N; i++) {
        X[2 * i] = ny_rng_normal(&rng), X[2 * i + 1] = ny_rng_normal(&rng);
        y[i] = sin(2 * X[2 * i]) + 0.3 * ny_rng_normal(&rng);
        weight[i] = 1 + i % 3;
    }
    int64_t count = N;
    for (int i = 0; i < N; i++)
        for (int k = 0; k < i % 3; k++, count++) {
            X[2 * count] = X[2 * i], X[2 * count + 1] = X[2 * i + 1];
            y[count] = y[i];
        }
    for (size_t r = 0; r < sizeof runs / sizeof *runs; r++) {
        ny_data *data[2] = {NULL, NULL};
        ny_model *model[2];
        for (int c = 0; c < 2; c++) {
            must(ctx, ny_data_from_rows(ctx, c ? count : N, 2, X, y, &data[c]));
            if (c == 0) {
                data[c]->weight = ny_alloc(ctx, N, sizeof(double));
                memcpy(data[c]->weight, weight, sizeof weight);
            }
            ny_options *o = make_options(ctx, "task", "regression", "kernel", "rbf", "scale", "none", "landmarks",
                                         "all", "bandwidth", "1", "search", "none", "solver", "direct", runs[r][0],
                                         runs[r][1], runs[r][2], runs[r][3], runs[r][4], runs[r][5], NULL);
            model[c] = train_with_options(ctx, data[c], o);
        }
        assert_close(model[1]->record->expected.value, model[0]->record->expected.value, 1e-5);
        assert_close(model[1]->record->expected.error, model[0]->record->expected.error, 1e-5);
        assert_close(model[1]->record->expected.std_error, model[0]->record->expected.std_error, 1e-5);
        for (int c = 0; c < 2; c++) {
            ny_model_free(model[c]);
            ny_data_free(data[c]);
        }
    }
}

static int64_t found(int64_t n, int64_t d, double *x, int64_t *copy, int64_t *repeats) {
    int64_t rows[100], groups;
    for (int64_t i = 0; i < n; i++) rows[i] = i;
    ny_matrix X = {.d = d, .n = n, .x = x};
    must(ctx, ny_copies_find(ctx, &X, rows, n, copy, &groups, repeats));
    return groups;
}

static void test_finding(void **state) {
    (void)state;
    int64_t copy[100], repeats;
    double some[] = {0.5, 1, 0.25, 1, 0.5, 1, 0.75, 0, -0.0, 1, 0.0, 1, 0.5, 1};
    assert_int_equal(found(7, 2, some, copy, &repeats), 2); /* 0.5 three times; 0 and -0 */
    assert_int_equal(repeats, 3);
    int64_t expected[] = {0, -1, 0, -1, 1, 1, 0};
    assert_memory_equal(copy, expected, sizeof expected);
    double levels[] = {0, 1, 0, 1, 1, 1, 0, 0, 1, 0, 0, 1}; /* of few levels: equal, but not copies */
    assert_int_equal(found(6, 2, levels, copy, &repeats), 0);
    assert_int_equal(repeats, 0);
    for (int i = 0; i < 6; i++) assert_int_equal(copy[i], -1);
    /* Sparse: rows {2: 0.5}, {2: 0.5, 3: a stored 0}, {1: 1}, {1: 1}, {1: 1, 3: 2}. */
    int64_t ptr[] = {0, 1, 3, 4, 5, 7}, rows[] = {0, 1, 2, 3, 4}, groups;
    int32_t idx[] = {2, 2, 3, 1, 1, 1, 3};
    double val[] = {0.5, 0.5, 0, 1, 1, 1, 2};
    ny_matrix X = {.d = 4, .n = 5, .ptr = ptr, .idx = idx, .val = val};
    must(ctx, ny_copies_find(ctx, &X, rows, 5, copy, &groups, &repeats));
    assert_int_equal(groups, 1);
    int64_t wanted[] = {0, 0, -1, -1, -1};
    assert_memory_equal(copy, wanted, sizeof wanted);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_closed_form),
        cmocka_unit_test(test_of_kernel),
        cmocka_unit_test(test_trainings),
        cmocka_unit_test(test_finding),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}

/* test_system.c: both members of the exact system (a Cholesky factor, conjugate gradients) against the bordered system
 * and against refits, which are written here anew and solved by Gaussian elimination. */
#include "with_ctx.h"

#include <math.h>

#include "base/threads.h"
#include "solver/exact_system.h"

enum { N = 61, D = 2, MOST = 3, VALUES = 3, RANK = 24 };

static const double SIGMA = 0.8, C[VALUES] = {0.2, 150, 4};
/* Conjugate gradients go to a residual of 1e-13 |y|, so alpha is off by at most C times that; pivots of the full
 * preconditioner below 1e-10 are left out, and leverages off by about C times that. */
static const double FACTOR = 1e-9, ITERATED = 1e-8, LEFT_OUT = 1e-6;

typedef enum { OF_MATRIX, OF_KERNEL, FULL_RANK, LOW_RANK, WAYS } way; /* the last two: conjugate gradients */

typedef struct {
    double rho; /* of the bias: 0: free, INFINITY: none */
    bool weights, copies;
    int64_t q;
} scenario;

static const scenario scenarios[] = {
    {0, false, false, 1},  {0, true, false, 1},        {INFINITY, true, false, 1}, {0, false, true, 1},
    {0, true, true, 1},    {INFINITY, true, true, 1},  {0, false, false, 3},       {0, true, false, 3},
    {0, true, true, 3},    {INFINITY, false, true, 3}, {0.3, false, false, 1},     {40, true, false, 3},
    {0.05, true, true, 1},
};
enum { SCENARIOS = sizeof scenarios / sizeof *scenarios };

static double X[N * D], u[N], y[N * MOST], Y[N * MOST], K[N * N], mean[N * MOST], weight[N];
static int64_t group[N], id[N];
static ny_together together;
static ny_matrix points;
static ny_kernel_params kernel;

static ny_system_rows make_rows(const scenario *s) {
    ny_rng rng = ny_rng_make(31, NY_RNG_TEST, 0);
    for (int i = 0; i < N * D; i++) X[i] = ny_rng_normal(&rng);
    for (int i = 0; i < N; i++) {
        group[i] = s->copies && i < 8 ? i / 3 : -1; /* groups of 3, 3 and 2 rows */
        id[i] = 7 * i + 1;
        u[i] = s->weights ? 0.5 + ny_rng_uniform(&rng) : 1;
        for (int j = 0; j < D && group[i] >= 0; j++) X[j + i * D] = X[j + group[i] * 3 * D];
        for (int j = 0; j < MOST; j++) {
            y[i + j * N] = sin((2 + j) * X[i * D]) + 0.5 * X[1 + i * D] + 0.4 * ny_rng_normal(&rng) + j;
            Y[i + j * N] = u[i] * y[i + j * N];
        }
    }
    for (int i = 0; i < N; i++)
        for (int k = 0; k < N; k++) {
            double d0 = X[i * D] - X[k * D], d1 = X[i * D + 1] - X[k * D + 1];
            K[i + k * N] = u[i] * u[k] * exp(-(d0 * d0 + d1 * d1) / (2 * SIGMA * SIGMA));
        }
    for (int i = 0; i < N; i++) {
        weight[i] = 0;
        for (int k = 0; k < N; k++) weight[i] += group[i] >= 0 && group[k] == group[i] ? u[k] * u[k] : 0;
        for (int j = 0; j < MOST; j++) {
            mean[i + j * N] = 0;
            for (int k = 0; k < N && weight[i] > 0; k++)
                mean[i + j * N] += group[k] == group[i] ? u[k] * u[k] * y[k + j * N] / weight[i] : 0;
        }
    }
    together = (ny_together){3, group, weight, mean};
    points = (ny_matrix){.d = D, .n = N, .x = X};
    kernel = (ny_kernel_params){.kernel = ny_kernel_find("rbf"), .bandwidth = SIGMA, .tile = 32};
    return (ny_system_rows){N, s->q, u, Y, s->rho, s->copies ? &together : NULL};
}

static ny_system make_system(way w, const ny_system_rows *rows) {
    ny_system system;
    ny_system_goals goals = {.tol = 1e-13, .good = 1e-6, .share = 0.1, .signs_tol = 1e-10, .iterations = 1000};
    ny_system_iteration how = {.kernel = &kernel,
                               .X = &points,
                               .rank = w == LOW_RANK ? RANK : N,
                               .columns = ny_system_columns(N, VALUES * MOST, VALUES),
                               .keep = w == LOW_RANK ? NY_KEEP_NOTHING : NY_KEEP_DOUBLE,
                               .seed = 3,
                               .id = id};
    if (w == OF_MATRIX) must(ctx, ny_system_of_matrix(ctx, rows, K, N, false, &system));
    else if (w == OF_KERNEL) must(ctx, ny_system_of_kernel(ctx, rows, &kernel, &points, &system));
    else must(ctx, ny_system_iterated(ctx, rows, &how, &goals, &system));
    assert_int_equal(system.rank > 0, w >= FULL_RANK);
    if (w == LOW_RANK) assert_int_equal(system.rank, RANK);
    return system;
}

/* ---- references, independent of the library ---------------------------------------------------------------------- */

static double alphas[VALUES][(N + 1) * MOST], held_out[VALUES][N * MOST], losses[VALUES][MOST];

/* The machines of the rows that are not in the group of row `without` (-1: of all rows): alpha (N + 1 for each output,
 * b is last), zero in rows that are left out. */
static void dense_machines(const ny_system_rows *rows, double c, int without, double *alpha) {
    static double A[(N + 1) * (N + 1)], x[(N + 1) * MOST];
    int row[N], n = 0, size;
    for (int i = 0; i < N; i++) {
        bool leaves = without >= 0 && (i == without || (group[i] >= 0 && group[i] == group[without]));
        if (!leaves) row[n++] = i;
    }
    size = n + (isfinite(rows->rho) ? 1 : 0);
    memset(A, 0, sizeof A);
    memset(x, 0, sizeof x);
    for (int a = 0; a < n; a++) {
        for (int b = 0; b < n; b++) A[a + b * size] = K[row[a] + row[b] * N] + (a == b ? 1 / c : 0);
        if (size > n) A[a + n * size] = A[n + a * size] = u[row[a]];
        for (int64_t j = 0; j < rows->q; j++) x[a + j * size] = Y[row[a] + j * N];
    }
    if (size > n) A[n + n * size] = -rows->rho; /* u'alpha = rho b */
    dense_solve(size, rows->q, A, x);
    memset(alpha, 0, (N + 1) * MOST * sizeof *alpha);
    for (int64_t j = 0; j < rows->q; j++) {
        for (int a = 0; a < n; a++) alpha[row[a] + j * (N + 1)] = x[a + j * size];
        alpha[N + j * (N + 1)] = size > n ? x[n + j * size] : 0;
    }
}

/* Machines, what refits say of each row that they have not seen, and the mean of its squared errors. */
static void make_references(const ny_system_rows *rows) {
    static double alpha[(N + 1) * MOST];
    memset(losses, 0, sizeof losses);
    double total = 0;
    for (int i = 0; i < N; i++) total += u[i] * u[i];
    for (int c = 0; c < VALUES; c++) {
        dense_machines(rows, C[c], -1, alphas[c]);
        for (int i = 0; i < N; i++) {
            dense_machines(rows, C[c], i, alpha);
            for (int64_t j = 0; j < rows->q; j++) {
                double f = alpha[N + j * (N + 1)];
                for (int k = 0; k < N; k++) f += K[i + k * N] * alpha[k + j * (N + 1)] / u[i];
                held_out[c][i + j * N] = f;
                losses[c][j] += u[i] * u[i] * (y[i + j * N] - f) * (y[i + j * N] - f) / total;
            }
        }
    }
}

static int at(double c) {
    int k = 0;
    while (C[k] != c) assert_true(++k < VALUES);
    return k;
}

/* |y - A alpha - b u| / |y - its share of u| (|y| where the bias is not free), and u'alpha = rho b. */
static double dense_residual(const ny_system_rows *rows, int64_t j, double c, const double *alpha, double b) {
    double rr = 0, yy = 0, uy = 0, uu = 0, ua = 0, aa = 0;
    for (int i = 0; i < N; i++) uy += u[i] * Y[i + j * N], uu += u[i] * u[i];
    for (int i = 0; i < N; i++) {
        double r = Y[i + j * N] - alpha[i] / c - b * u[i],
               centred = Y[i + j * N] - (rows->rho == 0 ? uy / uu * u[i] : 0);
        for (int k = 0; k < N; k++) r -= K[i + k * N] * alpha[k];
        rr += r * r;
        yy += centred * centred;
        ua += u[i] * alpha[i];
        aa += alpha[i] * alpha[i];
    }
    if (isfinite(rows->rho)) assert_true(fabs(ua - rows->rho * b) <= 1e-10 * sqrt(uu * aa));
    return sqrt(rr / yy);
}

/* ---- the members ------------------------------------------------------------------------------------------------- */

static void check_machine(way w, int64_t j, const ny_system_best *best) {
    const double *alpha = alphas[at(best->C[j])] + j * (N + 1), tol = w < FULL_RANK ? FACTOR : ITERATED;
    for (int i = 0; i < N; i++) assert_close(best->alpha[i + j * N], alpha[i], tol);
    assert_close(best->b[j], alpha[N], tol);
}

/* Row by row. Where the preconditioner has a low rank Q_ii is known only nearly, and the loss has to do. */
static void check_held(way w, int64_t j, const ny_system_best *best) {
    int c = at(best->C[j]);
    double sum = 0, total = 0, tol = w < FULL_RANK ? FACTOR : LEFT_OUT, noise = C[c] > 100 ? 0.25 : 0.02;
    for (int i = 0; i < N; i++) {
        double held = best->held[i + j * N], e = y[i + j * N] - held;
        if (w != LOW_RANK) assert_close(held, held_out[c][i + j * N], tol);
        sum += u[i] * u[i] * e * e;
        total += u[i] * u[i];
    }
    assert_close(best->loss[j], sum / total, 1e-12);
    assert_true(fabs(best->loss[j] / losses[c][j] - 1) < (w == LOW_RANK ? noise : tol));
}

static void each_C_by_itself(void **state) {
    (void)state;
    for (int k = 0; k < SCENARIOS; k++) {
        ny_system_rows rows = make_rows(&scenarios[k]);
        make_references(&rows);
        for (way w = 0; w < WAYS; w++) {
            ny_system system = make_system(w, &rows);
            for (int c = 0; c < VALUES; c++) {
                ny_system_best best;
                ny_system_list list = {.count = 1, .C = &C[c], .leave_out = true};
                double value, sum = 0, worst = 0;
                must(ctx, ny_system_best_new(ctx, &rows, true, &best));
                must(ctx, ny_system_solve(ctx, &system, &list, &best, &value));
                for (int64_t j = 0; j < rows.q; j++) {
                    double r = dense_residual(&rows, j, C[c], best.alpha + j * N, best.b[j]);
                    assert_true(best.C[j] == C[c] && r < 1e-11);
                    worst = fmax(worst, r);
                    check_machine(w, j, &best);
                    check_held(w, j, &best);
                    sum += best.loss[j];
                }
                assert_close(value, sum / (double)rows.q, 1e-12);
                assert_int_equal(system.report.iterations > 0, w >= FULL_RANK);
                double rounding = 1e-13 * (1 + ny_bias_kernel(rows.rho)); /* of values that are larger by so much */
                if (w >= FULL_RANK) assert_true(fabs(system.report.residual - worst) < rounding);
                ny_system_best_clear(&best);
            }
            ny_system_clear(&system);
        }
    }
}

/* Of a list each output keeps its best C; a list in two parts finds the same, and so do two threads. */
static void the_best_of_a_list(void **state) {
    (void)state;
    bool differ = false;
    for (int k = 0; k < SCENARIOS; k++) {
        ny_system_rows rows = make_rows(&scenarios[k]);
        make_references(&rows);
        for (way w = 0; w <= FULL_RANK; w++)
            for (int parts = 1; parts <= 2; parts++) {
                ny_crew_before before = ny_crew_begin(parts);
                ny_system system = make_system(w, &rows);
                ny_system_best best;
                double value[VALUES];
                must(ctx, ny_system_best_new(ctx, &rows, true, &best));
                for (int part = 0; part < parts; part++) {
                    int64_t first = part ? VALUES - 1 : 0, end = part == parts - 1 ? VALUES : VALUES - 1;
                    ny_system_list list = {.count = end - first, .C = C + first, .leave_out = true};
                    must(ctx, ny_system_solve(ctx, &system, &list, &best, value + first));
                }
                for (int64_t j = 0; j < rows.q; j++) {
                    int least = 0;
                    for (int c = 1; c < VALUES; c++)
                        if (losses[c][j] < losses[least][j]) least = c;
                    assert_true(best.C[j] == C[least]);
                    differ |= best.C[j] != best.C[0];
                    check_machine(w, j, &best);
                    check_held(w, j, &best);
                }
                for (int c = 0; c < VALUES; c++) {
                    double sum = 0;
                    for (int64_t j = 0; j < rows.q; j++) sum += losses[c][j] / (double)rows.q;
                    assert_close(value[c], sum, LEFT_OUT);
                }
                ny_system_best_clear(&best);
                ny_system_clear(&system);
                ny_crew_end(before);
            }
    }
    assert_true(differ); /* else outputs could not have been mixed up */
}

/* Each output at a C of its own, with leave-one-out and without. */
static void each_output_at_its_own_C(void **state) {
    (void)state;
    const double own[MOST] = {4, 0.2, 4};
    double different[MOST];
    assert_int_equal(ny_system_values(MOST, own, different), 2);
    assert_true(different[0] == 4 && different[1] == 0.2);
    for (int k = 0; k < SCENARIOS; k++) {
        ny_system_rows rows = make_rows(&scenarios[k]);
        make_references(&rows);
        int64_t count = ny_system_values(rows.q, own, different);
        for (way w = 0; w < WAYS; w++)
            for (int leave = 0; leave < 2; leave++) {
                ny_system system = make_system(w, &rows);
                ny_system_best best;
                ny_system_list list = {.count = count, .C = different, .own = own, .leave_out = leave};
                must(ctx, ny_system_best_new(ctx, &rows, leave, &best));
                must(ctx, ny_system_solve(ctx, &system, &list, &best, NULL));
                for (int64_t j = 0; j < rows.q; j++) {
                    assert_true(best.C[j] == own[j]);
                    check_machine(w, j, &best);
                    if (leave) check_held(w, j, &best);
                }
                ny_system_best_clear(&best);
                ny_system_clear(&system);
            }
    }
}

/* A matrix that is not positive definite has no machine; it is an error where that machine and no other was wanted. */
static void not_positive_definite(void **state) {
    (void)state;
    const scenario s = {0, false, false, 1};
    ny_system_rows rows = make_rows(&s);
    ny_system_best best;
    double value = 0;
    K[0] = -9;
    ny_system system = make_system(OF_MATRIX, &rows);
    ny_system_list list = {.count = 1, .C = &C[1], .leave_out = true};
    must(ctx, ny_system_best_new(ctx, &rows, true, &best));
    must(ctx, ny_system_solve(ctx, &system, &list, &best, &value));
    assert_true(isinf(value) && isinf(best.loss[0]));
    list.leave_out = false;
    assert_int_equal(ny_system_solve(ctx, &system, &list, &best, NULL), NY_ERR_NUMERIC);
    assert_non_null(strstr(ny_message(ctx), "not positive definite at C = 150"));
    ny_system_best_clear(&best);
    ny_system_clear(&system);
}

/* Iterations that end too early leave nothing behind, and say so; with more of them there is a machine. */
static void not_converged(void **state) {
    (void)state;
    const scenario s = {0, true, false, 1};
    ny_system_rows rows = make_rows(&s);
    ny_system_iteration how = {&kernel, &points, 5, ny_system_columns(N, VALUES, VALUES), NY_KEEP_NOTHING, 3, id};
    for (int64_t most = 2; most <= 200; most += 198) {
        ny_system_goals goals = {.tol = 1e-10, .good = 1e-6, .share = 0.1, .signs_tol = 1e-4, .iterations = most};
        ny_system system;
        ny_system_best best;
        double value[VALUES];
        ny_system_list list = {.count = VALUES, .C = C, .leave_out = true};
        must(ctx, ny_system_best_new(ctx, &rows, true, &best));
        must(ctx, ny_system_iterated(ctx, &rows, &how, &goals, &system));
        must(ctx, ny_system_solve(ctx, &system, &list, &best, value));
        assert_int_equal(system.report.left <= goals.tol, most == 200);
        assert_true(isfinite(best.loss[0]) == (most == 200) && isnan(value[1]) == (most == 2));
        ny_system_best_clear(&best);
        ny_system_clear(&system);
    }
}

static void stops(void **state) {
    (void)state;
    const scenario s = {0, false, false, 1};
    for (way w = 0; w < WAYS; w++) {
        ny_system_rows rows = make_rows(&s);
        ny_ctx *stopped = ny_ctx_new();
        ny_system_best best;
        ny_system system = make_system(w, &rows);
        ny_system_list list = {.count = VALUES, .C = C, .leave_out = true};
        must(ctx, ny_system_best_new(ctx, &rows, true, &best));
        ny_cancel(stopped);
        assert_int_equal(ny_system_solve(stopped, &system, &list, &best, NULL), NY_STOPPED);
        assert_true(isinf(best.loss[0]));
        ny_system_best_clear(&best);
        ny_system_clear(&system);
        ny_ctx_free(stopped);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_C_by_itself),
        cmocka_unit_test(the_best_of_a_list),
        cmocka_unit_test(each_output_at_its_own_C),
        cmocka_unit_test(not_positive_definite),
        cmocka_unit_test(not_converged),
        cmocka_unit_test(stops),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}

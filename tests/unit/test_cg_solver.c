/* test_cg_solver.c: conjugate gradients with the kernel in tiles, and those products, against dense matrices written
 * here anew; dense and sparse points. */
#include "with_ctx.h"

#include <math.h>

#include "base/threads.h"
#include "kernel/product.h"
#include "solver/cg.h"

enum { N = 131, D = 3, COLUMNS = 3 }; /* N is no multiple of the tiles' 32 */

static const double SIGMA = 1.5, C[COLUMNS] = {2, 500, 2};
static double X[N * D], u[N], B[N * COLUMNS], left[COLUMNS];

static void make_points(void) {
    ny_rng rng = ny_rng_make(22, NY_RNG_TEST, 0);
    for (int i = 0; i < N * D; i++) X[i] = ny_rng_normal(&rng);
    for (int i = 0; i < N; i++) {
        u[i] = 0.5 + ny_rng_uniform(&rng);
        for (int c = 0; c < COLUMNS; c++) B[i + c * N] = c ? u[i] * cos(3 * i + c) : u[i];
    }
}

static double rbf(int a, int b) {
    double d2 = 0;
    for (int j = 0; j < D; j++) d2 += (X[j + a * D] - X[j + b * D]) * (X[j + a * D] - X[j + b * D]);
    return exp(-d2 / (2 * SIGMA * SIGMA));
}

static ny_matrix dense_rows(void) {
    return (ny_matrix){.d = D, .n = N, .x = X};
}

/* The same points as sparse ones, every third value missing. */
static ny_matrix sparse_rows(void) {
    static int64_t ptr[N + 1];
    static int32_t idx[N * D];
    static double val[N * D];
    int64_t at = 0;
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < D; j++) {
            if ((i + j) % 3 == 0) X[j + i * D] = 0;
            if (X[j + i * D] == 0) continue;
            idx[at] = j;
            val[at++] = X[j + i * D];
        }
        ptr[i + 1] = at;
    }
    return (ny_matrix){.d = D, .n = N, .ptr = ptr, .idx = idx, .val = val};
}

static ny_preconditioner P;
static ny_kernel_product K;

static void clear(void) {
    ny_precondition_clear(&P);
    ny_kernel_product_clear(&K);
}

static ny_cg problem_of(const ny_kernel_params *kernel, const ny_matrix *rows, int64_t rank, ny_keep keep) {
    clear();
    ny_precondition_spec low_rank = {kernel, rows, u, INFINITY, rank, COLUMNS, 5};
    must(ctx, ny_precondition_make(ctx, &low_rank, &P));
    must(ctx, ny_precondition_for(ctx, &P, COLUMNS, C));
    must(ctx, ny_kernel_product_make(ctx, kernel, rows, COLUMNS, keep, &K));
    return (ny_cg){.K = &K,
                   .u = u,
                   .rho = INFINITY,
                   .columns = COLUMNS,
                   .B = B,
                   .C = C,
                   .P = &P,
                   .tol = 1e-11,
                   .share = INFINITY,
                   .iterations = 1000,
                   .good = 1e-3};
}

/* A = D K D + I/C_c */
static void dense_system(int c, double *A) {
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) A[i + j * N] = u[i] * u[j] * rbf(i, j) + (i == j ? 1 / C[c] : 0);
}

static double dense_residual(const double *x) {
    static double A[N * N];
    double worst = 0;
    for (int c = 0; c < COLUMNS; c++) {
        double rr = 0, bb = 0;
        dense_system(c, A);
        for (int i = 0; i < N; i++) {
            double r = B[i + c * N];
            for (int j = 0; j < N; j++) r -= A[i + j * N] * x[j + c * N];
            rr += r * r;
            bb += B[i + c * N] * B[i + c * N];
        }
        worst = fmax(worst, sqrt(rr / bb));
    }
    return worst;
}

static void solutions_and_residuals(void **state) {
    (void)state;
    static double x[N * COLUMNS], A[N * N], y[N];
    make_points();
    for (int way = 0; way < 3; way++) { /* dense and kept, dense, sparse */
        ny_matrix rows = way == 2 ? sparse_rows() : dense_rows();
        ny_kernel_params kernel = {.kernel = ny_kernel_find("rbf"), .bandwidth = SIGMA, .tile = 32};
        ny_cg problem = problem_of(&kernel, &rows, 10, way == 0 ? NY_KEEP_DOUBLE : NY_KEEP_NOTHING);
        ny_cg_report report;
        must(ctx, ny_cg_solve(ctx, &problem, x, left, &report));
        assert_true(report.residual <= 1e-11 && !report.stopped && P.f.r == 10);
        assert_true(dense_residual(x) <= 1.1e-11);
        for (int c = 0; c < COLUMNS; c++) {
            dense_system(c, A);
            memcpy(y, B + c * N, sizeof y);
            dense_solve(N, 1, A, y);
            for (int i = 0; i < N; i++) assert_close(x[i + c * N], y[i], 1e-8);
        }
        for (int64_t most = 1; most <= 9; most += 4) { /* cut short: the residual is that of what came out */
            problem.iterations = most;
            must(ctx, ny_cg_solve(ctx, &problem, x, left, &report));
            assert_int_equal(report.iterations, most);
            assert_true(report.residual > 1e-11);
            assert_true(fabs(dense_residual(x) / report.residual - 1) < 1e-6);
        }
    }
    clear();
}

/* With the matrix in single precision the solutions are good to what that carries; the last columns need less. */
static void single_precision(void **state) {
    (void)state;
    static double x[N * COLUMNS];
    make_points();
    ny_matrix rows = dense_rows();
    ny_kernel_params kernel = {.kernel = ny_kernel_find("rbf"), .bandwidth = SIGMA, .tile = 32};
    ny_cg problem = problem_of(&kernel, &rows, 10, NY_KEEP_FLOAT);
    ny_cg_report report, loose;
    problem.tol = 1e-3;
    must(ctx, ny_cg_solve(ctx, &problem, x, left, &report));
    assert_true(report.residual <= 1e-3 && dense_residual(x) < 1.1e-3);
    problem.loose = COLUMNS - 1;
    problem.loose_tol = 0.5;
    must(ctx, ny_cg_solve(ctx, &problem, x, left, &loose));
    assert_true(loose.residual <= 1e-3 && loose.iterations < report.iterations && dense_residual(x) > 1e-3);
    problem.loose = 0;
    problem.single = true; /* products in single precision too: the residual is still the true one */
    must(ctx, ny_cg_solve(ctx, &problem, x, left, &report));
    assert_true(report.residual <= 1e-3 && fabs(dense_residual(x) - report.residual) < 1e-4); /* K is rounded, too */
    clear();
}

/* In haste it ends where the iterations will not do, with the true residual; and goes on where they will. */
static void haste(void **state) {
    (void)state;
    static double x[N * COLUMNS];
    make_points();
    ny_matrix rows = dense_rows();
    ny_kernel_params kernel = {.kernel = ny_kernel_find("rbf"), .bandwidth = SIGMA};
    ny_cg problem = problem_of(&kernel, &rows, 1, NY_KEEP_NOTHING);
    ny_cg_report whole, report;
    must(ctx, ny_cg_solve(ctx, &problem, x, left, &whole));
    problem.hasty = true;
    problem.iterations = whole.iterations;
    must(ctx, ny_cg_solve(ctx, &problem, x, left, &report));
    assert_true(report.residual <= problem.tol);
    problem.tol = 1e-300; /* never */
    problem.iterations = 60;
    must(ctx, ny_cg_solve(ctx, &problem, x, left, &report));
    assert_true(report.iterations == 21 && !report.stopped);
    assert_true(fabs(dense_residual(x) / report.residual - 1) < 1e-6);
    clear();
}

/* A x + b u = y, u'x = 0 against the bordered system, and the diagonal of its inverse from a preconditioner of full
 * rank. */
static void with_a_bias(void **state) {
    (void)state;
    static double x[N * COLUMNS], A[N * N], S[(N + 1) * (N + 1)], y[N + 1], diagonal[N];
    make_points();
    ny_matrix rows = dense_rows();
    ny_kernel_params kernel = {.kernel = ny_kernel_find("rbf"), .bandwidth = SIGMA, .tile = 32};
    for (int full = 0; full < 2; full++) {
        clear();
        ny_precondition_spec low_rank = {&kernel, &rows, u, 0, full ? N : 10, COLUMNS, 5};
        must(ctx, ny_precondition_make(ctx, &low_rank, &P));
        must(ctx, ny_precondition_for(ctx, &P, COLUMNS, C));
        must(ctx, ny_kernel_product_make(ctx, &kernel, &rows, COLUMNS, NY_KEEP_DOUBLE, &K));
        ny_cg problem = {.K = &K,
                         .u = u,
                         .rho = 0,
                         .columns = COLUMNS,
                         .B = B,
                         .C = C,
                         .P = &P,
                         .tol = 1e-11,
                         .share = 0.1,
                         .iterations = 1000,
                         .good = 1e-3};
        ny_cg_report report;
        must(ctx, ny_cg_solve(ctx, &problem, x, left, &report));
        assert_true(report.left <= 1e-11 && report.residual <= 1e-11);
        for (int c = 0; c < 2; c++) {
            dense_system(c, A);
            must(ctx, ny_precondition_diagonal(ctx, &P, C[c], false, diagonal));
            for (int column = -1; column < N; column += 26) { /* the right side, then units */
                memset(S, 0, sizeof S);
                for (int j = 0; j < N; j++) {
                    for (int i = 0; i < N; i++) S[i + j * (N + 1)] = A[i + j * N];
                    S[N + j * (N + 1)] = S[j + N * (N + 1)] = u[j];
                    y[j] = column < 0 ? B[j + c * N] : j == column;
                }
                y[N] = 0;
                dense_solve(N + 1, 1, S, y);
                for (int i = 0; i < N && column < 0; i++) assert_close(x[i + c * N], y[i], 1e-8);
                if (full && column >= 0) assert_close(diagonal[column], y[column], 1e-8);
            }
        }
    }
    for (int i = 0; i < N; i++) assert_true(fabs(x[i]) < 1e-9); /* the first right side is u: all bias */
    clear();
}

/* The goal knows C: r is small beside the training errors x / C as well. */
static void goal_of_large_C(void **state) {
    (void)state;
    static double x[N * COLUMNS];
    static const double large[COLUMNS] = {1e7, 1e7, 1e7};
    make_points();
    for (int i = 0; i < N; i++) B[i + N] = u[i] * sin(X[i * D]); /* smooth: next to no training errors */
    ny_matrix rows = dense_rows();
    ny_kernel_params kernel = {.kernel = ny_kernel_find("rbf"), .bandwidth = 3};
    for (int aware = 0; aware < 2; aware++) {
        ny_cg problem = problem_of(&kernel, &rows, 10, NY_KEEP_DOUBLE);
        ny_cg_report report;
        must(ctx, ny_precondition_for(ctx, &P, 1, large));
        problem.C = large, problem.tol = 1e-2, problem.share = aware ? 0.1 : INFINITY;
        must(ctx, ny_cg_solve(ctx, &problem, x, left, &report));
        double r = 0, errors = 0;
        for (int i = 0; i < N; i++) {
            double rest = B[i + N] - x[i + N] / 1e7;
            for (int j = 0; j < N; j++) {
                double d2 = 0;
                for (int k = 0; k < D; k++) d2 += pow(X[k + i * D] - X[k + j * D], 2);
                rest -= u[i] * u[j] * exp(-d2 / 18) * x[j + N];
            }
            r += rest * rest, errors += x[i + N] * x[i + N] / 1e14;
        }
        assert_true((sqrt(r / errors) <= 0.11) == aware);
    }
    clear();
}

/* The diagonal of (G'G + I/C)^-1 for both C, against columns of it. */
static void diagonal_of_the_preconditioner(void **state) {
    (void)state;
    static double diagonal[N], single[N], unit[N], z[N];
    make_points();
    ny_matrix rows = dense_rows();
    ny_kernel_params kernel = {.kernel = ny_kernel_find("rbf"), .bandwidth = SIGMA};
    problem_of(&kernel, &rows, 20, NY_KEEP_NOTHING);
    for (int c = 0; c < 2; c++) {
        must(ctx, ny_precondition_diagonal(ctx, &P, C[c], false, diagonal));
        must(ctx, ny_precondition_diagonal(ctx, &P, C[c], true, single));
        for (int i = 0; i < N; i += 13) {
            memset(unit, 0, sizeof unit);
            unit[i] = 1;
            ny_precondition(&P, 1, &C[c], unit, z);
            assert_close(diagonal[i], z[i], 1e-10);
            assert_true(fabs(single[i] - z[i]) <= 2e-6 * C[c] && single[i] > 0);
        }
    }
    clear();
}

/* A right side of zeros has the solution zero, and a good preconditioner saves iterations. */
static void preconditioner_helps(void **state) {
    (void)state;
    static double x[N * COLUMNS];
    ny_cg_report few, many;
    make_points();
    ny_matrix rows = dense_rows();
    ny_kernel_params kernel = {.kernel = ny_kernel_find("rbf"), .bandwidth = SIGMA};
    memset(B, 0, N * sizeof *B);
    ny_cg problem = problem_of(&kernel, &rows, 1, NY_KEEP_NOTHING);
    must(ctx, ny_cg_solve(ctx, &problem, x, left, &few));
    problem = problem_of(&kernel, &rows, N - 1, NY_KEEP_NOTHING);
    must(ctx, ny_cg_solve(ctx, &problem, x, left, &many));
    assert_true(3 * many.iterations < few.iterations);
    for (int i = 0; i < N; i++) assert_true(x[i] == 0);
    clear();
}

static void products_have_the_same_bits(void **state) {
    (void)state;
    static double out[3][N * COLUMNS], single[3][N * COLUMNS];
    make_points();
    int threads = ny_threads();
    for (int way = 0; way < 4; way++) { /* dense with each keep, sparse */
        ny_matrix rows = way == 3 ? sparse_rows() : dense_rows();
        for (int64_t tile = 7; tile <= 200; tile += 193) {
            ny_kernel_params kernel = {.kernel = ny_kernel_find("rbf"), .bandwidth = SIGMA, .tile = tile};
            for (int t = 0; t < 3; t++) {
                ny_threads_set(t + 1);
                must(ctx, ny_kernel_product_make(ctx, &kernel, &rows, COLUMNS, (ny_keep)(way % 3), &K));
                ny_kernel_product_run(&K, COLUMNS, B, out[t]);
                ny_kernel_product_single(&K, COLUMNS, B, single[t]);
                ny_kernel_product_clear(&K);
                assert_memory_equal(out[t], out[0], sizeof out[0]);
                assert_memory_equal(single[t], single[0], sizeof single[0]);
            }
            for (int c = 0; c < COLUMNS; c++)
                for (int i = 0; i < N; i++) {
                    double sum = 0;
                    for (int j = 0; j < N; j++) sum += rbf(i, j) * B[j + c * N];
                    assert_close(out[0][i + c * N], sum, way == NY_KEEP_FLOAT ? 1e-5 : 1e-12);
                    assert_close(single[0][i + c * N], sum, way == NY_KEEP_FLOAT ? 2e-5 : 1e-12);
                }
        }
    }
    ny_threads_set(threads);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(solutions_and_residuals),
        cmocka_unit_test(single_precision),
        cmocka_unit_test(with_a_bias),
        cmocka_unit_test(goal_of_large_C),
        cmocka_unit_test(diagonal_of_the_preconditioner),
        cmocka_unit_test(preconditioner_helps),
        cmocka_unit_test(products_have_the_same_bits),
        cmocka_unit_test(haste),
    };
    return cmocka_run_group_tests_name("conjugate gradients", tests, setup, teardown);
}

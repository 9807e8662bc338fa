/* test_landmark.c: what every landmark method and both forms of the factor must satisfy. */
#include "support.h"

#include <math.h>

#include "factor/factor.h"
#include "landmark/entropy.h"
#include "landmark/plugin.h"
#include "linalg/linalg.h"

enum { N = 300, D = 3 };

static void data(ny_ctx *ctx, ny_matrix *X) {
    ny_rng rng = ny_rng_make(5, NY_RNG_TEST, 1);
    must(ctx, ny_matrix_dense(ctx, D, N, X));
    for (int64_t i = 0; i < D * N; i++) X->x[i] = ny_rng_normal(&rng);
    memcpy(X->x + 10 * D, X->x, D * sizeof(double)); /* two equal rows */
}

static void kernel_of(ny_ctx *ctx, const ny_kernel_params *p, const ny_matrix *A, const ny_matrix *B, double *K) {
    ny_kernel_side a, b;
    must(ctx, ny_kernel_prepare(ctx, A, true, &a));
    must(ctx, ny_kernel_prepare(ctx, B, true, &b));
    ny_kernel_matrix(p, &a, &b, false, K, A->n);
    ny_kernel_release(&a);
    ny_kernel_release(&b);
}

/* Largest entry of |G'G - K_xz W^-1 K_zx|, the inverse by elimination. */
static double nystrom_gap(ny_ctx *ctx, const ny_kernel_params *p, const ny_matrix *X, const ny_factor *f) {
    int64_t m = f->m;
    double *W = calloc((size_t)(m * m), 8), *K = calloc((size_t)(m * N), 8), *V = calloc((size_t)(m * N), 8), gap = 0;
    kernel_of(ctx, p, &f->Z, &f->Z, W);
    kernel_of(ctx, p, &f->Z, X, K);
    memcpy(V, K, (size_t)(m * N) * 8);
    dense_solve(m, N, W, V);
    for (int64_t i = 0; i < N; i++)
        for (int64_t j = 0; j < N; j++) {
            double a = ny_dot(m, K + i * m, V + j * m), b = ny_dot(f->r, f->G + i * f->ldg, f->G + j * f->ldg);
            gap = fmax(gap, fabs(a - b));
        }
    free(W);
    free(K);
    free(V);
    return gap;
}

static void test_factor_is_the_nystrom_matrix(void **state) {
    (void)state;
    ny_ctx *ctx = ny_ctx_new();
    ny_matrix X = {0};
    data(ctx, &X);
    ny_kernel_params p = {&ny_kernel_matern32, 1.0, 1, 3, 0};
    for (int64_t k = 0; ny_landmark_at(k); k++)
        for (int form = 0; form < 2; form++) {
            ny_factor f;
            ny_factor_spec spec = {ny_landmark_at(k), NULL, NULL, 0, NULL, 40, form ? 1000 : 0, 1e-12, 3, 0, 0};
            must(ctx, ny_factor_make(ctx, &p, &X, &spec, &f));
            assert_int_equal(f.m, 40);
            for (int64_t a = 0; a < f.m; a++) /* distinct */
                for (int64_t b = 0; b < a; b++)
                    assert_memory_not_equal(f.Z.x + a * D, f.Z.x + b * D, D * sizeof(double));
            assert_true(nystrom_gap(ctx, &p, &X, &f) < 1e-9);
            double w[40], beta[40], *K = calloc(40 * N, 8); /* coefficients reproduce g'w */
            for (int i = 0; i < 40; i++) w[i] = sin(i + 1);
            ny_factor_coefficients(&f, 1, w, beta);
            kernel_of(ctx, &p, &f.Z, &X, K);
            for (int64_t i = 0; i < N; i++)
                assert_close(ny_dot(40, K + i * 40, beta), ny_dot(f.r, f.G + i * f.ldg, w), 1e-9);
            free(K);
            ny_factor_clear(&f);
        }
    ny_matrix_clear(&X);
    ny_ctx_free(ctx);
}

static void test_all_points_are_exact(void **state) {
    (void)state;
    ny_ctx *ctx = ny_ctx_new();
    ny_matrix X = {0};
    data(ctx, &X);
    ny_kernel_params p = {&ny_kernel_rbf, 1.0, 1, 3, 0};
    double *K = calloc(N * N, 8);
    kernel_of(ctx, &p, &X, &X, K);
    for (int form = 0; form < 2; form++) {
        ny_factor f;
        ny_factor_spec spec = {&ny_landmark_uniform, NULL, NULL, 0, NULL, N, form ? 1000 : 0, 1e-14, 3, 0, 0};
        must(ctx, ny_factor_make(ctx, &p, &X, &spec, &f));
        assert_true(f.r < N); /* one of the equal rows adds nothing */
        for (int64_t i = 0; i < N; i++)
            for (int64_t j = 0; j < N; j++)
                assert_close(ny_dot(f.r, f.G + i * f.ldg, f.G + j * f.ldg), K[i + j * N], 1e-10);
        ny_factor_clear(&f);
    }
    free(K);
    ny_matrix_clear(&X);
    ny_ctx_free(ctx);
}

/* The rank of a linear kernel is the number of inputs, however many landmarks are asked for. */
static void test_finite_rank_is_found(void **state) {
    (void)state;
    ny_ctx *ctx = ny_ctx_new();
    ny_matrix X = {0};
    data(ctx, &X);
    ny_kernel_params linear = {&ny_kernel_linear, 1, 1, 3, 0}, square = {&ny_kernel_poly, 1, 1, 2, 0};
    for (int64_t k = 0; ny_landmark_at(k); k++) {
        ny_factor f;
        ny_factor_spec spec = {ny_landmark_at(k), NULL, NULL, 0, NULL, 60, 0, 1e-10, 3, 0, 0};
        must(ctx, ny_factor_make(ctx, &linear, &X, &spec, &f));
        assert_int_equal(f.r, D);
        ny_factor_clear(&f);
        must(ctx, ny_factor_make(ctx, &square, &X, &spec, &f));
        assert_int_equal(f.r, (D + 1) * (D + 2) / 2);
        ny_factor_clear(&f);
    }
    ny_matrix_clear(&X);
    ny_ctx_free(ctx);
}

/* Over many seeds the first pivot of each row set must follow the law: with a diagonal kernel of two scales, pivots
 * are drawn in proportion to the residual. Rows 0..9 have k(x,x) = 9, rows 10..99 have 1 (linear kernel on disjoint
 * inputs), so the share of heavy rows among the first pivots is 90 / 180. */
static void test_rpcholesky_draws_by_residual(void **state) {
    (void)state;
    ny_ctx *ctx = ny_ctx_new();
    ny_matrix X = {0};
    ny_kernel_params linear = {&ny_kernel_linear, 1, 1, 3, 0};
    int heavy = 0;
    enum { POINTS = 100, RUNS = 600 };
    must(ctx, ny_matrix_dense(ctx, POINTS, POINTS, &X));
    memset(X.x, 0, POINTS * POINTS * 8);
    for (int i = 0; i < POINTS; i++) X.x[i + i * POINTS] = i < 10 ? 3 : 1;
    for (uint64_t seed = 0; seed < RUNS; seed++) {
        ny_kernel_side x;
        ny_landmarks l = {0};
        must(ctx, ny_kernel_prepare(ctx, &X, true, &x));
        ny_landmark_spec spec = {&linear, &x, NULL, 0, NULL, 1, 1e-12, seed, 0};
        must(ctx, ny_landmark_rpcholesky.choose(ctx, &spec, &l));
        for (int i = 0; i < 10; i++) heavy += l.Z.x[i] != 0;
        ny_landmarks_clear(&l);
        ny_kernel_release(&x);
    }
    assert_true(abs(heavy - RUNS / 2) < 4 * 0.5 * sqrt(RUNS)); /* four standard deviations */
    ny_matrix_clear(&X);
    ny_ctx_free(ctx);
}

/* What is drawn in one block is drawn one after the other: of two tight groups both have a landmark, though a group is
 * as likely as the other until one of its rows is in. */
static void test_rpcholesky_rejects_what_is_explained(void **state) {
    (void)state;
    enum { POINTS = 200, RUNS = 60 };
    ny_ctx *ctx = ny_ctx_new();
    ny_matrix X = {0};
    ny_kernel_params rbf = {&ny_kernel_rbf, 1, 1, 3, 0};
    ny_rng rng = ny_rng_make(6, NY_RNG_TEST, 2);
    must(ctx, ny_matrix_dense(ctx, 1, POINTS, &X));
    for (int i = 0; i < POINTS; i++) X.x[i] = (i % 2 ? 10 : -10) + 0.01 * ny_rng_normal(&rng);
    for (uint64_t seed = 0; seed < RUNS; seed++) {
        ny_kernel_side x;
        ny_landmarks l = {0};
        must(ctx, ny_kernel_prepare(ctx, &X, true, &x));
        ny_landmark_spec spec = {&rbf, &x, NULL, 0, NULL, 2, 1e-12, seed, 0};
        must(ctx, ny_landmark_rpcholesky.choose(ctx, &spec, &l));
        assert_int_equal(l.Z.n, 2);
        assert_true(l.Z.x[0] * l.Z.x[1] < 0);
        ny_landmarks_clear(&l);
        ny_kernel_release(&x);
    }
    ny_matrix_clear(&X);
    ny_ctx_free(ctx);
}

/* Greedy pivots by elimination: the row of the largest diagonal, of equal ones that of the least number, whose part is
 * then taken out of the whole matrix. */
static void greedy_rows(int64_t n, double *K, const int64_t *id, int64_t m, int64_t *rows) {
    for (int64_t k = 0; k < m; k++) {
        int64_t top = -1;
        for (int64_t i = 0; i < n; i++) {
            double gain = top < 0 ? 1 : K[i + i * n] - K[top + top * n];
            if (gain > 1e-13 || (fabs(gain) <= 1e-13 && id[i] < id[top])) top = i;
        }
        rows[k] = top;
        double pivot = K[top + top * n], *column = calloc((size_t)n, 8);
        memcpy(column, K + top * n, (size_t)n * 8);
        for (int64_t i = 0; i < n; i++)
            for (int64_t j = 0; j < n; j++) K[i + j * n] -= column[i] * column[j] / pivot;
        free(column);
    }
}

/* Rows in another order are the same rows in the same order of pivots, and the seed does not count. */
static void test_cholesky_takes_the_largest_pivot(void **state) {
    (void)state;
    enum { M = 30 };
    ny_ctx *ctx = ny_ctx_new();
    ny_matrix X = {0}, turned = {0};
    data(ctx, &X);
    static const ny_kernel *const kernels[] = {&ny_kernel_matern32, &ny_kernel_poly};
    int64_t rows[M], id[N], order[N];
    for (int64_t i = 0; i < N; i++) id[i] = (i * 7 + 3) % N, order[i] = N - 1 - i;
    must(ctx, ny_matrix_gather(ctx, &X, order, N, &turned));
    for (int k = 0; k < 2; k++) {
        ny_kernel_params p = {kernels[k], 1.0, 1, 5, 0};
        double *K = calloc(N * N, 8);
        kernel_of(ctx, &p, &X, &X, K);
        greedy_rows(N, K, id, M, rows);
        for (int way = 0; way < 2; way++) {
            int64_t number[N];
            ny_kernel_side x;
            ny_landmarks l = {0};
            for (int64_t i = 0; i < N; i++) number[i] = id[way ? order[i] : i];
            must(ctx, ny_kernel_prepare(ctx, way ? &turned : &X, true, &x));
            ny_landmark_spec spec = {&p, &x, NULL, 0, number, M, 1e-12, way ? 99 : 1, 0};
            must(ctx, ny_landmark_cholesky.choose(ctx, &spec, &l));
            assert_int_equal(l.Z.n, M);
            for (int64_t a = 0; a < M; a++) assert_memory_equal(l.Z.x + a * D, X.x + rows[a] * D, D * sizeof(double));
            ny_landmarks_clear(&l);
            ny_kernel_release(&x);
        }
        free(K);
    }
    ny_matrix_clear(&X);
    ny_matrix_clear(&turned);
    ny_ctx_free(ctx);
}

/* As many directions as n/m times the landmarks' kernel matrix has eigenvalues above the floor; of all rows: as many as
 * the kernel matrix has, and what is left out of its trace is the sum of the others. */
static void test_floor_counts_eigenvalues(void **state) {
    (void)state;
    enum { ROWS = 80 };
    ny_ctx *ctx = ny_ctx_new();
    ny_matrix all = {0}, X = {0};
    int64_t rows[ROWS];
    data(ctx, &all);
    for (int64_t i = 0; i < ROWS; i++) rows[i] = i;
    must(ctx, ny_matrix_gather(ctx, &all, rows, ROWS, &X));
    ny_kernel_params p = {&ny_kernel_rbf, 1.5, 1, 3, 0};
    static const int64_t landmarks[] = {30, ROWS};
    for (int k = 0; k < 2; k++) {
        double W[ROWS * ROWS], Q[ROWS * ROWS];
        int64_t m = landmarks[k];
        for (double floor = 1e-3; floor < 10; floor *= 9) {
            ny_factor f;
            ny_factor_spec spec = {&ny_landmark_uniform, NULL, NULL, 0, NULL, m, 0, 1e-12, 3, 0, floor};
            must(ctx, ny_factor_make(ctx, &p, &X, &spec, &f));
            assert_int_equal(f.m, m);
            if (floor == 1e-3) {
                kernel_of(ctx, &p, &f.Z, &f.Z, W);
                dense_eigen(m, W, Q);
            }
            double left = 0;
            int64_t above = 0;
            for (int64_t a = 0; a < m; a++) {
                double lambda = (double)ROWS / (double)m * W[a + a * m];
                above += lambda > floor;
                left += lambda > floor ? 0 : lambda;
            }
            assert_in_range(above, 1, m - (floor > 1e-2));
            assert_int_equal(f.r, above);
            if (m == ROWS) assert_close(f.missing, left, 1e-8);
            ny_factor_clear(&f);
        }
    }
    ny_factor f = {0};
    ny_factor_spec spec = {&ny_landmark_uniform, NULL, NULL, 0, NULL, 30, 0, 1e-12, 3, 0, 1e9};
    assert_int_equal(ny_factor_make(ctx, &p, &X, &spec, &f), NY_ERR_USAGE);
    assert_non_null(strstr(ny_message(ctx), "--rank-floor"));
    ny_matrix_clear(&X);
    ny_matrix_clear(&all);
    ny_ctx_free(ctx);
}

/* The largest directions of a factor are those of a factor that was asked for so many, weights and all. */
static void test_a_cut_is_the_smaller_factor(void **state) {
    (void)state;
    enum { M = 40, R = 9 };
    ny_ctx *ctx = ny_ctx_new();
    ny_matrix X = {0};
    data(ctx, &X);
    ny_kernel_params p = {&ny_kernel_rbf, 1.0, 1, 3, 0};
    static const ny_landmark_method *const method[] = {&ny_landmark_density, &ny_landmark_kmeans};
    for (int k = 0; k < 2; k++) {
        ny_factor all, few, cut;
        ny_factor_spec spec = {method[k], NULL, NULL, 0, NULL, M, 1000, 1e-12, 3, 0, 0}, less = spec;
        less.rank = R;
        must(ctx, ny_factor_make(ctx, &p, &X, &spec, &all));
        must(ctx, ny_factor_make(ctx, &p, &X, &less, &few));
        must(ctx, ny_factor_cut(ctx, &p, &X, &all, &less, &cut));
        assert_true(cut.r == R && few.r == R && cut.m == few.m && (cut.weight != NULL) == (few.weight != NULL));
        assert_memory_equal(cut.Z.x, few.Z.x, (size_t)(D * cut.m) * sizeof(double));
        if (few.weight) assert_memory_equal(cut.weight, few.weight, (size_t)cut.m * sizeof(double));
        for (int64_t i = 0; i < R * N; i++) assert_close(cut.G[i], few.G[i], 1e-12);
        assert_close(cut.kept, few.kept, 1e-12);
        ny_factor_clear(&all);
        ny_factor_clear(&few);
        ny_factor_clear(&cut);
    }
    ny_matrix_clear(&X);
    ny_ctx_free(ctx);
}

/* ---- entropy ----------------------------------------------------------------------------------------------------- */

/* sum_k sum_l exp(-sum_j ((x_kj - x_lj) / (h_j sqrt 2))^2 / 2) over the rows chosen: docs/math.md, eq. 22. */
static double entropy_sum(const ny_matrix *X, const double *h, int64_t m, const int64_t *rows) {
    double sum = 0;
    for (int64_t k = 0; k < m; k++)
        for (int64_t l = 0; l < m; l++) {
            double t = 0;
            for (int64_t j = 0; j < X->d; j++) {
                double u = (X->x[j + rows[k] * X->d] - X->x[j + rows[l] * X->d]) / (h[j] * sqrt(2));
                t += u * u;
            }
            sum += exp(-t / 2);
        }
    return sum;
}

static void check_distinct(int64_t n, int64_t m, const int64_t *rows) {
    char *seen = calloc((size_t)n, 1);
    for (int64_t k = 0; k < m; k++) {
        assert_true(rows[k] >= 0 && rows[k] < n);
        assert_false(seen[rows[k]]);
        seen[rows[k]] = 1;
    }
    free(seen);
}

/* d normal inputs far from the origin and of unequal scale, each with its own. */
static void uneven(ny_ctx *ctx, int64_t d, int64_t n, ny_matrix *X) {
    ny_rng rng = ny_rng_make(6, NY_RNG_TEST, 2);
    must(ctx, ny_matrix_dense(ctx, d, n, X));
    for (int64_t i = 0; i < d * n; i++) X->x[i] = 1e4 + pow(30, (double)(i % d)) * ny_rng_normal(&rng);
}

static void test_entropy_grows_and_is_what_it_says(void **state) {
    (void)state;
    ny_ctx *ctx = ny_ctx_new();
    for (int64_t d = 1; d <= 3; d++) {
        ny_matrix X = {0};
        double h[3];
        uneven(ctx, d, 1500, &X);
        must(ctx, ny_plugin_bandwidths(ctx, &X, h));
        for (int64_t m = 1; m <= 600; m = 5 * m + 60) {
            ny_entropy start, end, again, other;
            ny_entropy_spec spec = {&X, NULL, 0, m, 7, 0};
            must(ctx, ny_entropy_choose(ctx, &spec, &start));
            spec.tries = -1;
            must(ctx, ny_entropy_choose(ctx, &spec, &end));
            must(ctx, ny_entropy_choose(ctx, &spec, &again));
            spec.seed = 8;
            must(ctx, ny_entropy_choose(ctx, &spec, &other));
            assert_close(start.sum, entropy_sum(&X, h, m, start.rows), 1e-9);
            assert_close(end.sum, entropy_sum(&X, h, m, end.rows), 1e-9);
            assert_int_equal(start.tries, 0);
            assert_true(m == 1 ? end.sum == 1 : end.sum < start.sum && end.swaps > 0 && end.swaps < end.tries);
            check_distinct(X.n, m, end.rows);
            assert_memory_equal(end.rows, again.rows, (size_t)m * sizeof *end.rows);
            assert_memory_not_equal(end.rows, other.rows, (size_t)m * sizeof *end.rows);
            ny_entropy_clear(&start);
            ny_entropy_clear(&end);
            ny_entropy_clear(&again);
            ny_entropy_clear(&other);
        }
        ny_matrix_clear(&X);
    }
    ny_ctx_free(ctx);
}

/* 1000 rows of which 70%, 29.4%, none and 0.6% are of classes 0 .. 3; of 50 landmarks that is 34, 15, 0 and 1
 * (35, 14.7, 0, 0.3, and a class takes one at least). A swap stays in its class; a class whose rows are all landmarks
 * has nothing to swap. */
static void test_entropy_is_stratified(void **state) {
    (void)state;
    ny_ctx *ctx = ny_ctx_new();
    ny_matrix X = {0};
    int32_t code[1000];
    static const int64_t sizes[] = {50, 3, 1000, 996},
                         want[][4] = {{34, 15, 0, 1}, {1, 1, 0, 1}, {700, 294, 0, 6}, {697, 293, 0, 6}};
    uneven(ctx, 2, 1000, &X);
    for (int i = 0; i < 1000; i++) code[(i * 7) % 1000] = i < 700 ? 0 : i < 994 ? 1 : 3;
    for (int k = 0; k < 4; k++) {
        ny_entropy e;
        ny_entropy_spec spec = {&X, code, 4, sizes[k], 7, -1};
        must(ctx, ny_entropy_choose(ctx, &spec, &e));
        int64_t count[4] = {0};
        for (int64_t i = 0; i < sizes[k]; i++) count[code[e.rows[i]]]++;
        for (int c = 0; c < 4; c++) assert_true(llabs(count[c] - want[k][c]) <= (k == 3));
        check_distinct(1000, sizes[k], e.rows);
        assert_true(sizes[k] == 1000 ? e.tries == 0 : e.swaps > 0);
        ny_entropy_clear(&e);
    }
    ny_matrix_clear(&X);
    ny_ctx_free(ctx);
}

/* The same numbers sparse: the same rows. Columns of 10%, 60% and 100% not zero; then one of 100000 inputs. */
static void test_entropy_of_sparse_inputs(void **state) {
    (void)state;
    enum { ROWS = 800 };
    ny_ctx *ctx = ny_ctx_new();
    ny_matrix X = {0}, S = {.d = 3, .n = ROWS};
    ny_rng rng = ny_rng_make(9, NY_RNG_TEST, 3);
    must(ctx, ny_matrix_dense(ctx, 3, ROWS, &X));
    S.ptr = ny_alloc(ctx, ROWS + 1, sizeof *S.ptr);
    S.idx = ny_alloc(ctx, 3 * ROWS, sizeof *S.idx);
    S.val = ny_alloc(ctx, 3 * ROWS, sizeof *S.val);
    for (int64_t i = 0, e = 0; i < ROWS; i++) {
        for (int32_t j = 0; j < 3; j++) {
            if (i % 10 >= (j == 0 ? 1 : j == 1 ? 6 : 10)) continue;
            X.x[j + 3 * i] = S.val[e] = ny_rng_normal(&rng);
            S.idx[e++] = j;
        }
        S.ptr[i + 1] = e;
    }
    ny_entropy a, b;
    ny_entropy_spec dense = {&X, NULL, 0, 100, 4, -1}, sparse = {&S, NULL, 0, 100, 4, -1};
    must(ctx, ny_entropy_choose(ctx, &dense, &a));
    must(ctx, ny_entropy_choose(ctx, &sparse, &b));
    assert_memory_equal(a.rows, b.rows, 100 * sizeof *a.rows);
    assert_close(b.sum, a.sum, 1e-9);
    assert_true(a.swaps > 20);
    ny_entropy_clear(&b);
    S.d = 100000; /* 800 x 100000 dense numbers would be 640 MB */
    for (int64_t i = 0; i < S.ptr[ROWS]; i++) S.idx[i] = S.idx[i] * 40000 + 7;
    must(ctx, ny_entropy_choose(ctx, &sparse, &b));
    assert_memory_equal(a.rows, b.rows, 100 * sizeof *a.rows);
    ny_entropy_clear(&a);
    ny_entropy_clear(&b);
    ny_matrix_clear(&X);
    ny_matrix_clear(&S);
    ny_ctx_free(ctx);
}

/* Half a million rows; and a stop is obeyed. */
static void test_entropy_of_many_rows(void **state) {
    (void)state;
    enum { ROWS = 500000 };
    ny_ctx *ctx = ny_ctx_new();
    ny_matrix X = {0};
    double h[2];
    must(ctx, ny_matrix_dense(ctx, 2, ROWS, &X));
    for (int64_t i = 0; i < 2 * ROWS; i++) { /* the R sequence: spread evenly, cheap to make */
        double t = (double)(i / 2) * (i % 2 ? 0.7548776662466927 : 0.5698402909980532);
        X.x[i] = t - floor(t);
    }
    ny_entropy e;
    ny_entropy_spec spec = {&X, NULL, 0, 100, 1, -1};
    must(ctx, ny_entropy_choose(ctx, &spec, &e));
    must(ctx, ny_plugin_bandwidths(ctx, &X, h));
    assert_close(e.sum, entropy_sum(&X, h, 100, e.rows), 1e-9);
    assert_true(e.swaps > 0);
    check_distinct(ROWS, 100, e.rows);
    ny_entropy_clear(&e);
    ny_cancel(ctx);
    assert_int_equal(ny_entropy_choose(ctx, &spec, &e), NY_STOPPED);
    assert_null(e.rows);
    ny_matrix_clear(&X);
    ny_ctx_free(ctx);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_factor_is_the_nystrom_matrix),
        cmocka_unit_test(test_all_points_are_exact),
        cmocka_unit_test(test_finite_rank_is_found),
        cmocka_unit_test(test_rpcholesky_draws_by_residual),
        cmocka_unit_test(test_rpcholesky_rejects_what_is_explained),
        cmocka_unit_test(test_cholesky_takes_the_largest_pivot),
        cmocka_unit_test(test_floor_counts_eigenvalues),
        cmocka_unit_test(test_a_cut_is_the_smaller_factor),
        cmocka_unit_test(test_entropy_grows_and_is_what_it_says),
        cmocka_unit_test(test_entropy_is_stratified),
        cmocka_unit_test(test_entropy_of_sparse_inputs),
        cmocka_unit_test(test_entropy_of_many_rows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

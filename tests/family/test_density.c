/* test_density.c: landmarks with weights: what density says, and what the factor makes of it (docs/math.md, eq. 94). */
#include "with_ctx.h"

#include <math.h>

#include "factor/factor.h"
#include "linalg/linalg.h"
#include "model/record.h"

enum { N = 240, D = 2, M = 24, R = 6 };
static const ny_kernel_params rbf = {&ny_kernel_rbf, 1.5, 1, 3, 0};

/* Two clouds, one with five times as many rows as the other; every third value is zero. */
static void clouds(int64_t n, ny_matrix *X) {
    ny_rng rng = ny_rng_make(11, NY_RNG_TEST, 4);
    must(ctx, ny_matrix_dense(ctx, D, n, X));
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < D; j++)
            X->x[j + i * D] = (i + j) % 3 ? (i % 6 ? 0.5 : 2) * ny_rng_normal(&rng) + (i % 6 ? 0 : 3) : 0;
}

static void sparse_of(const ny_matrix *X, ny_matrix *S) {
    int64_t entries = 0;
    *S = (ny_matrix){.d = X->d, .n = X->n};
    S->ptr = ny_alloc(ctx, X->n + 1, sizeof *S->ptr);
    S->idx = ny_alloc(ctx, X->n * X->d, sizeof *S->idx);
    S->val = ny_alloc(ctx, X->n * X->d, sizeof *S->val);
    for (int64_t i = 0; i < X->n; i++) {
        for (int64_t j = 0; j < X->d; j++)
            if (X->x[j + i * X->d] != 0) S->idx[entries] = (int32_t)j, S->val[entries++] = X->x[j + i * X->d];
        S->ptr[i + 1] = entries;
    }
}

static void choose(const ny_landmark_method *method, const ny_matrix *X, int64_t m, uint64_t seed, ny_landmarks *l) {
    ny_kernel_side side;
    must(ctx, ny_kernel_prepare(ctx, X, true, &side));
    ny_landmark_spec spec = {&rbf, &side, NULL, 0, NULL, m, 1e-12, seed, 0};
    *l = (ny_landmarks){0};
    must(ctx, method->choose(ctx, &spec, l));
    ny_kernel_release(&side);
}

static double distance(const double *a, const double *b) {
    double sum = 0;
    for (int j = 0; j < D; j++) sum += (a[j] - b[j]) * (a[j] - b[j]);
    return sum;
}

static double kappa(const double *a, const double *b) {
    return exp(-distance(a, b) / (2 * rbf.bandwidth * rbf.bandwidth));
}

static void weights_count_the_nearest_rows(void **state) {
    (void)state;
    ny_matrix X, S;
    ny_landmarks l, same;
    double count[M] = {0};
    clouds(N, &X);
    choose(&ny_landmark_density, &X, M, 3, &l);
    for (int64_t i = 0; i < N; i++) {
        int64_t nearest = 0;
        for (int64_t k = 1; k < l.Z.n; k++)
            if (distance(X.x + i * D, l.Z.x + k * D) < distance(X.x + i * D, l.Z.x + nearest * D)) nearest = k;
        count[nearest]++;
    }
    for (int64_t k = 0; k < l.Z.n; k++) assert_true(l.weight[k] == count[k] && count[k] > 0);
    sparse_of(&X, &S);
    choose(&ny_landmark_density, &S, M, 3, &same);
    assert_int_equal(same.Z.n, l.Z.n);
    for (int64_t k = 0; k < l.Z.n; k++) {
        assert_true(same.weight[k] == l.weight[k]);
        for (int j = 0; j < D; j++) assert_close(same.Z.x[j + k * D], l.Z.x[j + k * D], 1e-12);
    }
    ny_matrix_clear(&X);
    ny_matrix_clear(&S);
    ny_landmarks_clear(&l);
    ny_landmarks_clear(&same);
}

/* 20 of 5000 rows for each centre are looked at; and of ten centres on four different rows at most four have rows. */
static void weights_are_of_the_sample(void **state) {
    (void)state;
    ny_matrix X;
    ny_landmarks l;
    double sum = 0;
    clouds(5000, &X);
    choose(&ny_landmark_density, &X, M, 3, &l);
    for (int64_t k = 0; k < l.Z.n; k++) sum += l.weight[k];
    assert_true(sum == 20 * M);
    ny_landmarks_clear(&l);
    for (int64_t i = 0; i < 5000; i++) X.x[i * D] = (double)(i % 4), X.x[1 + i * D] = 1;
    choose(&ny_landmark_density, &X, 10, 3, &l);
    assert_in_range(l.Z.n, 1, 4);
    for (int64_t k = 0; k < l.Z.n; k++) assert_true(l.weight[k] > 0);
    ny_landmarks_clear(&l);
    ny_matrix_clear(&X);
}

/* Q (n x n) = g_i'g_j for the `rank` largest eigenvalues of P^1/2 W P^1/2, by Jacobi's rotations. */
static void weighted_nystrom(const ny_matrix *X, const ny_landmarks *l, int64_t rank, double *Q) {
    int64_t m = l->Z.n, n = X->n;
    double *A = calloc((size_t)(m * m), 8), *U = calloc((size_t)(m * m), 8);
    for (int64_t a = 0; a < m; a++)
        for (int64_t b = 0; b < m; b++)
            A[a + b * m] = sqrt(l->weight[a] * l->weight[b]) * kappa(l->Z.x + a * D, l->Z.x + b * D);
    dense_eigen(m, A, U);
    memset(Q, 0, (size_t)(n * n) * 8);
    for (int64_t r = 0; r < rank; r++) {
        int64_t top = 0;
        double *g = calloc((size_t)n, 8);
        for (int64_t k = 1; k < m; k++)
            if (A[k + k * m] > A[top + top * m]) top = k;
        for (int64_t i = 0; i < n; i++)
            for (int64_t a = 0; a < m; a++)
                g[i] +=
                    U[a + top * m] * sqrt(l->weight[a]) * kappa(l->Z.x + a * D, X->x + i * D) / sqrt(A[top + top * m]);
        for (int64_t i = 0; i < n; i++)
            for (int64_t j = 0; j < n; j++) Q[i + j * n] += g[i] * g[j];
        A[top + top * m] = -1;
        free(g);
    }
    free(A);
    free(U);
}

static double gap(const ny_factor *f, const double *Q) {
    double most = 0;
    for (int64_t i = 0; i < N; i++)
        for (int64_t j = 0; j < N; j++)
            most = fmax(most, fabs(ny_dot(f->r, f->G + i * f->ldg, f->G + j * f->ldg) - Q[i + j * N]));
    return most;
}

/* Cut to R directions it is the weighted one and not the plain one; whole, both span the same. */
static void weights_matter_with_a_cut_only(void **state) {
    (void)state;
    ny_matrix X;
    ny_landmarks l, plain;
    ny_factor f;
    double *Q = calloc(N * N, 8), w[R], beta[M];
    clouds(N, &X);
    choose(&ny_landmark_density, &X, M, 3, &l);
    plain = (ny_landmarks){.Z = l.Z};
    ny_factor_spec spec = {&ny_landmark_density, NULL, NULL, 0, NULL, M, R, 1e-14, 3, 0, 0};
    weighted_nystrom(&X, &l, R, Q);
    must(ctx, ny_factor_make(ctx, &rbf, &X, &spec, &f)); /* the method's own */
    assert_int_equal(f.r, R);
    assert_true(gap(&f, Q) < 1e-10);
    for (int k = 0; k < R; k++) w[k] = cos(k);
    ny_factor_coefficients(&f, 1, w, beta);
    for (int64_t i = 0; i < N; i++) {
        double sum = 0;
        for (int64_t a = 0; a < l.Z.n; a++) sum += beta[a] * kappa(l.Z.x + a * D, X.x + i * D);
        assert_close(sum, ny_dot(R, f.G + i * f.ldg, w), 1e-10);
    }
    ny_factor_clear(&f);
    spec.given = &plain;
    must(ctx, ny_factor_make(ctx, &rbf, &X, &spec, &f));
    assert_true(gap(&f, Q) > 1e-3);
    ny_factor_clear(&f);
    spec.rank = 0;
    must(ctx, ny_factor_make(ctx, &rbf, &X, &spec, &f));
    for (int64_t i = 0; i < N; i++)
        for (int64_t j = 0; j < N; j++) Q[i + j * N] = ny_dot(f.r, f.G + i * f.ldg, f.G + j * f.ldg);
    ny_factor_clear(&f);
    spec.given = &l;
    must(ctx, ny_factor_make(ctx, &rbf, &X, &spec, &f));
    assert_non_null(f.T);
    assert_true(gap(&f, Q) < 1e-7);
    ny_factor_clear(&f);
    spec.tol = 0.01; /* of the sum: the share of the trace of P^1/2 W P^1/2, which is the sum of the weights */
    must(ctx, ny_factor_make(ctx, &rbf, &X, &spec, &f));
    assert_in_range(f.r, 2, M / 2);
    weighted_nystrom(&X, &l, f.r, Q);
    assert_true(gap(&f, Q) < 1e-10);
    int64_t share = f.r;
    ny_factor_clear(&f);
    spec.tol = 1e-14;
    spec.floor = 0.01 * N; /* the sum is N in eigenvalues of the kernel matrix of all rows: the same cut */
    must(ctx, ny_factor_make(ctx, &rbf, &X, &spec, &f));
    assert_int_equal(f.r, share);
    assert_true(gap(&f, Q) < 1e-10);
    ny_factor_clear(&f);
    free(Q);
    ny_landmarks_clear(&l);
    ny_matrix_clear(&X);
}

/* The `count` largest eigenvalues of an n x n matrix, which is lost; the largest first. */
static void largest_eigenvalues(int64_t n, double *A, int64_t count, double *lambda) {
    double *U = calloc((size_t)(n * n), 8);
    dense_eigen(n, A, U);
    for (int64_t r = 0; r < count; r++) {
        int64_t top = 0;
        for (int64_t k = 1; k < n; k++)
            if (A[k + k * n] > A[top + top * n]) top = k;
        lambda[r] = A[top + top * n];
        A[top + top * n] = -INFINITY;
    }
    free(U);
}

/* sum_k |lambda_k - N/m mu_k| over the R largest, mu of the landmarks' matrix (ny_factor_spectrum). */
static double spectrum_error(const ny_landmark_method *method, const ny_matrix *X, uint64_t seed, bool centred,
                             const double *lambda) {
    ny_factor f;
    double diag[M], off[M], A[M * M] = {0}, mu[R], sum = 0;
    ny_factor_spec spec = {method, NULL, NULL, 0, NULL, M, M, 1e-14, seed, 0, 0};
    must(ctx, ny_factor_make(ctx, &rbf, X, &spec, &f));
    must(ctx, ny_factor_spectrum(ctx, &f, &rbf, centred, diag, off));
    for (int64_t k = 0; k < f.m; k++) A[k + k * f.m] = diag[k];
    for (int64_t k = 0; k + 1 < f.m; k++) A[k + 1 + k * f.m] = A[k + (k + 1) * f.m] = off[k];
    largest_eigenvalues(f.m, A, R, mu);
    for (int r = 0; r < R; r++) sum += fabs(lambda[r] - (double)N / (double)f.m * mu[r]);
    ny_factor_clear(&f);
    return sum;
}

/* Eigenvalues of K, and of P K P with P = I - 11'/N, from 24 weighted centres and from 24 rows. */
static void weights_estimate_the_spectrum(void **state) {
    (void)state;
    ny_matrix X;
    double *K = calloc(N * N, 8), mean[N], lambda[R];
    clouds(N, &X);
    for (int centred = 0; centred < 2; centred++) {
        double all = 0, density = 0, uniform = 0;
        memset(mean, 0, sizeof mean);
        for (int64_t i = 0; i < N; i++)
            for (int64_t j = 0; centred && j < N; j++) mean[i] += kappa(X.x + i * D, X.x + j * D) / N;
        for (int64_t i = 0; i < N; i++) all += mean[i] / N;
        for (int64_t i = 0; i < N; i++)
            for (int64_t j = 0; j < N; j++) K[i + j * N] = kappa(X.x + i * D, X.x + j * D) - mean[i] - mean[j] + all;
        largest_eigenvalues(N, K, R, lambda);
        for (uint64_t seed = 1; seed <= 8; seed++) {
            density += spectrum_error(&ny_landmark_density, &X, seed, centred, lambda);
            uniform += spectrum_error(&ny_landmark_uniform, &X, seed, centred, lambda);
        }
        assert_true(density < 0.3 * uniform);
    }
    free(K);
    ny_matrix_clear(&X);
}

/* The share of the trace and the norm of K - K~ of a trained machine are those of the weighted approximation: the
 * weights have come along to the machine and to --bound. */
static void weights_reach_the_machine(void **state) {
    (void)state;
    ny_matrix X;
    ny_landmarks l;
    ny_data *data = NULL;
    double *Q = calloc(N * N, 8), y[N], trace = 0, lambda;
    clouds(N, &X);
    for (int64_t i = 0; i < N; i++) y[i] = sin(X.x[i * D]) + X.x[1 + i * D];
    must(ctx, ny_data_from_rows(ctx, N, D, X.x, y, &data));
    ny_model *model = train_with_options(
        ctx, data,
        make_options(ctx, "kernel", "rbf", "bandwidth", "1.5", "scale", "none", "landmarks", "24", "landmark-method",
                     "density", "rank", "6", "bound", "yes", "seed", "3", "task", "regression", NULL));
    choose(&ny_landmark_density, &X, M, 3, &l);
    weighted_nystrom(&X, &l, R, Q);
    for (int64_t i = 0; i < N; i++) trace += Q[i + i * N] / N;
    assert_close(model->record->origin.kernel_kept, trace, 1e-10);
    for (int64_t i = 0; i < N; i++)
        for (int64_t j = 0; j < N; j++) Q[i + j * N] = kappa(X.x + i * D, X.x + j * D) - Q[i + j * N];
    largest_eigenvalues(N, Q, 1, &lambda);
    assert_close(model->record->bound.kernel_error, lambda, 1e-8);
    ny_model_free(model);
    ny_data_free(data);
    free(Q);
    ny_landmarks_clear(&l);
    ny_matrix_clear(&X);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(weights_count_the_nearest_rows), cmocka_unit_test(weights_are_of_the_sample),
        cmocka_unit_test(weights_matter_with_a_cut_only), cmocka_unit_test(weights_estimate_the_spectrum),
        cmocka_unit_test(weights_reach_the_machine),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}

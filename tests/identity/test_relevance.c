/* test_relevance.c: the criterion that --ard follows is what a dense machine, written anew here, says; and its gradient
 * is the difference quotient. All kernels, biases of every kind, weights, several outputs, a shared scale. */
#include "support.h"

#include <math.h>

#include "search/relevance.h"

enum { N = 30, M = 11, D = 4, COLUMNS = 3, OUTPUTS = 2 };

static const int64_t column[D] = {0, 1, 1, 2}; /* inputs 1 and 2 come from one categorical column */
static const double jitter = 1e-8;

typedef struct {
    int64_t kernel;
    bool evidence;
    double rho; /* of the bias: 0: free, INFINITY: none */
    bool weights;
    int64_t q, m; /* outputs, landmarks */
} scenario;

static void make(ny_ctx *ctx, const scenario *s, ny_relevance *r) {
    ny_rng rng = ny_rng_make(5, NY_RNG_TEST, 9);
    *r = (ny_relevance){.kernel = {ny_kernel_at(s->kernel), 1.6, 0.7, 3, 0},
                        .evidence = s->evidence,
                        .rho = s->rho,
                        .columns = COLUMNS,
                        .column = column,
                        .q = s->q};
    must(ctx, ny_matrix_dense(ctx, D, N, &r->X));
    must(ctx, ny_matrix_dense(ctx, D, s->m, &r->Z));
    r->u = ny_alloc(ctx, N, sizeof *r->u);
    r->Y = ny_alloc(ctx, N * OUTPUTS, sizeof *r->Y);
    for (int i = 0; i < N; i++) {
        double *x = r->X.x + i * D;
        for (int j = 0; j < D; j++) x[j] = ny_rng_normal(&rng);
        r->u[i] = s->weights ? 0.5 + ny_rng_uniform(&rng) : 1;
        r->Y[i] = 2 + sin(x[0]) + 0.3 * x[1] * x[3] + 0.3 * ny_rng_normal(&rng);
        r->Y[i + N] = x[2] > 0 ? 1 : -1;
    }
    memcpy(r->Z.x, r->X.x, (size_t)(D * s->m) * sizeof *r->Z.x);
}

/* kappa of two points of scaled inputs, from the definitions in docs/math.md, eq. 1 - 6a. */
static double kappa(const ny_relevance *r, const double *scale, const double *x, const double *z) {
    const char *name = r->kernel.kernel->name;
    double dot = 0, square = 0, first = 0, sesqui = 0, sigma = r->kernel.bandwidth;
    for (int j = 0; j < D; j++) {
        double a = scale[column[j]] * x[j], b = scale[column[j]] * z[j];
        dot += a * b;
        square += (a - b) * (a - b);
        first += fabs(a - b) / sigma;
        sesqui += pow(fabs(a - b) / sigma, 1.5);
    }
    double t = sqrt(square) / sigma;
    if (strcmp(name, "rbf") == 0) return exp(-t * t / 2);
    if (strcmp(name, "linear") == 0) return dot;
    if (strcmp(name, "poly") == 0) return pow(dot / (sigma * sigma) + r->kernel.coef0, (double)r->kernel.degree);
    if (strcmp(name, "laplace") == 0) return exp(-t);
    if (strcmp(name, "matern32") == 0) return (1 + sqrt(3) * t) * exp(-sqrt(3) * t);
    if (strcmp(name, "matern52") == 0) return (1 + sqrt(5) * t + 5 * t * t / 3) * exp(-sqrt(5) * t);
    if (strcmp(name, "powexp1") == 0) return exp(-first);
    if (strcmp(name, "powexp15") == 0) return exp(-sesqui);
    fail_msg("write the definition of kernel %s here", name);
    return 0;
}

/* K~ = k(X,Z) (k(Z,Z) + jitter)^-1 k(Z,X), weighted; tau = tr(K - K~). */
static double low_rank(const ny_relevance *r, const double *scale, double *K) {
    static double W[N * N], B[N * N], A[N * N];
    int64_t m = r->Z.n;
    double mean = 0, tau = 0;
    for (int64_t j = 0; j < m; j++) mean += kappa(r, scale, r->Z.x + j * D, r->Z.x + j * D) / (double)m;
    for (int64_t j = 0; j < m; j++)
        for (int64_t i = 0; i < m; i++)
            W[i + j * m] = kappa(r, scale, r->Z.x + i * D, r->Z.x + j * D) + (i == j ? jitter * mean : 0);
    for (int i = 0; i < N; i++)
        for (int64_t j = 0; j < m; j++) A[j + i * m] = B[j + i * m] = kappa(r, scale, r->Z.x + j * D, r->X.x + i * D);
    dense_solve(m, N, W, B);
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            double sum = 0;
            for (int64_t k = 0; k < m; k++) sum += A[k + i * m] * B[k + j * m];
            K[i + j * N] = r->u[i] * r->u[j] * sum;
            if (i == j) tau += r->u[i] * r->u[i] * (kappa(r, scale, r->X.x + i * D, r->X.x + i * D) - sum);
        }
    return tau;
}

/* Minus the log evidence of y ~ N(0, (M K~ M + I/C) / mu) on the rows less the bias, at the best mu; tau is noise. */
static double dense_evidence(const ny_relevance *r, double *K, double tau, double asked) {
    static double E[N * N], V[N * N];
    double s = 0, value = 0, free = N - (r->rho == 0), C = 1 / (1 / asked + tau / free);
    for (int i = 0; i < N; i++) s += r->u[i] * r->u[i];
    for (int side = 0; side < 2 && r->rho == 0; side++) /* K M, then M K M */
        for (int i = 0; i < N; i++) {
            double sum = 0;
            for (int j = 0; j < N; j++) sum += r->u[j] * K[side ? j + i * N : i + j * N] / s;
            for (int j = 0; j < N; j++) K[side ? j + i * N : i + j * N] -= sum * r->u[j];
        }
    memcpy(E, K, sizeof E);
    dense_eigen(N, E, V);
    double logdet = r->rho == 0 ? log(C) : 0;
    for (int i = 0; i < N; i++) logdet += log(E[i + i * N] + 1 / C);
    for (int64_t j = 0; j < r->q; j++) {
        double Q = 0, y[N], mean = 0;
        for (int i = 0; i < N; i++) mean += r->rho == 0 ? r->u[i] * r->u[i] * r->Y[i + j * N] / s : 0;
        for (int i = 0; i < N; i++) y[i] = r->u[i] * (r->Y[i + j * N] - mean);
        for (int k = 0; k < N; k++) {
            double c = 0;
            for (int i = 0; i < N; i++) c += V[i + k * N] * y[i];
            Q += c * c / (E[k + k * N] + 1 / C);
        }
        value += 0.5 * (free * log(Q) + logdet);
    }
    return value;
}

/* N machines, each without one row. */
static double dense_loo(const ny_relevance *r, const double *K, double C) {
    double sum = 0, s = 0;
    for (int i = 0; i < N; i++) s += r->u[i] * r->u[i];
    for (int out = 0; out < N; out++) {
        static double A[(N + 1) * (N + 1)], B[(N + 1) * OUTPUTS];
        int rows[N], n = 0;
        for (int i = 0; i < N; i++)
            if (i != out) rows[n++] = i;
        int size = n + (r->rho == 0);
        memset(A, 0, sizeof A);
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++) A[i + j * size] = K[rows[i] + rows[j] * N] + (i == j ? 1 / C : 0);
            if (size > n) A[i + n * size] = A[n + i * size] = r->u[rows[i]];
            for (int64_t j = 0; j < r->q; j++) B[i + j * size] = r->u[rows[i]] * r->Y[rows[i] + j * N];
        }
        for (int64_t j = 0; j < r->q && size > n; j++) B[n + j * size] = 0;
        dense_solve(size, r->q, A, B);
        for (int64_t j = 0; j < r->q; j++) {
            double f = size > n ? r->u[out] * B[n + j * size] : 0;
            for (int i = 0; i < n; i++) f += K[out + rows[i] * N] * B[i + j * size];
            double e = r->u[out] * r->Y[out + j * N] - f;
            sum += e * e;
        }
    }
    return 0.5 * N * log(sum / (s * (double)r->q));
}

static void check(ny_ctx *ctx, const scenario *s) {
    static double K[N * N];
    double scale[COLUMNS] = {0.8, 1.3, 0.6}, C = 3, value, gradient[COLUMNS + 1], other[COLUMNS + 1];
    ny_relevance r;
    make(ctx, s, &r);
    must(ctx, ny_relevance_value(ctx, &r, scale, C, &value, gradient));
    double tau = low_rank(&r, scale, K);
    for (int i = 0; i < N * N && s->rho > 0; i++) K[i] += r.u[i % N] * r.u[i / N] / s->rho; /* part of the kernel */
    assert_close(value, s->evidence ? dense_evidence(&r, K, tau, C) : dense_loo(&r, K, C), 1e-7);
    for (int k = 0; k <= COLUMNS; k++) {
        const double h = 1e-4;
        double v[4], step[] = {2 * h, h, -h, -2 * h};
        for (int t = 0; t < 4; t++) {
            double moved[COLUMNS], moved_C = k == COLUMNS ? C * exp(step[t]) : C;
            memcpy(moved, scale, sizeof moved);
            if (k < COLUMNS) moved[k] *= exp(step[t]);
            must(ctx, ny_relevance_value(ctx, &r, moved, moved_C, &v[t], other));
        }
        double quotient = (8 * (v[1] - v[2]) - (v[0] - v[3])) / (12 * h);
        if (fabs(gradient[k] - quotient) > 1e-6 * (1 + fabs(quotient)))
            fail_msg("kernel %s, %s, rho %g, weights %d, %d outputs, %d landmarks: variable %d: %.12g, quotient %.12g",
                     r.kernel.kernel->name, s->evidence ? "evidence" : "loo", s->rho, s->weights, (int)s->q, (int)s->m,
                     k, gradient[k], quotient);
    }
    ny_relevance_clear(&r);
}

static void test_value_and_gradient(void **state) {
    (void)state;
    ny_ctx *ctx = ny_ctx_new();
    for (int64_t k = 0; ny_kernel_at(k); k++)
        for (int c = 0; c < 24; c++) {
            static const double rho[] = {INFINITY, 0, 0.4};
            scenario s = {k, c & 1, rho[c / 8], c & 2, c & 4 ? OUTPUTS : 1, M};
            check(ctx, &s);
        }
    ny_ctx_free(ctx);
}

/* Every row a landmark; landmarks that say the same (a linear kernel has no more than D); a dropped column. */
static void test_exact_and_redundant(void **state) {
    (void)state;
    ny_ctx *ctx = ny_ctx_new();
    for (int64_t k = 0; ny_kernel_at(k); k++)
        for (int c = 0; c < 4; c++) {
            ny_relevance r, less;
            scenario s = {k, c & 1, c & 2 ? 0 : INFINITY, true, 1, N};
            if (ny_kernel_bounded(ny_kernel_at(k))) check(ctx, &s);
            make(ctx, &s, &r);
            make(ctx, &s, &less);
            double scale[COLUMNS] = {0.8, 0, 0.6}, value, same, gradient[COLUMNS + 1];
            for (int i = 0; i < N; i++) less.X.x[1 + i * D] = less.X.x[2 + i * D] = 0;
            for (int i = 0; i < N; i++) less.Z.x[1 + i * D] = less.Z.x[2 + i * D] = 0;
            must(ctx, ny_relevance_value(ctx, &r, scale, 3, &value, gradient));
            assert_true(gradient[1] == 0);
            scale[1] = 5;
            must(ctx, ny_relevance_value(ctx, &less, scale, 3, &same, gradient));
            assert_close(value, same, 1e-12);
            assert_true(isfinite(value) && isfinite(gradient[0]));
            ny_relevance_clear(&r);
            ny_relevance_clear(&less);
        }
    ny_ctx_free(ctx);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_value_and_gradient),
        cmocka_unit_test(test_exact_and_redundant),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

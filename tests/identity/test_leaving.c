/* test_leaving.c: held-out outputs of machines of any loss against refits without the fold by an independent solver,
 * against the criteria of squared losses, and against the formula of Liu et al. 2018. */
#include "any_loss.h"

#include "model/record.h"

/* The set without the rows of fold f, 0 .. folds - 1. */
static void without_fold(const set *s, int64_t f, set *rest) {
    *rest = *s;
    rest->n = 0;
    for (int64_t i = 0; i < s->n; i++) {
        if (i >= s->start[f] && i < s->start[f + 1]) continue;
        rest->y[rest->n] = s->y[i];
        rest->v[rest->n] = s->v[i];
        memcpy(rest->G + rest->n++ * s->r, s->G + i * s->r, (size_t)s->r * sizeof *s->G);
    }
}

static void refit(const set *s, double C, double *F) {
    static set rest;
    double w[MOST], b, f[MOST] = {0};
    for (int64_t k = 0; k < s->folds; k++) {
        without_fold(s, k, &rest);
        descend(&rest, C, w, &b);
        outputs(s, w, b, f);
        for (int64_t i = s->start[k]; i < s->start[k + 1]; i++) F[i] = f[i];
    }
}

static void assert_same(int64_t n, const double *a, const double *b, double tol) {
    for (int64_t i = 0; i < n; i++) assert_close(a[i], b[i], tol);
}

/* One Newton step is the whole way for the squared loss: newton is cv, and loo of any loss is loo. */
static void test_squared(void **state) {
    (void)state;
    static const int64_t folds[] = {2, 5, 60};
    static set s;
    double F[2][MOST];
    for (int c = 0; c < 16; c++)
        for (int k = 0; k < 3; k++) {
            double C = c & 8 ? 40 : 0.7;
            make_rows(&s, ny_machine_find(c & 1 ? "lssvm" : "krr"), 60, 1, c & 2, 0);
            make_features(&s, c & 4 ? 60 : 12, 1);
            cut_folds(&s, folds[k]);
            refit(&s, C, F[0]);
            held_out(&ny_criterion_cv, NY_CLOSED_FORM, &s, C, F[1]);
            assert_same(s.n, F[1], F[0], 1e-8);
            held_out(&ny_criterion_newton, NY_ITERATIVE, &s, C, F[1]);
            assert_same(s.n, F[1], F[0], 1e-8);
            held_out(&ny_criterion_cv, NY_ITERATIVE, &s, C, F[1]);
            assert_same(s.n, F[1], F[0], 1e-8);
            if (folds[k] < s.n) continue;
            held_out(&ny_criterion_loo, NY_CLOSED_FORM, &s, C, F[1]);
            assert_same(s.n, F[1], F[0], 1e-8);
            held_out(&ny_criterion_loo, NY_ITERATIVE, &s, C, F[1]);
            assert_same(s.n, F[1], F[0], 1e-8);
        }
}

/* The first order of squared losses has two forms: by the moments of the folds, or by their rows where folds are many.
 */
static void test_squared_influence(void **state) {
    (void)state;
    static const int64_t folds[] = {2, 5, 60};
    static const int64_t odd[] = {0, 0, 1, 7, 7, 45, 60};
    static set s;
    double F[2][MOST];
    for (int c = 0; c < 16; c++)
        for (int k = 0; k < 4; k++) {
            double C = c & 8 ? 40 : 0.7;
            make_rows(&s, ny_machine_find(c & 1 ? "lssvm" : "krr"), 60, 1, c & 2, 0);
            make_features(&s, c & 4 ? 60 : 12, 1);
            if (k < 3) cut_folds(&s, folds[k]);
            else s.folds = 6, memcpy(s.start, odd, sizeof odd);
            held_out(&ny_criterion_bif, NY_ITERATIVE, &s, C, F[0]);
            held_out(&ny_criterion_bif, NY_CLOSED_FORM, &s, C, F[1]);
            assert_same(s.n, F[1], F[0], 1e-8);
        }
}

/* Folds need not be equal: one may be empty, another have most of the rows. */
static void test_odd_folds(void **state) {
    (void)state;
    static const int64_t start[] = {0, 0, 1, 7, 7, 45, 60};
    static set s;
    double F[2][MOST];
    for (int64_t k = 0; ny_machine_at(k); k++) {
        make_rows(&s, ny_machine_at(k), 60, 9, true, 0.2);
        make_features(&s, 12, 1);
        s.folds = 6;
        memcpy(s.start, start, sizeof start);
        refit(&s, 2, F[0]);
        held_out(&ny_criterion_cv, NY_ITERATIVE, &s, 2, F[1]);
        assert_same(s.n, F[1], F[0], 5e-6);
        held_out(&ny_criterion_newton, NY_ITERATIVE, &s, 2, F[1]);
        double mean = mean_loss(&s, F[0]);
        assert_true(fabs(mean_loss(&s, F[1]) - mean) < (s.loss.loss == &ny_loss_squared ? 1e-10 : 0.3) * mean);
    }
}

/* cv refits in earnest, whatever the loss. */
static void test_cv(void **state) {
    (void)state;
    static set s;
    double F[2][MOST];
    for (int64_t k = 0; ny_machine_at(k); k++)
        for (int c = 0; c < 8; c++) {
            double C = c & 1 ? 20 : 0.5;
            make_rows(&s, ny_machine_at(k), 60, 2, c & 2, 0.1);
            make_features(&s, c & 4 ? 60 : 12, 1);
            refit(&s, C, F[0]);
            held_out(&ny_criterion_cv, NY_ITERATIVE, &s, C, F[1]);
            assert_same(s.n, F[1], F[0], 5e-6); /* a gap of 1e-12 J */
        }
}

/* Where the machine fits every row, more C changes nothing, and what it says of rows left out must not go to 0. */
static void test_large_C(void **state) {
    (void)state;
    static set s;
    double F[2][MOST];
    for (int64_t k = 0; ny_machine_at(k); k++)
        for (double C = 1e2; C < 1e7; C *= 100) {
            make_rows(&s, ny_machine_at(k), 60, 4, false, 0.05);
            make_features(&s, 60, 0.3);
            held_out(&ny_criterion_cv, NY_ITERATIVE, &s, C, F[0]);
            held_out(&ny_criterion_newton, NY_ITERATIVE, &s, C, F[1]);
            assert_close(mean_loss(&s, F[1]) / mean_loss(&s, F[0]), 1, 0.05);
        }
}

/* Leave-one-out of smooth losses is close to refits, and exact for rows that no machine misses. */
static void test_loo(void **state) {
    (void)state;
    static set s;
    double F[2][MOST], w[MOST], b, f[MOST], value, first, second;
    for (int64_t k = 0; ny_machine_at(k); k++) {
        make_rows(&s, ny_machine_at(k), 60, 5, true, 0.3);
        make_features(&s, 12, 1);
        cut_folds(&s, s.n);
        refit(&s, 1, F[0]);
        held_out(&ny_criterion_loo, NY_ITERATIVE, &s, 1, F[1]);
        descend(&s, 1, w, &b);
        outputs(&s, w, b, f);
        for (int64_t i = 0; i < s.n; i++) {
            s.loss.loss->at(&s.loss, 1, &s.y[i], &f[i], &value, &first, &second);
            if (first == 0) assert_close(F[1][i], F[0][i], 1e-4);
        }
        double mean = mean_loss(&s, F[0]);
        assert_true(fabs(mean_loss(&s, F[1]) - mean) < 0.05 * mean);
    }
}

/* With K = G'G, no bias and equal weights (Liu et al. 2018, eq. 6 and section 3.3 with its sign corrected):
 *     L = 2 lambda I + K diag(loss'') / n,   B = L^-1 (-K_f loss'_f / m - 2 lambda f),   held = f + B / (1 - t),
 * lambda = 1 / (2 C n), t folds of m rows. */
static void test_influence(void **state) {
    (void)state;
    static set s;
    static double K[MOST * MOST], L[MOST * MOST];
    const char *const names[] = {"krr", "svm", "logistic", "l2svm"};
    for (int c = 0; c < 8; c++) {
        double C = c & 1 ? 10 : 0.5, w[MOST], b, f[MOST], d1[MOST], d2[MOST], value, B[MOST], F[MOST];
        make_rows(&s, ny_machine_find(names[c / 2]), 60, 3, false, 0.3);
        make_features(&s, 60, 1);
        s.bias = false;
        double n = (double)s.n, lambda = 1 / (2 * C * n), t = (double)s.folds, m = n / t;
        descend(&s, C, w, &b);
        outputs(&s, w, 0, f);
        held_out(&ny_criterion_bif, c / 2 ? NY_ITERATIVE : NY_CLOSED_FORM, &s, C, F);
        for (int64_t i = 0; i < s.n; i++) {
            s.loss.loss->at(&s.loss, 1, &s.y[i], &f[i], &value, &d1[i], &d2[i]);
            for (int64_t j = 0; j < s.n; j++)
                K[i + j * s.n] = rbf(s.X + i * INPUTS, s.X + j * INPUTS, 1) + constant_feature() * constant_feature();
        }
        for (int64_t k = 0; k < s.folds; k++) {
            for (int64_t i = 0; i < s.n; i++) {
                for (int64_t j = 0; j < s.n; j++)
                    L[i + j * s.n] = (i == j ? 2 * lambda : 0) + K[i + j * s.n] * d2[j] / n;
                B[i] = -2 * lambda * f[i];
                for (int64_t j = s.start[k]; j < s.start[k + 1]; j++) B[i] -= K[i + j * s.n] * d1[j] / m;
            }
            dense_solve(s.n, 1, L, B);
            for (int64_t i = s.start[k]; i < s.start[k + 1]; i++) assert_close(F[i], f[i] + B[i] / (1 - t), 1e-6);
        }
    }
}

/* The same with bias, weights and low rank, in w and b together; n and m are sums of weights:
 *     H step = (m (w, 0) + n sum_f s_i (g_i, 1)) / (n - m),   s = C v loss',   H = diag(I, 0) + sum C v loss'' (g,
 * 1)(g, 1)'
 */
static void test_influence_bias(void **state) {
    (void)state;
    static set s;
    for (int64_t j = 0; ny_machine_at(j); j++) {
        double H[13 * 13], step[13], w[13], b, f[MOST], F[MOST], value, d1[MOST], d2[MOST], n = 0;
        make_rows(&s, ny_machine_at(j), 60, 8, true, 0.3);
        make_features(&s, 12, 1);
        int64_t r = s.r, size = r + (s.bias ? 1 : 0);
        descend(&s, 2, w, &b);
        outputs(&s, w, b, f);
        held_out(&ny_criterion_bif, NY_ITERATIVE, &s, 2, F);
        for (int64_t i = 0; i < s.n; i++) {
            s.loss.loss->at(&s.loss, 1, &s.y[i], &f[i], &value, &d1[i], &d2[i]);
            n += s.v[i];
        }
        for (int64_t k = 0; k < s.folds; k++) {
            double m = 0;
            for (int64_t i = s.start[k]; i < s.start[k + 1]; i++) m += s.v[i];
            for (int64_t a = 0; a < size; a++) {
                step[a] = a < r ? m * w[a] / (n - m) : 0;
                for (int64_t c = 0; c < size; c++) H[a + c * size] = a == c && a < r ? 1 : 0;
            }
            for (int64_t i = 0; i < s.n; i++)
                for (int64_t a = 0; a < size; a++) {
                    double g = a < r ? s.G[a + i * r] : 1;
                    if (i >= s.start[k] && i < s.start[k + 1]) step[a] += n * 2 * s.v[i] * d1[i] * g / (n - m);
                    for (int64_t c = 0; c < size; c++)
                        H[a + c * size] += 2 * s.v[i] * d2[i] * g * (c < r ? s.G[c + i * r] : 1);
                }
            dense_solve(size, 1, H, step);
            for (int64_t i = s.start[k]; i < s.start[k + 1]; i++) {
                double held = f[i] + (s.bias ? step[r] : 0);
                for (int64_t a = 0; a < r; a++) held += s.G[a + i * r] * step[a];
                assert_close(F[i], held, 1e-5);
            }
        }
    }
}

/* holdout trains without the second fold and says nothing of the first: refits, whatever the loss. */
static void test_holdout(void **state) {
    (void)state;
    static const int64_t start[] = {0, 41, 60};
    static set s;
    double F[2][MOST];
    for (int64_t k = 0; ny_machine_at(k); k++)
        for (int c = 0; c < 8; c++) {
            bool squared = ny_machine_at(k)->loss == &ny_loss_squared;
            make_rows(&s, ny_machine_at(k), 60, 2, c & 1, 0.1);
            make_features(&s, c & 2 ? 60 : 12, 1);
            s.folds = 2;
            memcpy(s.start, start, sizeof start);
            refit(&s, c & 4 ? 20 : 0.5, F[0]);
            for (int closed = 0; closed <= squared; closed++) {
                held_out(&ny_criterion_holdout, closed ? NY_CLOSED_FORM : NY_ITERATIVE, &s, c & 4 ? 20 : 0.5, F[1]);
                assert_same(19, F[1] + 41, F[0] + 41, closed ? 1e-8 : 5e-6);
            }
        }
}

/* held_out by fbif with the true kernel at hand, from the final machine. */
static void held_out_exact(ny_criterion_kind kind, set *s, double sigma, double C, double *F) {
    ny_kernel_params kernel = {.kernel = &ny_kernel_rbf, .bandwidth = sigma};
    ny_matrix X = {.d = INPUTS, .n = s->n, .x = s->X};
    ny_judge judge;
    double w[MOST], b;
    ny_problem *P = problem_of(s);
    P->kernel = &kernel;
    P->X = &X;
    must(ctx, ny_judge_new(ctx, &ny_criterion_fbif, kind, P, 1, &judge));
    if (judge.exact) must(ctx, ny_path_solve(ctx, judge.exact, &C, w, &b));
    must(ctx, ny_judge_held(ctx, &judge, &(ny_C_list){1, false, &C}, F));
    ny_judge_clear(&judge);
}

/* fbif is bif where the low rank is the whole kernel, and where the true kernel is not known but by its low rank. */
static void test_exact_influence_ends(void **state) {
    (void)state;
    static set s;
    double F[2][MOST];
    for (int c = 0; c < 16; c++) {
        double C = c & 8 ? 30 : 0.7;
        make_rows(&s, ny_machine_find(c & 1 ? "lssvm" : "krr"), 60, 1, c & 2, 0);
        make_features(&s, c & 4 ? 60 : 12, 1);
        held_out(&ny_criterion_bif, NY_CLOSED_FORM, &s, C, F[0]);
        held_out(&ny_criterion_fbif, NY_CLOSED_FORM, &s, C, F[1]);
        assert_same(s.n, F[1], F[0], 1e-8);
        if (s.r < s.n) continue;
        held_out_exact(NY_CLOSED_FORM, &s, 1, C, F[1]);
        assert_same(s.n, F[1], F[0], 1e-6); /* 1e-12 on the diagonal of the test's own factor */
    }
}

/* Liu et al. 2018, eq. 11, with dense matrices: f = K (K + n lambda I)^-1 y, V V' the low-rank K,
 *     B = (I - V (n lambda I + V'V)^-1 V') / lambda (K_f (y - f)_f / m - lambda f),   held = f + B / (1 - t). */
static void test_exact_influence(void **state) {
    (void)state;
    static set s;
    static double K[MOST * MOST], L[MOST * MOST], M[MOST * MOST];
    for (int c = 0; c < 4; c++) {
        double C = c & 1 ? 10 : 0.5, f[MOST], a[MOST], x[MOST], B[MOST], F[MOST];
        int64_t n = 60, r = c & 2 ? 25 : 8;
        make_rows(&s, ny_machine_find("krr"), n, 3, false, 0);
        make_features(&s, r, 1);
        s.bias = false;
        double lambda = 1 / (C * (double)n), t = (double)s.folds, m = (double)n / t;
        held_out_exact(NY_CLOSED_FORM, &s, 1, C, F);
        for (int64_t i = 0; i < n; i++)
            for (int64_t j = 0; j < n; j++) K[i + j * n] = rbf(s.X + i * INPUTS, s.X + j * INPUTS, 1);
        memcpy(L, K, sizeof K);
        for (int64_t i = 0; i < n; i++) L[i + i * n] += (double)n * lambda, a[i] = s.y[i];
        dense_solve(n, 1, L, a);
        for (int64_t i = 0; i < n; i++) f[i] = s.y[i] - (double)n * lambda * a[i];
        for (int64_t k = 0; k < s.folds; k++) {
            for (int64_t i = 0; i < n; i++) {
                B[i] = -lambda * f[i];
                for (int64_t j = s.start[k]; j < s.start[k + 1]; j++) B[i] += K[i + j * n] * (s.y[j] - f[j]) / m;
            }
            for (int64_t i = 0; i < r; i++) {
                x[i] = 0;
                for (int64_t l = 0; l < n; l++) x[i] += s.G[i + l * r] * B[l];
                for (int64_t j = 0; j < r; j++) {
                    M[i + j * r] = i == j ? (double)n * lambda : 0;
                    for (int64_t l = 0; l < n; l++) M[i + j * r] += s.G[i + l * r] * s.G[j + l * r];
                }
            }
            dense_solve(r, 1, M, x);
            for (int64_t i = s.start[k]; i < s.start[k + 1]; i++) {
                double own = B[i];
                for (int64_t j = 0; j < r; j++) own -= s.G[j + i * r] * x[j];
                assert_close(F[i], f[i] + own / lambda / (1 - t), 1e-8);
            }
        }
    }
}

/* Of any loss, too, fbif is bif where the low rank is the whole kernel, and where that is all that is known of it. */
static void test_exact_newton_ends(void **state) {
    (void)state;
    static set s;
    double F[2][MOST];
    for (int64_t k = 0; ny_machine_at(k); k++)
        for (int c = 0; c < 4; c++) {
            make_rows(&s, ny_machine_at(k), 60, 8, c & 1, 0.3);
            make_features(&s, c & 2 ? 60 : 12, 1);
            held_out(&ny_criterion_bif, NY_ITERATIVE, &s, 2, F[0]);
            held_out(&ny_criterion_fbif, NY_ITERATIVE, &s, 2, F[1]);
            assert_same(s.n, F[1], F[0], 1e-7);
            if (s.r < s.n) continue;
            held_out_exact(NY_ITERATIVE, &s, 1, 2, F[1]);
            assert_same(s.n, F[1], F[0], 1e-4); /* both machines are as near to the minimum as a search has them */
        }
}

/* Liu et al. 2018, eq. 11, of the rounded hinge with dense matrices, no bias: the exact machine from a descent of our
 * own, L = 2 lambda I + V V' I0 / (2 h n),   B = L^-1 (-K_f V'_f / m - 2 lambda f),   held = f + B / (1 - t), and of
 * other losses with their V'' in place of I0 / 2h. C = 1/(2 n lambda). */
static void test_exact_newton(void **state) {
    (void)state;
    static set s, all;
    static double L[MOST * MOST];
    static const char *const machines[] = {"svm", "logistic", "l2svm", "huber"};
    for (int c = 0; c < 8; c++) {
        double C = c & 1 ? 10 : 0.5, f[MOST], B[MOST], F[MOST], w[MOST], b, value, d1[MOST], d2[MOST];
        int64_t n = 60;
        const ny_machine *machine = ny_machine_find(machines[c / 2]);
        make_rows(&s, machine, n, 3, false, 0.3);
        make_features(&s, 15, 1);
        make_rows(&all, machine, n, 3, false, 0.3);
        make_features(&all, n, 1);
        s.bias = all.bias = false;
        double lambda = 1 / (2 * C * (double)n), t = (double)s.folds, m = (double)n / t;
        descend(&all, C, w, &b);
        outputs(&all, w, b, f);
        held_out_exact(NY_ITERATIVE, &s, 1, C, F);
        for (int64_t i = 0; i < n; i++) all.loss.loss->at(&all.loss, 1, &all.y[i], &f[i], &value, &d1[i], &d2[i]);
        for (int64_t k = 0; k < s.folds; k++) {
            for (int64_t i = 0; i < n; i++) {
                B[i] = -2 * lambda * f[i];
                for (int64_t j = 0; j < n; j++) {
                    double low = 0;
                    for (int64_t a = 0; a < s.r; a++) low += s.G[a + i * s.r] * s.G[a + j * s.r];
                    L[i + j * n] = (i == j ? 2 * lambda : 0) + low * d2[j] / (double)n;
                    if (j < s.start[k] || j >= s.start[k + 1]) continue;
                    B[i] -= rbf(s.X + i * INPUTS, s.X + j * INPUTS, 1) * d1[j] / m;
                }
            }
            dense_solve(n, 1, L, B);
            for (int64_t i = s.start[k]; i < s.start[k + 1]; i++) assert_close(F[i], f[i] + B[i] / (1 - t), 1e-5);
        }
    }
}

/* Of any loss: bif where the true kernel is not known but by its low rank, the closed form where the loss is squared.
 */
static void test_exact_influence_of_any_loss(void **state) {
    (void)state;
    static set s;
    double F[2][MOST];
    for (int64_t k = 0; ny_machine_at(k); k++)
        for (int c = 0; c < 4; c++) {
            double C = c & 1 ? 10 : 0.7;
            make_rows(&s, ny_machine_at(k), 60, 5, c & 2, 0.3);
            make_features(&s, 12, 1);
            held_out(&ny_criterion_bif, NY_ITERATIVE, &s, C, F[0]);
            held_out(&ny_criterion_fbif, NY_ITERATIVE, &s, C, F[1]);
            assert_same(s.n, F[1], F[0], 1e-5);
            if (s.loss.loss != &ny_loss_squared) continue;
            held_out_exact(NY_CLOSED_FORM, &s, 1, C, F[0]);
            held_out_exact(NY_ITERATIVE, &s, 1, C, F[1]);
            assert_same(s.n, F[1], F[0], 1e-6);
        }
}

/* Eq. 11 of other losses, without bias, with weights: exact features g, low-rank features V, D = diag(C v loss''),
 *     b_j = g_j'(n sum_f C v_i loss'_i g_i + m w) / (n - m),     held = f + (I + V'V D)^-1 b
 * where the n x n matrix itself is inverted. */
static void test_exact_influence_of_corners(void **state) {
    (void)state;
    static set s, whole;
    static double M[MOST * MOST];
    const char *const names[] = {"svm", "l2svm", "logistic"};
    for (int c = 0; c < 6; c++) {
        double C = c & 1 ? 10 : 0.5, w[MOST], b, f[MOST], d1[MOST], d2[MOST], value, x[MOST], h[MOST], F[MOST], n = 0;
        make_rows(&s, ny_machine_find(names[c / 2]), 60, 3, true, 0.3);
        s.bias = false;
        whole = s;
        make_features(&s, 8, 1);
        make_features(&whole, 60, 1);
        descend(&whole, C, w, &b);
        outputs(&whole, w, 0, f);
        held_out_exact(NY_ITERATIVE, &s, 1, C, F);
        for (int64_t i = 0; i < s.n; i++) {
            s.loss.loss->at(&s.loss, 1, &s.y[i], &f[i], &value, &d1[i], &d2[i]);
            n += s.v[i];
        }
        for (int64_t k = 0; k < s.folds; k++) {
            double m = 0;
            for (int64_t i = s.start[k]; i < s.start[k + 1]; i++) m += s.v[i];
            for (int64_t a = 0; a < whole.r; a++) {
                h[a] = m * w[a] / (n - m);
                for (int64_t i = s.start[k]; i < s.start[k + 1]; i++)
                    h[a] += n * C * s.v[i] * d1[i] * whole.G[a + i * whole.r] / (n - m);
            }
            outputs(&whole, h, 0, x);
            for (int64_t i = 0; i < s.n; i++)
                for (int64_t j = 0; j < s.n; j++) {
                    double low = 0;
                    for (int64_t a = 0; a < s.r; a++) low += s.G[a + i * s.r] * s.G[a + j * s.r];
                    M[i + j * s.n] = (i == j) + low * C * s.v[j] * d2[j];
                }
            dense_solve(s.n, 1, M, x);
            for (int64_t i = s.start[k]; i < s.start[k + 1]; i++) assert_close(F[i], f[i] + x[i], 1e-4);
        }
    }
}

/* What a training reports for logistic is the mean log loss of the held-out probabilities. */
static void test_log_loss(void **state) {
    (void)state;
    static set s;
    double F[MOST] = {0}, sum = 0, wrong = 0;
    char text[MOST * 4], *at = text;
    make_rows(&s, ny_machine_find("logistic"), 60, 7, false, 0);
    make_features(&s, 60, 1);
    refit(&s, 3, F);
    for (int64_t i = 0; i < s.n; i++) {
        double p = 1 / (1 + exp(-F[i]));
        sum -= log(s.y[i] > 0 ? p : 1 - p);
        wrong += s.y[i] * F[i] < 0;
        at += sprintf(at, "%d\n", (int)(i * s.folds / s.n));
    }
    char *file = write_file(".txt", text, -1);
    ny_data *data = NULL;
    must(ctx, ny_data_from_rows(ctx, s.n, INPUTS, s.X, s.y, &data));
    ny_options *o = make_options(ctx, "machine", "logistic", "kernel", "rbf", "bandwidth", "1", "C", "3", "scale",
                                 "none", "landmarks", "all", "rank-tol", "1e-15", "fold-file", file, "criterion", "cv",
                                 "bias", asked_bias(1), "bias-penalty", asked_bias(2), NULL);
    ny_model *model = train_with_options(ctx, data, o);
    assert_close(model->record->expected.value, sum / (double)s.n, 1e-6);
    assert_close(model->record->expected.error, wrong / (double)s.n, 1e-12);
    ny_model_free(model);
    ny_data_free(data);
    remove(file);
    free(file);
}

/* ---- surfaces --------------------------------------------------------------------------------------------------- */

enum { POINTS = 25 };

/* The criterion on bandwidths 1/2 .. 8 with C 2^-4 .. 2^8. */
static void surface(const ny_data *data, const char *machine, const char *criterion, double *value) {
    ny_options *o = make_options(ctx, "machine", machine, "criterion", criterion, "kernel", "rbf", "search", "grid",
                                 "bandwidth", "-1:3:1", "C", "-4:8:3", "folds", "5", "landmarks", "40", "bias",
                                 asked_bias(1), "bias-penalty", asked_bias(2), NULL);
    ny_model *model = train_with_options(ctx, data, o);
    assert_int_equal(model->record->evaluations, POINTS);
    for (int p = 0; p < POINTS; p++) value[p] = model->record->evaluation[p].value;
    ny_model_free(model);
}

static double rank_correlation(const double *a, const double *b) {
    double sum = 0, n = POINTS;
    for (int i = 0; i < POINTS; i++) {
        double difference = 0;
        for (int j = 0; j < POINTS; j++) difference += (a[j] < a[i]) - (b[j] < b[i]);
        sum += difference * difference;
    }
    return 1 - 6 * sum / (n * (n * n - 1));
}

static int64_t least(const double *value) {
    int64_t best = 0;
    for (int64_t p = 1; p < POINTS; p++)
        if (value[p] < value[best]) best = p;
    return best;
}

/* One Newton step ranks them as refits do, and chooses as well; what first order does is printed. */
static void test_surfaces(void **state) {
    (void)state;
    const char *const machines[] = {"svm", "logistic"}, *const sets[] = {"banana", "twonorm"};
    for (int c = 0; c < 4; c++) {
        double cv[POINTS], newton[POINTS], bif[POINTS];
        ny_data *data = NULL;
        must(ctx, ny_data_generate(ctx, sets[c % 2], 200, 1, &data));
        surface(data, machines[c / 2], "cv", cv);
        surface(data, machines[c / 2], "newton", newton);
        surface(data, machines[c / 2], "bif", bif);
        ny_data_free(data);
        print_message(
            "%s, %s: rank correlation with cv: newton %.4f, bif %.4f; cv %.4f, at newton's choice %.4f, at "
            "bif's %.4f\n",
            machines[c / 2], sets[c % 2], rank_correlation(cv, newton), rank_correlation(cv, bif), cv[least(cv)],
            cv[least(newton)], cv[least(bif)]);
        assert_true(rank_correlation(cv, newton) > 0.98);
        assert_true(cv[least(newton)] <= 1.5 * cv[least(cv)]);
    }
}

/* What bif tells of its machines is leave-one-out, by refits; what it chooses by is not. */
static void test_influence_tells(void **state) {
    (void)state;
    static set s;
    double F[MOST], told[MOST], held[MOST];
    for (int c = 0; c < 8; c++) {
        double C = c & 4 ? 40 : 0.7;
        make_rows(&s, ny_machine_find(c & 1 ? "lssvm" : "krr"), 60, 1, c & 2, 0);
        make_features(&s, 12, 1);
        cut_folds(&s, 60);
        refit(&s, C, F);
        cut_folds(&s, 5);
        ny_judge judge;
        ny_C_list list = {1, false, &C};
        must(ctx, ny_judge_new(ctx, &ny_criterion_bif, NY_CLOSED_FORM, problem_of(&s), 1, &judge));
        must(ctx, ny_judge_held(ctx, &judge, &list, held));
        must(ctx, ny_judge_told(ctx, &judge, &list, told));
        ny_judge_clear(&judge);
        assert_same(s.n, told, F, 1e-8);
        double apart = 0;
        for (int64_t i = 0; i < s.n; i++) apart = fmax(apart, fabs(held[i] - told[i]));
        assert_true(apart > 1e-4);
    }
}

/* bif and fbif choose machines that go through their rows (the first order is at most twice the training error), and
 * tell what these are worth: the root mean square of errors by refits without each row, at the point chosen. */
static void test_influence_of_interpolation(void **state) {
    (void)state;
    enum { N = 40, D = 2 };
    double x[N * D], y[N], A[(N + 1) * (N + 1)], a[N + 1];
    ny_rng rng = ny_rng_make(3, NY_RNG_TEST, 0);
    for (int i = 0; i < N * D; i++) x[i] = ny_rng_normal(&rng);
    for (int i = 0; i < N; i++) y[i] = sin(2 * x[D * i]) + 0.3 * ny_rng_normal(&rng);
    ny_data *data = NULL;
    must(ctx, ny_data_from_rows(ctx, N, D, x, y, &data));
    for (int k = 0; k < 2; k++) {
        ny_model *m = train_with_options(ctx, data,
                                         make_options(ctx, "task", "regression", "scale", "none", "kernel", "rbf",
                                                      "landmarks", "all", "criterion", k ? "fbif" : "bif", NULL));
        double gamma = 0.5 / pow(m->f.kernel.bandwidth, 2), sum = 0;
        for (int out = 0; out < N; out++) { /* (K + I/C) a + b = y, sum a = 0, without row `out` */
            for (int i = 0; i <= N; i++)
                for (int j = 0; j <= N; j++) {
                    double d = 0;
                    for (int c = 0; i < N && j < N && c < D; c++) d += pow(x[D * i + c] - x[D * j + c], 2);
                    bool gone = i == out || j == out;
                    A[i + j * (N + 1)] = gone               ? i == j
                                         : i == N || j == N ? i != j
                                                            : exp(-gamma * d) + (i == j) / m->C[0];
                }
            for (int i = 0; i <= N; i++) a[i] = i < N && i != out ? y[i] : 0;
            dense_solve(N + 1, 1, A, a);
            double f = a[N];
            for (int i = 0; i < N; i++) {
                double d = 0;
                for (int c = 0; c < D; c++) d += pow(x[D * i + c] - x[D * out + c], 2);
                if (i != out) f += a[i] * exp(-gamma * d);
            }
            sum += pow(y[out] - f, 2) / N;
        }
        assert_close(m->record->expected.error, sqrt(sum), 0.01);
        assert_true(m->record->expected.value < 0.01 * sum); /* as the paper has it */
        ny_model_free(m);
    }
    ny_data_free(data);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_squared),   cmocka_unit_test(test_squared_influence),
        cmocka_unit_test(test_holdout),   cmocka_unit_test(test_odd_folds),
        cmocka_unit_test(test_cv),        cmocka_unit_test(test_loo),
        cmocka_unit_test(test_influence), cmocka_unit_test(test_influence_bias),
        cmocka_unit_test(test_log_loss),  cmocka_unit_test(test_surfaces),
        cmocka_unit_test(test_large_C),   cmocka_unit_test(test_influence_tells),
    };
    const struct CMUnitTest exact[] = {
        cmocka_unit_test(test_exact_newton),
        cmocka_unit_test(test_exact_newton_ends),
        cmocka_unit_test(test_exact_influence),
        cmocka_unit_test(test_exact_influence_ends),
        cmocka_unit_test(test_influence_of_interpolation),
        cmocka_unit_test(test_exact_influence_of_any_loss),
        cmocka_unit_test(test_exact_influence_of_corners),
    };
    static const double rho[] = {NAN, INFINITY, 0.4}; /* --bias free, none, penalised */
    int failed = 0;
    for (int k = 0; k < 3; k++) {
        asked_rho = rho[k];
        failed += cmocka_run_group_tests(tests, setup, teardown);
        if (!(asked_rho < INFINITY)) failed += cmocka_run_group_tests(exact, setup, teardown); /* else it is refused */
    }
    return failed;
}

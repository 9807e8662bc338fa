/* path_sets.h: l2-SVMs in a feature space, and their paths, for the tests.
 *
 *     J(w, b) = sum_i v_i xi_i^2 + lambda/2 |w|^2,   xi_i = max(0, 1 - y_i f_i),   f_i = w'g_i + b,   C = 2/lambda */
#ifndef NY_TEST_PATH_SETS_H
#define NY_TEST_PATH_SETS_H

#include "any_loss.h"

#include "factor/factor.h"
#include "solver/follow.h"
#include "solver/primal.h"
#include "table/data.h"

/* Features of generated rows of two classes: all rows are landmarks where landmarks >= n. y: n. */
static void generate(const char *demo, int64_t n, int64_t landmarks, double bandwidth, ny_factor *factor, double *y) {
    ny_data *data = NULL;
    ny_kernel_params kernel = {.kernel = ny_kernel_find("rbf"), .bandwidth = bandwidth};
    ny_factor_spec spec = {.method = &ny_landmark_uniform, .landmarks = landmarks, .tol = 1e-12, .seed = 1};
    must(ctx, ny_data_generate(ctx, demo, n, 3, &data));
    must(ctx, ny_factor_make(ctx, &kernel, &data->X, &spec, factor));
    for (int64_t i = 0; i < n; i++) y[i] = data->code[i] == 0 ? -1 : 1;
    ny_data_free(data);
}

enum { SETS = 6, COINCIDING = SETS - 1 };

/* The feature that stands for a penalised bias behind the others, if there is one. */
static inline void add_constant(set *s) {
    if (constant_feature() == 0) return;
    for (int64_t i = s->n - 1; i >= 0; i--) {
        memmove(s->G + i * (s->r + 1), s->G + i * s->r, (size_t)s->r * sizeof *s->G);
        s->G[s->r + i * (s->r + 1)] = constant_feature();
    }
    s->r++;
}

/* A test once more for machines without bias, and with a penalised one. */
static inline void with_other_biases(void (*test)(void **), void **state) {
    static const double rho[] = {INFINITY, 0.5};
    for (int k = 0; k < 2; k++) {
        asked_rho = rho[k];
        test(state);
    }
    asked_rho = NAN;
}

/* Five generated sets; the last is made by hand: few inputs' values, so that rows coincide, of both classes too. */
static inline const char *make_set(set *s, int which, int64_t n, int64_t landmarks, bool weights) {
    static const char *const demo[] = {"banana", "spirals", "mixture", "twonorm", "ringnorm", "coinciding"};
    static const double bandwidth[] = {0.5, 0.3, 0.5, 6, 4};
    ny_rng rng = ny_rng_make(13, NY_RNG_TEST, (uint32_t)which);
    make_rows(s, ny_machine_find("l2svm"), n, 1, false, 0);
    if (which != COINCIDING) {
        ny_factor factor = {0};
        generate(demo[which], n, landmarks, bandwidth[which], &factor, s->y);
        s->r = factor.r;
        for (int64_t i = 0; i < n; i++) memcpy(s->G + i * s->r, factor.G + i * factor.ldg, (size_t)s->r * sizeof *s->G);
        ny_factor_clear(&factor);
    } else {
        s->r = 3;
        for (int64_t i = 0; i < n; i++) {
            for (int64_t a = 0; a < 3; a++) s->G[a + i * 3] = (double)ny_rng_below(&rng, 3) - 1;
            s->y[i] = s->G[i * 3] + s->G[1 + i * 3] + 2 * ny_rng_uniform(&rng) > 1.4 ? 1 : -1;
        }
    }
    add_constant(s);
    for (int64_t i = 0; i < n; i++) s->v[i] = weights ? exp2(4 * ny_rng_uniform(&rng) - 2) : 1;
    return demo[which];
}

static inline void sided_of(set *s, ny_sided *sided) {
    must(ctx, ny_sided_new(ctx, problem_of(s), s->y, s->v, s->y, 0, sided));
}

static inline double slack(double y, double f) {
    return fmax(0, 1 - y * f);
}

/* ---- what was met on a path -------------------------------------------------------------------------------------- */

typedef struct {
    double lambda, objective, w[MOST], b, f[MOST];
    bool in[MOST];
    int64_t active;
    bool dual;
} stop;

typedef struct {
    int64_t count, room;
    stop *at;
} trail;

static ny_status keep_stop(ny_ctx *c, void *user, ny_sided *s, bool *enough) {
    (void)c;
    (void)enough;
    trail *t = user;
    if (t->count == t->room) t->at = realloc(t->at, (size_t)(t->room = 2 * t->room + 64) * sizeof *t->at);
    stop *p = &t->at[t->count++];
    p->lambda = s->lambda, p->objective = s->objective, p->b = s->b, p->active = s->active, p->dual = s->dual;
    memcpy(p->w, s->w, (size_t)s->P->r * sizeof *p->w);
    memcpy(p->f, s->f, (size_t)s->P->n * sizeof *p->f);
    memcpy(p->in, s->in, (size_t)s->P->n * sizeof *p->in);
    return NY_OK;
}

/* The path of a set; the trail's stops are the caller's to free with free(). */
static inline trail follow_set(set *s, double first, double last, bool whole) {
    ny_sided sided;
    trail t = {0};
    ny_follow_range range = {first, last, whole};
    sided_of(s, &sided);
    must(ctx, ny_follow(ctx, &sided, &range, keep_stop, &t));
    ny_sided_clear(&sided);
    return t;
}

/* The machine at lambda, from the nearest stop. */
static inline void solve_from(const trail *t, ny_sided *s, double lambda) {
    const stop *near = t->at;
    for (int64_t k = 1; k < t->count; k++)
        if (fabs(log(t->at[k].lambda / lambda)) < fabs(log(near->lambda / lambda))) near = &t->at[k];
    memcpy(s->w, near->w, (size_t)s->P->r * sizeof *s->w);
    memcpy(s->f, near->f, (size_t)s->P->n * sizeof *s->f);
    s->b = near->b;
    ny_sided_set(s, near->in);
    must(ctx, ny_sided_solve(ctx, s, lambda));
}

static inline double log_uniform(ny_rng *rng, double low, double high) {
    return low * pow(high / low, ny_rng_uniform(rng));
}

/* ---- the conditions of a minimum --------------------------------------------------------------------------------- */

/* The largest violation at x, from alpha and b alone, by features G (r x n) that are not scaled by weights:
 *     w = sum alpha y g,   h~_i = w'g_i + b + y_i lambda alpha_i / 2 v_i,
 *     alpha >= 0 and y h~ = 1 on E,   alpha = 0 and y h >= 1 on the rest,   sum y alpha = 0 or, without bias, b = 0 */
static inline double violated(const ny_sided *x, int64_t r, const double *G, const double *alpha) {
    long double *w = calloc((size_t)r, sizeof *w), sum = 0, balance = 0, worst = 0;
    int64_t n = x->P->n;
    for (int64_t i = 0; i < n; i++) {
        for (int64_t a = 0; a < r; a++) w[a] += (long double)alpha[i] * x->y[i] * G[a + i * r];
        sum += fabsl(alpha[i]);
        balance += x->y[i] * (long double)alpha[i];
    }
    for (int64_t i = 0; i < n; i++) {
        long double f = x->b;
        for (int64_t a = 0; a < r; a++) f += w[a] * G[a + i * r];
        assert_true(alpha[i] >= 0 && (x->in[i] || alpha[i] == 0));
        worst =
            fmaxl(worst, x->in[i] ? fabsl(x->y[i] * f + x->lambda * alpha[i] / (2 * x->v[i]) - 1) : 1 - x->y[i] * f);
    }
    free(w);
    assert_true(x->P->bias || x->b == 0);
    return (double)fmaxl(worst, x->P->bias ? fabsl(balance) / sum : 0);
}

/* ---- refits ------------------------------------------------------------------------------------------------------ */

/* Outputs of the l2-SVM for rows it has not seen, by n trainings with Newton's method. The problem is there already. */
static inline void refit_l2svm(set *s, double lambda, double *F) {
    ny_primal p, rest;
    ny_machine_point all, x;
    double v[MOST];
    must(ctx, ny_primal_new(ctx, &s->problem, 0, &p));
    must(ctx, ny_point_new(ctx, &p, &all));
    for (all.C = fmin(2 / lambda, 1); all.C < 2 / lambda; all.C *= 4) must(ctx, ny_newton(ctx, &p, 1e-6, &all));
    all.C = 2 / lambda;
    must(ctx, ny_newton(ctx, &p, 1e-12, &all));
    for (int64_t i = 0; i < s->n; i++) {
        rest = ny_primal_without(&p, i, 1, v);
        must(ctx, ny_point_copy(ctx, &p, &all, &x));
        must(ctx, ny_newton(ctx, &rest, 1e-12, &x));
        F[i] = x.f[i];
        ny_point_clear(&x);
    }
    ny_point_clear(&all);
    ny_primal_clear(&p);
}

static inline double product(const set *s, int64_t i, int64_t j) {
    double sum = 0;
    for (int64_t a = 0; a < s->r; a++) sum += s->G[a + i * s->r] * s->G[a + j * s->r];
    return sum;
}

/* F_i = sum_j a_j k(x_i, x_j) + b of the machine on E without row i:
 *     sum_j k(x_k, x_j) a_j + lambda/2 v_k a_k + b = y_k,   sum_j a_j = 0 or, without bias, b = 0 */
static inline void refit_squares(const set *s, const bool *in, double lambda, double *F) {
    static double A[MOST * MOST];
    for (int64_t i = 0; i < s->n; i++) {
        int64_t row[MOST], m = 0;
        double x[MOST];
        if (!in[i]) continue;
        for (int64_t j = 0; j < s->n; j++)
            if (in[j] && j != i) row[m++] = j;
        for (int64_t a = 0; a <= m; a++) {
            for (int64_t b = 0; b < m; b++) {
                A[a + b * (m + 1)] =
                    a == m ? s->bias : product(s, row[a], row[b]) + (a == b ? lambda / (2 * s->v[row[a]]) : 0);
                A[b + m * (m + 1)] = s->bias;
            }
            x[a] = a == m ? 0 : s->y[row[a]];
        }
        A[m + m * (m + 1)] = !s->bias;
        dense_solve(m + 1, 1, A, x);
        F[i] = x[m];
        for (int64_t a = 0; a < m; a++) F[i] += x[a] * product(s, row[a], i);
    }
}

static inline double kappa(const set *s, int64_t i, int64_t j, double lambda) {
    return product(s, i, j) + (i == j ? lambda / (2 * s->v[i]) : 0);
}

/* R^2 by steps between two rows at a time, with the bounds that say how near it is:
 *     D(beta) = sum beta_i k_ii - beta'K beta <= R^2 <= max_i |x_i - c|^2,   c = sum beta_i x_i */
static inline void bracket(const set *s, double lambda, double *least, double *most) {
    static double K[MOST * MOST];
    double beta[MOST] = {0}, Kb[MOST] = {0};
    int64_t n = s->n;
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < n; j++) K[i + j * n] = kappa(s, i, j, lambda);
    for (int64_t i = 0; i < n; i++) beta[i] = 1 / (double)n;
    for (int step = 0;; step++) {
        if (step % 1000 == 0)
            for (int64_t i = 0; i < n; i++) {
                Kb[i] = 0;
                for (int64_t j = 0; j < n; j++) Kb[i] += K[i + j * n] * beta[j];
            }
        double far = -INFINITY, near = INFINITY, centre = 0, linear = 0;
        int64_t p = 0, q = 0;
        for (int64_t i = 0; i < n; i++) {
            double d = K[i + i * n] - 2 * Kb[i];
            if (d > far) far = d, p = i;
            if (beta[i] > 0 && d < near) near = d, q = i;
            centre += beta[i] * Kb[i], linear += beta[i] * K[i + i * n];
        }
        *least = linear - centre;
        *most = far + centre;
        if (*most - *least < 1e-10 * *most || step == 200000) return;
        double t = fmin(beta[q], (far - near) / (2 * (K[p + p * n] + K[q + q * n] - 2 * K[p + q * n])));
        beta[p] += t, beta[q] -= t;
        for (int64_t i = 0; i < n; i++) Kb[i] += t * (K[i + p * n] - K[i + q * n]);
    }
}

/* The square of how far a left-out row can be: the diameter or, without bias, the farthest row if that is less. */
static inline double reach_of(const set *s, double lambda, double *least, double *most) {
    double far = 0;
    bracket(s, lambda, least, most);
    for (int64_t i = 0; i < s->n; i++) far = fmax(far, kappa(s, i, i, lambda));
    return s->bias ? 2 * (*least + *most) : fmin(2 * (*least + *most), far);
}

static inline int64_t errors(const set *s, const double *F) {
    int64_t count = 0;
    for (int64_t i = 0; i < s->n; i++) count += !(s->y[i] * F[i] > 0);
    return count;
}

#endif

/* any_loss.h: small machines of any loss for the tests, with an independent solver.
 *
 *     J(w, b) = 1/2 |w|^2 + C sum_i v_i loss(y_i, w'g_i + b),   K = G'G */
#ifndef NY_TEST_ANY_LOSS_H
#define NY_TEST_ANY_LOSS_H

#include <math.h>

#include "criterion/judge.h"
#include "criterion/path.h"
#include "solver/machine.h"
#include "with_ctx.h"

enum { MOST = 180, INPUTS = 3 };

typedef struct {
    int64_t n, r, folds;
    bool bias;
    double X[INPUTS * MOST], G[MOST * MOST], y[MOST], v[MOST]; /* G: r x n, not scaled */
    int64_t start[MOST + 1];                                   /* rows are in the order of their folds */
    ny_loss_params loss;
    double scaled[MOST * MOST], u[MOST], Y[MOST]; /* as the library has them: */
    ny_problem problem;
} set;

/* Penalty of the bias of all sets: NAN: as the machines have it by themselves, INFINITY: there is none, else the last
 * feature stands for it. */
static double asked_rho = NAN;

/* As options say it: 1 for --bias, 2 for --bias-penalty; NULL: by default. */
static inline const char *asked_bias(int option) {
    static char text[32];
    snprintf(text, sizeof text, "%.17g", asked_rho);
    if (isnan(asked_rho) || (option == 2 && isinf(asked_rho))) return NULL;
    return option == 2 ? text : isinf(asked_rho) ? "none" : "penalised";
}

/* The feature that stands for a penalised bias; 0: there is none. */
static double constant_feature(void) {
    return asked_rho > 0 ? 1 / sqrt(asked_rho) : 0;
}

static double rbf(const double *a, const double *b, double sigma) {
    double d2 = 0;
    for (int j = 0; j < INPUTS; j++) d2 += (a[j] - b[j]) * (a[j] - b[j]);
    return exp(-d2 / (2 * sigma * sigma));
}

/* G = L^-1 K(Z,X) with L L' = K(Z,Z), landmark a being row n a / r; and the constant one, where there is one. */
static inline void make_features(set *s, int64_t r, double sigma) {
    static double L[MOST * MOST];
    double constant = constant_feature();
    s->r = r + (constant > 0);
    assert_true(s->r <= MOST);
    for (int64_t i = 0; i < s->n && constant > 0; i++) s->G[r + i * s->r] = constant;
    for (int64_t a = 0; a < r; a++) {
        const double *z = s->X + s->n * a / r * INPUTS;
        for (int64_t b = 0; b <= a; b++) {
            double sum = rbf(z, s->X + s->n * b / r * INPUTS, sigma) + (a == b ? 1e-12 : 0);
            for (int64_t k = 0; k < b; k++) sum -= L[a + k * r] * L[b + k * r];
            L[a + b * r] = a == b ? sqrt(sum) : sum / L[b + b * r];
        }
        for (int64_t i = 0; i < s->n; i++) {
            double sum = rbf(z, s->X + i * INPUTS, sigma);
            for (int64_t k = 0; k < a; k++) sum -= L[a + k * r] * s->G[k + i * s->r];
            s->G[a + i * s->r] = sum / L[a + a * r];
        }
    }
}

static void cut_folds(set *s, int64_t folds) {
    s->folds = folds;
    for (int64_t f = 0; f <= folds; f++) s->start[f] = f * s->n / folds;
}

/* Rows of noisy classes or numbers, whichever the machine is for; its loss with some level. */
static void make_rows(set *s, const ny_machine *machine, int64_t n, uint32_t seed, bool weights, double width) {
    ny_rng rng = ny_rng_make(11, NY_RNG_TEST, seed);
    s->n = n;
    s->bias = machine->bias && isnan(asked_rho);
    s->loss = (ny_loss_params){machine->loss, width, machine->loss->level.option ? 0.3 : 0};
    for (int64_t i = 0; i < n; i++) {
        for (int j = 0; j < INPUTS; j++) s->X[j + i * INPUTS] = ny_rng_normal(&rng);
        double f = sin(2 * s->X[i * INPUTS]) + 0.5 * s->X[1 + i * INPUTS] + 0.4 * ny_rng_normal(&rng);
        s->y[i] = machine->loss->classes ? (f > 0.2 ? 1 : -1) : 2 + f;
        s->v[i] = weights ? 0.3 + 2 * ny_rng_uniform(&rng) : 1;
    }
    cut_folds(s, 5);
}

/* The problem as the library gets it: made anew before every use, as a criterion may overwrite G. */
static ny_problem *problem_of(set *s) {
    for (int64_t i = 0; i < s->n; i++) {
        s->u[i] = sqrt(s->v[i]);
        s->Y[i] = s->u[i] * s->y[i];
        for (int64_t a = 0; a < s->r; a++) s->scaled[a + i * s->r] = s->u[i] * s->G[a + i * s->r];
    }
    bool squared = s->loss.loss == &ny_loss_squared;
    s->problem = (ny_problem){.r = s->r,
                              .n = s->n,
                              .q = 1,
                              .G = s->scaled,
                              .ldg = s->r,
                              .u = s->u,
                              .Y = s->Y,
                              .loss = squared ? NULL : &s->loss,
                              .bias = s->bias,
                              .rho = s->bias            ? 0
                                     : isnan(asked_rho) ? INFINITY
                                                        : asked_rho,
                              .folds = s->folds,
                              .fold_start = s->start};
    return &s->problem;
}

/* f = w'g + b of all rows. */
static void outputs(const set *s, const double *w, double b, double *f) {
    for (int64_t i = 0; i < s->n; i++) {
        f[i] = b;
        for (int64_t a = 0; a < s->r; a++) f[i] += w[a] * s->G[a + i * s->r];
    }
}

/* J, and its gradient by w and b in r + 1 entries unless NULL. */
static double objective(const set *s, double C, const double *w, double b, double *grad) {
    double f[MOST], J = 0, value, first, second;
    outputs(s, w, b, f);
    for (int64_t a = 0; a < s->r; a++) J += w[a] * w[a] / 2;
    if (grad) memcpy(grad, w, (size_t)s->r * sizeof *w), grad[s->r] = 0;
    for (int64_t i = 0; i < s->n; i++) {
        s->loss.loss->at(&s->loss, 1, &s->y[i], &f[i], &value, &first, &second);
        J += C * s->v[i] * value;
        if (!grad) continue;
        for (int64_t a = 0; a < s->r; a++) grad[a] += C * s->v[i] * first * s->G[a + i * s->r];
        grad[s->r] += C * s->v[i] * first;
    }
    return J;
}

/* A Newton step in w and b together by elimination, halved until J falls. False: J falls no more. */
static bool descend_once(const set *s, double C, double *w, double *b) {
    static double H[(MOST + 1) * (MOST + 1)];
    double step[MOST + 1], grad[MOST + 1], f[MOST], next[MOST], value, first, second, t = 1;
    int64_t r = s->r, size = r + (s->bias ? 1 : 0);
    double J = objective(s, C, w, *b, grad);
    outputs(s, w, *b, f);
    memset(H, 0, sizeof H);
    for (int64_t a = 0; a < size; a++) H[a + a * size] = a < r ? 1 : 1e-11 * C, step[a] = -grad[a];
    for (int64_t i = 0; i < s->n; i++) {
        s->loss.loss->at(&s->loss, 1, &s->y[i], &f[i], &value, &first, &second);
        if (second * s->v[i] == 0) continue;
        for (int64_t a = 0; a < size; a++)
            for (int64_t c = 0; c < size; c++)
                H[a + c * size] += C * s->v[i] * second * (a < r ? s->G[a + i * r] : 1) * (c < r ? s->G[c + i * r] : 1);
    }
    dense_solve(size, 1, H, step);
    if (!s->bias) step[r] = 0;
    for (int halved = 0; halved < 60; halved++, t /= 2) {
        for (int64_t a = 0; a < r; a++) next[a] = w[a] + t * step[a];
        if (!(objective(s, C, next, *b + t * step[r], NULL) < J)) continue;
        memcpy(w, next, (size_t)r * sizeof *w);
        *b += t * step[r];
        return true;
    }
    return false;
}

/* The machine from w = 0 on, without the library's solver: corners start broad and shrink to their width. */
static inline void descend(const set *s, double C, double *w, double *b) {
    set *now = malloc(sizeof *now);
    *now = *s;
    memset(w, 0, (size_t)s->r * sizeof *w);
    *b = 0;
    for (double width = fmax(1, s->loss.width);; width /= 4) {
        now->loss.width = fmax(width, s->loss.width);
        for (int step = 0; step < 100 && descend_once(now, C, w, b); step++) {
        }
        if (width <= s->loss.width || !s->loss.loss->rounding) break;
    }
    free(now);
}

/* Held-out outputs of all rows by a criterion, at one C: from the final machine, where a path would do with less. */
static inline void held_out(const ny_criterion *criterion, ny_criterion_kind kind, set *s, double C, double *F) {
    ny_judge judge;
    ny_effort effort = {0};
    ny_C_list list = {1, false, &C};
    double w[MOST], b;
    must(ctx, ny_judge_new(ctx, criterion, kind, problem_of(s), 1, &judge));
    must(ctx, ny_judge_solve(ctx, &judge, &C, w, &b, &effort));
    if (judge.exact) must(ctx, ny_path_solve(ctx, judge.exact, &C, w, &b));
    must(ctx, ny_judge_held(ctx, &judge, &list, F));
    ny_judge_clear(&judge);
    ny_free(effort.objective);
}

static inline double mean_loss(const set *s, const double *f) {
    double sum = 0, weight = 0;
    for (int64_t i = 0; i < s->n; i++) {
        sum += s->v[i] * ny_loss_value(&s->loss, s->y[i], f[i]);
        weight += s->v[i];
    }
    return sum / weight;
}

#endif

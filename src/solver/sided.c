/* sided.c: from a guess of E to the exact one, and multipliers to the last digit. See sided.h. */
#include "sided.h"

#include <math.h>

#include "linalg/linalg.h"

enum { ROUNDS = 100, STRIP = 64 };
static const double TIE = 1e-12;    /* rows so near to their target stay where they are */
static const double ENOUGH = 1e-10; /* violation of the conditions that needs no further polish */

/* The least J of E's own parabola: w + d, b + shift, f + q. */
static double step(ny_sided *s) {
    const ny_problem *P = s->P;
    for (int64_t i = 0; i < P->n; i++) s->work.e[i] = P->u[i] * s->t[i];
    ny_sided_side side = {s->work.e, s->sums.R, s->sums.T, 2 * s->pull};
    double shift = ny_sided_system(s, &side, true, s->work.d, s->work.q) - s->b;
    for (int64_t k = 0; k < P->r; k++) s->work.d[k] -= s->w[k];
    for (int64_t i = 0; i < P->n; i++) s->work.q[i] -= s->f[i];
    return shift;
}

/* J at w + x d, b + x shift, f + x q, and its derivative by x unless NULL. */
static double value(const ny_sided *s, double x, double shift, double *slope) {
    int64_t r = s->P->r;
    double ww = ny_dot(r, s->w, s->w), wd = 0, dd = 0, J = 0, by = 2 * s->lambda * s->pull * shift;
    if (x != 0 || slope) wd = ny_dot(r, s->w, s->work.d), dd = ny_dot(r, s->work.d, s->work.d);
    for (int64_t i = 0; i < s->P->n; i++) {
        double q = x != 0 || slope ? s->work.q[i] : 0, xi = s->y[i] * (s->t[i] - s->f[i] - x * q);
        if (!(xi > 0)) continue;
        J += s->v[i] * xi * xi;
        by -= 2 * s->v[i] * xi * s->y[i] * q;
    }
    if (slope) *slope = by + s->lambda * (wd + x * dd);
    return J + s->lambda * ((ww + 2 * x * wd + x * x * dd) / 2 + 2 * s->pull * (s->b + x * shift));
}

/* The least J between here and the whole step: where the derivative changes its sign. */
static double search(const ny_sided *s, double shift) {
    double lo = 0, hi = 1;
    for (int halving = 0; halving < 40; halving++) {
        double x = (lo + hi) / 2, slope;
        value(s, x, shift, &slope);
        if (slope > 0) hi = x;
        else lo = x;
    }
    return lo;
}

/* The rows on the counting side of their target, into s->want; false: E has the same. */
static bool sides(ny_sided *s) {
    bool changed = false;
    for (int64_t i = 0; i < s->P->n; i++) {
        double xi = s->y[i] * (s->t[i] - s->f[i]);
        s->want[i] = fabs(xi) <= TIE * (1 + fabs(s->t[i])) ? s->in[i] : xi > 0;
        changed |= s->want[i] != s->in[i];
    }
    return changed;
}

ny_status ny_sided_solve(ny_ctx *ctx, ny_sided *s, double lambda) {
    ny_status st = NY_OK;
    bool foreseen = true, helped = false; /* E is not yet that of w; the factor is not exact */
    s->lambda = lambda;
    if (!s->sums.known && !s->gram.known) ny_sided_set(s, s->in);
    s->factored = false;
    double J = value(s, 0, 0, NULL);
    for (int round = 0; round < ROUNDS; round++) {
        if (ny_should_stop(ctx)) NY_FAIL(ctx, NY_STOPPED, "stopped");
        if (!s->factored) NY_TRY(ny_sided_factor(ctx, s, &helped));
        double shift = step(s), x = 1, next = value(s, 1, shift, NULL), most = 0;
        if (!(next <= J + (foreseen ? 1e-6 : 1e-13) * fabs(J))) { /* the first J has the digits of the last polish */
            if (foreseen && sides(s)) {                           /* a bad guess of E: from the one that w has */
                ny_sided_set(s, s->want);
                foreseen = false;
                continue;
            }
            x = search(s, shift);
            next = value(s, x, shift, NULL);
        }
        foreseen = false;
        for (int64_t k = 0; k < s->P->r; k++) s->w[k] += x * s->work.d[k];
        s->b += x * shift;
        for (int64_t i = 0; i < s->P->n; i++) {
            s->f[i] += x * s->work.q[i];
            most = fmax(most, fabs(s->work.q[i]) / (1 + fabs(s->t[i])));
        }
        J = next;
        if (sides(s)) ny_sided_set(s, s->want);
        else if (x < 1 || !helped || most < 1e-10) break;
    }
    if (!s->factored) NY_TRY(ny_sided_factor(ctx, s, &helped)); /* for those who ask further */
    s->objective = J;
done:
    return st;
}

/* w = sum alpha y g; returns how far it moved. Near the hard margin the terms are far larger than w: with exact = true
 * they are summed with more digits, which takes longer. */
static double from_alpha(ny_sided *s, const double *alpha, bool exact) {
    const ny_problem *P = s->P;
    double moved = 0;
    for (int64_t k = 0; k < s->active; k++) {
        int64_t i = s->row[k];
        s->work.e[i] = alpha[i] * s->y[i] / P->u[i];
    }
    if (!exact) ny_sided_sum(s, s->work.e, s->work.d);
    for (int64_t first = 0; exact && first < P->r; first += STRIP) {
        int64_t count = P->r - first < STRIP ? P->r - first : STRIP;
        long double sum[STRIP] = {0};
        for (int64_t a = 0; a < s->active; a++) {
            const double *g = P->G + first + s->row[a] * P->ldg;
            for (int64_t k = 0; k < count; k++) sum[k] += (long double)s->work.e[s->row[a]] * g[k];
        }
        for (int64_t k = 0; k < count; k++) s->work.d[first + k] = (double)sum[k];
    }
    for (int64_t k = 0; k < P->r; k++) {
        moved += (s->work.d[k] - s->w[k]) * (s->work.d[k] - s->w[k]);
        s->w[k] = s->work.d[k];
    }
    return sqrt(moved);
}

/* How far from optimal on E; e: u times what is missing there, unbalanced: 2 pull - sum y alpha. */
static double violation(ny_sided *s, const double *alpha, double *unbalanced) {
    double worst = 0, sum = 0;
    long double balance = 2 * s->pull;
    for (int64_t k = 0; k < s->active; k++) {
        int64_t i = s->row[k];
        double slack = s->lambda * alpha[i] / (2 * s->v[i]), missing = s->y[i] * (s->t[i] - s->f[i]) - slack;
        worst = fmax(worst, fmax(fabs(missing), -slack));
        s->work.e[i] = s->P->u[i] * s->y[i] * missing;
        balance -= s->y[i] * alpha[i];
        sum += fabs(alpha[i]);
    }
    *unbalanced = s->bordered ? (double)balance : 0;
    return fmax(worst, sum > 0 ? fabs(*unbalanced) / sum : 0);
}

/* Outputs move by at most reach |dw|: where that is next to nothing there is no need to compute them again. */
double ny_sided_polish(ny_sided *s, double *alpha) {
    const ny_problem *P = s->P;
    double unbalanced, before = INFINITY, kkt = INFINITY, stale = 0; /* bounds by how much f is off outside of E */
    bool exact = false;
    for (int64_t i = 0; i < P->n; i++)
        alpha[i] = s->in[i] ? 2 * s->v[i] / s->lambda * s->y[i] * (s->t[i] - s->f[i]) : 0;
    for (int round = 0; round < 12; round++) {
        double moved = s->reach * from_alpha(s, alpha, exact);
        stale += moved;
        if (round > 0 || moved >= ENOUGH) ny_sided_outputs(s, s->w, s->b, false, s->f);
        kkt = fmax(violation(s, alpha, &unbalanced), round > 0 ? 0 : fmin(moved, ENOUGH));
        if (kkt <= ENOUGH || s->active == 0 || (exact && kkt > before / 2)) break;
        before = kkt > before / 2 ? INFINITY : kkt;
        exact |= isinf(before);
        ny_sided_side side = {.e = s->work.e, .balance = unbalanced};
        double shift = ny_sided_system(s, &side, false, s->work.d, s->work.q);
        s->b += shift;
        stale += fabs(shift);
        for (int64_t k = 0; k < s->active; k++) {
            int64_t i = s->row[k];
            alpha[i] += P->u[i] * s->y[i] * s->a[i]; /* a = y alpha / u */
        }
    }
    if (stale > ENOUGH) ny_sided_outputs(s, s->w, s->b, true, s->f);
    for (int64_t i = 0; i < P->n; i++)
        if (!s->in[i]) kkt = fmax(kkt, s->y[i] * (s->t[i] - s->f[i]) + fmin(stale, ENOUGH));
    s->objective = value(s, 0, 0, NULL);
    return kkt;
}

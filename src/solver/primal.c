/* primal.c: an output, its points, and the two one-dimensional searches: for the bias and along a step. */
#include "primal.h"

#include <math.h>
#include <string.h>

void ny_primal_clear(ny_primal *p) {
    ny_free(p->y);
    ny_free(p->v);
    *p = (ny_primal){0};
}

ny_status ny_primal_new(ny_ctx *ctx, const ny_problem *P, int64_t output, ny_primal *p) {
    ny_status st = NY_OK;
    *p = (ny_primal){.P = P, .n = P->n, .loss = {.loss = &ny_loss_squared}};
    if (P->loss) p->loss = P->loss[output];
    NY_NEW_RAW(ctx, p->y, p->n);
    NY_NEW_RAW(ctx, p->v, p->n);
    for (int64_t i = 0; i < p->n; i++) {
        p->y[i] = P->Y[i + p->n * output] / P->u[i];
        p->v[i] = P->judged_only && i >= P->unjudged ? 0 : P->u[i] * P->u[i];
    }
done:
    if (st != NY_OK) ny_primal_clear(p);
    return st;
}

ny_primal ny_primal_without(const ny_primal *p, int64_t first, int64_t count, double *v) {
    ny_primal without = *p;
    without.v = v;
    memcpy(v, p->v, (size_t)p->n * sizeof *v);
    memset(v + first, 0, (size_t)count * sizeof *v);
    return without;
}

void ny_point_clear(ny_machine_point *x) {
    ny_free(x->w);
    ny_free(x->f);
    *x = (ny_machine_point){0};
}

ny_status ny_point_new(ny_ctx *ctx, const ny_primal *p, ny_machine_point *x) {
    ny_status st = NY_OK;
    *x = (ny_machine_point){0};
    NY_NEW(ctx, x->w, p->P->r);
    NY_NEW(ctx, x->f, p->n);
done:
    if (st != NY_OK) ny_point_clear(x);
    return st;
}

ny_status ny_point_copy(ny_ctx *ctx, const ny_primal *p, const ny_machine_point *from, ny_machine_point *to) {
    ny_status st = ny_point_new(ctx, p, to);
    if (st != NY_OK) return st;
    double *w = to->w, *f = to->f;
    memcpy(w, from->w, (size_t)p->P->r * sizeof *w);
    memcpy(f, from->f, (size_t)p->n * sizeof *f);
    *to = *from;
    to->w = w;
    to->f = f;
    return NY_OK;
}

double ny_primal_error(const ny_primal *p, const double *f, ny_weighed *scratch) {
    double squares = 0, weight = 0;
    for (int64_t i = 0; i < p->n; i++) {
        double e = p->y[i] - f[i];
        squares += p->v[i] * e * e;
        weight += p->v[i];
        scratch[i] = (ny_weighed){fabs(e), p->v[i]};
    }
    double typical = sqrt(squares / weight);
    if (p->loss.loss->classes) return typical;
    double median = ny_order_share(scratch, p->n, 0.5) / 0.6745;
    return median > 0 ? fmin(median, typical) : typical;
}

static const double CLIP = 3;

static double clip(double x, double most) {
    return fmax(-most, fmin(x, most));
}

void ny_primal_mean_curvature(const ny_primal *p, const double *f, double range, double *scratch, double *curvature) {
    double *moved = scratch, *value = moved + p->n, *slope = value + p->n, *second = slope + p->n, sum = 0, weight = 0;
    p->loss.loss->at(&p->loss, p->n, p->y, f, value, slope, second);
    for (int64_t i = 0; i < p->n; i++)
        if (slope[i] != 0) sum += p->v[i] * fabs(slope[i]), weight += p->v[i];
    double most = weight > 0 ? CLIP * sum / weight : INFINITY;
    for (int64_t i = 0; i < p->n; i++) moved[i] = f[i] + range;
    p->loss.loss->at(&p->loss, p->n, p->y, moved, value, curvature, second);
    for (int64_t i = 0; i < p->n; i++) moved[i] = f[i] - range;
    p->loss.loss->at(&p->loss, p->n, p->y, moved, value, slope, second);
    for (int64_t i = 0; i < p->n; i++) curvature[i] = (clip(curvature[i], most) - clip(slope[i], most)) / (2 * range);
}

/* J and its first two derivatives at t, and a sum without cancellation that tells what rounding can do to the first.
 */
typedef struct {
    double value, first, second, size;
} look;

static look look_at(const ny_line *l, double t) {
    const ny_primal *p = l->p;
    double *f = l->scratch, *value = f + p->n, *d1 = value + p->n, *d2 = d1 + p->n;
    look at = {t * (l->slope + t * l->norm / 2), l->slope + t * l->norm, l->norm, fabs(l->slope) + fabs(t) * l->norm};
    for (int64_t i = 0; i < p->n; i++) f[i] = l->f[i] + t * ((l->q ? l->q[i] : 0) + l->shift);
    p->loss.loss->at(&p->loss, p->n, p->y, f, value, d1, d2);
    for (int64_t i = 0; i < p->n; i++) {
        double q = (l->q ? l->q[i] : 0) + l->shift, weight = l->C * p->v[i], part = weight * d1[i] * q;
        at.value += weight * value[i];
        at.first += part;
        at.second += weight * d2[i] * q * q;
        at.size += fabs(part);
    }
    return at;
}

/* The zero of the derivative, from the first guess t on, until it is below `enough` and J below `most`: Newton's method
 * within a bracket that only shrinks. */
static double minimum(const ny_line *l, double t, double enough, double most) {
    double lo = -INFINITY, hi = INFINITY;
    for (int round = 0; round < 100; round++) {
        look at = look_at(l, t);
        if (fabs(at.first) <= 4e-16 * at.size || (fabs(at.first) <= enough && at.value <= most)) return t;
        if (at.first > 0) hi = t;
        else lo = t;
        double next = at.second > 0 ? t - at.first / at.second : INFINITY;
        if (!(next > lo && next < hi) || !isfinite(next))
            next = isinf(lo) ? t - 2 * fabs(t) - 1 : isinf(hi) ? t + 2 * fabs(t) + 1 : (lo + hi) / 2;
        if (next == t) return t;
        t = next;
    }
    return t;
}

void ny_primal_bias(const ny_primal *p, double *scratch, double *b, double *f) {
    ny_line l = {.p = p, .C = 1, .shift = 1, .f = f, .scratch = scratch};
    double t = p->P->bias ? minimum(&l, 0, 0, 0) : 0;
    for (int64_t i = 0; i < p->n; i++) f[i] += t;
    *b += t;
}

bool ny_line_falls(const ny_line *l) {
    return look_at(l, 1).value <= look_at(l, 0).value;
}

double ny_primal_search(const ny_line *l, double *b, double *f) {
    look start = look_at(l, 0);
    double t = start.first < 0 ? minimum(l, 1, 0.1 * -start.first, start.value) : 0;
    for (int64_t i = 0; i < l->p->n; i++) f[i] = l->f[i] + t * (l->q[i] + l->shift);
    *b += t * l->shift;
    ny_primal_bias(l->p, l->scratch, b, f);
    return t;
}

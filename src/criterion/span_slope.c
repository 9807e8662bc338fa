/* span_slope.c: see span_slope.h.                                                    docs/math.md, eq. 150 - 154
 *
 *     s_i = C v_i loss'(f_i),   d_i = C v_i omega(xi_i) on E,   xi = 1 - y f,   omega = xi / (xi + eta)
 *     S_i = a_i'H^-1 a_i + 1/D,   a_i = g_i - g0,   H = I + sum d a a',   D = sum d,   g0 = sum d g / D
 *     F_i = f_i + S_i s_i / (1 - d_i S_i)                                 s, d: of copies the sums of their group
 *     V   = sum v psi(F) / sum v,   psi: the loss, or 1 / (1 + exp(5 min(1, y F)))
 *
 * From V back to C and the features by the chain rule; f moves with the machine, whose own curvature has omega = 1. */
#include "span_slope.h"

#include <math.h>
#include <string.h>

#include "linalg/linalg.h"
#include "solver/curvature.h"

static const double EXACT = 1e-14; /* gap over |w|^2 / 2 of the machine that is looked at */
static const double STEEP = 5;     /* of the rounded step: docs/math.md, eq. 151 */

typedef struct {
    const ny_primal *p;
    const ny_machine_point *x;
    const ny_span_form *form;
    double *s, *d, *full;       /* n: slopes; curvatures with omega, and with omega = 1 */
    double *bend;               /* n: derivative of d by f */
    double *sum_s, *sum_d;      /* n: of the rows that are left out together */
    double *F, *by_F;           /* n: left-out outputs; dV/dF */
    double *by_s, *by_d, *by_f; /* n: dV by s, d, f */
    double *by_S;               /* k */
    double share;               /* 1/D; 0 without bias */
    int64_t k, *row;            /* rows that move when they are left out, or that have curvature */
    double *a, *q, *t;          /* r x k: g - g0; H^-1 (g - g0); scratch */
    double *S;                  /* k */
    double *scratch;            /* active x k */
    ny_curvature c;
    double value;
} work;

static void release(work *w) {
    double *list[] = {w->s,    w->d,    w->full, w->bend, w->sum_s, w->sum_d, w->F, w->by_F,   w->by_s,
                      w->by_d, w->by_f, w->by_S, w->a,    w->q,     w->t,     w->S, w->scratch};
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) ny_free(list[i]);
    ny_free(w->row);
    ny_curvature_clear(&w->c);
}

static ny_status reserve(ny_ctx *ctx, work *w) {
    ny_status st = NY_OK;
    int64_t n = w->p->n;
    double **list[] = {&w->s, &w->d,    &w->full, &w->bend, &w->sum_s, &w->sum_d,
                       &w->F, &w->by_F, &w->by_s, &w->by_d, &w->by_f};
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) NY_NEW(ctx, *list[i], n);
    NY_NEW_RAW(ctx, w->row, n);
done:
    return st;
}

static void slopes_and_curvatures(work *w) {
    const ny_primal *p = w->p;
    double eta = w->form->soft;
    p->loss.loss->at(&p->loss, p->n, p->y, w->x->f, w->F, w->s, w->full);
    for (int64_t i = 0; i < p->n; i++) {
        double xi = fmax(1 - p->y[i] * w->x->f[i], 0), omega = eta > 0 ? xi / (xi + eta) : 1;
        w->s[i] *= w->x->C * p->v[i];
        w->full[i] *= w->x->C * p->v[i];
        w->d[i] = omega * w->full[i];
        w->bend[i] = -p->y[i] * w->full[i] * eta / ((xi + eta) * (xi + eta) + (eta > 0 ? 0 : 1));
    }
}

/* to (n) = the sum of `from` over the rows that are left out together with each. */
static ny_status sum_together(ny_ctx *ctx, const ny_problem *P, const double *from, double *to) {
    ny_status st = NY_OK;
    const ny_together *t = P->together;
    double *sum = NULL;
    memcpy(to, from, (size_t)P->n * sizeof *to);
    if (!t) return NY_OK;
    NY_NEW(ctx, sum, t->groups);
    for (int64_t i = 0; i < P->n; i++)
        if (t->group[i] >= 0) sum[t->group[i]] += from[i];
    for (int64_t i = 0; i < P->n; i++)
        if (t->group[i] >= 0) to[i] = sum[t->group[i]];
done:
    ny_free(sum);
    return st;
}

/* a, q and S of the rows that matter. */
static ny_status leverages(ny_ctx *ctx, work *w) {
    ny_status st = NY_OK;
    const ny_problem *P = w->p->P;
    int64_t r = P->r;
    NY_TRY(ny_curvature_make(ctx, w->p, w->d, false, &w->c));
    w->share = P->bias && w->c.k > 0 ? 1 / w->c.total : 0;
    for (int64_t i = 0; i < P->n; i++)
        if (w->sum_s[i] != 0 || w->d[i] > 0) w->row[w->k++] = i;
    NY_NEW_RAW(ctx, w->a, ny_size3(r, w->k, 1) + 1);
    NY_NEW_RAW(ctx, w->q, ny_size3(r, w->k, 1) + 1);
    NY_NEW_RAW(ctx, w->S, w->k + 1);
    NY_NEW_RAW(ctx, w->scratch, ny_size3(w->c.k, w->k, 1) + 1);
    for (int64_t k = 0; k < w->k; k++) {
        const double *g = P->G + w->row[k] * P->ldg;
        for (int64_t b = 0; b < r; b++) w->a[b + k * r] = g[b] / P->u[w->row[k]] - w->c.centre[b];
    }
    memcpy(w->q, w->a, (size_t)(r * w->k) * sizeof *w->q);
    if (w->k > 0) ny_curvature_solve(&w->c, w->k, w->q, w->scratch);
    for (int64_t k = 0; k < w->k; k++) w->S[k] = ny_dot(r, w->a + k * r, w->q + k * r) + w->share;
done:
    return st;
}

/* What a left-out output F costs, and its derivative. */
static double cost_of(const work *w, double y, double F, double *slope) {
    double margin = y * F;
    if (!w->form->steps) {
        *slope = margin < 1 ? -y * (1 - margin) : 0;
        return margin < 1 ? (1 - margin) * (1 - margin) / 2 : 0;
    }
    double step = 1 / (1 + exp(STEEP * fmin(margin, 1)));
    *slope = margin < 1 ? -y * STEEP * step * (1 - step) : 0;
    return step;
}

static ny_status forward(ny_ctx *ctx, work *w) {
    ny_status st = NY_OK;
    const ny_primal *p = w->p;
    double weight = 0;
    NY_TRY(reserve(ctx, w));
    slopes_and_curvatures(w);
    NY_TRY(sum_together(ctx, p->P, w->s, w->sum_s));
    NY_TRY(sum_together(ctx, p->P, w->d, w->sum_d));
    NY_TRY(leverages(ctx, w));
    memcpy(w->F, w->x->f, (size_t)p->n * sizeof *w->F);
    for (int64_t k = 0; k < w->k; k++) {
        int64_t i = w->row[k];
        w->F[i] += w->S[k] * w->sum_s[i] / fmax(1 - w->sum_d[i] * w->S[k], 1e-12);
    }
    for (int64_t i = 0; i < p->n; i++) {
        w->value += p->v[i] * cost_of(w, p->y[i], w->F[i], &w->by_F[i]);
        weight += p->v[i];
    }
    w->value /= weight;
    for (int64_t i = 0; i < p->n; i++) w->by_F[i] *= p->v[i] / weight;
done:
    return st;
}

/* Through S: with sigma = dV/dS, Q = sum sigma q q', t = sum sigma q,
 *     dV/dd_i = -(a_i'Q a_i + 2/D a_i't + sum sigma / D^2),   dV/dg_i = 2 sigma_i q_i - 2 d_i (Q a_i + t/D)  (153)
 * The part of dV/dg is put into by_G (r x n), that of dV/dd added to by_d. */
static ny_status through_leverages(ny_ctx *ctx, work *w, double *by_G) {
    ny_status st = NY_OK;
    int64_t r = w->p->P->r, k = w->k;
    double *Q = NULL, *t = NULL, total = 0;
    NY_NEW(ctx, Q, ny_size3(r, r, 1));
    NY_NEW(ctx, t, r);
    NY_NEW_RAW(ctx, w->t, ny_size3(r, k, 1) + 1);
    for (int64_t c = 0; c < k; c++) {
        total += w->by_S[c];
        for (int64_t b = 0; b < r; b++) {
            w->t[b + c * r] = w->by_S[c] * w->q[b + c * r];
            t[b] += w->t[b + c * r];
        }
    }
    if (k > 0) {
        ny_gemm(false, true, r, r, k, 1.0, w->t, r, w->q, r, 0.0, Q, r);
        ny_gemm(false, false, r, k, r, 1.0, Q, r, w->a, r, 0.0, w->t, r);
    }
    for (int64_t c = 0; c < k; c++) {
        int64_t i = w->row[c];
        const double *a = w->a + c * r, *Qa = w->t + c * r;
        w->by_d[i] -= ny_dot(r, a, Qa) + 2 * w->share * ny_dot(r, a, t) + total * w->share * w->share;
        for (int64_t b = 0; b < r; b++)
            by_G[b + i * r] = 2 * w->by_S[c] * w->q[b + c * r] - 2 * w->d[i] * (Qa[b] + w->share * t[b]);
    }
done:
    ny_free(Q);
    ny_free(t);
    return st;
}

/* dV by sum_s, sum_d and S, then by s and d of every row.                                                   (152) */
static ny_status through_outputs(ny_ctx *ctx, work *w) {
    ny_status st = NY_OK;
    const ny_problem *P = w->p->P;
    double *by_sum_s = NULL, *by_sum_d = NULL;
    NY_NEW(ctx, by_sum_s, P->n);
    NY_NEW(ctx, by_sum_d, P->n);
    NY_NEW_RAW(ctx, w->by_S, w->k + 1);
    for (int64_t k = 0; k < w->k; k++) {
        int64_t i = w->row[k];
        double rest = fmax(1 - w->sum_d[i] * w->S[k], 1e-12);
        w->by_S[k] = w->by_F[i] * w->sum_s[i] / (rest * rest);
        by_sum_s[i] = w->by_F[i] * w->S[k] / rest;
        by_sum_d[i] = w->by_S[k] * w->S[k] * w->S[k];
    }
    NY_TRY(sum_together(ctx, P, by_sum_s, w->by_s));
    NY_TRY(sum_together(ctx, P, by_sum_d, w->by_d));
done:
    ny_free(by_sum_s);
    ny_free(by_sum_d);
    return st;
}

/* Through the machine: f = w'g + b, and (w, b) is where w + sum s g = 0 and sum s = 0. With z the solution of its own
 * curvature for sum (dV/df) (g, 1):
 *     dV/dg_i += (dV/df_i - full_i z(g_i)) w - s_i z_w,     dV/dlog C += w'z_w                                (154)
 */
static ny_status through_machine(ny_ctx *ctx, work *w, double *by_G, double *by_log_C) {
    ny_status st = NY_OK;
    const ny_primal *p = w->p;
    const ny_problem *P = p->P;
    int64_t r = P->r;
    double *z = NULL, *scratch = NULL, sum = 0;
    ny_curvature own = {0};
    NY_TRY(ny_curvature_make(ctx, p, w->full, false, &own));
    NY_NEW(ctx, z, r);
    NY_NEW_RAW(ctx, scratch, own.k + 1);
    double share = P->bias && own.k > 0 ? 1 / own.total : 0;
    for (int64_t i = 0; i < P->n; i++) {
        sum += w->by_f[i];
        for (int64_t b = 0; b < r; b++) z[b] += w->by_f[i] * (P->G[b + i * P->ldg] / P->u[i] - own.centre[b]);
    }
    ny_curvature_solve(&own, 1, z, scratch);
    double centre = ny_dot(r, own.centre, z);
    for (int64_t i = 0; i < P->n; i++) {
        double at = ny_dot(r, P->G + i * P->ldg, z) / P->u[i] - centre + share * sum;
        double along = w->by_f[i] - w->full[i] * at;
        for (int64_t b = 0; b < r; b++) by_G[b + i * r] += along * w->x->w[b] - w->s[i] * z[b];
    }
    *by_log_C += ny_dot(r, w->x->w, z);
done:
    ny_curvature_clear(&own);
    ny_free(z);
    ny_free(scratch);
    return st;
}

ny_status ny_span_value(ny_ctx *ctx, const ny_primal *p, ny_machine_point *x, const ny_span_form *form, double *value) {
    work w = {.p = p, .x = x, .form = form};
    ny_status st = ny_newton(ctx, p, EXACT, x);
    if (st == NY_OK) st = forward(ctx, &w);
    *value = w.value;
    release(&w);
    return st;
}

ny_status ny_span_slope(ny_ctx *ctx, const ny_primal *p, ny_machine_point *x, const ny_span_form *form, double *out) {
    ny_status st = NY_OK;
    work w = {.p = p, .x = x, .form = form};
    double *by_G = out + 2;
    memset(out, 0, (size_t)(2 + p->P->r * p->n) * sizeof *out);
    NY_TRY(ny_newton(ctx, p, EXACT, x));
    NY_TRY(forward(ctx, &w));
    NY_TRY(through_outputs(ctx, &w));
    NY_TRY(through_leverages(ctx, &w, by_G));
    for (int64_t i = 0; i < p->n; i++) {
        w.by_f[i] = w.by_F[i] + w.by_s[i] * w.full[i] + w.by_d[i] * w.bend[i];
        out[1] += w.by_s[i] * w.s[i] + w.by_d[i] * w.d[i]; /* both are proportional to C */
    }
    NY_TRY(through_machine(ctx, &w, by_G, &out[1]));
    out[0] = w.value;
done:
    release(&w);
    return st;
}

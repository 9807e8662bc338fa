/* newton.c: Newton's method for any loss in r + 1 unknowns.                                docs/math.md, eq. 78 .. 80
 *
 * The step solves H p = -grad with the curvature of the active rows; a search along it, exact for the piecewise
 * quadratic losses, makes it safe from any start: J is convex, and every step ends where its slope has fallen to a
 * tenth. Each step costs two products with G, O(n r), and the factor of H. */
#include <math.h>
#include <string.h>

#include "curvature.h"
#include "linalg/linalg.h"

enum { STEPS = 300 };
static const double STRIDE = 0.3; /* measured: half the steps of 0 */

typedef struct {
    double *value, *first, *second; /* n: the loss at f; then s = C v loss' and d = C v loss'' */
    double *q;                      /* n: what the step does to the outputs */
    double *scratch;                /* 4 n */
    double *grad, *step;            /* r */
    double *solve;                  /* r */
    double half;                    /* |w|^2 / 2 */
    double moved;                   /* by how much the last step moved the outputs */
} work;

static void work_clear(work *k) {
    ny_free(k->value);
    ny_free(k->first);
    ny_free(k->second);
    ny_free(k->q);
    ny_free(k->scratch);
    ny_free(k->grad);
    ny_free(k->step);
    ny_free(k->solve);
}

static ny_status work_new(ny_ctx *ctx, const ny_primal *p, work *k) {
    ny_status st = NY_OK;
    NY_NEW_RAW(ctx, k->value, p->n);
    NY_NEW_RAW(ctx, k->first, p->n);
    NY_NEW_RAW(ctx, k->second, p->n);
    NY_NEW_RAW(ctx, k->q, p->n);
    NY_NEW_RAW(ctx, k->scratch, 4 * p->n);
    NY_NEW_RAW(ctx, k->grad, p->P->r + 1);
    NY_NEW_RAW(ctx, k->step, p->P->r + 1);
    NY_NEW_RAW(ctx, k->solve, p->P->r + 1);
done:
    return st;
}

/* Objective, s, d, gradient and gap at x. */
static void look(const ny_primal *p, work *k, ny_machine_point *x) {
    const ny_problem *P = p->P;
    double losses = 0, unbalanced = 0;
    p->loss.loss->at(&p->loss, p->n, p->y, x->f, k->value, k->first, k->second);
    for (int64_t i = 0; i < p->n; i++) {
        double weight = x->C * p->v[i];
        losses += weight * k->value[i];
        k->second[i] *= weight;
        unbalanced += weight * k->first[i];
        k->first[i] *= weight / P->u[i]; /* G is scaled by u */
    }
    memcpy(k->grad, x->w, (size_t)P->r * sizeof *k->grad);
    ny_gemv(false, P->r, p->n, 1.0, P->G, P->ldg, k->first, 1.0, k->grad);
    k->half = 0.5 * ny_dot(P->r, x->w, x->w);
    x->objective = k->half + losses;
    x->gap = 0.5 * ny_dot(P->r, k->grad, k->grad) + (P->bias ? fabs(x->b * unbalanced) : 0);
}

static bool any_active(const ny_primal *p, const double *d) {
    for (int64_t i = 0; i < p->n; i++)
        if (d[i] > 0) return true;
    return false;
}

/* Losses with corners have curvature at corners only. Far from the minimum it is averaged over a part of the way that
 * the last step went, and where every row is beyond its corner over as much as it takes to meet one. */
static void look_further(const ny_primal *p, work *k, const ny_machine_point *x) {
    double range = STRIDE * k->moved;
    bool flat = !any_active(p, k->second);
    for (int wider = 0; wider < 60 && (flat || (wider == 0 && range > p->loss.width)); wider++) {
        range = fmax(wider ? 2 * range : range, p->loss.width);
        ny_primal_mean_curvature(p, x->f, range, k->scratch, k->second);
        for (int64_t i = 0; i < p->n; i++) k->second[i] *= x->C * p->v[i];
        flat = !any_active(p, k->second);
    }
}

static ny_status take_step(ny_ctx *ctx, const ny_primal *p, work *k, ny_machine_point *x) {
    ny_status st = NY_OK;
    const ny_problem *P = p->P;
    ny_curvature c = {0};
    double shift = 0, moved = 0;
    if (p->loss.loss->rounding) look_further(p, k, x);
    NY_TRY(ny_curvature_make(ctx, p, k->second, false, &c));
    for (int64_t a = 0; a < P->r; a++) k->step[a] = -k->grad[a];
    ny_curvature_solve(&c, 1, k->step, k->solve);
    ny_gemv(true, P->r, p->n, 1.0, P->G, P->ldg, k->step, 0.0, k->q);
    for (int64_t i = 0; i < p->n; i++) k->q[i] /= P->u[i];
    for (int64_t a = 0; a < c.k && P->bias; a++) shift -= c.root[a] * c.root[a] * k->q[c.row[a]] / c.total;
    ny_line line = {p,    x->C,      ny_dot(P->r, x->w, k->step), ny_dot(P->r, k->step, k->step), shift, k->q,
                    x->f, k->scratch};
    double t = ny_primal_search(&line, &x->b, x->f);
    for (int64_t a = 0; a < P->r; a++) x->w[a] += t * k->step[a];
    for (int64_t i = 0; i < p->n; i++) moved += (k->q[i] + shift) * (k->q[i] + shift) / (double)p->n;
    k->moved = sqrt(t * moved); /* between the whole step and what was taken of it */
    x->steps++;
done:
    ny_curvature_clear(&c);
    return st;
}

ny_status ny_newton(ny_ctx *ctx, const ny_primal *p, double tol, ny_machine_point *x) {
    ny_status st = NY_OK;
    work k = {0};
    double before = INFINITY;
    NY_TRY(work_new(ctx, p, &k));
    ny_primal_bias(p, k.scratch, &x->b, x->f);
    k.moved = ny_primal_error(p, x->f, (ny_weighed *)k.scratch) / 2; /* 4 n numbers are room enough */
    for (int step = 0;; step++) {
        look(p, &k, x);
        if (x->gap <= tol * k.half || !(x->objective < before) || step == STEPS) break;
        if (ny_should_stop(ctx)) NY_FAIL(ctx, NY_STOPPED, "stopped");
        before = x->objective;
        NY_TRY(take_step(ctx, p, &k, x));
    }
done:
    work_clear(&k);
    return st;
}

ny_status ny_newton_sharp(ny_ctx *ctx, const ny_primal *p, double tol, ny_machine_point *x) {
    ny_status st = NY_OK;
    ny_primal rounded = *p;
    for (int shrink = 0; shrink < 20; shrink++) {
        double rounding = 0;
        NY_TRY(ny_newton(ctx, &rounded, tol / 2, x));
        if (!p->loss.loss->rounding) break;
        ny_loss_params corner = rounded.loss;
        corner.width = 0;
        double sharp = 0.5 * ny_dot(p->P->r, x->w, x->w);
        for (int64_t i = 0; i < p->n; i++) {
            double weight = x->C * p->v[i];
            if (weight > 0) rounding += weight * p->loss.loss->rounding(&rounded.loss, p->y[i], x->f[i]);
            if (weight > 0) sharp += weight * ny_loss_value(&corner, p->y[i], x->f[i]);
        }
        x->objective = sharp;
        x->gap += rounding;
        if (x->gap <= tol * sharp) break;
        rounded.loss.width /= 8;
    }
done:
    return st;
}

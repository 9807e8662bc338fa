/* leave_exact.c: t-FBIF of Liu et al. 2018 (eq. 11) for any loss: the machine and the kernel matrix are exact, and the
 * low rank is in the inverse alone.                                                            docs/math.md, eq. 132
 *
 * With s = C v loss', d = C v loss'' at the outputs f of the exact machine, n and m the weights of all rows and of fold
 * f, and c = (n s|f - m s) / (n - m), the outputs of the machine without the fold are f + delta to first order,
 *     delta = (I + K D)^-1 K c  ~  z - A'H^-1 A D z,     z = K c,   H = I + A D A',   A'A = K~,
 * A the low-rank features. Where there is a bias A and both sides of K are centred by d, and sum c / sum d is added. */
#include <string.h>

#include "factor/factor.h"
#include "leaving.h"
#include "linalg/linalg.h"

static const double EXACT = 1e-12; /* gap over |w|^2 / 2 of the exact machine */

typedef struct { /* the exact machine */
    ny_factor factor;
    ny_problem P;
    ny_primal p;
    ny_machine_point x;
} exact;

static void release(exact *e) {
    ny_point_clear(&e->x);
    e->p.P = NULL; /* y and v are borrowed */
    ny_factor_clear(&e->factor);
}

/* The same problem in features of all rows, scaled by u as those of low rank are, and its machine at C. */
static ny_status train_exact(ny_ctx *ctx, const ny_primal *p, double C, exact *e) {
    ny_status st = NY_OK;
    const ny_problem *P = p->P;
    ny_factor_spec spec = {.method = &ny_landmark_uniform, .landmarks = P->n, .tol = 1e-14};
    NY_TRY(ny_factor_make(ctx, P->kernel, P->X, &spec, &e->factor));
    const ny_factor *f = &e->factor;
    for (int64_t i = 0; i < f->n; i++)
        for (int64_t k = 0; k < f->r; k++) f->G[k + i * f->ldg] *= P->u[i];
    e->P = *P;
    e->P.r = f->r;
    e->P.G = f->G;
    e->P.ldg = f->ldg;
    e->p = *p;
    e->p.P = &e->P;
    NY_TRY(ny_point_new(ctx, &e->p, &e->x));
    for (int k = 12; k >= 0; k -= 3) { /* up to C in steps: from w = 0 a large one would go nowhere */
        e->x.C = C * exp2(-k);
        NY_TRY(ny_newton(ctx, &e->p, k > 0 ? 1e-4 : EXACT, &e->x));
    }
done:
    return st;
}

/* c of fold f (n), less d sum c / sum d where there is a bias; returns that share, which every output gets. */
static double coefficients(const ny_leaving *l, int64_t f, double *c) {
    const ny_problem *P = l->p->P;
    double all = 0, out = 0, sum = 0;
    for (int64_t i = 0; i < P->n; i++) all += l->p->v[i];
    for (int64_t i = P->fold_start[f]; i < P->fold_start[f + 1]; i++) out += l->p->v[i];
    for (int64_t i = 0; i < P->n; i++) {
        bool inside = i >= P->fold_start[f] && i < P->fold_start[f + 1];
        c[i] = ((inside ? all : 0) - out) * l->s[i] / (all - out);
        sum += c[i];
    }
    double share = P->bias && l->c.k > 0 ? sum / l->c.total : 0;
    for (int64_t i = 0; i < P->n; i++) c[i] -= share * l->d[i];
    return share;
}

/* z (n) = K c, less its mean by d where there is a bias. w: room for a weight vector. */
static void kernel_product(const ny_leaving *l, const ny_problem *P, double *c, double *w, double *z) {
    double mean = 0;
    for (int64_t i = 0; i < P->n; i++) c[i] /= P->u[i]; /* columns are scaled */
    ny_gemv(false, P->r, P->n, 1.0, P->G, P->ldg, c, 0.0, w);
    ny_gemv(true, P->r, P->n, 1.0, P->G, P->ldg, w, 0.0, z);
    for (int64_t i = 0; i < P->n; i++) {
        z[i] /= P->u[i];
        mean += l->d[i] * z[i];
    }
    for (int64_t i = 0; i < P->n && P->bias && l->c.k > 0; i++) z[i] -= mean / l->c.total;
}

ny_status ny_leave_exact(ny_ctx *ctx, const ny_primal *p, ny_machine_point *x, double *F) {
    ny_status st = NY_OK;
    const ny_problem *P = p->P;
    exact e = {0};
    ny_leaving l = {0}; /* slopes and curvatures of the exact machine, and H of the low-rank features */
    double *c = NULL, *z = NULL, *w = NULL, *room = NULL;
    if (P->kernel) NY_TRY(train_exact(ctx, p, x->C, &e));
    const ny_machine_point *at = P->kernel ? &e.x : x;
    const ny_problem *whole = P->kernel ? &e.P : P;
    NY_TRY(ny_leaving_new(ctx, p, at, false, 0, &l));
    NY_NEW_RAW(ctx, c, P->n);
    NY_NEW_RAW(ctx, z, P->n);
    NY_NEW_RAW(ctx, w, whole->r + P->r);
    NY_NEW_RAW(ctx, room, l.c.k + 1);
    for (int64_t f = 0; f < P->folds; f++) {
        int64_t first = P->fold_start[f], count = P->fold_start[f + 1] - first;
        double share = coefficients(&l, f, c), sum = 0;
        if (count == 0) continue;
        kernel_product(&l, whole, c, w, z);
        for (int64_t i = 0; i < P->n; i++) { /* A D z */
            c[i] = l.d[i] * z[i] / P->u[i];
            sum += l.d[i] * z[i];
        }
        ny_gemv(false, P->r, P->n, 1.0, P->G, P->ldg, c, 0.0, w);
        for (int64_t k = 0; k < P->r; k++) w[k] -= sum * l.c.centre[k];
        ny_curvature_solve(&l.c, 1, w, room);
        ny_gemv(true, P->r, count, 1.0, P->G + first * P->ldg, P->ldg, w, 0.0, F + first);
        double centre = ny_dot(P->r, l.c.centre, w);
        for (int64_t i = first; i < first + count; i++) F[i] = at->f[i] + z[i] - (F[i] / P->u[i] - centre) + share;
    }
done:
    ny_leaving_clear(&l);
    release(&e);
    ny_free(c);
    ny_free(z);
    ny_free(w);
    ny_free(room);
    return st;
}

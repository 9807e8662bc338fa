/* leaving.c: see leaving.h. */
#include "leaving.h"

#include <string.h>

#include "linalg/linalg.h"

void ny_leaving_clear(ny_leaving *l) {
    ny_free(l->s);
    ny_free(l->d);
    ny_free(l->S);
    ny_free(l->beta);
    ny_curvature_clear(&l->c);
    *l = (ny_leaving){0};
}

static ny_status sum_folds(ny_ctx *ctx, ny_leaving *l) {
    ny_status st = NY_OK;
    const ny_problem *P = l->p->P;
    double *weight = NULL;
    NY_NEW_RAW(ctx, weight, P->n);
    NY_NEW_RAW(ctx, l->S, ny_size3(P->r, P->folds, 1) + 1);
    NY_NEW(ctx, l->beta, P->folds);
    for (int64_t i = 0; i < P->n; i++) weight[i] = l->s[i] / P->u[i];
    for (int64_t f = 0; f < P->folds; f++) {
        int64_t first = P->fold_start[f], count = P->fold_start[f + 1] - first;
        double *S = l->S + f * P->r;
        memset(S, 0, (size_t)P->r * sizeof *S);
        if (count > 0) ny_gemv(false, P->r, count, 1.0, P->G + first * P->ldg, P->ldg, weight + first, 0.0, S);
        for (int64_t i = first; i < first + count; i++) l->beta[f] += l->s[i];
        for (int64_t a = 0; a < P->r; a++) S[a] -= l->beta[f] * l->c.centre[a];
    }
done:
    ny_free(weight);
    return st;
}

ny_status ny_leaving_new(ny_ctx *ctx, const ny_primal *p, const ny_machine_point *x, bool folds, double range,
                         ny_leaving *l) {
    ny_status st = NY_OK;
    double *room = NULL;
    *l = (ny_leaving){.p = p, .x = x};
    NY_NEW_RAW(ctx, room, 4 * p->n);
    NY_NEW_RAW(ctx, l->s, p->n);
    NY_NEW_RAW(ctx, l->d, p->n);
    p->loss.loss->at(&p->loss, p->n, p->y, x->f, room, l->s, l->d);
    if (range > 0) ny_primal_mean_curvature(p, x->f, range, room, l->d);
    for (int64_t i = 0; i < p->n; i++) {
        l->s[i] *= x->C * p->v[i];
        l->d[i] *= x->C * p->v[i];
    }
    NY_TRY(ny_curvature_make(ctx, p, l->d, folds, &l->c));
    if (folds) NY_TRY(sum_folds(ctx, l));
done:
    ny_free(room);
    if (st != NY_OK) ny_leaving_clear(l);
    return st;
}

void ny_leaving_first_order(ny_leaving *l) {
    const ny_problem *P = l->p->P;
    double all = 0;
    for (int64_t i = 0; i < P->n; i++) all += l->p->v[i];
    for (int64_t f = 0; f < P->folds; f++) {
        double out = 0, *S = l->S + f * P->r;
        for (int64_t i = P->fold_start[f]; i < P->fold_start[f + 1]; i++) out += l->p->v[i];
        for (int64_t a = 0; a < P->r; a++) S[a] = (all * S[a] + out * l->x->w[a]) / (all - out);
        l->beta[f] *= all / (all - out);
    }
}

void ny_leaving_outputs(const ny_leaving *l, int64_t count, const double *D, double *q) {
    const ny_problem *P = l->p->P;
    ny_gemm(true, false, P->n, count, P->r, 1.0, P->G, P->ldg, D, P->r, 0.0, q, P->n);
    for (int64_t k = 0; k < count; k++) {
        double centre = ny_dot(P->r, l->c.centre, D + k * P->r);
        for (int64_t i = 0; i < P->n; i++) q[i + k * P->n] = q[i + k * P->n] / P->u[i] - centre;
    }
}

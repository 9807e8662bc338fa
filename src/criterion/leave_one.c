/* leave_one.c: leave-one-out for any loss by one Newton step of the problem without the row, exact for the squared
 * loss.
 *
 *     f_i(loo) = f_i + S_ii s_i / (1 - d_i S_ii),   S_ii = (g_i - g0)' H^-1 (g_i - g0) + 1 / sum d
 *                                                                                              docs/math.md, eq. 82
 * Rows without a slope (outside the margin) are where they were. */
#include <math.h>

#include "base/threads.h"
#include "leaving.h"
#include "linalg/linalg.h"

enum { WIDTH = 128 };

typedef struct {
    const ny_leaving *l;
    int64_t count, *row; /* the rows with a slope */
    double *scratch;     /* threads x stride */
    int64_t stride;
    double *F;
    double *s, *d; /* n: l->s and l->d, of rows with copies the sums over their group */
} job;

static void tile(void *arg, int64_t first, int64_t count, int thread) {
    job *b = arg;
    const ny_leaving *l = b->l;
    const ny_curvature *c = &l->c;
    const ny_problem *P = l->p->P;
    double *g = b->scratch + thread * b->stride, *half = g + P->r * WIDTH;
    double share = P->bias && c->k > 0 ? 1 / c->total : 0;
    int64_t m = c->dual ? c->k : P->r;
    for (int64_t k = 0; k < count; k++) {
        int64_t i = b->row[first + k];
        for (int64_t a = 0; a < P->r; a++) g[a + k * P->r] = P->G[a + i * P->ldg] / P->u[i] - c->centre[a];
    }
    if (c->dual) ny_gemm(true, false, m, count, P->r, 1.0, c->A, P->r, g, P->r, 0.0, half, m);
    if (m > 0) ny_trsm(false, m, count, c->L, m, c->dual ? half : g, m);
    for (int64_t k = 0; k < count; k++) {
        int64_t i = b->row[first + k];
        double S = ny_dot(P->r, g + k * P->r, g + k * P->r) + share;
        if (c->dual) S -= ny_dot(m, half + k * m, half + k * m);
        b->F[i] += S * b->s[i] / fmax(1 - b->d[i] * S, 1e-12);
    }
}

/* Slopes and curvatures that go when a row goes, and its copies with it. */
static ny_status sum_copies(ny_ctx *ctx, const ny_problem *P, job *b) {
    ny_status st = NY_OK;
    const ny_together *t = P->together;
    double *s = NULL, *d = NULL;
    NY_NEW(ctx, s, t->groups);
    NY_NEW(ctx, d, t->groups);
    NY_NEW_RAW(ctx, b->s, P->n);
    NY_NEW_RAW(ctx, b->d, P->n);
    for (int64_t i = 0; i < P->n; i++)
        if (t->group[i] >= 0) s[t->group[i]] += b->l->s[i], d[t->group[i]] += b->l->d[i];
    for (int64_t i = 0; i < P->n; i++) {
        b->s[i] = t->group[i] >= 0 ? s[t->group[i]] : b->l->s[i];
        b->d[i] = t->group[i] >= 0 ? d[t->group[i]] : b->l->d[i];
    }
done:
    ny_free(s);
    ny_free(d);
    return st;
}

ny_status ny_leave_one(ny_ctx *ctx, const ny_primal *p, ny_machine_point *x, double *F) {
    ny_status st = NY_OK;
    ny_leaving l = {0};
    job b = {.l = &l, .F = F};
    NY_TRY(ny_leaving_new(ctx, p, x, false, 0, &l));
    if (p->P->together) NY_TRY(sum_copies(ctx, p->P, &b));
    else b.s = l.s, b.d = l.d;
    b.stride = WIDTH * (p->P->r + l.c.k);
    if (!l.c.dual) b.stride = WIDTH * p->P->r;
    NY_NEW_RAW(ctx, b.row, p->n);
    NY_NEW_RAW(ctx, b.scratch, ny_size3(ny_threads(), b.stride, 1) + 1);
    for (int64_t i = 0; i < p->n; i++) {
        F[i] = x->f[i];
        if (b.s[i] != 0) b.row[b.count++] = i;
    }
    ny_for_tiles_cut(b.count, WIDTH, tile, &b);
done:
    if (p->P->together) {
        ny_free(b.s);
        ny_free(b.d);
    }
    ny_free(b.row);
    ny_free(b.scratch);
    ny_leaving_clear(&l);
    return st;
}

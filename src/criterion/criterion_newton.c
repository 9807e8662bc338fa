/* criterion_newton.c: cross-validation by one Newton step of the problem without the fold, from the machine of all
 * rows; exact for the squared loss. Where the loss has corners, the curvature is averaged over the range in which the
 * outputs move: that at the solution itself sees none but the rows on a corner, and the step goes astray. A step that
 * makes J worse is not believed.
 *
 *     (H - A_f A_f') step = sum_f s_i g_i,   the bias eliminated                                  docs/math.md, eq. 81
 *
 * Few active rows in a fold: with B = A_f' H^-1 A_f + its part of the bias, only I - B of their size is factored; with
 * fewer active rows than features, it is a block of N^-1. Many: the curvature without the fold is factored anew. */
#include <math.h>
#include <string.h>

#include "base/threads.h"
#include "leaving.h"
#include "linalg/linalg.h"

enum { TOGETHER = 16 };             /* folds of one product */
static const double REFINED = 1e-6; /* gap over |w|^2 / 2, where a step is not trusted */

typedef struct {
    ny_ctx *ctx;
    const ny_leaving *l;
    double *inverse;      /* of L: multiplying by it is faster than solving */
    double *rhs, *shift;  /* r x folds, folds: the steps; first their right sides */
    const int64_t *first; /* folds + 1: active rows */
    ny_status *status;    /* folds */
    bool *broken;         /* folds: the step is worth nothing */
} job;

static double largest_square(int64_t m, const double *L) {
    double top = 0;
    for (int64_t i = 0; i < m; i++) top = fmax(top, L[i + i * m] * L[i + i * m]);
    return top;
}

/* M = L L' in place; false where the rounding of the curvature, 1e-16 of its largest entries and more, reaches M's
 * pivots: C is very large. */
static bool sound_factor(const ny_curvature *c, int64_t k, double *M) {
    double least = INFINITY, top = largest_square(c->dual ? c->k : c->r, c->L);
    if (!ny_chol(k, M, k)) return false;
    for (int64_t i = 0; i < k; i++) least = fmin(least, M[i + i * k] * M[i + i * k]);
    return least > 1e-12 * top;
}

/* Row form: rhs becomes sum_f s g + A_f e with (I - B) e = A_f' H^-1 sum_f s g, so that the step is H^-1 rhs.
 * z: H^-1 sum_f s g. */
static ny_status by_rows(const job *b, int64_t f, const double *z) {
    ny_status st = NY_OK;
    const ny_leaving *l = b->l;
    const ny_curvature *c = &l->c;
    int64_t r = c->r, first = b->first[f], k = b->first[f + 1] - first;
    bool bias = l->p->P->bias;
    double *A = NULL, *V = NULL, *M = NULL, *e = NULL, rest = c->total;
    const double *root = c->root + first;
    for (int64_t i = 0; i < k; i++) rest -= root[i] * root[i];
    if (!(rest > 1e-10 * c->total)) bias = false; /* nothing left that holds it */
    NY_NEW_RAW(b->ctx, A, r * k + 1);
    NY_NEW(b->ctx, M, k * k + 1);
    NY_NEW_RAW(b->ctx, e, k + 1);
    ny_curvature_rows(c, l->p, first, k, A);
    if (c->dual) {
        ny_gram(k, c->k - first, 1.0, b->inverse + first + first * c->k, c->k, 0.0, M, k);
    } else {
        NY_NEW_RAW(b->ctx, V, r * k + 1);
        memcpy(V, A, (size_t)(r * k) * sizeof *V);
        if (k > 0) ny_trmm(false, r, k, b->inverse, r, V, r);
        for (int64_t i = 0; i < k; i++) M[i + i * k] = 1;
        ny_gram(k, r, -1.0, V, r, 1.0, M, k);
    }
    if (bias) ny_syr(k, -1 / c->total, root, M, k);
    for (int64_t i = 0; i < k; i++) e[i] = ny_dot(r, A + i * r, z) + (bias ? root[i] * l->beta[f] / c->total : 0);
    b->broken[f] = !sound_factor(c, k, M);
    if (b->broken[f]) memset(e, 0, (size_t)k * sizeof *e);
    else if (k > 0) ny_chol_solve(k, 1, M, k, e, k);
    for (int64_t i = 0; i < k; i++)
        for (int64_t a = 0; a < r; a++) b->rhs[a + f * r] += A[a + i * r] * e[i];
    b->shift[f] = bias && c->k > 0 ? (l->beta[f] + ny_dot(k, root, e)) / c->total : 0;
done:
    ny_free(A);
    ny_free(V);
    ny_free(M);
    ny_free(e);
    return st;
}

/* The curvature without the fold: with a = A_f root_f and the total d left T,
 *     (H - A_f A_f' - a a'/T) step = sum_f s g + beta a / T,   shift = (beta + a'step) / T. */
static ny_status by_curvature(const job *b, int64_t f) {
    ny_status st = NY_OK;
    const ny_leaving *l = b->l;
    const ny_curvature *c = &l->c;
    int64_t r = c->r, first = b->first[f], k = b->first[f + 1] - first;
    double *A = NULL, *H = NULL, *a = NULL, *step = b->rhs + f * r, rest = c->total;
    NY_NEW_RAW(b->ctx, A, ny_size3(r, k, 1));
    NY_NEW_RAW(b->ctx, H, ny_size3(r, r, 1));
    NY_NEW_RAW(b->ctx, a, r);
    for (int64_t i = 0; i < k; i++) rest -= c->root[first + i] * c->root[first + i];
    bool bias = l->p->P->bias && rest > 1e-10 * c->total;
    memcpy(H, c->H, (size_t)(r * r) * sizeof *H);
    ny_curvature_rows(c, l->p, first, k, A);
    ny_syrk(r, k, -1.0, A, r, 1.0, H, r);
    ny_gemv(false, r, k, 1.0, A, r, c->root + first, 0.0, a);
    if (bias) ny_syr(r, -1 / rest, a, H, r);
    for (int64_t i = 0; i < r && bias; i++) step[i] += l->beta[f] * a[i] / rest;
    b->broken[f] = !ny_chol(r, H, r);
    if (b->broken[f]) memset(step, 0, (size_t)r * sizeof *step);
    else ny_chol_solve(r, 1, H, r, step, r);
    b->shift[f] = bias ? (l->beta[f] + ny_dot(r, a, step)) / rest : 0;
done:
    ny_free(A);
    ny_free(H);
    ny_free(a);
    return st;
}

/* Whether the fold's own rows are fewer than half of the features. */
static bool few(const job *b, int64_t f) {
    return b->l->c.dual || 2 * (b->first[f + 1] - b->first[f]) < b->l->c.r;
}

static void step_tile(void *arg, int64_t first, int64_t count, int thread) {
    (void)thread;
    job *b = arg;
    const double *z = b->l->S;
    for (int64_t f = first; f < first + count; f++)
        b->status[f] = few(b, f) ? by_rows(b, f, z + f * b->l->c.r) : by_curvature(b, f);
}

/* Where each fold's active rows begin, and L^-1. */
static ny_status begin(ny_ctx *ctx, ny_leaving *l, int64_t **first, double **inverse) {
    ny_status st = NY_OK;
    const ny_problem *P = l->p->P;
    int64_t k = 0;
    NY_NEW_RAW(ctx, *first, P->folds + 1);
    for (int64_t f = 0; f <= P->folds; f++) {
        while (k < l->c.k && l->c.row[k] < P->fold_start[f]) k++;
        (*first)[f] = k;
    }
    int64_t m = l->c.dual ? l->c.k : l->c.r;
    NY_NEW(ctx, *inverse, ny_size3(m, m, 1) + 1);
    for (int64_t j = 0; j < m; j++)
        memcpy(*inverse + j + j * m, l->c.L + j + j * m, (size_t)(m - j) * sizeof **inverse);
    if (m > 0) ny_triangle_inverse(m, *inverse, m);
done:
    return st;
}

/* A step that rounding has spoilt or that does not lower J without the fold is not to be trusted: the fold is left out
 * in earnest, by a few more steps (after a stop the spoilt ones only). q: what the step does to the outputs. */
static ny_status refine(const job *b, int64_t f, const double *q, double *F) {
    ny_status st = NY_OK;
    const ny_primal *p = b->l->p;
    const ny_problem *P = p->P;
    int64_t n = p->n, first = P->fold_start[f], count = P->fold_start[f + 1] - first;
    const double *D = b->rhs + f * P->r, *w = b->l->x->w;
    double *room = NULL;
    ny_machine_point x = {0};
    if (b->ctx->stopped && !b->broken[f]) return NY_OK;
    NY_NEW_RAW(b->ctx, room, 5 * n);
    ny_primal without = ny_primal_without(p, first, count, room + 4 * n);
    ny_line line = {&without, b->l->x->C, ny_dot(P->r, w, D), ny_dot(P->r, D, D), b->shift[f], q, b->l->x->f, room};
    if (!b->broken[f] && ny_line_falls(&line)) goto done;
    NY_TRY(ny_point_copy(b->ctx, p, b->l->x, &x));
    double t = ny_primal_search(&line, &x.b, x.f);
    for (int64_t a = 0; a < P->r; a++) x.w[a] += t * D[a];
    x.b -= t * ny_dot(P->r, b->l->c.centre, D);
    NY_TRY(ny_newton(b->ctx, &without, REFINED, &x));
    memcpy(F + first, x.f + first, (size_t)count * sizeof *F);
done:
    ny_free(room);
    ny_point_clear(&x);
    return st;
}

typedef struct {
    const job *b;
    int64_t from;
    const double *q; /* n x folds from there on */
    double *F;
} refine_job;

static void refine_tile(void *arg, int64_t first, int64_t count, int thread) {
    (void)thread;
    refine_job *r = arg;
    for (int64_t f = first; f < first + count; f++)
        r->b->status[r->from + f] = refine(r->b, r->from + f, r->q + f * r->b->l->p->n, r->F);
}

/* Outputs without each fold, and by how much the other rows' outputs moved (root mean square). */
static ny_status take_steps(const job *b, bool last, double *F, double *moved) {
    ny_status st = NY_OK;
    const ny_problem *P = b->l->p->P;
    int64_t n = P->n, together = P->folds < TOGETHER ? P->folds : TOGETHER;
    const double *v = b->l->p->v;
    double *q = NULL, sum = 0, weight = 0;
    NY_NEW_RAW(b->ctx, q, ny_size3(n, together, 1));
    for (int64_t from = 0; from < P->folds; from += together) {
        int64_t count = P->folds - from < together ? P->folds - from : together;
        ny_leaving_outputs(b->l, count, b->rhs + from * P->r, q);
        for (int64_t f = from; f < from + count; f++)
            for (int64_t i = 0; i < n; i++) {
                double change = q[i + (f - from) * n] + b->shift[f];
                if (i >= P->fold_start[f] && i < P->fold_start[f + 1]) F[i] = b->l->x->f[i] + change;
                else sum += v[i] * change * change, weight += v[i];
            }
        refine_job r = {b, from, q, F};
        if (last) ny_for_tiles(count, 1, refine_tile, &r);
        for (int64_t f = from; f < from + count; f++) NY_TRY(b->status[f]);
    }
    *moved = sqrt(sum / weight);
done:
    ny_free(q);
    return st;
}

static ny_status leave_over(ny_ctx *ctx, const ny_primal *p, const ny_machine_point *x, double range, bool last,
                            double *F, double *moved) {
    ny_status st = NY_OK;
    int64_t r = p->P->r, folds = p->P->folds, *first = NULL;
    ny_leaving l = {0};
    job b = {.ctx = ctx, .l = &l};
    double *scratch = NULL;
    NY_TRY(ny_leaving_new(ctx, p, x, true, range, &l));
    NY_TRY(begin(ctx, &l, &first, &b.inverse));
    b.first = first;
    NY_NEW(ctx, b.status, folds);
    NY_NEW(ctx, b.broken, folds);
    NY_NEW(ctx, b.shift, folds);
    NY_NEW_RAW(ctx, b.rhs, ny_size3(r, folds, 1) + 1);
    NY_NEW_RAW(ctx, scratch, ny_size3(l.c.k + 1, folds, 1));
    memcpy(b.rhs, l.S, (size_t)(r * folds) * sizeof *b.rhs);
    ny_curvature_solve(&l.c, folds, l.S, scratch);
    ny_for_tiles(folds, 1, step_tile, &b);
    for (int64_t f = 0; f < folds; f++) NY_TRY(b.status[f]);
    for (int64_t f = 0; f < folds; f++)
        if (few(&b, f)) ny_curvature_solve(&l.c, 1, b.rhs + f * r, scratch);
    NY_TRY(take_steps(&b, last, F, moved));
done:
    ny_leaving_clear(&l);
    ny_free(first);
    ny_free(b.inverse);
    ny_free(b.status);
    ny_free(b.broken);
    ny_free(b.shift);
    ny_free(b.rhs);
    ny_free(scratch);
    return st;
}

/* A loss with corners has its curvature there only, and outputs move past corners when a fold is left out. What counts
 * is the mean curvature over the way, so the range is one and a half times what the outputs move: as with the last C
 * (it grows about as the cube root of C), or as a first try with half of the errors tells. */
static ny_status leave(ny_ctx *ctx, const ny_primal *p, ny_machine_point *x, double *F) {
    ny_status st = NY_OK;
    double moved, guess = x->moved;
    ny_weighed *scratch = NULL;
    if (!p->loss.loss->rounding) return leave_over(ctx, p, x, 0, true, F, &moved);
    if (!(guess > 0)) {
        NY_NEW_RAW(ctx, scratch, p->n);
        NY_TRY(leave_over(ctx, p, x, 0.5 * ny_primal_error(p, x->f, scratch), false, F, &guess));
    }
    NY_TRY(leave_over(ctx, p, x, 1.5 * guess, true, F, &moved));
    x->moved = moved;
done:
    ny_free(scratch);
    return st;
}

const ny_criterion ny_criterion_newton = {
    .name = "newton",
    .help = "v-fold cross-validation by one Newton step from the machine of all rows; exact for the squared loss",
    .folds = true,
    .iterative = &(const ny_iterative){leave, NULL, ny_path_cost},
};

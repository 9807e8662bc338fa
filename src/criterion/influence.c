/* influence.c: see influence.h.
 *
 * With the moments of the fold (S_f, p_f, R_f, t_f, s_f; ridge.h), g0 = p/s and e = y - g'w - u b, the sums over it are
 *     eps_f = sum u e = t_f - p_f'w - s_f b,     a_f = sum e (g - u g0) = R_f - S_f w - p_f b - g0 eps_f,
 * and the machine without the fold is, to first order (n and m: weights of all rows and of the fold),
 *     w_f = w + (A + I/C)^-1 (m w / C - n a_f) / (n - m),     b_f = b - g0'(w_f - w) - n eps_f / ((n - m) s).
 *                                                                                           docs/math.md, eq. 83, 130
 * A = Q T Q' is reduced once. A further C takes a factor of T + I/C, which serves every fold, a few products with r x r
 * matrices and one with the rows. Many small folds have no moments of their own: their rows give the sums. */
#include "influence.h"

#include <string.h>

#include "base/threads.h"
#include "linalg/linalg.h"
#include "spectral.h"
#include "tridiagonal.h"

typedef struct {
    ny_problem *problem;
    ny_moments all;     /* centred; S has become Q */
    double *diag, *off; /* T: r each, of off one less */
    double *z;          /* r x q: Q'c */
    double trace;
    ny_moments *fold; /* folds; NULL: by rows */
    bool rotated;     /* the problem's G has become Psi (spectral.h) */
} state;

static void release(void *v) {
    state *s = v;
    if (!s) return;
    for (int64_t f = 0; s->fold && f < s->problem->folds; f++) ny_moments_free(&s->fold[f]);
    ny_free(s->fold);
    ny_moments_free(&s->all);
    ny_free(s->diag);
    ny_free(s->off);
    ny_free(s->z);
    ny_free(s);
}

static int64_t fold_size(const ny_problem *P, int64_t f) {
    return P->fold_start[f + 1] - P->fold_start[f];
}

static void moments_tile(void *arg, int64_t first, int64_t count, int thread) {
    (void)thread;
    state *s = arg;
    for (int64_t f = first; f < first + count; f++) {
        ny_moments_of(s->problem, s->problem->fold_start[f], fold_size(s->problem, f), &s->fold[f]);
        ny_mirror(s->problem->r, s->fold[f].S, s->problem->r);
    }
}

/* Moments of every fold where their products with w take fewer flops than those of the rows; and of all rows. */
static ny_status sum_up(ny_ctx *ctx, state *s) {
    ny_status st = NY_OK;
    ny_problem *P = s->problem;
    NY_TRY(ny_moments_new(ctx, P->r, P->q, &s->all));
    if (P->folds * P->r > 2 * P->n) {
        ny_moments_of(P, 0, P->n, &s->all);
        goto done;
    }
    NY_NEW(ctx, s->fold, P->folds);
    for (int64_t f = 0; f < P->folds; f++) NY_TRY(ny_moments_new(ctx, P->r, P->q, &s->fold[f]));
    ny_for_tiles_cut(P->folds, 1, moments_tile, s);
    for (int64_t f = 0; f < P->folds; f++) ny_moments_add(&s->all, &s->fold[f]);
done:
    return st;
}

static ny_status prepare(ny_ctx *ctx, ny_problem *P, int64_t expected, void **out) {
    (void)expected;
    ny_status st = NY_OK;
    state *s = NULL;
    double *tau = NULL;
    NY_NEW(ctx, s, 1);
    s->problem = P;
    NY_NEW(ctx, s->diag, P->r);
    NY_NEW(ctx, s->off, P->r);
    NY_NEW(ctx, tau, P->r);
    NY_NEW_RAW(ctx, s->z, ny_size3(P->r, P->q, 1));
    NY_TRY(sum_up(ctx, s));
    ny_moments_centre(&s->all, P->bias);
    for (int64_t i = 0; i < P->r; i++) s->trace += s->all.S[i + i * P->r];
    NY_TRY(ny_tridiag(ctx, P->r, s->all.S, P->r, s->diag, s->off, tau));
    NY_TRY(ny_tridiag_q(ctx, P->r, s->all.S, P->r, tau));
    ny_gemm(true, false, P->r, P->q, P->r, 1.0, s->all.S, P->r, s->all.R, P->r, 0.0, s->z, P->r);
    *out = s;
    s = NULL;
done:
    ny_free(tau);
    release(s);
    return st;
}

static double trace(const void *v) {
    return ((const state *)v)->trace;
}

/* V = (T + I/C)^-1 z, W = Q V and b, column c + k*j of each. scratch: r */
static void machines(const state *s, const ny_C_list *list, double *V, double *W, double *b, double *scratch) {
    const ny_problem *P = s->problem;
    int64_t r = P->r, k = list->k;
    for (int64_t j = 0; j < P->q; j++)
        for (int64_t c = 0; c < k; c++) {
            double *v = V + (c + k * j) * r;
            memcpy(v, s->z + j * r, (size_t)r * sizeof *v);
            ny_tridiag_solve(r, 1, s->diag, s->off, 1 / ny_C_at(list, c, j), v, r, scratch);
        }
    ny_gemm(false, false, r, k * P->q, r, 1.0, s->all.S, r, V, r, 0.0, W, r);
    for (int64_t j = 0; j < P->q; j++)
        for (int64_t c = 0; c < k; c++) ny_moments_bias(&s->all, P->bias, 1, &j, W + (c + k * j) * r, b + c + k * j);
}

enum { GROUP = 16 }; /* folds at a time: their products with Q are one */

typedef struct {
    const state *s;
    const ny_C_list *list;
    double *V, *W, *b; /* r x kq, r x kq, kq: the machines of all rows */
    double *a, *x;     /* r x kq x GROUP: sums over the folds, then w_f; and both in Q's coordinates */
    double *eps;       /* kq x GROUP */
    double *F;
    double *scratch; /* threads x stride: e (largest fold x kq) where sums are by rows, two rows of factors, or b_f */
    int64_t largest, stride;
    int64_t first, count; /* folds of the group */
} job;

/* a = sum e g, eps = sum u e of fold f, for every column. */
static void fold_sums(const job *o, int64_t f, double *a, double *eps, double *e) {
    const ny_problem *P = o->s->problem;
    int64_t r = P->r, k = o->list->k, kq = k * P->q, first = P->fold_start[f], m = fold_size(P, f);
    if (o->s->fold) {
        const ny_moments *fold = &o->s->fold[f];
        ny_gemm(false, false, r, kq, r, -1.0, fold->S, r, o->W, r, 0.0, a, r);
        for (int64_t c = 0; c < kq; c++) {
            eps[c] = fold->t[c / k] - ny_dot(r, fold->p, o->W + c * r) - fold->s * o->b[c];
            for (int64_t i = 0; i < r; i++) a[i + c * r] += fold->R[i + c / k * r] - fold->p[i] * o->b[c];
        }
        return;
    }
    const double *G = P->G + first * P->ldg, *u = P->u + first;
    ny_gemm(true, false, m, kq, r, -1.0, G, P->ldg, o->W, r, 0.0, e, m);
    for (int64_t c = 0; c < kq; c++) {
        for (int64_t i = 0; i < m; i++) e[i + c * m] += P->Y[first + i + P->n * (c / k)] - u[i] * o->b[c];
        eps[c] = ny_dot(m, u, e + c * m);
    }
    ny_gemm(false, false, r, kq, m, 1.0, G, P->ldg, e, m, 0.0, a, r);
}

static double fold_weight(const state *s, int64_t f) {
    const ny_problem *P = s->problem;
    double sum = 0;
    for (int64_t i = P->fold_start[f]; i < P->fold_start[f + 1]; i++) sum += P->u[i] * P->u[i];
    return sum;
}

/* a becomes -n a_f / (n - m) for the folds of the group. */
static void sums_tile(void *arg, int64_t first, int64_t count, int thread) {
    job *o = arg;
    const ny_problem *P = o->s->problem;
    const ny_moments *all = &o->s->all;
    int64_t r = P->r, kq = o->list->k * P->q;
    for (int64_t g = first; g < first + count; g++) {
        double *a = o->a + g * r * kq, *eps = o->eps + g * kq, n = all->s;
        double scale = -n / (n - fold_weight(o->s, o->first + g));
        fold_sums(o, o->first + g, a, eps, o->scratch + thread * o->stride);
        for (int64_t c = 0; c < kq; c++)
            for (int64_t i = 0; i < r; i++)
                a[i + c * r] = scale * (a[i + c * r] - (P->bias ? all->p[i] / n * eps[c] : 0));
    }
}

/* x becomes Q'w_f in these columns of every fold of the group: see above. A C is factored once for all of them. */
static void solve_tile(void *arg, int64_t first, int64_t count, int thread) {
    job *o = arg;
    const state *s = o->s;
    int64_t r = s->problem->r, k = o->list->k, kq = k * s->problem->q;
    double *l = o->scratch + thread * o->stride, *inverse = l + r;
    for (int64_t c = first; c < first + count; c++) {
        double mu = 1 / ny_C_at(o->list, c % k, c / k), *x = o->x + c * r;
        const double *v = o->V + c * r;
        for (int64_t g = 0; g < o->count; g++) {
            double m = fold_weight(s, o->first + g);
            for (int64_t i = 0; i < r; i++) x[i + g * r * kq] += m / (s->all.s - m) * mu * v[i];
        }
        ny_tridiag_factor(r, s->diag, s->off, mu, l, inverse);
        ny_tridiag_solve_with(r, o->count, l, inverse, x, r * kq);
        for (int64_t g = 0; g < o->count; g++)
            for (int64_t i = 0; i < r; i++) x[i + g * r * kq] += v[i];
    }
}

static void outputs_tile(void *arg, int64_t first, int64_t count, int thread) {
    job *o = arg;
    const ny_problem *P = o->s->problem;
    const ny_moments *all = &o->s->all;
    int64_t r = P->r, kq = o->list->k * P->q;
    double *b = o->scratch + thread * o->stride;
    for (int64_t g = first; g < first + count; g++) {
        int64_t f = o->first + g;
        const double *w = o->a + g * r * kq, *eps = o->eps + g * kq;
        double n = all->s, rest = n - fold_weight(o->s, f);
        if (fold_size(P, f) == 0) continue;
        for (int64_t c = 0; c < kq; c++) {
            b[c] = o->b[c];
            if (!P->bias) continue;
            double moved = ny_dot(r, all->p, w + c * r) - ny_dot(r, all->p, o->W + c * r);
            b[c] -= (moved + n / rest * eps[c]) / n;
        }
        ny_tri_predict(P, P->fold_start[f], fold_size(P, f), o->list->k, w, b, o->F);
    }
}

static ny_status held(ny_ctx *ctx, void *v, const ny_C_list *list, double *F) {
    ny_status st = NY_OK;
    const state *s = v;
    const ny_problem *P = s->problem;
    int64_t r = P->r, kq = list->k * P->q, most = P->folds < GROUP ? P->folds : GROUP;
    job o = {.s = s, .list = list, .F = F};
    for (int64_t f = 0; f < P->folds && !s->fold; f++)
        if (fold_size(P, f) > o.largest) o.largest = fold_size(P, f);
    o.stride = o.largest * kq > 2 * r + kq ? o.largest * kq : 2 * r + kq;
    NY_NEW_RAW(ctx, o.V, ny_size3(r, kq, 1));
    NY_NEW_RAW(ctx, o.W, ny_size3(r, kq, 1));
    NY_NEW_RAW(ctx, o.b, kq);
    NY_NEW_RAW(ctx, o.a, ny_size3(r, kq, most));
    NY_NEW_RAW(ctx, o.x, ny_size3(r, kq, most));
    NY_NEW_RAW(ctx, o.eps, kq * most);
    NY_NEW_RAW(ctx, o.scratch, ny_size3(ny_threads(), o.stride, 1));
    machines(s, list, o.V, o.W, o.b, o.scratch);
    for (o.first = 0; o.first < P->folds; o.first += GROUP) {
        o.count = P->folds - o.first < GROUP ? P->folds - o.first : GROUP;
        ny_for_tiles_cut(o.count, 1, sums_tile, &o);
        ny_gemm(true, false, r, kq * o.count, r, 1.0, s->all.S, r, o.a, r, 0.0, o.x, r);
        ny_for_tiles_cut(kq, 1, solve_tile, &o);
        ny_gemm(false, false, r, kq * o.count, r, 1.0, s->all.S, r, o.x, r, 0.0, o.a, r);
        ny_for_tiles_cut(o.count, 1, outputs_tile, &o);
    }
done:
    ny_free(o.V);
    ny_free(o.W);
    ny_free(o.b);
    ny_free(o.a);
    ny_free(o.x);
    ny_free(o.eps);
    ny_free(o.scratch);
    return st;
}

/* Leave-one-out of the same machines. The first order is no figure to tell: with the hat matrix H it takes e_i / (1 -
 * h_i) for about e_i (1 + h_i), at most twice the training error however close h_i comes to 1.   docs/math.md, eq. 16,
 * 83 */
static ny_status told(ny_ctx *ctx, void *v, const ny_C_list *list, double *F) {
    ny_status st = NY_OK;
    state *s = v;
    ny_spectral by_rows = {.problem = s->problem, .Q = s->all.S, .diag = s->diag, .off = s->off, .z = s->z};
    by_rows.moments = s->all;
    if (!s->rotated) NY_TRY(ny_spectral_rotate(ctx, &by_rows));
    s->rotated = true;
    NY_TRY(ny_spectral_form.held(ctx, &by_rows, list, F));
done:
    return st;
}

static ny_status solve(ny_ctx *ctx, void *v, const double *C, double *W, double *b) {
    ny_status st = NY_OK;
    const state *s = v;
    double *V = NULL, *scratch = NULL;
    ny_C_list list = {1, true, C};
    NY_NEW_RAW(ctx, V, ny_size3(s->problem->r, s->problem->q, 1));
    NY_NEW_RAW(ctx, scratch, s->problem->r);
    machines(s, &list, V, W, b, scratch);
done:
    ny_free(V);
    ny_free(scratch);
    return st;
}

static ny_status basis(ny_ctx *ctx, void *v, ny_basis *out) {
    (void)ctx;
    state *s = v;
    *out = (ny_basis){s->all.S, s->diag, s->off, s->all.p, s->all.s, s->rotated};
    s->all.S = s->diag = s->off = s->all.p = NULL;
    return NY_OK;
}

/* The moments, and the rotation of leave-one-out; reducing A and making Q take as long as 14 m^3 flops of products;
 * then for each C, output and fold three products with m x m matrices, and one with the rows. */
static ny_cost cost(const ny_size *s) {
    double square = s->m * s->m, by_fold = s->folds * s->m > 2 * s->n ? 0 : s->folds;
    double each = 6 * s->folds * square + 2 * s->n * s->m;
    return (ny_cost){3 * s->n * square + 14 * s->m * square + s->values * s->q * each, (1 + by_fold) * square};
}

const ny_closed_form ny_influence_form = {
    .prepare = prepare,
    .trace = trace,
    .held = held,
    .told = told,
    .solve = solve,
    .basis = basis,
    .release = release,
    .cost = cost,
};

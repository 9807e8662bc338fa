/* criterion_fbif.c: t-FBIF as Liu et al. 2018 print it (eq. 11): the machine f and the kernel matrix are exact,
 * and the low rank is in the inverse alone. (`bif` is of low rank throughout.) Here for squared losses; for the others
 * exact_influence.c.
 *
 * All scaled by u, K centred by it where there is a bias (with Y): (K + I/C) alpha = y, f = y - alpha / C. With n and m
 * the weights of all rows and of the fold, and alpha|f zero outside of it,
 *     f_f = f + (I - H~) K (m alpha - n alpha|f) / (n - m) - u n eps_f / ((n - m) s),    eps_f = sum_f u alpha / C,
 * H~ = Psi'(T + I/C)^-1 Psi the smoother of the low-rank machine.                             docs/math.md, eq. 131
 * K is reduced once to tridiagonal form and serves every C; of it the blocks of the folds and Psi K are kept.
 * A problem without the true kernel has K = G'G, and this is bif. */
#include <string.h>

#include "base/threads.h"
#include "exact_influence.h"
#include "linalg/linalg.h"
#include "spectral.h"

typedef struct {
    ny_problem low; /* the problem without its kernel */
    ny_spectral *spectral;
    double *K, *diag, *off, *tau; /* n x n, n each: the kernel matrix, reduced */
    double *N;                    /* r x n: Psi K */
    double *block;                /* the folds' own parts of K, one after the other */
    int64_t *at;                  /* folds: where they begin */
    double *y, *z;                /* n x q: centred targets; Q'y */
} state;

static void release(void *v) {
    state *s = v;
    if (!s) return;
    ny_spectral_free(s->spectral);
    ny_free(s->K);
    ny_free(s->diag);
    ny_free(s->off);
    ny_free(s->tau);
    ny_free(s->N);
    ny_free(s->block);
    ny_free(s->at);
    ny_free(s->y);
    ny_free(s->z);
    ny_free(s);
}

static int64_t fold_size(const ny_problem *P, int64_t f) {
    return P->fold_start[f + 1] - P->fold_start[f];
}

/* K: of the true kernel, both sides scaled by u, or G'G. */
static ny_status fill(ny_ctx *ctx, const ny_problem *P, double *K) {
    ny_status st = NY_OK;
    ny_kernel_side X = {0};
    int64_t n = P->n;
    if (!P->kernel) {
        ny_gram(n, P->r, 1.0, P->G, P->ldg, 0.0, K, n);
        ny_mirror(n, K, n);
        return st;
    }
    NY_TRY(ny_kernel_prepare(ctx, P->X, true, &X));
    ny_kernel_matrix(P->kernel, &X, &X, false, K, n);
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = 0; i < n; i++) K[i + j * n] *= P->u[i] * P->u[j];
done:
    ny_kernel_release(&X);
    return st;
}

/* K and Y between I - u u'/s on both sides. */
static ny_status centre(ny_ctx *ctx, state *s) {
    ny_status st = NY_OK;
    const ny_problem *P = &s->low;
    int64_t n = P->n;
    double *h = NULL, weight = ny_dot(n, P->u, P->u);
    memcpy(s->y, P->Y, (size_t)(n * P->q) * sizeof *s->y);
    if (!P->bias) return st;
    for (int64_t j = 0; j < P->q; j++) {
        double mean = ny_dot(n, P->u, s->y + j * n) / weight;
        for (int64_t i = 0; i < n; i++) s->y[i + j * n] -= mean * P->u[i];
    }
    NY_NEW_RAW(ctx, h, n); /* h = K u/s - u (u'K u)/(2 s^2): the centred K is K - h u' - u h' */
    ny_gemv(false, n, n, 1 / weight, s->K, n, P->u, 0.0, h);
    double half = ny_dot(n, P->u, h) / (2 * weight);
    for (int64_t i = 0; i < n; i++) h[i] -= half * P->u[i];
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = 0; i < n; i++) s->K[i + j * n] -= h[i] * P->u[j] + P->u[i] * h[j];
done:
    ny_free(h);
    return st;
}

static ny_status keep_blocks(ny_ctx *ctx, state *s) {
    ny_status st = NY_OK;
    const ny_problem *P = &s->low;
    int64_t total = 0;
    NY_NEW(ctx, s->at, P->folds);
    for (int64_t f = 0; f < P->folds; f++) s->at[f] = total, total += fold_size(P, f) * fold_size(P, f);
    NY_NEW_RAW(ctx, s->block, total);
    for (int64_t f = 0; f < P->folds; f++) {
        int64_t first = P->fold_start[f], m = fold_size(P, f);
        for (int64_t j = 0; j < m; j++)
            memcpy(s->block + s->at[f] + j * m, s->K + first + (first + j) * P->n, (size_t)m * sizeof *s->K);
    }
done:
    return st;
}

static ny_status prepare(ny_ctx *ctx, ny_problem *P, int64_t expected, void **out) {
    (void)expected;
    ny_status st = NY_OK;
    state *s = NULL;
    int64_t n = P->n, r = P->r;
    NY_NEW(ctx, s, 1);
    s->low = *P;
    s->low.kernel = NULL;
    NY_NEW_RAW(ctx, s->K, ny_size3(n, n, 1));
    NY_NEW(ctx, s->diag, n);
    NY_NEW(ctx, s->off, n);
    NY_NEW(ctx, s->tau, n);
    NY_NEW_RAW(ctx, s->N, ny_size3(r, n, 1));
    NY_NEW_RAW(ctx, s->y, ny_size3(n, P->q, 1));
    NY_NEW_RAW(ctx, s->z, ny_size3(n, P->q, 1));
    NY_TRY(fill(ctx, P, s->K));
    NY_TRY(centre(ctx, s));
    NY_TRY(ny_spectral_new(ctx, &s->low, &s->spectral)); /* G becomes Psi */
    ny_gemm(false, false, r, n, n, 1.0, P->G, P->ldg, s->K, n, 0.0, s->N, r);
    NY_TRY(keep_blocks(ctx, s));
    NY_TRY(ny_tridiag(ctx, n, s->K, n, s->diag, s->off, s->tau));
    memcpy(s->z, s->y, (size_t)(n * P->q) * sizeof *s->z);
    NY_TRY(ny_tridiag_apply(ctx, true, n, P->q, s->K, n, s->tau, s->z, n));
    *out = s;
    s = NULL;
done:
    release(s);
    return st;
}

static double trace(const void *v) {
    return ny_spectral_trace(((const state *)v)->spectral);
}

enum { GROUP = 16 }; /* folds at a time: they share the factors of T + I/C */

typedef struct {
    const state *s;
    const ny_C_list *list;
    double *alpha; /* n x kq */
    double *Na;    /* r x kq: Psi K alpha */
    double *F;
    double *x;       /* r x kq x GROUP: Psi K (m alpha - n alpha|f) of the folds, then (T + I/C)^-1 of it */
    double *scratch; /* threads x stride: largest x kq, or two rows of factors */
    int64_t largest, stride;
    int64_t first, count; /* folds of the group */
} job;

/* alpha = Q (T + I/C)^-1 z for every column c + k*j. */
static ny_status solve_exact(ny_ctx *ctx, const job *o, double *scratch) {
    const state *s = o->s;
    int64_t n = s->low.n, k = o->list->k;
    for (int64_t j = 0; j < s->low.q; j++)
        for (int64_t c = 0; c < k; c++) {
            double *a = o->alpha + (c + k * j) * n;
            memcpy(a, s->z + j * n, (size_t)n * sizeof *a);
            ny_tridiag_solve(n, 1, s->diag, s->off, 1 / ny_C_at(o->list, c, j), a, n, scratch);
        }
    return ny_tridiag_apply(ctx, false, n, k * s->low.q, s->K, n, s->tau, o->alpha, n);
}

/* x = Psi K (m alpha - n alpha|f) for the folds of the group. */
static void project_tile(void *arg, int64_t from, int64_t count, int thread) {
    (void)thread;
    job *o = arg;
    const ny_problem *P = &o->s->low;
    int64_t n = P->n, r = P->r, kq = o->list->k * P->q;
    for (int64_t g = from; g < from + count; g++) {
        int64_t first = P->fold_start[o->first + g], m = fold_size(P, o->first + g);
        double all = ny_dot(n, P->u, P->u), out = ny_dot(m, P->u + first, P->u + first), *x = o->x + g * r * kq;
        memcpy(x, o->Na, (size_t)(r * kq) * sizeof *x);
        ny_gemm(false, false, r, kq, m, -all, o->s->N + first * r, r, o->alpha + first, n, out, x, r);
    }
}

/* (T + I/C)^-1 of it, for every fold of the group with one factor. */
static void solve_tile(void *arg, int64_t first, int64_t count, int thread) {
    job *o = arg;
    const ny_spectral *low = o->s->spectral;
    int64_t r = o->s->low.r, k = o->list->k, kq = k * o->s->low.q;
    double *l = o->scratch + thread * o->stride, *inverse = l + r;
    for (int64_t c = first; c < first + count; c++) {
        ny_tridiag_factor(r, low->diag, low->off, 1 / ny_C_at(o->list, c % k, c / k), l, inverse);
        ny_tridiag_solve_with(r, o->count, l, inverse, o->x + c * r, r * kq);
    }
}

/* The outputs of fold f; x: (T + I/C)^-1 of what Psi makes of it. */
static void leave_fold(const job *o, int64_t f, const double *x, double *own) {
    const state *s = o->s;
    const ny_problem *P = &s->low;
    int64_t n = P->n, r = P->r, k = o->list->k, kq = k * P->q, first = P->fold_start[f], m = fold_size(P, f);
    const double *u = P->u + first;
    double all = ny_dot(n, P->u, P->u), out = ny_dot(m, u, u), rest = all - out;
    ny_gemm(false, false, m, kq, m, -all, s->block + s->at[f], m, o->alpha + first, n, 0.0, own, m);
    ny_gemm(true, false, m, kq, r, -1.0, P->G + first * P->ldg, P->ldg, x, r, 1.0, own, m);
    for (int64_t c = 0; c < kq; c++) { /* K (m alpha - n alpha|f) has m (y - alpha/C) = m K alpha in the fold */
        double mu = 1 / ny_C_at(o->list, c % k, c / k);
        const double *a = o->alpha + first + c * n, *y = s->y + first + c / k * n, *Y = P->Y + first + c / k * n;
        double shift = P->bias ? mu * ny_dot(m, u, a) / rest : 0;
        double *F = o->F + first + n * (c / k) + n * P->q * (c % k);
        for (int64_t i = 0; i < m; i++) {
            double moved = (own[i + c * m] + out * (y[i] - mu * a[i])) / rest;
            F[i] = (Y[i] - mu * a[i] + moved) / u[i] - shift;
        }
    }
}

static void held_tile(void *arg, int64_t first, int64_t count, int thread) {
    job *o = arg;
    int64_t size = o->s->low.r * o->list->k * o->s->low.q;
    for (int64_t g = first; g < first + count; g++)
        if (fold_size(&o->s->low, o->first + g) > 0)
            leave_fold(o, o->first + g, o->x + g * size, o->scratch + thread * o->stride);
}

static ny_status held(ny_ctx *ctx, void *v, const ny_C_list *list, double *F) {
    ny_status st = NY_OK;
    const state *s = v;
    const ny_problem *P = &s->low;
    int64_t kq = list->k * P->q;
    job o = {.s = s, .list = list, .F = F};
    double *room = NULL;
    for (int64_t f = 0; f < P->folds; f++)
        if (fold_size(P, f) > o.largest) o.largest = fold_size(P, f);
    o.stride = o.largest * kq > 2 * P->r ? o.largest * kq : 2 * P->r;
    NY_NEW_RAW(ctx, o.x, ny_size3(P->r, kq, P->folds < GROUP ? P->folds : GROUP));
    NY_NEW_RAW(ctx, o.alpha, ny_size3(P->n, kq, 1));
    NY_NEW_RAW(ctx, o.Na, ny_size3(P->r, kq, 1));
    NY_NEW_RAW(ctx, o.scratch, ny_size3(ny_threads(), o.stride, 1));
    NY_NEW_RAW(ctx, room, P->n);
    NY_TRY(solve_exact(ctx, &o, room));
    ny_gemm(false, false, P->r, kq, P->n, 1.0, s->N, P->r, o.alpha, P->n, 0.0, o.Na, P->r);
    for (o.first = 0; o.first < P->folds; o.first += GROUP) {
        o.count = P->folds - o.first < GROUP ? P->folds - o.first : GROUP;
        ny_for_tiles_cut(o.count, 1, project_tile, &o);
        ny_for_tiles_cut(kq, 1, solve_tile, &o);
        ny_for_tiles_cut(o.count, 1, held_tile, &o);
    }
done:
    ny_free(o.alpha);
    ny_free(o.Na);
    ny_free(o.x);
    ny_free(o.scratch);
    ny_free(room);
    return st;
}

/* Leave-one-out of the low-rank machine, which is the one that is kept. */
static ny_status told(ny_ctx *ctx, void *v, const ny_C_list *list, double *F) {
    return ny_spectral_form.held(ctx, ((state *)v)->spectral, list, F);
}

static ny_status solve(ny_ctx *ctx, void *v, const double *C, double *W, double *b) {
    return ny_spectral_solve(ctx, ((state *)v)->spectral, C, W, b);
}

static ny_status basis(ny_ctx *ctx, void *v, ny_basis *out) {
    return ny_spectral_basis(ctx, ((state *)v)->spectral, out);
}

/* The kernel matrix, its product with Psi and its reduction, beside the low rank; then alpha of each C. */
static ny_cost cost(const ny_size *s) {
    ny_cost low = ny_spectral_cost(s);
    double square = s->n * s->n, kernel = square * (2 * (s->d + s->m) + 20), each = 2 * square * (1 + 1 / s->folds);
    return (ny_cost){low.flops + kernel + 4 * s->n * square + s->values * s->q * each,
                     low.numbers + square * (1 + 1 / s->folds) + s->n * s->m};
}

static const ny_closed_form closed = {
    .prepare = prepare,
    .trace = trace,
    .held = held,
    .told = told,
    .solve = solve,
    .basis = basis,
    .release = release,
    .cost = cost,
    .true_kernel = true,
};

const ny_criterion ny_criterion_fbif = {
    .name = "fbif",
    .help = "bif of the exact machine, low rank in the inverse only, as Liu et al. print it; a kernel matrix in memory",
    .folds = true,
    .closed = &closed,
    .iterative = &(const ny_iterative){ny_leave_exact_influence, NULL, ny_exact_influence_cost},
};

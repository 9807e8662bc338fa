/* criterion_cv.c: v-fold cross-validation for any number of folds, exact, in one of two closed forms.
 *
 * Large folds (De Brabanter 2010, eq. 20, 21): the moments of all rows less those of the fold give the system of the
 * machine that has not seen the fold; one reduction of it serves every C.                     docs/math.md, eq. 18
 * Small folds: with the smoother H of all rows, the residuals of fold f held out are          docs/math.md, eq. 19
 *     e_f(cv) = (I - H_ff)^-1 (y - H y)_f
 * which costs O(n n_f r) for each C where the first form costs O(v r^3) once. */
#include <math.h>
#include <stdatomic.h>
#include <string.h>

#include "base/threads.h"
#include "expanded.h"
#include "leaving.h"
#include "linalg/linalg.h"
#include "spectral.h"
#include "tridiagonal.h"

typedef struct {
    ny_problem *problem;
    ny_spectral *spectral; /* small folds */
    ny_tri *without;       /* large folds: one for each */
    ny_tri whole;
} state;

static void release(void *v) {
    state *s = v;
    if (!s) return;
    ny_spectral_free(s->spectral);
    for (int64_t f = 0; s->without && f < s->problem->folds; f++) ny_tri_clear(&s->without[f]);
    ny_free(s->without);
    ny_tri_clear(&s->whole);
    ny_free(s);
}

/* Flops of a fold of k rows for one C, where folds are small. */
static double small_flops(double k, double r) {
    return k * k * r + k * k * k / 3;
}

/* Which of the two forms takes fewer flops. per_C: small_flops of all folds. */
static bool small_is_cheaper(double n, double r, double folds, double per_C, double expected) {
    double smoother = 5 * r * r * r + 2 * n * r * r + per_C * expected;
    return smoother < folds * r * r * r * (expected < NY_FEW_C ? expected / 3 : 8.0 / 3);
}

static bool small_folds_are_cheaper(const ny_problem *P, int64_t expected) {
    double per_C = 0;
    for (int64_t f = 0; f < P->folds; f++) per_C += small_flops((double)ny_fold_size(P, f), (double)P->r);
    return small_is_cheaper((double)P->n, (double)P->r, (double)P->folds, per_C, (double)expected);
}

/* Folds of equal size. Small: the smoother, and for each C its products, four times as slow as large ones. Large: the
 * moments; for each fold a reduction, which takes as long as 4 m^3 flops of products, or as long as m^3 for each C;
 * then its machines and outputs. */
static ny_cost cost(const ny_size *s) {
    double m = s->m, square = m * m, k = s->n / s->folds, per_C = s->folds * small_flops(k, m);
    double expected = fmin(s->values, NY_C_EXPECTED);
    if (small_is_cheaper(s->n, m, s->folds, per_C, expected)) {
        ny_cost smoother = ny_spectral_cost(s);
        return (ny_cost){smoother.flops + 4 * s->values * per_C, smoother.numbers};
    }
    double reduce = m * square * (expected < NY_FEW_C ? expected : 4);
    double outputs = s->values * s->q * (4 * s->folds * square + 2 * s->n * m);
    return (ny_cost){s->n * square + s->folds * reduce + outputs, square + (s->folds + 1) * square};
}

/* A copy of the whole's moments less the fold's, reduced. */
static ny_status leave_out(ny_ctx *ctx, state *s, const ny_moments *all, const ny_moments *fold, int64_t expected,
                           ny_tri *out) {
    ny_status st = NY_OK;
    ny_moments m = {0};
    NY_TRY(ny_moments_less(ctx, all, fold, &m));
    if (expected < NY_FEW_C) ny_tri_keep(s->problem, &m, out);
    else NY_TRY(ny_tri_reduce(ctx, s->problem, &m, out));
done:
    ny_moments_free(&m);
    return st;
}

typedef struct {
    ny_ctx *ctx;
    state *s;
    int64_t expected;
    const ny_moments *all;
    ny_moments *fold; /* folds */
    ny_status *status;
} fold_job;

static void moments_tile(void *arg, int64_t first, int64_t count, int thread) {
    (void)thread;
    fold_job *job = arg;
    const ny_problem *P = job->s->problem;
    for (int64_t f = first; f < first + count; f++) {
        job->status[f] = ny_should_stop(job->ctx) ? NY_STOPPED : ny_moments_new(job->ctx, P->r, P->q, &job->fold[f]);
        if (job->status[f] == NY_OK) ny_moments_of(P, P->fold_start[f], ny_fold_size(P, f), &job->fold[f]);
    }
}

static void leave_out_tile(void *arg, int64_t first, int64_t count, int thread) {
    (void)thread;
    fold_job *job = arg;
    const ny_problem *P = job->s->problem;
    for (int64_t f = first; f < first + count; f++) {
        if ((job->status[f] = ny_should_stop(job->ctx) ? NY_STOPPED : NY_OK) != NY_OK) continue;
        job->status[f] = leave_out(job->ctx, job->s, job->all, &job->fold[f], job->expected, &job->s->without[f]);
        if (P->fold_moments) ny_mirror(P->r, job->fold[f].S, P->r); /* `loss` multiplies by it */
        else ny_moments_free(&job->fold[f]);
    }
}

/* The folds side by side, then the first failure. */
static ny_status for_folds(fold_job *job, ny_tile_fn *tile) {
    int64_t folds = job->s->problem->folds;
    ny_for_tiles(folds, 1, tile, job);
    for (int64_t f = 0; f < folds; f++)
        if (job->status[f] != NY_OK) return job->status[f];
    return NY_OK;
}

static ny_status prepare(ny_ctx *ctx, ny_problem *P, int64_t expected, void **out) {
    ny_status st = NY_OK;
    state *s = NULL;
    ny_moments all = {0}, *own = NULL;
    fold_job job = {.ctx = ctx, .expected = expected, .all = &all};
    NY_NEW(ctx, s, 1);
    s->problem = P;
    if (!P->kernel && !P->fold_moments && small_folds_are_cheaper(P, expected)) {
        NY_TRY(ny_spectral_new(ctx, P, &s->spectral));
        goto finished;
    }
    NY_NEW(ctx, s->without, P->folds);
    NY_NEW(ctx, own, P->folds);
    NY_NEW(ctx, job.status, P->folds);
    NY_TRY(ny_moments_new(ctx, P->r, P->q, &all));
    job.s = s;
    job.fold = P->fold_moments ? P->fold_moments : own;
    if (!P->fold_moments) NY_TRY(for_folds(&job, moments_tile));
    for (int64_t f = 0; f < P->folds; f++) ny_moments_add(&all, &job.fold[f]);
    NY_TRY(for_folds(&job, leave_out_tile));
    ny_tri_keep(P, &all, &s->whole);
finished:
    *out = s;
    s = NULL;
done:
    ny_moments_free(&all);
    for (int64_t f = 0; own && f < P->folds; f++) ny_moments_free(&own[f]);
    ny_free(own);
    ny_free(job.status);
    release(s);
    return st;
}

static double trace(const void *v) {
    const state *s = v;
    return s->spectral ? s->spectral->trace : s->whole.trace;
}

/* ---- small folds --------------------------------------------------------------------------------------------- */

typedef struct {
    ny_ctx *ctx;
    state *s;
    const ny_C_list *list;
    double *V, *F;
    double *scratch; /* threads x stride: H, e (a column for each output), half, two rows of factors */
    int64_t largest, stride;
    atomic_int failed;
} small_job;

/* The Cholesky factor of I - H_ff for one C. */
static void small_system(small_job *job, int64_t f, double C, double *H, double *half) {
    const ny_spectral *s = job->s->spectral;
    const ny_problem *P = s->problem;
    int64_t r = P->r, first = P->fold_start[f], m = ny_fold_size(P, f);
    const double *Psi = P->G + first * P->ldg;
    double *l = half + r * job->largest;
    ny_tridiag_factor(r, s->diag, s->off, 1 / C, l, l + r);
    for (int64_t i = 0; i < m; i++) { /* half = D^-1/2 L^-1 psi: H_ff = half' half */
        double y = 0;
        for (int64_t a = 0; a < r; a++) {
            y = Psi[a + i * P->ldg] - l[a] * y;
            half[a + i * r] = y * sqrt(l[r + a]);
        }
    }
    memset(H, 0, (size_t)(m * m) * sizeof *H);
    for (int64_t i = 0; i < m; i++) H[i + i * m] = 1;
    ny_gemm(true, false, m, m, r, -1.0, half, r, half, r, 1.0, H, m);
    if (P->bias && s->moments.s > 0) ny_syr(m, -1 / s->moments.s, P->u + first, H, m);
    if (!ny_chol(m, H, m)) atomic_store(&job->failed, 1);
}

/* One fold: solves (I - H_ff) e = residual, for outputs that share their C together. */
static void small_fold(small_job *job, int64_t f, double *scratch) {
    const ny_spectral *s = job->s->spectral;
    const ny_problem *P = s->problem;
    int64_t r = P->r, n = P->n, q = P->q, k = job->list->k, first = P->fold_start[f], m = ny_fold_size(P, f), count;
    double *H = scratch, *e = H + job->largest * job->largest, *half = e + job->largest * q;
    const double *u = P->u + first;
    double share = P->bias && s->moments.s > 0 ? 1 / s->moments.s : 0;
    for (int64_t c = 0; c < k; c++)
        for (int64_t j = 0; j < q; j += count) {
            double C = ny_C_at(job->list, c, j);
            for (count = 1; j + count < q && ny_C_at(job->list, c, j + count) == C;) count++;
            if (ny_should_stop(job->ctx)) return;
            small_system(job, f, C, H, half);
            ny_gemm(true, false, m, count, r, -1.0, P->G + first * P->ldg, P->ldg, job->V + (c + k * j) * r, k * r, 0.0,
                    e, m);
            for (int64_t o = 0; o < count; o++)
                for (int64_t i = 0; i < m; i++)
                    e[i + o * m] += P->Y[first + i + n * (j + o)] - share * u[i] * s->moments.t[j + o];
            ny_chol_solve(m, count, H, m, e, m);
            for (int64_t o = 0; o < count; o++)
                for (int64_t i = 0; i < m; i++) {
                    int64_t at = first + i + n * (j + o);
                    job->F[at + n * q * c] = (P->Y[at] - e[i + o * m]) / u[i];
                }
        }
}

static void small_tile(void *arg, int64_t first, int64_t count, int thread) {
    small_job *job = arg;
    for (int64_t f = first; f < first + count; f++)
        if (ny_fold_size(job->s->problem, f) > 0) small_fold(job, f, job->scratch + thread * job->stride);
}

static ny_status held_small(ny_ctx *ctx, state *s, const ny_C_list *list, double *F) {
    ny_status st = NY_OK;
    const ny_problem *P = s->problem;
    int64_t kq = list->k * P->q;
    small_job job = {.ctx = ctx, .s = s, .list = list, .F = F};
    for (int64_t f = 0; f < P->folds; f++)
        if (ny_fold_size(P, f) > job.largest) job.largest = ny_fold_size(P, f);
    NY_NEW_RAW(ctx, job.V, ny_size3(P->r, kq, 1));
    job.stride = job.largest * (job.largest + P->q + P->r) + 2 * P->r;
    NY_NEW_RAW(ctx, job.scratch, ny_size3(ny_threads(), job.stride, 1));
    ny_spectral_weights(s->spectral, list, job.V, job.scratch);
    ny_for_tiles(P->folds, 1, small_tile, &job);
    if (ny_should_stop(ctx)) NY_FAIL(ctx, NY_STOPPED, "stopped");
    NY_CHECK(ctx, !atomic_load(&job.failed), NY_ERR_NUMERIC,
             "the cross-validation broke down: C is too large for the precision of the kernel");
done:
    ny_free(job.V);
    ny_free(job.scratch);
    return st;
}

/* ---- large folds --------------------------------------------------------------------------------------------- */

typedef struct {
    ny_ctx *ctx;
    state *s;
    const ny_C_list *list;
    double *W, *F; /* W: threads x (r + 1) k q, machines and their biases */
    ny_status *status;
} large_job;

static void large_tile(void *arg, int64_t first, int64_t count, int thread) {
    large_job *job = arg;
    const ny_problem *P = job->s->problem;
    int64_t columns = job->list->k * P->q;
    double *W = job->W + (int64_t)thread * (P->r + 1) * columns, *b = W + P->r * columns;
    for (int64_t f = first; f < first + count; f++) {
        if (ny_fold_size(P, f) == 0) continue; /* a class pair may have no rows in a fold */
        job->status[f] =
            ny_should_stop(job->ctx) ? NY_STOPPED : ny_tri_solve(job->ctx, &job->s->without[f], job->list, W, b);
        if (job->status[f] != NY_OK) continue;
        if (P->kernel) job->status[f] = ny_expanded_fold(job->ctx, P, f, job->list, W, b, job->F);
        else ny_tri_predict(P, P->fold_start[f], ny_fold_size(P, f), job->list->k, W, b, job->F);
    }
}

static ny_status held(ny_ctx *ctx, void *v, const ny_C_list *list, double *F) {
    ny_status st = NY_OK;
    state *s = v;
    const ny_problem *P = s->problem;
    large_job job = {.ctx = ctx, .s = s, .list = list, .F = F};
    if (s->spectral) return held_small(ctx, s, list, F);
    NY_NEW_RAW(ctx, job.W, ny_size3(ny_threads(), (P->r + 1) * list->k, P->q));
    NY_NEW(ctx, job.status, P->folds);
    if (P->kernel) large_tile(&job, 0, P->folds, 0); /* its kernel tiles have the threads */
    else ny_for_tiles(P->folds, 1, large_tile, &job);
    for (int64_t f = 0; f < P->folds; f++)
        if (job.status[f] != NY_OK) st = job.status[f];
done:
    ny_free(job.W);
    ny_free(job.status);
    return st;
}

static ny_status solve(ny_ctx *ctx, void *v, const double *C, double *W, double *b) {
    state *s = v;
    if (s->spectral) return ny_spectral_solve(ctx, s->spectral, C, W, b);
    return ny_moments_solve(ctx, &s->whole.moments, s->problem->bias, C, W, b);
}

static ny_status basis(ny_ctx *ctx, void *v, ny_basis *out) {
    state *s = v;
    return s->spectral ? ny_spectral_basis(ctx, s->spectral, out) : ny_tri_basis(ctx, &s->whole, out);
}

/* ---- moments only ---------------------------------------------------------------------------------------------- */

/* sum of (y - w'g - u b)^2 over a fold = yy - 2 (w'R + b t) + w'S w + 2 b p'w + b^2 s.               docs/math.md, eq.
 * 25 */
static double fold_loss(const ny_moments *m, int64_t j, const double *w, const double *Sw, double b) {
    double linear = ny_dot(m->r, w, m->R + j * m->r) + b * m->t[j];
    double square = ny_dot(m->r, w, Sw) + 2 * b * ny_dot(m->r, m->p, w) + b * b * m->s;
    return m->yy[j] - 2 * linear + square;
}

static ny_status loss(ny_ctx *ctx, void *v, const ny_C_list *list, double *total, double *by_fold) {
    ny_status st = NY_OK;
    state *s = v;
    const ny_problem *P = s->problem;
    int64_t r = P->r, k = list->k, kq = k * P->q;
    double *W = NULL, *SW = NULL, *b = NULL, weight = 0;
    NY_NEW_RAW(ctx, W, ny_size3(r, kq, 1));
    NY_NEW_RAW(ctx, SW, ny_size3(r, kq, 1));
    NY_NEW_RAW(ctx, b, kq);
    for (int64_t c = 0; c < kq; c++) total[c] = 0;
    for (int64_t f = 0; f < P->folds; f++) {
        const ny_moments *m = &P->fold_moments[f];
        if (ny_should_stop(ctx)) NY_FAIL(ctx, NY_STOPPED, "stopped");
        NY_TRY(ny_tri_solve(ctx, &s->without[f], list, W, b));
        ny_gemm(false, false, r, kq, r, 1.0, m->S, r, W, r, 0.0, SW, r);
        for (int64_t c = 0; c < kq; c++) {
            double sum = fmax(fold_loss(m, c / k, W + c * r, SW + c * r, b[c]), 0);
            total[c] += sum;
            if (by_fold) by_fold[f * kq + c] = sum / fmax(m->s, 1e-300);
        }
        weight += m->s;
    }
    for (int64_t c = 0; c < kq; c++) total[c] /= weight;
done:
    ny_free(W);
    ny_free(SW);
    ny_free(b);
    return st;
}

static ny_status without(ny_ctx *ctx, void *v, int64_t f, const double *C, double *W, double *b) {
    ny_C_list list = {1, true, C};
    return ny_tri_solve(ctx, &((state *)v)->without[f], &list, W, b);
}

static const ny_closed_form closed = {
    prepare, trace, held, solve, basis, release, &(const ny_of_moments){loss, without}, false, cost, NULL};

const ny_criterion ny_criterion_cv = {
    .name = "cv",
    .help = "v-fold cross-validation, exact, at the price of one decomposition",
    .folds = true,
    .closed = &closed,
    .iterative = &(const ny_iterative){ny_leave_folds, NULL, ny_path_cost},
};

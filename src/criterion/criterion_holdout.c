/* criterion_holdout.c: the error on a fixed validation set, which is the second of two folds. The machine that has not
 * seen it is judged by it; the one that is kept in the end has learnt from all rows, unless the second fold is a file
 * of its own (judged_only): then it is the machine that was judged.                 docs/math.md, "Hold-out"
 *
 * Squared losses: one reduction of the first fold's moments serves every C; the second fold's are added for the machine
 * that is kept. Rows of the first fold have no held-out outputs: what F says of them is not looked at. */
#include "expanded.h"
#include "leaving.h"
#include "tridiagonal.h"

typedef struct {
    ny_problem *problem;
    ny_tri without, whole;
} state;

static void release(void *v) {
    state *s = v;
    if (!s) return;
    ny_tri_clear(&s->without);
    ny_tri_clear(&s->whole);
    ny_free(s);
}

static ny_status prepare(ny_ctx *ctx, ny_problem *P, int64_t expected, void **out) {
    ny_status st = NY_OK;
    state *s = NULL;
    ny_moments learnt = {0}, all = {0};
    const int64_t first = P->fold_start[1];
    NY_NEW(ctx, s, 1);
    s->problem = P;
    NY_TRY(ny_moments_new(ctx, P->r, P->q, &learnt));
    NY_TRY(ny_moments_new(ctx, P->r, P->q, &all));
    ny_moments_of(P, 0, first, &learnt);
    if (!P->judged_only) ny_moments_of(P, first, P->n - first, &all);
    ny_moments_add(&all, &learnt);
    ny_tri_keep(P, &all, &s->whole);
    if (expected < NY_FEW_C) ny_tri_keep(P, &learnt, &s->without);
    else NY_TRY(ny_tri_reduce(ctx, P, &learnt, &s->without));
    *out = s;
    s = NULL;
done:
    ny_moments_free(&learnt);
    ny_moments_free(&all);
    release(s);
    return st;
}

static double trace(const void *v) {
    return ((const state *)v)->whole.trace;
}

static ny_status held(ny_ctx *ctx, void *v, const ny_C_list *list, double *F) {
    ny_status st = NY_OK;
    const state *s = v;
    const ny_problem *P = s->problem;
    int64_t kq = list->k * P->q, first = P->fold_start[1];
    double *W = NULL, *b = NULL;
    NY_NEW_RAW(ctx, W, ny_size3(P->r, kq, 1));
    NY_NEW_RAW(ctx, b, kq);
    NY_TRY(ny_tri_solve(ctx, &s->without, list, W, b));
    ny_tri_predict(P, 0, P->n, list->k, W, b, F);
    if (P->kernel && P->n > first) NY_TRY(ny_expanded_fold(ctx, P, 1, list, W, b, F));
done:
    ny_free(W);
    ny_free(b);
    return st;
}

static ny_status solve(ny_ctx *ctx, void *v, const double *C, double *W, double *b) {
    const state *s = v;
    return ny_moments_solve(ctx, &s->whole.moments, s->problem->bias, C, W, b);
}

static ny_status basis(ny_ctx *ctx, void *v, ny_basis *out) {
    return ny_tri_basis(ctx, &((state *)v)->whole, out);
}

static ny_cost cost(const ny_size *s) {
    double square = s->m * s->m;
    return (ny_cost){s->n * square + 4 * s->m * square + s->values * s->q * (4 * square + 2 * s->n * s->m), 2 * square};
}

static const ny_closed_form closed = {prepare, trace, held, solve, basis, release, NULL, false, cost, NULL};

const ny_criterion ny_criterion_holdout = {
    .name = "holdout",
    .help = "the error on a fixed validation set (--validation), by machines that have not seen it",
    .folds = true,
    .one_sided = true,
    .closed = &closed,
    .iterative = &(const ny_iterative){ny_leave_second_fold, NULL, ny_path_cost},
};

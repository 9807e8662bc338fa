/* profile.c: the best C, and what is made there: held-out outputs, the machine, its posterior. */
#include "profile.h"

#include <math.h>
#include <string.h>

#include "find_C.h"
#include "model/record.h"

static ny_status held_at_best(ny_C_search *b, ny_profile *out) {
    ny_status st;
    ny_C_list best = {1, true, out->C};
    bool known = b->held_C != NULL, own = b->spec->criterion->value;
    for (int64_t j = 0; known && j < b->P->q; j++) known = b->held_C[j] == out->C[j];
    if (known) return NY_OK;
    if (own && (st = ny_C_own_value(b, &best, out->loss, out->loss)) != NY_OK) return st;
    bool apart = ny_criterion_tells_apart(b->spec->criterion, b->spec->kind);
    if (out->tried != 1 || b->spec->C.is_auto || own || apart)
        return ny_judge_told(b->ctx, &b->judge, &best, out->held);
    memcpy(out->held, b->F, (size_t)(b->P->n * b->P->q) * sizeof *b->F); /* the only C there was */
    return NY_OK;
}

/* The rows are not here: keeps the machines that have not seen their fold, for a later pass over the rows. */
static ny_status without_folds(ny_C_search *b, ny_profile *out) {
    ny_status st = NY_OK;
    const ny_problem *P = b->P;
    double *loss = NULL;
    ny_C_list best = {1, true, out->C};
    const ny_of_moments *moments = b->spec->criterion->closed->moments;
    NY_NEW_RAW(b->ctx, loss, P->q);
    NY_NEW_RAW(b->ctx, out->fold_loss, P->folds * P->q);
    NY_NEW_RAW(b->ctx, out->fold_W, ny_size3(P->r, P->q, P->folds));
    NY_NEW_RAW(b->ctx, out->fold_b, P->folds * P->q);
    NY_TRY(moments->loss(b->ctx, b->judge.state, &best, loss, out->fold_loss));
    for (int64_t f = 0; f < P->folds; f++)
        NY_TRY(
            moments->without(b->ctx, b->judge.state, f, out->C, out->fold_W + f * P->r * P->q, out->fold_b + f * P->q));
done:
    ny_free(loss);
    return st;
}

double ny_profile_numbers(ny_criterion_kind kind, const ny_size *s) {
    double nq = s->n * s->q;
    return kind == NY_ITERATIVE ? 2 * nq : fmax(nq, fmin(s->n * s->m / 4, nq * (NY_C_LADDER + 1)));
}

static ny_status infer(ny_C_search *b, ny_profile *out) {
    ny_status st = NY_OK;
    const ny_own_value *value = b->spec->criterion->value;
    if (!value || !value->levels) return NY_OK;
    NY_NEW_RAW(b->ctx, out->level, b->P->q);
    NY_TRY(value->levels(b->ctx, b->judge.state, out->C, out->level));
done:
    return st;
}

ny_status ny_profile_make(ny_ctx *ctx, ny_problem *P, const ny_profile_spec *spec, ny_profile *out) {
    ny_status st = NY_OK;
    ny_C_search b = {.ctx = ctx, .P = P, .spec = spec};
    int64_t expected = spec->C.is_auto    ? NY_C_EXPECTED
                       : spec->C.step > 0 ? (int64_t)((spec->C.hi - spec->C.lo) / spec->C.step) + 1
                                          : 1;
    *out = (ny_profile){0};
    NY_NEW_RAW(ctx, out->C, P->q);
    NY_NEW_RAW(ctx, out->loss, P->q);
    NY_NEW_RAW(ctx, out->least, P->q);
    NY_NEW_RAW(ctx, out->b, P->q);
    NY_NEW_RAW(ctx, out->W, ny_size3(P->r, P->q, 1));
    for (int64_t j = 0; j < P->q; j++) out->loss[j] = INFINITY, out->C[j] = 1;
    NY_TRY(ny_judge_new(ctx, spec->criterion, spec->kind, P, expected, &b.judge));
    if (!P->fold_moments) NY_NEW_RAW(ctx, out->held, ny_size3(P->n, P->q, 1));
    b.chunk = P->r / (4 * P->q) < 1 ? 1 : P->r / (4 * P->q) > NY_C_LADDER ? NY_C_LADDER : P->r / (4 * P->q);
    if (!P->fold_moments) NY_NEW_RAW(ctx, b.F, ny_size3(P->n, P->q, b.chunk));
    if (spec->on_error) NY_NEW_RAW(ctx, b.row, P->q);
    b.held = out->held;
    if (spec->kind != NY_CLOSED_FORM) {
        NY_NEW(ctx, b.held_C, P->q);
        NY_NEW_RAW(ctx, b.held_loss, P->q);
        for (int64_t j = 0; j < P->q; j++) b.held_loss[j] = INFINITY;
    }
    if (spec->least) NY_TRY(ny_find_least(&b, out));
    NY_TRY(ny_find_C(&b, out));
    for (int64_t j = 0; j < P->q; j++)
        NY_CHECK(ctx, isfinite(out->loss[j]), NY_ERR_NUMERIC,
                 "the criterion is not a finite number: are the inputs or the target far too large?");
    if (P->fold_moments) NY_TRY(without_folds(&b, out));
    else NY_TRY(held_at_best(&b, out));
    if (!spec->least) memcpy(out->least, out->loss, (size_t)P->q * sizeof *out->loss);
    NY_TRY(ny_judge_solve(ctx, &b.judge, out->C, out->W, out->b, &out->effort));
    NY_TRY(infer(&b, out));
    ny_free(b.F); /* before the rows are gone through once more */
    b.F = NULL;
    if (spec->posterior) NY_TRY(ny_judge_posterior(ctx, &b.judge, out->C, out->W, out->b, &out->posterior));
done:
    ny_judge_clear(&b.judge);
    ny_free(b.F);
    ny_free(b.row);
    ny_free(b.held_C);
    ny_free(b.held_loss);
    if (st != NY_OK) ny_profile_clear(out);
    return st;
}

void ny_profile_clear(ny_profile *p) {
    ny_free(p->C);
    ny_free(p->loss);
    ny_free(p->least);
    ny_free(p->held);
    ny_free(p->fold_loss);
    ny_free(p->fold_W);
    ny_free(p->fold_b);
    ny_free(p->W);
    ny_free(p->b);
    ny_free(p->level);
    ny_posterior_clear(&p->posterior);
    ny_free(p->effort.objective);
    ny_free(p->tried_C);
    ny_free(p->tried_loss);
    *p = (ny_profile){0};
}

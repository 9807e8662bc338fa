/* judge.c: see judge.h. */
#include "judge.h"

#include "exact_influence.h"
#include "path.h"
#include "posterior_make.h"

ny_status ny_judge_new(ny_ctx *ctx, const ny_criterion *criterion, ny_criterion_kind kind, ny_problem *problem,
                       int64_t expected, ny_judge *judge) {
    ny_status st = NY_OK;
    *judge = (ny_judge){criterion, kind, problem, NULL, NULL, NULL};
    if (kind == NY_CLOSED_FORM) return criterion->closed->prepare(ctx, problem, expected, &judge->state);
    if (kind == NY_OF_KERNEL) return criterion->kernel->prepare(ctx, problem, &judge->state);
    NY_TRY(ny_path_prepare(ctx, problem, criterion->iterative->leave, &judge->state));
    if (ny_criterion_true_kernel(criterion)) {
        NY_TRY(ny_whole_new(ctx, problem, &judge->whole));
        NY_TRY(ny_path_prepare(ctx, &judge->whole->problem, criterion->iterative->leave, &judge->exact));
    }
done:
    return st;
}

void ny_judge_clear(ny_judge *judge) {
    if (judge->kind == NY_CLOSED_FORM) judge->criterion->closed->release(judge->state);
    else if (judge->kind == NY_OF_KERNEL) judge->criterion->kernel->release(judge->state);
    else ny_path_release(judge->state);
    ny_path_release(judge->exact);
    ny_whole_free(judge->whole);
    *judge = (ny_judge){0};
}

ny_cost ny_judge_cost(const ny_criterion *criterion, ny_criterion_kind kind, const ny_size *size) {
    if (kind == NY_CLOSED_FORM) return criterion->closed->cost(size);
    if (kind == NY_OF_KERNEL) return criterion->kernel->cost(size);
    return criterion->iterative->cost(size);
}

ny_choose_fn *ny_judge_choose(const ny_judge *judge) {
    if (judge->kind == NY_OF_KERNEL) return judge->criterion->kernel->choose;
    return judge->kind == NY_ITERATIVE ? judge->criterion->iterative->choose : NULL;
}

double ny_judge_trace(const ny_judge *judge) {
    if (judge->kind == NY_CLOSED_FORM) return judge->criterion->closed->trace(judge->state);
    return ny_path_trace(judge->exact ? judge->exact : judge->state);
}

ny_status ny_judge_held(ny_ctx *ctx, const ny_judge *judge, const ny_C_list *list, double *F) {
    if (judge->kind == NY_CLOSED_FORM) return judge->criterion->closed->held(ctx, judge->state, list, F);
    return ny_path_held(ctx, judge->exact ? judge->exact : judge->state, list, F);
}

ny_status ny_judge_told(ny_ctx *ctx, const ny_judge *judge, const ny_C_list *list, double *F) {
    if (ny_criterion_tells_apart(judge->criterion, judge->kind))
        return judge->criterion->closed->told(ctx, judge->state, list, F);
    return ny_judge_held(ctx, judge, list, F);
}

ny_status ny_judge_solve(ny_ctx *ctx, const ny_judge *judge, const double *C, double *W, double *b, ny_effort *effort) {
    if (judge->kind == NY_CLOSED_FORM) return judge->criterion->closed->solve(ctx, judge->state, C, W, b);
    if (judge->kind == NY_OF_KERNEL) return judge->criterion->kernel->solve(ctx, judge->state, W, b);
    ny_status st = ny_path_solve(ctx, judge->state, C, W, b);
    return st == NY_OK ? ny_path_effort(ctx, judge->state, effort) : st;
}

ny_status ny_judge_posterior(ny_ctx *ctx, const ny_judge *judge, const double *C, const double *W, const double *b,
                             ny_posterior *out) {
    ny_basis basis = {0};
    if (judge->kind == NY_OF_KERNEL) return judge->criterion->kernel->posterior(ctx, judge->state, out);
    ny_status st = judge->criterion->closed->basis(ctx, judge->state, &basis);
    return st == NY_OK ? ny_posterior_make(ctx, judge->problem, &basis, C, W, b, out) : st;
}

double ny_held_loss(const ny_problem *P, int64_t j, const double *f) {
    double sum = 0, weight = 0;
    int64_t from = P->unjudged;
    if (from == P->n) return 0; /* a pair of classes may have no row to be judged by */
    if (P->loss && !P->excess)
        return ny_loss_mean(&P->loss[j], P->n - from, P->Y + from + P->n * j, P->u + from, f + from);
    for (int64_t i = from; P->loss && i < P->n; i++) {
        double v = P->u[i] * P->u[i], own = ny_loss_value(&P->loss[j], P->Y[i + P->n * j] / P->u[i], f[i]);
        sum += v * (own - P->excess[i + P->n * j]);
        weight += v;
    }
    for (int64_t i = from; !P->loss && i < P->n; i++) {
        double e = P->Y[i + P->n * j] - P->u[i] * f[i];
        sum += e * e;
        weight += P->u[i] * P->u[i];
    }
    return sum / weight;
}

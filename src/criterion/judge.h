/* judge.h: a criterion at work on one problem, whatever its kind. */
#ifndef NY_JUDGE_H
#define NY_JUDGE_H

#include "criterion.h"
#include "machine/posterior.h"

typedef struct ny_judge {
    const ny_criterion *criterion;
    ny_criterion_kind kind;
    ny_problem *problem;
    void *state;
    struct ny_whole *whole; /* iterative, and the exact machine is judged: its problem and its path; else NULL */
    void *exact;
} ny_judge;

/* The criterion must be of that kind. It may overwrite the problem's G, and looks at the problem until it is cleared.
 * expected: how many values of C will be asked for. */
ny_status ny_judge_new(ny_ctx *ctx, const ny_criterion *criterion, ny_criterion_kind kind, ny_problem *problem,
                       int64_t expected, ny_judge *judge);
void ny_judge_clear(ny_judge *judge);
/* What it will take, beside the factor or the kernel matrix. */
ny_cost ny_judge_cost(const ny_criterion *criterion, ny_criterion_kind kind, const ny_size *size);
/* How it finds C by itself; NULL: it has to be asked for values of C by the next two, which NY_OF_KERNEL
 * does not have. */
ny_choose_fn *ny_judge_choose(const ny_judge *judge);
double ny_judge_trace(const ny_judge *judge);
ny_status ny_judge_held(ny_ctx *ctx, const ny_judge *judge, const ny_C_list *list, double *F);
/* Those that the error is told by, at the C that was chosen. No other outputs may be asked for after them. */
ny_status ny_judge_told(ny_ctx *ctx, const ny_judge *judge, const ny_C_list *list, double *F);
/* The score of held-out outputs f (n) of output j: mean squared error, or the problem's own loss, weighted by u^2. */
double ny_held_loss(const ny_problem *problem, int64_t j, const double *f);
/* The trained machine at one C for each output, W r x q, b q; and what an iterative solver did for it. */
ny_status ny_judge_solve(ny_ctx *ctx, const ny_judge *judge, const double *C, double *W, double *b, ny_effort *effort);
/* The posterior of that machine, unless it is iterative. Nothing but ny_judge_clear may follow. */
ny_status ny_judge_posterior(ny_ctx *ctx, const ny_judge *judge, const double *C, const double *W, const double *b,
                             ny_posterior *out);

#endif

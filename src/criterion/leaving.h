/* leaving.h: what the criteria that leave rows out by the curvature at the solution have in common. */
#ifndef NY_LEAVING_H
#define NY_LEAVING_H

#include "path.h"
#include "solver/curvature.h"

typedef struct ny_leaving {
    const ny_primal *p;
    const ny_machine_point *x;
    double *s, *d; /* n: C v loss', C v loss'' at the solution, or that averaged over a range of outputs */
    ny_curvature c;
    double *S, *beta; /* r x folds, folds: sums over each fold of s_i (g_i - g0) and of s_i */
} ny_leaving;

/* With the sums over folds where wanted; curvature averaged over f +- range, unless that is 0. */
ny_status ny_leaving_new(ny_ctx *ctx, const ny_primal *p, const ny_machine_point *x, bool folds, double range,
                         ny_leaving *l);
void ny_leaving_clear(ny_leaving *l);
ny_leave_fn ny_leave_one;         /* each row by itself, eq. 82 (leave_one.c) */
ny_leave_fn ny_leave_folds;       /* each fold, by training without it (leave_folds.c) */
ny_leave_fn ny_leave_second_fold; /* of two folds the second, by training without it; outputs of all rows */
/* S_f becomes (n S_f + m w) / (n - m), and beta_f n beta_f / (n - m): what H^-1 makes the first order of leaving fold f
 * out, at a lambda that stays; n and m are the weights of all rows and of the fold.            docs/math.md, eq. 83 */
void ny_leaving_first_order(ny_leaving *l);
/* Outputs' change q (n x count, all rows) when w moves by the columns of D (r x count) and b by -g0'D. */
void ny_leaving_outputs(const ny_leaving *l, int64_t count, const double *D, double *q);

#endif

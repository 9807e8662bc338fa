/* primal.h: one output of a problem with any loss, and Newton's method for it.
 *
 *     J(w, b) = 1/2 |w|^2 + C sum_i v_i loss(y_i, f_i),   f_i = w'g_i + b                    docs/math.md, eq. 78
 *
 * The bias is always the best one for its w. Then |grad_w J|^2 / 2 is the duality gap: J is no further than that from
 * its minimum.                                                                                docs/math.md, eq. 80 */
#ifndef NY_PRIMAL_H
#define NY_PRIMAL_H

#include "base/order.h"
#include "problem.h"

typedef struct ny_primal {
    const ny_problem *P;
    ny_loss_params loss;
    int64_t n;
    double *y, *v; /* n: targets as they are; weights, 0: left out */
} ny_primal;

typedef struct ny_machine_point { /* a machine on its way */
    double C, *w, b;
    double *f; /* n: outputs of all rows */
    double objective, gap;
    int64_t steps; /* of Newton's method since it began */
    double moved;  /* by how much outputs move when a fold is left out, where known; else 0 (criterion newton) */
} ny_machine_point;

/* One output of the problem, which must outlive it. For ny_primal_clear; empty after an error. */
ny_status ny_primal_new(ny_ctx *ctx, const ny_problem *P, int64_t output, ny_primal *p);
void ny_primal_clear(ny_primal *p);
/* The same without some of its rows; v (n) becomes its weights. It owns nothing. */
ny_primal ny_primal_without(const ny_primal *p, int64_t first, int64_t count, double *v);
ny_status ny_point_new(ny_ctx *ctx, const ny_primal *p, ny_machine_point *x); /* w = 0 */
ny_status ny_point_copy(ny_ctx *ctx, const ny_primal *p, const ny_machine_point *from, ny_machine_point *to);
void ny_point_clear(ny_machine_point *x);

/* The machine at x->C from where x is, until its gap is at most tol |w|^2 / 2: then w is known to sqrt(tol). (A share
 * of J would not do: rounded corners add to it what no w can change.) */
ny_status ny_newton(ny_ctx *ctx, const ny_primal *p, double tol, ny_machine_point *x);
/* The same for the loss with sharp corners: the width shrinks until the sharp loss's own gap is small. */
ny_status ny_newton_sharp(ny_ctx *ctx, const ny_primal *p, double tol, ny_machine_point *x);
/* The bias that suits w best, into b and f. scratch: 4 n. */
void ny_primal_bias(const ny_primal *p, double *scratch, double *b, double *f);

/* How far outputs typically are from their targets: the root mean square; of targets that are numbers, and may be
 * wild, the median over that of a standard normal variable. scratch: n. */
double ny_primal_error(const ny_primal *p, const double *f, ny_weighed *scratch);

/* (loss'(f + range) - loss'(f - range)) / (2 range): the mean of loss'' over the range. Slopes are not let beyond three
 * times their mean: where C is so large that few rows come near their bound, no corner pushes back with all of C.
 * scratch: 4 n.
 *                                                                                          docs/math.md, eq. 77 */
void ny_primal_mean_curvature(const ny_primal *p, const double *f, double range, double *scratch, double *curvature);

typedef struct ny_line { /* J on a line: t slope + t^2 norm / 2 + C sum v loss(y, f + t (q + shift)) */
    const ny_primal *p;
    double C, slope, norm, shift;
    const double *q, *f; /* q: NULL for zeros */
    double *scratch;     /* 4 n */
} ny_line;

/* Whether J is no higher at t = 1 than at t = 0. */
bool ny_line_falls(const ny_line *l);
/* Outputs f (may be those of the line) and bias b at the minimum of J on the line, then at the best bias. Returns t. */
double ny_primal_search(const ny_line *l, double *b, double *f);

#endif

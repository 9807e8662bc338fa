/* ball.h: the smallest ball around the rows in the space where the l2-SVM is a machine of hard margin.
 *
 *     kappa_lambda(x_i, x_j) = g_i'g_j + [i = j] lambda / 2 v_i
 *     R^2 = min over c, mu of  |c|^2 + mu + sum_i v_i/2 lambda max(0, a_i - 2 g_i'c - mu)^2,   a_i = kappa_lambda(x_i,
 * x_i)
 *
 * With w = 2c, b = mu this is 1/2 lambda of the J of sided.h with y = 1, t = a, pull = 1. The rows of E are those on
 * the sphere.                                                                                      docs/math.md, eq. 88
 */
#ifndef NY_BALL_H
#define NY_BALL_H

#include "sided.h"

typedef struct ny_ball {
    ny_sided s;
    double *one, *norm, *a, *alpha; /* n: sides, |g_i|^2, targets, 2 beta */
} ny_ball;

/* The ball around the rows of P with weights v; both must outlive it. For ny_ball_clear; empty after an error. */
ny_status ny_ball_new(ny_ctx *ctx, const ny_problem *P, const double *v, ny_ball *ball);
void ny_ball_clear(ny_ball *ball);
/* R^2 from above, and how far it can be from the truth. The ball of the last lambda is where it begins. */
ny_status ny_ball_radius(ny_ctx *ctx, ny_ball *ball, double lambda, double *radius2, double *gap);

/* The square of how far a left-out row can be from what the other rows say: a row of multiplier alpha that is wrong
 * when it is left out has alpha D^2 >= 1, so that the errors are at most D^2 sum alpha.          docs/math.md, eq. 87
 */
typedef struct ny_ball_reach {
    double square; /* D^2: (2R)^2, or where the machine has no bias |x|^2 of the farthest row if that is less */
    int64_t row;   /* that row, which alone matters then; -1: the ball does */
} ny_ball_reach;

/* The reach at this lambda, from the ball as ny_ball_radius finds it. */
ny_status ny_ball_reach_at(ny_ctx *ctx, ny_ball *ball, double lambda, ny_ball_reach *reach);

#endif

/* walk.h: C chosen along the regularization path of the l2-SVM, one path for each output. */
#ifndef NY_WALK_H
#define NY_WALK_H

#include "path.h"
#include "solver/ball.h"

/* By the mean loss of the leave-one-out outputs, and by the radius-margin bound. */
ny_choose_fn ny_walk_span, ny_walk_bound;
/* The bound on the share of leave-one-out errors, D^2 sum(alpha) / n (solver/ball.h), of an l2-SVM with objective J: at
 * its minimum sum(alpha) = 2 J / lambda.                                                    docs/math.md, eq. 87 */
double ny_radius_margin(int64_t n, double J, double lambda, const ny_ball_reach *reach);

/* The share of the weight whose outputs F (n) have the wrong sign. */
double ny_wrong_signs(const ny_primal *p, const double *F);

#endif

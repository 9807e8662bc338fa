/* criterion_radius_margin.c: Vapnik's bound on the leave-one-out errors of the l2-SVM, along its regularization path.
 *
 *     errors / n  <=  4/n R^2 / margin^2,     1/margin^2 = sum_i alpha_i                        docs/math.md, eq. 87
 *     and without bias also  <=  1/n max_i |x_i|^2 / margin^2
 *
 * R is the radius of the smallest ball around the rows under kappa_lambda (ball.h), in which the l2-SVM has a hard
 * margin. Its gradient: eq. 155. Held-out outputs, and with them the expected error, are those of `span`. */
#include "leaving.h"
#include "linalg/linalg.h"
#include "loss/loss.h"
#include "solver/ball.h"
#include "walk.h"

static const double EXACT = 1e-14; /* gap over |w|^2 / 2 of the machine whose gradient is taken */

static ny_status bound_of(ny_ctx *ctx, const ny_primal *p, ny_machine_point *x, double *bound) {
    ny_status st = NY_OK;
    ny_ball ball = {0};
    ny_ball_reach reach;
    NY_TRY(ny_ball_new(ctx, p->P, p->v, &ball));
    NY_TRY(ny_ball_reach_at(ctx, &ball, 2 / x->C, &reach));
    *bound = ny_radius_margin(p->n, 2 / x->C * x->objective, 2 / x->C, &reach); /* J is 2/C times eq. 78 */
done:
    ny_ball_clear(&ball);
    return st;
}

static ny_status value(ny_ctx *ctx, void *state, const ny_C_list *list, double *value, double *report) {
    (void)report; /* the same */
    return ny_path_value(ctx, state, list, bound_of, value);
}

/* With V = 8/n R^2 J, J = 1/2 |w|^2 + C sum v loss at its minimum, s = C v loss' and the weights beta of the ball:
 *     dV/dlog C = 8/n (R^2 (J - 1/2 |w|^2) - J lambda sum (beta - beta^2) / 2v)
 *     dV/dg_i   = 8/n (R^2 s_i w + 2 J beta_i (g_i - c)),     c = sum beta g                                  (155)
 * Where the farthest row decides, V = 2/n |x|^2 J: it alone has beta = 1, and 0 takes the place of the centre. */
static ny_status gradient(ny_ctx *ctx, const ny_primal *p, ny_machine_point *x, double *out) {
    ny_status st = NY_OK;
    const ny_problem *P = p->P;
    ny_ball ball = {0};
    ny_ball_reach reach;
    double *s = NULL, lambda = 2 / x->C, sum = 0, spread = 0;
    NY_NEW_RAW(ctx, s, 3 * p->n);
    NY_TRY(ny_newton(ctx, p, EXACT, x));
    NY_TRY(ny_ball_new(ctx, P, p->v, &ball));
    NY_TRY(ny_ball_reach_at(ctx, &ball, lambda, &reach));
    bool around = reach.row < 0;
    double square = around ? reach.square / 4 : reach.square, scale = (around ? 8 : 2) / (double)p->n;
    p->loss.loss->at(&p->loss, p->n, p->y, x->f, s + p->n, s, s + 2 * p->n);
    for (int64_t i = 0; i < p->n; i++) sum += ball.alpha[i];
    for (int64_t i = 0; i < p->n; i++) {
        double beta = around ? ball.alpha[i] / sum : i == reach.row, along = scale * square * x->C * p->v[i] * s[i];
        spread += (around ? beta - beta * beta : beta) / (2 * p->v[i]);
        for (int64_t b = 0; b < P->r; b++)
            out[2 + b + i * P->r] =
                along * x->w[b] +
                scale * 2 * x->objective * beta * (P->G[b + i * P->ldg] / P->u[i] - (around ? ball.s.w[b] / sum : 0));
    }
    out[0] = scale * square * x->objective;
    out[1] = out[0] - scale * (square * ny_dot(P->r, x->w, x->w) / 2 + x->objective * lambda * spread);
done:
    ny_ball_clear(&ball);
    ny_free(s);
    return st;
}

/* The smallest ball has four matrices of its own, for every machine that is at work. */
static ny_cost cost(const ny_size *s) {
    ny_cost path = ny_path_cost(s);
    path.numbers += 4 * s->m * s->m * ny_path_machines(s) / s->together;
    return path;
}

const ny_criterion ny_criterion_radius_margin = {
    .name = "radius-margin",
    .help = "radius-margin bound on the leave-one-out errors of the l2-SVM, along its regularization path",
    .only = &ny_loss_squared_hinge,
    .iterative = &(const ny_iterative){ny_leave_one, ny_walk_bound, cost},
    .value = &(const ny_own_value){.at = value},
    .gradient = gradient,
};

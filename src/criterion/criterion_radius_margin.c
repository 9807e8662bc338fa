/* criterion_radius_margin.c: Vapnik's bound on the leave-one-out errors of the l2-SVM, along its regularization path.
 *
 *     errors / n  <=  4/n R^2 / margin^2,     1/margin^2 = sum_i alpha_i                        docs/math.md, eq. 87
 *
 * R is the radius of the smallest ball around the rows under kappa_lambda (ball.h), in which the l2-SVM has a hard
 * margin. Held-out outputs, and with them the expected error, are those of `span`. */
#include "leaving.h"
#include "loss/loss.h"
#include "solver/ball.h"
#include "walk.h"

static ny_status bound_of(ny_ctx *ctx, const ny_primal *p, ny_machine_point *x, double *bound) {
    ny_status st = NY_OK;
    ny_ball ball = {0};
    double radius2, gap;
    NY_TRY(ny_ball_new(ctx, p->P, p->v, &ball));
    NY_TRY(ny_ball_radius(ctx, &ball, 2 / x->C, &radius2, &gap));
    *bound = ny_radius_margin(p->n, 2 / x->C * x->objective, 2 / x->C, radius2); /* J is 2/C times eq. 78 */
done:
    ny_ball_clear(&ball);
    return st;
}

static ny_status value(ny_ctx *ctx, void *state, const ny_C_list *list, double *value, double *report) {
    ny_status st = NY_OK;
    int64_t q = ny_path_primal(state, 0)->P->q, k = list->k;
    double *bound = NULL;
    (void)report; /* the same */
    NY_NEW(ctx, bound, k * q);
    NY_TRY(ny_path_visit(ctx, state, list, bound_of, 1, bound));
    for (int64_t j = 0; j < q; j++)
        for (int64_t c = 0; c < k; c++)
            if (ny_C_at(list, c, j) != 0) value[c + k * j] = bound[j + q * c];
done:
    ny_free(bound);
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
};

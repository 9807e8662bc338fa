/* ball.c: see ball.h. */
#include "ball.h"

#include <math.h>

#include "linalg/linalg.h"

static const double SURE = 1e-6; /* of R^2 */

void ny_ball_clear(ny_ball *ball) {
    ny_sided_clear(&ball->s);
    ny_free(ball->one);
    ny_free(ball->norm);
    ny_free(ball->a);
    ny_free(ball->alpha);
    *ball = (ny_ball){0};
}

ny_status ny_ball_new(ny_ctx *ctx, const ny_problem *P, const double *v, ny_ball *ball) {
    ny_status st = NY_OK;
    *ball = (ny_ball){0};
    NY_NEW_RAW(ctx, ball->one, P->n);
    NY_NEW_RAW(ctx, ball->norm, P->n);
    NY_NEW(ctx, ball->a, P->n);
    NY_NEW_RAW(ctx, ball->alpha, P->n);
    for (int64_t i = 0; i < P->n; i++) {
        const double *g = P->G + i * P->ldg;
        ball->one[i] = 1;
        ball->norm[i] = ny_dot(P->r, g, g) / v[i]; /* columns are scaled */
    }
    NY_TRY(ny_sided_new(ctx, P, ball->one, v, ball->a, 1, &ball->s));
done:
    if (st != NY_OK) ny_ball_clear(ball);
    return st;
}

/* The least the radius can be: with beta = alpha / sum alpha,
 *     D = sum_i beta_i a_i - |sum_i beta_i g_i|^2 - sum_i lambda/2 v_i beta_i^2 <= R^2 */
static double at_least(const ny_ball *ball) {
    const ny_sided *s = &ball->s;
    double sum = 0, linear = 0, square = 0;
    for (int64_t k = 0; k < s->active; k++) sum += ball->alpha[s->row[k]];
    for (int64_t k = 0; k < s->active; k++) {
        int64_t i = s->row[k];
        double beta = ball->alpha[i] / sum;
        linear += beta * ball->a[i];
        square += s->lambda / (2 * s->v[i]) * beta * beta;
    }
    return linear - square - ny_dot(s->P->r, s->w, s->w) / (sum * sum); /* w = sum alpha g */
}

ny_status ny_ball_radius(ny_ctx *ctx, ny_ball *ball, double lambda, double *radius2, double *gap) {
    ny_status st = NY_OK;
    ny_sided *s = &ball->s;
    for (int64_t i = 0; i < s->P->n; i++) ball->a[i] = ball->norm[i] + lambda / (2 * s->v[i]);
    ny_sided_retarget(s);
    NY_TRY(ny_sided_solve(ctx, s, lambda));
    *radius2 = s->objective / (2 * lambda);
    ny_sided_polish(s, ball->alpha);
    *gap = *radius2 - at_least(ball);
    NY_CHECK(ctx, *gap <= SURE * *radius2, NY_ERR_NUMERIC, "the smallest ball at lambda = %g is known to %g of it only",
             lambda, *gap / *radius2);
done:
    return st;
}

/* Without bias the other rows say 0 at least, which is |x_i| away; and any other active row of its class, which is not
 * further away than 2R. With one only the second holds. */
ny_status ny_ball_reach_at(ny_ctx *ctx, ny_ball *ball, double lambda, ny_ball_reach *reach) {
    const ny_sided *s = &ball->s;
    double radius2, gap;
    ny_status st = ny_ball_radius(ctx, ball, lambda, &radius2, &gap);
    if (st != NY_OK) return st;
    *reach = (ny_ball_reach){.square = 4 * radius2, .row = -1};
    int64_t farthest = 0;
    for (int64_t i = 1; i < s->P->n; i++)
        if (ball->a[i] > ball->a[farthest]) farthest = i;
    if (!s->P->bias && ball->a[farthest] < reach->square) *reach = (ny_ball_reach){ball->a[farthest], farthest};
    return NY_OK;
}

/* walk.c: see walk.h. */
#include "walk.h"

#include <math.h>
#include <string.h>

#include "base/threads.h"
#include "solver/follow.h"
#include "span.h"

static const double FIRST = 4, LAST = 2.7e11; /* C times the trace: where a path begins and ends, about 4^19 */
static const double BEYOND = 256, NEAR = 16;  /* the path ends when C is so many times the best one, unless asked */

double ny_radius_margin(int64_t n, double J, double lambda, const ny_ball_reach *reach) {
    return 2 * reach->square * J / (lambda * (double)n);
}

typedef struct { /* one output */
    const ny_primal *p;
    const ny_loss_params *loss;
    int64_t output;
    ny_span span;
    ny_ball *ball; /* NULL: by the leave-one-out outputs */
    bool by_error;
    double beyond;       /* INFINITY: the path goes on to its end, or as far as the precision of the kernel reaches */
    double objective;    /* of the machine before */
    double *F, *held;    /* n each: of the machine at work; of the best */
    double error, value; /* of the best */
    double least,
        least_C; /* the least value and where it was: on a plateau of errors it tells that there is more to come */
    ny_machine_point best;
} walk;

double ny_wrong_signs(const ny_primal *p, const double *F) {
    double sum = 0, weight = 0;
    for (int64_t i = 0; i < p->n; i++) {
        if (!(p->y[i] * F[i] > 0)) sum += p->v[i];
        weight += p->v[i];
    }
    return sum / weight;
}

static ny_status visit(ny_ctx *ctx, void *user, ny_sided *at, bool *enough) {
    ny_status st = NY_OK;
    walk *w = user;
    const ny_problem *P = w->p->P;
    double C = 2 / at->lambda, value, error = 0;
    ny_ball_reach reach;
    *enough =
        isinf(w->beyond) && !(at->objective <= w->objective * (1 + 1e-6)); /* it falls with lambda, but for that */
    if (*enough) return NY_OK;
    w->objective = at->objective;
    ny_span_held(&w->span, at, false, w->F);
    if (w->ball) {
        NY_TRY(ny_ball_reach_at(ctx, w->ball, at->lambda, &reach));
        value = ny_radius_margin(P->n, at->objective, at->lambda, &reach);
    } else {
        value = ny_loss_mean(w->loss, P->n, P->Y + P->n * w->output, P->u, w->F);
    }
    if (w->by_error) error = ny_wrong_signs(w->p, w->F);
    bool fewer = error < w->error || (error == w->error && C < w->best.C);
    if (w->by_error ? fewer : value < w->value) {
        w->error = error;
        w->value = value;
        w->best.C = C;
        w->best.b = at->b;
        memcpy(w->best.w, at->w, (size_t)P->r * sizeof *at->w);
        memcpy(w->held, w->F, (size_t)P->n * sizeof *w->F);
    }
    if (value < w->least) w->least = value, w->least_C = C;
    *enough = C > w->beyond * fmax(w->best.C, w->least_C);
done:
    return st;
}

/* Down the path from C = first; where the best is its very beginning, once more from further up. */
static ny_status follow(ny_ctx *ctx, walk *w, double first, double last) {
    ny_status st = NY_OK;
    ny_sided s = {0};
    for (int up = 0; up < 4; up++) {
        ny_follow_range range = {.first = 2 / first, .last = 2 / last};
        w->objective = INFINITY;
        NY_TRY(ny_sided_new(ctx, w->p->P, w->p->y, w->p->v, w->p->y, 0, &s));
        st = ny_follow(ctx, &s, &range, visit, w);
        if (st == NY_ERR_NUMERIC && isinf(w->beyond) && w->best.C > 0) st = NY_OK;
        NY_TRY(st);
        w->best.steps += s.systems;
        ny_sided_clear(&s);
        if (w->best.C > first * 1.001) break;
        last = first;
        first /= 64;
    }
done:
    ny_sided_clear(&s);
    return st;
}

static ny_status walk_output(ny_ctx *ctx, void *path, int64_t j, bool bound, const ny_C_choice *choice) {
    ny_status st = NY_OK;
    const ny_primal *p = ny_path_primal(path, j);
    ny_ball ball = {0};
    double trace = ny_path_trace(path);
    bool whole = choice->lambda_min > 0;
    const double *near = whole || choice->by_error ? NULL : choice->near; /* equal errors may lie far below */
    double last = whole ? 2 / choice->lambda_min : LAST / trace, first = near ? near[j] / NEAR : FIRST / trace;
    walk w = {.p = p,
              .loss = &p->loss,
              .output = j,
              .by_error = choice->by_error,
              .beyond = whole  ? INFINITY
                        : near ? NEAR
                               : BEYOND,
              .held = choice->held + p->n * j,
              .error = INFINITY,
              .value = INFINITY,
              .least = INFINITY};
    NY_NEW_RAW(ctx, w.F, p->n);
    NY_TRY(ny_span_new(ctx, p->P, &w.span));
    NY_TRY(ny_point_new(ctx, p, &w.best));
    if (bound) {
        NY_TRY(ny_ball_new(ctx, p->P, p->v, &ball));
        w.ball = &ball;
    }
    NY_TRY(follow(ctx, &w, whole ? fmin(first, last / 2) : first, last));
    NY_TRY(ny_path_keep(ctx, path, j, &w.best));
    choice->C[j] = w.best.C;
    choice->value[j] = w.value;
done:
    ny_free(w.F);
    ny_span_clear(&w.span);
    ny_point_clear(&w.best);
    ny_ball_clear(&ball);
    return st;
}

typedef struct {
    ny_ctx *ctx;
    void *path;
    bool bound;
    const ny_C_choice *choice;
    ny_status *status; /* outputs */
} job;

static void tile(void *arg, int64_t first, int64_t count, int thread) {
    (void)thread;
    job *b = arg;
    for (int64_t j = first; j < first + count; j++) b->status[j] = walk_output(b->ctx, b->path, j, b->bound, b->choice);
}

static ny_status walk_all(job *b) {
    ny_status st = NY_OK;
    int64_t q = ny_path_primal(b->path, 0)->P->q;
    NY_NEW(b->ctx, b->status, q);
    ny_for_tiles(q, 1, tile, b);
    for (int64_t j = 0; j < q && st == NY_OK; j++) st = b->status[j];
done:
    ny_free(b->status);
    return st;
}

ny_status ny_walk_span(ny_ctx *ctx, void *path, const ny_C_choice *choice) {
    return walk_all(&(job){ctx, path, false, choice, NULL});
}

ny_status ny_walk_bound(ny_ctx *ctx, void *path, const ny_C_choice *choice) {
    return walk_all(&(job){ctx, path, true, choice, NULL});
}

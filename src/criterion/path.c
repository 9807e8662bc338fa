/* path.c: see path.h. */
#include "path.h"

#include <math.h>
#include <string.h>

#include "base/threads.h"
#include "linalg/linalg.h"

static const double SELECTING = 1e-4, FINAL = 1e-12; /* gap over |w|^2 / 2 */
static const double LOST = 0.1;                      /* gap over J that is no minimum */
enum { KEPT = 32 };                                  /* machines to start from, for each output */

typedef struct { /* one output */
    ny_primal p;
    int64_t count;
    double C[KEPT], b[KEPT], *w[KEPT];
    int64_t steps;
    double objective, gap, last_C, moved; /* of the last machine solved for */
} output_path;

typedef struct {
    const ny_problem *P;
    ny_leave_fn *leave;
    output_path *of; /* outputs */
    double trace;
} path;

void ny_path_release(void *v) {
    path *s = v;
    if (!s) return;
    for (int64_t j = 0; s->of && j < s->P->q; j++) {
        ny_primal_clear(&s->of[j].p);
        for (int64_t k = 0; k < s->of[j].count; k++) ny_free(s->of[j].w[k]);
    }
    ny_free(s->of);
    ny_free(s);
}

/* sum |g|^2 - |sum u g|^2 / sum u^2 over the rows that are learnt from, of scaled columns, without the feature that
 * stands for a penalised bias. */
static ny_status centred_trace(ny_ctx *ctx, const ny_problem *P, double *trace) {
    ny_status st = NY_OK;
    double *sum = NULL, squares = 0, weight = 0;
    int64_t r = P->r - (ny_bias_kernel(P->rho) > 0), n = P->judged_only ? P->unjudged : P->n;
    NY_NEW_RAW(ctx, sum, P->r + 1);
    ny_gemv(false, P->r, n, 1.0, P->G, P->ldg, P->u, 0.0, sum);
    for (int64_t i = 0; i < n; i++) {
        squares += ny_dot(r, P->G + i * P->ldg, P->G + i * P->ldg);
        weight += P->u[i] * P->u[i];
    }
    *trace = squares - (P->bias ? ny_dot(P->r, sum, sum) / weight : 0);
    *trace = fmax(*trace, squares > 0 ? 1e-14 * squares : 1); /* rows that are all the same, but for rounding */
done:
    ny_free(sum);
    return st;
}

ny_status ny_path_prepare(ny_ctx *ctx, ny_problem *P, ny_leave_fn *leave, void **out) {
    ny_status st = NY_OK;
    path *s = NULL;
    NY_NEW(ctx, s, 1);
    s->P = P;
    s->leave = leave;
    NY_NEW(ctx, s->of, P->q);
    for (int64_t j = 0; j < P->q; j++) {
        NY_TRY(ny_primal_new(ctx, P, j, &s->of[j].p));
        s->of[j].moved = P->moved;
    }
    NY_TRY(centred_trace(ctx, P, &s->trace));
    *out = s;
    s = NULL;
done:
    ny_path_release(s);
    return st;
}

double ny_path_trace(const void *v) {
    return ((const path *)v)->trace;
}

/* x becomes the machine to start from: the one with the nearest C, or w = 0. */
static ny_status nearest(ny_ctx *ctx, const output_path *c, double C, ny_machine_point *x) {
    const ny_problem *P = c->p.P;
    int64_t best = -1;
    ny_status st = ny_point_new(ctx, &c->p, x);
    if (st != NY_OK) return st;
    x->C = C;
    x->moved = c->last_C > 0 ? c->moved * cbrt(C / c->last_C) : c->moved;
    for (int64_t k = 0; k < c->count; k++)
        if (best < 0 || fabs(log(c->C[k] / C)) < fabs(log(c->C[best] / C))) best = k;
    if (best < 0) return NY_OK;
    memcpy(x->w, c->w[best], (size_t)P->r * sizeof *x->w);
    x->b = c->b[best];
    ny_gemv(true, P->r, P->n, 1.0, P->G, P->ldg, x->w, 0.0, x->f);
    for (int64_t i = 0; i < P->n; i++) x->f[i] = x->f[i] / P->u[i] + x->b;
    return NY_OK;
}

static ny_status keep(ny_ctx *ctx, output_path *c, const ny_machine_point *x) {
    ny_status st = NY_OK;
    int64_t at = 0;
    while (at < c->count && c->C[at] != x->C) at++;
    if (at == KEPT) at = 0;
    if (at == c->count) {
        NY_NEW_RAW(ctx, c->w[at], c->p.P->r + 1);
        c->count++;
    }
    c->C[at] = x->C;
    c->b[at] = x->b;
    memcpy(c->w[at], x->w, (size_t)c->p.P->r * sizeof *x->w);
done:
    return st;
}

/* From w = 0, with a C so large that Newton's method got nowhere: up to it in steps. */
static ny_status from_below(ny_ctx *ctx, const output_path *c, double C, ny_machine_point *x) {
    ny_status st = NY_OK;
    ny_point_clear(x);
    NY_TRY(ny_point_new(ctx, &c->p, x));
    for (int k = 12; k >= 0; k--) {
        x->C = C * exp2(-4 * k);
        NY_TRY(ny_newton(ctx, &c->p, SELECTING, x));
    }
done:
    return st;
}

/* final: to the last digits, unless a stop has been said: then as selecting has it. */
static ny_status machine_at(ny_ctx *ctx, output_path *c, double C, bool final, ny_machine_point *x) {
    ny_status st = NY_OK;
    if (ctx->stopped) final = false;
    NY_TRY(nearest(ctx, c, C, x));
    if (c->count == 0) {
        NY_TRY(ny_newton(ctx, &c->p, SELECTING, x));
        if (x->gap > LOST * x->objective) NY_TRY(from_below(ctx, c, C, x));
    }
    if (final && c->p.P->sharp > 0) NY_TRY(ny_newton_sharp(ctx, &c->p, c->p.P->sharp, x));
    else NY_TRY(ny_newton(ctx, &c->p, final ? FINAL : SELECTING, x));
    NY_TRY(keep(ctx, c, x));
    c->steps += x->steps;
    c->objective = x->objective;
    c->gap = x->gap;
done:
    return st;
}

typedef struct {
    ny_ctx *ctx;
    path *s;
    const ny_C_list *list;
    ny_leave_fn *leave;
    int64_t size;
    double *F;
    ny_status *status; /* outputs */
} job;

static void held_tile(void *arg, int64_t first, int64_t count, int thread) {
    (void)thread;
    job *b = arg;
    const ny_problem *P = b->s->P;
    ny_machine_point x = {0};
    for (int64_t j = first; j < first + count; j++)
        for (int64_t c = 0; c < b->list->k && b->status[j] == NY_OK; c++) {
            if (ny_C_at(b->list, c, j) == 0) continue; /* not wanted */
            b->status[j] = machine_at(b->ctx, &b->s->of[j], ny_C_at(b->list, c, j), false, &x);
            if (b->status[j] == NY_OK)
                b->status[j] = b->leave(b->ctx, &b->s->of[j].p, &x, b->F + b->size * (j + P->q * c));
            b->s->of[j].last_C = x.C;
            b->s->of[j].moved = x.moved;
            ny_point_clear(&x);
        }
}

ny_status ny_path_visit(ny_ctx *ctx, void *v, const ny_C_list *list, ny_leave_fn *leave, int64_t size, double *F) {
    ny_status st = NY_OK;
    path *s = v;
    job b = {ctx, s, list, leave, size, F, NULL};
    NY_NEW(ctx, b.status, s->P->q);
    ny_for_tiles(s->P->q, 1, held_tile, &b);
    for (int64_t j = 0; j < s->P->q && st == NY_OK; j++) st = b.status[j];
done:
    ny_free(b.status);
    return st;
}

ny_status ny_path_value(ny_ctx *ctx, void *v, const ny_C_list *list, ny_leave_fn *leave, double *value) {
    ny_status st = NY_OK;
    int64_t q = ((const path *)v)->P->q, k = list->k;
    double *found = NULL;
    NY_NEW(ctx, found, k * q);
    NY_TRY(ny_path_visit(ctx, v, list, leave, 1, found));
    for (int64_t j = 0; j < q; j++)
        for (int64_t c = 0; c < k; c++)
            if (ny_C_at(list, c, j) != 0) value[c + k * j] = found[j + q * c];
done:
    ny_free(found);
    return st;
}

ny_status ny_path_held(ny_ctx *ctx, void *v, const ny_C_list *list, double *F) {
    path *s = v;
    return ny_path_visit(ctx, s, list, s->leave, s->P->n, F);
}

const ny_primal *ny_path_primal(const void *v, int64_t output) {
    return &((const path *)v)->of[output].p;
}

ny_status ny_path_keep(ny_ctx *ctx, void *v, int64_t output, const ny_machine_point *x) {
    output_path *c = &((path *)v)->of[output];
    c->steps += x->steps;
    return keep(ctx, c, x);
}

ny_status ny_path_solve(ny_ctx *ctx, void *v, const double *C, double *W, double *b) {
    ny_status st = NY_OK;
    path *s = v;
    ny_machine_point x = {0};
    for (int64_t j = 0; j < s->P->q; j++) {
        NY_TRY(machine_at(ctx, &s->of[j], C[j], true, &x));
        memcpy(W + j * s->P->r, x.w, (size_t)s->P->r * sizeof *W);
        b[j] = x.b;
        ny_point_clear(&x);
    }
done:
    ny_point_clear(&x);
    return st;
}

ny_status ny_path_effort(ny_ctx *ctx, const void *v, ny_effort *effort) {
    ny_status st = NY_OK;
    const path *s = v;
    *effort = (ny_effort){0};
    NY_NEW_RAW(ctx, effort->objective, s->P->q);
    for (int64_t j = 0; j < s->P->q; j++) {
        effort->steps += s->of[j].steps;
        effort->objective[j] = s->of[j].objective;
        effort->moved += s->of[j].moved / (double)s->P->q;
        effort->gap = fmax(effort->gap, s->of[j].gap / s->of[j].objective);
    }
done:
    return st;
}

double ny_path_machines(const ny_size *s) {
    return s->q * s->together > 1 ? ny_threads() : 1;
}

/* About VALUES values of C with STEPS steps each, a step n m^2 flops and, as slow as SLOW m of them for each row,
 * products with vectors and the loss of every row.
 * Beside the factor every machine at work holds the curvature, its factor and the inverse of that; every worker the one
 * without a fold and the fold's rows (criterion_newton.c); and there are outputs without each of 16 folds, vectors, and
 * the machines to start from. With one output and one machine at a time all workers are at the folds of the same one.
 */
ny_cost ny_path_cost(const ny_size *s) {
    const double VALUES = 3, STEPS = 8, SLOW = 400, CURVATURES = 4, FOLDS = 16, VECTORS = 20;
    double m = s->m, square = m * m, machines = ny_path_machines(s), workers = ny_threads(), q = s->q;
    double numbers = CURVATURES * machines * square + workers * (square + m * s->n / s->folds) +
                     machines * s->n * (fmin(s->folds, FOLDS) + VECTORS);
    return (ny_cost){VALUES * STEPS * q * s->n * m * (m + SLOW), numbers / s->together + KEPT * m * q};
}

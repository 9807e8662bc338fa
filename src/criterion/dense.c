/* dense.c: leave-one-out of the exact machine from its kernel matrix, one Cholesky factor for each C
 * (solver/exact_cholesky.c). docs/math.md, eq. 100
 *
 * A tridiagonal form, which serves every C, costs some twenty times as much as a factor. So few values of C are looked
 * at: powers of 2 (times a power of 2 from the trace), from where a smaller machine has found the best one outwards
 * until the best mean loss of the outputs is between two others, then between these; of those looked at each output has
 * its own. */
#include <math.h>
#include <string.h>

#include "linalg/linalg.h"
#include "posterior_make.h"

enum { LEAST = -6, MOST = 38, STEPS = MOST - LEAST + 1, FIRST = 4, LAST = 24, FAR = 4 };

static const double FLAT = 1e-3;     /* relative: a step that gains less is the last one */
static const double HOPELESS = 0.03; /* a machine worse by this share than another is not looked at closer */
static const double TRUST = 3;       /* times what a parabola promises to gain, there may be */

typedef struct {
    const ny_problem *P;
    double trace;
    ny_system system;
    ny_system_best best;
} dense;

static void release(void *state) {
    dense *d = state;
    if (!d) return;
    ny_system_clear(&d->system);
    ny_system_best_clear(&d->best);
    ny_free(d);
}

/* G is the kernel matrix, its columns scaled by u; here its rows are scaled too. */
static ny_status prepare(ny_ctx *ctx, ny_problem *P, void **state) {
    ny_status st = NY_OK;
    int64_t n = P->n;
    double s = ny_dot(n, P->u, P->u), mean = 0, *Gu = NULL;
    ny_system_rows rows = {n, P->q, P->u, P->Y, P->rho, P->together};
    dense *d = NULL;
    NY_NEW(ctx, d, 1);
    d->P = P;
    NY_NEW_RAW(ctx, Gu, n);
    NY_TRY(ny_system_best_new(ctx, &rows, true, &d->best));
    for (int64_t i = 0; i < n; i++)
        for (int64_t k = 0; k < n; k++) P->G[k + i * P->ldg] *= P->u[k];
    ny_gemv(false, n, n, 1.0, P->G, P->ldg, P->u, 0.0, Gu);
    mean = ny_dot(n, P->u, Gu) / s;
    for (int64_t i = 0; i < n; i++) d->trace += P->G[i + i * P->ldg];
    if (P->bias) d->trace = fmax(d->trace - mean, 1e-12 * d->trace); /* constant but for rounding: any scale will do */
    NY_CHECK(ctx, isfinite(d->trace), NY_ERR_NUMERIC, "the kernel matrix is not finite: are the inputs far too large?");
    NY_TRY(ny_system_of_matrix(ctx, &rows, P->G, P->ldg, P->keep, &d->system));
    *state = d;
    d = NULL;
done:
    ny_free(Gu);
    release(d);
    return st;
}

/* The way along C: exponents looked at and their mean losses over the outputs, NAN where it is not known. */
typedef struct {
    const ny_problem *P;
    double mean[STEPS];
    int step; /* beyond the ends */
} way;

static int least_of(const way *w) {
    int best = -1;
    for (int i = 0; i < STEPS; i++)
        if (!isnan(w->mean[i]) && (best < 0 || w->mean[i] < w->mean[best])) best = i;
    return best;
}

/* The next one known from `at` on that side; -1: none. */
static int beside(const way *w, int at, int side) {
    for (at += side; at >= 0 && at < STEPS; at += side)
        if (!isnan(w->mean[at])) return at;
    return -1;
}

/* Whether looking closer between the neighbours of the best may pay: not where another machine has shown better and a
 * parabola does not promise to come near it; nor, on the way to the machine of all rows, where it promises nothing. */
static bool promising(const way *w, int low, int best, int high) {
    double p = best - low, q = high - best, least = w->mean[best];
    double u = (w->mean[low] - least) / p, v = (w->mean[high] - least) / q, top = u * q - v * p;
    double gain = 0.25 * top * top / ((u + v) * (p + q)); /* of its vertex; not a number where a loss is infinite */
    if (least - TRUST * gain > w->P->hurry.beat * (1 + HOPELESS)) return false;
    return !(w->P->hurry.passing && gain < FLAT * least);
}

/* The exponents to look at next: beyond an end that is best, in growing steps, then half way to the neighbours of the
 * best. Where the last step up gained next to nothing, the next one is not worth its price: separable classes bear any
 * C. But machines that follow every row are all alike too, and the best one may be far below them. */
static int64_t next_ones(way *w, int *e) {
    int64_t count = 0;
    int best = least_of(w), low = beside(w, best, -1), high = beside(w, best, 1);
    double enough = (1 + FLAT) * w->mean[best];
    if (low >= 0 && high >= 0) {
        if (!promising(w, low, best, high)) return 0;
        if (best - low > 1 && !(w->mean[low] < enough)) e[count++] = (best + low) / 2 + LEAST;
        if (high - best > 1 && !(w->mean[high] < enough)) e[count++] = (best + high + 1) / 2 + LEAST;
        return count;
    }
    for (int side = -1; side <= 1; side += 2) {
        int behind = side < 0 ? high : low;
        bool flat = behind >= 0 && w->mean[behind] < enough;
        int by = flat ? FAR : w->step, at = best + side * by;
        if ((side < 0 ? low : high) >= 0 || at < 0 || at >= STEPS || (flat && side > 0)) continue;
        e[count++] = at + LEAST;
        at += side * by; /* two abreast cost no more than one */
        if (behind >= 0 && !flat && w->step > 1 && at >= 0 && at < STEPS) e[count++] = at + LEAST;
    }
    w->step = w->step < FAR ? 2 * w->step : FAR;
    return count;
}

/* Looks at C = base 2^e for the `count` exponents e. */
static ny_status look(ny_ctx *ctx, dense *d, double base, int64_t count, const int *e, way *w) {
    ny_status st = NY_OK;
    double C[STEPS], mean[STEPS];
    ny_system_list list = {.count = count, .C = C, .leave_out = true};
    for (int64_t i = 0; i < count; i++) C[i] = base * exp2(e[i]);
    NY_TRY(ny_system_solve(ctx, &d->system, &list, &d->best, mean));
    for (int64_t i = 0; i < count; i++) w->mean[e[i] - LEAST] = mean[i];
done:
    return st;
}

static ny_status choose(ny_ctx *ctx, void *state, const ny_C_choice *choice) {
    ny_status st = NY_OK;
    const double *near = choice->near;
    dense *d = state;
    int64_t n = d->P->n, q = d->P->q, count = 0;
    double base = 1 / exp2(round(log2(fmax(d->trace, 1e-300)))), at = 0;
    way w = {.P = d->P, .step = near ? 1 : FAR};
    int e[STEPS];
    for (int64_t i = 0; i < STEPS; i++) w.mean[i] = NAN;
    for (int64_t j = 0; near && j < q; j++) at += log2(near[j] / base) / (double)q;
    at = fmax(LEAST, fmin(MOST - 1, round(at)));
    if (near) e[count++] = (int)at, e[count++] = (int)at + 1; /* more rows than there were bear a larger C */
    for (int far = FIRST; !near && far <= LAST; far += FAR) e[count++] = far;
    for (; count > 0; count = next_ones(&w, e)) NY_TRY(look(ctx, d, base, count, e, &w));
    memcpy(choice->C, d->best.C, (size_t)q * sizeof *choice->C);
    for (int64_t j = 0; j < q; j++) {
        if (!(d->best.loss[j] < choice->value[j])) continue;
        choice->value[j] = d->best.loss[j];
        memcpy(choice->held + j * n, d->best.held + j * n, (size_t)n * sizeof *choice->held);
    }
done:
    return st;
}

/* w = u alpha are coefficients on the rows. */
static ny_status solve(ny_ctx *ctx, void *state, double *W, double *b) {
    (void)ctx;
    const dense *d = state;
    const ny_problem *P = d->P;
    for (int64_t j = 0; j < P->q; j++) {
        b[j] = d->best.b[j];
        for (int64_t i = 0; i < P->n; i++) W[i + j * P->n] = P->u[i] * d->best.alpha[i + j * P->n];
    }
    return NY_OK;
}

static ny_status posterior(ny_ctx *ctx, void *state, struct ny_posterior *out) {
    const dense *d = state;
    ny_system_factor kept = ny_system_kept(&d->system);
    return ny_posterior_exact(ctx, d->P, &kept, out);
}

/* A Cholesky factor and its inverse for each of about four C, beside that of the best. */
static ny_cost cost(const ny_size *s) {
    const double FACTORS = 4;
    return (ny_cost){FACTORS * s->n * s->n * (2 * s->n / 3 + 4 * (s->q + 1)), 2 * s->n * s->n};
}

const ny_of_kernel ny_dense_loo = {
    .prepare = prepare,
    .choose = choose,
    .solve = solve,
    .posterior = posterior,
    .release = release,
    .cost = cost,
};

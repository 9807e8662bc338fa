/* dense.c: leave-one-out of the exact machine from its kernel matrix, one Cholesky factor for each C.
 * docs/math.md, eq. 100
 *
 *     A = K_u + I/C = L L',   M = A^-1 - A^-1 u u'A^-1 / u'A^-1 u,   alpha = M y,   e_i(loo) = alpha_i / M_ii
 *
 * L^-1 gives A^-1 y and the diagonal of A^-1, for 2/3 n^3 flops of products; a tridiagonal form, which serves every C,
 * costs some twenty times as much. So few values of C are looked at: powers of 2 (times a power of 2 from the trace),
 * from where a smaller machine has found the best one outwards until the best mean loss of the outputs is between two
 * others, then between these; of those looked at each output has its own. */
#include <math.h>
#include <string.h>

#include "base/threads.h"
#include "linalg/linalg.h"
#include "posterior_make.h"
#include "together.h"

enum { LEAST = -6, MOST = 38, STEPS = MOST - LEAST + 1, FIRST = 4, LAST = 24, FAR = 4, ABREAST = 2 };

static const double FLAT = 1e-3;     /* relative: a step that gains less is the last one */
static const double HOPELESS = 0.03; /* a machine worse by this share than another is not looked at closer */
static const double TRUST = 3;       /* times what a parabola promises to gain, there may be */

typedef struct { /* the machines of all outputs at one C */
    double C;
    bool sound;    /* A is positive definite in this precision */
    double *L;     /* n x n: L^-1, the lower triangle; NULL: not there yet */
    double *alpha; /* n x q */
    double *b;     /* q */
    double *M;     /* n: M_ii */
    double *loss;  /* q */
    double *B;     /* n x (q + 1): L^-1 [y u] */
    double *Au;    /* n: A^-1 u */
} machine;

typedef struct {
    const ny_problem *P;
    double trace;
    int64_t abreast;
    machine now[ABREAST], best; /* best: of one output only, for the posterior */
    double *C, *alpha, *b;      /* q, n x q, q: of each output's best so far */
} dense;

static ny_status machine_new(ny_ctx *ctx, const ny_problem *P, machine *m) {
    ny_status st = NY_OK;
    NY_NEW_RAW(ctx, m->alpha, ny_size3(P->n, P->q, 1));
    NY_NEW_RAW(ctx, m->b, P->q);
    NY_NEW_RAW(ctx, m->M, P->n);
    NY_NEW_RAW(ctx, m->loss, P->q);
    NY_NEW_RAW(ctx, m->B, ny_size3(P->n, P->q + 1, 1));
    NY_NEW_RAW(ctx, m->Au, P->n);
done:
    return st;
}

static void machine_clear(machine *m) {
    ny_free(m->L);
    ny_free(m->alpha);
    ny_free(m->b);
    ny_free(m->M);
    ny_free(m->loss);
    ny_free(m->B);
    ny_free(m->Au);
}

static void release(void *state) {
    dense *d = state;
    if (!d) return;
    for (int64_t i = 0; i < ABREAST; i++) machine_clear(&d->now[i]);
    machine_clear(&d->best);
    ny_free(d->C);
    ny_free(d->alpha);
    ny_free(d->b);
    ny_free(d);
}

/* G is the kernel matrix, its columns scaled by u. */
static ny_status prepare(ny_ctx *ctx, ny_problem *P, void **state) {
    ny_status st = NY_OK;
    int64_t n = P->n;
    double s = ny_dot(n, P->u, P->u), mean = 0;
    dense *d = NULL;
    NY_NEW(ctx, d, 1);
    d->P = P;
    for (int64_t i = 0; i < ABREAST; i++) NY_TRY(machine_new(ctx, P, &d->now[i]));
    d->abreast = ny_threads() > 1 && !ny_threads_busy() ? ABREAST : 1;
    if (P->keep) NY_TRY(machine_new(ctx, P, &d->best));
    NY_NEW(ctx, d->C, P->q);
    NY_NEW_RAW(ctx, d->alpha, ny_size3(n, P->q, 1));
    NY_NEW_RAW(ctx, d->b, P->q);
    for (int64_t i = 0; i < n; i++)
        for (int64_t k = 0; k < n; k++) P->G[k + i * P->ldg] *= P->u[k];
    ny_gemv(false, n, n, 1.0, P->G, P->ldg, P->u, 0.0, d->now[0].Au);
    mean = ny_dot(n, P->u, d->now[0].Au) / s;
    for (int64_t i = 0; i < n; i++) d->trace += P->G[i + i * P->ldg];
    if (P->bias) d->trace = fmax(d->trace - mean, 1e-12 * d->trace); /* constant but for rounding: any scale will do */
    NY_CHECK(ctx, isfinite(d->trace), NY_ERR_NUMERIC, "the kernel matrix is not finite: are the inputs far too large?");
    *state = d;
    d = NULL;
done:
    release(d);
    return st;
}

/* Whether A has a factor at this C; L is then its inverse. */
static bool invert(const ny_problem *P, machine *m) {
    int64_t n = P->n;
    for (int64_t j = 0; j < n; j++) {
        memcpy(m->L + j + j * n, P->G + j + j * P->ldg, (size_t)(n - j) * sizeof *m->L);
        m->L[j + j * n] += 1 / m->C;
    }
    if (!ny_chol(n, m->L, n)) return false;
    ny_triangle_inverse(n, m->L, n);
    return true;
}

/* A^-1 y and A^-1 u, and the diagonal of A^-1, from the columns of L^-1. */
static void multiply(const ny_problem *P, machine *m) {
    int64_t n = P->n, q = P->q;
    memcpy(m->B, P->Y, (size_t)(n * q) * sizeof *m->B);
    memcpy(m->B + n * q, P->u, (size_t)n * sizeof *m->B);
    ny_trmm(false, n, q + 1, m->L, n, m->B, n);
    memcpy(m->alpha, m->B, (size_t)(n * q) * sizeof *m->alpha);
    memcpy(m->Au, m->B + n * q, (size_t)n * sizeof *m->Au);
    ny_trmm(true, n, q, m->L, n, m->alpha, n);
    ny_trmv(true, n, m->L, n, m->Au);
    for (int64_t i = 0; i < n; i++) m->M[i] = ny_dot(n - i, m->L + i + i * n, m->L + i + i * n);
}

/* f_i(loo) = (y_i - alpha_i / M_ii) / u_i; with copies from the residual alpha_i / C and the leverage 1 - M_ii / C. */
static double held_out(const ny_problem *P, const machine *m, int64_t i, int64_t j) {
    double y = P->Y[i + j * P->n], alpha = m->alpha[i + j * P->n];
    if (ny_has_copies(P, i)) return ny_held_together(P, i, j, (y - alpha / m->C) / P->u[i], 1 - m->M[i] / m->C);
    return (y - alpha / m->M[i]) / P->u[i];
}

static void solve_tile(void *arg, int64_t first, int64_t count, int thread) {
    (void)count;
    (void)thread;
    dense *d = arg;
    machine *m = &d->now[first];
    const ny_problem *P = d->P;
    int64_t n = P->n, q = P->q;
    double weight = ny_dot(n, P->u, P->u);
    m->sound = invert(P, m);
    for (int64_t j = 0; j < q; j++) m->loss[j] = INFINITY;
    if (!m->sound) return;
    multiply(P, m);
    double uAu = ny_dot(n, P->u, m->Au);
    for (int64_t i = 0; i < n; i++) m->M[i] = fmax(m->M[i] - (P->bias ? m->Au[i] * m->Au[i] / uAu : 0), 1e-12 * m->C);
    for (int64_t j = 0; j < q; j++) {
        double *alpha = m->alpha + j * n, squares = 0;
        m->b[j] = P->bias ? ny_dot(n, P->u, alpha) / uAu : 0;
        for (int64_t i = 0; i < n; i++) {
            alpha[i] -= m->b[j] * m->Au[i];
            double e = ny_has_copies(P, i) ? P->Y[i + j * n] - P->u[i] * held_out(P, m, i, j) : alpha[i] / m->M[i];
            squares += e * e;
        }
        m->loss[j] = squares / weight;
    }
}

static void keep(dense *d, int64_t j, machine *m) {
    int64_t n = d->P->n;
    d->C[j] = m->C;
    d->b[j] = m->b[j];
    memcpy(d->alpha + j * n, m->alpha + j * n, (size_t)n * sizeof *m->alpha);
    if (!d->P->keep) return;
    machine old = d->best;
    d->best = *m;
    *m = old;
}

/* Factors at C = base 2^e for the `count` exponents e, the mean loss over the outputs to mean[e - LEAST]; keeps
 * what is best so far of each. */
static ny_status look(ny_ctx *ctx, dense *d, double base, int64_t count, const int *e, double *mean, double *value,
                      double *held) {
    ny_status st = NY_OK;
    const ny_problem *P = d->P;
    for (int64_t first = 0; first < count; first += d->abreast) {
        int64_t some = count - first < d->abreast ? count - first : d->abreast;
        if (ny_should_stop(ctx)) NY_FAIL(ctx, NY_STOPPED, "stopped");
        for (int64_t i = 0; i < some; i++) {
            if (!d->now[i].L) NY_NEW_RAW(ctx, d->now[i].L, ny_size3(P->n, P->n, 1));
            d->now[i].C = base * exp2(e[first + i]);
        }
        ny_for_tiles(some, 1, solve_tile, d);
        for (int64_t i = 0; i < some; i++) {
            double sum = 0;
            for (int64_t j = 0; j < P->q; j++) sum += d->now[i].loss[j];
            mean[e[first + i] - LEAST] = isnan(sum) ? INFINITY : sum / (double)P->q;
            for (int64_t j = 0; j < P->q; j++) {
                machine *m = &d->now[i];
                double got = m->loss[j];
                if (!(got < value[j])) continue;
                value[j] = got;
                for (int64_t k = 0; k < P->n; k++) held[k + j * P->n] = m->sound ? held_out(P, m, k, j) : NAN;
                keep(d, j, m);
            }
        }
    }
done:
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
    if (least - TRUST * gain > w->P->beat * (1 + HOPELESS)) return false;
    return !(w->P->passing && gain < FLAT * least);
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

static ny_status choose(ny_ctx *ctx, void *state, const ny_C_choice *choice) {
    ny_status st = NY_OK;
    const double *near = choice->near;
    dense *d = state;
    int64_t q = d->P->q, count = 0;
    double base = 1 / exp2(round(log2(fmax(d->trace, 1e-300)))), at = 0;
    way w = {.P = d->P, .step = near ? 1 : FAR};
    int e[STEPS];
    for (int64_t i = 0; i < STEPS; i++) w.mean[i] = NAN;
    for (int64_t j = 0; near && j < q; j++) at += log2(near[j] / base) / (double)q;
    at = fmax(LEAST, fmin(MOST - 1, round(at)));
    if (near) e[count++] = (int)at, e[count++] = (int)at + 1; /* more rows than there were bear a larger C */
    for (int far = FIRST; !near && far <= LAST; far += FAR) e[count++] = far;
    for (; count > 0; count = next_ones(&w, e))
        NY_TRY(look(ctx, d, base, count, e, w.mean, choice->value, choice->held));
    memcpy(choice->C, d->C, (size_t)q * sizeof *d->C);
done:
    return st;
}

/* w = u alpha are coefficients on the rows. */
static ny_status solve(ny_ctx *ctx, void *state, double *W, double *b) {
    (void)ctx;
    const dense *d = state;
    const ny_problem *P = d->P;
    for (int64_t j = 0; j < P->q; j++) {
        b[j] = d->b[j];
        for (int64_t i = 0; i < P->n; i++) W[i + j * P->n] = P->u[i] * d->alpha[i + j * P->n];
    }
    return NY_OK;
}

static ny_status posterior(ny_ctx *ctx, void *state, struct ny_posterior *out) {
    const dense *d = state;
    return ny_posterior_exact(ctx, d->P, d->best.C, d->best.L, d->best.B + d->P->n, d->best.alpha, d->best.M, out);
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

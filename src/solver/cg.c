/* cg.c: see cg.h. */
#include "cg.h"

#include <math.h>
#include <string.h>

#include "linalg/linalg.h"

typedef struct {
    ny_ctx *ctx;
    const ny_cg *p;
    int64_t n, active, *column; /* the right sides still at work: column[0 .. active) */
    double *X, *R, *D;          /* n x columns: solutions, residuals, directions */
    double *V, *W;              /* n x active: packed scratch; W also takes what A makes of V */
    double *C;                  /* active: packed */
    double *size, *left, *rz;   /* columns: |y|, |r| / min(|y|, share/tol |x| / C), r'P^-1 r */
    double *along;              /* active: u'DKD d / u'u, which Pi has taken out */
    double started, progress;
    ny_cg_report report;
} state;

double ny_cg_numbers(int64_t n, int64_t columns) {
    return 6 * (double)n * (double)columns;
}

static void state_clear(state *s) {
    ny_free(s->column);
    ny_free(s->R);
    ny_free(s->D);
    ny_free(s->V);
    ny_free(s->W);
    ny_free(s->C);
    ny_free(s->size);
    ny_free(s->rz);
    ny_free(s->along);
}

double ny_project_out(int64_t n, const double *u, double *v) {
    double share = ny_dot(n, u, v) / ny_dot(n, u, u);
    for (int64_t i = 0; i < n; i++) v[i] -= share * u[i];
    return share;
}

static ny_status state_make(ny_ctx *ctx, const ny_cg *p, double *x, double *left, state *s) {
    ny_status st = NY_OK;
    int64_t n = p->K->X.X->n, k = p->columns, block = ny_size3(n, k, 1);
    *s = (state){.ctx = ctx, .p = p, .n = n, .X = x, .left = left, .started = ny_now()};
    s->report.residual = s->report.left = INFINITY;
    ny_progress(ctx, "solve", 0, 1, -1);
    NY_NEW_RAW(ctx, s->column, k);
    NY_NEW_RAW(ctx, s->R, block);
    NY_NEW(ctx, s->D, block);
    NY_NEW_RAW(ctx, s->V, block);
    NY_NEW_RAW(ctx, s->W, block);
    NY_NEW_RAW(ctx, s->C, k);
    NY_NEW_RAW(ctx, s->size, k);
    NY_NEW_RAW(ctx, s->rz, k);
    NY_NEW(ctx, s->along, k);
    if (ny_should_stop(ctx)) NY_FAIL(ctx, NY_STOPPED, "stopped");
    memset(x, 0, (size_t)block * sizeof *x);
    memcpy(s->R, p->B, (size_t)block * sizeof *x);
    for (int64_t j = 0; j < k; j++) {
        double *r = s->R + j * n, whole = sqrt(ny_dot(n, r, r));
        if (p->rho == 0) ny_project_out(n, p->u, r);
        s->size[j] = sqrt(ny_dot(n, r, r));
        if (s->size[j] <= 1e-14 * whole) s->size[j] = 0; /* a constant but for rounding */
        s->left[j] = s->size[j] > 0;
    }
done:
    return st;
}

/* W = (Pi DKD + I/C) of the active columns of `from`, K with 1/rho more where the bias is penalised; false after a
 * stop. */
static bool multiply(state *s, const double *from, bool single) {
    int64_t n = s->n;
    const double *u = s->p->u;
    for (int64_t c = 0; c < s->active; c++)
        for (int64_t i = 0; i < n; i++) s->V[i + c * n] = u[i] * from[i + s->column[c] * n];
    (single ? ny_kernel_product_single : ny_kernel_product_run)(s->p->K, s->active, s->V, s->W);
    if (ny_should_stop(s->ctx)) return false;
    for (int64_t c = 0; c < s->active; c++) {
        double *w = s->W + c * n, more = ny_bias_kernel(s->p->rho), sum = 0;
        for (int64_t i = 0; more > 0 && i < n; i++) sum += more * s->V[i + c * n];
        for (int64_t i = 0; i < n; i++) w[i] = u[i] * (w[i] + sum);
        if (s->p->rho == 0) s->along[c] = ny_project_out(n, u, w);
        for (int64_t i = 0; i < n; i++) w[i] += from[i + s->column[c] * n] / s->C[c];
    }
    return true;
}

static double tolerance(const state *s, int64_t j) {
    return j < s->p->columns - s->p->loose ? s->p->tol : s->p->loose_tol;
}

/* The columns that are not there yet are active. A little more than asked for: the true residual must satisfy too. */
static void gather(state *s) {
    s->active = 0;
    for (int64_t j = 0; j < s->p->columns; j++) {
        if (s->left[j] <= 0.9 * tolerance(s, j)) continue;
        s->C[s->active] = s->p->C[j];
        s->column[s->active++] = j;
    }
}

/* d = P^-1 r + (r'P^-1 r / what it was before) d */
static void direct(state *s, bool first) {
    int64_t n = s->n;
    for (int64_t c = 0; c < s->active; c++) memcpy(s->W + c * n, s->R + s->column[c] * n, (size_t)n * sizeof *s->W);
    ny_precondition(s->p->P, s->active, s->C, s->W, s->V);
    for (int64_t c = 0; c < s->active; c++) {
        int64_t j = s->column[c];
        if (s->p->rho == 0) ny_project_out(n, s->p->u, s->V + c * n); /* what rounding has left there grows with C */
        double rz = ny_dot(n, s->W + c * n, s->V + c * n), beta = first ? 0 : rz / s->rz[j], *d = s->D + j * n;
        for (int64_t i = 0; i < n; i++) d[i] = s->V[i + c * n] + beta * d[i];
        s->rz[j] = rz;
    }
}

/* |r| / min(|y|, share/tol |x| / C) */
static double relative(const state *s, int64_t j) {
    const double *r = s->R + j * s->n, *x = s->X + j * s->n;
    double errors = s->p->share / tolerance(s, j) * sqrt(ny_dot(s->n, x, x)) / s->p->C[j];
    double left = s->size[j] > 0 ? sqrt(ny_dot(s->n, r, r)) / fmin(s->size[j], errors) : 0;
    return isfinite(left) ? left : INFINITY;
}

/* x += a d, r -= a A d, a = r'P^-1 r / d'A d */
static void step(state *s) {
    int64_t n = s->n;
    for (int64_t c = 0; c < s->active; c++) {
        int64_t j = s->column[c];
        const double *d = s->D + j * n, *w = s->W + c * n;
        double *x = s->X + j * n, *r = s->R + j * n, a = s->rz[j] / ny_dot(n, d, w);
        bool sound =
            a > 0 && isfinite(a); /* else only rounding is left of the direction: the true residual will tell */
        for (int64_t i = 0; sound && i < n; i++) x[i] += a * d[i], r[i] -= a * w[i];
        s->left[j] = sound ? relative(s, j) : 0;
    }
}

static double worst(const state *s) {
    double most = 0;
    for (int64_t j = 0; j < s->p->columns - s->p->loose; j++) most = fmax(most, s->left[j]);
    return most;
}

/* |r| / |y| of the worst column. */
static double residual(const state *s) {
    double most = 0;
    for (int64_t j = 0; j < s->p->columns - s->p->loose; j++) {
        const double *r = s->R + j * s->n;
        if (s->size[j] > 0) most = fmax(most, sqrt(ny_dot(s->n, r, r)) / s->size[j]);
    }
    return isfinite(most) ? most : INFINITY;
}

/* The residual falls by about the same factor in every iteration. */
static void tell(state *s) {
    double elapsed = ny_now() - s->started;
    s->progress = fmax(s->progress, fmin(log(worst(s)) / log(s->p->tol), 1));
    ny_progress(s->ctx, "solve", s->progress, 1, s->progress > 0 ? elapsed * (1 / s->progress - 1) : -1);
}

/* Whether the iterations left will not do: after a third of them not a sixth of the way is behind. */
static bool hopeless(const state *s) {
    double share = (double)s->report.iterations / (double)s->p->iterations;
    return s->p->hasty && share > 1.0 / 3 && s->progress < share / 2;
}

/* Until every column has converged by its recurrence, or the iterations are used up.   eq. 53 */
static void iterate(state *s) {
    for (bool first = true;; first = false) {
        gather(s);
        if (s->active == 0 || s->report.iterations >= s->p->iterations || hopeless(s)) return;
        direct(s, first);
        s->report.stopped = !multiply(s, s->D, s->p->single);
        if (s->report.stopped) return;
        step(s);
        s->report.iterations++;
        tell(s);
    }
}

/* r = Pi y - (Pi DKD + I/C) x, not by the recurrence, and b = u'(y - DKD x) / u'u, or u'x / rho. A stop waits for it:
 * without it nobody knows what x is worth. */
static void true_residual(state *s) {
    int64_t n = s->n;
    const double grace = s->ctx->grace;
    s->active = s->p->columns;
    for (int64_t j = 0; j < s->active; j++) s->column[j] = j, s->C[j] = s->p->C[j];
    s->ctx->grace = INFINITY;
    multiply(s, s->X, false);
    s->ctx->grace = grace;
    for (int64_t j = 0; j < s->active; j++) {
        double *r = s->R + j * n;
        memcpy(r, s->p->B + j * n, (size_t)n * sizeof *r);
        double b =
            s->p->rho == 0 ? ny_project_out(n, s->p->u, r) - s->along[j] : ny_dot(n, s->p->u, s->X + j * n) / s->p->rho;
        if (s->p->b) s->p->b[j] = b;
        for (int64_t i = 0; i < n; i++) r[i] -= s->W[i + j * n];
        s->left[j] = relative(s, j);
    }
}

ny_status ny_cg_solve(ny_ctx *ctx, const ny_cg *p, double *x, double *left, ny_cg_report *report) {
    ny_status st = NY_OK;
    state s = {0};
    NY_TRY(state_make(ctx, p, x, left, &s));
    for (int64_t j = 0; p->b && j < p->columns; j++) p->b[j] = NAN;
    for (bool again = true; again;) { /* from the true residual, where rounding has led the recurrence astray */
        iterate(&s);
        double before = s.report.left;
        if (!s.report.stopped || worst(&s) <= p->good) true_residual(&s);
        s.report.left = worst(&s);
        s.report.residual = residual(&s);
        again = s.report.left > p->tol && s.report.left < before / 2 && !s.report.stopped &&
                s.report.iterations < p->iterations && !hopeless(&s);
    }
    *report = s.report;
done:
    state_clear(&s);
    return st;
}

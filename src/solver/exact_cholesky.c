/* exact_cholesky.c: exact machines by one Cholesky factor for each C. docs/math.md, eq. 100
 *
 *     A = D K D + I/C = L L',     b = u'A^-1 y / (rho + u'A^-1 u),     alpha = A^-1 y - b A^-1 u,
 *     Q = A^-1 - A^-1 u u'A^-1 / (rho + u'A^-1 u)
 *
 * Without a bias rho is infinite, and the divisions by it give 0.
 *
 * For leave-one-out L is inverted: L^-1 gives A^-1 y and the diagonal of A^-1, for 2/3 n^3 flops of products in all. */
#include <math.h>
#include <string.h>

#include "base/threads.h"
#include "exact_system.h"
#include "linalg/linalg.h"
#include "together.h"

enum { ABREAST = 2 };

typedef struct { /* the machines of all outputs at one C */
    double C;
    bool sound;    /* A is positive definite in this precision */
    double *L;     /* n x n: L, or L^-1 with leave-one-out: the lower triangle; NULL: there is none yet */
    double *B;     /* n x (q + 1): L^-1 [y u] with leave-one-out; else A^-1 [u y] */
    double *Au;    /* n: A^-1 u, and then Q_ii is ... */
    double *Q;     /* n */
    double *alpha; /* n x q */
    double *held;  /* n x q */
    double *b;     /* q */
    double *loss;  /* q */
} machines;

typedef struct {
    ny_system_rows rows;
    const double *K; /* D K D, leading dimension ld; NULL: it is computed by */
    int64_t ld;
    ny_kernel_params kernel; /* ... this kernel from ... */
    ny_kernel_side X;        /* ... these points */
    const ny_system_list *list;
    int64_t first; /* of the list: those at work are first, first + 1, ... */
    int64_t abreast;
    bool keep;
    machines now[ABREAST], kept;
} cholesky;

static ny_status machines_new(ny_ctx *ctx, const ny_system_rows *rows, machines *m) {
    ny_status st = NY_OK;
    int64_t n = rows->n, q = rows->q;
    NY_NEW_RAW(ctx, m->B, ny_size3(n, q + 1, 1));
    NY_NEW_RAW(ctx, m->Au, n);
    NY_NEW_RAW(ctx, m->Q, n);
    NY_NEW_RAW(ctx, m->alpha, ny_size3(n, q, 1));
    NY_NEW_RAW(ctx, m->held, ny_size3(n, q, 1));
    NY_NEW_RAW(ctx, m->b, q);
    NY_NEW_RAW(ctx, m->loss, q);
done:
    return st;
}

static void machines_clear(machines *m) {
    ny_free(m->L);
    ny_free(m->B);
    ny_free(m->Au);
    ny_free(m->Q);
    ny_free(m->alpha);
    ny_free(m->held);
    ny_free(m->b);
    ny_free(m->loss);
}

static void release(void *state) {
    cholesky *c = state;
    if (!c) return;
    for (int64_t i = 0; i < ABREAST; i++) machines_clear(&c->now[i]);
    machines_clear(&c->kept);
    ny_kernel_release(&c->X);
    ny_free(c);
}

/* The lower triangle of A, to L. */
static void fill(const cholesky *c, machines *m) {
    int64_t n = c->rows.n;
    const double *u = c->rows.u;
    if (!c->K) ny_kernel_matrix(&c->kernel, &c->X, &c->X, false, m->L, n);
    for (int64_t j = 0; j < n; j++) {
        if (c->K) memcpy(m->L + j + j * n, c->K + j + j * c->ld, (size_t)(n - j) * sizeof *m->L);
        else
            for (int64_t i = j; i < n; i++) m->L[i + j * n] *= u[i] * u[j];
        m->L[j + j * n] += 1 / m->C;
    }
}

/* b = u'A^-1 y / (rho + u'A^-1 u) of output j; alpha is A^-1 y at first. */
static void with_bias(const ny_system_rows *rows, machines *m, int64_t j, double uAu) {
    int64_t n = rows->n;
    double *alpha = m->alpha + j * n;
    m->b[j] = ny_dot(n, rows->u, alpha) / (rows->rho + uAu);
    for (int64_t i = 0; i < n; i++) alpha[i] -= m->b[j] * m->Au[i];
}

/* The outputs that the list wants at its k-th C. */
static void by_solving(const cholesky *c, machines *m, int64_t k) {
    const ny_system_rows *rows = &c->rows;
    int64_t n = rows->n, columns = 1;
    memcpy(m->B, rows->u, (size_t)n * sizeof *m->B);
    for (int64_t j = 0; j < rows->q; j++)
        if (ny_system_wants(c->list, k, j)) memcpy(m->B + columns++ * n, rows->Y + j * n, (size_t)n * sizeof *m->B);
    ny_chol_solve(n, columns, m->L, n, m->B, n);
    memcpy(m->Au, m->B, (size_t)n * sizeof *m->B);
    double uAu = ny_dot(n, rows->u, m->Au);
    columns = 1;
    for (int64_t j = 0; j < rows->q; j++) {
        if (!ny_system_wants(c->list, k, j)) continue;
        memcpy(m->alpha + j * n, m->B + columns++ * n, (size_t)n * sizeof *m->B);
        with_bias(rows, m, j, uAu);
    }
}

/* A^-1 y and A^-1 u, and the diagonal of A^-1 to Q, from the columns of L^-1. */
static void multiply(const ny_system_rows *rows, machines *m) {
    int64_t n = rows->n, q = rows->q;
    memcpy(m->B, rows->Y, (size_t)(n * q) * sizeof *m->B);
    memcpy(m->B + n * q, rows->u, (size_t)n * sizeof *m->B);
    ny_trmm(false, n, q + 1, m->L, n, m->B, n);
    memcpy(m->alpha, m->B, (size_t)(n * q) * sizeof *m->alpha);
    memcpy(m->Au, m->B + n * q, (size_t)n * sizeof *m->Au);
    ny_trmm(true, n, q, m->L, n, m->alpha, n);
    ny_trmv(true, n, m->L, n, m->Au);
    for (int64_t i = 0; i < n; i++) m->Q[i] = ny_dot(n - i, m->L + i + i * n, m->L + i + i * n);
}

/* The loss of output j, and its leave-one-out outputs. Those of rows with copies follow from the residual alpha_i / C
 * and the leverage 1 - Q_ii / C. */
static double leave_out(const ny_system_rows *rows, machines *m, int64_t j) {
    const ny_together *t = rows->together;
    const double *alpha = m->alpha + j * rows->n, *u = rows->u, *y = rows->Y + j * rows->n;
    double *held = m->held + j * rows->n;
    for (int64_t i = 0; t && i < rows->n; i++)
        if (t->group[i] >= 0)
            held[i] = ny_held_group(t->mean[i + j * rows->n], t->weight[i], (y[i] - alpha[i] / m->C) / u[i],
                                    (1 - m->Q[i] / m->C) / (u[i] * u[i]));
    return ny_system_leave(rows, j, alpha, m->Q, held);
}

static void by_inverse(const ny_system_rows *rows, machines *m) {
    int64_t n = rows->n;
    ny_triangle_inverse(n, m->L, n);
    multiply(rows, m);
    double uAu = ny_dot(n, rows->u, m->Au);
    for (int64_t i = 0; i < n; i++) m->Q[i] = fmax(m->Q[i] - m->Au[i] * m->Au[i] / (rows->rho + uAu), 1e-12 * m->C);
    for (int64_t j = 0; j < rows->q; j++) {
        with_bias(rows, m, j, uAu);
        m->loss[j] = leave_out(rows, m, j);
    }
}

static void solve_tile(void *arg, int64_t at, int64_t count, int thread) {
    (void)count;
    (void)thread;
    cholesky *c = arg;
    machines *m = &c->now[at];
    fill(c, m);
    m->sound = ny_chol(c->rows.n, m->L, c->rows.n);
    if (m->sound && c->list->leave_out) by_inverse(&c->rows, m);
    else if (m->sound) by_solving(c, m, c->first + at);
}

/* Returns the mean loss of the outputs that the list wants at its k-th C. */
static double offer(cholesky *c, machines *m, int64_t k, ny_system_best *best) {
    int64_t n = c->rows.n, outputs = 0;
    bool leave = c->list->leave_out, taken = false;
    double sum = 0;
    for (int64_t j = 0; j < c->rows.q && m->sound; j++) {
        if (!ny_system_wants(c->list, k, j)) continue;
        ny_system_machine machine = {m->C,
                                     m->b[j],
                                     leave ? m->loss[j] : NAN,
                                     m->alpha + j * n,
                                     leave ? m->Q : NULL,
                                     leave ? m->held + j * n : NULL};
        taken |= ny_system_offer(&c->rows, j, &machine, best);
        sum += machine.loss;
        outputs++;
    }
    if (c->keep && taken) {
        machines before = c->kept;
        c->kept = *m;
        *m = before;
    }
    return outputs == 0 || (leave && isnan(sum)) ? INFINITY : sum / (double)outputs;
}

static ny_status solve(ny_ctx *ctx, void *state, const ny_system_list *list, ny_system_best *best, double *mean,
                       ny_cg_report *report) {
    (void)report;
    ny_status st = NY_OK;
    cholesky *c = state;
    int64_t n = c->rows.n;
    c->list = list;
    for (c->first = 0; c->first < list->count; c->first += c->abreast) {
        int64_t some = list->count - c->first < c->abreast ? list->count - c->first : c->abreast;
        if (ny_should_stop(ctx)) NY_FAIL(ctx, NY_STOPPED, "stopped");
        for (int64_t i = 0; i < some; i++) {
            if (!c->now[i].L) NY_NEW_RAW(ctx, c->now[i].L, ny_size3(n, n, 1));
            c->now[i].C = list->C[c->first + i];
        }
        ny_for_tiles(some, 1, solve_tile, c);
        for (int64_t i = 0; i < some; i++) {
            NY_CHECK(ctx, list->leave_out || c->now[i].sound, NY_ERR_NUMERIC,
                     "the exact machine's matrix is not positive definite at C = %.3g", c->now[i].C);
            double loss = offer(c, &c->now[i], c->first + i, best);
            if (mean) mean[c->first + i] = loss;
        }
    }
done:
    return st;
}

static const ny_system_member by_cholesky = {solve, release};

static ny_status make(ny_ctx *ctx, const ny_system_rows *rows, int64_t abreast, bool keep, ny_system *out) {
    ny_status st = NY_OK;
    cholesky *c = NULL;
    *out = (ny_system){0};
    NY_NEW(ctx, c, 1);
    *out = (ny_system){.member = &by_cholesky, .state = c};
    c->rows = *rows;
    c->abreast = abreast;
    c->keep = keep;
    for (int64_t i = 0; i < abreast; i++) NY_TRY(machines_new(ctx, rows, &c->now[i]));
    if (keep) NY_TRY(machines_new(ctx, rows, &c->kept));
done:
    if (st != NY_OK) ny_system_clear(out);
    return st;
}

ny_status ny_system_of_matrix(ny_ctx *ctx, const ny_system_rows *rows, const double *K, int64_t ld, bool keep,
                              ny_system *out) {
    ny_status st = make(ctx, rows, ny_threads() > 1 && !ny_threads_busy() ? ABREAST : 1, keep, out);
    cholesky *c = out->state;
    if (st == NY_OK) c->K = K, c->ld = ld;
    return st;
}

ny_status ny_system_of_kernel(ny_ctx *ctx, const ny_system_rows *rows, const ny_kernel_params *kernel,
                              const ny_matrix *X, ny_system *out) {
    ny_status st = make(ctx, rows, 1, false, out);
    cholesky *c = out->state;
    if (st == NY_OK) c->kernel = *kernel, st = ny_kernel_prepare(ctx, X, true, &c->X);
    if (st != NY_OK) ny_system_clear(out);
    return st;
}

ny_system_factor ny_system_kept(const ny_system *system) {
    const cholesky *c = system->state;
    return (ny_system_factor){c->kept.C, c->kept.L, c->kept.B + c->rows.n, c->kept.alpha, c->kept.Q};
}

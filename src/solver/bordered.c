/* bordered.c: the active set E of sided.h and its bordered system: moments, factor, solutions. */
#include <math.h>
#include <string.h>

#include "base/threads.h"
#include "linalg/linalg.h"
#include "sided.h"

enum { TILE = 250000 }; /* numbers of a tile */

void ny_sided_clear(ny_sided *s) {
    double *owned[] = {s->w,  s->f,     s->S, s->p, s->R, s->L, s->GE, s->KE,
                       s->nu, s->block, s->e, s->q, s->a, s->d, s->rhs};
    for (size_t k = 0; k < sizeof owned / sizeof *owned; k++) ny_free(owned[k]);
    ny_free(s->in);
    ny_free(s->row);
    ny_free(s->from);
    ny_free(s->want);
    *s = (ny_sided){0};
}

ny_status ny_sided_new(ny_ctx *ctx, const ny_problem *P, const double *y, const double *v, const double *t, double pull,
                       ny_sided *s) {
    ny_status st = NY_OK;
    int64_t n = P->n, r = P->r;
    *s = (ny_sided){.P = P, .y = y, .v = v, .t = t, .pull = pull, .active = n};
    NY_NEW(ctx, s->w, r);
    NY_NEW(ctx, s->f, n);
    NY_NEW_RAW(ctx, s->in, n);
    NY_NEW_RAW(ctx, s->row, n);
    NY_NEW_RAW(ctx, s->from, r);
    NY_NEW_RAW(ctx, s->S, ny_size3(r, r, 1));
    NY_NEW_RAW(ctx, s->p, r);
    NY_NEW_RAW(ctx, s->R, r);
    NY_NEW_RAW(ctx, s->L, ny_size3(r, r, 1));
    NY_NEW_RAW(ctx, s->GE, ny_size3(r, r, 1));
    NY_NEW_RAW(ctx, s->KE, ny_size3(r, r, 1));
    NY_NEW_RAW(ctx, s->nu, r);
    NY_NEW_RAW(ctx, s->want, n);
    NY_NEW_RAW(ctx, s->block, ny_size3(r, NY_SIDED_BLOCK, 1));
    NY_NEW_RAW(ctx, s->e, n);
    NY_NEW_RAW(ctx, s->q, n);
    NY_NEW_RAW(ctx, s->a, n);
    NY_NEW_RAW(ctx, s->d, r);
    NY_NEW_RAW(ctx, s->rhs, n);
    for (int64_t i = 0; i < n; i++) {
        const double *g = P->G + i * P->ldg;
        s->in[i] = true;
        s->reach = fmax(s->reach, sqrt(ny_dot(r, g, g)) / P->u[i]);
    }
done:
    if (st != NY_OK) ny_sided_clear(s);
    return st;
}

/* S += sign sum g g', p += sign sum u g, s += sign sum u^2, R += sign sum u t g, T += sign sum u^2 t over the rows that
 * `which` has and `but` has not. */
static void add_rows(ny_sided *s, double sign, const bool *which, const bool *but) {
    const ny_problem *P = s->P;
    double u[NY_SIDED_BLOCK], t[NY_SIDED_BLOCK];
    int64_t count = 0;
    for (int64_t i = 0; i < P->n; i++) {
        if (which[i] && !(but && but[i])) {
            memcpy(s->block + count * P->r, P->G + i * P->ldg, (size_t)P->r * sizeof *s->block);
            t[count] = P->u[i] * s->t[i];
            u[count++] = P->u[i];
            s->s += sign * P->u[i] * P->u[i];
            s->T += sign * P->u[i] * P->u[i] * s->t[i];
        }
        if (count > 0 && (count == NY_SIDED_BLOCK || i == P->n - 1)) {
            ny_syrk(P->r, count, sign, s->block, P->r, 1.0, s->S, P->r);
            ny_gemv(false, P->r, count, sign, s->block, P->r, u, 1.0, s->p);
            ny_gemv(false, P->r, count, sign, s->block, P->r, t, 1.0, s->R);
            s->moved += count;
            count = 0;
        }
    }
}

/* The moments of `want`, from those of E or, before rounding piles up, from nothing. */
static void move(ny_sided *s, const bool *want, int64_t active, int64_t changed) {
    int64_t r = s->P->r;
    if (s->ready && s->moved + changed <= 2 * active) {
        add_rows(s, 1, want, s->in);
        add_rows(s, -1, s->in, want);
        s->heaviest = fmax(s->heaviest, s->s);
        if (s->s > 1e-3 * s->heaviest) return; /* else heavy rows have left, and their rounding is what is left */
    }
    memset(s->S, 0, (size_t)(r * r) * sizeof *s->S);
    memset(s->p, 0, (size_t)r * sizeof *s->p);
    memset(s->R, 0, (size_t)r * sizeof *s->R);
    s->s = s->T = 0;
    add_rows(s, 1, want, NULL);
    s->moved = 0;
    s->heaviest = s->s;
    s->ready = true;
}

/* E has few rows: G_E and G_E'G_E follow it. Rows that stay keep their order, new ones are put behind them. */
static void follow_gram(ny_sided *s, const bool *want) {
    const ny_problem *P = s->P;
    int64_t r = P->r, kept = 0;
    for (int64_t k = 0; s->own && k < s->active; k++)
        if (want[s->row[k]]) {
            s->from[kept] = k;
            s->row[kept] = s->row[k];
            if (kept != k) memcpy(s->GE + kept * r, s->GE + k * r, (size_t)r * sizeof *s->GE);
            kept++;
        }
    for (int64_t j = 0; j < kept; j++) /* what is read has not been written yet: from[k] >= k */
        for (int64_t i = j; i < kept; i++) s->KE[i + j * r] = s->KE[s->from[i] + s->from[j] * r];
    int64_t m = kept;
    for (int64_t i = 0; i < P->n; i++)
        if (want[i] && !(s->own && s->in[i])) {
            memcpy(s->GE + m * r, P->G + i * P->ldg, (size_t)r * sizeof *s->GE);
            s->row[m++] = i;
        }
    const double *fresh = s->GE + kept * r;
    ny_gemm(true, false, m - kept, kept, r, 1.0, fresh, r, s->GE, r, 0.0, s->KE + kept, r);
    ny_gram(m - kept, r, 1.0, fresh, r, 0.0, s->KE + kept + kept * r, r);
    s->active = m;
    s->own = true;
    s->ready = false;
}

void ny_sided_set(ny_sided *s, const bool *want) {
    int64_t n = s->P->n, changed = 0, active = 0;
    for (int64_t i = 0; i < n; i++) changed += want[i] != s->in[i], active += want[i];
    s->dual = active <= s->P->r;
    if (s->dual) {
        follow_gram(s, want);
    } else {
        if (!s->ready || changed) move(s, want, active, changed);
        s->own = false;
        s->active = 0;
        for (int64_t i = 0; i < n; i++)
            if (want[i]) s->row[s->active++] = i;
    }
    if (want != s->in) memcpy(s->in, want, (size_t)n * sizeof *want);
    s->factored = false;
}

/* The matrix to factor, lower triangle, but for the diagonal's lambda/2; returns its size. */
static int64_t gather(ny_sided *s) {
    int64_t m = s->dual ? s->active : s->P->r;
    const double *from = s->dual ? s->KE : s->S;
    for (int64_t j = 0; j < m; j++) memcpy(s->L + j + j * m, from + j + j * s->P->r, (size_t)(m - j) * sizeof *s->L);
    if (!s->dual) ny_syr(m, -1 / s->s, s->p, s->L, m);
    return m;
}

ny_status ny_sided_factor(ny_ctx *ctx, ny_sided *s, bool *helped) {
    for (double more = 0; more < 1e-6; more = fmax(10 * more, 1e-15)) {
        int64_t m = gather(s);
        double top = 0;
        for (int64_t k = 0; k < m; k++) top = fmax(top, s->L[k + k * m]);
        for (int64_t k = 0; k < m; k++) s->L[k + k * m] += s->lambda / 2 + more * top;
        s->systems++;
        *helped = more > 0;
        if (!ny_chol(m, s->L, m)) continue;
        for (int64_t k = 0; s->dual && k < m; k++) s->nu[k] = s->P->u[s->row[k]];
        if (s->dual && m > 0) ny_chol_solve(m, 1, s->L, m, s->nu, m);
        s->bend = 0;
        for (int64_t k = 0; s->dual && k < m; k++) s->bend += s->P->u[s->row[k]] * s->nu[k];
        s->factored = true;
        return NY_OK;
    }
    return ny_error(ctx, NY_ERR_NUMERIC, "lambda = %g is too small for the precision of the kernel", s->lambda);
}

/* Products over E only would jump through G: blocks of its columns are copied, unless they are most of them. */
static bool most(const ny_sided *s) {
    return 2 * s->active > s->P->n;
}

static int64_t copy_block(const ny_sided *s, int64_t first) {
    int64_t r = s->P->r, count = s->active - first < NY_SIDED_BLOCK ? s->active - first : NY_SIDED_BLOCK;
    for (int64_t k = 0; k < count; k++)
        memcpy(s->block + k * r, s->P->G + s->row[first + k] * s->P->ldg, (size_t)r * sizeof *s->block);
    return count;
}

void ny_sided_sum(ny_sided *s, const double *x, double *d) {
    const ny_problem *P = s->P;
    int64_t r = P->r, count;
    if (s->dual || !most(s)) {
        for (int64_t k = 0; k < s->active; k++) s->rhs[k] = x[s->row[k]];
        memset(d, 0, (size_t)r * sizeof *d);
        if (s->dual) ny_gemv(false, r, s->active, 1.0, s->GE, r, s->rhs, 0.0, d);
        for (int64_t first = 0; !s->dual && first < s->active; first += count) {
            count = copy_block(s, first);
            ny_gemv(false, r, count, 1.0, s->block, r, s->rhs + first, 1.0, d);
        }
        return;
    }
    for (int64_t i = 0; i < P->n; i++) s->rhs[i] = s->in[i] ? x[i] : 0;
    ny_gemv(false, r, P->n, 1.0, P->G, P->ldg, s->rhs, 0.0, d);
}

typedef struct {
    const ny_problem *P;
    const double *d;
    double b, *q;
} output_job;

static void output_tile(void *arg, int64_t first, int64_t count, int thread) {
    const output_job *job = arg;
    const ny_problem *P = job->P;
    (void)thread;
    ny_gemv(true, P->r, count, 1.0, P->G + first * P->ldg, P->ldg, job->d, 0.0, job->q + first);
    for (int64_t i = first; i < first + count; i++) job->q[i] = job->q[i] / P->u[i] + job->b;
}

void ny_sided_outputs(ny_sided *s, const double *d, double b, bool all, double *q) {
    const ny_problem *P = s->P;
    int64_t r = P->r, count;
    if (all || (most(s) && !s->dual)) {
        ny_for_tiles(P->n, TILE / r + 1, output_tile, &(output_job){P, d, b, q});
        return;
    }
    for (int64_t first = 0; first < s->active; first += count) {
        count = s->dual ? s->active : copy_block(s, first);
        ny_gemv(true, r, count, 1.0, s->dual ? s->GE : s->block, r, d, 0.0, s->rhs);
        for (int64_t k = 0; k < count; k++) q[s->row[first + k]] = s->rhs[k] / P->u[s->row[first + k]] + b;
    }
}

/* With rho = (G_E'G_E + lambda/2)^-1 e:   b = (u'rho - balance) / u'nu,   a = rho - b nu   (the paper's eq. 10, 11) */
static double small_system(ny_sided *s, const double *e, double balance, double *d) {
    int64_t m = s->active;
    double b = -balance;
    for (int64_t k = 0; k < m; k++) s->rhs[k] = e[s->row[k]];
    if (m > 0) ny_chol_solve(m, 1, s->L, m, s->rhs, m);
    for (int64_t k = 0; k < m; k++) b += s->P->u[s->row[k]] * s->rhs[k];
    b = m > 0 ? b / s->bend : 0;
    for (int64_t k = 0; k < m; k++) s->a[s->row[k]] = s->rhs[k] - b * s->nu[k];
    ny_sided_sum(s, s->a, d);
    return b;
}

/* With tau = u'e - lambda/2 balance:   (S - p p'/s + lambda/2 I) d = G_E e - p tau/s,   b = (tau - p'd) / s,
 * a = 2/lambda (e - G'd - u b) */
double ny_sided_system(ny_sided *s, const double *e, const double *Ge, double ue, double balance, bool all, double *d,
                       double *q) {
    const ny_problem *P = s->P;
    double b, tau;
    if (s->dual) {
        b = small_system(s, e, balance, d);
    } else {
        if (Ge) {
            memcpy(d, Ge, (size_t)P->r * sizeof *d);
        } else {
            ny_sided_sum(s, e, d);
            ue = 0;
            for (int64_t k = 0; k < s->active; k++) ue += P->u[s->row[k]] * e[s->row[k]];
        }
        tau = ue - s->lambda / 2 * balance;
        for (int64_t k = 0; k < P->r; k++) d[k] -= s->p[k] * tau / s->s;
        ny_chol_solve(P->r, 1, s->L, P->r, d, P->r);
        b = (tau - ny_dot(P->r, s->p, d)) / s->s;
    }
    ny_sided_outputs(s, d, b, all, q);
    for (int64_t k = 0; k < s->active && !s->dual; k++) {
        int64_t i = s->row[k];
        s->a[i] = 2 / s->lambda * (e[i] - P->u[i] * q[i]);
    }
    return b;
}

void ny_sided_retarget(ny_sided *s) {
    s->T = 0;
    for (int64_t i = 0; i < s->P->n; i++) {
        s->e[i] = s->P->u[i] * s->t[i];
        if (s->in[i]) s->T += s->P->u[i] * s->e[i];
    }
    if (s->ready) ny_sided_sum(s, s->e, s->R);
}

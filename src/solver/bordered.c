/* bordered.c: the active set E of sided.h and its bordered system: moments, factor, solutions. */
#include <math.h>
#include <string.h>

#include "base/threads.h"
#include "linalg/linalg.h"
#include "sided.h"

enum { TILE = 250000 }; /* numbers of a tile */

void ny_sided_clear(ny_sided *s) {
    double *owned[] = {s->w,       s->f,          s->sums.S, s->sums.p, s->sums.R, s->L,      s->gram.G,  s->gram.K,
                       s->gram.nu, s->work.block, s->work.e, s->work.q, s->a,      s->work.d, s->work.rhs};
    for (size_t k = 0; k < sizeof owned / sizeof *owned; k++) ny_free(owned[k]);
    ny_free(s->in);
    ny_free(s->row);
    ny_free(s->gram.from);
    ny_free(s->want);
    *s = (ny_sided){0};
}

ny_status ny_sided_new(ny_ctx *ctx, const ny_problem *P, const double *y, const double *v, const double *t, double pull,
                       ny_sided *s) {
    ny_status st = NY_OK;
    int64_t n = P->n, r = P->r;
    *s = (ny_sided){.P = P, .y = y, .v = v, .t = t, .pull = pull, .bordered = P->bias || pull != 0, .active = n};
    NY_NEW(ctx, s->w, r);
    NY_NEW(ctx, s->f, n);
    NY_NEW_RAW(ctx, s->in, n);
    NY_NEW_RAW(ctx, s->row, n);
    NY_NEW_RAW(ctx, s->gram.from, r);
    NY_NEW_RAW(ctx, s->sums.S, ny_size3(r, r, 1));
    NY_NEW_RAW(ctx, s->sums.p, r);
    NY_NEW_RAW(ctx, s->sums.R, r);
    NY_NEW_RAW(ctx, s->L, ny_size3(r, r, 1));
    NY_NEW_RAW(ctx, s->gram.G, ny_size3(r, r, 1));
    NY_NEW_RAW(ctx, s->gram.K, ny_size3(r, r, 1));
    NY_NEW_RAW(ctx, s->gram.nu, r);
    NY_NEW_RAW(ctx, s->want, n);
    NY_NEW_RAW(ctx, s->work.block, ny_size3(r, NY_SIDED_BLOCK, 1));
    NY_NEW_RAW(ctx, s->work.e, n);
    NY_NEW_RAW(ctx, s->work.q, n);
    NY_NEW_RAW(ctx, s->a, n);
    NY_NEW_RAW(ctx, s->work.d, r);
    NY_NEW_RAW(ctx, s->work.rhs, n);
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
    ny_sided_sums *m = &s->sums;
    const ny_problem *P = s->P;
    double u[NY_SIDED_BLOCK], t[NY_SIDED_BLOCK];
    int64_t count = 0;
    for (int64_t i = 0; i < P->n; i++) {
        if (which[i] && !(but && but[i])) {
            memcpy(s->work.block + count * P->r, P->G + i * P->ldg, (size_t)P->r * sizeof *s->work.block);
            t[count] = P->u[i] * s->t[i];
            u[count++] = P->u[i];
            m->s += sign * P->u[i] * P->u[i];
            m->T += sign * P->u[i] * P->u[i] * s->t[i];
        }
        if (count > 0 && (count == NY_SIDED_BLOCK || i == P->n - 1)) {
            ny_syrk(P->r, count, sign, s->work.block, P->r, 1.0, m->S, P->r);
            ny_gemv(false, P->r, count, sign, s->work.block, P->r, u, 1.0, m->p);
            ny_gemv(false, P->r, count, sign, s->work.block, P->r, t, 1.0, m->R);
            m->moved += count;
            count = 0;
        }
    }
}

/* The moments of `want`, from those of E or, before rounding piles up, from nothing. */
static void move(ny_sided *s, const bool *want, int64_t active, int64_t changed) {
    ny_sided_sums *m = &s->sums;
    int64_t r = s->P->r;
    if (m->known && m->moved + changed <= 2 * active) {
        add_rows(s, 1, want, s->in);
        add_rows(s, -1, s->in, want);
        m->heaviest = fmax(m->heaviest, m->s);
        if (m->s > 1e-3 * m->heaviest) return; /* else heavy rows have left, and their rounding is what is left */
    }
    memset(m->S, 0, (size_t)(r * r) * sizeof *m->S);
    memset(m->p, 0, (size_t)r * sizeof *m->p);
    memset(m->R, 0, (size_t)r * sizeof *m->R);
    m->s = m->T = 0;
    add_rows(s, 1, want, NULL);
    m->moved = 0;
    m->heaviest = m->s;
    m->known = true;
}

/* E has few rows: G_E and G_E'G_E go with it. Rows that stay keep their order, new ones are put behind them. */
static void update_gram(ny_sided *s, const bool *want) {
    ny_sided_gram *m = &s->gram;
    const ny_problem *P = s->P;
    int64_t r = P->r, kept = 0;
    for (int64_t k = 0; m->known && k < s->active; k++)
        if (want[s->row[k]]) {
            m->from[kept] = k;
            s->row[kept] = s->row[k];
            if (kept != k) memcpy(m->G + kept * r, m->G + k * r, (size_t)r * sizeof *m->G);
            kept++;
        }
    for (int64_t j = 0; j < kept; j++) /* what is read has not been written yet: from[k] >= k */
        for (int64_t i = j; i < kept; i++) m->K[i + j * r] = m->K[m->from[i] + m->from[j] * r];
    int64_t count = kept;
    for (int64_t i = 0; i < P->n; i++)
        if (want[i] && !(m->known && s->in[i])) {
            memcpy(m->G + count * r, P->G + i * P->ldg, (size_t)r * sizeof *m->G);
            s->row[count++] = i;
        }
    const double *fresh = m->G + kept * r;
    ny_gemm(true, false, count - kept, kept, r, 1.0, fresh, r, m->G, r, 0.0, m->K + kept, r);
    ny_gram(count - kept, r, 1.0, fresh, r, 0.0, m->K + kept + kept * r, r);
    s->active = count;
    m->known = true;
    s->sums.known = false;
}

void ny_sided_set(ny_sided *s, const bool *want) {
    int64_t n = s->P->n, changed = 0, active = 0;
    for (int64_t i = 0; i < n; i++) changed += want[i] != s->in[i], active += want[i];
    s->dual = active <= s->P->r;
    if (s->dual) {
        update_gram(s, want);
    } else {
        if (!s->sums.known || changed) move(s, want, active, changed);
        s->gram.known = false;
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
    const double *from = s->dual ? s->gram.K : s->sums.S;
    for (int64_t j = 0; j < m; j++) memcpy(s->L + j + j * m, from + j + j * s->P->r, (size_t)(m - j) * sizeof *s->L);
    if (!s->dual && s->bordered) ny_syr(m, -1 / s->sums.s, s->sums.p, s->L, m);
    return m;
}

/* nu and u'nu of the border. Without one nu = 0 and u'nu is infinite: then b = 0 everywhere. */
static void solve_border(ny_sided *s, int64_t m) {
    for (int64_t k = 0; k < m; k++) s->gram.nu[k] = s->bordered ? s->P->u[s->row[k]] : 0;
    if (s->bordered && m > 0) ny_chol_solve(m, 1, s->L, m, s->gram.nu, m);
    s->gram.bend = s->bordered ? 0 : INFINITY;
    for (int64_t k = 0; k < m; k++) s->gram.bend += s->P->u[s->row[k]] * s->gram.nu[k];
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
        if (s->dual) solve_border(s, m);
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
        memcpy(s->work.block + k * r, s->P->G + s->row[first + k] * s->P->ldg, (size_t)r * sizeof *s->work.block);
    return count;
}

void ny_sided_sum(ny_sided *s, const double *x, double *d) {
    const ny_problem *P = s->P;
    int64_t r = P->r, count;
    if (s->dual || !most(s)) {
        for (int64_t k = 0; k < s->active; k++) s->work.rhs[k] = x[s->row[k]];
        memset(d, 0, (size_t)r * sizeof *d);
        if (s->dual) ny_gemv(false, r, s->active, 1.0, s->gram.G, r, s->work.rhs, 0.0, d);
        for (int64_t first = 0; !s->dual && first < s->active; first += count) {
            count = copy_block(s, first);
            ny_gemv(false, r, count, 1.0, s->work.block, r, s->work.rhs + first, 1.0, d);
        }
        return;
    }
    for (int64_t i = 0; i < P->n; i++) s->work.rhs[i] = s->in[i] ? x[i] : 0;
    ny_gemv(false, r, P->n, 1.0, P->G, P->ldg, s->work.rhs, 0.0, d);
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
        ny_gemv(true, r, count, 1.0, s->dual ? s->gram.G : s->work.block, r, d, 0.0, s->work.rhs);
        for (int64_t k = 0; k < count; k++) q[s->row[first + k]] = s->work.rhs[k] / P->u[s->row[first + k]] + b;
    }
}

/* With rho = (G_E'G_E + lambda/2)^-1 e:   b = (u'rho - balance) / u'nu,   a = rho - b nu   (the paper's eq. 10, 11) */
static double small_system(ny_sided *s, const double *e, double balance, double *d) {
    int64_t m = s->active;
    double b = -balance;
    for (int64_t k = 0; k < m; k++) s->work.rhs[k] = e[s->row[k]];
    if (m > 0) ny_chol_solve(m, 1, s->L, m, s->work.rhs, m);
    for (int64_t k = 0; k < m; k++) b += s->P->u[s->row[k]] * s->work.rhs[k];
    b = m > 0 ? b / s->gram.bend : 0;
    for (int64_t k = 0; k < m; k++) s->a[s->row[k]] = s->work.rhs[k] - b * s->gram.nu[k];
    ny_sided_sum(s, s->a, d);
    return b;
}

/* With tau = u'e - lambda/2 balance:   (S - p p'/s + lambda/2 I) d = G_E e - p tau/s,   b = (tau - p'd) / s,
 * a = 2/lambda (e - G'd - u b) */
double ny_sided_system(ny_sided *s, const ny_sided_side *side, bool all, double *d, double *q) {
    const ny_problem *P = s->P;
    const double *e = side->e;
    double b, tau, ue = side->ue;
    if (s->dual) {
        b = small_system(s, e, side->balance, d);
    } else {
        if (side->Ge) {
            memcpy(d, side->Ge, (size_t)P->r * sizeof *d);
        } else {
            ny_sided_sum(s, e, d);
            ue = 0;
            for (int64_t k = 0; k < s->active; k++) ue += P->u[s->row[k]] * e[s->row[k]];
        }
        tau = ue - s->lambda / 2 * side->balance;
        double weight = ny_sided_weight(s);
        for (int64_t k = 0; k < P->r; k++) d[k] -= s->sums.p[k] * tau / weight;
        ny_chol_solve(P->r, 1, s->L, P->r, d, P->r);
        b = (tau - ny_dot(P->r, s->sums.p, d)) / weight;
    }
    ny_sided_outputs(s, d, b, all, q);
    for (int64_t k = 0; k < s->active && !s->dual; k++) {
        int64_t i = s->row[k];
        s->a[i] = 2 / s->lambda * (e[i] - P->u[i] * q[i]);
    }
    return b;
}

void ny_sided_retarget(ny_sided *s) {
    s->sums.T = 0;
    for (int64_t i = 0; i < s->P->n; i++) {
        s->work.e[i] = s->P->u[i] * s->t[i];
        if (s->in[i]) s->sums.T += s->P->u[i] * s->work.e[i];
    }
    if (s->sums.known) ny_sided_sum(s, s->work.e, s->sums.R);
}

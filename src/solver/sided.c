/* sided.c: see sided.h. */
#include "sided.h"

#include <math.h>
#include <string.h>

#include "linalg/linalg.h"

enum { ROUNDS = 100, STRIP = 64 };
static const double TIE = 1e-12;    /* rows so near to their target stay where they are */
static const double FEW = 0.7;      /* of r: so many rows are better off with a factor of their own size; */
static const double MANY = 1;       /* and so many where G'G is there already */
static const double ENOUGH = 1e-11; /* violation of the conditions that needs no further polish */

void ny_sided_clear(ny_sided *s) {
    double *owned[] = {s->w, s->f, s->S, s->p, s->R, s->L, s->GE, s->nu, s->block, s->e, s->q, s->a, s->d, s->rhs};
    for (size_t k = 0; k < sizeof owned / sizeof *owned; k++) ny_free(owned[k]);
    ny_free(s->in);
    ny_free(s->row);
    ny_free(s->want);
    *s = (ny_sided){0};
}

ny_status ny_sided_gram(ny_ctx *ctx, const ny_problem *P, double **K) {
    ny_status st = NY_OK;
    *K = NULL;
    if (P->n > 2 * P->r) return NY_OK;
    NY_NEW_RAW(ctx, *K, ny_size3(P->n, P->n, 1));
    ny_gram(P->n, P->r, 1.0, P->G, P->ldg, 0.0, *K, P->n);
done:
    return st;
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
    NY_NEW_RAW(ctx, s->S, ny_size3(r, r, 1));
    NY_NEW_RAW(ctx, s->p, r);
    NY_NEW_RAW(ctx, s->R, r);
    NY_NEW_RAW(ctx, s->L, ny_size3(r, r, 1));
    if (!P->K) NY_NEW_RAW(ctx, s->GE, ny_size3(r, (int64_t)(FEW * (double)r) + 1, 1));
    NY_NEW_RAW(ctx, s->nu, r);
    NY_NEW_RAW(ctx, s->want, n);
    NY_NEW_RAW(ctx, s->block, ny_size3(r, NY_SIDED_BLOCK, 1));
    NY_NEW_RAW(ctx, s->e, n);
    NY_NEW_RAW(ctx, s->q, n);
    NY_NEW_RAW(ctx, s->a, n);
    NY_NEW_RAW(ctx, s->d, r);
    NY_NEW_RAW(ctx, s->rhs, n);
    for (int64_t i = 0; i < n; i++) s->in[i] = true;
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
        return;
    }
    memset(s->S, 0, (size_t)(r * r) * sizeof *s->S);
    memset(s->p, 0, (size_t)r * sizeof *s->p);
    memset(s->R, 0, (size_t)r * sizeof *s->R);
    s->s = s->T = 0;
    add_rows(s, 1, want, NULL);
    s->moved = 0;
    s->ready = true;
}

void ny_sided_retarget(ny_sided *s) {
    s->T = 0;
    for (int64_t i = 0; i < s->P->n; i++) {
        s->e[i] = s->in[i] ? s->P->u[i] * s->t[i] : 0;
        s->T += s->P->u[i] * s->e[i];
    }
    ny_gemv(false, s->P->r, s->P->n, 1.0, s->P->G, s->P->ldg, s->e, 0.0, s->R);
}

void ny_sided_set(ny_sided *s, const bool *want) {
    int64_t n = s->P->n, changed = 0, active = 0;
    for (int64_t i = 0; i < n; i++) changed += want[i] != s->in[i], active += want[i];
    s->dual = (double)active <= (s->P->K ? MANY : FEW) * (double)s->P->r;
    if (s->dual) s->ready = false;
    else if (!s->ready || changed) move(s, want, active, changed);
    if (want != s->in) memcpy(s->in, want, (size_t)n * sizeof *want);
    s->active = 0;
    for (int64_t i = 0; i < n; i++)
        if (want[i]) s->row[s->active++] = i;
    s->factored = false;
}

/* The matrix to factor, lower triangle, but for the diagonal's lambda/2; returns its size. */
static int64_t gather(ny_sided *s) {
    const ny_problem *P = s->P;
    if (!s->dual) {
        memcpy(s->L, s->S, (size_t)(P->r * P->r) * sizeof *s->L);
        ny_syr(P->r, -1 / s->s, s->p, s->L, P->r);
        return P->r;
    }
    int64_t m = s->active;
    for (int64_t j = 0; P->K && j < m; j++)
        for (int64_t i = j; i < m; i++) s->L[i + j * m] = P->K[s->row[i] + s->row[j] * P->n];
    if (P->K) return m;
    for (int64_t k = 0; k < m; k++) memcpy(s->GE + k * P->r, P->G + s->row[k] * P->ldg, (size_t)P->r * sizeof *s->GE);
    ny_gram(m, P->r, 1.0, s->GE, P->r, 0.0, s->L, m);
    return m;
}

/* helped: rounding asked for a little more on the diagonal. */
static ny_status factor(ny_ctx *ctx, ny_sided *s, bool *helped) {
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

/* With rho = (G_E'G_E + lambda/2)^-1 e:   b = (u'rho - balance) / u'nu,   a = rho - b nu   (the paper's eq. 10, 11) */
static double small_system(ny_sided *s, const double *e, double balance, double *d, double *a) {
    int64_t m = s->active, r = s->P->r;
    double b = -balance;
    for (int64_t k = 0; k < m; k++) s->rhs[k] = e[s->row[k]];
    if (m > 0) ny_chol_solve(m, 1, s->L, m, s->rhs, m);
    for (int64_t k = 0; k < m; k++) b += s->P->u[s->row[k]] * s->rhs[k];
    b = m > 0 ? b / s->bend : 0;
    for (int64_t k = 0; k < m; k++) {
        s->rhs[k] -= b * s->nu[k];
        if (a) a[s->row[k]] = s->rhs[k];
    }
    if (!s->P->K) {
        ny_gemv(false, r, m, 1.0, s->GE, r, s->rhs, 0.0, d);
        return b;
    }
    for (int64_t k = m - 1, i = s->P->n - 1; i >= 0; i--) /* spread over all rows, from the end */
        s->rhs[i] = k >= 0 && s->row[k] == i ? s->rhs[k--] : 0;
    ny_gemv(false, r, s->P->n, 1.0, s->P->G, s->P->ldg, s->rhs, 0.0, d);
    return b;
}

/* With tau = u'e - lambda/2 balance:   (S - p p'/s + lambda/2 I) d = G_E e - p tau/s,   b = (tau - p'd) / s,
 * a = 2/lambda (e - G'd - u b) */
static double large_system(ny_sided *s, const double *e, const double *Ge, double ue, double balance, double *d) {
    const ny_problem *P = s->P;
    if (Ge) {
        memcpy(d, Ge, (size_t)P->r * sizeof *d);
    } else {
        memset(s->rhs, 0, (size_t)P->n * sizeof *e);
        ue = 0;
        for (int64_t k = 0; k < s->active; k++) {
            int64_t i = s->row[k];
            s->rhs[i] = e[i];
            ue += P->u[i] * e[i];
        }
        ny_gemv(false, P->r, P->n, 1.0, P->G, P->ldg, s->rhs, 0.0, d);
    }
    double tau = ue - s->lambda / 2 * balance;
    for (int64_t k = 0; k < P->r; k++) d[k] -= s->p[k] * tau / s->s;
    ny_chol_solve(P->r, 1, s->L, P->r, d, P->r);
    return (tau - ny_dot(P->r, s->p, d)) / s->s;
}

double ny_sided_system(ny_sided *s, const double *e, const double *Ge, double ue, double balance, double *d, double *q,
                       double *a) {
    const ny_problem *P = s->P;
    double b = s->dual ? small_system(s, e, balance, d, a) : large_system(s, e, Ge, ue, balance, d);
    ny_gemv(true, P->r, P->n, 1.0, P->G, P->ldg, d, 0.0, q);
    for (int64_t i = 0; i < P->n; i++) q[i] = q[i] / P->u[i] + b;
    for (int64_t k = 0; a && k < s->active && !s->dual; k++) {
        int64_t i = s->row[k];
        a[i] = 2 / s->lambda * (e[i] - P->u[i] * q[i]);
    }
    return b;
}

/* The least J of E's own parabola: w + d, b + shift, f + q. */
static double step(ny_sided *s) {
    const ny_problem *P = s->P;
    for (int64_t i = 0; i < P->n; i++) s->e[i] = P->u[i] * s->t[i];
    double shift = ny_sided_system(s, s->e, s->R, s->T, 2 * s->pull, s->d, s->q, NULL) - s->b;
    for (int64_t k = 0; k < P->r; k++) s->d[k] -= s->w[k];
    for (int64_t i = 0; i < P->n; i++) s->q[i] -= s->f[i];
    return shift;
}

/* J at w + x d, b + x shift, f + x q, and its derivative by x unless NULL. */
static double value(const ny_sided *s, double x, double shift, double *slope) {
    int64_t r = s->P->r;
    double ww = ny_dot(r, s->w, s->w), wd = 0, dd = 0, J = 0, by = 2 * s->lambda * s->pull * shift;
    if (x != 0 || slope) wd = ny_dot(r, s->w, s->d), dd = ny_dot(r, s->d, s->d);
    for (int64_t i = 0; i < s->P->n; i++) {
        double q = x != 0 || slope ? s->q[i] : 0, xi = s->y[i] * (s->t[i] - s->f[i] - x * q);
        if (!(xi > 0)) continue;
        J += s->v[i] * xi * xi;
        by -= 2 * s->v[i] * xi * s->y[i] * q;
    }
    if (slope) *slope = by + s->lambda * (wd + x * dd);
    return J + s->lambda * ((ww + 2 * x * wd + x * x * dd) / 2 + 2 * s->pull * (s->b + x * shift));
}

/* The least J between here and the whole step: where the derivative changes its sign. */
static double search(const ny_sided *s, double shift) {
    double lo = 0, hi = 1;
    for (int halving = 0; halving < 40; halving++) {
        double x = (lo + hi) / 2, slope;
        value(s, x, shift, &slope);
        if (slope > 0) hi = x;
        else lo = x;
    }
    return lo;
}

/* The rows on the counting side of their target, into s->want; false: E has the same. */
static bool sides(ny_sided *s) {
    bool changed = false;
    for (int64_t i = 0; i < s->P->n; i++) {
        double xi = s->y[i] * (s->t[i] - s->f[i]);
        s->want[i] = fabs(xi) <= TIE * (1 + fabs(s->t[i])) ? s->in[i] : xi > 0;
        changed |= s->want[i] != s->in[i];
    }
    return changed;
}

ny_status ny_sided_solve(ny_ctx *ctx, ny_sided *s, double lambda) {
    ny_status st = NY_OK;
    bool foreseen = true, helped = false; /* E is not yet that of w; the factor is not exact */
    s->lambda = lambda;
    if (!s->ready && !s->dual) ny_sided_set(s, s->in);
    s->factored = false;
    double J = value(s, 0, 0, NULL);
    for (int round = 0; round < ROUNDS; round++) {
        if (ny_should_stop(ctx)) NY_FAIL(ctx, NY_STOPPED, "stopped");
        if (!s->factored) NY_TRY(factor(ctx, s, &helped));
        double shift = step(s), x = 1, next = value(s, 1, shift, NULL), most = 0;
        if (!(next <= J + 1e-13 * fabs(J))) {
            if (foreseen && sides(s)) { /* a bad guess of E: from the one that w has */
                ny_sided_set(s, s->want);
                foreseen = false;
                continue;
            }
            x = search(s, shift);
            next = value(s, x, shift, NULL);
        }
        foreseen = false;
        for (int64_t k = 0; k < s->P->r; k++) s->w[k] += x * s->d[k];
        s->b += x * shift;
        for (int64_t i = 0; i < s->P->n; i++) {
            s->f[i] += x * s->q[i];
            most = fmax(most, fabs(s->q[i]) / (1 + fabs(s->t[i])));
        }
        J = next;
        if (sides(s)) ny_sided_set(s, s->want);
        else if (x < 1 || !helped || most < 1e-10) break;
    }
    s->objective = J;
done:
    return st;
}

/* w = sum alpha y g, f = w'g + b. Near the hard margin the terms of w are far larger than w: with exact = true it is
 * summed with more digits, which takes longer. */
static void from_alpha(ny_sided *s, const double *alpha, bool exact) {
    const ny_problem *P = s->P;
    for (int64_t i = 0; i < P->n; i++) s->e[i] = alpha[i] * s->y[i] / P->u[i];
    if (!exact) ny_gemv(false, P->r, P->n, 1.0, P->G, P->ldg, s->e, 0.0, s->w);
    for (int64_t first = 0; exact && first < P->r; first += STRIP) {
        int64_t count = P->r - first < STRIP ? P->r - first : STRIP;
        long double sum[STRIP] = {0};
        for (int64_t a = 0; a < s->active; a++) {
            const double *g = P->G + first + s->row[a] * P->ldg;
            for (int64_t k = 0; k < count; k++) sum[k] += (long double)s->e[s->row[a]] * g[k];
        }
        for (int64_t k = 0; k < count; k++) s->w[first + k] = (double)sum[k];
    }
    ny_gemv(true, P->r, P->n, 1.0, P->G, P->ldg, s->w, 0.0, s->f);
    for (int64_t i = 0; i < P->n; i++) s->f[i] = s->f[i] / P->u[i] + s->b;
}

/* How far from optimal; e: u times what is missing on E, unbalanced: 2 pull - sum y alpha. */
static double violation(ny_sided *s, const double *alpha, double *unbalanced) {
    double worst = 0, sum = 0;
    long double balance = 2 * s->pull;
    for (int64_t i = 0; i < s->P->n; i++) {
        double xi = s->y[i] * (s->t[i] - s->f[i]), missing = xi - s->lambda * alpha[i] / (2 * s->v[i]);
        worst = fmax(worst, s->in[i] ? fmax(fabs(missing), -s->lambda * alpha[i] / (2 * s->v[i])) : xi);
        s->e[i] = s->in[i] ? s->P->u[i] * s->y[i] * missing : 0;
        balance -= s->y[i] * alpha[i];
        sum += fabs(alpha[i]);
    }
    *unbalanced = (double)balance;
    return fmax(worst, sum > 0 ? fabs(*unbalanced) / sum : 0);
}

double ny_sided_polish(ny_sided *s, double *alpha) {
    const ny_problem *P = s->P;
    double unbalanced, before = INFINITY, kkt = INFINITY;
    bool exact = false;
    for (int64_t i = 0; i < P->n; i++)
        alpha[i] = s->in[i] ? 2 * s->v[i] / s->lambda * s->y[i] * (s->t[i] - s->f[i]) : 0;
    for (int round = 0; round < 12; round++) {
        from_alpha(s, alpha, exact);
        kkt = violation(s, alpha, &unbalanced);
        if (kkt < ENOUGH || s->active == 0 || (exact && kkt > before / 2)) break;
        before = kkt > before / 2 ? INFINITY : kkt;
        exact |= isinf(before);
        s->b += ny_sided_system(s, s->e, NULL, 0, unbalanced, s->d, s->q, s->a);
        for (int64_t k = 0; k < s->active; k++) {
            int64_t i = s->row[k];
            alpha[i] += P->u[i] * s->y[i] * s->a[i]; /* a = y alpha / u */
        }
    }
    s->objective = value(s, 0, 0, NULL);
    return kkt;
}

/* gradient.c: see gradient.h. Rows are scaled by u and centred, Gc = G diag(u) M with M = I - u u'/s (I without bias);
 *     A = Gc Gc',   N = (A + I/C)^-1,   w = N Gc y,   e = M y - Gc'w.                       docs/math.md, eq. 12, 13 */
#include "gradient.h"

#include <math.h>
#include <string.h>

#include "linalg/linalg.h"

typedef struct {
    double s, logdet;
    double C;      /* what the machine has */
    double *p;     /* r: G diag(u) u */
    double *N;     /* r x r, both triangles */
    double *T;     /* r x n: N Gc */
    double *y, *e; /* n x q: u y; M u y - Gc'w */
    double *w, *a; /* r x q */
    double *D;     /* r x r: scratch; N D N */
    double *alpha; /* n x q */
    double *rest;  /* n: 1 - h */
    double *beta;  /* n */
    double *shift; /* r */
} work;

static void release(work *k) {
    double *list[] = {k->p, k->N, k->T, k->y, k->e, k->w, k->a, k->D, k->alpha, k->rest, k->beta, k->shift};
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) ny_free(list[i]);
}

static ny_status reserve(ny_ctx *ctx, const ny_gradient *g, work *k) {
    ny_status st = NY_OK;
    int64_t r = g->r, n = g->n, q = g->q;
    NY_NEW(ctx, k->p, r);
    NY_NEW(ctx, k->N, ny_size3(r, r, 1));
    NY_NEW_RAW(ctx, k->T, ny_size3(r, n, 1));
    NY_NEW_RAW(ctx, k->y, ny_size3(n, q, 1));
    NY_NEW_RAW(ctx, k->e, ny_size3(n, q, 1));
    NY_NEW_RAW(ctx, k->w, ny_size3(r, q, 1));
    NY_NEW_RAW(ctx, k->D, ny_size3(r, r, 1));
    if (g->evidence) goto done;
    NY_NEW_RAW(ctx, k->a, ny_size3(r, q, 1));
    NY_NEW_RAW(ctx, k->alpha, ny_size3(n, q, 1));
    NY_NEW_RAW(ctx, k->rest, n);
    NY_NEW(ctx, k->beta, n);
    NY_NEW(ctx, k->shift, r);
done:
    return st;
}

/* v = M v */
static void centre(const ny_gradient *g, double s, double *v) {
    if (!g->bias) return;
    double mean = ny_dot(g->n, g->u, v) / s;
    for (int64_t i = 0; i < g->n; i++) v[i] -= mean * g->u[i];
}

/* Gc, into Gamma's place; and C: for the evidence, what the kernel has outside the factor is noise. */
static void features(const ny_gradient *g, work *k) {
    int64_t r = g->r, n = g->n;
    double *Gc = g->Gamma;
    for (int64_t i = 0; i < n; i++) {
        double u = g->u[i];
        for (int64_t j = 0; j < r; j++) {
            Gc[j + i * r] = u * g->G[j + i * r];
            k->p[j] += u * Gc[j + i * r];
        }
        k->s += u * u;
    }
    double kept = 0;
    for (int64_t i = 0; i < r * n; i++) kept += Gc[i] * Gc[i];
    k->C = g->evidence ? 1 / (1 / g->C + fmax(g->trace - kept, 0) / (double)(n - g->bias)) : g->C;
    for (int64_t i = 0; g->bias && i < n; i++)
        for (int64_t j = 0; j < r; j++) Gc[j + i * r] -= k->p[j] / k->s * g->u[i];
}

/* N, T, w, e. */
static ny_status solve(ny_ctx *ctx, const ny_gradient *g, work *k) {
    ny_status st = NY_OK;
    int64_t r = g->r, n = g->n, q = g->q;
    const double *Gc = g->Gamma;
    ny_syrk(r, n, 1.0, Gc, r, 0.0, k->D, r);
    for (int64_t j = 0; j < r; j++) k->D[j + j * r] += 1 / k->C;
    NY_CHECK(ctx, ny_chol(r, k->D, r), NY_ERR_NUMERIC, "the matrix of the features is not positive definite");
    for (int64_t j = 0; j < r; j++) {
        k->logdet += 2 * log(k->D[j + j * r]);
        k->N[j + j * r] = 1;
    }
    ny_chol_solve(r, r, k->D, r, k->N, r);
    ny_gemm(false, false, r, n, r, 1.0, k->N, r, Gc, r, 0.0, k->T, r);
    for (int64_t j = 0; j < q; j++)
        for (int64_t i = 0; i < n; i++) k->y[i + j * n] = k->e[i + j * n] = g->u[i] * g->Y[i + j * n];
    ny_gemm(false, false, r, q, n, 1.0, k->T, r, k->y, n, 0.0, k->w, r);
    for (int64_t j = 0; j < q; j++) centre(g, k->s, k->e + j * n);
    ny_gemm(true, false, n, q, r, -1.0, Gc, r, k->w, r, 1.0, k->e, n);
done:
    return st;
}

/* For each output, with b = 1 or 0 (bias or none), 1/C = 1/C_0 + (trace - |G diag(u)|^2) / (n-b) for the C_0 that is
 * asked about, and Q = C y'e:
 *     J = 1/2 ((n-b) log Q + logdet(A + I/C) + (n-b-r) log(1/C))                                          (eq. 64)
 *     dJ/d(1/C) = -C/2 (r - (n-b)/Q w'w - tr N / C) = V,    dJ/dlog C_0 = -V / C_0,    dJ/dtrace = V / (n-b)
 *     dJ/dG = (N Gc - zeta w e' - 2 V/(n-b) G diag(u)) diag(u),     zeta = C (n-b) / Q                    (eq. 65) */
static void evidence(ny_gradient *g, work *k) {
    int64_t r = g->r, n = g->n, q = g->q;
    double free = (double)(n - g->bias), trace = 0, V = 0, C = k->C, *T = k->T;
    for (int64_t j = 0; j < r; j++) trace += k->N[j + j * r];
    g->value = 0;
    for (int64_t j = 0; j < q; j++) {
        const double *w = k->w + j * r;
        double Q = C * ny_dot(n, k->y + j * n, k->e + j * n), zeta = C * free / Q;
        g->value += 0.5 * (free * log(Q) + k->logdet - (free - (double)r) * log(C));
        V -= 0.5 * C * ((double)r - free / Q * ny_dot(r, w, w) - trace / C);
        for (int64_t i = 0; i < n; i++) k->e[i + j * n] *= zeta;
    }
    g->by_trace = V / free;
    g->by_log_C = -V / g->C;
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < r; j++)
            T[j + i * r] = (double)q * T[j + i * r] - 2 * g->by_trace * g->u[i] * g->G[j + i * r];
    ny_gemm(false, true, r, n, q, -1.0, k->w, r, k->e, n, 1.0, T, r);
}

/* J = n/2 log(sum l^2 / (s q)) over rows and outputs, l_i = e_i / (1 - h_i), h_i = u_i^2/s + psi_i'N psi_i (psi:
 * columns of Gc). With L = sum l^2, alpha_i = n l_i / (L (1 - h_i)) for each output and beta_i = sum over outputs of
 * alpha_i l_i:                                                                                                    (eq.
 * 66) */
static void leave_one_out(ny_gradient *g, work *k) {
    int64_t r = g->r, n = g->n, q = g->q;
    double L = 0;
    const double *Gc = g->Gamma;
    for (int64_t i = 0; i < n; i++) {
        double h = g->bias ? g->u[i] * g->u[i] / k->s : 0;
        for (int64_t j = 0; j < r; j++) h += Gc[j + i * r] * k->T[j + i * r];
        k->rest[i] = fmax(1 - h, 1e-10);
        for (int64_t j = 0; j < q; j++) {
            double l = k->alpha[i + j * n] = k->e[i + j * n] / k->rest[i];
            L += l * l;
        }
    }
    g->value = 0.5 * (double)n * log(L / (k->s * (double)q));
    for (int64_t j = 0; j < q; j++)
        for (int64_t i = 0; i < n; i++) {
            double l = k->alpha[i + j * n];
            k->alpha[i + j * n] = (double)n * l / (L * k->rest[i]);
            k->beta[i] += k->alpha[i + j * n] * l;
        }
}

/* With a = N Gc alpha, D = Gc diag(beta) Gc':
 *     dJ/dG = (2 N Gc diag(beta) M - 2 N D N Gc - a e' - w (M alpha - Gc'a)') diag(u)                     (eq. 67)
 *     dJ/dlog C = (tr(N D N) - a'w) / C                                                                   (eq. 68) */
static void leave_one_out_gradient(ny_gradient *g, work *k) {
    int64_t r = g->r, n = g->n, q = g->q;
    double *T = k->T, sum = 0;
    const double *Gc = g->Gamma;
    ny_gemm(false, false, r, q, n, 1.0, T, r, k->alpha, n, 0.0, k->a, r);
    for (int64_t j = 0; j < q; j++) centre(g, k->s, k->alpha + j * n);
    ny_gemm(true, false, n, q, r, -1.0, Gc, r, k->a, r, 1.0, k->alpha, n);
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < r; j++) T[j + i * r] *= sqrt(k->beta[i]);
    ny_syrk(r, n, 1.0, T, r, 0.0, k->D, r);
    ny_mirror(r, k->D, r);
    for (int64_t j = 0; j < r; j++) sum += k->D[j + j * r];
    g->by_log_C = (sum - ny_dot(r * q, k->a, k->w)) / g->C;
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < r; j++) {
            T[j + i * r] *= sqrt(k->beta[i]);
            k->shift[j] += g->u[i] * T[j + i * r] / k->s;
        }
    for (int64_t i = 0; g->bias && i < n; i++)
        for (int64_t j = 0; j < r; j++) T[j + i * r] -= k->shift[j] * g->u[i];
    ny_gemm(false, false, r, n, r, -2.0, k->D, r, Gc, r, 2.0, T, r);
    ny_gemm(false, true, r, n, q, -1.0, k->a, r, k->e, n, 1.0, T, r);
    ny_gemm(false, true, r, n, q, -1.0, k->w, r, k->alpha, n, 1.0, T, r);
    g->by_trace = 0;
}

ny_status ny_gradient_make(ny_ctx *ctx, ny_gradient *g) {
    ny_status st = NY_OK;
    work k = {0};
    NY_TRY(reserve(ctx, g, &k));
    features(g, &k);
    NY_TRY(solve(ctx, g, &k));
    if (g->evidence) evidence(g, &k);
    else {
        leave_one_out(g, &k);
        leave_one_out_gradient(g, &k);
    }
    for (int64_t i = 0; i < g->n; i++)
        for (int64_t j = 0; j < g->r; j++) g->Gamma[j + i * g->r] = g->u[i] * k.T[j + i * g->r];
done:
    release(&k);
    return st;
}

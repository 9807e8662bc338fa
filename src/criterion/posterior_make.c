/* posterior_make.c: see posterior_make.h. */
#include "posterior_make.h"

#include <math.h>
#include <string.h>

#include "base/threads.h"
#include "linalg/linalg.h"

typedef struct {
    const ny_problem *P;
    const ny_basis *basis;
    const ny_posterior *post;
    const double *C, *factor;
    const double *V;    /* r x q: Q'w */
    const double *base; /* q: what every row's fit has beside psi'Q'w, times u */
    double *E;          /* n x q: residuals, scaled by u */
    double *scratch;    /* threads x NY_SWEEP x (2 r + q + 1) */
} rows_job;

static void rows_tile(void *arg, int64_t first, int64_t count, int thread) {
    rows_job *job = arg;
    const ny_problem *P = job->P;
    int64_t r = P->r, n = P->n, q = P->q;
    double *turned = job->scratch + (int64_t)thread * NY_SWEEP * (2 * r + q + 1), *copy = turned + NY_SWEEP * r;
    double *fit = copy + NY_SWEEP * r, *h = fit + NY_SWEEP * q, share = job->post->share;
    const double *G = P->G + first * P->ldg, *u = P->u + first;
    memset(turned, 0, (size_t)(NY_SWEEP * r) * sizeof *turned);
    for (int64_t c = 0; c < count; c++)
        for (int64_t i = 0; i < r; i++)
            if (job->basis->rotated) turned[c + i * NY_SWEEP] = G[i + c * P->ldg];
            else copy[i + c * r] = G[i + c * P->ldg] - share * u[c] * job->basis->p[i];
    if (!job->basis->rotated) ny_gemm(true, false, count, r, r, 1.0, copy, r, job->post->map, r, 0.0, turned, NY_SWEEP);
    ny_gemm(false, false, count, q, r, 1.0, turned, NY_SWEEP, job->V, r, 0.0, fit, NY_SWEEP);
    for (int64_t j = 0; j < q; j++) {
        ny_posterior_sweep(job->post, job->C, job->factor, turned, j, h);
        for (int64_t c = 0; c < count; c++) {
            int64_t at = first + c + n * j;
            job->E[at] = P->Y[at] - fit[c + j * NY_SWEEP] - u[c] * job->base[j];
            job->post->leverage[at] = h[c] + share * u[c] * u[c];
        }
    }
}

/* noise_j = sum_i v_i e_ij^2 / (n - sum_i h_ij).                                              docs/math.md, eq. 55 */
static double noise_of(int64_t n, const double *e, const double *y, const double *leverage) {
    double squares = 0, left = (double)n, size = 0;
    for (int64_t i = 0; i < n; i++) {
        squares += e[i] * e[i];
        size += y[i] * y[i];
        left -= leverage[i];
    }
    double least = 1e-24 * size / (double)n + 1e-300; /* a machine that errs nowhere is still not sure of everything */
    return fmax(squares / fmax(left, 1e-6 * (double)n), least);
}

ny_status ny_posterior_make(ny_ctx *ctx, const ny_problem *P, ny_basis *basis, const double *C, const double *W,
                            const double *b, ny_posterior *out) {
    ny_status st = NY_OK;
    int64_t r = P->r, n = P->n, q = P->q;
    double *V = NULL, *base = NULL, *factor = NULL, *E = NULL, *scratch = NULL;
    *out = (ny_posterior){.r = r, .q = q, .map = basis->Q, .diag = basis->diag, .off = basis->off, .spread = 1};
    out->share = P->bias && basis->s > 0 ? 1 / basis->s : 0;
    NY_NEW_RAW(ctx, out->mean, r);
    NY_NEW_RAW(ctx, out->noise, q);
    NY_NEW_RAW(ctx, out->leverage, ny_size3(n, q, 1));
    NY_NEW_RAW(ctx, V, ny_size3(r, q, 1));
    NY_NEW_RAW(ctx, base, q);
    NY_NEW_RAW(ctx, factor, ny_size3(2, r, q));
    NY_NEW_RAW(ctx, E, ny_size3(n, q, 1));
    NY_NEW_RAW(ctx, scratch, ny_size3(ny_threads(), NY_SWEEP, 2 * r + q + 1));
    ny_gemv(true, r, r, out->share, out->map, r, basis->p, 0.0, out->mean);
    ny_gemm(true, false, r, q, r, 1.0, out->map, r, W, r, 0.0, V, r);
    for (int64_t j = 0; j < q; j++) base[j] = b[j] + out->share * ny_dot(r, basis->p, W + j * r);
    ny_posterior_factor(out, C, factor);
    rows_job job = {P, basis, out, C, factor, V, base, E, scratch};
    ny_for_tiles_cut(n, NY_SWEEP, rows_tile, &job);
    for (int64_t j = 0; j < q; j++) out->noise[j] = noise_of(n, E + j * n, P->Y + j * n, out->leverage + j * n);
done:
    ny_free(V);
    ny_free(base);
    ny_free(factor);
    ny_free(E);
    ny_free(scratch);
    ny_free(basis->p);
    *basis = (ny_basis){0};
    return st;
}

/* map = diag(u) L^-T H, H the reflection that turns L^-1 u into a multiple of the first axis: what the bias adds is the
 * square of one coordinate, its distance from `mean`, times u'A^-1u / (rho + u'A^-1u), and all others have T infinite.
 * docs/math.md, eq. 101 */
static void reflected_map(const ny_problem *P, const double *L, const double *h, double *map) {
    int64_t n = P->n;
    for (int64_t i = 0; i < n; i++) {
        const double *l = L + i * n; /* column i of L^-1 is row i of L^-T */
        double along = isfinite(P->rho) ? 2 * ny_dot(n - i, l + i, h + i) / ny_dot(n, h, h) : 0;
        for (int64_t k = 0; k < n; k++) map[i + k * n] = P->u[i] * ((k < i ? 0 : l[k]) - along * h[k]);
    }
}

ny_status ny_posterior_exact(ny_ctx *ctx, const ny_problem *P, const ny_system_factor *factor, ny_posterior *out) {
    ny_status st = NY_OK;
    int64_t n = P->n;
    const double *Lu = factor->Lu;
    double *h = NULL, size = sqrt(ny_dot(n, Lu, Lu)), sign = Lu[0] < 0 ? -1 : 1;
    const double far = 1e300; /* T + I/C, inverted: nothing */
    *out = (ny_posterior){.r = n, .q = 1, .spread = 1};
    NY_NEW_RAW(ctx, out->map, ny_size3(n, n, 1));
    NY_NEW(ctx, out->mean, n);
    NY_NEW_RAW(ctx, out->diag, n);
    NY_NEW(ctx, out->off, n);
    NY_NEW_RAW(ctx, out->noise, 1);
    NY_NEW_RAW(ctx, out->leverage, n);
    NY_NEW_RAW(ctx, h, n);
    for (int64_t i = 0; i < n; i++) {
        out->diag[i] = i == 0 ? fmin(P->rho / (factor->C * size * size), far) : far;
        out->leverage[i] = 1 - factor->Q[i] / factor->C;
        h[i] = Lu[i] + (i == 0 ? sign * size : 0);
    }
    if (isfinite(P->rho)) out->mean[0] = -sign / size;
    reflected_map(P, factor->L, h, out->map);
    for (int64_t i = 0; i < n; i++) h[i] = factor->alpha[i] / factor->C; /* residuals */
    out->noise[0] = noise_of(n, h, P->Y, out->leverage);
done:
    ny_free(h);
    return st;
}

/* Without row i its leverage h is u^2 times the bracket of (54): h / (1 - h) = u^2 (share + psi'(..)psi) there. */
double ny_posterior_held(const ny_posterior *p, const double *C, int64_t n, int64_t i, int64_t j, double unseen,
                         double u) {
    double h = fmin(p->leverage[i + n * j], 1 - 1e-12);
    return p->spread * p->noise[j] * (h / ((1 - h) * u * u) + C[j] * fmax(unseen, 0));
}

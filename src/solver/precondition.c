/* precondition.c: see precondition.h. One Cholesky factor for each C:
 *
 *     (G'G + I/C)^-1 r = C (r - G' (GG' + I/C)^-1 G r)                                        docs/math.md, eq. 52 */
#include "precondition.h"

#include <math.h>
#include <string.h>

#include "base/threads.h"
#include "linalg/linalg.h"

enum { SHARES = 16, WIDTH = 256 };   /* of the rows; points of a tile */
static const double TOL = 1e-10;     /* pivots below this share of the largest are noise */
static const double ROUNDING = 1e-6; /* what single precision makes of 1 - 1 */

int64_t ny_precondition_rank(int64_t n) {
    int64_t rank = n / 8 < 500 ? 500 : n / 8 > 1000 ? 1000 : n / 8;
    return rank < (n + 1) / 2 ? rank : (n + 1) / 2;
}

double ny_precondition_numbers(int64_t n, int64_t d, int64_t rank, int64_t columns, int64_t systems) {
    double r = (double)rank;
    return r * (double)n + r * (double)d + (3.5 + (double)systems) * r * r + SHARES * r * (double)columns +
           3 * (double)n + (double)ny_threads() * r * WIDTH;
}

static int64_t system_of(const ny_preconditioner *p, double C) {
    int64_t s = 0;
    while (s < p->systems && p->C[s] != C) s++;
    return s;
}

/* |S|^2 (Frobenius) from its lower triangle. */
static double square_norm(int64_t r, const double *S) {
    double sum = 0;
    for (int64_t k = 0; k < r; k++) {
        const double *s = S + k + k * r;
        sum += 2 * ny_dot(r - k, s, s) - s[0] * s[0];
    }
    return sum;
}

/* Column i becomes u_i (g_i - mean), mean = sum_i v_i g_i / sum_i v_i, v = u^2; without a free bias mean = 0. */
static void scale_and_centre(ny_factor *f, const double *u, double rho, double *mean, double *border) {
    double total = ny_dot(f->n, u, u);
    for (int64_t i = 0; rho == 0 && i < f->n; i++) {
        border[i] = u[i] * u[i] / total;
        for (int64_t k = 0; k < f->r; k++) mean[k] += border[i] * f->G[k + i * f->ldg];
    }
    for (int64_t i = 0; i < f->n; i++)
        for (int64_t k = 0; k < f->r; k++) f->G[k + i * f->ldg] = u[i] * (f->G[k + i * f->ldg] - mean[k]);
}

ny_status ny_precondition_make(ny_ctx *ctx, const ny_precondition_spec *spec, ny_preconditioner *p) {
    ny_status st = NY_OK;
    int64_t n = spec->X->n;
    double *mean = NULL, *Sm = NULL;
    *p = (ny_preconditioner){0};
    ny_factor_spec low_rank = {.method = &ny_landmark_rpcholesky,
                               .landmarks = spec->rank,
                               .tol = TOL,
                               .seed = spec->seed,
                               .constant = ny_bias_feature(spec->rho)};
    NY_TRY(ny_factor_make(ctx, spec->kernel, spec->X, &low_rank, &p->f));
    int64_t r = p->f.r;
    NY_NEW(ctx, p->border, n);
    NY_NEW(ctx, mean, r);
    NY_NEW(ctx, Sm, r);
    scale_and_centre(&p->f, spec->u, spec->rho, mean, p->border);
    NY_NEW_RAW(ctx, p->S, ny_size3(r, r, 1));
    NY_NEW_RAW(ctx, p->H, ny_size3(r, spec->columns, SHARES));
    ny_syrk(r, n, 1.0, p->f.G, p->f.ldg, 0.0, p->S, r);
    /* |S + s m m'|^2 = |S|^2 + 2 s m'S m + s^2 |m|^4 for the factor before it was centred */
    for (int64_t k = 0; k < r; k++) {
        const double *s = p->S + k * r;
        Sm[k] += s[k] * mean[k];
        for (int64_t i = k + 1; i < r; i++) Sm[k] += s[i] * mean[i], Sm[i] += s[i] * mean[k];
    }
    double s = ny_dot(n, spec->u, spec->u), m2 = ny_dot(r, mean, mean);
    p->norm = sqrt(square_norm(r, p->S) + 2 * s * ny_dot(r, mean, Sm) + s * s * m2 * m2);
done:
    ny_free(mean);
    ny_free(Sm);
    if (st != NY_OK) ny_precondition_clear(p);
    return st;
}

ny_status ny_precondition_for(ny_ctx *ctx, ny_preconditioner *p, int64_t count, const double *C) {
    ny_status st = NY_OK;
    int64_t r = p->f.r;
    double largest = 0;
    ny_free(p->C);
    ny_free(p->L);
    p->C = p->L = NULL;
    p->systems = 0;
    NY_NEW_RAW(ctx, p->C, count);
    for (int64_t c = 0; c < count; c++)
        if (system_of(p, C[c]) == p->systems) p->C[p->systems++] = C[c];
    NY_NEW_RAW(ctx, p->L, ny_size3(r, r, p->systems));
    for (int64_t k = 0; k < r; k++) largest = fmax(largest, p->S[k + k * r]);
    for (int64_t s = 0; s < p->systems; s++) {
        double *L = p->L + s * r * r;
        memcpy(L, p->S, (size_t)(r * r) * sizeof *L);
        /* Where C is beyond the precision any other will do: a preconditioner need not be exact. */
        for (int64_t k = 0; k < r; k++) L[k + k * r] += fmax(1 / p->C[s], 1e-13 * largest);
        NY_CHECK(ctx, ny_chol(r, L, r), NY_ERR_NUMERIC,
                 "the preconditioner is not positive definite: are the inputs far too large?");
    }
done:
    return st;
}

void ny_precondition_clear(ny_preconditioner *p) {
    ny_factor_clear(&p->f);
    ny_free(p->border);
    ny_free(p->S);
    ny_free(p->C);
    ny_free(p->L);
    ny_free(p->H);
    *p = (ny_preconditioner){0};
}

typedef struct {
    const ny_preconditioner *p;
    int64_t count, step;
    const double *C, *R;
    double *Z;
} apply_job;

/* G R of a share of the rows. */
static void down_tile(void *arg, int64_t first, int64_t rows, int thread) {
    (void)thread;
    apply_job *job = arg;
    const ny_factor *f = &job->p->f;
    double *H = job->p->H + first / job->step * f->r * job->count;
    ny_gemm(false, false, f->r, job->count, rows, 1.0, f->G + first * f->ldg, f->ldg, job->R + first, f->n, 0.0, H,
            f->r);
}

/* C (R - G' H) */
static void up_tile(void *arg, int64_t first, int64_t rows, int thread) {
    (void)thread;
    apply_job *job = arg;
    const ny_factor *f = &job->p->f;
    ny_gemm(true, false, rows, job->count, f->r, -1.0, f->G + first * f->ldg, f->ldg, job->p->H, f->r, 0.0,
            job->Z + first, f->n);
    for (int64_t c = 0; c < job->count; c++)
        for (int64_t i = first + c * f->n; i < first + rows + c * f->n; i++)
            job->Z[i] = job->C[c] * (job->R[i] + job->Z[i]);
}

/* The rows are divided into shares whatever the threads, and the shares are added in order. */
void ny_precondition(const ny_preconditioner *p, int64_t count, const double *C, const double *R, double *Z) {
    int64_t n = p->f.n, r = p->f.r, step = (n + SHARES - 1) / SHARES;
    apply_job job = {p, count, step, C, R, Z};
    ny_for_tiles(n, step, down_tile, &job);
    for (int64_t first = step; first < n; first += step)
        for (int64_t i = 0; i < r * count; i++) p->H[i] += p->H[i + first / step * r * count];
    for (int64_t c = 0, next; c < count; c = next) { /* columns of equal C together */
        for (next = c + 1; next < count && C[next] == C[c]; next++) {
        }
        ny_chol_solve(r, next - c, p->L + system_of(p, C[c]) * r * r, r, p->H + c * r, r);
    }
    ny_for_tiles(n, step, up_tile, &job);
}

typedef struct {
    const ny_preconditioner *p;
    double C, *inverse, *scratch, *diagonal; /* r x r: L^-1; threads x (r x WIDTH); n */
    float *rounded;                          /* L^-1 in single precision; or NULL */
} diagonal_job;

/* C (1 - border_i - |L^-1 g_i|^2) */
static void diagonal_tile(void *arg, int64_t first, int64_t count, int thread) {
    diagonal_job *job = arg;
    const ny_factor *f = &job->p->f;
    int64_t r = f->r;
    double *T = job->scratch + (int64_t)thread * r * WIDTH;
    for (int64_t i = 0; i < count; i++) memcpy(T + i * r, f->G + (first + i) * f->ldg, (size_t)r * sizeof *T);
    ny_trmm(false, r, count, job->inverse, r, T, r);
    for (int64_t i = 0; i < count; i++)
        job->diagonal[first + i] = job->C * (1 - job->p->border[first + i] - ny_dot(r, T + i * r, T + i * r));
}

static void single_diagonal_tile(void *arg, int64_t first, int64_t count, int thread) {
    diagonal_job *job = arg;
    const ny_factor *f = &job->p->f;
    int64_t r = f->r;
    float *T = (float *)(job->scratch + (int64_t)thread * r * WIDTH);
    for (int64_t i = 0; i < count; i++)
        for (int64_t k = 0; k < r; k++) T[k + i * r] = (float)f->G[k + (first + i) * f->ldg];
    ny_trmm_float(r, count, job->rounded, r, T, r);
    for (int64_t i = 0; i < count; i++) {
        double sum = job->p->border[first + i];
        for (int64_t k = 0; k < r; k++) sum += (double)T[k + i * r] * (double)T[k + i * r];
        job->diagonal[first + i] = job->C * fmax(1 - sum, ROUNDING);
    }
}

ny_status ny_precondition_diagonal(ny_ctx *ctx, const ny_preconditioner *p, double C, bool single, double *diagonal) {
    ny_status st = NY_OK;
    int64_t r = p->f.r;
    diagonal_job job = {.p = p, .C = C, .diagonal = diagonal};
    NY_NEW_RAW(ctx, job.inverse, ny_size3(r, r, 1));
    NY_NEW_RAW(ctx, job.scratch, ny_size3(ny_threads(), r, WIDTH));
    memcpy(job.inverse, p->L + system_of(p, C) * r * r, (size_t)(r * r) * sizeof *job.inverse);
    ny_triangle_inverse(r, job.inverse, r);
    if (single) {
        NY_NEW_RAW(ctx, job.rounded, ny_size3(r, r, 1));
        for (int64_t i = 0; i < r * r; i++) job.rounded[i] = (float)job.inverse[i];
    }
    ny_for_tiles(p->f.n, WIDTH, single ? single_diagonal_tile : diagonal_tile, &job);
done:
    ny_free(job.rounded);
    ny_free(job.inverse);
    ny_free(job.scratch);
    return st;
}

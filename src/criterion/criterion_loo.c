/* criterion_loo.c: leave-one-out in closed form (PRESS).   docs/math.md, eq. 16
 *
 *     h_i(C) = u_i^2/s + sum_j psi_ji^2 / (lambda_j + 1/C),     e_i(loo) = e_i / (1 - h_i)
 *
 * One eigen-decomposition serves every C and every output; each further C costs O(n r). */
#include <math.h>

#include "base/threads.h"
#include "linalg/linalg.h"
#include "spectral.h"

static ny_status prepare(ny_ctx *ctx, ny_ridge *problem, int64_t expected, void **state) {
    (void)expected;
    ny_spectral *s = NULL;
    ny_status st = ny_spectral_new(ctx, problem, &s);
    *state = s;
    return st;
}

static double trace(const void *state) { return ((const ny_spectral *)state)->trace; }

typedef struct {
    ny_spectral *s;
    const ny_C_list *list;
    double *V, *D;            /* r x (k q); r x (columns of h) */
    double *scratch;          /* threads x (r + k q + hs) x width */
    int64_t hs, width;
    double *F;
} held_job;

static void held_tile(void *arg, int64_t first, int64_t count, int thread) {
    held_job *job = arg;
    const ny_ridge *P = job->s->problem;
    int64_t r = P->r, n = P->n, q = P->q, k = job->list->k, w = job->width;
    double *squares = job->scratch + (int64_t)thread * (r + k * q + job->hs) * w;
    double *fit = squares + r * w, *h = fit + k * q * w;
    const double *Psi = P->G + first * P->ldg, *t = job->s->moments.t;
    double share = P->bias && job->s->moments.s > 0 ? 1 / job->s->moments.s : 0;
    for (int64_t c = 0; c < count; c++)
        for (int64_t i = 0; i < r; i++) squares[i + c * r] = Psi[i + c * P->ldg] * Psi[i + c * P->ldg];
    ny_gemm(true, false, count, job->hs, r, 1.0, squares, r, job->D, r, 0.0, h, w);
    ny_gemm(true, false, count, k * q, r, 1.0, Psi, P->ldg, job->V, r, 0.0, fit, w);
    for (int64_t j = 0; j < q; j++)
        for (int64_t c = 0; c < k; c++) {
            const double *f = fit + (c + k * j) * w, *leverage = h + (c + (job->list->each ? k * j : 0)) * w;
            double *F = job->F + first + n * j + n * q * c;
            for (int64_t i = 0; i < count; i++) {
                double u = P->u[first + i], y = P->Y[first + i + n * j];
                double e = y - f[i] - share * u * t[j];
                double left = 1 - leverage[i] - share * u * u;
                F[i] = (y - e / fmax(left, 1e-12)) / u;
            }
        }
}

static ny_status held(ny_ctx *ctx, void *state, const ny_C_list *list, double *F) {
    ny_status st = NY_OK;
    ny_spectral *s = state;
    const ny_ridge *P = s->problem;
    int64_t r = P->r, kq = list->k * P->q;
    held_job job = {.s = s, .list = list, .hs = list->each ? kq : list->k, .width = 128, .F = F};
    NY_NEW_RAW(ctx, job.V, ny_size3(r, kq, 1));
    NY_NEW_RAW(ctx, job.D, ny_size3(r, job.hs, 1));
    NY_NEW_RAW(ctx, job.scratch, ny_size3(ny_threads(), r + kq + job.hs, job.width));
    ny_spectral_weights(s, list, job.V, job.D);
    ny_for_tiles(P->n, job.width, held_tile, &job);
done:
    ny_free(job.V);
    ny_free(job.D);
    ny_free(job.scratch);
    return st;
}

static ny_status solve(ny_ctx *ctx, void *state, const double *C, double *W, double *b) {
    return ny_spectral_solve(ctx, state, C, W, b);
}

static void release(void *state) { ny_spectral_free(state); }

const ny_criterion ny_criterion_loo = {"loo", "leave-one-out, exact and in closed form", false, true,
                                       prepare, trace, held, solve, release};

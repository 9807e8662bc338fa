/* spectral.c: see spectral.h. */
#include "spectral.h"

#include <math.h>
#include <string.h>

#include "base/threads.h"
#include "expanded.h"
#include "linalg/linalg.h"

/* psi_i = Q'(g_i - p u_i / s), in place. */
static void rotate_tile(void *arg, int64_t first, int64_t count, int thread) {
    ny_spectral *s = arg;
    ny_problem *P = s->problem;
    double *G = P->G + first * P->ldg, *copy = s->scratch + (int64_t)thread * P->r * s->width;
    double share = P->bias && s->moments.s > 0 ? 1 / s->moments.s : 0;
    for (int64_t c = 0; c < count; c++)
        for (int64_t i = 0; i < P->r; i++)
            copy[i + c * P->r] = G[i + c * P->ldg] - share * P->u[first + c] * s->moments.p[i];
    ny_gemm(true, false, P->r, count, P->r, 1.0, s->Q, P->r, copy, P->r, 0.0, G, P->ldg);
}

ny_status ny_spectral_rotate(ny_ctx *ctx, ny_spectral *s) {
    ny_status st = NY_OK;
    s->width = 256;
    NY_NEW_RAW(ctx, s->scratch, ny_size3(ny_threads(), s->problem->r, s->width));
    ny_for_tiles_cut(s->problem->n, s->width, rotate_tile, s);
done:
    ny_free(s->scratch);
    s->scratch = NULL;
    return st;
}

ny_status ny_spectral_new(ny_ctx *ctx, ny_problem *P, ny_spectral **out) {
    ny_status st = NY_OK;
    ny_spectral *s = NULL;
    double *tau = NULL;
    NY_NEW(ctx, s, 1);
    s->problem = P;
    NY_NEW(ctx, s->diag, P->r);
    NY_NEW(ctx, s->off, P->r);
    NY_NEW(ctx, tau, P->r);
    NY_NEW_RAW(ctx, s->z, ny_size3(P->r, P->q, 1));
    NY_TRY(ny_moments_new(ctx, P->r, P->q, &s->moments));
    ny_moments_of(P, 0, P->n, &s->moments);
    ny_moments_centre(&s->moments, P->bias);
    s->trace = ny_moments_trace(&s->moments, P->rho);
    NY_CHECK(ctx, isfinite(s->trace), NY_ERR_NUMERIC, "the Gram matrix is not finite: are the inputs far too large?");
    s->Q = s->moments.S;
    s->moments.S = NULL;
    NY_TRY(ny_tridiag(ctx, P->r, s->Q, P->r, s->diag, s->off, tau));
    NY_TRY(ny_tridiag_q(ctx, P->r, s->Q, P->r, tau));
    ny_gemm(true, false, P->r, P->q, P->r, 1.0, s->Q, P->r, s->moments.R, P->r, 0.0, s->z, P->r);
    NY_TRY(ny_spectral_rotate(ctx, s));
    if (P->kernel) NY_TRY(ny_expanded_new(ctx, s, &s->expanded));
    *out = s;
    s = NULL;
done:
    ny_free(tau);
    ny_spectral_free(s);
    return st;
}

void ny_spectral_free(void *spectral) {
    ny_spectral *s = spectral;
    if (!s) return;
    ny_moments_free(&s->moments);
    ny_free(s->Q);
    ny_free(s->diag);
    ny_free(s->off);
    ny_free(s->z);
    ny_free(s->scratch);
    ny_expanded_free(s->expanded);
    ny_free(s);
}

ny_status ny_spectral_basis(ny_ctx *ctx, void *state, ny_basis *out) {
    (void)ctx;
    ny_spectral *s = state;
    *out = (ny_basis){s->Q, s->diag, s->off, s->moments.p, s->moments.s, true};
    s->Q = s->diag = s->off = s->moments.p = NULL;
    return NY_OK;
}

void ny_spectral_weights(const ny_spectral *s, const ny_C_list *list, double *V, double *scratch) {
    int64_t r = s->problem->r, q = s->problem->q, k = list->k;
    for (int64_t j = 0; j < q; j++)
        for (int64_t c = 0; c < k; c++) {
            double *v = V + (c + k * j) * r;
            memcpy(v, s->z + j * r, (size_t)r * sizeof *v);
            ny_tridiag_solve(r, 1, s->diag, s->off, 1 / ny_C_at(list, c, j), v, r, scratch);
        }
}

ny_status ny_spectral_prepare(ny_ctx *ctx, ny_problem *problem, int64_t expected, void **state) {
    (void)expected;
    ny_spectral *s = NULL;
    ny_status st = ny_spectral_new(ctx, problem, &s);
    *state = s;
    return st;
}

double ny_spectral_trace(const void *state) {
    return ((const ny_spectral *)state)->trace;
}

/* Gram matrix n m^2, rotation 2 n m^2; reducing A and making Q take as long as 14 m^3 flops of products. Then the
 * sweeps and products of each C. */
ny_cost ny_spectral_cost(const ny_size *s) {
    double rows = s->n * s->m;
    return (ny_cost){3 * rows * s->m + 14 * s->m * s->m * s->m + 2 * s->values * rows * (s->q + 1), s->m * s->m};
}

ny_status ny_spectral_solve(ny_ctx *ctx, void *state, const double *C, double *W, double *b) {
    ny_status st = NY_OK;
    ny_spectral *s = state;
    int64_t r = s->problem->r, q = s->problem->q;
    double *V = NULL, *scratch = NULL;
    ny_C_list list = {1, true, C};
    NY_NEW_RAW(ctx, V, ny_size3(r, q, 1));
    NY_NEW_RAW(ctx, scratch, r);
    ny_spectral_weights(s, &list, V, scratch);
    ny_gemm(false, false, r, q, r, 1.0, s->Q, r, V, r, 0.0, W, r);
    for (int64_t j = 0; j < q; j++) ny_moments_bias(&s->moments, s->problem->bias, 1, &j, W + j * r, b + j);
done:
    ny_free(V);
    ny_free(scratch);
    return st;
}

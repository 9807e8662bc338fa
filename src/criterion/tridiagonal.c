/* tridiagonal.c: see tridiagonal.h. */
#include "tridiagonal.h"

#include <string.h>

#include "linalg/linalg.h"

void ny_tri_clear(ny_tri *tri) {
    ny_moments_free(&tri->moments);
    ny_free(tri->diag);
    ny_free(tri->off);
    ny_free(tri->tau);
    *tri = (ny_tri){0};
}

void ny_tri_keep(const ny_problem *problem, ny_moments *moments, ny_tri *tri) {
    *tri = (ny_tri){.problem = problem, .moments = *moments};
    *moments = (ny_moments){0};
    ny_moments_centre(&tri->moments, problem->bias);
    tri->trace = ny_moments_trace(&tri->moments, problem->rho);
}

static ny_status reduce(ny_ctx *ctx, ny_tri *tri) {
    ny_status st = NY_OK;
    int64_t r = tri->moments.r;
    NY_NEW(ctx, tri->diag, r);
    NY_NEW(ctx, tri->off, r);
    NY_NEW(ctx, tri->tau, r);
    NY_TRY(ny_tridiag(ctx, r, tri->moments.S, r, tri->diag, tri->off, tri->tau));
done:
    return st;
}

ny_status ny_tri_reduce(ny_ctx *ctx, const ny_problem *problem, ny_moments *moments, ny_tri *tri) {
    ny_status st = NY_OK;
    int64_t r = problem->r;
    ny_tri_keep(problem, moments, tri);
    NY_TRY(reduce(ctx, tri));
    NY_TRY(ny_tridiag_apply(ctx, true, r, problem->q, tri->moments.S, r, tri->tau, tri->moments.R, r));
done:
    if (st != NY_OK) ny_tri_clear(tri);
    return st;
}

ny_status ny_tri_basis(ny_ctx *ctx, ny_tri *tri, ny_basis *out) {
    ny_status st = NY_OK;
    int64_t r = tri->moments.r;
    if (!tri->diag) NY_TRY(reduce(ctx, tri));
    NY_TRY(ny_tridiag_q(ctx, r, tri->moments.S, r, tri->tau));
    *out = (ny_basis){tri->moments.S, tri->diag, tri->off, tri->moments.p, tri->moments.s, false};
    tri->moments.S = tri->diag = tri->off = tri->moments.p = NULL;
done:
    return st;
}

/* Not reduced: one Cholesky factor for each C. */
static ny_status solve_by_cholesky(ny_ctx *ctx, const ny_tri *tri, const ny_C_list *list, double *W, double *b) {
    ny_status st = NY_OK;
    int64_t r = tri->moments.r, q = tri->moments.q, k = list->k;
    double *C = NULL, *w = NULL, *bias = NULL;
    NY_NEW_RAW(ctx, C, q);
    NY_NEW_RAW(ctx, w, ny_size3(r, q, 1));
    NY_NEW_RAW(ctx, bias, q);
    for (int64_t c = 0; c < k; c++) {
        for (int64_t j = 0; j < q; j++) C[j] = ny_C_at(list, c, j);
        NY_TRY(ny_moments_solve(ctx, &tri->moments, tri->problem->bias, C, w, bias));
        for (int64_t j = 0; j < q; j++) {
            memcpy(W + (c + k * j) * r, w + j * r, (size_t)r * sizeof *W);
            b[c + k * j] = bias[j];
        }
    }
done:
    ny_free(C);
    ny_free(w);
    ny_free(bias);
    return st;
}

ny_status ny_tri_solve(ny_ctx *ctx, const ny_tri *tri, const ny_C_list *list, double *W, double *b) {
    ny_status st = NY_OK;
    int64_t r = tri->moments.r, q = tri->moments.q, k = list->k;
    double *scratch = NULL;
    if (!tri->diag) return solve_by_cholesky(ctx, tri, list, W, b);
    NY_NEW_RAW(ctx, scratch, r);
    for (int64_t j = 0; j < q; j++)
        for (int64_t c = 0; c < k; c++) {
            double *w = W + (c + k * j) * r;
            memcpy(w, tri->moments.R + j * r, (size_t)r * sizeof *w);
            ny_tridiag_solve(r, 1, tri->diag, tri->off, 1 / ny_C_at(list, c, j), w, r, scratch);
        }
    NY_TRY(ny_tridiag_apply(ctx, false, r, k * q, tri->moments.S, r, tri->tau, W, r));
    for (int64_t j = 0; j < q; j++)
        for (int64_t c = 0; c < k; c++)
            ny_moments_bias(&tri->moments, tri->problem->bias, 1, &j, W + (c + k * j) * r, b + c + k * j);
done:
    ny_free(scratch);
    return st;
}

void ny_tri_predict(const ny_problem *P, int64_t first, int64_t count, int64_t k, const double *W, const double *b,
                    double *F) {
    int64_t n = P->n, q = P->q;
    for (int64_t j = 0; j < q; j++) {
        /* column c + k*j of the product belongs at F + n*j + n*q*c */
        ny_gemm(true, false, count, k, P->r, 1.0, P->G + first * P->ldg, P->ldg, W + k * j * P->r, P->r, 0.0,
                F + first + n * j, n * q);
        for (int64_t c = 0; c < k; c++)
            for (int64_t i = 0; i < count; i++) {
                double *f = &F[first + i + n * j + n * q * c];
                *f = *f / P->u[first + i] + b[c + k * j];
            }
    }
}

/* ridge.c: moments and the linear systems they give. */
#include "ridge.h"

#include <math.h>
#include <string.h>

#include "linalg/linalg.h"

ny_status ny_moments_new(ny_ctx *ctx, int64_t r, int64_t q, ny_moments *m) {
    ny_status st = NY_OK;
    *m = (ny_moments){.r = r, .q = q};
    NY_NEW(ctx, m->S, ny_size3(r, r, 1));
    NY_NEW(ctx, m->p, r);
    NY_NEW(ctx, m->R, ny_size3(r, q, 1));
    NY_NEW(ctx, m->t, q);
    NY_NEW(ctx, m->yy, q);
done:
    if (st != NY_OK) ny_moments_free(m);
    return st;
}

void ny_moments_free(ny_moments *m) {
    ny_free(m->S);
    ny_free(m->p);
    ny_free(m->R);
    ny_free(m->t);
    ny_free(m->yy);
    *m = (ny_moments){0};
}

void ny_moments_of(const ny_problem *P, int64_t first, int64_t count, ny_moments *m) {
    const double *G = P->G + first * P->ldg, *u = P->u + first, *Y = P->Y + first;
    ny_syrk(P->r, count, 1.0, G, P->ldg, 1.0, m->S, P->r);
    ny_gemv(false, P->r, count, 1.0, G, P->ldg, u, 1.0, m->p);
    ny_gemm(false, false, P->r, P->q, count, 1.0, G, P->ldg, Y, P->n, 1.0, m->R, P->r);
    m->s += ny_dot(count, u, u);
    for (int64_t j = 0; j < P->q; j++) {
        m->t[j] += ny_dot(count, u, Y + j * P->n);
        m->yy[j] += ny_dot(count, Y + j * P->n, Y + j * P->n);
    }
}

void ny_moments_add(ny_moments *to, const ny_moments *m) {
    for (int64_t j = 0; j < m->r; j++)
        for (int64_t i = j; i < m->r; i++) to->S[i + j * m->r] += m->S[i + j * m->r];
    for (int64_t i = 0; i < m->r; i++) to->p[i] += m->p[i];
    for (int64_t i = 0; i < m->r * m->q; i++) to->R[i] += m->R[i];
    for (int64_t j = 0; j < m->q; j++) to->t[j] += m->t[j], to->yy[j] += m->yy[j];
    to->s += m->s;
}

ny_status ny_moments_less(ny_ctx *ctx, const ny_moments *a, const ny_moments *b, ny_moments *out) {
    ny_status st = NY_OK;
    int64_t r = a->r, q = a->q;
    *out = (ny_moments){.r = r, .q = q, .s = a->s - b->s};
    NY_NEW_RAW(ctx, out->S, ny_size3(r, r, 1));
    NY_NEW_RAW(ctx, out->p, r);
    NY_NEW_RAW(ctx, out->R, ny_size3(r, q, 1));
    NY_NEW_RAW(ctx, out->t, q);
    NY_NEW_RAW(ctx, out->yy, q);
    for (int64_t j = 0; j < r; j++) /* the upper triangle is nobody's, but it is not left to chance */
        for (int64_t i = 0; i < r; i++) out->S[i + j * r] = i < j ? 0 : a->S[i + j * r] - b->S[i + j * r];
    for (int64_t i = 0; i < r; i++) out->p[i] = a->p[i] - b->p[i];
    for (int64_t i = 0; i < r * q; i++) out->R[i] = a->R[i] - b->R[i];
    for (int64_t j = 0; j < q; j++) out->t[j] = a->t[j] - b->t[j], out->yy[j] = a->yy[j] - b->yy[j];
done:
    if (st != NY_OK) ny_moments_free(out);
    return st;
}

/* A = S - p p'/s,  c = R - p t'/s */
void ny_moments_centre(ny_moments *m, bool bias) {
    if (!bias || !(m->s > 0)) return;
    ny_syr(m->r, -1 / m->s, m->p, m->S, m->r);
    for (int64_t j = 0; j < m->q; j++)
        for (int64_t i = 0; i < m->r; i++) m->R[i + j * m->r] -= m->p[i] * m->t[j] / m->s;
}

double ny_moments_trace(const ny_moments *m, double rho) {
    int64_t r = m->r - (ny_bias_kernel(rho) > 0);
    double trace = 0;
    for (int64_t i = 0; i < r; i++) trace += m->S[i + i * m->r];
    return trace;
}

void ny_moments_bias(const ny_moments *m, bool bias, int64_t k, const int64_t *output, const double *W, double *b) {
    for (int64_t c = 0; c < k; c++)
        b[c] = bias && m->s > 0 ? (m->t[output[c]] - ny_dot(m->r, m->p, W + c * m->r)) / m->s : 0;
}

/* Rounding has left S slightly indefinite (C is beyond its precision): negative eigenvalues count as zero. */
static ny_status solve_indefinite(ny_ctx *ctx, const ny_moments *m, double C, const double *c, double *w) {
    ny_status st = NY_OK;
    int64_t r = m->r;
    double *Q = NULL, *lambda = NULL, *z = NULL, trace = 0;
    for (int64_t i = 0; i < r; i++) trace += m->S[i + i * r];
    NY_CHECK(ctx, isfinite(trace), NY_ERR_NUMERIC,
             "the moments are not finite: are the inputs or the weights far too large?");
    NY_NEW_RAW(ctx, Q, ny_size3(r, r, 1));
    NY_NEW_RAW(ctx, lambda, r);
    NY_NEW_RAW(ctx, z, r);
    memcpy(Q, m->S, (size_t)(r * r) * sizeof *Q);
    NY_TRY(ny_eig(ctx, r, Q, r, lambda));
    ny_gemv(true, r, r, 1.0, Q, r, c, 0.0, z);
    for (int64_t i = 0; i < r; i++) z[i] /= fmax(lambda[i], 0) + 1 / C;
    ny_gemv(false, r, r, 1.0, Q, r, z, 0.0, w);
done:
    ny_free(Q);
    ny_free(lambda);
    ny_free(z);
    return st;
}

ny_status ny_moments_solve(ny_ctx *ctx, const ny_moments *m, bool bias, const double *C, double *W, double *b) {
    ny_status st = NY_OK;
    int64_t r = m->r, q = m->q;
    double *A = NULL, factored = 0;
    NY_NEW_RAW(ctx, A, ny_size3(r, r, 1));
    for (int64_t j = 0; j < q; j++) {
        if (C[j] == factored) goto solve; /* outputs come with equal C next to each other more often than not */
        memcpy(A, m->S, (size_t)(r * r) * sizeof *A);
        for (int64_t i = 0; i < r; i++) A[i + i * r] += 1 / C[j];
        if (!ny_chol(r, A, r)) {
            NY_TRY(solve_indefinite(ctx, m, C[j], m->R + j * r, W + j * r));
            ny_moments_bias(m, bias, 1, &j, W + j * r, b + j);
            factored = 0;
            continue;
        }
        factored = C[j];
    solve:
        memcpy(W + j * r, m->R + j * r, (size_t)r * sizeof *W);
        ny_chol_solve(r, 1, A, r, W + j * r, r);
        ny_moments_bias(m, bias, 1, &j, W + j * r, b + j);
    }
done:
    ny_free(A);
    return st;
}

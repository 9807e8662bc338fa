/* criterion_gcv.c: generalised cross-validation.   docs/math.md, eq. 17
 *
 *     e_i(gcv) = e_i / (1 - tr H / n),   tr H = 1 + r - tr (I + C A)^-1
 *
 * One tridiagonal reduction A = Q T Q' serves every C: no eigenvectors are needed. */
#include <math.h>
#include <string.h>

#include "expanded.h"
#include "linalg/linalg.h"
#include "tridiagonal.h"

typedef struct {
    ny_tri tri;
    ny_spectral *spectral; /* instead, where the leverages are the true kernel's (expanded.h) */
} state;

static void release(void *v) {
    state *s = v;
    if (!s) return;
    ny_tri_clear(&s->tri);
    ny_spectral_free(s->spectral);
    ny_free(s);
}

static ny_status prepare(ny_ctx *ctx, ny_problem *problem, int64_t expected, void **out) {
    (void)expected;
    ny_status st = NY_OK;
    state *s = NULL;
    ny_moments moments = {0};
    NY_NEW(ctx, s, 1);
    if (problem->kernel) {
        NY_TRY(ny_spectral_new(ctx, problem, &s->spectral));
    } else {
        NY_TRY(ny_moments_new(ctx, problem->r, problem->q, &moments));
        ny_moments_of(problem, 0, problem->n, &moments);
        NY_TRY(ny_tri_reduce(ctx, problem, &moments, &s->tri));
    }
    *out = s;
    s = NULL;
done:
    ny_moments_free(&moments);
    release(s);
    return st;
}

static double trace(const void *v) {
    const state *s = v;
    return s->spectral ? s->spectral->trace : s->tri.trace;
}

static ny_status held(ny_ctx *ctx, void *v, const ny_C_list *list, double *F) {
    ny_status st = NY_OK;
    state *s = v;
    if (s->spectral) return ny_expanded_held(ctx, s->spectral, list, true, F);
    ny_tri *tri = &s->tri;
    const ny_problem *P = tri->problem;
    int64_t n = P->n, q = P->q, k = list->k;
    double *W = NULL, *b = NULL, *scratch = NULL;
    NY_NEW_RAW(ctx, W, ny_size3(P->r, k * q, 1));
    NY_NEW_RAW(ctx, b, k * q);
    NY_NEW_RAW(ctx, scratch, 2 * P->r);
    NY_TRY(ny_tri_solve(ctx, tri, list, W, b));
    ny_tri_predict(P, 0, n, k, W, b, F);
    for (int64_t j = 0; j < q; j++)
        for (int64_t c = 0; c < k; c++) {
            double mu = 1 / ny_C_at(list, c, j);
            double degrees = (double)P->r - mu * ny_tridiag_inverse_trace(P->r, tri->diag, tri->off, mu, scratch) +
                             (P->bias ? 1 : 0);
            double left = fmax(1 - degrees / (double)n, 1e-12), *f = F + n * j + n * q * c;
            for (int64_t i = 0; i < n; i++) {
                double y = P->Y[i + n * j] / P->u[i];
                f[i] = y - (y - f[i]) / left;
            }
        }
done:
    ny_free(W);
    ny_free(b);
    ny_free(scratch);
    return st;
}

static ny_status solve(ny_ctx *ctx, void *v, const double *C, double *W, double *b) {
    state *s = v;
    ny_C_list list = {1, true, C};
    if (s->spectral) return ny_spectral_solve(ctx, s->spectral, C, W, b);
    return ny_tri_solve(ctx, &s->tri, &list, W, b);
}

static ny_status basis(ny_ctx *ctx, void *v, ny_basis *out) {
    return ny_tri_basis(ctx, &((state *)v)->tri, out);
}

static const ny_closed_form closed = {prepare, trace, held, solve, basis, release, NULL, false, ny_spectral_cost, NULL};

const ny_criterion ny_criterion_gcv = {
    .name = "gcv",
    .help = "generalised cross-validation: leave-one-out with the mean leverage",
    .closed = &closed,
};

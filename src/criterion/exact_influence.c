/* exact_influence.c: see exact_influence.h.
 *
 * With the exact machine's features g, s_i = C v_i loss'_i, d_i = C v_i loss''_i and the mean g0 by d, the outputs of
 * row j move to first order, before the curvature is taken off, by b_j = (g_j - g0)'(n sum_f s_i (g_i - g0) + m w) / (n
 * - m) when fold f is left out (n and m: weights of all rows and of the fold). With features v of low rank in the
 * inverse, (I + V'V D)^-1 b = b - V'(I + V D V')^-1 V D b,     V: columns v_j - v0.                   docs/math.md, eq.
 * 132 The same features in both make this bif. */
#include "exact_influence.h"

#include "linalg/linalg.h"

static const double RANK_TOL = 1e-14; /* the machine is exact but for this share of the kernel's largest value */

ny_status ny_whole_new(ny_ctx *ctx, const ny_problem *low, ny_whole **out) {
    ny_status st = NY_OK;
    ny_whole *whole = NULL;
    ny_factor_spec spec = {.method = &ny_landmark_uniform, .landmarks = low->n, .tol = RANK_TOL};
    NY_NEW(ctx, whole, 1);
    whole->problem = *low;
    whole->problem.kernel = NULL;
    whole->low = low;
    if (low->kernel) {
        NY_TRY(ny_factor_make(ctx, low->kernel, low->X, &spec, &whole->factor));
        for (int64_t i = 0; i < low->n; i++)
            for (int64_t a = 0; a < whole->factor.r; a++) whole->factor.G[a + i * whole->factor.ldg] *= low->u[i];
        whole->problem.G = whole->factor.G;
        whole->problem.ldg = whole->factor.ldg;
        whole->problem.r = whole->factor.r;
    }
    *out = whole;
    whole = NULL;
done:
    ny_whole_free(whole);
    return st;
}

void ny_whole_free(ny_whole *whole) {
    if (!whole) return;
    ny_factor_clear(&whole->factor);
    ny_free(whole);
}

/* B (n x folds) becomes (I + V'V D)^-1 B in the rows of each column's own fold. */
static ny_status take_curvature_off(ny_ctx *ctx, const ny_primal *low, const double *d, double *B) {
    ny_status st = NY_OK;
    const ny_problem *P = low->P;
    int64_t n = P->n, r = P->r, folds = P->folds;
    ny_curvature c = {0};
    double *A = NULL, *M = NULL, *X = NULL;
    NY_TRY(ny_curvature_make(ctx, low, d, false, &c));
    NY_NEW_RAW(ctx, A, ny_size3(r, c.k, 1) + 1);
    NY_NEW_RAW(ctx, M, ny_size3(c.k, folds, 1) + 1);
    NY_NEW_RAW(ctx, X, ny_size3(r, folds, 1) + 1);
    ny_curvature_rows(&c, low, 0, c.k, A);
    for (int64_t f = 0; f < folds; f++)
        for (int64_t k = 0; k < c.k; k++) M[k + f * c.k] = c.root[k] * B[c.row[k] + f * n];
    ny_gemm(false, false, r, folds, c.k, 1.0, A, r, M, c.k, 0.0, X, r);
    ny_curvature_solve(&c, folds, X, M);
    for (int64_t f = 0; f < folds; f++) {
        const double *x = X + f * r;
        double centre = ny_dot(r, c.centre, x);
        for (int64_t i = P->fold_start[f]; i < P->fold_start[f + 1]; i++)
            B[i + f * n] -= ny_dot(r, P->G + i * P->ldg, x) / P->u[i] - centre;
    }
done:
    ny_curvature_clear(&c);
    ny_free(A);
    ny_free(M);
    ny_free(X);
    return st;
}

ny_status ny_leave_exact_influence(ny_ctx *ctx, const ny_primal *p, ny_machine_point *x, double *F) {
    ny_status st = NY_OK;
    const ny_whole *whole = (const ny_whole *)p->P;
    const ny_problem *P = p->P;
    ny_primal low = *p;
    ny_leaving l = {0};
    double *B = NULL;
    low.P = whole->low;
    NY_NEW_RAW(ctx, B, ny_size3(P->n, P->folds, 1) + 1);
    NY_TRY(ny_leaving_new(ctx, p, x, true, 0, &l));
    ny_leaving_first_order(&l);
    ny_leaving_outputs(&l, P->folds, l.S, B);
    NY_TRY(take_curvature_off(ctx, &low, l.d, B));
    for (int64_t f = 0; f < P->folds; f++) {
        double shift = P->bias && l.c.k > 0 ? l.beta[f] / l.c.total : 0;
        for (int64_t i = P->fold_start[f]; i < P->fold_start[f + 1]; i++) F[i] = x->f[i] + B[i + f * P->n] + shift;
    }
done:
    ny_leaving_clear(&l);
    ny_free(B);
    return st;
}

ny_cost ny_exact_influence_cost(const ny_size *s) {
    ny_size all = *s;
    all.m = s->n;
    ny_cost low = ny_path_cost(s), exact = ny_path_cost(&all), factor = ny_factor_cost(&all);
    return (ny_cost){low.flops + exact.flops + factor.flops, low.numbers + exact.numbers + factor.numbers};
}

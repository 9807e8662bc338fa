/* factor.h: K ~ G'G, the feature map of the data (docs/math.md, section 2).
 *
 *     Cholesky form:  kappa(Z,Z) = L L',      G = L^-1 kappa(Z,X)
 *     eigen form:     kappa(Z,Z) = U D U',    G = D_r^-1/2 U_r' kappa(Z,X)      (--rank, --rank-floor: the r largest)
 *
 * Landmarks with weights have the eigen form, of P^1/2 kappa(Z,Z) P^1/2 with P = diag(weight) (eq. 94). With every
 * point a landmark all are exact. A penalised bias is one more row of G, the same number for every point (eq. 115). */
#ifndef NY_FACTOR_H
#define NY_FACTOR_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/cost.h"
#include "base/ctx.h"
#include "kernel/kernel.h"
#include "landmark/landmark.h"

typedef struct ny_factor_spec {
    const ny_landmark_method *method;
    const ny_landmarks *given; /* Z and weight of these instead of the method's; NULL: none given */
    const int32_t *code;       /* n: classes of the points, or NULL; see ny_landmark_spec */
    int64_t classes;
    const int64_t *id;
    int64_t landmarks; /* >= n: every point */
    int64_t rank;      /* 0: no cut by number */
    double tol;        /* cut by share */
    uint64_t seed;
    double constant; /* one more feature, of this value for every point, behind the others; 0: none */
    double floor;    /* cut by eigenvalue, of the kernel matrix of all points as the landmarks estimate it; 0: no cut */
} ny_factor_spec;

/* Directions are cut by number or by eigenvalue: the factor then has the eigen form. */
static inline bool ny_factor_cuts(const ny_factor_spec *spec) {
    return spec->rank || spec->floor > 0;
}

typedef struct ny_factor {
    int64_t n, m, r;     /* r: features, the constant one included */
    double constant;     /* the last row of G; 0: there is no such row */
    ny_matrix Z;         /* d x m landmarks; those that add nothing are in */
    ny_matrix redundant; /* d x (drawn - m) */
    double *weight;      /* m: of each; NULL: all alike */
    double *G;           /* r x n, leading dimension ldg */
    int64_t ldg;
    double *L;       /* m x m lower, Cholesky form (rank m); or NULL */
    double *inverse; /* L^-1, where many features are made from it; or NULL */
    double *T;       /* rank x m, eigen form; or NULL */
    double *unseen;  /* n: kappa(x_i,x_i) - |g_i|^2, what the landmarks do not see of a point */
    double missing;  /* sum of unseen, but for rounding */
    double kept;     /* share of the kernel's trace that G'G has: sum |g_i|^2 / sum kappa(x_i,x_i). eq. 36 */
    double seconds;  /* spent making landmarks and G */
} ny_factor;

/* Chooses the landmarks and makes G of X. *out is for ny_factor_clear, and empty after an error. */
ny_status ny_factor_make(ny_ctx *ctx, const ny_kernel_params *kernel, const ny_matrix *X, const ny_factor_spec *spec,
                         ny_factor *out);
/* Every point a landmark, and G the kernel matrix itself: coefficients are those of the points, and there is no map. */
ny_status ny_factor_kernel(ny_ctx *ctx, const ny_kernel_params *kernel, const ny_matrix *X, ny_factor *out);
/* ny_factor_make without G: L or T from the landmarks' Z and weight, which are moved into it. */
ny_status ny_factor_form(ny_ctx *ctx, const ny_kernel_params *kernel, ny_landmarks *landmarks,
                         const ny_factor_spec *spec, ny_factor *out);
/* The map of a factor in eigen form without its rows: T is moved, the landmarks are copied. */
ny_status ny_factor_keep(ny_ctx *ctx, ny_factor *factor, ny_factor *map);
/* The rank and the constant of the spec, and the largest directions of a factor in eigen form, of which the map is
 * needed, for the points of X. */
ny_status ny_factor_cut(ny_ctx *ctx, const ny_kernel_params *kernel, const ny_matrix *X, const ny_factor *from,
                        const ny_factor_spec *spec, ny_factor *out);
/* g(x) for the points of X: G r x n, leading dimension r. */
ny_status ny_factor_rows(ny_ctx *ctx, const ny_factor *factor, const ny_kernel_params *kernel, const ny_matrix *X,
                         double *G);
/* The features that come from the kernel. */
int64_t ny_factor_rank(const ny_factor *factor);
/* beta (m x q) with kappa(x,Z) beta = g(x)'w, for w (r x q), but for what the constant feature adds. */
void ny_factor_coefficients(const ny_factor *factor, int64_t q, const double *w, double *beta);
/* That is added to b (q). */
void ny_factor_bias(const ny_factor *factor, int64_t q, const double *w, double *b);
/* Landmarks that were drawn, the redundant ones too. */
static inline int64_t ny_factor_drawn(const ny_factor *factor) {
    return factor->m + factor->redundant.n;
}
/* The square root of what landmark i stands for: of its weight, or 1. */
static inline double ny_factor_root_weight(const ny_factor *f, int64_t i) {
    return f->weight ? sqrt(f->weight[i]) : 1;
}
/* The kernel matrix of all m landmarks drawn, centred or not, in tridiagonal form: diag, off (m each). Weights count as
 * shares of m: n/m times its eigenvalues are an estimate of those of K. The constant feature counts. */
ny_status ny_factor_spectrum(ny_ctx *ctx, const ny_factor *factor, const ny_kernel_params *kernel, bool centred,
                             double *diag, double *off);
/* Pivoted Cholesky: the kernel matrix K (n x n) becomes L (its lower triangle, the first *rank columns) of
 * K = P L L' P'. What is below tol times the largest element of the diagonal counts as 0. order: n, allocated here for
 * the caller to free also after an error: the points in the order of the pivots, those that are not redundant first. */
ny_status ny_factor_pivots(ny_ctx *ctx, int64_t n, double *K, double tol, int64_t **order, int64_t *rank);
/* Of ny_factor_make, whatever the landmark method: kernel values, and the factor of as many points. */
ny_cost ny_factor_cost(const ny_size *size);
/* Of ny_factor_kernel. */
ny_cost ny_factor_kernel_cost(const ny_size *size);
void ny_factor_clear(ny_factor *factor);

#endif

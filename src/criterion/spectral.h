/* spectral.h: the rows in a basis where every C is cheap. One reduction of the centred Gram matrix to tridiagonal form,
 * A = Q T Q', and Psi = Q'(G - p u'/s). The smoother is then H(C) = u u'/s + Psi' (T + I/C)^-1 Psi, and with the
 * factors T + I/C = L D L' (L bidiagonal) every quantity for a further C costs O(n r). Eigenvectors would do the same
 * for twice the work. Psi overwrites G, so that memory stays at one n x r matrix.            docs/math.md, eq. 14, 15
 */
#ifndef NY_SPECTRAL_H
#define NY_SPECTRAL_H

#include "criterion.h"

typedef struct ny_spectral {
    ny_problem *problem;          /* its G now holds Psi */
    double *Q;                    /* r x r */
    double *diag, *off;           /* T: r, r - 1 */
    double *z;                    /* r x q: Psi Y = Q'c */
    double *scratch;              /* threads x (r x width) */
    ny_moments moments;           /* p, t, s; its S and R are gone */
    struct ny_expanded *expanded; /* for a problem with a kernel; else NULL */
    double trace;
    int64_t width;
} ny_spectral;

/* The decomposition of the problem, whose G becomes Psi and which must outlive it. *out is for ny_spectral_free. */
ny_status ny_spectral_new(ny_ctx *ctx, ny_problem *problem, ny_spectral **out);
/* The problem's G becomes Psi, by Q and the moments. */
ny_status ny_spectral_rotate(ny_ctx *ctx, ny_spectral *s);
void ny_spectral_free(void *spectral);
/* Leave-one-out, its state being an ny_spectral (criterion_loo.c). */
extern const ny_closed_form ny_spectral_form;
/* What it has beside that. */
ny_status ny_spectral_prepare(ny_ctx *ctx, ny_problem *problem, int64_t expected, void **state);
double ny_spectral_trace(const void *state);
/* w_j = Q (T + I/C_j)^-1 z_j and its bias. */
ny_status ny_spectral_solve(ny_ctx *ctx, void *state, const double *C, double *W, double *b);
/* Moves Q, T and the means out. */
ny_status ny_spectral_basis(ny_ctx *ctx, void *state, ny_basis *out);
ny_cost ny_spectral_cost(const ny_size *size);
/* Columns (T + I/C)^-1 z_j for every (c, j): r x (k q), column c + k*j. scratch: r */
void ny_spectral_weights(const ny_spectral *s, const ny_C_list *list, double *V, double *scratch);

#endif

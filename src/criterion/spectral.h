/* spectral.h: the eigen-decomposition of the centred Gram matrix, A = Q diag(lambda) Q', and the rows in its basis,
 * Psi = Q'(G - p u'/s). After it every C costs O(n r): the smoother is H(C) = u u'/s + Psi' (diag(lambda) + I/C)^-1 Psi.
 * Psi overwrites G, so that memory stays at one n x r matrix. */
#ifndef NY_SPECTRAL_H
#define NY_SPECTRAL_H

#include "criterion.h"

typedef struct ny_spectral {
    ny_ridge *problem;  /* its G now holds Psi */
    double *Q;          /* r x r */
    double *lambda;     /* r */
    double *z;          /* r x q: Psi Y = Q'c */
    double *scratch;    /* threads x (r x width) */
    ny_moments moments; /* p, t, s; its S and R are gone */
    double trace;
    int64_t width;
} ny_spectral;

ny_status ny_spectral_new(ny_ctx *ctx, ny_ridge *problem, ny_spectral **out);
void ny_spectral_free(ny_spectral *s);
/* w_j = Q (lambda + 1/C_j)^-1 z_j and its bias. */
ny_status ny_spectral_solve(ny_ctx *ctx, ny_spectral *s, const double *C, double *W, double *b);
/* Columns (lambda + 1/C)^-1 z_j for every (c, j): r x (k q), column c + k*j; and, if D is not NULL, the diagonals
 * (lambda + 1/C)^-1 for every distinct C of the list: r x k, or r x (k q) when the list is for each output. */
void ny_spectral_weights(const ny_spectral *s, const ny_C_list *list, double *V, double *D);

#endif

/* expanded.h: held-out outputs of machines that keep alpha on every training point and use the true kernel at test
 * (--expansion training; Ding & Liao 2012, Algorithm 1). The low rank speeds up training only:
 *
 *     alpha = C (y - f~(x)),    f(x) = sum_i alpha_i kappa(x_i, x) + b,     f~ the low-rank machine's outputs.   (eq.
 * 22)
 *
 * Such a machine is not the low-rank one, and a C that suits the one may ruin the other (raetsch_image with n/20
 * eigenvalues: 34% test error where C was chosen for f~, 6% where it was chosen for f). So the criteria judge f itself.
 * This costs O(n^2) kernel values a bandwidth. */
#ifndef NY_EXPANDED_H
#define NY_EXPANDED_H

#include "spectral.h"

struct ny_expanded { /* products with the true kernel matrix, rows and columns scaled by u: K_u = D K D */
    double *N;       /* r x n: Psi K_u */
    double *ku, *kd; /* n: K_u u; the diagonal of K_u */
    double *Ky;      /* q x n: Y'K_u */
    double *a;       /* r: Q'p */
};

/* What it takes beside the low rank. */
ny_cost ny_expanded_cost(const ny_size *size);
/* For spectral->problem, which has a kernel. */
ny_status ny_expanded_new(ny_ctx *ctx, const ny_spectral *spectral, struct ny_expanded **out);
void ny_expanded_free(struct ny_expanded *x);
/* F as a criterion's `held` gives it: leave-one-out (eq. 23), or with the mean leverage for every row (eq. 24). */
ny_status ny_expanded_held(ny_ctx *ctx, const ny_spectral *spectral, const ny_C_list *list, bool mean_leverage,
                           double *F);
/* The rows of fold f, from the machines W (r x k q), b (k q) that have not seen it. */
ny_status ny_expanded_fold(ny_ctx *ctx, const ny_problem *problem, int64_t f, const ny_C_list *list, const double *W,
                           const double *b, double *F);

#endif

/* posterior.h: how sure the machine is of its outputs.                                   docs/math.md, eq. 54 to 56
 *
 * A Gaussian process with the same kernel and C has the machine's outputs as its mean, and for output j the variance
 *
 *     noise_j (share + psi(x)'(T + I/C_j)^-1 psi(x) + C_j (kappa(x,x) - |g(x)|^2)),    psi(x) = map'kappa(Z,x) - mean
 *
 * times spread of the output itself; a target has noise_j more. All outputs share one matrix, and |g(x)| =
 * |map'kappa(Z,x)|. */
#ifndef NY_POSTERIOR_H
#define NY_POSTERIOR_H

#include "criterion.h"

typedef struct ny_posterior {
    int64_t r, m, q;    /* r = 0: there is none; m = 0: the map is still Q (r x r) */
    double *map;        /* m x r */
    double *mean;       /* r */
    double *diag, *off; /* r: T */
    double share;       /* 1/s with a bias, else 0 */
    double *noise;      /* q: variance of the noise of a row of weight 1 */
    double spread;      /* 1; of one output what held-out errors make of it (model/interval.h) */
    double *leverage;   /* n x q: those of the training rows; not in a model */
} ny_posterior;

/* From the machine (C, W, b) and its decomposition, which is taken over also when this fails. */
ny_status ny_posterior_make(ny_ctx *ctx, const ny_problem *problem, ny_basis *basis, const double *C, const double *W,
                            const double *b, ny_posterior *out);
/* That of the exact machine of one output, from its kernel matrix: A = K_u + I/C = L L', L given inverted (its
 * lower triangle), Lu = L^-1 u, alpha and M_ii as in dense.c. Its T is diag(0, inf, inf, ...).             eq. 101
 */
ny_status ny_posterior_exact(ny_ctx *ctx, const ny_problem *problem, double C, const double *L, const double *Lu,
                             const double *alpha, const double *M, ny_posterior *out);
void ny_posterior_clear(ny_posterior *p);

/* The variances of the outputs at `count` points, V[j + q*i], from K = kappa(Z,x) (its first m rows) and kappa(x,x).
 * factor: r x 2 x q from ny_posterior_factor; scratch: ny_posterior_scratch numbers. */
void ny_posterior_variance(const ny_posterior *p, const double *C, const double *factor, int64_t count, const double *K,
                           int64_t ldk, const double *kappa, double *scratch, double *V);
void ny_posterior_factor(const ny_posterior *p, const double *C, double *factor);
int64_t ny_posterior_scratch(const ny_posterior *p);
/* The same for training row i where it is held out; unseen: kappa(x,x) - |g(x)|^2, u: root of its weight, n: rows. */
double ny_posterior_held(const ny_posterior *p, const double *C, int64_t n, int64_t i, int64_t j, double unseen,
                         double u);

#endif

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

#include <stdint.h>

#include "base/ctx.h"

typedef struct ny_posterior {
    int64_t r, m, q;    /* r = 0: there is none; m = 0: the map is still Q (r x r) */
    double *map;        /* m x r */
    double *mean;       /* r */
    double *diag, *off; /* r: T */
    double share;       /* 1/s with a bias, else 0 */
    double *noise;      /* q: variance of the noise of a row of weight 1 */
    double spread;      /* 1; of one output what held-out errors make of it (interval.h) */
    double *leverage;   /* n x q: those of the training rows; not in a model */
} ny_posterior;

/* Frees the arrays and zeroes the struct. */
void ny_posterior_clear(ny_posterior *p);

typedef struct ny_seen_points { /* new points as the kernel sees them */
    int64_t count;
    const double *K; /* kappa(Z,x): its first m rows count */
    int64_t ldk;
    const double *kappa; /* count: kappa(x,x) */
} ny_seen_points;

/* The variances of the outputs at the points, V[j + q*i]. factor: r x 2 x q from ny_posterior_factor; scratch:
 * ny_posterior_scratch numbers. */
void ny_posterior_variance(const ny_posterior *p, const double *C, const double *factor, const ny_seen_points *points,
                           double *scratch, double *V);
/* Factors T + I/C_j of every output, once for all points; factor: room for r x 2 x q. */
void ny_posterior_factor(const ny_posterior *p, const double *C, double *factor);
/* How many numbers of scratch a thread needs for the variances. */
int64_t ny_posterior_scratch(const ny_posterior *p);
/* h[s] = psi_s'(T + I/C_j)^-1 psi_s for the NY_SWEEP points of P; h is left as it is where C is that of the output
 * before, whose h it then holds. */
void ny_posterior_sweep(const ny_posterior *p, const double *C, const double *factor, const double *P, int64_t j,
                        double *h);

#endif

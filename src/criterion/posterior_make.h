/* posterior_make.h: the posterior (machine/posterior.h) from a trained machine and its decomposition. */
#ifndef NY_POSTERIOR_MAKE_H
#define NY_POSTERIOR_MAKE_H

#include "criterion.h"
#include "machine/posterior.h"
#include "solver/exact_system.h"

/* From the machine (C, W, b) and its decomposition, which is taken over also when this fails. */
ny_status ny_posterior_make(ny_ctx *ctx, const ny_problem *problem, ny_basis *basis, const double *C, const double *W,
                            const double *b, ny_posterior *out);
/* That of the exact machine of one output, from its factor. Its T is diag(0, inf, inf, ...).                eq. 101 */
ny_status ny_posterior_exact(ny_ctx *ctx, const ny_problem *problem, const ny_system_factor *factor, ny_posterior *out);
/* The variance of output j at training row i where it is held out; unseen: kappa(x,x) - |g(x)|^2, u: root of its
 * weight, n: rows. */
double ny_posterior_held(const ny_posterior *p, const double *C, int64_t n, int64_t i, int64_t j, double unseen,
                         double u);

#endif

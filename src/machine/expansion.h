/* expansion.h: the trained function itself, a sum of kernels at points:
 *
 *     f_j(x) = sum_k beta_kj kappa(z_k, x) + b_j                                                  docs/math.md, eq. 7
 *
 * Outputs that share kernel and points are one expansion. Where machines have their own (--machines-share no) it is the
 * first of a list: the outputs of the next follow on its own. */
#ifndef NY_EXPANSION_H
#define NY_EXPANSION_H

#include "kernel/kernel.h"
#include "posterior.h"
#include "table/matrix.h"

typedef struct ny_expansion {
    ny_kernel_params kernel; /* the function, its bandwidth, degree, coef0 */
    ny_matrix Z;             /* inputs x m: the points, scaled */
    int64_t outputs;
    double *beta;              /* m x outputs */
    double *b;                 /* outputs */
    struct ny_expansion *next; /* that of the outputs after these; NULL: there are no others */
} ny_expansion;

/* Frees what the list of expansions owns and leaves an empty one. */
void ny_expansion_clear(ny_expansion *f);
/* How many there are in the list, and the outputs and points of all of them. */
int64_t ny_expansion_count(const ny_expansion *f);
int64_t ny_expansion_width(const ny_expansion *f);
int64_t ny_expansion_points(const ny_expansion *f);

/* A request for the variances of the outputs under a posterior that belongs to the same points: of a single expansion.
 */
typedef struct ny_variances {
    const ny_posterior *posterior;
    const double *C; /* outputs */
    double *V;       /* outputs x n: the answer */
} ny_variances;

/* F (outputs of the whole list x n): the outputs at the points of X, which are scaled as Z is; and the variances there
 * unless NULL. The kernel is computed in tiles of `width` points (0: as many as fit the cache), side by side in the
 * threads that the caller has. Nothing but F and V is written; an empty X is nothing to do. */
ny_status ny_expansion_outputs(ny_ctx *ctx, const ny_expansion *f, const ny_matrix *X, int64_t width, double *F,
                               const ny_variances *variances);

#endif

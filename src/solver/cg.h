/* cg.h: preconditioned conjugate gradients for systems with the whole kernel matrix, several right sides at once.
 *
 *     (D K D + I/C_j) x_j = b_j,      D = diag(u)                                             docs/math.md, eq. 51 ..
 * 53
 *
 * Each right side has its own C and its own scalars; all share one product with K in an iteration. Those that have
 * converged drop out. K is never stored: memory is that of the preconditioner and of six vectors for each right side.
 */
#ifndef NY_CG_H
#define NY_CG_H

#include "kernel/kernel.h"

typedef struct ny_cg {
    const ny_kernel_params *kernel;
    const ny_matrix *X; /* inputs x n */
    const double *u;    /* n: square roots of the row weights */
    int64_t columns;
    const double *B, *C; /* n x columns: right sides; columns */
    int64_t rank;        /* of the preconditioner */
    double tol;          /* |r| <= tol |b| for every right side */
    int64_t iterations;  /* at most */
    double good;         /* after a stop: x is worth having below this residual, and one more product to know it */
    uint64_t seed;
} ny_cg;

typedef struct ny_cg_report {
    double residual;    /* largest |b - A x| / |b|, from x itself; from the recurrence after a stop above `good` */
    int64_t iterations; /* products with K but for those that only look at the residual */
    int64_t rank;       /* of the preconditioner, where fewer pivots were worth it */
    bool stopped;       /* by the user or the clock: x is as far as it got */
} ny_cg_report;

/* x: n x columns. Neither the limit of iterations nor a stop is an error: the report tells how far it got. NY_STOPPED:
 * before the first iteration. */
ny_status ny_cg_solve(ny_ctx *ctx, const ny_cg *problem, double *x, ny_cg_report *report);
/* Numbers of memory that it takes. */
double ny_cg_numbers(const ny_kernel_params *kernel, const ny_matrix *X, int64_t rank, int64_t columns);

#endif

/* cg.h: preconditioned conjugate gradients for systems with the whole kernel matrix, several right sides at once.
 *
 *     (D K D + I/C_j) x_j + b_j u = y_j,   u'x_j = 0,      D = diag(u)               docs/math.md, eq. 51 .. 53
 *
 * or, without a bias, the same with b_j = 0 and no side condition; a penalised one, b_j = u'x_j / rho, is part of the
 * kernel, K + 1/rho. A free bias is projected out: with Pi = I - uu'/u'u the
 * iteration solves (Pi D K D Pi + I/C_j) x_j = Pi y_j, so that no difference of large numbers is taken, and what it
 * reports is the residual of the machine itself.
 *
 * Each right side has its own C and its own scalars; all share one product with K in an iteration. Those that have
 * converged drop out. Memory is that of what is kept of K, of the preconditioner, and of six vectors for each right
 * side. */
#ifndef NY_CG_H
#define NY_CG_H

#include "kernel/product.h"
#include "precondition.h"

typedef struct ny_cg {
    const ny_kernel_product *K; /* for at least as many columns */
    const double *u;            /* n: square roots of the row weights */
    double rho;                 /* of the bias, as the preconditioner was made */
    int64_t columns;
    const double *B, *C; /* n x columns: right sides; columns */
    const ny_preconditioner *P;
    double tol;   /* the goal: |r| <= tol min(|y|, share/tol |x| / C) for every right side ... */
    double share; /* ... so that r is also at most this share of the training errors x / C; INFINITY: tol |y| will do */
    int64_t loose; /* The last `loose` right sides need less: */
    double loose_tol;
    int64_t iterations; /* at most, and */
    bool hasty;         /* fewer where it becomes clear that they will not do */
    bool single;        /* products in single precision, where the matrix is kept so: the true residual has the say */
    double good;        /* after a stop: x is worth having below this residual, and one more product to know it */
    double *b;          /* columns: gets b_j, NAN where a stop left it unknown; or NULL */
} ny_cg;

typedef struct ny_cg_report {
    double residual;    /* largest |r| / |y|, from x itself; from the recurrence after a stop above `good` */
    double left;        /* the same of |r| / min(|y|, share/tol |x| / C): at most tol where the goal is reached */
    int64_t iterations; /* products with K but for those that only look at the residual */
    bool stopped;       /* by the user or the clock: x is as far as it got */
} ny_cg_report;

/* x: n x columns; left: what the report has, for each column. Neither the limit of iterations nor a stop is an error:
 * the report tells how far it got. NY_STOPPED: before the first iteration. */
ny_status ny_cg_solve(ny_ctx *ctx, const ny_cg *problem, double *x, double *left, ny_cg_report *report);
/* v becomes v - u (u'v) / u'u; returns (u'v) / u'u. */
double ny_project_out(int64_t n, const double *u, double *v);
/* Numbers of memory that it takes, the product and the preconditioner apart. */
double ny_cg_numbers(int64_t n, int64_t columns);

#endif

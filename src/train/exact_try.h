/* exact_try.h: exact machines at given values of C, by conjugate gradients, judged by their own leave-one-out outputs.
 * docs/math.md, eq. 51 .. 53, 62, 63 */
#ifndef NY_EXACT_TRY_H
#define NY_EXACT_TRY_H

#include "search/group.h"
#include "solver/cg.h"

enum { NY_EXACT_TRIED = 8 }; /* values of C at most, where every output is tried at each */

typedef struct ny_exact {
    ny_selection *sel;
    ny_point point; /* kernel and bandwidth; C: about this, where every output is tried at every C */
    ny_kernel_params kernel;
    ny_kernel_product K;
    ny_preconditioner P;
    bool direct;            /* every output at every C, the best wins; else each output at its own: */
    double *own;            /* outputs: the C of sel->best, of classes not more than there is need for */
    double tol, good;       /* residuals: wanted, and worth having */
    double share;           /* the same as a share of the training errors (cg.h) */
    double signs_tol;       /* residuals of the random signs, which need less */
    int64_t iterations;     /* at most */
    int64_t at_once;        /* values of C that are tried together */
    double beat;            /* the loss of another machine; INFINITY: none */
    double choosing;        /* those of all tries together while a kernel, a bandwidth or a C is chosen */
    bool hasty;             /* fewer where they will not do */
    bool rough;             /* the last ones allowed single precision (eq. 103) */
    double *kappa, *unseen; /* n: diagonal of K; 1/Q_ii - 1/(that of the preconditioner) */
    double *diagonal;       /* n: scratch */
    double *loss, *C, *b;   /* outputs: leave-one-out error of the best so far, and its machine: */
    double *alpha, *Q;      /* n x outputs: its multipliers, and the diagonal that leaves rows out (eq. 63) */
    double *more;           /* n x outputs: their `unseen`, where rows are left out together; else NULL */
    double *noise;          /* outputs: the variance of its noise, once it is measured (eq. 55) */
    ny_together together;   /* rows that are left out together, and ... */
    double *spent;          /* ... the sums of their leverages, exact and low rank: scratch */
    double *rest;           /* n: diagonal of what the preconditioner does not see of K */
    int64_t tried;
    double at[NY_EXACT_TRIED], mean[NY_EXACT_TRIED]; /* direct: the values of C, and the mean loss over the outputs */
    ny_cg_report report;
    double beside; /* once it is measured: the residual as a share of the training errors */
    int64_t rank;  /* of the preconditioner */
} ny_exact;

/* Everything but point, kernel, K, P, direct, own, tolerances, iterations and hasty. */
ny_status ny_exact_new(ny_selection *sel, ny_exact *x);
void ny_exact_clear(ny_exact *x);
/* Right sides: these targets, and so many sets of random signs (at most 64 in each). */
int64_t ny_exact_columns(int64_t n, int64_t targets, int64_t sets);
/* Solves for these C and keeps each output's best machine among those that are good. Each C has random
 * signs of its own; or C[only] has them for all, where that is not -1. Where those do not converge nothing is known of
 * a C, unless the user asked for the machine. A stop is in the report. */
ny_status ny_exact_try(ny_exact *x, int64_t systems, const double *C, int64_t only);
/* The bias, the noise, the residual (to report.residual and beside) and the leave-one-out outputs (n x outputs) of the
 * machines that were kept, from one product with kernel values computed anew in double precision; the losses are then
 * those of these outputs. NY_STOPPED: nothing is known. */
ny_status ny_exact_measure(ny_exact *x, double *held);

#endif

/* exact_try.h: exact machines at given values of C, by conjugate gradients, judged by their own leave-one-out outputs.
 * docs/math.md, eq. 51 .. 53, 62, 63 */
#ifndef NY_EXACT_TRY_H
#define NY_EXACT_TRY_H

#include "search/group.h"
#include "search/selection.h"
#include "solver/exact_system.h"

enum { NY_EXACT_TRIED = 8 }; /* values of C at most, where every output is tried at each */

typedef struct ny_exact {
    ny_selection *sel;
    ny_point point; /* kernel and bandwidth; C: about this, where every output is tried at every C */
    ny_kernel_params kernel;
    ny_system system;     /* of this kernel; empty before it is begun and after the last try */
    ny_together together; /* rows that are left out together; groups 0: none are */
    double *scaled;       /* n x outputs: targets, row i scaled by u_i */
    ny_system_goals goals;
    bool same_C;         /* Every output is tried at the same values of C, and the best wins; else each at its own. */
    double *own;         /* outputs: their own C, that of sel->found.best; of classes not more than there is need for */
    int64_t at_once;     /* values of C that are tried together */
    double beat;         /* the loss of another machine; INFINITY: none */
    double choosing;     /* iterations of all tries together while a kernel, a bandwidth or a C is chosen */
    ny_system_best best; /* what was found */
    double *noise;       /* outputs: the variance of its noise, once it is measured (eq. 55) */
    int64_t tried;
    double at[NY_EXACT_TRIED], mean[NY_EXACT_TRIED]; /* same_C: the values, and the mean loss over the outputs */
    ny_cg_report report;                             /* of all tries */
    double beside; /* once it is measured: the residual as a share of the training errors */
    int64_t rank;  /* of the preconditioner; 0: there was none */
} ny_exact;

/* Room for what will be found. Point, kernel, system, goals, same_C and what follows up to choosing are the caller's to
 * set. */
ny_status ny_exact_new(ny_selection *sel, ny_exact *x);
void ny_exact_clear(ny_exact *x);
/* What x is to learn, for its system. It borrows from x and from its selection. */
ny_system_rows ny_exact_learnt(const ny_exact *x);
/* Solves for these C and keeps each output's best machine among those that are good. Where the random signs do not
 * converge nothing is known of a C, unless the user asked for the machine. A stop is in the report. */
ny_status ny_exact_try(ny_exact *x, int64_t count, const double *C);
/* The bias, the noise and the residual (to report.residual and beside) of the machines that were kept, from one product
 * with kernel values computed anew in double precision. NY_STOPPED: nothing is known. */
ny_status ny_exact_measure(ny_exact *x);

#endif

/* problem.h: what is to be learnt in the feature space of the factor.
 *
 *     min over w, b of  1/2 |w|^2 + C sum_i v_i loss(y_i, w'g_i + b)                                      (eq. 12, 78)
 *
 * for each output; columns are scaled by u_i = sqrt(v_i) once. A penalised bias is the last row of G and not the b
 * here; but where G is the kernel matrix itself (criterion/dense.c) it is b, penalised by rho/2 b^2. */
#ifndef NY_PROBLEM_H
#define NY_PROBLEM_H

#include <stdbool.h>
#include <stdint.h>

#include "base/ctx.h"
#include "bias.h"
#include "kernel/kernel.h"
#include "loss/loss.h"

/* Rows with equal inputs, which are left out together. They are one row of their total weight, and of the mean of their
 * targets.                                                                                   docs/math.md, eq. 113 */
typedef struct ny_together {
    int64_t groups;
    int64_t *group; /* n; -1: the row is alone, and the following do not count */
    double *weight; /* n: sum of v over the row's group */
    double *mean;   /* n x q: mean target, weighted by v */
} ny_together;

/* The tridiagonal form of the landmarks' own kernel matrix, centred if there is a free bias. */
typedef struct ny_landmark_spectrum {
    int64_t landmarks;        /* as many as were drawn */
    const double *diag, *off; /* for criteria that ask for them, where the landmarks are not all rows; else NULL */
} ny_landmark_spectrum;

/* Where a machine need not be known to the last digit (criterion/dense.c). */
typedef struct ny_hurry {
    bool passing; /* it is of some of the rows: only its value counts */
    double beat;  /* and that only if it is less than this one of another machine; INFINITY: there is none */
} ny_hurry;

typedef struct ny_problem { /* a problem; rows are columns of G */
    int64_t r, n, q;
    double *G; /* r x n, leading dimension ldg, column i scaled by u_i; a criterion may overwrite it */
    int64_t ldg;
    const double *u;                    /* n: square roots of the row weights */
    const double *Y;                    /* n x q, row i scaled by u_i */
    const ny_loss_params *loss;         /* q; NULL: squared */
    const double *excess;               /* n x q: taken from the loss of held-out outputs (a constant); NULL: nothing */
    const struct ny_together *together; /* rows that are held out together; NULL: each by itself */
    double sharp;                       /* the final machine has sharp corners, to this relative gap; 0: rounded ones */
    double moved;              /* a guess of how far outputs move when a fold is left out; 0: none (criterion newton) */
    bool bias;                 /* free: rho = 0 */
    double rho;                /* of the bias: bias.h */
    int64_t folds;             /* 0 where no criterion needs them */
    const int64_t *fold_start; /* folds + 1: rows are sorted by fold */
    int64_t unjudged;          /* the first so many rows have no held-out outputs, and do not count */
    bool judged_only;          /* the other rows, of the second fold, are not learnt from by any machine */
    struct ny_moments *fold_moments; /* folds: instead of G, u and Y, where rows are not in memory; else NULL */
    double rest; /* sum of u_i^2 (kappa(x_i,x_i) - |g_i|^2): the part of the kernel outside the factor */
    ny_landmark_spectrum spectrum;
    bool keep; /* the posterior will be asked for (criterion/dense.c) */
    ny_hurry hurry;
    /* --expansion training: the machine to judge uses the true kernel on X (d x n); else NULL. */
    const ny_kernel_params *kernel;
    const ny_matrix *X;
} ny_problem;

/* How many rows fold f has. */
static inline int64_t ny_fold_size(const ny_problem *problem, int64_t f) {
    return problem->fold_start[f + 1] - problem->fold_start[f];
}

#endif

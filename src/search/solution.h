/* solution.h: a trained machine and what the criterion says of it. */
#ifndef NY_SOLUTION_H
#define NY_SOLUTION_H

#include "criterion/profile.h"
#include "factor/factor.h"
#include "machine/expansion.h"
#include "model/record.h"
#include "setup.h"

typedef struct ny_low_rank { /* how the machine's low rank was made, and what it leaves out */
    double seconds;          /* spent on landmarks and factor */
    double kept;             /* share of the kernel's trace */
    double missing;          /* trace of the kernel matrix that the machine does not see */
    ny_matrix apart;         /* the landmarks, where f has other points (--expansion training); else empty */
    double *weight;          /* landmarks; or NULL */
    ny_matrix redundant;     /* landmarks that were drawn and add nothing */
} ny_low_rank;

typedef struct ny_solution {
    bool valid;
    ny_expansion f; /* the machine, for scaled inputs */
    double *C;      /* outputs */
    double value, error;
    double least;                  /* the least value of any C here, where C is chosen by errors; else the value */
    double value_error, std_error; /* standard errors of value and error */
    double squared_error;          /* mean over rows and outputs, held out: the value of most criteria */
    double observations;           /* of all outputs: what a log probability is a sum over */
    int64_t rows, landmarks, rank;
    int64_t asked; /* landmarks wanted: where the kernel matrix has a lower rank there are fewer */
    ny_low_rank low;
    int C_edge;             /* -1, +1: some C lies on the lower, upper end of a range given by the user */
    ny_inferred *level;     /* outputs: where the criterion infers it; else NULL */
    double *held;           /* rows x q: held-out outputs */
    ny_effort effort;       /* of an iterative solver */
    ny_posterior posterior; /* where the selection wants it; and then */
    double *unseen;         /* rows: kappa(x,x) - |g(x)|^2 */
    /* The machines without each fold, landmarks x q x folds and q x folds (fit_passes.c only). */
    double *fold_beta, *fold_b;
} ny_solution;

/* Frees what it holds; it is empty then. */
void ny_solution_clear(ny_solution *solution);
/* What it holds moves on; it is empty then. */
ny_solution ny_solution_take(ny_solution *from);
/* Its kernel and bandwidth. */
static inline ny_point ny_solution_point(const ny_solution *s) {
    return (ny_point){s->f.kernel.kernel, s->f.kernel.bandwidth, 0, 0};
}
/* What the low rank of the solution is made of; it stays the solution's. */
ny_landmarks ny_solution_landmarks(const ny_solution *solution);

/* What searches compare: the criterion, or the error (the criterion breaks ties) with --select-on error; and its
 * standard error. With --select-on mse,error it is the least value of any C, whatever the error made of C. */
double ny_goal(const ny_setup *setup, const ny_solution *s);
double ny_goal_error(const ny_setup *setup, const ny_solution *s);

#endif

/* selection.h: everything a search works on: the scaled training rows, what is learnt from them, the plan, and the
 * best machine so far. A search is a strategy for calling ny_evaluate. */
#ifndef NY_SELECTION_H
#define NY_SELECTION_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/ctx.h"
#include "base/mean_limits.h"
#include "base/options.h"
#include "criterion/criterion.h"
#include "criterion/profile.h"
#include "data/codes.h"
#include "data/data.h"
#include "factor/factor.h"
#include "kernel/kernel.h"
#include "machine/expansion.h"
#include "route.h"
#include "solver/machine.h"

enum {
    NY_KERNELS_MAX = 8,
    NY_SAMPLE_ROWS = 100000, /* a sample of so many tells what more would tell: below the full size, for calibration */
    NY_SIDE_BY_SIDE = 4000000, /* entries of a factor that may be in memory once for each thread */
    NY_KERNEL_MOST = 2000,     /* rows of an exact machine that goes by its kernel matrix: criterion/dense.c */
    NY_KERNEL_ALONE = 400,     /* from which on such a machine is evaluated alone, and has another to beat */
    NY_CONTENDERS = 32,        /* machines whose held-out losses tell what the choice among them is worth */
    NY_POSTERIOR_MOST = 5792,  /* landmarks up to which a posterior that nobody asked for is kept: 256 MB */
};

/* Times the noise around a robust fit: how far targets are let go where a squared loss stands in for another, and from
 * where on they are outliers (of normal errors one in 1.7 million). */
#define NY_TAME 2.0
#define NY_OUTLYING 5.0

/* By what the root of the weight of a row is multiplied that is not to be learnt from: 0 to all digits but a few, yet
 * its output, held out like that of every other row, can be told. */
#define NY_UNHEARD 0x1p-20

/* Flops of an exact machine that need no reason: up to ten seconds. */
#define NY_EXACT_CHEAP 1e12
#define NY_EXACT_CHOOSING (NY_EXACT_CHEAP / 4) /* of all iterations in which it chooses for itself */

typedef enum { NY_POSTERIOR_NO, NY_POSTERIOR_SMALL, NY_POSTERIOR_YES } ny_posterior_wish; /* SMALL: if it is small */

/* Training rows, all or a subset, sorted by fold. */
typedef struct ny_rows {
    int64_t n;
    ny_matrix X; /* inputs x n; borrowed when `whole` */
    bool whole;
    int32_t *code;   /* n: classes; NULL for regression */
    double *u;       /* n: square root of the row's weight */
    bool weighted;   /* not all u are 1 */
    double *Y;       /* n x q: -1/+1 (0 where a class takes no part) or the target */
    double *tame;    /* n: targets without their outliers, for a squared loss that stands in; NULL: as they are */
    double *excess;  /* n x q: of the loss of outlying targets, what the criterion does not count; NULL: nothing */
    bool *wild;      /* n: targets that no noise explains, which are not learnt from; NULL: there are none */
    int32_t *fold;   /* n; NULL where the criterion has no folds */
    int64_t *id;     /* n: row numbers in the data */
    int64_t *copy;   /* n: the group of equal rows that it is in, -1 where it is alone; NULL: there are none */
    int64_t repeats; /* rows less distinct ones */
} ny_rows;

typedef struct ny_solution { /* a trained machine and what the criterion says of it */
    bool valid;
    ny_expansion f; /* the machine, for scaled inputs */
    double *C;      /* outputs */
    double value, error;
    double value_error, std_error; /* standard errors of value and error */
    double squared_error;          /* mean over rows and outputs, held out: the value of most criteria */
    double observations;           /* of all outputs: what a log probability is a sum over */
    int64_t rows, landmarks, rank;
    int64_t asked;          /* landmarks wanted: where the kernel matrix has a lower rank there are fewer */
    double kernel_kept;     /* share of the kernel's trace */
    double missing;         /* trace of the kernel matrix that the machine does not see */
    int C_edge;             /* -1, +1: some C lies on the lower, upper end of a range given by the user */
    ny_matrix apart;        /* the landmarks, where f has other points (--expansion training); else empty */
    double *weight;         /* landmarks; or NULL */
    double *held;           /* rows x q: held-out outputs */
    ny_effort effort;       /* of an iterative solver */
    ny_posterior posterior; /* where the selection wants it; and then */
    double *unseen;         /* rows: kappa(x,x) - |g(x)|^2 */
    double *fold_beta,
        *fold_b; /* landmarks x q x folds, q x folds: the machines without each fold (fit_passes.c only) */
} ny_solution;

typedef struct ny_point { /* a place to try, and what it is worth there */
    const ny_kernel *kernel;
    double bandwidth;
    double C;     /* this one for every output; 0: as --C says */
    double value; /* out: the criterion, or the error with --select-on error */
} ny_point;

typedef struct ny_trial { /* one evaluation for the record */
    const ny_kernel *kernel;
    double bandwidth, C, value, error;
    int64_t rows, landmarks, rank;
} ny_trial;

typedef struct ny_tried { /* the held-out losses of the best machines of all rows: contenders.c */
    int64_t count;
    double value[NY_CONTENDERS]; /* of the criterion */
    ny_contender machine[NY_CONTENDERS];
} ny_tried;

typedef struct ny_hint { /* the C of a kernel's best machine so far, where the next search for C begins */
    int64_t rows, asked;
    double value, bandwidth, *C; /* C: outputs; NULL: none yet */
    double moved;                /* of its effort */
    bool rough;                  /* of squared losses in place of the machine's own */
} ny_hint;

typedef struct ny_pace { /* pace.h */
    double rate;         /* operations in a second of machines, and ... */
    double plain;        /* ... of plain loops */
    double largest;      /* operations of the largest machine it was measured with */
    double prepared;     /* seconds before the search */
    double planned;      /* operations in a second that the plan goes by, and ... */
    double exact;        /* ... those of the exact machine, if it is to follow */
    double more;         /* seconds that were added to the plan on the way */
} ny_pace;

typedef struct ny_selection {
    ny_ctx *ctx;
    const ny_options *options;
    ny_kernel_params kernel; /* degree and coef0; the function and its bandwidth come with each point */
    ny_range bandwidth;      /* as --bandwidth says, with the number that zhang stands for */
    int64_t rank;            /* eigenvalues of the landmarks' kernel matrix to keep; 0: all, in Cholesky form */
    ny_factor *eigen;        /* where the eigen form of a rank is kept for the smaller ones (ranks.c); or NULL */
    int64_t kernels;         /* how many to choose from */
    const ny_kernel *candidate[NY_KERNELS_MAX];
    ny_hint hint[NY_KERNELS_MAX]; /* of each */
    const ny_machine *machine;
    ny_loss_params *loss; /* outputs; NULL: squared */
    int64_t copies;       /* groups of equal rows, which are held out together */
    int64_t *copy_of;     /* rows of the data: the group, -1: alone; NULL: there are no groups */
    int64_t outlying;     /* rows whose targets are outliers to a robust fit */
    int64_t wild;         /* rows that are not learnt from */
    double unit;          /* of C: the noise, for losses that grow with the error; else 1 */
    bool rough;           /* for now a machine of squared loss stands in, by leave-one-out in closed form */
    const ny_criterion *criterion;
    const ny_landmark_method *method; /* NULL: by the share of the rows (ny_landmark_auto) */
    ny_coding coding;
    ny_task task;
    int64_t classes, outputs, folds;
    uint64_t seed;
    ny_posterior_wish posterior;
    int64_t landmarks;        /* of the final machine; >= n or >= span: exact */
    int64_t landmarks_most;   /* how many they may become (sizes.c) */
    int64_t landmarks_alone;  /* how many they would be if no exact machine followed, for if none does */
    ny_route route;           /* the plan's, and what the search made of it */
    ny_point exact_at;        /* where it is to be, C about this; kernel NULL: where the best machine is */
    ny_point exact_rival;     /* another kernel that may be as good there; kernel NULL: none */
    int64_t span;             /* so many span the kernels' whole feature space; 0: no such number */
    int64_t n;                /* rows to learn from */
    int64_t set_aside;        /* rows that the last machine after a stop leaves out, for the time they would take */
    ny_rows all;              /* they, or a sample of them where they come in passes */
    struct ny_passes *passes; /* NULL: all rows are in memory */
    double target_unit;       /* of regression targets, where their squares would leave the range of numbers; else 1 */
    double origin;       /* taken from regression targets where there is a bias, for the digits; back in the model */
    int64_t *class_rows; /* classes (1 in regression): rows in the data */
    ny_rows subset;      /* of the level at work, when smaller */
    int64_t subset_asked;
    const double *C_each; /* outputs: exactly these for the next fits; NULL: as --C says */
    ny_point reference;   /* where the common landmarks of a smaller level are chosen; set by the search */
    ny_landmarks common;  /* those landmarks: Z and weight */
    int64_t common_rows, common_landmarks; /* the level they belong to */
    ny_solution best;
    ny_tried tried;
    int64_t trials;
    ny_trial *trial;    /* in the order tried */
    int bandwidth_edge; /* -1, +1: the winner lies on an end of a range given by the user */
    double seconds_landmarks, work_done, work_total, started;
    ny_pace pace;
} ny_selection;

/* Below the full size all points of a level share their landmarks, chosen once at sel->reference: what differs between
 * two values is then the bandwidth and not the draw. At full size each point has its own, unless the method does not
 * look at the kernel.
 *
 * Trains with `landmarks` on `rows` of the rows (all or a stratified sample) at each of the points, C by the criterion.
 * Small machines are trained side by side, one thread each; large ones one after the other with all threads. Keeps the
 * best as sel->best if it is better, or if it was made with more rows or landmarks. NY_STOPPED: the user or the clock
 * said stop. */
ny_status ny_evaluate(ny_selection *sel, int64_t rows, int64_t landmarks, int64_t count, ny_point *points);

/* What searches compare: the criterion, or the error (the criterion breaks ties) with --select-on error; and its
 * standard error. */
double ny_goal(const ny_selection *sel, const ny_solution *s);
double ny_goal_error(const ny_selection *sel, const ny_solution *s);

/* A target no further than `most` from f. */
static inline double ny_tamed(double y, double f, double most) {
    return fmax(f - most, fmin(y, f + most));
}

/* Empty rows with room for n: everything but X. */
ny_status ny_rows_new(const ny_selection *sel, int64_t n, ny_rows *rows);
void ny_rows_clear(ny_rows *rows);
/* Counts rows->repeats, from rows->copy of so many groups. */
ny_status ny_rows_repeats(ny_ctx *ctx, int64_t groups, ny_rows *rows);
void ny_solution_clear(ny_solution *solution);
/* Its kernel and bandwidth. */
ny_point ny_solution_point(const ny_solution *solution);
/* What the low rank of the solution is made of; it stays the solution's. */
ny_landmarks ny_solution_landmarks(const ny_solution *solution);
void ny_selection_clear(ny_selection *sel);

#endif

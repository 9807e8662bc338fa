/* criterion.h: the criterion family: what a set of hyper-parameters is worth.
 *
 * A criterion tells what the machine says of rows that it has not seen: their held-out outputs. The reported error and
 * the calibration of probabilities are made from those, and so is what is minimised unless the criterion has a value of
 * its own. Machines are computed in three ways, and a criterion has a small interface for each kind that it can judge:
 *
 *     closed form  for the squared loss: one decomposition of the problem, after which any C costs little;
 *     iterative    for any loss: path.c trains a machine for each C, and the criterion leaves rows out of it;
 *     of kernel    for exact machines of squared loss: a factor of the kernel matrix for each C, so few are tried.
 *
 * judge.h puts one of them to work. */
#ifndef NY_CRITERION_H
#define NY_CRITERION_H

#include <stdbool.h>
#include <stdint.h>

#include "base/cost.h"
#include "base/ctx.h"
#include "options/options.h"
#include "solver/primal.h"
#include "solver/ridge.h"

#define NY_CRITERION_LIST(X) \
    X(loo)                   \
    X(cv)                    \
    X(gcv)                   \
    X(evidence)              \
    X(evidence_nystrom)      \
    X(newton)                \
    X(bif)                   \
    X(fbif)                  \
    X(holdout)               \
    X(span)                  \
    X(smooth_span)           \
    X(radius_margin)

/* Values of C to look at: the same for all outputs (`each` = false: C has k entries) or k for each output
 * (C[c + k * j]). */
typedef struct ny_C_list { /* 0: nothing wanted (iterative only) */
    int64_t k;
    bool each;
    const double *C;
} ny_C_list;

/* The c-th value for output j. */
static inline double ny_C_at(const ny_C_list *list, int64_t c, int64_t j) {
    return list->C[list->each ? c + list->k * j : c];
}

enum { NY_C_EXPECTED = 12 }; /* values that profile.c says will be asked for where C is to be found */

typedef struct ny_basis { /* the decomposition of eq. 14, for the posterior */
    double *Q;            /* r x r */
    double *diag, *off;   /* T: r each, of off one less */
    double *p, s;         /* r, 1: moments */
    bool rotated;         /* the problem's G has become Psi */
} ny_basis;

typedef struct ny_effort { /* what an iterative solver did */
    int64_t steps;         /* in all */
    double gap;            /* largest duality gap of the final machines, over their objectives */
    double *objective;     /* q */
    double moved;          /* see ny_problem */
} ny_effort;

typedef enum ny_criterion_kind { NY_NO_KIND, NY_CLOSED_FORM, NY_ITERATIVE, NY_OF_KERNEL } ny_criterion_kind;

/* A criterion that finds the C of each output itself, instead of being asked for values of C. */
typedef struct ny_C_choice {
    const double *near; /* q: the best C is not far from these; NULL: it may be anywhere */
    bool by_error;      /* the share of wrong signs decides, and the smaller C among equals */
    double *C, *value;  /* q, out: the best C and its value; the caller sets value to infinity before */
    double *held;       /* n x q, out: held-out outputs there */
    double lambda_min;  /* above 0: everything down to this lambda = 2/C is looked at, whatever `near` says */
} ny_C_choice;

typedef ny_status ny_choose_fn(ny_ctx *ctx, void *state, const ny_C_choice *choice);

/* For problems that have the moments of their folds and no rows. */
typedef struct ny_of_moments {
    /* The mean squared held-out error, loss[c + k*j], and unless by_fold is NULL that of every fold (folds x k q). */
    ny_status (*loss)(ny_ctx *ctx, void *state, const ny_C_list *list, double *loss, double *by_fold);
    /* The machine without fold f. */
    ny_status (*without)(ny_ctx *ctx, void *state, int64_t f, const double *C, double *W, double *b);
} ny_of_moments;

typedef struct ny_closed_form {
    /* May overwrite the problem's G. `expected` is how many values of C will be asked for. */
    ny_status (*prepare)(ny_ctx *ctx, ny_problem *problem, int64_t expected, void **state);
    /* The trace of the centred Gram matrix A, which is the scale of 1/C. */
    double (*trace)(const void *state);
    /* F: n x q x k held-out outputs, f[i + n*j + n*q*c], in the target's own units (not scaled by u). */
    ny_status (*held)(ny_ctx *ctx, void *state, const ny_C_list *list, double *F);
    /* The trained machine at one C for each output: W r x q, b q. */
    ny_status (*solve)(ny_ctx *ctx, void *state, const double *C, double *W, double *b);
    /* Moves the decomposition out of a problem without `kernel` that has its rows. Nothing but `release` may follow. */
    ny_status (*basis)(ny_ctx *ctx, void *state, ny_basis *out);
    void (*release)(void *state);
    const ny_of_moments *moments; /* NULL: the criterion needs the rows */
    bool true_kernel;             /* it judges the exact machine: the problem comes with its kernel; so for all kinds */
    ny_cost (*cost)(const ny_size *size);
    /* Held-out outputs as above for the error that is told, where `held` is good enough to choose by only; NULL: held.
     * Nothing but `solve`, `basis` and `release` may follow. */
    ny_status (*told)(ny_ctx *ctx, void *state, const ny_C_list *list, double *F);
} ny_closed_form;

/* Held-out outputs F (n) of the machine x of one output; x->moved is its to use and to set. */
typedef ny_status ny_leave_fn(ny_ctx *ctx, const ny_primal *p, ny_machine_point *x, double *F);

typedef struct ny_iterative {
    ny_leave_fn *leave;
    ny_choose_fn *choose; /* along the regularization path of the machines (walk.h); NULL: values of C are tried */
    ny_cost (*cost)(const ny_size *size);
} ny_iterative;

struct ny_posterior;
struct ny_inferred;

typedef struct ny_of_kernel {
    /* The problem's G is the kernel matrix, which is overwritten. */
    ny_status (*prepare)(ny_ctx *ctx, ny_problem *problem, void **state);
    ny_choose_fn *choose;
    /* The trained machine at the C that was chosen: W n x q, b q. */
    ny_status (*solve)(ny_ctx *ctx, void *state, double *W, double *b);
    /* Its posterior, of one output. */
    ny_status (*posterior)(ny_ctx *ctx, void *state, struct ny_posterior *out);
    void (*release)(void *state);
    ny_cost (*cost)(const ny_size *size);
} ny_of_kernel;

/* What is minimised instead of the mean loss of the held-out outputs. */
typedef struct ny_own_value {
    bool nats;     /* it is a negative log probability: those of several outputs add up */
    bool spectrum; /* it needs the spectrum of the landmarks' own kernel matrix (problem->spectrum) */
    /* value[c + k*j] chooses C; report, unless NULL, is what kernels and bandwidths are compared by. Both are positive
     * unless they are log probabilities: searches go by relative differences. */
    ny_status (*at)(ny_ctx *ctx, void *state, const ny_C_list *list, double *value, double *report);
    /* The derivative of value by log C, slope[c + k*j], for the last digits of C; NULL: half octaves will do. */
    ny_status (*slope)(ny_ctx *ctx, void *state, const ny_C_list *list, double *slope);
    /* What is inferred of every output at its C (q): level (q); NULL: nothing. */
    ny_status (*levels)(ny_ctx *ctx, void *state, const double *C, struct ny_inferred *level);
} ny_own_value;

typedef struct ny_criterion {
    const char *name, *help;
    bool folds;                   /* rows are left out by folds, and must be sorted by them */
    bool one_sided;               /* of two folds the second only is held out: the first has no held-out outputs */
    const ny_loss *only;          /* the one loss that it is for; NULL: all that it has a kind for */
    const ny_closed_form *closed; /* the kinds that it is not of are NULL */
    const ny_iterative *iterative;
    const ny_of_kernel *kernel;
    const ny_own_value *value; /* NULL: the mean loss of the held-out outputs */
    /* For --search gradient and iterative machines: the value at the machine x, its derivative by log C and those by
     * the features g of every row, not scaled by u: 2 + r n numbers. x may be improved. NULL: there is none. */
    ny_leave_fn *gradient;
} ny_criterion;

#define X(name) extern const ny_criterion ny_criterion_##name;
NY_CRITERION_LIST(X)
#undef X
extern const ny_of_kernel ny_dense_loo; /* of loo */

const ny_criterion *ny_criterion_find(const char *name); /* NULL if there is none */
/* In the order of the list; NULL past the end. */
const ny_criterion *ny_criterion_at(int64_t index);
/* What auto stands for with a machine of this loss. */
const ny_criterion *ny_criterion_auto(const ny_loss *loss);
/* By which of its kinds it judges machines of this loss on landmarks. */
ny_criterion_kind ny_criterion_kind_for(const ny_criterion *criterion, const ny_loss *loss);
/* Its value is a negative log probability. */
static inline bool ny_criterion_nats(const ny_criterion *criterion) {
    return criterion->value && criterion->value->nats;
}
/* Its value needs the spectrum of the landmarks' own kernel matrix. */
static inline bool ny_criterion_spectrum(const ny_criterion *criterion) {
    return criterion->value && criterion->value->spectrum;
}
/* It chooses by other outputs than those that the error is told by. */
static inline bool ny_criterion_tells_apart(const ny_criterion *criterion, ny_criterion_kind kind) {
    return kind == NY_CLOSED_FORM && criterion->closed->told;
}
/* It judges the exact machine, whose kernel comes with the problem. */
static inline bool ny_criterion_true_kernel(const ny_criterion *criterion) {
    return criterion->closed && criterion->closed->true_kernel;
}
/* The criterion of these options: the one named, else cross-validation where folds are given, else auto's. */
const ny_criterion *ny_criterion_asked(const ny_options *options, const ny_loss *loss);
/* Rows are to be left out one by one: --criterion loo, or auto for squared losses, and no folds. */
bool ny_criterion_loo_asked(const ny_options *options);

#endif

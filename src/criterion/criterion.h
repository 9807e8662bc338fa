/* criterion.h: the criterion family: what a set of hyper-parameters is worth.
 *
 * A member prepares one decomposition of the problem and then answers for any C at little cost: the held-out outputs
 * of every row (what the machine says of a row that it has not seen). Reported error and the calibration of
 * probabilities are made from those, and so is what is minimised unless the member has a `value` of its own. */
#ifndef NY_CRITERION_H
#define NY_CRITERION_H

#include <stdbool.h>
#include <stdint.h>

#include "base/ctx.h"
#include "base/options.h"
#include "solver/ridge.h"

#define NY_CRITERION_LIST(X) \
    X(loo)                   \
    X(cv)                    \
    X(gcv)                   \
    X(evidence)              \
    X(evidence_nystrom)      \
    X(newton)                \
    X(bif)                   \
    X(span)                  \
    X(radius_margin)

/* Values of C to look at: the same for all outputs (`each` = false: C has k entries) or k for each output
 * (C[c + k * j]). */
typedef struct ny_C_list { /* 0: nothing wanted (criteria with `effort` only) */
    int64_t k;
    bool each;
    const double *C;
} ny_C_list;

static inline double ny_C_at(const ny_C_list *list, int64_t c, int64_t j) {
    return list->C[list->each ? c + list->k * j : c];
}

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

struct ny_posterior;

typedef struct ny_criterion {
    const char *name, *help;
    bool folds;                           /* needs rows sorted by fold */
    bool consumes;                        /* overwrites the problem's G */
    bool spectrum;                        /* needs the spectrum of the landmarks' own kernel matrix */
    const struct ny_criterion *any_loss;  /* its form for machines of any loss; NULL: there is none */
    const struct ny_criterion *of_kernel; /* its form for exact machines whose G is the kernel matrix; NULL: none */
    const ny_loss *only;                  /* the one loss that it is for; NULL: those that the last line says */
    bool nats; /* its `value` is a negative log probability, of which those of several outputs add up */
    /* `expected` is how many values of C will be asked for. */
    ny_status (*prepare)(ny_ctx *ctx, ny_problem *problem, int64_t expected, void **state);
    /* trace of the centred Gram matrix A: the scale of 1/C. */
    double (*trace)(const void *state);
    /* F: n x q x k held-out outputs, f[i + n*j + n*q*c], in the target's own units (not scaled by u). */
    ny_status (*held)(ny_ctx *ctx, void *state, const ny_C_list *list, double *F);
    /* To be minimised instead of the mean loss of the held-out outputs (else NULL): value[c + k*j] chooses C; report,
     * unless NULL, is what kernels and bandwidths are compared by; slope, unless NULL, is the derivative of value by
     * log C. */
    ny_status (*value)(ny_ctx *ctx, void *state, const ny_C_list *list, double *value, double *report, double *slope);
    /* The best C of each output along a path of its own (else NULL: values of C are tried): C, value q, held n x q.
     * near: q values that it is not far from, or NULL. by_error: by the wrong signs first. */
    ny_status (*along)(ny_ctx *ctx, void *state, const double *near, bool by_error, double *C, double *value,
                       double *held);
    /* The trained machine at one C for each output: W r x q, b q. */
    ny_status (*solve)(ny_ctx *ctx, void *state, const double *C, double *W, double *b);
    ny_status (*effort)(ny_ctx *ctx, const void *state, ny_effort *effort); /* of `solve`; NULL: in closed form */
    /* Moves the decomposition out of a problem without `kernel` that has its rows. Nothing but `release` may follow. */
    ny_status (*basis)(ny_ctx *ctx, void *state, ny_basis *out);
    /* The posterior itself, of one output, in place of `basis`; or NULL. */
    ny_status (*posterior)(ny_ctx *ctx, void *state, struct ny_posterior *out);
    /* For problems that have the moments of their folds and no rows (NULL where the criterion needs rows): the mean
     * squared held-out error, loss[c + k*j], and with it that of every fold (folds x k q) unless by_fold is NULL; and
     * the machine without fold f. */
    ny_status (*loss)(ny_ctx *ctx, void *state, const ny_C_list *list, double *loss, double *by_fold);
    ny_status (*without)(ny_ctx *ctx, void *state, int64_t f, const double *C, double *W, double *b);
    void (*release)(void *state);
} ny_criterion;

#define X(name) extern const ny_criterion ny_criterion_##name;
NY_CRITERION_LIST(X)
#undef X
extern const ny_criterion ny_any_loo, ny_any_cv, ny_dense_loo;

const ny_criterion *ny_criterion_find(const char *name); /* NULL if there is none */
const ny_criterion *ny_criterion_at(int64_t index);
/* What auto stands for with a machine of this loss. */
const ny_criterion *ny_criterion_auto(const ny_loss *loss);
/* Rows are to be left out one by one: --criterion loo, or auto for squared losses, and no folds. */
bool ny_criterion_loo_asked(const ny_options *options);

#endif

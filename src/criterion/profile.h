/* profile.h: the best C of every output for one decomposition, and what it is worth. */
#ifndef NY_PROFILE_H
#define NY_PROFILE_H

#include "codes/codes.h"
#include "judge.h"
#include "options/options.h"

typedef struct ny_profile_spec {
    const ny_criterion *criterion;
    ny_criterion_kind kind;
    ny_range C;           /* auto: from the spectrum, refined; else exactly these */
    const double *C_each; /* q: instead, this one for each output; or NULL */
    const double *C_near; /* q: C is to be found near these; NULL: anywhere */
    bool stood_in;        /* they are of squared losses that stood in: not very near */
    bool smaller;         /* they suit a machine of fewer rows: C is not below them */
    double lambda_min;    /* above 0: how far a criterion looks that finds C along the path (ny_C_choice) */
    double unit;          /* of C */
    bool on_error;        /* choose by misclassification instead of squared error; the smaller C among equals */
    bool least;           /* and yet tell the least squared error of any C */
    int64_t classes;      /* 0 for regression */
    const int32_t *code;  /* n: true classes, for on_error with all outputs of one decoding */
    ny_coding coding;
    bool posterior; /* also make the posterior's part that does not need the landmarks */
} ny_profile_spec;

typedef struct ny_profile {
    double *C;                    /* q: chosen */
    double *loss;                 /* q: mean squared held-out error there, weighted by u^2; or the criterion's value */
    double *least;                /* q: the least loss of any C where asked for, else the same */
    double *held;                 /* n x q: held-out outputs there; NULL for a problem of moments only, which has: */
    double *fold_loss;            /* folds x q: the loss of every fold */
    double *fold_W, *fold_b;      /* r x q x folds, q x folds: the machine without each fold */
    double *W, *b;                /* r x q, q: the trained machine there */
    struct ny_inferred *level;    /* q: where the criterion infers it; else NULL */
    ny_posterior posterior;       /* where asked for */
    ny_effort effort;             /* of an iterative solver */
    int64_t tried;                /* values that all outputs have in common: */
    double *tried_C, *tried_loss; /* tried: C, and the loss averaged (values: summed) over outputs */
    int edge; /* -1, +1: some output's C lies on the lower, upper end of a range given by the user */
} ny_profile;

/* problem->G may be overwritten. */
ny_status ny_profile_make(ny_ctx *ctx, ny_problem *problem, const ny_profile_spec *spec, ny_profile *out);
/* Doubles that it holds beside the criterion. */
double ny_profile_numbers(ny_criterion_kind kind, const ny_size *size);
void ny_profile_clear(ny_profile *profile);

#endif

/* setup.h: what is asked: machine, criterion, kernels, coding, outputs. It is settled before the search begins, and the
 * search only looks at it. It owns nothing: a copy with another criterion, or with other losses, is another question
 * about the same rows. */
#ifndef NY_SETUP_H
#define NY_SETUP_H

#include <stdbool.h>
#include <stdint.h>

#include "codes/codes.h"
#include "criterion/criterion.h"
#include "kernel/kernel.h"
#include "landmark/landmark.h"
#include "options/options.h"
#include "solver/machine.h"
#include "table/data.h"

enum {
    NY_KERNELS_MAX = 8,
    NY_KERNEL_MOST = 2000,    /* rows of an exact machine that goes by its kernel matrix: criterion/dense.c */
    NY_KERNEL_ALONE = 400,    /* from which on such a machine is evaluated alone, and has another to beat */
    NY_POSTERIOR_MOST = 5792, /* landmarks up to which a posterior that nobody asked for is kept: 256 MB */
};

typedef enum { NY_POSTERIOR_NO, NY_POSTERIOR_SMALL, NY_POSTERIOR_YES } ny_posterior_wish; /* SMALL: if it is small */

typedef struct ny_setup {
    const ny_options *options;
    ny_task task;
    int64_t classes, outputs; /* classes: 0 in regression */
    ny_coding coding;
    const ny_machine *machine;
    double rho;                 /* of the bias, whatever the machine has by itself: solver/bias.h */
    const ny_loss_params *loss; /* outputs; NULL: squared */
    double unit;                /* of C: the noise, for losses that grow with the error; else 1 */
    bool stands_in;             /* a squared loss stands in for the machine's own, and learns tamed targets */
    const ny_criterion *criterion;
    int64_t folds;
    int64_t kernels; /* how many to choose from */
    const ny_kernel *candidate[NY_KERNELS_MAX];
    ny_kernel_params kernel;          /* degree and coef0; the function and its bandwidth come with each point */
    ny_range bandwidth;               /* as --bandwidth says, with the number that zhang stands for */
    ny_range C;                       /* as --C says */
    const double *C_each;             /* outputs: exactly these, whatever C says; NULL: as it says */
    const ny_landmark_method *method; /* NULL: by the share of the rows (ny_landmark_auto) */
    ny_posterior_wish posterior;
    uint64_t seed;
} ny_setup;

typedef struct ny_point { /* a place to try, and what it is worth there */
    const ny_kernel *kernel;
    double bandwidth;
    double C;     /* this one for every output; 0: as --C says */
    double value; /* out: the criterion, or the error with --select-on error */
} ny_point;

/* The kernel at a point. */
ny_kernel_params ny_point_kernel(const ny_setup *setup, const ny_point *point);
/* C at a point: its own, or as --C says. */
ny_range ny_point_C(const ny_setup *setup, const ny_point *point);

/* One-vs-one with more than two classes: every output has rows of its own. */
static inline bool ny_setup_pairs(const ny_setup *setup) {
    return setup->classes > 2 && setup->coding.method == &ny_multiclass_ovo;
}
/* Every output is a machine with kernel, bandwidth, C and landmarks of its own (--machines-share no). */
static inline bool ny_setup_apart(const ny_setup *setup) {
    return setup->classes > 2 && setup->options->machines_share == NY_SHARE_NO;
}
/* Whether it judges by the rows of a file that are not learnt from (--validation FILE). */
static inline bool ny_setup_validates(const ny_setup *setup) {
    return setup->criterion->one_sided && setup->options->validation.file;
}
/* Whether a share of the rows is set apart and never learnt from: `nysel path --validation SHARE`. (A training by
 * hold-out learns from all rows in the end.) */
static inline bool ny_setup_sets_apart(const ny_setup *setup) {
    const ny_options *o = setup->options;
    return !setup->criterion->one_sided && ny_options_given(o, "validation") && !o->validation.file;
}
/* How the criterion judges such machines; and whether they are trained by Newton's method, once for each C. */
ny_criterion_kind ny_setup_kind(const ny_setup *setup);
static inline bool ny_setup_iterates(const ny_setup *setup) {
    return ny_setup_kind(setup) == NY_ITERATIVE;
}
/* Whether a stand-in would save anything: the machine's loss is not the squared one, and C is to be found. */
bool ny_setup_stand_in_helps(const ny_setup *setup);
/* The same with a squared loss in place of the machine's own, by leave-one-out in closed form, for which C is free. */
ny_setup ny_setup_stand_in(const ny_setup *setup);

/* Whether kernels and bandwidths are chosen by the error of decisions, and not by the criterion (which breaks ties);
 * and whether the C at a bandwidth is (the smaller C breaks ties). */
bool ny_setup_on_error(const ny_setup *setup);
bool ny_setup_C_on_error(const ny_setup *setup);
/* Whether an exact machine of so many rows, all of them or some, goes by its kernel matrix, without a factor
 * (criterion/dense.c). */
bool ny_by_kernel(const ny_setup *setup, int64_t rows, bool all);
bool ny_wants_kernel(const ny_options *options); /* the options' part of that, but for C */

#endif

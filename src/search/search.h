/* search.h: the search family: how bandwidths are tried. C costs nothing beside them (profile.c). */
#ifndef NY_SEARCH_H
#define NY_SEARCH_H

#include "selection.h"

#define NY_SEARCH_LIST(X) \
    X(profile)            \
    X(grid)               \
    X(csa)                \
    X(gradient)           \
    X(none)

typedef struct ny_search_cost {
    double machines; /* of full size that it trains in all */
    double round;    /* points that it hands over at a time, at full size */
    bool one_C;      /* each machine is tried at one C of the search's own choice */
    double features; /* matrices of the size of the features that it holds beside a machine */
} ny_search_cost;

typedef struct ny_search {
    const char *name, *help;
    /* Leaves the best machine, made with all rows and all landmarks, in found.best. NY_STOPPED when it had to end
     * early: found.best is then the best so far, of whatever size, or not valid. */
    ny_status (*run)(ny_selection *sel);
    /* iterative: every C of a machine costs a training. */
    ny_search_cost (*cost)(const ny_options *options, bool iterative);
} ny_search;

#define X(name) extern const ny_search ny_search_##name;
NY_SEARCH_LIST(X)
#undef X

const ny_search *ny_search_find(const char *name); /* NULL if there is none */
/* In the order of the list; NULL past the end. */
const ny_search *ny_search_at(int64_t index);

/* Runs the search for every size that --landmarks leaves open. */
ny_status ny_search_sizes(ny_selection *sel, const ny_search *search);

/* --rank auto, after the search: found.best becomes the machine of the smallest rank within one standard error of the
 * best, plan.rank that rank (0: the full one). */
ny_status ny_search_ranks(ny_selection *sel);

/* The number that --bandwidth zhang stands for, in its place.                                     docs/math.md, eq. 97
 */
ny_status ny_bandwidth_resolve(ny_ctx *ctx, const ny_rows *rows, ny_range *bandwidth);
/* log2 of the bandwidths worth trying and of a good guess, from the distances in the data. */
ny_status ny_bandwidth_range(ny_selection *sel, const ny_kernel *kernel, double *lo, double *hi, double *guess);

enum { NY_VALUES_OF_C = 15 }; /* that are tried, about, where C is to be found */

/* Landmarks of the final machine as factors take them: all rows, where so many span the kernel's feature space. */
int64_t ny_plan_landmarks(const ny_selection *sel);
ny_size ny_size_of(const ny_selection *sel, int64_t rows, int64_t landmarks);
/* Flops of one evaluation by a criterion in closed form, factor included. pairs: every output has rows and a
 * decomposition of its own. */
double ny_closed_flops(const ny_criterion *criterion, const ny_size *size, bool pairs);
/* What Newton's method adds to that of the squared loss that stands in. */
double ny_newton_flops(const ny_criterion *criterion, const ny_size *size, bool pairs);
/* Those of one exact machine by its kernel matrix. */
double ny_dense_flops(const ny_size *size);
/* How many times slower than large ones machines of few landmarks are, for what does not grow with their square. */
double ny_thin(int64_t landmarks);
/* All for a level of the search; the same for every criterion in closed form, so that they are searched alike. */
double ny_level_flops(const ny_selection *sel, int64_t rows, int64_t landmarks);
#endif

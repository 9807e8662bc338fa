/* search.h: the search family: how bandwidths are tried. C costs nothing beside them (profile.c). */
#ifndef NY_SEARCH_H
#define NY_SEARCH_H

#include "selection.h"

#define NY_SEARCH_LIST(X) \
    X(profile)            \
    X(grid)               \
    X(csa)                \
    X(none)

typedef struct ny_search {
    const char *name, *help;
    /* Leaves the best machine, made with all rows and all landmarks, in found.best. NY_STOPPED when it had to end
     * early: found.best is then the best so far, of whatever size, or not valid. */
    ny_status (*run)(ny_selection *sel);
} ny_search;

#define X(name) extern const ny_search ny_search_##name;
NY_SEARCH_LIST(X)
#undef X

const ny_search *ny_search_find(const char *name); /* NULL if there is none */
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

/* Flops of one evaluation, for time left and predictions. pairs: every output has rows and a decomposition of its own.
 */
double ny_evaluation_flops(int64_t rows, int64_t inputs, int64_t landmarks, int64_t outputs, bool pairs);
/* What Newton's method adds: about 3 values of C with 8 steps each at the full size, a step n k^2 flops and, as slow as
 * 400 k of them for each row, products with vectors and the loss of every row. */
double ny_newton_flops(int64_t rows, int64_t landmarks, int64_t outputs, bool pairs);
/* Those of one exact machine by its kernel matrix. */
double ny_dense_flops(int64_t rows, int64_t inputs, int64_t outputs);
/* How many times slower than large ones machines of few landmarks are, for what does not grow with their square. */
double ny_thin(int64_t landmarks);
/* All for a level of the search. */
double ny_level_flops(const ny_selection *sel, int64_t rows, int64_t landmarks);
#endif

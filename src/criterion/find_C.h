/* find_C.h: which C is best for every output, by asking the criterion for values of C. */
#ifndef NY_FIND_C_H
#define NY_FIND_C_H

#include "profile.h"

enum { NY_C_LADDER = 23 }; /* values of C at most that are tried where C is to be found, but for refinements */

typedef struct ny_C_search { /* at work; its members are the caller's */
    ny_ctx *ctx;
    const ny_problem *P;
    const ny_profile_spec *spec;
    ny_judge judge;
    double *F; /* n x q x chunk */
    int64_t chunk;
    double *row; /* q: outputs of one row, where errors decide */
    /* n x q, q, q: outputs of the least loss so far, its C and the loss, where they cost much; else held_C is NULL. */
    double *held, *held_C, *held_loss;
} ny_C_search;

/* The best C of every output and its loss, out->C and out->loss; the caller sets these to any C and to infinity before.
 * Values that all outputs had in common, and whether the best is on the edge of a range, are told as well. */
ny_status ny_find_C(ny_C_search *search, ny_profile *out);
/* The least loss of any C to out->least; the C itself is forgotten again, so that ny_find_C may follow. */
ny_status ny_find_least(ny_C_search *search, ny_profile *out);
/* The criterion's own value, which it must have, for a list of C: value chooses C, report (or NULL) is compared. */
ny_status ny_C_own_value(const ny_C_search *search, const ny_C_list *list, double *value, double *report);

#endif

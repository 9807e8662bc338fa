/* bound.h: how far the outputs of the low-rank machine can be from those of the exact one (--bound). docs/math.md,
 * section 8 */
#ifndef NY_BOUND_H
#define NY_BOUND_H

#include "model/record.h"
#include "search/selection.h"

/* What the bound of one output is made of; E a' is the residual matrix times the low-rank machine's coefficients. */
typedef struct ny_bound_terms {
    double C;
    double kappa;     /* largest kappa(x,x) */
    double more;      /* what a penalised bias adds to it; else 0 */
    double centre;    /* |mean of the features|, with a free bias; else 0 */
    double energy;    /* a' E a' */
    double pushed;    /* |P E a'|, P = I - u u'/s with a free bias; else I */
    double shift;     /* |u' E a'| / s with a free bias; else 0 */
    bool true_kernel; /* the model has a coefficient on every row and the true kernel at prediction */
} ny_bound_terms;

/* By how much an output can differ from the exact machine's at most. */
double ny_bound_value(const ny_bound_terms *t);

/* Before sel->found.best moves into the model: everything of record->bound but the measured deviation. What goes wrong
 * here (memory, a stop) becomes a note: the model is not lost for it. */
ny_status ny_bound_find(ny_selection *sel, ny_record *record);

#endif

/* span.h: leave-one-out outputs of the l2-SVM from the factor that trained it (Bonidal et al. 2013, Proposition 4). */
#ifndef NY_SPAN_H
#define NY_SPAN_H

#include "solver/sided.h"

typedef struct ny_span { /* scratch for one problem */
    int64_t *row;        /* n */
    double *norm;        /* n: |g_i| */
    double *a;           /* r */
    double *inverse;     /* r x r */
    float *single;       /* r x r: the same in single precision */
    double *scratch;     /* threads x r x tile */
} ny_span;

/* Room for machines of this problem, which must outlive it; for ny_span_clear, and empty after an error. */
ny_status ny_span_new(ny_ctx *ctx, const ny_problem *P, ny_span *span);
void ny_span_clear(ny_span *span);
/* F (n): what the machine says of a row of E that it has not seen, were E to stay as it is; other rows do not move it.
 * signs: only whether y F > 0 is asked, which single precision tells of most rows. */
void ny_span_held(const ny_span *span, const ny_sided *s, bool signs, double *F);

#endif

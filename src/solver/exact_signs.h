/* exact_signs.h: the diagonal of Q, the inverse of DKD + I/C on the space orthogonal to u, from what Q makes of random
 * signs and from the preconditioner, whose Q is Q~. docs/math.md, eq. 62 */
#ifndef NY_EXACT_SIGNS_H
#define NY_EXACT_SIGNS_H

#include "precondition.h"

typedef struct ny_signs {
    const ny_preconditioner *P; /* ready for C */
    const double *u;            /* n: square roots of the row weights */
    double rho;                 /* of the bias */
    bool single;                /* The diagonal of Q~ may be in single precision. */
    int64_t count;
    const double *C;      /* count: the same value for all, as ny_precondition wants it */
    const double *V, *QV; /* n x count: the signs, and what Q makes of them */
} ny_signs;

/* How many signs each row has, at most 64: the noise of a mean over the rows falls with both numbers, so that many rows
 * need few. */
int64_t ny_signs_count(int64_t n);
/* The k-th sign of the row with this number. */
double ny_signs_of(uint64_t seed, int64_t id, int64_t k);
/* unseen (n): 1/Q_ii - 1/Q~_ii. */
ny_status ny_signs_unseen(ny_ctx *ctx, const ny_signs *signs, double *unseen);

#endif

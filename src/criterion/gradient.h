/* gradient.h: what the scales of the inputs are judged by, and its derivative by the features G: the step between the
 * ridge system and the kernel (search/relevance.c).                                      docs/math.md, eq. 64 - 69 */
#ifndef NY_GRADIENT_H
#define NY_GRADIENT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/ctx.h"

typedef struct ny_gradient {
    int64_t r, n, q;
    bool bias;
    bool evidence;   /* minus the log evidence, as criterion_evidence.c has it; else leave-one-out */
    const double *G; /* r x n: K ~ G'G, rows not weighted */
    const double *u; /* n: square roots of the row weights */
    const double *Y; /* n x q, not weighted */
    double trace;    /* sum_i u_i^2 kappa(x_i,x_i), for the evidence */
    double C;        /* common to all outputs */
    double *Gamma;   /* r x n, out: dJ/dG */
    double value;    /* out: J */
    double by_log_C; /* out: dJ / dlog C */
    double by_trace; /* out: dJ / dtrace */
} ny_gradient;

/* Fills what is `out` of g; the caller has made room for it. */
ny_status ny_gradient_make(ny_ctx *ctx, ny_gradient *g);

#endif

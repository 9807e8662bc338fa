/* ridge.h: squared loss in the feature space of the factor (docs/math.md, section 4).
 *
 *     min over w, b of  1/2 |w|^2 + C/2 sum_i v_i (y_i - w'g_i - b)^2
 *
 * Columns are scaled by u_i = sqrt(v_i) once; then everything comes from the moments of the scaled rows:
 *     S = sum g g',  p = sum u g,  s = sum u^2,  R = sum g y',  t = sum u y
 * and, the bias eliminated (centring with the weighted means),
 *     A = S - p p'/s,   c = R - p t'/s,   (A + I/C) w = c,   b = (t - p'w) / s.                        (eq. 12, 13) */
#ifndef NY_RIDGE_H
#define NY_RIDGE_H

#include <stdbool.h>
#include <stdint.h>

#include "problem.h"

typedef struct ny_moments {
    int64_t r, q;
    double *S;      /* r x r, lower */
    double *p;      /* r */
    double *R;      /* r x q */
    double *t, *yy; /* q; yy: sum y^2, for the losses of held-out folds */
    double s;
} ny_moments;

/* Moments of no rows yet, r features and q outputs. For ny_moments_free; empty after an error. */
ny_status ny_moments_new(ny_ctx *ctx, int64_t r, int64_t q, ny_moments *m);
void ny_moments_free(ny_moments *m);
/* Adds the moments of rows first .. first+count. */
void ny_moments_of(const ny_problem *problem, int64_t first, int64_t count, ny_moments *m);
/* to += m */
void ny_moments_add(ny_moments *to, const ny_moments *m);
/* out = a - b, made anew. */
ny_status ny_moments_less(ny_ctx *ctx, const ny_moments *a, const ny_moments *b, ny_moments *out);
/* S becomes A and R becomes c (lower triangle of A). Nothing to do without bias. */
void ny_moments_centre(ny_moments *m, bool bias);
/* tr A, the scale of 1/C, but for the feature that stands for a penalised bias (bias.h), the last. */
double ny_moments_trace(const ny_moments *m, double rho);
/* b_j = (t_j - p'w_j) / s, or 0 without bias. */
void ny_moments_bias(const ny_moments *m, bool bias, int64_t k, const int64_t *output, const double *W, double *b);
/* w for one value of C of each output, from centred moments, by one Cholesky factor for each distinct C. */
ny_status ny_moments_solve(ny_ctx *ctx, const ny_moments *m, bool bias, const double *C, double *W, double *b);

#endif

/* curvature.h: the second derivative of a machine's objective at a point, the bias eliminated, and its inverse.
 *
 *     H = I + A A',   a_i = sqrt(d_i) (g_i - g0),   d_i = C v_i loss''_i,   g0 = sum d g / sum d        (eq. 79)
 *
 * Only active rows (d_i > 0) count. With fewer of them than features the k x k matrix N = I + A'A is factored instead:
 * H^-1 = I - A N^-1 A'. */
#ifndef NY_CURVATURE_H
#define NY_CURVATURE_H

#include "primal.h"

typedef struct ny_curvature {
    int64_t r, k;
    int64_t *row;   /* k: the active rows, ascending */
    double *root;   /* k: sqrt(d_i) */
    double total;   /* sum of d */
    double *centre; /* r: g0; zeros without bias */
    bool dual;
    double *L; /* Cholesky factor of H (r x r), or of N (k x k) */
    double *H; /* r x r, lower, where kept; else NULL */
    double *A; /* r x k, where dual; else NULL */
} ny_curvature;

/* d: n. keep: H itself too, where it is factored. */
ny_status ny_curvature_make(ny_ctx *ctx, const ny_primal *p, const double *d, bool keep, ny_curvature *c);
void ny_curvature_clear(ny_curvature *c);
/* B = H^-1 B, r x columns. scratch: k x columns. */
void ny_curvature_solve(const ny_curvature *c, int64_t columns, double *B, double *scratch);
/* a_i of active rows first .. first+count, r x count. */
void ny_curvature_rows(const ny_curvature *c, const ny_primal *p, int64_t first, int64_t count, double *A);

#endif

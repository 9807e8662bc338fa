/* tridiagonal.h: the centred system (A + I/C) w = c after one reduction A = Q T Q': every C costs O(r) an output plus
 * the product with Q. */
#ifndef NY_TRIDIAGONAL_H
#define NY_TRIDIAGONAL_H

#include "criterion.h"

enum { NY_FEW_C = 8 }; /* below it a Cholesky factor for each C beats the tridiagonal form (measured at r = 1000) */

typedef struct ny_tri {
    const ny_problem *problem;
    ny_moments moments;       /* centred; S holds Q's reflectors, R holds Q'c (or A and c when not reduced) */
    double *diag, *off, *tau; /* r; NULL when not reduced */
    double trace;
} ny_tri;

/* Takes the moments over, centres and reduces them. */
ny_status ny_tri_reduce(ny_ctx *ctx, const ny_problem *problem, ny_moments *moments, ny_tri *tri);
/* Takes the moments over and centres them only: ny_tri_solve then factors A + I/C for every C. For few values of C. */
void ny_tri_keep(const ny_problem *problem, ny_moments *moments, ny_tri *tri);
/* W: r x (k q), column c + k*j; b: k q. */
ny_status ny_tri_solve(ny_ctx *ctx, const ny_tri *tri, const ny_C_list *list, double *W, double *b);
/* F[i + n*j + n*q*c] = w'g_i + b for rows first .. first+count, not scaled by u. */
void ny_tri_predict(const ny_problem *problem, int64_t first, int64_t count, int64_t k, const double *W,
                    const double *b, double *F);
/* Moves Q, T and the means out, after a reduction if there was none. */
ny_status ny_tri_basis(ny_ctx *ctx, ny_tri *tri, ny_basis *out);
void ny_tri_clear(ny_tri *tri);

#endif

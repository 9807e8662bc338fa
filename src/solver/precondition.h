/* precondition.h: (G'G + I/C)^-1 r for a low-rank factor of the kernel matrix and any C. docs/math.md, eq. 52 */
#ifndef NY_PRECONDITION_H
#define NY_PRECONDITION_H

#include "factor/factor.h"

typedef struct ny_preconditioner {
    ny_factor f;    /* column i of G multiplied by u_i */
    double *Q;      /* r x r: GG' = Q diag(lambda) Q' */
    double *lambda; /* r */
    double *H, *T;  /* r x columns for each share of the rows, r x columns: scratch */
} ny_preconditioner;

/* A factor of rank `rank` at most, by randomly pivoted Cholesky; for up to `columns` columns at once. */
ny_status ny_precondition_make(ny_ctx *ctx, const ny_kernel_params *kernel, const ny_matrix *X, const double *u,
                               int64_t rank, int64_t columns, uint64_t seed, ny_preconditioner *out);
void ny_precondition_clear(ny_preconditioner *p);
/* Z_c = (G'G + I/C_c)^-1 R_c for each of `count` columns (n x count). */
void ny_precondition(const ny_preconditioner *p, int64_t count, const double *C, const double *R, double *Z);
/* The rank that suits n points: applying it costs little beside a product with the kernel matrix. */
int64_t ny_precondition_rank(int64_t n);
/* Numbers that it keeps or needs on the way. */
double ny_precondition_numbers(int64_t n, int64_t d, int64_t rank, int64_t columns);

#endif

/* precondition.h: (G'G + I/C)^-1 r for a low-rank factor of the kernel matrix and any of a few C. docs/math.md, eq. 52
 *
 * With a free bias the rows of G are centred, G u = 0: then r'u = 0 gives a result orthogonal to u, the inverse on that
 * space, without a difference of large numbers. */
#ifndef NY_PRECONDITION_H
#define NY_PRECONDITION_H

#include "bias.h"
#include "factor/factor.h"

typedef struct ny_preconditioner {
    ny_factor f;    /* column i of G multiplied by u_i; with a free bias the rows of G are then centred */
    double *border; /* n: u_i^2 / u'u with a free bias, else 0: what the constant has of each row */
    int64_t systems;
    double *S;     /* r x r: GG' */
    double norm;   /* of G'G before it was centred (Frobenius) */
    double *C, *L; /* systems, r x r x systems: GG' + I/C = L L' */
    double *H;     /* r x columns for each share of the rows: scratch */
} ny_preconditioner;

typedef struct ny_precondition_spec {
    const ny_kernel_params *kernel;
    const ny_matrix *X;
    const double *u; /* n: square roots of the row weights */
    double rho;      /* of the bias */
    int64_t rank;    /* of the factor, at most */
    int64_t columns; /* that it is applied to at once, at most */
    uint64_t seed;
} ny_precondition_spec;

/* The factor comes from randomly pivoted Cholesky. */
ny_status ny_precondition_make(ny_ctx *ctx, const ny_precondition_spec *spec, ny_preconditioner *out);
void ny_precondition_clear(ny_preconditioner *p);
/* Makes it ready for these C, in place of those before. */
ny_status ny_precondition_for(ny_ctx *ctx, ny_preconditioner *p, int64_t count, const double *C);
/* Z_c = (G'G + I/C_c)^-1 R_c for each of `count` columns (n x count). Fastest where equal C stand side by side. */
void ny_precondition(const ny_preconditioner *p, int64_t count, const double *C, const double *R, double *Z);
/* The diagonal of the inverse, with a free bias that on the space orthogonal to u, for a C that it is ready for.
 * single: in single precision, which moves it by about 1e-6 C. */
ny_status ny_precondition_diagonal(ny_ctx *ctx, const ny_preconditioner *p, double C, bool single, double *diagonal);
/* The rank that suits n points: making and applying it costs little beside the products with the kernel matrix. */
int64_t ny_precondition_rank(int64_t n);
/* Numbers that it keeps or needs on the way, for `systems` values of C. */
double ny_precondition_numbers(int64_t n, int64_t d, int64_t rank, int64_t columns, int64_t systems);

#endif

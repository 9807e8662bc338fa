/* growing.h: a factor K ~ G'G that grows by pivots, rows that become landmarks one block after the other. With Z_A the
 * block, H_AA = kappa(Z_A,Z_A) - G_A'G_A = L L' what the factor leaves of it:
 *
 *     G[new rows, i] = L^-1 (kappa(Z_A, x_i) - G_A' g_i)                                     docs/math.md, eq. 10
 *
 * The factor is complete when the last block is in; kappa(Z,Z) = L L' with L the columns of G at the pivots,
 * transposed. Which rows are taken is the method's business (landmark_rpcholesky.c, landmark_cholesky.c). */
#ifndef NY_GROWING_H
#define NY_GROWING_H

#include "landmark.h"

enum { NY_PIVOTS = 128 }; /* of a block at most */

typedef struct ny_growing {
    ny_ctx *ctx;
    const ny_kernel_params *kernel;
    const ny_kernel_side *X;
    int64_t n, m, k;  /* k landmarks so far */
    double *G;        /* m x n, leading dimension ldg */
    int64_t ldg;
    double *residual; /* n: kappa(x_i,x_i) - |g_i|^2; 0 where nothing but rounding is left */
    int64_t *pivot;   /* m */
    double floor;     /* pivots below it are rounding noise */
    /* the block at work */
    ny_matrix P; /* its points */
    ny_kernel_side side;
    double *L;  /* NY_PIVOTS x NY_PIVOTS */
    double *GA; /* m x NY_PIVOTS: the columns of G at its pivots */
    int64_t block;
} ny_growing;

/* An empty factor of at most spec->m landmarks. NY_ERR_NUMERIC where the kernel is zero or not finite. */
ny_status ny_growing_begin(ny_ctx *ctx, const ny_landmark_spec *spec, ny_growing *out);
/* The next `block` rows of `pivot`, with L and GA of them, become landmarks. */
ny_status ny_growing_extend(ny_growing *g);
/* Z, G and L; G is moved. */
ny_status ny_growing_finish(ny_growing *g, ny_landmarks *out);
/* Frees what it holds and zeroes the struct. */
void ny_growing_clear(ny_growing *g);

#endif

/* product.h: products with the kernel matrix of n points, computed in tiles anew for each product or kept: half of the
 * symmetric matrix, in double or in single precision. docs/math.md, eq. 50 */
#ifndef NY_PRODUCT_H
#define NY_PRODUCT_H

#include "kernel.h"

typedef enum { NY_KEEP_NOTHING, NY_KEEP_FLOAT, NY_KEEP_DOUBLE } ny_keep; /* of the matrix; sparse inputs: nothing */

typedef struct ny_kernel_product {
    ny_ctx *ctx;
    ny_kernel_params kernel;
    ny_kernel_side X;
    int64_t block; /* points of a tile's side (dense inputs) or columns of a tile (sparse) */
    double *tile;  /* threads x one tile */
    double *sums;  /* n x columns for each share of the work (dense inputs) */
    ny_keep keep;
    double *kept;      /* the tiles on and above the diagonal, one after the other; or */
    float *kept_float; /* the same in single precision, and */
    float *rounded;    /* n x columns: room for V */
} ny_kernel_product;

/* For products of at most `columns` columns. Borrows X. What is kept is computed here, unless ny_should_stop. */
ny_status ny_kernel_product_make(ny_ctx *ctx, const ny_kernel_params *kernel, const ny_matrix *X, int64_t columns,
                                 ny_keep keep, ny_kernel_product *out);
/* Frees what is kept and zeroes the struct. */
void ny_kernel_product_clear(ny_kernel_product *p);
/* out = kappa(X, X) V, both n x count. The same bits with any number of threads. Returns early, with anything in out,
 * when ny_should_stop. */
void ny_kernel_product_run(const ny_kernel_product *p, int64_t count, const double *V, double *out);
/* The same in single precision where the matrix is kept so: sums of one tile are, tiles are added in double. Nearly
 * twice as fast, for iterations whose result is checked. */
void ny_kernel_product_single(const ny_kernel_product *p, int64_t count, const double *V, double *out);
/* What one product costs, in flops as the plan counts them. */
double ny_kernel_product_flops(const ny_matrix *X, int64_t columns);
/* Numbers (doubles) that a product needs: scratch, and what is kept. */
double ny_kernel_product_numbers(const ny_kernel_params *kernel, const ny_matrix *X, int64_t columns, ny_keep keep);

#endif

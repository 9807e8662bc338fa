/* residual.h: what the low rank leaves out of the kernel matrix, E = D (K - K~) D with D = diag(u), known by its
 * products with vectors: the kernel is computed in tiles and never stored whole. docs/math.md, eq. 37 */
#ifndef NY_RESIDUAL_H
#define NY_RESIDUAL_H

#include "kernel/product.h"
#include "model/record.h"
#include "search/selection.h"

typedef struct ny_residual {
    ny_ctx *ctx;
    const ny_rows *rows;
    ny_kernel_params kernel;
    ny_kernel_product K;
    ny_factor f;  /* of the machine's own landmarks, column i of G multiplied by u_i */
    double trace; /* of E */
    double kappa; /* largest kappa(x_i,x_i) */
    int64_t most; /* columns of a product */
    double *V;    /* n x most */
    double *H;    /* r x most */
} ny_residual;

/* For products of at most `most` columns. Makes the factor of `machine` on all rows again. */
ny_status ny_residual_make(ny_selection *sel, const ny_solution *machine, int64_t most, ny_residual *out);
void ny_residual_clear(ny_residual *e);
/* out = E V, n x count; a ny_product_fn. */
void ny_residual_product(void *residual, int64_t count, const double *V, double *out);
/* kernel_error with its upper bound and accuracy: exact up to 2000 rows, else by as many products as take about a
 * minute; NAN where there is no time for enough of them. */
ny_status ny_residual_norm(ny_residual *e, uint64_t seed, ny_bound *b);
/* |K~|, and a unit vector v (n) with |K~ v| = |K~|, by the power method. */
ny_status ny_residual_low_rank_norm(ny_residual *e, double *v, double *norm);
/* Whether there is time for a product at all. */
bool ny_residual_affordable(const ny_residual *e);

#endif

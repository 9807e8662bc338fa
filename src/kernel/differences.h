/* differences.h: sums of powers of absolute differences, the base of separable kernels.   docs/math.md, eq. 6a */
#ifndef NY_DIFFERENCES_H
#define NY_DIFFERENCES_H

#include "kernel.h"

/* K_ic = sum_j |z_ji - x_j,first+c|^q for every point of Z and `count` columns of X; q is the order of the base, 1
 * or 1.5. Either side may be sparse. One thread; no allocation. */
void ny_differences(ny_kernel_base base, const ny_matrix *Z, const ny_matrix *X, int64_t first, int64_t count,
                    double *K, int64_t ldk);
/* sums_j += sum_ic E_ic |z_ji - x_jc|^q for each input j: what the derivatives by the scales of the inputs are made of.
 * Z and X are dense, E is m x n. */
void ny_differences_by_input(ny_kernel_base base, const ny_matrix *Z, const ny_matrix *X, const double *E,
                             double *sums);
/* D_jc = q sum_i E_ic sign(x_jc - z_ji) |x_jc - z_ji|^(q-1), the slope of sum_i E_ic |z_ji - x_jc|^q by x_jc, for
 * `count` columns of X from `first` on. Z and X are dense, E is m x count and D inputs x count. */
void ny_differences_slopes(ny_kernel_base base, const ny_matrix *Z, const ny_matrix *X, int64_t first, int64_t count,
                           const double *E, double *D);

#endif

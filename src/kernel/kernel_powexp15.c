/* kernel_powexp15.c: k(x,z) = exp(-sum_j (|x_j - z_j| / sigma)^1.5), a product over the inputs.   docs/math.md, eq. 6a
 */
#include <math.h>
#include <stddef.h>

#include "kernel.h"
#include "vexp.h"

NY_CLONES static void map(double *v, int64_t n, const ny_kernel_params *p) {
    double a = -1 / (p->bandwidth * sqrt(p->bandwidth));
#pragma omp simd
    for (int64_t i = 0; i < n; i++) v[i] = ny_vexp(a * v[i]);
}

/* dk / dv = -k / sigma^1.5 */
NY_CLONES static void slope(double *v, int64_t n, const ny_kernel_params *p) {
    double a = -1 / (p->bandwidth * sqrt(p->bandwidth));
#pragma omp simd
    for (int64_t i = 0; i < n; i++) v[i] = a * ny_vexp(a * v[i]);
}

const ny_kernel ny_kernel_powexp15 = {"powexp15",    "exp(-sum (|x_j-z_j| / sigma)^1.5): tables, each input for itself",
                                      NY_BASE_ABS15, true,
                                      map,           slope,
                                      NULL,          NULL,
                                      NULL};

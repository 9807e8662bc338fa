/* kernel_laplace.c: k(x,z) = exp(-|x-z| / sigma), Euclidean distance.   docs/math.md, eq. 4 */
#include <math.h>
#include <stddef.h>

#include "kernel.h"
#include "vexp.h"

NY_CLONES static void map(double *v, int64_t n, const ny_kernel_params *p) {
    double a = -1 / p->bandwidth;
#pragma omp simd
    for (int64_t i = 0; i < n; i++) v[i] = ny_vexp(a * sqrt(v[i]));
}

/* with a = |x-z| / sigma:  dk / dlog sigma = a exp(-a) */
static void dlog(double *v, int64_t n, const ny_kernel_params *p) {
    for (int64_t i = 0; i < n; i++) {
        double a = sqrt(v[i]) / p->bandwidth;
        v[i] = a * ny_vexp(-a);
    }
}

const ny_kernel ny_kernel_laplace = {
    "laplace", "exp(-|x-z| / sigma): rough functions, heavy tails", NY_BASE_SQDIST, true, map, dlog, NULL};

/* kernel_matern32.c: k(x,z) = (1 + a) exp(-a), a = sqrt(3) |x-z| / sigma.   docs/math.md, eq. 5 */
#include <math.h>
#include <stddef.h>

#include "kernel.h"
#include "vexp.h"

NY_CLONES static void map(double *v, int64_t n, const ny_kernel_params *p) {
    double s = 3 / (p->bandwidth * p->bandwidth);
#pragma omp simd
    for (int64_t i = 0; i < n; i++) {
        double a = sqrt(s * v[i]);
        v[i] = (1 + a) * ny_vexp(-a);
    }
}

/* dk / d|x-z|^2 = -3 / (2 sigma^2) exp(-a) */
NY_CLONES static void slope(double *v, int64_t n, const ny_kernel_params *p) {
    double s = 3 / (p->bandwidth * p->bandwidth);
#pragma omp simd
    for (int64_t i = 0; i < n; i++) v[i] = -s / 2 * ny_vexp(-sqrt(s * v[i]));
}

const ny_kernel ny_kernel_matern32 = {
    "matern32", "Matern, nu = 3/2: once differentiable functions", NY_BASE_SQDIST, true, map, slope, NULL, NULL, NULL};

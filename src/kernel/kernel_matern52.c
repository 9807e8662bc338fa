/* kernel_matern52.c: k(x,z) = (1 + a + a^2/3) exp(-a), a = sqrt(5) |x-z| / sigma.   docs/math.md, eq. 6 */
#include <math.h>
#include <stddef.h>

#include "kernel.h"
#include "vexp.h"

NY_CLONES static void map(double *v, int64_t n, const ny_kernel_params *p) {
    double s = 5 / (p->bandwidth * p->bandwidth);
#pragma omp simd
    for (int64_t i = 0; i < n; i++) {
        double a = sqrt(s * v[i]);
        v[i] = (1 + a + a * a / 3) * ny_vexp(-a);
    }
}

/* dk / d|x-z|^2 = -5 / (6 sigma^2) (1 + a) exp(-a) */
NY_CLONES static void slope(double *v, int64_t n, const ny_kernel_params *p) {
    double s = 5 / (p->bandwidth * p->bandwidth);
#pragma omp simd
    for (int64_t i = 0; i < n; i++) {
        double a = sqrt(s * v[i]);
        v[i] = -s / 6 * (1 + a) * ny_vexp(-a);
    }
}

const ny_kernel ny_kernel_matern52 = {
    "matern52", "Matern, nu = 5/2: twice differentiable functions", NY_BASE_SQDIST, true, map, slope, NULL, NULL, NULL};

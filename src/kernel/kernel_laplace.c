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

/* dk / d|x-z|^2 = -k / (2 sigma |x-z|). At a distance of 0, where there is none, 0: whatever it is multiplied by
 * vanishes there too. */
NY_CLONES static void slope(double *v, int64_t n, const ny_kernel_params *p) {
    double a = -1 / p->bandwidth;
#pragma omp simd
    for (int64_t i = 0; i < n; i++) {
        double D = sqrt(v[i]);
        v[i] = D > 0 ? a / (2 * D) * ny_vexp(a * D) : 0;
    }
}

const ny_kernel ny_kernel_laplace = {
    "laplace", "exp(-|x-z| / sigma): rough functions, heavy tails", NY_BASE_SQDIST, true, map, slope, NULL, NULL, NULL};

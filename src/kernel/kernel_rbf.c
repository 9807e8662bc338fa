/* kernel_rbf.c: k(x,z) = exp(-|x-z|^2 / (2 sigma^2)).   docs/math.md, eq. 1 */
#include <stddef.h>

#include "kernel.h"
#include "vexp.h"

NY_CLONES static void map(double *v, int64_t n, const ny_kernel_params *p) {
    double a = -0.5 / (p->bandwidth * p->bandwidth);
#pragma omp simd
    for (int64_t i = 0; i < n; i++) v[i] = ny_vexp(a * v[i]);
}

/* dk / d|x-z|^2 = -k / (2 sigma^2) */
NY_CLONES static void slope(double *v, int64_t n, const ny_kernel_params *p) {
    double a = -0.5 / (p->bandwidth * p->bandwidth);
#pragma omp simd
    for (int64_t i = 0; i < n; i++) v[i] = a * ny_vexp(a * v[i]);
}

static double gamma_libsvm(const ny_kernel_params *p) {
    return 0.5 / (p->bandwidth * p->bandwidth);
}

const ny_kernel ny_kernel_rbf = {"rbf",
                                 "exp(-|x-z|^2 / (2 sigma^2)): smooth, the usual first choice",
                                 NY_BASE_SQDIST,
                                 true,
                                 map,
                                 slope,
                                 gamma_libsvm,
                                 NULL,
                                 NULL};

/* kernel_poly.c: k(x,z) = (x'z / sigma^2 + coef0)^degree.   docs/math.md, eq. 3 */
#include <stddef.h>

#include "kernel.h"
#include "vexp.h"

static inline double power(double u, int64_t k) {
    double r = 1;
    for (; k > 0; k--) r *= u;
    return r;
}

NY_CLONES static void map(double *v, int64_t n, const ny_kernel_params *p) {
    double a = 1 / (p->bandwidth * p->bandwidth), c = p->coef0;
    for (int64_t i = 0; i < n; i++) v[i] = power(a * v[i] + c, p->degree);
}

/* with u = x'z / sigma^2:  dk / dlog sigma = -2 u degree (u + coef0)^(degree-1) */
static void dlog(double *v, int64_t n, const ny_kernel_params *p) {
    double a = 1 / (p->bandwidth * p->bandwidth);
    for (int64_t i = 0; i < n; i++) {
        double u = a * v[i];
        v[i] = -2 * u * (double)p->degree * power(u + p->coef0, p->degree - 1);
    }
}

static double gamma_libsvm(const ny_kernel_params *p) {
    return 1 / (p->bandwidth * p->bandwidth);
}

const ny_kernel ny_kernel_poly = {
    "poly", "(x'z / sigma^2 + coef0)^degree: interactions up to a degree", NY_BASE_DOT, true, map, dlog, gamma_libsvm};

/* kernel_poly.c: k(x,z) = (x'z / sigma^2 + coef0)^degree.   docs/math.md, eq. 3 */
#include <math.h>
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

/* dk / d(x'z) = degree / sigma^2 (x'z / sigma^2 + coef0)^(degree-1) */
NY_CLONES static void slope(double *v, int64_t n, const ny_kernel_params *p) {
    double a = 1 / (p->bandwidth * p->bandwidth), c = p->coef0;
    for (int64_t i = 0; i < n; i++) v[i] = (double)p->degree * a * power(a * v[i] + c, p->degree - 1);
}

static double gamma_libsvm(const ny_kernel_params *p) {
    return 1 / (p->bandwidth * p->bandwidth);
}

/* Monomials of d inputs up to the degree, binomial(d + degree, degree); of the degree alone where coef0 = 0, which is
 * the same with d - 1.   docs/math.md, eq. 95 */
static double dimension(const ny_kernel_params *p, int64_t inputs) {
    double d = (double)(p->coef0 > 0 ? inputs : inputs - 1), count = 1;
    for (int64_t k = 1; k <= p->degree; k++) count *= (d + (double)k) / (double)k;
    return round(count);
}

static int64_t degree(const ny_kernel_params *p) {
    return p->degree;
}

const ny_kernel ny_kernel_poly = {"poly",       "(x'z / sigma^2 + coef0)^degree: interactions up to a degree",
                                  NY_BASE_DOT,  true,
                                  map,          slope,
                                  gamma_libsvm, dimension,
                                  degree};

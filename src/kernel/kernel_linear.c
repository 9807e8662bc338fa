/* kernel_linear.c: k(x,z) = x'z.   docs/math.md, eq. 2 */
#include <stddef.h>

#include "kernel.h"

static void map(double *v, int64_t n, const ny_kernel_params *p) {
    (void)v, (void)n, (void)p;
}

static void slope(double *v, int64_t n, const ny_kernel_params *p) {
    (void)p;
    for (int64_t i = 0; i < n; i++) v[i] = 1;
}

/* docs/math.md, eq. 95 */
static double dimension(const ny_kernel_params *p, int64_t inputs) {
    (void)p;
    return (double)inputs;
}

static int64_t degree(const ny_kernel_params *p) {
    (void)p;
    return 1;
}

const ny_kernel ny_kernel_linear = {
    "linear", "x'z: a linear model in the inputs", NY_BASE_DOT, false, map, slope, NULL, dimension, degree};

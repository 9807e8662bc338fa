/* generate_sinc.c: van Gestel et al. 2002, section 4.1:
 *     x1 uniform in [-0.5, 0.5],   x2 = x1 + N(0, 0.05^2),   x3 = N(0, 0.5^2),
 *     y  = sinc(2 pi x1) + N(0, 0.1^2),   sinc(z) = sin(pi z) / (pi z)
 * so that x1 tells all, x2 little more and x3 nothing. */
#include <math.h>
#include <stddef.h>

#include "generate.h"

static double fill(ny_rng *rng, double *x) {
    x[0] = ny_rng_uniform(rng) - 0.5;
    x[1] = x[0] + 0.05 * ny_rng_normal(rng);
    x[2] = 0.5 * ny_rng_normal(rng);
    double z = M_PI * 2 * M_PI * x[0];
    return (z == 0 ? 1 : sin(z) / z) + 0.1 * ny_rng_normal(rng);
}

const ny_demo ny_demo_sinc = {"sinc", "regression: a noisy sinc curve, 3 inputs of which 1 matters", 400, 3, {NULL},
                              fill};

/* generate_twonorm.c: Breiman 1996: N((a, .., a), I) against N((-a, .., -a), I) in 20 dimensions, a = 2 / sqrt 20.
 * The best boundary is a plane; its error is Phi(-2) = 2.28%. */
#include <math.h>

#include "generate.h"

enum { D = 20 };

static double fill(ny_rng *rng, double *x) {
    int side = ny_rng_uniform(rng) < 0.5;
    for (int k = 0; k < D; k++) x[k] = (side ? 2 : -2) / sqrt(D) + ny_rng_normal(rng);
    return side;
}

const ny_demo ny_demo_twonorm = {
    "twonorm", "two Gaussians side by side, 20 inputs, Bayes error 2.3%", 1000, D, {"-1", "+1"}, fill};

/* generate_ringnorm.c: Breiman 1996: +1 is N(0, 4 I), -1 is N((a, .., a), I) in 20 dimensions. a = 2 / sqrt 20 as in
 * DELVE and in Raetsch's benchmark file (other sources have 1 / sqrt 20). The best boundary is a sphere. */
#include <math.h>

#include "generate.h"

enum { D = 20 };

static double fill(ny_rng *rng, double *x) {
    int side = ny_rng_uniform(rng) < 0.5;
    for (int k = 0; k < D; k++) x[k] = side ? 2 * ny_rng_normal(rng) : 2 / sqrt(D) + ny_rng_normal(rng);
    return side;
}

const ny_demo ny_demo_ringnorm = {"ringnorm", "a narrow Gaussian within a wide one, 20 inputs", 1000, D, {"-1", "+1"},
                                  fill};

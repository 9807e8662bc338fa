/* generate_spirals.c: two spirals of one and a half turns, one the other turned by half a circle. With t in (0, 1],
 *
 *     x = t (cos a, sin a) + noise,     a = 3 pi t  (+ pi for the other class)
 *
 * t is the square root of a uniform number, so that the points lie about equally dense along the arms. */
#include <math.h>

#include "generate.h"

static double fill(ny_rng *rng, double *x) {
    const double noise = 0.03;
    int side = ny_rng_uniform(rng) < 0.5;
    double t = sqrt(ny_rng_uniform(rng)), angle = 3 * M_PI * t + side * M_PI;
    x[0] = t * cos(angle) + noise * ny_rng_normal(rng);
    x[1] = t * sin(angle) + noise * ny_rng_normal(rng);
    return side;
}

const ny_demo ny_demo_spirals = {"spirals", "two interleaved spirals, 2 inputs", 1000, 2, {"-1", "+1"}, fill};

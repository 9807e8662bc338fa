/* generate_banana.c: two interlocked arcs of radius 5 with unit noise around them (after gendatb of PRTools). */
#include <math.h>

#include "generate.h"

static double fill(ny_rng *rng, double *x) {
    const double r = 5, shift = 0.75 * r;
    int side = ny_rng_uniform(rng) < 0.5;
    double turn = 1.25 * M_PI * ny_rng_uniform(rng);
    double angle = side ? 0.125 * M_PI + turn : 0.375 * M_PI - turn;
    x[0] = r * sin(angle) + ny_rng_normal(rng) - (side ? 0 : shift);
    x[1] = r * cos(angle) + ny_rng_normal(rng) - (side ? 0 : shift);
    return side;
}

const ny_demo ny_demo_banana = {"banana", "two classes shaped like bananas, 2 inputs", 1000, 2, {"-1", "+1"}, fill};

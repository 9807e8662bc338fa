/* generate_waveform.c: Breiman et al. 1984 (CART): each class mixes two of three triangular waves
 *     h1(i) = max(6 - |i - 11|, 0),   h2(i) = h1(i - 4),   h3(i) = h1(i + 4),      i = 1 .. 21
 * by a uniform share u, plus unit noise: class 0: h1, h2; class 1: h1, h3; class 2: h2, h3. Bayes error about 14%. */
#include <math.h>

#include "generate.h"

enum { D = 21 };

static double fill(ny_rng *rng, double *x) {
    static const int peak[3] = {11, 15, 7}; /* of h1, h2, h3 */
    static const int pair[3][2] = {{0, 1}, {0, 2}, {1, 2}};
    int64_t k = ny_rng_below(rng, 3);
    double u = ny_rng_uniform(rng);
    for (int i = 0; i < D; i++) {
        double a = fmax(6 - fabs(i + 1.0 - peak[pair[k][0]]), 0), b = fmax(6 - fabs(i + 1.0 - peak[pair[k][1]]), 0);
        x[i] = u * a + (1 - u) * b + ny_rng_normal(rng);
    }
    return (double)k;
}

const ny_demo ny_demo_waveform = {
    "waveform", "three classes of noisy waves, 21 inputs, Bayes error 14%", 1000, D, {"0", "1", "2"}, fill};

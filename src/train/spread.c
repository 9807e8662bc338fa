/* spread.c: see spread.h. */
#include "spread.h"

#include <math.h>
#include <stdlib.h>

#include "base/order.h"

/* z with P(|Z| < z) = level for a normal Z. */
static double normal(double level) {
    double lo = 0, hi = 40;
    for (int i = 0; i < 60; i++) {
        double z = (lo + hi) / 2;
        if (erfc(z / sqrt(2)) > 1 - level) lo = z;
        else hi = z;
    }
    return (lo + hi) / 2;
}

/* A new error is below the k-th of n with probability k / (n + 1). Levels beyond the largest error go on like those of
 * a normal distribution. */
void ny_interval_learn(int64_t n, double *error, double quantile[NY_QUANTILES]) {
    for (int64_t i = 0; i < n; i++) error[i] = fabs(error[i]);
    qsort(error, (size_t)n, sizeof *error, ny_ascending);
    double last = (double)n / (double)(n + 1), largest = error[n - 1];
    for (int64_t k = 0; k < NY_QUANTILES; k++) {
        double level = ny_interval_level(k), rank = level * (double)(n + 1),
               at = largest * normal(level) / normal(last);
        int64_t below = (int64_t)rank;
        double low = below > 0 && below <= n ? error[below - 1] : 0;
        if (below < n) at = low + (rank - floor(rank)) * (error[below] - low);
        quantile[k] = k > 0 ? fmax(at, quantile[k - 1]) : at; /* rounding must not make them descend */
    }
}

/* -2/n log likelihood and prior, but for a constant. */
static double misfit(int64_t n, const double *error, const double *noise, const double *variance, double octave) {
    double sum = octave * octave / 4, rho = exp2(octave);
    for (int64_t i = 0; i < n; i++) {
        double v = noise[i] + rho * variance[i];
        sum += log(v) + error[i] * error[i] / v;
    }
    return sum / (double)n;
}

double ny_interval_spread(int64_t n, const double *error, const double *noise, const double *variance) {
    double best = 0, least = misfit(n, error, noise, variance, 0), middle = 0;
    for (int octave = -8; octave <= 8; octave++) {
        double value = misfit(n, error, noise, variance, octave);
        if (value < least) least = value, middle = best = octave;
    }
    for (int step = -7; step <= 7; step++) { /* eighths of an octave */
        double octave = middle + step / 8.0, value = misfit(n, error, noise, variance, octave);
        if (value < least) least = value, best = octave;
    }
    return exp2(best);
}

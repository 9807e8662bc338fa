/* density.h: functionals of the density of one column of numbers, the sums over all pairs of values that plug-in
 * bandwidths are made of (docs/math.md, eq. 44).
 *
 * Up to NY_DISTINCT_MAX distinct values the pairs are listed: exact. Beyond, the values are spread linearly over a grid
 * and the pairs at each lag are counted by FFT: O(n) and a grid of at most NY_BINS_MAX bins instead of O(n^2).
 * Linear binning blurs each distance by about step^2 / 3: with a step of g/32 psi_4(g) and psi_6(g) are within 0.2% of
 * the exact sums, and the plug-in bandwidth within 0.1% (measured: 0.04%, 0.05% and 0.006%; tests/unit/test_plugin.c).
 * The n pairs of a value with itself are never blurred. */
#ifndef NY_DENSITY_H
#define NY_DENSITY_H

#include <stdint.h>

#include "base/ctx.h"

enum { NY_DISTINCT_MAX = 512, NY_BINS_MIN = 4096, NY_BINS_MAX = 1 << 20 };

typedef struct ny_distances {
    int64_t n, count;
    double *at;    /* count: distances; ascending when binned */
    double *pairs; /* count: ordered pairs i != j at that distance */
    double step;   /* width of a bin; 0 when the distances are exact */
} ny_distances;

/* Ascending; scratch: n. */
void ny_sort(int64_t n, double *x, double *scratch);
/* The distances between n ascending values. Bins no wider than `step`, unless that takes more than NY_BINS_MAX of them;
 * gaps longer than `gap` are shortened to it (where the functional is 0 anyway, and an outlier must not cost bins). */
ny_status ny_distances_make(ny_ctx *ctx, int64_t n, const double *sorted, double step, double gap, ny_distances *out);
/* Frees the arrays and zeroes the struct. */
void ny_distances_clear(ny_distances *distances);
/* psi_r(g) for r = 4 or 6. */
double ny_density_functional(const ny_distances *distances, int r, double g);

#endif

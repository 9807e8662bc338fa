/* widths.h: one kernel at one size of the search: the bandwidths tried there, and the steps of a search along them. */
#ifndef NY_WIDTHS_H
#define NY_WIDTHS_H

#include "search.h"

enum { NY_WIDTHS_POINTS = 64 };

typedef struct ny_octaves { /* of log2 bandwidths; one point where the kernel has none */
    double lo, hi, step;
    double floor, ceiling; /* where an optimum on the end may lead */
} ny_octaves;

typedef struct ny_widths {
    ny_selection *sel;
    int64_t rows, landmarks;
    const ny_kernel *kernel;
    ny_octaves range;
    int64_t count;
    double x[NY_WIDTHS_POINTS], value[NY_WIDTHS_POINTS]; /* log2 bandwidth, ascending, and the criterion */
} ny_widths;

/* Evaluates `count` places for the kernel of each level (levels of one size), x[k * count + i] for level k: those that
 * are new and within its range. NAN: none. */
ny_status ny_widths_try(int64_t levels, ny_widths **l, int64_t count, const double *x);

/* The least value; of those that are alike, the smallest bandwidth. */
int64_t ny_widths_best(const ny_widths *l);
double ny_widths_least(const ny_widths *l); /* the value there */

/* The lowest place that a ridge divides from the best one, if it is not worse by more than the standard error of the
 * best machine so far; -1: none. */
int64_t ny_widths_second(const ny_widths *l);

/* Where the parabola through a point and its neighbours has its minimum. */
double ny_widths_vertex(const ny_widths *l, int64_t at);

/* Goes down from the point next to `from`, until the lowest has a neighbour within `step` on both sides; not on for
 * a gain that is none. */
ny_status ny_widths_bracket(ny_widths *l, double from, double step);

/* Brackets the best, and tries the minimum of the parabola where it promises a gain. */
ny_status ny_widths_settle(ny_widths *l, double step);

/* How many places ny_widths_scan looks at before it looks closer. */
int64_t ny_widths_places(const ny_octaves *range);

/* Looks at the whole range of every kernel, then closer around its two valleys, down to `finest` steps of the range. */
ny_status ny_widths_scan(int64_t levels, ny_widths **l, double finest);

#endif

/* rounded.h: max(0, z) with its corner rounded off over |z| <= h by the parabola (z + h)^2 / 4h.   docs/math.md, eq. 76
 */
#ifndef NY_ROUNDED_H
#define NY_ROUNDED_H

#include <math.h>

typedef struct ny_rounded {
    double value, first, second;
} ny_rounded;

/* max(0, z) and its derivatives; h = 0: the sharp corner. */
static inline ny_rounded ny_round_corner(double h, double z) {
    if (z <= -h) return (ny_rounded){0, 0, 0};
    if (z >= h) return (ny_rounded){z, 1, 0};
    return (ny_rounded){(z + h) * (z + h) / (4 * h), (z + h) / (2 * h), 1 / (2 * h)};
}

/* The sharp corner's value at z and its conjugate at the rounded one's slope a differ from z a by
 * h (a - 2 a^2 + max(0, 2a - 1)).                                                              docs/math.md, eq. 80 */
static inline double ny_round_gap(double h, double z) {
    if (fabs(z) >= h) return 0;
    double a = (z + h) / (2 * h);
    return h * (a - 2 * a * a + fmax(0, 2 * a - 1));
}

#endif

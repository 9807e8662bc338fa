/* bias.h: the constant b of a machine, which may be penalised by rho/2 b^2.                  docs/math.md, eq. 115
 *
 * rho = 0: it is free; rho = INFINITY: there is none. Between them it is one more feature of constant value
 * 1/sqrt(rho), or 1/rho more in every kernel value, and no bias beside. */
#ifndef NY_BIAS_H
#define NY_BIAS_H

#include <math.h>

/* What a penalised bias adds to every kernel value: 1/rho; 0 where the bias is free, and where there is none. */
static inline double ny_bias_kernel(double rho) {
    return rho > 0 ? 1 / rho : 0;
}

/* The value of its feature, the root of that. */
static inline double ny_bias_feature(double rho) {
    return sqrt(ny_bias_kernel(rho));
}

#endif

/* together.h: leaving out rows with equal inputs together, in closed form.                    docs/math.md, eq. 113 */
#ifndef NY_CRITERION_TOGETHER_H
#define NY_CRITERION_TOGETHER_H

#include <math.h>

#include "solver/problem.h"

static inline bool ny_has_copies(const ny_problem *P, int64_t i) {
    return P->together && P->together->group[i] >= 0;
}

/* The output of row i without its group, of weight V and mean target y: with f the output of the machine of all rows
 * and h = v_i eta the row's leverage,
 *     f(held) = y - (y - f) / (1 - V eta) */
static inline double ny_held_together(const ny_problem *P, int64_t i, int64_t j, double f, double h) {
    double y = P->together->mean[i + j * P->n], eta = h / (P->u[i] * P->u[i]);
    return y - (y - f) / fmax(1 - P->together->weight[i] * eta, 1e-12);
}

#endif

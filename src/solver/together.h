/* together.h: leaving out rows with equal inputs together, in closed form.                    docs/math.md, eq. 113 */
#ifndef NY_TOGETHER_H
#define NY_TOGETHER_H

#include <math.h>

#include "problem.h"

/* Whether row i is held out together with others. */
static inline bool ny_has_copies(const ny_problem *P, int64_t i) {
    return P->together && P->together->group[i] >= 0;
}

/* The output of a row without its group, of weight V and mean target y: with f the output of the machine of all rows
 * and eta the row's leverage over its own weight,
 *     f(held) = y - (y - f) / (1 - V eta) */
static inline double ny_held_group(double y, double V, double f, double eta) {
    return y - (y - f) / fmax(1 - V * eta, 1e-12);
}

/* The same for row i and output j of a problem; h: the row's leverage. */
static inline double ny_held_together(const ny_problem *P, int64_t i, int64_t j, double f, double h) {
    return ny_held_group(P->together->mean[i + j * P->n], P->together->weight[i], f, h / (P->u[i] * P->u[i]));
}

#endif

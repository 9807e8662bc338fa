/* csa.h: coupled simulated annealing in a box, for any function that takes its points in batches. */
#ifndef NY_CSA_H
#define NY_CSA_H

#include <stdint.h>

#include "base/ctx.h"

/* Energies E (count, finite) of the points x (dims x count). What it returns but NY_OK ends the annealing. */
typedef ny_status ny_energy_fn(void *user, int64_t count, const double *x, double *E);

typedef struct ny_csa {
    int64_t dims, starters, evaluations; /* the starters are counted among the evaluations */
    const double *lo, *hi;               /* dims: the box */
    uint64_t seed;
    ny_energy_fn *energies;
    void *user;
} ny_csa;

/* x (dims): the best of all points tried, E its energy. Each round is one call of `energies`. */
ny_status ny_csa_minimise(ny_ctx *ctx, const ny_csa *csa, double *x, double *E);

/* A (q): the chance of each state with current energies E to move uphill; they sum to one. */
void ny_csa_acceptance(int64_t q, const double *E, double temperature, double *A);

#endif

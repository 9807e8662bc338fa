/* plan_exact.h: the memory and the work of the exact machine by conjugate gradients. */
#ifndef NY_PLAN_EXACT_H
#define NY_PLAN_EXACT_H

#include "plan.h"

enum {
    NY_BASE_BYTES = 16 << 20, /* program, libraries, BLAS buffers */
    NY_BLAS_BYTES = 16 << 20  /* more buffers, which only large products touch */
};

/* As large a preconditioner as suits the rows, or as fits; and as much of the kernel matrix as half the memory holds.
 * Where nobody asked for the exact machine there is none unless it fits that way. It sets the route,
 * and what belongs to the exact machine, of the plan. NY_ERR_MEMORY: it was asked for and does not fit. */
ny_status ny_plan_exact(ny_ctx *ctx, const ny_route_facts *facts, ny_plan *plan);

#endif

/* route.h: the way from the rows to the machine. train/routing.c decides it, once, before the work begins; only what
 * the search itself finds out (search/sizes.c, search_profile.c) may change it later. */
#ifndef NY_ROUTE_H
#define NY_ROUTE_H

#include <stdbool.h>
#include <stdint.h>

typedef enum ny_route_kind {
    NY_ROUTE_LANDMARKS, /* the machine on landmarks is the model; they may be all rows */
    NY_ROUTE_KERNEL,    /* all rows, by a Cholesky factor of their kernel matrix: criterion/dense.c */
    NY_ROUTE_CG_AFTER,  /* landmarks select, then comes the exact machine on all rows: train/exact.c */
    NY_ROUTE_CG_ALONE,  /* exact machines of some rows select, and no machine on landmarks is made of all rows */
    NY_ROUTE_PASSES,    /* landmarks; the rows are read again for every machine: search/passes.c */
    NY_ROUTE_APART      /* every output is a machine with a route of its own: train/machines.c */
} ny_route_kind;

typedef struct ny_route {
    ny_route_kind kind;
    const char *why; /* a phrase for the summary and the record */
    bool asked;      /* by the user, so that nothing changes it */
    double flops;    /* of conjugate gradients, where they may come after; else 0 */
} ny_route;

/* What the record calls it. */
const char *ny_route_name(ny_route_kind kind);
/* Whether the exact machine by conjugate gradients is to come although nobody asked for it. */
static inline bool ny_route_exact_after(const ny_route *route) {
    return !route->asked && (route->kind == NY_ROUTE_CG_AFTER || route->kind == NY_ROUTE_CG_ALONE);
}
/* NY_ROUTE_CG_ALONE: rows of the exact machines that tell kernel and bandwidth of the one of all n rows, of so many
 * flops: half of them or 800, or more where a dozen of them, of 5 n^3 flops each, take half as long as that one will.
 */
int64_t ny_route_selecting(int64_t n, double flops);
/* The same route on landmarks alone. */
void ny_route_give_up(ny_route *route, const char *why);

#endif

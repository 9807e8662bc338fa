/* route.c: see route.h. */
#include "route.h"

#include <math.h>

static const double USUAL = 800, MOST = 2000;

const char *ny_route_name(ny_route_kind kind) {
    static const char *const name[] = {"landmarks", "kernel matrix", "landmarks, then cg", "cg", "passes", "machines"};
    return name[kind];
}

int64_t ny_route_selecting(int64_t n, double flops) {
    return (int64_t)fmin((double)(n / 2), fmin(fmax(cbrt(flops / 120), USUAL), MOST));
}

void ny_route_give_up(ny_route *route, const char *why) {
    *route = (ny_route){NY_ROUTE_LANDMARKS, why, false, 0};
}

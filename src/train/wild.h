/* wild.h: errors that no noise explains.                                              docs/math.md, "Wild targets" */
#ifndef NY_WILD_H
#define NY_WILD_H

#include <stdbool.h>
#include <stdint.h>

typedef struct ny_wild_limits {
    double lower, upper; /* errors below or above are wild; infinite: none are */
} ny_wild_limits;

/* Whether an error is beyond the limits. */
static inline bool ny_is_wild(ny_wild_limits limits, double e) {
    return e < limits.lower || e > limits.upper;
}

/* The limits for n held-out errors e of this noise around 0, of so many groups of wild errors at most, the largest
 * first: what seems wild beside a group that is far away need not be so without it. Suspects are what may be wild, for
 * a closer look without them. d (n): scratch. */
ny_wild_limits ny_wild_find(int64_t n, const double *e, double noise, int groups, double *d);
ny_wild_limits ny_wild_suspect(int64_t n, const double *e, double noise, double *d);

#endif

/* follow.h: the regularization path of the l2-SVM (Bonidal, Tindel & Guermeur 2013).   docs/math.md, section 17
 *
 * From a lambda so large that every row is inside the margin down to a small one. The derivative of the machine by
 * lambda foresees which rows cross the margin next; the step is so long that 2% of E cross, but never beyond lambda/2;
 * the foreseen partition is then corrected to the exact one (sided.h). */
#ifndef NY_FOLLOW_H
#define NY_FOLLOW_H

#include "sided.h"

typedef struct ny_follow_range {
    double first, last; /* lambda, first > last */
    bool whole;         /* begins where every row is in E, at 10, 100, ... times `first` if need be */
} ny_follow_range;

/* Called at every lambda of the path with its machine, which it may polish; enough = true ends the path. */
typedef ny_status ny_visit_fn(ny_ctx *ctx, void *user, ny_sided *at, bool *enough);

/* From the largest lambda of the range down to the least, or until a visit has had enough. s is at the last one then. */
ny_status ny_follow(ny_ctx *ctx, ny_sided *s, const ny_follow_range *range, ny_visit_fn *visit, void *user);

#endif

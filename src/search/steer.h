/* steer.h: which way the criterion falls from a point: its value there, and its derivatives. */
#ifndef NY_STEER_H
#define NY_STEER_H

#include "selection.h"

typedef struct ny_steered {
    double value; /* of the criterion, as ny_solution.value has it */
    double by_log_bandwidth, by_log_C;
} ny_steered;

/* Trains at the point, whose C is given, on all rows with the landmarks of the plan (given: with these, unless every
 * row is one; NULL: the method's own). The landmarks stay where they are when the bandwidth moves. NY_ERR_NUMERIC: C is
 * beyond the precision of the kernel there. */
ny_status ny_steer(const ny_selection *sel, const ny_landmarks *given, const ny_point *point, ny_steered *out);

/* dV / dlog bandwidth from dV/dG = by_G (r x n), for a function of G'G. The factor's G must not be weighted.
 *                                                                                    docs/math.md, eq. 156, 157 */
ny_status ny_width_slope(ny_ctx *ctx, const ny_kernel_params *kernel, const ny_matrix *X, const ny_factor *factor,
                         const double *by_G, double *slope);

#endif

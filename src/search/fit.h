/* fit.h: what ny_evaluate is made of. */
#ifndef NY_FIT_H
#define NY_FIT_H

#include "group.h"
#include "selection.h"

/* The factor at a point, from the landmarks (given: these, or NULL: the method's own) or from a larger eigen form that
 * is at hand. */
ny_status ny_point_factor(const ny_selection *sel, const ny_rows *rows, const ny_landmarks *given, int64_t landmarks,
                          const ny_kernel_params *kernel, ny_factor *factor);

/* One point on rows in memory: factor -> C by the criterion -> machine and its worth. given: these landmarks, or NULL:
 * the method's own. sel is only looked at, so that points can run side by side. */
ny_status ny_fit(const ny_selection *sel, const ny_rows *rows, const ny_landmarks *given, int64_t landmarks,
                 const ny_point *point, ny_solution *s, ny_profile *profile);

/* What each output of a group counts for in the value of a solution: all alike, or a pair by its rows. */
double ny_group_share(const ny_selection *sel, const ny_rows *rows, const ny_group *g);

/* The landmark method for m of n rows. */
const ny_landmark_method *ny_method_for(const ny_selection *sel, int64_t m, int64_t n);

/* The same for all rows in passes, several points in one pass. The error is not known until ny_hold_out. */
ny_status ny_fit_passes(ny_selection *sel, int64_t landmarks, int64_t points, const ny_point *point, ny_solution *s,
                        ny_profile *profile);

/* The error of a solution of ny_fit_passes, by a pass over all rows or from the sample; and its held-out outputs for
 * the rows of the sample. */
ny_status ny_hold_out(ny_selection *sel, bool all_rows, ny_solution *s);

/* common becomes the landmarks that all points of this level share; NULL: each has its own, or every row is one. */
ny_status ny_common_landmarks(ny_selection *sel, const ny_rows *rows, int64_t landmarks, const ny_landmarks **common);

/* A solution into the record of what was tried. */
ny_status ny_trial_add(ny_selection *sel, const ny_solution *s);

#endif

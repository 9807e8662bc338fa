/* fit.h: what ny_evaluate is made of. */
#ifndef NY_FIT_H
#define NY_FIT_H

#include "search.h"

/* `count` of the rows: all, or a stratified sample. The first call for a size draws it; the same size again finds it.
 */
ny_status ny_rows_of_level(ny_selection *sel, int64_t count, const ny_rows **rows);

/* The kernel at a point. */
ny_kernel_params ny_point_kernel(const ny_selection *sel, const ny_point *point);

/* One point on rows in memory: factor -> C by the criterion -> machine and its worth. Z: these landmarks, or NULL: the
 * method's own. seconds: spent on landmarks and factor. Everything it needs is its own, so that points can run side by
 * side. */
ny_status ny_fit(ny_selection *sel, const ny_rows *rows, const ny_matrix *Z, int64_t landmarks, const ny_point *point,
                 ny_solution *s, ny_profile *profile, double *seconds);

#endif

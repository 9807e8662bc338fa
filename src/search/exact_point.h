/* exact_point.h: where the exact machine of all rows is to be, by what exact machines of some of them tell. */
#ifndef NY_EXACT_POINT_H
#define NY_EXACT_POINT_H

#include "widths.h"

/* The kernel of l, the bandwidth 2^x, or a narrower one that is as good where C would be too large; C is that of the
 * middle one of the outputs. Those of separable classes bear any; beyond a limit it would only slow down. Tries further
 * bandwidths at the size of l. */
ny_status ny_exact_point(ny_selection *sel, ny_widths *l, double x, ny_point *at);

#endif

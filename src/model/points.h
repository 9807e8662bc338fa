/* points.h: the points of several machines as a file has them: each once, and for each machine a list of numbers. */
#ifndef NY_POINTS_H
#define NY_POINTS_H

#include "machine/expansion.h"

/* Z: the points of the whole list, in the order in which they are met; index[k]: where the k-th of them all, machine
 * after machine, is in Z. Equal points of different machines are one, those of the same machine are not: so a machine
 * has every number once at most. Both are for the caller to free. */
ny_status ny_points_share(ny_ctx *ctx, const ny_expansion *f, ny_matrix *Z, int32_t **index);

/* The way back: every expansion of the list, whose Z.n says how many it has, gets its points. The numbers are not
 * trusted: NY_ERR_MODEL where one is beyond Z or is there twice in a machine. */
ny_status ny_points_spread(ny_ctx *ctx, const ny_matrix *Z, const int32_t *index, ny_expansion *f);

#endif

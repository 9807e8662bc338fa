/* slopes.h: how steep the outputs of a machine are along each input: the average of the outer products of their
 * gradients, of which the diagonal is wanted.                                             docs/math.md, eq. 160 - 161 */
#ifndef NY_SLOPES_H
#define NY_SLOPES_H

#include "machine/expansion.h"

/* G_c = mean over the rows of X (dense, scaled as the points of f) of sum over outputs (df / dx_c)^2. G: inputs. */
ny_status ny_slopes(ny_ctx *ctx, const ny_expansion *f, const ny_matrix *X, double *G);

#endif

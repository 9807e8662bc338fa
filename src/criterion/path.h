/* path.h: machines of any loss along C. Every C starts from the nearest one solved before; what the machine says of
 * rows it has not seen is then up to the criterion. */
#ifndef NY_PATH_H
#define NY_PATH_H

#include "criterion.h"

/* The state of an iterative criterion that leaves rows out so. */
ny_status ny_path_prepare(ny_ctx *ctx, ny_problem *problem, ny_leave_fn *leave, void **state);
double ny_path_trace(const void *state);
/* The machine of every output j and C of the list is handed to `leave`, to put `size` numbers at F[size (j + q c)]. */
ny_status ny_path_visit(ny_ctx *ctx, void *state, const ny_C_list *list, ny_leave_fn *leave, int64_t size, double *F);
/* The one number that `leave` puts for each, as ny_own_value.at has them; those not wanted stay as they are. */
ny_status ny_path_value(ny_ctx *ctx, void *state, const ny_C_list *list, ny_leave_fn *leave, double *value);
ny_status ny_path_held(ny_ctx *ctx, void *state, const ny_C_list *list, double *F);
ny_status ny_path_solve(ny_ctx *ctx, void *state, const double *C, double *W, double *b);
ny_status ny_path_effort(ny_ctx *ctx, const void *state, ny_effort *effort);
void ny_path_release(void *state);
/* What Newton's method takes for machines of full size, near a C that is known. */
ny_cost ny_path_cost(const ny_size *size);
/* Machines that are at work at the same time. */
double ny_path_machines(const ny_size *size);
const ny_primal *ny_path_primal(const void *state, int64_t output);
/* A machine found elsewhere, for others to start from; its steps are counted. */
ny_status ny_path_keep(ny_ctx *ctx, void *state, int64_t output, const ny_machine_point *x);

#endif

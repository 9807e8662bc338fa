/* regpath.h: the regularization path of the l2-SVM on some data, one path for each output. */
#ifndef NY_REGPATH_H
#define NY_REGPATH_H

#include "model/record.h"

typedef struct ny_breakpoint {
    int64_t output;
    double lambda;
    int64_t active;       /* rows inside the margin */
    double objective;     /* sum of squared slacks + lambda/2 |w|^2 */
    double loo_error;     /* share of rows that the machine would get wrong if it had not seen them */
    double radius_margin; /* bound on that share; NAN: not asked for */
    double holdout_error; /* share of the validation set's rows that it gets wrong; NAN: there is none */
    double kkt;           /* by how much the conditions for a minimum are violated */
} ny_breakpoint;

typedef struct ny_regpath {
    ny_model *model; /* kernel, labels, options and record; it predicts nothing */
    int64_t count;
    ny_breakpoint *at; /* output by output, lambda falling */
    double seconds_path;
} ny_regpath;

/* NY_STOPPED: the path as far as it got. */
ny_status ny_regpath_make(ny_ctx *ctx, const ny_data *data, const ny_options *options, ny_regpath *path);
void ny_regpath_clear(ny_regpath *path);

#endif

/* criterion_span.c: leave-one-out of the l2-SVM along its regularization path (Bonidal et al. 2013, Proposition 4).
 *
 * Were the set E of rows inside the margin to stay as it is when one of them is left out, the machine would move as the
 * least squares machine on E does (span.c). At a C that is not chosen on the path it is `loo` of any loss. */
#include "leaving.h"
#include "loss/loss.h"
#include "span_slope.h"
#include "walk.h"

static ny_status gradient(ny_ctx *ctx, const ny_primal *p, ny_machine_point *x, double *out) {
    return ny_span_slope(ctx, p, x, &(ny_span_form){.soft = 0}, out);
}

const ny_criterion ny_criterion_span = {
    .name = "span",
    .help = "leave-one-out of the l2-SVM by the span rule, along its whole regularization path",
    .only = &ny_loss_squared_hinge,
    .iterative = &(const ny_iterative){ny_leave_one, ny_walk_span, ny_path_cost},
    .gradient = gradient,
};

/* loss_huber.c: e^2 / 2 up to |e| = delta, beyond it the tangent delta (|e| - delta / 2); e = y - f. */
#include <math.h>
#include <stddef.h>

#include "loss.h"
#include "options/options.h"

static void at(const ny_loss_params *p, int64_t n, const double *y, const double *f, double *value, double *first,
               double *second) {
    for (int64_t i = 0; i < n; i++) {
        double e = y[i] - f[i], inside = fmax(-p->level, fmin(e, p->level));
        value[i] = inside * (e - inside / 2);
        first[i] = -inside;
        second[i] = inside == e ? 1 : 0;
    }
}

static double asked(const ny_options *options) {
    return options->delta;
}

const ny_loss ny_loss_huber = {
    .name = "huber",
    .help = "squared up to delta, linear beyond",
    .machine = {{"huber", "regression that outlying targets do not pull: linear beyond delta", &ny_loss_huber, true}},
    .level = {"delta", asked, 1.345, "1.345 times the noise"}, /* efficiency of 95% for normal errors (Huber 1981) */
    .at = at};

/* loss_huber.c: e^2 / 2 up to |e| = delta, beyond it the tangent delta (|e| - delta / 2); e = y - f. */
#include <math.h>
#include <stddef.h>

#include "loss.h"

static void at(const ny_loss_params *p, int64_t n, const double *y, const double *f, double *value, double *first,
               double *second) {
    for (int64_t i = 0; i < n; i++) {
        double e = y[i] - f[i], inside = fmax(-p->level, fmin(e, p->level));
        value[i] = inside * (e - inside / 2);
        first[i] = -inside;
        second[i] = inside == e ? 1 : 0;
    }
}

const ny_loss ny_loss_huber = {.name = "huber", .help = "squared up to delta, linear beyond", .at = at};

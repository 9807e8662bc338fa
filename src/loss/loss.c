/* loss.c: the table of losses. */
#include "loss.h"

#include <stddef.h>

#include "base/family.h"

#define X(name) &ny_loss_##name,
NY_FAMILY(ny_loss, ny_loss, NY_LOSS_LIST(X))
#undef X

double ny_loss_value(const ny_loss_params *p, double y, double f) {
    double value, first, second;
    p->loss->at(p, 1, &y, &f, &value, &first, &second);
    return value;
}

double ny_loss_mean(const ny_loss_params *p, int64_t n, const double *y_scaled, const double *u, const double *f) {
    double sum = 0, weight = 0;
    for (int64_t i = 0; i < n; i++) {
        double v = u[i] * u[i];
        sum += v * ny_loss_value(p, y_scaled[i] / u[i], f[i]);
        weight += v;
    }
    return sum / weight;
}

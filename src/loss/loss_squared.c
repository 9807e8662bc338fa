/* loss_squared.c: (y - f)^2 / 2. */
#include "loss.h"

#include <stddef.h>

static void at(const ny_loss_params *p, int64_t n, const double *y, const double *f, double *value, double *first,
               double *second) {
    (void)p;
    for (int64_t i = 0; i < n; i++) {
        double e = y[i] - f[i];
        value[i] = e * e / 2;
        first[i] = -e;
        second[i] = 1;
    }
}

const ny_loss ny_loss_squared = {
    .name = "squared",
    .help = "half the squared error",
    .machine = {{"lssvm", "least squares SVM: squared error, free bias; classes and regression", &ny_loss_squared,
                 true},
                {"krr", "kernel ridge regression: squared error, no bias", &ny_loss_squared, false}},
    .at = at};

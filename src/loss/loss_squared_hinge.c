/* loss_squared_hinge.c: max(0, 1 - y f)^2 / 2. */
#include <math.h>
#include <stddef.h>

#include "loss.h"

static void at(const ny_loss_params *p, int64_t n, const double *y, const double *f, double *value, double *first,
               double *second) {
    (void)p;
    for (int64_t i = 0; i < n; i++) {
        double z = fmax(1 - y[i] * f[i], 0);
        value[i] = z * z / 2;
        first[i] = -y[i] * z;
        second[i] = z > 0 ? y[i] * y[i] : 0;
    }
}

const ny_loss ny_loss_squared_hinge = {
    .name = "squared_hinge",
    .help = "half the square of max(0, 1 - y f)",
    .machine = {{"l2svm", "SVM with squared slacks: classes", &ny_loss_squared_hinge, true}},
    .classes = true,
    .flat = true,
    .at = at};

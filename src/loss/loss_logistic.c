/* loss_logistic.c: log(1 + exp(-y f)), the negative log likelihood of y under P(y | f) = 1 / (1 + exp(-y f)). */
#include <math.h>
#include <stddef.h>

#include "loss.h"

static void at(const ny_loss_params *p, int64_t n, const double *y, const double *f, double *value, double *first,
               double *second) {
    (void)p;
    for (int64_t i = 0; i < n; i++) {
        double z = y[i] * f[i], e = exp(-fabs(z)), wrong = z > 0 ? e / (1 + e) : 1 / (1 + e);
        value[i] = fmax(-z, 0) + log1p(e);
        first[i] = -y[i] * wrong;
        second[i] = y[i] * y[i] * e / ((1 + e) * (1 + e));
    }
}

const ny_loss ny_loss_logistic = {
    .name = "logistic",
    .help = "log(1 + exp(-y f))",
    .machine = {{"logistic", "kernel logistic regression: classes with probabilities", &ny_loss_logistic, true}},
    .classes = true,
    .link = true,
    .at = at};

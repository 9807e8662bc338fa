/* loss_hinge.c: max(0, 1 - y f), the corner rounded as in Liu et al. 2018, section 3.3. */
#include "loss.h"
#include "rounded.h"

static void at(const ny_loss_params *p, int64_t n, const double *y, const double *f, double *value, double *first,
               double *second) {
    for (int64_t i = 0; i < n; i++) {
        ny_rounded s = ny_round_corner(p->width, 1 - y[i] * f[i]);
        value[i] = s.value;
        first[i] = -y[i] * s.first;
        second[i] = y[i] * y[i] * s.second;
    }
}

static double rounding(const ny_loss_params *p, double y, double f) {
    return ny_round_gap(p->width, 1 - y * f);
}

const ny_loss ny_loss_hinge = {.name = "hinge",
                               .help = "max(0, 1 - y f)",
                               .machine = {{"svm", "support vector machine: classes", &ny_loss_hinge, true}},
                               .classes = true,
                               .flat = true,
                               .at = at,
                               .rounding = rounding};

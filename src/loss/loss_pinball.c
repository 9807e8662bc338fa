/* loss_pinball.c: tau max(0, e) + (1 - tau) max(0, -e), e = y - f, the corner rounded. Its minimum is the tau-quantile
 * of y. */
#include "loss.h"
#include "rounded.h"

static void at(const ny_loss_params *p, int64_t n, const double *y, const double *f, double *value, double *first,
               double *second) {
    for (int64_t i = 0; i < n; i++) {
        double e = y[i] - f[i];
        ny_rounded above = ny_round_corner(p->width, e), below = ny_round_corner(p->width, -e);
        value[i] = p->level * above.value + (1 - p->level) * below.value;
        first[i] = (1 - p->level) * below.first - p->level * above.first;
        second[i] = p->level * above.second + (1 - p->level) * below.second;
    }
}

static double rounding(const ny_loss_params *p, double y, double f) {
    return p->level * ny_round_gap(p->width, y - f) + (1 - p->level) * ny_round_gap(p->width, f - y);
}

const ny_loss ny_loss_pinball = {
    .name = "pinball",
    .help = "tau max(0, e) + (1 - tau) max(0, -e)",
    .machine = {{"quantile", "regression of quantiles (--quantiles)", &ny_loss_pinball, true}},
    .level = {.option = "quantiles"},
    .linear = true,
    .quantiles = true,
    .at = at,
    .rounding = rounding};

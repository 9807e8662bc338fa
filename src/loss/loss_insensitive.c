/* loss_insensitive.c: max(0, |y - f| - epsilon), both corners rounded. */
#include "loss.h"
#include "options/options.h"
#include "rounded.h"

static void at(const ny_loss_params *p, int64_t n, const double *y, const double *f, double *value, double *first,
               double *second) {
    for (int64_t i = 0; i < n; i++) {
        double e = y[i] - f[i];
        ny_rounded above = ny_round_corner(p->width, e - p->level), below = ny_round_corner(p->width, -e - p->level);
        value[i] = above.value + below.value;
        first[i] = below.first - above.first;
        second[i] = above.second + below.second;
    }
}

static double rounding(const ny_loss_params *p, double y, double f) {
    return ny_round_gap(p->width, y - f - p->level) + ny_round_gap(p->width, f - y - p->level);
}

static double asked(const ny_options *options) {
    return options->epsilon;
}

const ny_loss ny_loss_insensitive = {
    .name = "insensitive",
    .help = "max(0, |y - f| - epsilon)",
    .machine = {{"svr", "support vector regression: errors below epsilon cost nothing", &ny_loss_insensitive, true}},
    .level = {"epsilon", asked, 0.5, "half the noise"},
    .flat = true,
    .linear = true,
    .at = at,
    .rounding = rounding};

/* baseline.c: see baseline.h. */
#include "baseline.h"

#include <math.h>

const char *ny_baseline_name(const ny_model *model) {
    const double *share = model->prior ? model->prior : model->frequency;
    int64_t usual = 0;
    if (!model->classes) return model->quantiles ? "quantiles" : "mean";
    for (int64_t k = 1; share && k < model->classes; k++)
        if (share[k] > share[usual] * (1 + 1e-9)) usual = k; /* equal but for rounding: the first */
    return model->label[usual];
}

void ny_lines_baseline(ny_lines *t, const char *label, const char *else_what) {
    if (label) ny_lines_add(t, "always saying '%s'", label);
    else ny_lines_add(t, "always the %s of the targets", else_what);
}

double ny_expected_r2(const ny_model *model) {
    const ny_expected *e = &model->record->expected;
    double ratio = e->error / e->baseline_error;
    return model->classes || model->quantiles || !(e->baseline_error > 0) ? NAN : 1 - ratio * ratio;
}

/* losses.c: see losses.h.
 *
 * Levels (epsilon, delta) and the width of rounded corners are measured in units of the noise around a robust start,
 * which for normal errors is their standard deviation and which outlying targets do not move. */
#include "losses.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "robust_start.h"

static int ascending(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

ny_status ny_quantiles_parse(ny_ctx *ctx, const char *text, int64_t *count, double **quantile) {
    ny_status st = NY_OK;
    const char *at = text, *end = text + strlen(text);
    double *list = NULL;
    int64_t room = 1;
    for (const char *c = text; *c; c++) room += *c == ',';
    NY_NEW_RAW(ctx, list, room);
    for (*count = 0; *count < room; at++) {
        double *p = &list[(*count)++];
        at = ny_number_scan(at, end, p);
        NY_CHECK(ctx, at && (*at == ',' || *at == 0) && *p > 0 && *p < 1, NY_ERR_USAGE,
                 "--quantiles %s: expected numbers above 0 and below 1, as 0.05,0.5,0.95", text);
    }
    qsort(list, (size_t)*count, sizeof *list, ascending);
    for (int64_t k = 1; k < *count; k++)
        NY_CHECK(ctx, list[k] > list[k - 1], NY_ERR_USAGE, "--quantiles %s: %g is there twice", text, list[k]);
    *quantile = list;
    list = NULL;
done:
    ny_free(list);
    return st;
}

/* Is it the middle of the noise that the machine is after? Quantiles of other levels are about its tails. */
static bool wants_middle(const ny_selection *sel) {
    const ny_loss_params *loss = sel->loss;
    return !loss->loss->quantiles || (sel->outputs == 1 && loss->level == 0.5);
}

/* Rows that no noise explains are not learnt from.                                         docs/math.md, eq. 114 */
static ny_status leave_wild_out(ny_selection *sel, const ny_robust_start *start) {
    ny_status st = NY_OK;
    ny_rows *all = &sel->all;
    for (int64_t i = 0; i < all->n; i++) sel->wild += ny_is_wild(start->limits, all->Y[i] - start->f[i]);
    if (sel->wild) NY_NEW_RAW(sel->ctx, all->wild, all->n);
    for (int64_t i = 0; i < all->n && all->wild; i++) all->wild[i] = ny_is_wild(start->limits, all->Y[i] - start->f[i]);
done:
    return st;
}

/* The start's view of the targets. Where a squared loss stands in for the machine's own, they are tamed. Of an outlying
 * one the criterion counts the loss less what it would be at the start's output beyond that of a normal error: losses
 * of robust machines are straight there, so this is a constant, and no choice depends on it but those that compare
 * differences with the whole.                                                              docs/math.md, eq. 111 */
static ny_status see_targets(ny_selection *sel, const ny_robust_start *start) {
    ny_status st = NY_OK;
    ny_rows *all = &sel->all;
    double far = NY_OUTLYING * start->noise;
    NY_NEW_RAW(sel->ctx, all->tame, all->n);
    for (int64_t i = 0; i < all->n; i++) {
        all->tame[i] = ny_tamed(all->Y[i], start->f[i], NY_TAME * start->noise);
        sel->outlying += fabs(all->Y[i] - start->f[i]) > far;
    }
    if (sel->outlying) NY_NEW(sel->ctx, all->excess, ny_size3(all->n, sel->outputs, 1));
    for (int64_t k = 0; all->excess && k < all->n * sel->outputs; k++) {
        double e = all->Y[k] - start->f[k % all->n], normal = copysign(start->noise, e);
        const ny_loss_params *loss = &sel->loss[k / all->n];
        if (fabs(e) > far) all->excess[k] = ny_loss_value(loss, e, 0) - ny_loss_value(loss, normal, 0);
    }
    if (wants_middle(sel)) NY_TRY(leave_wild_out(sel, start));
    ny_rows_clear(&sel->subset); /* drawn without them */
    sel->subset_asked = 0;
done:
    return st;
}

ny_status ny_prepare_losses(ny_selection *sel, ny_measures *measures) {
    ny_status st = NY_OK;
    const ny_options *o = sel->options;
    const ny_loss *loss = sel->machine->loss;
    double noise = 1, *quantile = NULL;
    ny_robust_start start = {0};
    int64_t quantiles;
    sel->unit = 1;
    if (ny_machine_squared(sel->machine)) return NY_OK;
    if (!loss->classes) NY_TRY(ny_robust_start_make(sel, &start));
    if (!loss->classes) noise = start.noise;
    if (loss->quantiles) NY_TRY(ny_quantiles_parse(sel->ctx, o->quantiles, &quantiles, &quantile));
    NY_NEW(sel->ctx, sel->loss, sel->outputs);
    if (loss->linear) sel->unit = noise;
    for (int64_t j = 0; j < sel->outputs; j++) {
        double level = quantile ? quantile[j] : loss->level.asked ? loss->level.asked(o) : 0;
        if (isnan(level)) level = loss->level.noises * noise;
        sel->loss[j] = (ny_loss_params){loss, o->hinge_width * noise, level};
    }
    *measures = (ny_measures){.known = true,
                              .width = loss->rounding ? sel->loss[0].width : NAN,
                              .level = loss->level.asked ? sel->loss[0].level : NAN,
                              .noise = loss->classes ? NAN : noise,
                              .crossed = NAN};
    if (!loss->classes) NY_TRY(see_targets(sel, &start));
done:
    ny_free(quantile);
    ny_robust_start_clear(&start);
    return st;
}

/* losses.c: see losses.h.
 *
 * Levels (epsilon, delta) and the width of rounded corners are measured in units of the noise around a robust start,
 * which for normal errors is their standard deviation and which outlying targets do not move. */
#include "losses.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "base/order.h"
#include "robust_start.h"

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
    qsort(list, (size_t)*count, sizeof *list, ny_ascending);
    for (int64_t k = 1; k < *count; k++)
        NY_CHECK(ctx, list[k] > list[k - 1], NY_ERR_USAGE, "--quantiles %s: %g is there twice", text, list[k]);
    *quantile = list;
    list = NULL;
done:
    ny_free(list);
    return st;
}

/* Is it the middle of the noise that the machine is after? Quantiles of other levels are about its tails. */
static bool wants_middle(const ny_setup *setup) {
    const ny_loss_params *loss = setup->loss;
    return !loss->loss->quantiles || (setup->outputs == 1 && loss->level == 0.5);
}

/* Rows that no noise explains are not learnt from.                                         docs/math.md, eq. 114 */
static ny_status leave_wild_out(ny_ctx *ctx, ny_training_rows *rows, const ny_robust_start *start) {
    ny_status st = NY_OK;
    ny_rows *all = &rows->all;
    for (int64_t i = 0; i < all->n; i++) rows->wild += ny_is_wild(start->limits, all->y[i] - start->f[i]);
    if (rows->wild) NY_NEW_RAW(ctx, all->wild, all->n);
    for (int64_t i = 0; i < all->n && all->wild; i++) all->wild[i] = ny_is_wild(start->limits, all->y[i] - start->f[i]);
done:
    return st;
}

/* The start's view of the targets. Where a squared loss stands in for the machine's own, they are tamed. Of an outlying
 * one the criterion counts the loss less what it would be at the start's output beyond that of a normal error: losses
 * of robust machines are straight there, so this is a constant, and no choice depends on it but those that compare
 * differences with the whole.                                                              docs/math.md, eq. 111 */
static ny_status see_targets(ny_ctx *ctx, ny_training *t, const ny_robust_start *start) {
    ny_status st = NY_OK;
    ny_rows *all = &t->rows.all;
    double far = NY_OUTLYING * start->noise;
    NY_NEW_RAW(ctx, all->tame, all->n);
    for (int64_t i = 0; i < all->n; i++) {
        all->tame[i] = ny_tamed(all->y[i], start->f[i], NY_TAME * start->noise);
        t->rows.outlying += fabs(all->y[i] - start->f[i]) > far;
    }
    if (t->rows.outlying) NY_NEW(ctx, all->excess, ny_size3(all->n, t->setup.outputs, 1));
    for (int64_t k = 0; all->excess && k < all->n * t->setup.outputs; k++) {
        double e = all->y[k % all->n] - start->f[k % all->n], normal = copysign(start->noise, e);
        const ny_loss_params *loss = &t->loss[k / all->n];
        if (fabs(e) > far) all->excess[k] = ny_loss_value(loss, e, 0) - ny_loss_value(loss, normal, 0);
    }
    if (wants_middle(&t->setup)) NY_TRY(leave_wild_out(ctx, &t->rows, start));
done:
    return st;
}

ny_status ny_prepare_losses(ny_ctx *ctx, ny_training *t, ny_measures *measures) {
    ny_status st = NY_OK;
    const ny_options *o = t->setup.options;
    const ny_loss *loss = t->setup.machine->loss;
    double noise = 1, *quantile = NULL;
    ny_robust_start start = {0};
    int64_t quantiles;
    if (ny_machine_squared(t->setup.machine)) return NY_OK;
    if (!loss->classes) NY_TRY(ny_robust_start_make(ctx, &t->setup, &t->rows, &start));
    if (!loss->classes) noise = start.noise;
    if (loss->quantiles) NY_TRY(ny_quantiles_parse(ctx, o->quantiles, &quantiles, &quantile));
    NY_NEW(ctx, t->loss, t->setup.outputs);
    t->setup.loss = t->loss;
    if (loss->linear) t->setup.unit = noise;
    for (int64_t j = 0; j < t->setup.outputs; j++) {
        double level = quantile ? quantile[j] : loss->level.asked ? loss->level.asked(o) : 0;
        if (isnan(level)) level = loss->level.noises * noise;
        t->loss[j] = (ny_loss_params){loss, o->hinge_width * noise, level};
    }
    *measures = (ny_measures){.known = true,
                              .width = loss->rounding ? t->loss[0].width : NAN,
                              .level = loss->level.asked ? t->loss[0].level : NAN,
                              .noise = loss->classes ? NAN : noise,
                              .crossed = NAN};
    if (!loss->classes) NY_TRY(see_targets(ctx, t, &start));
done:
    ny_free(quantile);
    ny_robust_start_clear(&start);
    return st;
}

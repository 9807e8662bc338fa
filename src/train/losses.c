/* losses.c: see losses.h.
 *
 * epsilon, delta and the width of rounded corners are measured in units of the noise: the median absolute leave-one-out
 * error of a small machine of squared loss, over 0.6745, which for normal errors is their standard deviation and which
 * outlying targets do not move. */
#include "losses.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "search/fit.h"

enum { ROWS = 1000, LANDMARKS = 100 }; /* of the small machine */

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

typedef struct {
    double error, weight; /* the error first: `ascending` looks at it */
} weighed;

/* The error that half of the weight does not exceed. */
static double median(int64_t n, weighed *e) {
    double all = 0, below = 0;
    int64_t i = 0;
    for (int64_t k = 0; k < n; k++) all += e[k].weight;
    qsort(e, (size_t)n, sizeof *e, ascending);
    while (i < n - 1 && (below += e[i].weight) <= all / 2) i++;
    return e[i].error;
}

/* The median absolute error held out, of the best of three bandwidths. */
static ny_status noise_of(ny_selection *original, double *noise) {
    ny_status st = NY_OK;
    ny_selection sel = *original; /* looks at what the original owns */
    const ny_rows *rows;
    ny_solution s = {0};
    ny_profile profile = {0};
    double lo, hi, guess = 0, least = INFINITY, seconds;
    weighed *e = NULL;
    NY_TRY(ny_rows_of_level(original, ROWS, &rows));
    sel.subset = original->subset;
    NY_NEW_RAW(sel.ctx, e, rows->n);
    sel.machine = ny_machine_find("lssvm");
    sel.criterion = &ny_criterion_loo;
    sel.posterior = NY_POSTERIOR_NO;
    sel.loss = NULL;
    sel.unit = 1;
    memset(sel.hint, 0, sizeof sel.hint);
    sel.outputs = 1; /* all have the same targets */
    const ny_kernel *kernel = sel.candidate[0];
    if (kernel->has_bandwidth) NY_TRY(ny_bandwidth_range(original, kernel, &lo, &hi, &guess));
    NY_TRY(ny_rows_of_level(original, ROWS, &rows));
    for (int step = -1; step <= (kernel->has_bandwidth ? 1 : -1); step++) {
        ny_point point = {kernel, exp2(guess + step), 0, 0};
        NY_TRY(ny_fit(&sel, rows, NULL, LANDMARKS, &point, &s, &profile, &seconds));
        if (s.value < least) {
            least = s.value;
            for (int64_t i = 0; i < rows->n; i++)
                e[i] = (weighed){fabs(rows->Y[i] - s.held[i]), rows->u[i] * rows->u[i]};
        }
        ny_solution_clear(&s);
        ny_profile_clear(&profile);
    }
    *noise = median(rows->n, e) / 0.6745;
    if (!(*noise > 1e-3 * sqrt(least))) *noise = sqrt(least); /* most targets are alike */
    if (!(*noise > 0)) *noise = 1;
done:
    ny_solution_clear(&s);
    ny_profile_clear(&profile);
    ny_free(e);
    return st;
}

ny_status ny_prepare_losses(ny_selection *sel, ny_measures *measures) {
    ny_status st = NY_OK;
    const ny_options *o = sel->options;
    const ny_loss *loss = sel->machine->loss;
    double noise = 1, *quantile = NULL;
    int64_t quantiles;
    sel->unit = 1;
    if (ny_machine_squared(sel->machine)) return NY_OK;
    if (!loss->classes) NY_TRY(noise_of(sel, &noise));
    if (loss == &ny_loss_pinball) NY_TRY(ny_quantiles_parse(sel->ctx, o->quantiles, &quantiles, &quantile));
    NY_NEW(sel->ctx, sel->loss, sel->outputs);
    if (loss->linear) sel->unit = noise;
    for (int64_t j = 0; j < sel->outputs; j++) {
        double level = loss == &ny_loss_insensitive ? (isnan(o->epsilon) ? 0.5 * noise : o->epsilon)
                       : loss == &ny_loss_huber     ? (isnan(o->delta) ? 1.345 * noise : o->delta)
                       : quantile                   ? quantile[j]
                                                    : 0;
        sel->loss[j] = (ny_loss_params){loss, o->hinge_width * noise, level};
    }
    *measures = (ny_measures){.known = true,
                              .width = loss->rounding ? sel->loss[0].width : NAN,
                              .level = loss->classes || quantile ? NAN : sel->loss[0].level,
                              .noise = loss->classes ? NAN : noise,
                              .crossed = NAN};
done:
    ny_free(quantile);
    return st;
}

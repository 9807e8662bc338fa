/* confidence.c: see confidence.h. */
#include "confidence.h"

#include <math.h>

#include "criterion/posterior_make.h"
#include "expected.h"
#include "machine/decide.h"
#include "machine/quantiles.h"
#include "search/held_error.h"
#include "spread.h"

/* t_i = e_i / sd_i,  sd_i^2 = noise / v_i + spread x variance of the output held out.   docs/math.md, eq. 56, 56a, 57
 */
static ny_status learn_quantiles(ny_selection *sel, ny_model *model) {
    ny_status st = NY_OK;
    const ny_rows *rows = &sel->rows->all;
    ny_solution *best = &sel->found.best;
    double *t = NULL, *noise = NULL, *variance = NULL;
    NY_NEW_RAW(sel->ctx, t, rows->n);
    NY_NEW_RAW(sel->ctx, noise, rows->n);
    NY_NEW_RAW(sel->ctx, variance, rows->n);
    NY_NEW_RAW(sel->ctx, model->error_size, NY_QUANTILES);
    for (int64_t i = 0; i < rows->n; i++) {
        double u = rows->u[i];
        t[i] = rows->y[i] - best->held[i];
        noise[i] = best->posterior.noise[0] / (u * u);
        variance[i] = ny_posterior_held(&best->posterior, best->C, rows->n, i, 0, best->unseen[i], u);
    }
    best->posterior.spread = ny_interval_spread(rows->n, t, noise, variance);
    for (int64_t i = 0; i < rows->n; i++) t[i] /= sqrt(noise[i] + best->posterior.spread * variance[i]);
    ny_interval_learn(rows->n, t, model->error_size);
done:
    ny_free(t);
    ny_free(noise);
    ny_free(variance);
    return st;
}

/* Means and common variance of the held-out outputs of both codes.                            docs/math.md, eq. 58 */
static ny_moderation moderation_of(const ny_selection *sel, int64_t j) {
    const ny_rows *rows = &sel->rows->all;
    const double *f = sel->found.best.held + j * rows->n;
    double weight[2] = {0, 0}, sum[2] = {0, 0}, squares = 0;
    ny_targets y;
    ny_targets_of(sel->setup, rows, j, &y);
    for (int64_t i = 0; i < rows->n; i++) {
        double v = rows->u[i] * rows->u[i];
        weight[ny_target(&y, i) > 0] += v;
        sum[ny_target(&y, i) > 0] += v * f[i];
    }
    double mean[2] = {sum[0] / fmax(weight[0], 1e-300), sum[1] / fmax(weight[1], 1e-300)};
    for (int64_t i = 0; i < rows->n; i++) {
        double e = f[i] - mean[ny_target(&y, i) > 0];
        squares += rows->u[i] * rows->u[i] * e * e;
    }
    double all = weight[0] + weight[1], least = 1e-12 * all;
    return (ny_moderation){mean[0], mean[1], squares / all + 1e-12,
                           log(fmax(weight[1], least) / fmax(weight[0], least))};
}

static bool has_link(const ny_loss *loss, const char *what) {
    return (void)what, loss->link;
}

ny_status ny_confidence_begin(ny_ctx *ctx, const ny_setup *setup, const ny_rows *all, ny_model *model) {
    ny_status st = NY_OK;
    double total = 0;
    if (setup->classes) NY_NEW(ctx, model->frequency, setup->classes);
    for (int64_t i = 0; setup->classes && i < all->n; i++) {
        double v = all->u[i] * all->u[i];
        model->frequency[all->code[i]] += v;
        total += v;
    }
    for (int64_t k = 0; k < setup->classes; k++) model->frequency[k] /= total;
    NY_TRY(ny_prior_parse(ctx, model, setup->options->prior, &model->prior));
    ny_proba_method_option method = setup->options->proba_method;
    bool can = setup->machine->loss->link, link = method == NY_PROBA_LINK;
    char others[NY_NAMES_TEXT];
    NY_CHECK(ctx, !link || !setup->classes || can, NY_ERR_USAGE,
             "--proba-method link is for --machine %s, and this is %s: use calibration",
             ny_machines_with(has_link, NULL, others), setup->machine->name);
    /* Measured: docs/math.md, eq. 91. With one output for each class the curve, which all share, is better. */
    bool own = setup->classes == 2 || ny_setup_pairs(setup);
    model->link = can && (link || (own && method == NY_PROBA_AUTO));
done:
    return st;
}

/* Held-out quantiles in the order that predictions will have, and their error with sharp corners. */
static ny_status order_quantiles(ny_selection *sel, ny_model *model) {
    ny_status st = NY_OK;
    const ny_rows *rows = ny_judged_rows(sel, &sel->rows->all);
    int64_t q = sel->setup->outputs, n = rows->n, crossed = 0;
    double *f = NULL;
    ny_error_sums sums = {0};
    ny_setup sharp = *sel->setup;
    ny_loss_params *loss = NULL;
    NY_NEW_RAW(sel->ctx, f, q);
    NY_NEW_RAW(sel->ctx, loss, q);
    sharp.loss = loss;
    for (int64_t j = 0; j < q; j++) loss[j] = (ny_loss_params){sel->setup->loss[j].loss, 0, sel->setup->loss[j].level};
    for (int64_t i = 0; i < n; i++) {
        for (int64_t j = 0; j < q; j++) f[j] = sel->found.best.held[i + j * n];
        bool judged = i >= rows->unjudged;
        crossed += ny_quantiles_order(q, f) && judged;
        for (int64_t j = 0; j < q; j++) sel->found.best.held[i + j * n] = f[j];
    }
    NY_TRY(ny_error_add(sel->ctx, &sharp, rows, sel->found.best.held, &sums));
    ny_error_end(&sharp, &sums, &sel->found.best);
    if (q > 1) model->record->loss.crossed = (double)crossed / (double)(n - rows->unjudged);
    if (crossed)
        NY_TRY(ny_record_note(sel->ctx, model->record, "quantiles crossed in %.2g%% of the rows and were put in order",
                              100 * model->record->loss.crossed));
done:
    ny_free(f);
    ny_free(loss);
    return st;
}

ny_status ny_confidence_make(ny_selection *sel, const ny_data *data, ny_model *model) {
    ny_status st = NY_OK;
    ny_ctx *ctx = sel->ctx;
    bool known = sel->found.best.posterior.r > 0;
    if (sel->setup->posterior == NY_POSTERIOR_SMALL && !known)
        NY_TRY(ny_record_note(ctx, model->record,
                              "no posterior is kept for predict --interval: it would take %.0f MB (--posterior yes)",
                              8e-6 * (double)sel->found.best.landmarks * (double)sel->found.best.rank));
    if (known && !sel->setup->classes) NY_TRY(learn_quantiles(sel, model));
    if (sel->setup->classes && sel->setup->options->proba_method == NY_PROBA_POSTERIOR) {
        NY_NEW_RAW(ctx, model->moderation, sel->setup->outputs);
        for (int64_t j = 0; j < sel->setup->outputs; j++) model->moderation[j] = moderation_of(sel, j);
    }
    if (model->quantiles) NY_TRY(order_quantiles(sel, model));
    NY_TRY(ny_expected_find(sel, data, model));
    model->posterior = sel->found.best.posterior;
    sel->found.best.posterior = (ny_posterior){0};
    ny_free(model->posterior.leverage);
    model->posterior.leverage = NULL;
done:
    return st;
}

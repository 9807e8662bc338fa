/* expected.c: see expected.h; docs/math.md, "How sure the error is". */
#include "expected.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/order.h"
#include "criterion/posterior_make.h"
#include "linalg/linalg.h"
#include "machine/decide.h"
#include "prepare.h"
#include "search/fit.h"
#include "search/metric.h"

enum { FITTED_ROWS = 500 }; /* of which the trained machine's own outputs are looked at */

typedef struct { /* held-out losses in units (base/mean_limits.h) */
    ny_selection *sel;
    const ny_model *model;
    const ny_rows *rows; /* that have held-out outputs */
    int64_t units;
    double *weight, *loss;             /* units: sums of v and v l */
    double *base, *gain;               /* the same of the baseline, and how much more that is */
    double *class_weight;              /* classes: that the rows' weights have in them */
    double *plain_weight, *plain_loss; /* units: without it */
    double *quantile;                  /* outputs: those of the targets, for a quantile machine */
    double mean, total;                /* of the targets, weighted; and the weight */
    int64_t usual;                     /* the most frequent class */
    double *said, *is;                 /* classes: weight of the rows that are said to be, and that are of each */
    double *f, *scratch, *p;           /* of one row */
} losses;

static ny_status losses_new(ny_selection *sel, const ny_data *data, const ny_model *model, losses *l) {
    ny_status st = NY_OK;
    ny_ctx *ctx = sel->ctx;
    *l = (losses){.sel = sel, .model = model, .rows = ny_judged_rows(sel, &sel->rows->all)};
    l->units = ny_units(l->rows->n);
    NY_NEW(ctx, l->weight, l->units);
    NY_NEW(ctx, l->loss, l->units);
    NY_NEW(ctx, l->base, l->units);
    NY_NEW(ctx, l->gain, l->units);
    NY_NEW(ctx, l->plain_weight, l->units);
    NY_NEW(ctx, l->plain_loss, l->units);
    NY_NEW_RAW(ctx, l->class_weight, sel->setup->classes + 1);
    NY_NEW(ctx, l->quantile, sel->setup->outputs);
    NY_NEW(ctx, l->said, sel->setup->classes + 1);
    NY_NEW(ctx, l->is, sel->setup->classes + 1);
    NY_NEW_RAW(ctx, l->f, 2 * sel->setup->outputs);
    NY_NEW_RAW(ctx, l->scratch, ny_decide_scratch(model));
    NY_NEW_RAW(ctx, l->p, sel->setup->classes + 1);
    NY_TRY(ny_class_weights(ctx, data, sel->setup->options->class_weight, sel->setup->classes, l->class_weight));
done:
    return st;
}

static void losses_clear(losses *l) {
    ny_free(l->weight);
    ny_free(l->loss);
    ny_free(l->base);
    ny_free(l->gain);
    ny_free(l->plain_weight);
    ny_free(l->plain_loss);
    ny_free(l->class_weight);
    ny_free(l->quantile);
    ny_free(l->said);
    ny_free(l->is);
    ny_free(l->f);
    ny_free(l->scratch);
    ny_free(l->p);
}

/* ---- the baseline --------------------------------------------------------------------------------------------- */

typedef struct {
    double target, weight; /* the target first: `ascending` looks at it */
} weighed;

static ny_status quantiles_of(losses *l) {
    ny_status st = NY_OK;
    const ny_rows *rows = &l->sel->rows->all;
    weighed *w = NULL;
    NY_NEW_RAW(l->sel->ctx, w, rows->n);
    for (int64_t i = 0; i < rows->n; i++) w[i] = (weighed){rows->y[i], rows->u[i] * rows->u[i]};
    qsort(w, (size_t)rows->n, sizeof *w, ny_ascending);
    for (int64_t j = 0; j < l->sel->setup->outputs; j++) {
        double below = 0;
        int64_t i = 0;
        while (i < rows->n - 1 && (below += w[i].weight) < l->model->quantiles[j] * l->total) i++;
        l->quantile[j] = w[i].target;
    }
done:
    ny_free(w);
    return st;
}

/* What does not look at the inputs: the mean of the targets, their quantiles, or the most frequent class. */
static ny_status learn_baseline(losses *l) {
    const ny_rows *rows = &l->sel->rows->all;
    const double *share = l->model->prior ? l->model->prior : l->model->frequency;
    for (int64_t i = 0; i < rows->n; i++) l->total += rows->u[i] * rows->u[i];
    for (int64_t i = 0; rows->y && i < rows->n; i++) l->mean += rows->u[i] * rows->u[i] / l->total * rows->y[i];
    for (int64_t k = 1; k < l->sel->setup->classes; k++)
        if (share[k] > share[l->usual] * (1 + 1e-9)) l->usual = k; /* equal but for rounding: the first */
    return l->model->quantiles ? quantiles_of(l) : NY_OK;
}

/* y_i - mean of the other rows = (y_i - mean) V / (V - v_i), for rows that are learnt from. The most frequent class is
 * not held out: where classes are equally frequent leaving out a row would make its class the rarer one every time. */
static double baseline_loss(const losses *l, int64_t i) {
    const ny_rows *rows = l->rows;
    if (l->sel->setup->classes) return rows->code[i] != l->usual;
    double v = rows->u[i] * rows->u[i], y = rows->y[i], sum = 0;
    for (int64_t j = 0; j < l->sel->setup->outputs && l->model->quantiles; j++) {
        double e = y - l->quantile[j], tau = l->model->quantiles[j];
        sum += fmax(tau * e, (tau - 1) * e) / (double)l->sel->setup->outputs;
    }
    double e = y - l->mean;
    if (!ny_setup_validates(l->sel->setup)) e = e * l->total / (l->total - v);
    return l->model->quantiles ? sum : e * e;
}

/* ---- the model ------------------------------------------------------------------------------------------------ */

/* What the model says of row i, held out. */
static int64_t decision(const losses *l, int64_t i) {
    const ny_selection *sel = l->sel;
    const ny_model *model = l->model;
    const ny_rows *rows = l->rows;
    const ny_solution *best = &sel->found.best;
    int64_t q = sel->setup->outputs, n = rows->n;
    for (int64_t j = 0; j < q; j++) {
        l->f[j] = best->held[i + j * n];
        if (model->moderation)
            l->f[q + j] = ny_posterior_held(&best->posterior, best->C, n, i, j, best->unseen[i], rows->u[i]);
    }
    bool by_probability = model->link || model->moderation || model->prior;
    return by_probability ? ny_decide(model, model->prior, l->f, l->f + q, l->scratch, l->p)
                          : ny_codes_decide(sel->setup->coding, sel->setup->classes, l->f);
}

static double quantile_loss(const losses *l, int64_t i) {
    const ny_rows *rows = l->rows;
    double sum = 0;
    for (int64_t j = 0; j < l->sel->setup->outputs; j++) {
        double e = rows->y[i] - l->sel->found.best.held[i + j * rows->n], tau = l->model->quantiles[j];
        sum += fmax(tau * e, (tau - 1) * e) / (double)l->sel->setup->outputs;
    }
    return sum;
}

/* Sums of all rows, in the population of the prior: a row of class k counts prior_k / frequency_k times.   eq. 61 */
static void sum_up(losses *l) {
    const ny_rows *rows = l->rows;
    const ny_model *model = l->model;
    for (int64_t i = 0; i < rows->n; i++) {
        int64_t u = ny_unit(rows, i), k = rows->code ? rows->code[i] : 0;
        double v = ny_judged_weight(rows, i), loss;
        double plain = l->sel->setup->classes ? v / l->class_weight[k] : v;
        if (model->prior) v *= model->prior[k] / model->frequency[k];
        if (l->sel->setup->classes) {
            int64_t said = decision(l, i);
            l->said[said] += v;
            l->is[k] += v;
            loss = said != k;
        } else {
            double e = rows->y[i] - l->sel->found.best.held[i];
            loss = model->quantiles ? quantile_loss(l, i) : e * e;
        }
        l->weight[u] += v;
        l->loss[u] += v * loss;
        l->base[u] += v * baseline_loss(l, i);
        l->plain_weight[u] += plain;
        l->plain_loss[u] += plain * loss;
    }
    for (int64_t u = 0; u < l->units; u++) l->gain[u] = l->base[u] - l->loss[u];
}

/* The error of decisions that say each class as often as these do, but know nothing of the row:
 *
 *     1 - sum_k (share that is said to be k) (share that is k)
 *
 * Held-out decisions can be worse, up to 100%: leaving out a row makes its class rarer, and where there is nothing else
 * to go by the machine then says another one, every time. On fresh rows it does not: it cannot know less than nothing.
 */
static double blind_error(const losses *l) {
    double all = 0, right = 0;
    for (int64_t k = 0; k < l->sel->setup->classes; k++) all += l->is[k];
    for (int64_t k = 0; k < l->sel->setup->classes; k++) right += l->said[k] / all * l->is[k] / all;
    return 1 - right;
}

/* What the machine has learnt of its own rows, from the errors e of the trained machine and e' held out of some rows:
 * of squared loss e_i = (1 - h_i) e'_i, so
 *
 *     rho = 1 - sum v_i e_i e'_i / sum v_i e'_i^2
 *
 * is a mean of leverages. Of n independent normal errors n rho are spent; the mean square of the rest varies as that of
 * n (1 - rho), and the error that the machine really has, by what it has learnt from the noise, by rho more:
 *
 *     variance of the mean held-out loss about the true one = (1 / (1 - rho) + rho) times that of independent ones */
static ny_status excess_variance(ny_selection *sel, double *variance) {
    ny_status st = NY_OK;
    const ny_rows *all = &sel->rows->all;
    const ny_solution *s = &sel->found.best;
    int64_t q = sel->setup->outputs, n = all->n, step = n / FITTED_ROWS + 1, count = (n + step - 1) / step,
            *some = NULL;
    const ny_matrix *Z = &s->f.Z;
    ny_kernel_side zs = {0}, xs = {0};
    ny_matrix X = {0};
    ny_targets target;
    double *K = NULL, *F = NULL, both = 0, held = 0;
    NY_NEW_RAW(sel->ctx, some, count);
    NY_NEW_RAW(sel->ctx, K, ny_size3(Z->n, count, 1));
    NY_NEW_RAW(sel->ctx, F, ny_size3(count, q, 1));
    for (int64_t k = 0; k < count; k++) some[k] = k * step;
    NY_TRY(ny_matrix_gather(sel->ctx, &all->X, some, count, &X));
    NY_TRY(ny_kernel_prepare(sel->ctx, Z, true, &zs));
    NY_TRY(ny_kernel_prepare(sel->ctx, &X, false, &xs));
    ny_kernel_matrix(&s->f.kernel, &zs, &xs, false, K, Z->n);
    ny_gemm(true, false, count, q, Z->n, 1.0, K, Z->n, s->f.beta, Z->n, 0.0, F, count);
    for (int64_t j = 0; j < q; j++) {
        ny_targets_of(sel->setup, all, j, &target);
        for (int64_t k = 0; k < count; k++) {
            int64_t i = some[k];
            double v = all->u[i] * all->u[i], y = ny_target(&target, i), e = y - s->held[i + j * n];
            if (y == 0 && sel->setup->classes) continue;
            both += v * e * (y - F[k + j * count] - s->f.b[j]);
            held += v * e * e;
        }
    }
    double rho = held > 0 ? fmin(fmax(1 - both / held, 0), 0.95) : 0; /* beyond, the machine knows its rows by heart */
    *variance = 1 / (1 - rho) + rho;
done:
    ny_kernel_release(&zs);
    ny_kernel_release(&xs);
    ny_matrix_clear(&X);
    ny_free(some);
    ny_free(K);
    ny_free(F);
    return st;
}

/* ---- the record ----------------------------------------------------------------------------------------------- */

/* Limits of the sample's error, for all of the rows where they came in passes. */
static ny_between of_all_rows(const ny_selection *sel, double here, double all, ny_between limits) {
    double f = sqrt((double)sel->rows->all.n / (double)sel->rows->n);
    if (sel->rows->n == sel->rows->all.n || !(here > 0) || !(all > 0)) return limits;
    return (ny_between){all * pow(limits.lower / here, f), all * pow(limits.upper / here, f)};
}

/* Those of classes are Wilson's, the upper one of the share and the optimism. */
static ny_status find_limits(losses *l, ny_between *limits, double *optimism) {
    ny_status st = NY_OK;
    ny_selection *sel = l->sel;
    ny_sample sample = {l->units, l->weight,       l->loss, sel->found.tried.count, sel->found.tried.machine,
                        1,        sel->setup->seed};
    if (l->model->prior) sample.contenders = 0; /* their weights are not those of the prior's population */
    NY_TRY(ny_optimism(sel->ctx, &sample, optimism));
    if (sel->setup->classes) {
        double all = (double)(ny_setup_validates(sel->setup) ? l->rows->n : sel->rows->n);
        double n = ny_effective_rows(l->units, l->weight) * all / (double)l->units;
        if (l->units < l->rows->n) n *= 1 - (double)l->rows->unjudged / (double)l->rows->n;
        limits->lower = ny_wilson(sel->found.best.error, n).lower;
        limits->upper = ny_wilson(fmin(sel->found.best.error + *optimism, 1), n).upper;
        sel->found.best.std_error = ny_share_error(sel->found.best.error, n);
        goto done;
    }
    if (!sel->setup->criterion->one_sided) NY_TRY(excess_variance(sel, &sample.variance)); /* else one machine: 1 */
    NY_TRY(ny_mean_limits(sel->ctx, &sample, limits));
    double mean = ny_standing_of(l->units, l->weight, l->loss).mean;
    if (!l->model->quantiles) {
        limits->lower = sqrt(limits->lower);
        limits->upper = sqrt(limits->upper);
        mean = sqrt(mean);
    }
    *limits = of_all_rows(sel, mean, sel->found.best.error, *limits);
done:
    return st;
}

/* Held-out losses are too small by what weights for the columns, which were learnt from the same rows, have gained by
 * chance (search/metric.h). */
static double learnt_weights(const ny_selection *sel, const ny_record *r) {
    int64_t weights = 0;
    for (int64_t c = 0; c < r->columns; c++) weights += r->column[c].relevance > 0;
    return ny_metric_penalty(weights, sel->rows->n);
}

static double root(const losses *l, double mean) {
    return l->sel->setup->classes || l->model->quantiles ? mean : sqrt(mean);
}

ny_status ny_expected_find(ny_selection *sel, const ny_data *data, ny_model *model) {
    ny_status st = NY_OK;
    losses l = {0};
    ny_between limits;
    double optimism;
    ny_record *r = model->record;
    ny_expected *e = &r->expected;
    bool again = model->link || model->moderation || model->prior;
    NY_TRY(losses_new(sel, data, model, &l));
    NY_TRY(learn_baseline(&l));
    sum_up(&l);
    if (again) sel->found.best.error = ny_standing_of(l.units, l.weight, l.loss).mean;
    if (sel->setup->classes) sel->found.best.error = fmin(sel->found.best.error, blind_error(&l));
    NY_TRY(find_limits(&l, &limits, &optimism));
    double penalty = root(&l, learnt_weights(sel, r));
    sel->found.best.error *= penalty;
    e->error_lower = limits.lower * penalty;
    e->error_upper = limits.upper * penalty;
    if (sel->setup->classes) {
        sel->found.best.error = fmin(sel->found.best.error, 1);
        e->error_upper = fmin(e->error_upper, 1);
    }
    e->baseline_error = root(&l, ny_standing_of(l.units, l.weight, l.base).mean);
    e->baseline_gain = ny_gain(l.units, l.weight, l.gain, optimism);
    bool weighted = sel->setup->classes && strcmp(sel->setup->options->class_weight, "none") != 0;
    e->plain_error = weighted ? ny_standing_of(l.units, l.plain_weight, l.plain_loss).mean : NAN;
    if (e->baseline_gain >= NY_GAIN_LEAST) goto done;
    if (sel->setup->classes)
        NY_TRY(ny_record_note(sel->ctx, r, "the model is no better than always saying '%s'", model->label[l.usual]));
    else
        NY_TRY(ny_record_note(sel->ctx, r, "the model is no better than always saying the %s of the targets",
                              model->quantiles ? "quantiles" : "mean"));
done:
    losses_clear(&l);
    return st;
}

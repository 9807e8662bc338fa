/* metrics.c: how good predictions are. */
#include "metrics.h"

#include <math.h>
#include <stdlib.h>

#include "base/mean_limits.h"

static double weight(const double *v, int64_t i) {
    return v ? v[i] : 1;
}

/* ---- area under the ROC curve --------------------------------------------------------------------------------- */

typedef struct scored {
    double score, positive, negative; /* one of the two weights is 0 */
} scored;

static int by_score(const void *a, const void *b) {
    double x = ((const scored *)a)->score, y = ((const scored *)b)->score;
    return (x > y) - (x < y);
}

/* The share of (positive, negative) pairs with the positive one above, ties half:
 *     auc = sum over groups of equal score of P_g (N_below + N_g / 2) / (P N)                                       */
ny_status ny_auc(ny_ctx *ctx, int64_t n, const double *score, const int32_t *positive, const double *v, double *auc) {
    ny_status st = NY_OK;
    scored *row;
    NY_NEW_RAW(ctx, row, n);
    for (int64_t i = 0; i < n; i++)
        row[i] = (scored){score[i], positive[i] ? weight(v, i) : 0, positive[i] ? 0 : weight(v, i)};
    qsort(row, (size_t)n, sizeof *row, by_score);
    double pairs = 0, P = 0, N = 0;
    for (int64_t first = 0, next; first < n; first = next) {
        double P_g = 0, N_g = 0;
        for (next = first; next < n && row[next].score == row[first].score; next++) {
            P_g += row[next].positive;
            N_g += row[next].negative;
        }
        if (next == first) next++; /* a score that is not a number equals nothing, not even itself */
        pairs += P_g * (N + N_g / 2);
        P += P_g;
        N += N_g;
    }
    *auc = P > 0 && N > 0 ? pairs / (P * N) : NAN;
    ny_free(row);
done:
    return st;
}

/* Two classes: the area for class 1. More: the mean over the classes that occur of the area of one against the rest. */
static ny_status mean_auc(ny_ctx *ctx, const ny_guesses *g, double *auc) {
    ny_status st = NY_OK;
    double *score = NULL, sum = 0;
    int32_t *positive = NULL;
    int64_t defined = 0;
    NY_NEW_RAW(ctx, score, g->n);
    NY_NEW_RAW(ctx, positive, g->n);
    for (int64_t k = g->classes == 2 ? 1 : 0; k < g->classes; k++) {
        double area;
        for (int64_t i = 0; i < g->n; i++) {
            score[i] = g->proba[i * g->classes + k];
            positive[i] = g->truth[i] == k;
        }
        NY_TRY(ny_auc(ctx, g->n, score, positive, g->v, &area));
        if (isnan(area)) continue;
        sum += area;
        defined++;
    }
    *auc = defined > 0 ? sum / (double)defined : NAN;
done:
    ny_free(score);
    ny_free(positive);
    return st;
}

/* ---- classes -------------------------------------------------------------------------------------------------- */

/* Mean over the classes that occur of the share of their weight that was predicted right. */
static ny_status balanced_accuracy(ny_ctx *ctx, const ny_guesses *g, double *accuracy) {
    ny_status st = NY_OK;
    double *total = NULL, *right = NULL, sum = 0;
    int64_t present = 0;
    NY_NEW(ctx, total, g->classes);
    NY_NEW(ctx, right, g->classes);
    for (int64_t i = 0; i < g->n; i++) {
        total[g->truth[i]] += weight(g->v, i);
        if (g->truth[i] == g->predicted[i]) right[g->truth[i]] += weight(g->v, i);
    }
    for (int64_t k = 0; k < g->classes; k++) {
        if (!(total[k] > 0)) continue;
        sum += right[k] / total[k];
        present++;
    }
    *accuracy = present > 0 ? sum / (double)present : NAN;
done:
    ny_free(total);
    ny_free(right);
    return st;
}

/* - mean log p(truth), with p kept away from 0 and 1 so that one sure mistake does not make it infinite. */
static double log_loss(const ny_guesses *g) {
    const double tiny = 1e-15;
    double loss = 0, total = 0;
    for (int64_t i = 0; i < g->n; i++) {
        double p = fmin(fmax(g->proba[i * g->classes + g->truth[i]], tiny), 1 - tiny);
        loss -= weight(g->v, i) * log(p);
        total += weight(g->v, i);
    }
    return total > 0 ? loss / total : NAN;
}

/* 0 .. 2; for two classes twice the squared error of either probability. */
static double brier(const ny_guesses *g) {
    double loss = 0, total = 0;
    for (int64_t i = 0; i < g->n; i++) {
        double sum = 0;
        for (int64_t k = 0; k < g->classes; k++) {
            double e = g->proba[i * g->classes + k] - (g->truth[i] == k ? 1 : 0);
            sum += e * e;
        }
        loss += weight(g->v, i) * sum;
        total += weight(g->v, i);
    }
    return total > 0 ? loss / total : NAN;
}

static void reliability(const ny_guesses *g, ny_reliability bin[NY_RELIABILITY]) {
    double total[NY_RELIABILITY] = {0};
    for (int64_t i = 0; i < g->n; i++) {
        double p = g->proba[i * g->classes + g->predicted[i]];
        int at = p > 0 ? (int)fmin(p * NY_RELIABILITY, NY_RELIABILITY - 1) : 0;
        bin[at].rows++;
        bin[at].predicted += weight(g->v, i) * p;
        bin[at].observed += g->truth[i] == g->predicted[i] ? weight(g->v, i) : 0;
        total[at] += weight(g->v, i);
    }
    for (int b = 0; b < NY_RELIABILITY; b++) {
        bin[b].predicted = total[b] > 0 ? bin[b].predicted / total[b] : NAN;
        bin[b].observed = total[b] > 0 ? bin[b].observed / total[b] : NAN;
    }
}

ny_status ny_metrics_classes(ny_ctx *ctx, const ny_guesses *g, ny_metrics *m) {
    ny_status st = NY_OK;
    *m = (ny_metrics){.rows = g->n, .classes = g->classes, .mse = NAN, .rmse = NAN, .mae = NAN, .r2 = NAN};
    m->auc = m->log_loss = m->brier = NAN;
    NY_NEW(ctx, m->confusion, ny_size3(g->classes, g->classes, 1));
    double wrong = 0, total = 0;
    for (int64_t i = 0; i < g->n; i++) {
        m->confusion[g->truth[i] * g->classes + g->predicted[i]]++;
        if (g->truth[i] != g->predicted[i]) wrong += weight(g->v, i);
        total += weight(g->v, i);
    }
    m->error = total > 0 ? wrong / total : NAN;
    NY_TRY(balanced_accuracy(ctx, g, &m->balanced_accuracy));
    if (!g->proba) goto done;
    m->log_loss = log_loss(g);
    m->brier = brier(g);
    reliability(g, m->reliability);
    NY_TRY(mean_auc(ctx, g, &m->auc));
done:
    if (st != NY_OK) ny_metrics_clear(m);
    return st;
}

/* ---- regression ----------------------------------------------------------------------------------------------- */

/* r2 = 1 - sum v (y - f)^2 / sum v (y - mean y)^2; without meaning where y is constant. Errors are measured in units of
 * the largest one, so that squares of very large and very small targets stay within the range of numbers. */
void ny_metrics_regression(int64_t n, const double *truth, const double *predicted, const double *v, ny_metrics *m) {
    *m = (ny_metrics){.rows = n, .error = NAN, .balanced_accuracy = NAN, .auc = NAN, .log_loss = NAN, .brier = NAN};
    double total = 0, mean = 0, squares = 0, absolute = 0, spread = 0, unit = 0;
    bool constant = true;
    for (int64_t i = 0; i < n; i++) total += weight(v, i);
    for (int64_t i = 0; i < n; i++) mean += weight(v, i) / total * truth[i];
    for (int64_t i = 0; i < n; i++) unit = fmax(unit, fmax(fabs(truth[i] - predicted[i]), fabs(truth[i] - mean)));
    if (!(unit > 0) || !isfinite(unit)) unit = 1;
    for (int64_t i = 0; i < n; i++) {
        double e = (truth[i] - predicted[i]) / unit, t = (truth[i] - mean) / unit;
        squares += weight(v, i) * e * e;
        absolute += weight(v, i) * fabs(e);
        spread += weight(v, i) * t * t;
        constant = constant && truth[i] == truth[0];
    }
    m->rmse = total > 0 ? unit * sqrt(squares / total) : NAN;
    m->mse = m->rmse * m->rmse;
    if (m->rmse > 0 && m->mse == 0) m->mse = NAN; /* too small for a number */
    m->mae = total > 0 ? unit * (absolute / total) : NAN;
    m->r2 = !constant && spread > 0 ? 1 - squares / spread : NAN;
}

ny_status ny_metrics_compare(ny_ctx *ctx, int64_t n, const double *loss, const double *baseline, const double *v,
                             ny_metrics *m) {
    ny_status st = NY_OK;
    int64_t units = n < NY_UNITS ? n : NY_UNITS;
    double *sum = NULL;
    ny_between limits = {NAN, NAN};
    NY_NEW(ctx, sum, 4 * units);
    double *V = sum, *L = V + units, *B = L + units, *gain = B + units;
    for (int64_t i = 0; i < n; i++) {
        int64_t u = i % units;
        V[u] += weight(v, i);
        L[u] += weight(v, i) * loss[i];
        B[u] += weight(v, i) * baseline[i];
    }
    for (int64_t u = 0; u < units; u++) gain[u] = B[u] - L[u];
    ny_sample sample = {.units = units, .weight = V, .loss = L, .variance = 1};
    double rows = ny_effective_rows(units, V) * (double)n / (double)units;
    if (m->classes) limits = ny_wilson(m->error, rows);
    else NY_TRY(ny_mean_limits(ctx, &sample, &limits));
    m->error_lower = m->classes ? limits.lower : sqrt(limits.lower);
    m->error_upper = m->classes ? limits.upper : sqrt(limits.upper);
    m->baseline_error = ny_standing_of(units, V, B).mean;
    if (!m->classes) m->baseline_error = sqrt(m->baseline_error);
    m->baseline_gain = ny_gain(units, V, gain, 0);
done:
    ny_free(sum);
    return st;
}

void ny_metrics_interval(int64_t n, const double *truth, const double *lower, const double *upper, const double *v,
                         double level, ny_metrics *m) {
    double inside = 0, width = 0, total = 0;
    for (int64_t i = 0; i < n; i++) {
        inside += truth[i] >= lower[i] && truth[i] <= upper[i] ? weight(v, i) : 0;
        width += weight(v, i) * (upper[i] - lower[i]);
        total += weight(v, i);
    }
    m->interval = level;
    m->coverage = total > 0 ? inside / total : NAN;
    m->mean_width = total > 0 ? width / total : NAN;
}

/* pinball = mean of max(tau (y - f), (tau - 1) (y - f)) */
ny_status ny_metrics_quantiles(ny_ctx *ctx, const ny_quantile_guesses *g, ny_metrics *m) {
    ny_status st = NY_OK;
    NY_NEW(ctx, m->quantile, g->q);
    m->quantiles = g->q;
    for (int64_t j = 0; j < g->q; j++) {
        double loss = 0, below = 0, total = 0;
        for (int64_t i = 0; i < g->n; i++) {
            double e = g->truth[i] - g->F[i * g->q + j];
            loss += weight(g->v, i) * fmax(g->quantile[j] * e, (g->quantile[j] - 1) * e);
            below += e <= 0 ? weight(g->v, i) : 0;
            total += weight(g->v, i);
        }
        m->quantile[j] =
            (ny_quantile_metrics){g->quantile[j], total > 0 ? loss / total : NAN, total > 0 ? below / total : NAN};
    }
done:
    return st;
}

void ny_metrics_clear(ny_metrics *m) {
    ny_free(m->confusion);
    ny_free(m->quantile);
    *m = (ny_metrics){0};
}

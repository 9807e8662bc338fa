/* plugin.c: the solve-the-equation plug-in bandwidth (Sheather & Jones 1991; De Brabanter et al. 2010, Algorithm 2).
 *
 * With psi_r(g) the density functional estimated with bandwidth g (docs/math.md, eq. 44):
 *
 *     scale = min(sd, IQR / 1.349),     a = 1.24 scale n^(-1/7),     b = 1.23 scale n^(-1/9)                   eq. 45
 *     h solves   h = ( 1 / (2 sqrt(pi) n psi_4(g(h))) )^(1/5),   g(h) = 1.357 (psi_4(a) / -psi_6(b))^(1/7) h^(5/7)
 *                                                                                                              eq. 46
 * The constants are those of the paper for the normal kernel, rounded as R rounds them: (16) with (17) gives
 * a = (6.4 / sqrt 2)^(1/7) = 1.2407 and b = (960 / (105 sqrt 2))^(1/9) = 1.2305 times scale and power of n; (15) with
 * h_AMSE gives (12 / sqrt 2)^(1/7) = 1.3573 and R(kappa) = 1 / (2 sqrt pi). Only the divisor differs: n^2 in the
 * paper's (14), n (n-1) in Sheather & Jones and in R and here; h changes by a factor 1 + 1/(5n), less than R's 0.5%
 * from n = 40 on. */
#include "plugin.h"

#include <float.h>
#include <math.h>

#include "density.h"

enum { WIDENINGS = 99, HALVINGS = 60 };
static const double FINE = 32; /* bins within g: see density.h */

typedef struct {
    double n, scale, a, b; /* eq. 45 */
    double h, g;           /* the solution of eq. 46; 0 when there is none */
} rule;

/* The right side of eq. 46 less h. */
static double gap_at(const ny_distances *d, double ratio, double h) {
    double g = ratio * pow(h, 5.0 / 7);
    return pow(1 / (2 * sqrt(M_PI) * (double)d->n * ny_density_functional(d, 4, g)), 0.2) - h;
}

/* Widens [0.1, 1] hmax by turns above and below until the gap changes its sign, as R does; then halves it, in log h. A
 * column with many ties may have three solutions: after a widening the one in the strip that was added counts. */
static void solve(const ny_distances *d, rule *r) {
    double td = -ny_density_functional(d, 6, r->b), sd = ny_density_functional(d, 4, r->a);
    double ratio = 1.357 * pow(sd / td, 1.0 / 7), upper = 1.144 * r->scale * pow(r->n, -0.2), lower = 0.1 * upper;
    r->h = r->g = 0;
    if (!(td > 0) || !isfinite(td) || !isfinite(ratio)) return;
    double low = gap_at(d, ratio, lower), high = gap_at(d, ratio, upper);
    for (int k = 1; low * high > 0 && k <= WIDENINGS; k++) {
        double was = k % 2 ? high : low;
        if (k % 2) high = gap_at(d, ratio, upper *= 1.2);
        else low = gap_at(d, ratio, lower /= 1.2);
        if (low * high > 0) continue;
        if (k % 2) lower = upper / 1.2, low = was;
        else upper = lower * 1.2;
    }
    if (!(low * high <= 0)) return;
    for (int k = 0; k < HALVINGS && upper > lower * (1 + 1e-7); k++) {
        double middle = sqrt(lower * upper), gap = gap_at(d, ratio, middle);
        if (low * gap > 0) lower = middle, low = gap;
        else upper = middle;
    }
    r->h = sqrt(lower * upper);
    r->g = ratio * pow(r->h, 5.0 / 7);
}

/* Value at share p of the sorted numbers, between two of them linearly (R's type 7). */
static double quantile(int64_t n, const double *sorted, double p) {
    double at = p * (double)(n - 1);
    int64_t k = (int64_t)at;
    return k + 1 < n ? sorted[k] + (at - (double)k) * (sorted[k + 1] - sorted[k]) : sorted[k];
}

static double standard_deviation(int64_t n, const double *x) {
    double mean = 0, sum = 0;
    for (int64_t i = 0; i < n; i++) mean += x[i] / (double)n;
    for (int64_t i = 0; i < n; i++) sum += (x[i] - mean) * (x[i] - mean);
    return sqrt(sum / (double)(n - 1));
}

/* 1.06 sd n^(-1/5): eq. 46 for a normal density. */
static double reference(double n, double sd) {
    return 1.06 * sd * pow(n, -0.2);
}

/* The grid follows the smallest bandwidth that is used on it, which is known only when eq. 46 is solved. */
static ny_status plug_in(ny_ctx *ctx, int64_t n, const double *sorted, rule *r) {
    ny_status st = NY_OK;
    ny_distances d = {0};
    double step = r->a / FINE;
    for (bool again = true; again;) {
        ny_distances_clear(&d);
        NY_TRY(ny_distances_make(ctx, n, sorted, step, 64 * r->b, &d));
        solve(&d, r);
        step = 0.99 * r->g / FINE;
        again = r->h > 0 && d.step * FINE > r->g && d.count < NY_BINS_MAX;
    }
    if (d.step > r->g / 8) r->h = 0;
done:
    ny_distances_clear(&d);
    return st;
}

ny_status ny_plugin_bandwidth(ny_ctx *ctx, int64_t n, const double *x, double *h) {
    ny_status st = NY_OK;
    double *sorted = NULL, *scratch = NULL, largest = 0, total = 0;
    for (int64_t i = 0; i < n; i++) largest = fmax(largest, fabs(x[i])), total += 0 * x[i];
    NY_CHECK(ctx, total == 0, NY_ERR_NUMERIC, "a bandwidth was asked for numbers that are not finite");
    *h = largest > 0 ? largest : 1;
    if (n < 2 || largest == 0) return NY_OK;
    NY_NEW_RAW(ctx, sorted, n);
    NY_NEW_RAW(ctx, scratch, n);
    for (int64_t i = 0; i < n; i++) sorted[i] = x[i] / largest; /* so that nothing overflows */
    ny_sort(n, sorted, scratch);
    if (sorted[0] == sorted[n - 1]) goto done;
    double sd = standard_deviation(n, sorted), iqr = quantile(n, sorted, 0.75) - quantile(n, sorted, 0.25);
    rule r = {.n = (double)n, .scale = fmin(sd, iqr / 1.349)};
    r.a = 1.24 * r.scale * pow(r.n, -1.0 / 7);
    r.b = 1.23 * r.scale * pow(r.n, -1.0 / 9);
    if (r.scale > 0) NY_TRY(plug_in(ctx, n, sorted, &r));
    *h = fmax(DBL_MIN, largest * (r.h > 0 ? r.h : reference(r.n, sd)));
done:
    ny_free(sorted);
    ny_free(scratch);
    return st;
}

/* ---- every input of a matrix ------------------------------------------------------------------------------------- */

/* Column j of X as n numbers. */
static void spread_column(const ny_matrix *X, int64_t j, double *x) {
    for (int64_t i = 0; i < X->n; i++) {
        if (!ny_matrix_is_sparse(X)) {
            x[i] = X->x[j + i * X->d];
            continue;
        }
        int64_t lo = X->ptr[i], hi = X->ptr[i + 1];
        while (lo < hi) { /* indices ascend */
            int64_t middle = (lo + hi) / 2;
            if (X->idx[middle] < j) lo = middle + 1;
            else hi = middle;
        }
        x[i] = lo < X->ptr[i + 1] && X->idx[lo] == j ? X->val[lo] : 0;
    }
}

/* entries[j]: how many of column j are stored; h[j]: the reference rule for it, from mean and variance. A column whose
 * variance overflows counts as full, and is left to the rule for one column. */
static void sparse_references(const ny_matrix *X, double *mean, int64_t *entries, double *h) {
    double n = (double)X->n;
    for (int64_t e = 0; e < X->ptr[X->n]; e++) mean[X->idx[e]] += X->val[e] / n, entries[X->idx[e]]++;
    for (int64_t j = 0; j < X->d; j++) h[j] = (n - (double)entries[j]) * mean[j] * mean[j];
    for (int64_t e = 0; e < X->ptr[X->n]; e++) {
        double v = X->val[e] - mean[X->idx[e]];
        h[X->idx[e]] += v * v;
    }
    for (int64_t j = 0; j < X->d; j++) {
        if (!isfinite(h[j])) entries[j] = X->n;
        h[j] = h[j] > 0 ? fmax(DBL_MIN, reference(n, sqrt(h[j] / (n - 1)))) : 1;
    }
}

ny_status ny_plugin_bandwidths(ny_ctx *ctx, const ny_matrix *X, double *h) {
    ny_status st = NY_OK;
    double *x = NULL, *mean = NULL;
    int64_t *entries = NULL;
    NY_NEW_RAW(ctx, x, X->n);
    if (ny_matrix_is_sparse(X)) {
        NY_NEW(ctx, mean, X->d + 1);
        NY_NEW(ctx, entries, X->d + 1);
        sparse_references(X, mean, entries, h);
    }
    for (int64_t j = 0; j < X->d; j++) {
        if (entries && 4 * entries[j] + 4 < X->n) continue;
        if (ny_should_stop(ctx)) NY_FAIL(ctx, NY_STOPPED, "stopped");
        spread_column(X, j, x);
        NY_TRY(ny_plugin_bandwidth(ctx, X->n, x, &h[j]));
    }
done:
    ny_free(x);
    ny_free(mean);
    ny_free(entries);
    return st;
}

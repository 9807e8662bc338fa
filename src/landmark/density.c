/* density.c: pairs by distance, listed or binned, and the sums over them. Linear binning with the autocorrelation of
 * the counts by FFT: Wand 1994, Fast computation of multivariate kernel estimators. */
#include "density.h"

#include <math.h>
#include <string.h>

#include "kernel/vexp.h"

/* The bits of a double in an order that agrees with its value's: negative numbers reversed, then positive ones. */
static uint64_t key_of(double v) {
    uint64_t bits;
    memcpy(&bits, &v, sizeof bits);
    return bits >> 63 ? ~bits : bits | 1ull << 63;
}

/* Radix sort, 11 bits at a time: O(n). Six passes, so the result is where it began. */
void ny_sort(int64_t n, double *x, double *scratch) {
    for (int shift = 0; shift < 64; shift += 11) {
        int64_t first[1 << 11] = {0}, sum = 0;
        for (int64_t i = 0; i < n; i++) first[key_of(x[i]) >> shift & 0x7ff]++;
        for (int b = 0; b < 1 << 11; b++) {
            int64_t count = first[b];
            first[b] = sum;
            sum += count;
        }
        for (int64_t i = 0; i < n; i++) scratch[first[key_of(x[i]) >> shift & 0x7ff]++] = x[i];
        double *t = x;
        x = scratch;
        scratch = t;
    }
}

typedef struct {
    double re, im;
} complex_number; /* <complex.h> has no CMPLX under clang */

/* z becomes its discrete Fourier transform, sum_k z_k exp(-2 pi i j k / n); n a power of two, w_k = exp(-2 pi i k / n)
 * for k < n/2. Cooley & Tukey 1965: bit-reversed order, then butterflies over ever longer blocks. */
static void fft(int64_t n, complex_number *z, const complex_number *w) {
    for (int64_t i = 1, j = 0; i < n; i++) {
        int64_t bit = n >> 1;
        for (; j & bit; bit >>= 1) j ^= bit;
        j ^= bit;
        if (i >= j) continue;
        complex_number t = z[i];
        z[i] = z[j];
        z[j] = t;
    }
    for (int64_t half = 1; half < n; half *= 2)
        for (int64_t first = 0; first < n; first += 2 * half)
            for (int64_t k = 0; k < half; k++) {
                complex_number a = z[first + k], b = z[first + k + half], c = w[k * (n / (2 * half))];
                complex_number t = {b.re * c.re - b.im * c.im, b.re * c.im + b.im * c.re};
                z[first + k] = (complex_number){a.re + t.re, a.im + t.im};
                z[first + k + half] = (complex_number){a.re - t.re, a.im - t.im};
            }
}

/* Every pair of distinct values v_i < v_j with counts w: 2 w_i w_j ordered pairs at v_j - v_i, w_i (w_i - 1) at 0. */
static ny_status list_pairs(ny_ctx *ctx, int64_t k, const double *value, const double *count, ny_distances *out) {
    ny_status st = NY_OK;
    int64_t at = 1;
    out->count = 1 + k * (k - 1) / 2;
    NY_NEW(ctx, out->at, out->count);
    NY_NEW(ctx, out->pairs, out->count);
    for (int64_t i = 0; i < k; i++) {
        out->pairs[0] += count[i] * (count[i] - 1);
        for (int64_t j = 0; j < i; j++, at++) {
            out->at[at] = value[i] - value[j];
            out->pairs[at] = 2 * count[i] * count[j];
        }
    }
done:
    return st;
}

/* z gets the counts; a value between two grid points counts for both, f for the upper and 1 - f for the lower one.
 * Returns the sum of f (1 - f), which is what a value's pair with itself leaks into lag 1 (and again into lag -1). */
static double spread(int64_t n, const double *sorted, double gap, double step, complex_number *z) {
    double position = 0, leak = 0;
    for (int64_t i = 0; i < n; i++) {
        if (i) position += fmin(sorted[i] - sorted[i - 1], gap);
        int64_t b = (int64_t)(position / step);
        double f = position / step - (double)b;
        z[b].re += 1 - f;
        z[b + 1].re += f;
        leak += f * (1 - f);
    }
    return leak;
}

/* Counts c_b of the bins; pairs at lag k: 2 sum_b c_b c_(b+k), from |FFT(c)|^2; less those of a value with itself. */
static ny_status bin_pairs(ny_ctx *ctx, int64_t n, const double *sorted, double step, double gap, ny_distances *out) {
    ny_status st = NY_OK;
    int64_t bins = NY_BINS_MIN;
    double range = 0;
    complex_number *z = NULL, *w = NULL;
    for (int64_t i = 1; i < n; i++) range += fmin(sorted[i] - sorted[i - 1], gap);
    while (bins < NY_BINS_MAX && range > step * (double)(bins - 2)) bins *= 2;
    int64_t length = 2 * bins; /* padded with zeros: no pair around the end */
    out->count = bins;
    out->step = range / (double)(bins - 2);
    NY_NEW(ctx, out->at, bins);
    NY_NEW(ctx, out->pairs, bins);
    NY_NEW(ctx, z, length);
    NY_NEW_RAW(ctx, w, bins);
    for (int64_t k = 0; k < bins; k++) {
        double angle = M_PI * (double)k / (double)bins;
        w[k] = (complex_number){cos(angle), -sin(angle)};
    }
    double leak = spread(n, sorted, gap, out->step, z);
    fft(length, z, w);
    for (int64_t k = 0; k < length; k++) z[k] = (complex_number){z[k].re * z[k].re + z[k].im * z[k].im, 0};
    fft(length, z, w); /* of a real, even sequence: the inverse but for the factor */
    for (int64_t k = 0; k < bins; k++) {
        out->at[k] = (double)k * out->step;
        out->pairs[k] = (k ? 2 : 1) * z[k].re / (double)length;
    }
    out->pairs[0] -= (double)n - 2 * leak;
    out->pairs[1] -= 2 * leak;
done:
    ny_free(z);
    ny_free(w);
    return st;
}

ny_status ny_distances_make(ny_ctx *ctx, int64_t n, const double *sorted, double step, double gap, ny_distances *out) {
    ny_status st = NY_OK;
    double value[NY_DISTINCT_MAX], count[NY_DISTINCT_MAX];
    int64_t distinct = 0;
    *out = (ny_distances){.n = n};
    for (int64_t i = 0; i < n && distinct <= NY_DISTINCT_MAX; i++) {
        if (i && sorted[i] == sorted[i - 1]) count[distinct - 1]++;
        else if (distinct++ < NY_DISTINCT_MAX) value[distinct - 1] = sorted[i], count[distinct - 1] = 1;
    }
    if (distinct <= NY_DISTINCT_MAX) NY_TRY(list_pairs(ctx, distinct, value, count, out));
    else NY_TRY(bin_pairs(ctx, n, sorted, step, gap, out));
done:
    if (st != NY_OK) ny_distances_clear(out);
    return st;
}

void ny_distances_clear(ny_distances *distances) {
    ny_free(distances->at);
    ny_free(distances->pairs);
    *distances = (ny_distances){0};
}

/* sum_k pairs_k p(t_k) exp(-t_k / 2) with t_k = (distance_k / g)^2, p a polynomial; nothing is left beyond 37 g. */
NY_CLONES static double sum_pairs(int64_t count, const double *at, const double *pairs, double g, const double *p) {
    double sum = 0;
#pragma omp simd reduction(+ : sum)
    for (int64_t k = 0; k < count; k++) {
        double t = at[k] / g * (at[k] / g);
        t = t < 1400 ? t : 1400;
        sum += pairs[k] * ny_vexp(-0.5 * t) * (p[0] + t * (p[1] + t * (p[2] + t * p[3])));
    }
    return sum;
}

/* phi^(r)(u) = p_r(u^2) phi(u), phi the normal density (Hermite polynomials):
 *
 *     psi_r(g) = 1 / (n (n-1) g^(r+1)) sum_i sum_j phi^(r)((x_i - x_j) / g)              docs/math.md, eq. 44 */
double ny_density_functional(const ny_distances *d, int r, double g) {
    static const double fourth[] = {3, -6, 1, 0}, sixth[] = {-15, 45, -15, 1};
    const double *p = r == 4 ? fourth : sixth;
    int64_t count = d->count;
    if (d->step > 0 && 38 * g / d->step < (double)count) count = 1 + (int64_t)(38 * g / d->step);
    double n = (double)d->n, sum = n * p[0] + sum_pairs(count, d->at, d->pairs, g, p);
    return sum / (n * (n - 1) * pow(g, r + 1) * sqrt(2 * M_PI));
}

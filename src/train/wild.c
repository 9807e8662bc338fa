/* wild.c: see wild.h.
 *
 * The errors of noise thin out: of the K that are larger than x0, about K (x0 / x)^a are larger than x, where a > 2 if
 * the noise has a variance, and a > 1 if it has a mean. Wrong targets do not thin out: between the last honest error
 * and the first wrong one there are next to none, and then there are many. So errors from x on are wild where for some
 * x0, K errors being larger than x0 and k of them at least x,
 *
 *     P(Binomial(K, (x0 / x)^2) >= k) <= exp(-K KL(k / K, (x0 / x)^2)) < 1% / pairs,      k / K > (x0 / x)^(1/2)
 *
 * Of noise that hardly has a variance that is a rare thing among all pairs x0 < x (the bound is Chernoff's), and they
 * thin out slower than any noise does that has a mean. Both hold for tails only: x0 is at least twice the scale of the
 * errors on the same side. The limit is in the widest gap, by ratio, from x0 to x of the least likely pair.
 *                                                                                          docs/math.md, eq. 114 */
#include "wild.h"

#include <math.h>
#include <stdlib.h>

static const double INNER = 2;     /* times the scale: here tails begin */
static const double VARIANCE = 2;  /* index of a tail that hardly has a variance */
static const double SLOW = 0.5;    /* index that no noise has */
static const double CHANCE = 0.01; /* that honest errors are called wild */
static const double DOUBT = 1;     /* and suspects */

static int descending(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x < y) - (x > y);
}

/* K KL(k / K, p), 0 where k / K <= p: the chance of k or more of K is exp(-this) at most. */
static double surprise(double k, double K, double p) {
    if (k <= K * p) return 0;
    double rest = k < K ? (K - k) * log((K - k) / (K * (1 - p))) : 0;
    return k * log(k / (K * p)) + rest;
}

/* How many of the `tail` sizes d, in descending order and all above `inner`, are wild. */
static int64_t count_wild(int64_t tail, const double *d, double inner, double chance) {
    double most = log((double)tail * (double)(tail + 1) / 2 / chance), widest = 0;
    int64_t first = 0, last = 0, wild = 0;
    for (int64_t K = 1; K <= tail; K++)
        for (int64_t k = 1; k <= K; k++) {
            double ratio = (K < tail ? d[K] : inner) / d[k - 1];
            if ((double)k <= (double)K * pow(ratio, SLOW)) continue;
            double here = surprise((double)k, (double)K, pow(ratio, VARIANCE));
            if (here > most) most = here, first = k, last = K;
        }
    for (int64_t k = first; first && k <= last; k++) {
        double ratio = d[k - 1] / (k < tail ? d[k] : inner);
        if (ratio > widest) widest = ratio, wild = k;
    }
    return wild;
}

/* The limit for sizes d in descending order. */
static double limit_of(int64_t count, const double *d, double scale, double chance, int groups) {
    double limit = INFINITY, inner = INNER * scale;
    int64_t tail = 0;
    while (tail < count && d[tail] > inner) tail++;
    for (int64_t wild = 1; wild > 0 && groups > 0; groups--) {
        wild = count_wild(tail, d, inner, chance);
        if (wild) limit = sqrt(d[wild - 1] * (wild < tail ? d[wild] : inner));
        d += wild;
        tail -= wild;
    }
    return limit;
}

typedef enum { ABOVE, BELOW, BOTH } side;

/* The sizes of the errors on a side, in descending order; how many. */
static int64_t sizes_of(int64_t n, const double *e, side which, double *d) {
    int64_t count = 0;
    for (int64_t i = 0; i < n; i++) {
        double size = which == ABOVE ? e[i] : which == BELOW ? -e[i] : fabs(e[i]);
        if (size > 0) d[count++] = size;
    }
    qsort(d, (size_t)count, sizeof *d, descending);
    return count;
}

/* Both sides together have more errors that may be wild. */
static ny_wild_limits limits_of(int64_t n, const double *e, const double *scale, double chance, int groups, double *d) {
    double limit[3];
    for (side s = ABOVE; s <= BOTH; s++) {
        int64_t count = sizes_of(n, e, s, d);
        limit[s] = limit_of(count, d, scale[s], chance, groups);
    }
    return (ny_wild_limits){-fmin(limit[BELOW], limit[BOTH]), fmin(limit[ABOVE], limit[BOTH])};
}

/* Each side has a scale of its own, since noise may be skewed. */
ny_wild_limits ny_wild_find(int64_t n, const double *e, double noise, int groups, double *d) {
    double scale[3] = {noise, noise, noise};
    for (side s = ABOVE; s <= BELOW; s++) {
        int64_t count = sizes_of(n, e, s, d);
        if (count) scale[s] = fmax(noise, d[count / 2] / 0.6745);
        scale[BOTH] = fmax(scale[BOTH], scale[s]);
    }
    return limits_of(n, e, scale, CHANCE, groups, d);
}

/* Wild errors on one side may be so many that its scale is theirs. */
ny_wild_limits ny_wild_suspect(int64_t n, const double *e, double noise, double *d) {
    const double scale[3] = {noise, noise, noise};
    return limits_of(n, e, scale, DOUBT, 1, d);
}

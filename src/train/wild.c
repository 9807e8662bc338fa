/* wild.c: see wild.h.
 *
 * The errors of noise thin out: of the K that are larger than x0, about K (x0 / x)^a are larger than x, where a > 2 if
 * the noise has a variance, and a > 1 if it has a mean; and between x0 and x there are more of them than between x and
 * x^2 / x0, which is as far by ratio. Wrong targets do not thin out: between the last honest error and the first wrong
 * one there are next to none, and then there are many. So errors from x on are wild where for some x0, K errors being
 * larger than x0, k of them at least x, and B of these at most x^2 / x0, one of two things is a rare one among all
 * pairs x0 < x of the tail:
 *
 *     P(Binomial(K, (x0 / x)^2) >= k)       of noise that hardly has a variance; and k / K > (x0 / x)^(1/2)
 *     P(Binomial(K - k + B, 1/2) >= B)      of any noise that has one mode, by the logarithm of its size
 *
 * by Chernoff's bound, P(Binomial(n, p) >= k) <= exp(-n KL(k / n, p)). The first sees a few that are far away, the
 * second many that are near. The limit is in the widest gap, by ratio, from x0 to x of the least likely pair.
 *                                                                                          docs/math.md, eq. 114 */
#include "wild.h"

#include <math.h>
#include <stdlib.h>

#include "base/order.h"

static const double BODY = 1.349;  /* times the scale, twice the median: from here on errors are the fewer the larger */
static const double TAIL = 2;      /* times the scale: here tails begin */
static const double VARIANCE = 2;  /* index of a tail that hardly has a variance */
static const double SLOW = 0.5;    /* index that no noise has */
static const double CHANCE = 0.01; /* that honest errors are called wild */
static const double DOUBT = 1;     /* and suspects */

/* K KL(k / K, p), 0 where k / K <= p: the chance of k or more of K is exp(-this) at most. */
static double surprise(double k, double K, double p) {
    if (k <= K * p) return 0;
    double rest = k < K ? (K - k) * log((K - k) / (K * (1 - p))) : 0;
    return k * log(k / (K * p)) + rest;
}

/* How many of the sizes d (n, ny_descending) are not below x. */
static int64_t count_from(int64_t n, const double *d, double x) {
    int64_t lo = 0, hi = n;
    while (lo < hi) {
        int64_t mid = (lo + hi) / 2;
        if (d[mid] >= x) lo = mid + 1;
        else hi = mid;
    }
    return lo;
}

typedef struct {
    int64_t n;       /* sizes from BODY on */
    const double *d; /* n, descending */
    double inner, outer, pairs, outer_pairs;
} tail;

static double pairs_of(int64_t n) {
    return log((double)n * (double)(n + 1) / 2);
}

/* The surprise that K sizes are beyond x0 and k of them at least x, less the logarithm of the number of such pairs. */
static double pair(const tail *t, int64_t K, int64_t k) {
    double x0 = K < t->n ? t->d[K] : t->inner, x = t->d[k - 1], slow = -INFINITY;
    int64_t bump = k - count_from(k, t->d, x * x / x0);
    if (x0 >= t->outer && (double)k > (double)K * pow(x0 / x, SLOW))
        slow = surprise((double)k, (double)K, pow(x0 / x, VARIANCE)) - t->outer_pairs;
    return fmax(slow, surprise((double)bump, (double)(K - k + bump), 0.5) - t->pairs);
}

/* How many are wild. */
static int64_t count_wild(const tail *t, double chance) {
    double most = -log(chance), widest = 0;
    int64_t first = 0, last = 0, wild = 0;
    for (int64_t K = 1; K <= t->n; K++)
        for (int64_t k = 1; k <= K; k++) {
            double here = pair(t, K, k);
            if (here > most) most = here, first = k, last = K;
        }
    for (int64_t k = first; first && k <= last; k++) {
        double ratio = t->d[k - 1] / (k < t->n ? t->d[k] : t->inner);
        if (ratio > widest) widest = ratio, wild = k;
    }
    return wild;
}

/* The limit for sizes d in descending order. */
static double limit_of(int64_t count, const double *d, double scale, double chance, int groups) {
    double limit = INFINITY;
    tail t = {count_from(count, d, BODY * scale), d, BODY * scale, TAIL * scale, 0, 0};
    for (int64_t wild = 1; wild > 0 && t.n > 0 && groups > 0; groups--) {
        t.pairs = pairs_of(t.n);
        t.outer_pairs = pairs_of(count_from(t.n, t.d, t.outer));
        wild = count_wild(&t, chance);
        if (wild) limit = sqrt(t.d[wild - 1] * (wild < t.n ? t.d[wild] : t.inner));
        t.d += wild;
        t.n -= wild;
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
    qsort(d, (size_t)count, sizeof *d, ny_descending);
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

/* mean_limits.c: see mean_limits.h. */
#include "mean_limits.h"

#include <math.h>
#include <stdlib.h>

#include "alloc.h"
#include "order.h"
#include "rng.h"

enum { REPLICATES = 1000, LOWEST = REPLICATES / 40 - 1, HIGHEST = REPLICATES - REPLICATES / 40 };

static const double Z = 1.959963984540054; /* of a normal distribution 2.5% are above */
/* The same of Student's with 2 degrees of freedom, the fewest for which an error like ours has any: no replicate is
 * worth more, or one that has missed the only outlier would make the upper limit meaningless. */
static const double MOST = 4.302652729696142;

ny_between ny_wilson(double share, double n) {
    double middle = (share + Z * Z / (2 * n)) / (1 + Z * Z / n);
    double half = Z / (1 + Z * Z / n) * sqrt(fmax(share * (1 - share), 0) / n + Z * Z / (4 * n * n));
    return (ny_between){fmax(middle - half, 0), fmin(middle + half, 1)};
}

/* After n rows of which e n were wrong, and with every share equally likely before, the share has the distribution
 * Beta(e n + 1, (1 - e) n + 1). This is its standard deviation. */
double ny_share_error(double share, double n) {
    double p = (share * n + 1) / (n + 2);
    return sqrt(p * (1 - p) / (n + 3));
}

/* (sum v)^2 / sum v^2 */
double ny_effective_rows(int64_t units, const double *weight) {
    double sum = 0, squares = 0;
    for (int64_t i = 0; i < units; i++) sum += weight[i], squares += weight[i] * weight[i];
    return sum * sum / squares;
}

/* mean m = sum l / sum v,  error^2 = sum (l - m v)^2 / (sum v)^2  n / (n - 1); times[i] (NULL: 1): how often i counts.
 */
static ny_standing standing(int64_t units, const int32_t *times, const double *weight, const double *loss) {
    double sum = 0, total = 0, squares = 0, n = 0;
    for (int64_t i = 0; i < units; i++) {
        double t = times ? times[i] : 1;
        n += t, total += t * weight[i], sum += t * loss[i];
    }
    double mean = sum / total;
    for (int64_t i = 0; i < units; i++) {
        double e = loss[i] - mean * weight[i];
        squares += (times ? times[i] : 1) * e * e;
    }
    return (ny_standing){mean, n > 1 ? sqrt(squares / (total * total) * n / (n - 1)) : NAN};
}

ny_standing ny_standing_of(int64_t units, const double *weight, const double *loss) {
    return standing(units, NULL, weight, loss);
}

double ny_gain(int64_t units, const double *weight, const double *gain, double optimism) {
    const double SURE = 1e6; /* where every row gains the same */
    ny_standing s = ny_standing_of(units, weight, gain);
    double mean = s.mean - optimism;
    return s.error > 0 ? mean / s.error : mean > 0 ? SURE : 0;
}

/* Which machine would have been chosen if these units had been the data. */
static int64_t chosen(const ny_sample *s, const int32_t *times) {
    int64_t best = 0;
    double least = INFINITY;
    for (int64_t k = 0; k < s->contenders; k++) {
        double sum = 0;
        for (int64_t i = 0; i < s->units; i++) sum += times[i] * s->contender[k].choice[i];
        if (sum < least) least = sum, best = k;
    }
    return best;
}

typedef struct { /* of each replicate: the mean of the machine it chooses, its standard error, its mean on all rows */
    double mean, error, truth;
    double own; /* the mean of the machine that was chosen by all rows */
} replicate;

/* Units are drawn with replacement. What a machine that was chosen by some rows seems to be worth there, beside what it
 * is worth on all of them, is what the one chosen by all of them seems to be worth beside its worth on fresh ones. */
static ny_status resample(ny_ctx *ctx, const ny_sample *s, replicate *r) {
    ny_status st = NY_OK;
    int32_t *times = NULL;
    NY_NEW_RAW(ctx, times, s->units);
    for (int b = 0; b < REPLICATES; b++) {
        ny_rng rng = ny_rng_make(s->seed, NY_RNG_RESAMPLE, (uint32_t)b);
        for (int64_t i = 0; i < s->units; i++) times[i] = 0;
        for (int64_t i = 0; i < s->units; i++) times[ny_rng_below(&rng, s->units)]++;
        const double *loss = s->contenders ? s->contender[chosen(s, times)].loss : s->loss;
        ny_standing here = standing(s->units, times, s->weight, loss);
        r[b] = (replicate){here.mean, here.error, standing(s->units, NULL, s->weight, loss).mean,
                           standing(s->units, times, s->weight, s->loss).mean};
    }
done:
    ny_free(times);
    return st;
}

/* Of logarithms, as a loss of this kind varies by a factor: with s the relative standard error of a mean m,
 *
 *     t = log(m* / truth*) / s*,   upper = m exp(-t_0.025 s f),
 *     lower = m exp(min(-t_0.975 s, (log(m'/m))_0.025) f)           f^2: variance
 *
 * where m' is the mean of the machine that was chosen by all rows. That form of the lower limit knows that a lone
 * outlier may be one in far more rows than these. */
ny_status ny_mean_limits(ny_ctx *ctx, const ny_sample *s, ny_between *limits) {
    ny_status st = NY_OK;
    replicate *r = NULL;
    double *t = NULL, *shift = NULL, f = sqrt(s->variance);
    ny_standing here = ny_standing_of(s->units, s->weight, s->loss);
    *limits = (ny_between){NAN, NAN};
    if (!(here.mean > 0) || !(here.error > 0) || !isfinite(here.error)) return NY_OK;
    NY_NEW_RAW(ctx, r, REPLICATES);
    NY_NEW_RAW(ctx, t, REPLICATES);
    NY_NEW_RAW(ctx, shift, REPLICATES);
    NY_TRY(resample(ctx, s, r));
    double relative = here.error / here.mean;
    for (int b = 0; b < REPLICATES; b++) {
        bool usable = r[b].mean > 0 && r[b].truth > 0;
        double error = usable && r[b].error > 0 ? r[b].error / r[b].mean : relative;
        t[b] = usable ? fmax(fmin(log(r[b].mean / r[b].truth) / error, MOST), -MOST) : -MOST;
        shift[b] = r[b].own > 0 ? log(r[b].own / here.mean) : -MOST * relative;
    }
    qsort(t, REPLICATES, sizeof *t, ny_ascending);
    qsort(shift, REPLICATES, sizeof *shift, ny_ascending);
    limits->upper = here.mean * exp(-t[LOWEST] * relative * f);
    limits->lower = here.mean * exp(fmin(-t[HIGHEST] * relative, shift[LOWEST]) * f);
done:
    ny_free(r);
    ny_free(t);
    ny_free(shift);
    return st;
}

/* The mean of truth* - m*. */
ny_status ny_optimism(ny_ctx *ctx, const ny_sample *s, double *optimism) {
    ny_status st = NY_OK;
    replicate *r = NULL;
    double sum = 0;
    *optimism = 0;
    if (s->contenders < 2) return NY_OK;
    NY_NEW_RAW(ctx, r, REPLICATES);
    NY_TRY(resample(ctx, s, r));
    for (int b = 0; b < REPLICATES; b++) sum += r[b].truth - r[b].mean;
    *optimism = fmax(sum / REPLICATES, 0);
done:
    ny_free(r);
    return st;
}

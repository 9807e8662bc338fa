/* mean_limits.h: how far a mean loss may be from the one on fresh rows: 95% limits.       docs/math.md, "How sure the error
 * is"
 */
#ifndef NY_MEAN_LIMITS_H
#define NY_MEAN_LIMITS_H

#include "ctx.h"

typedef struct ny_between {
    double lower, upper; /* NAN: not known */
} ny_between;

/* Losses are summed up in units: a row each, or some rows together where there are more than NY_UNITS. */
enum { NY_UNITS = 2000 };

typedef struct ny_contender { /* a machine that was tried; units each: sums of v times ... */
    double *choice;           /* ... the loss that machines are chosen by */
    double *loss;             /* ... the loss that is reported */
} ny_contender;

typedef struct ny_sample { /* held-out losses of the machine that was chosen, and of those that might have been */
    int64_t units;
    const double *weight, *loss; /* units: sums of v and of v times the loss */
    int64_t contenders;          /* 0: there was no choice */
    const ny_contender *contender;
    double variance; /* how many times the variance of independent losses is that of their mean */
    uint64_t seed;
} ny_sample;

typedef struct ny_standing { /* a weighted mean and its standard error, rows taken as independent */
    double mean, error;
} ny_standing;

/* Of `units` sums of weights and of weights times losses. */
ny_standing ny_standing_of(int64_t units, const double *weight, const double *loss);

/* Of the mean of a loss without upper end, by bootstrapping the choice and the mean. */
ny_status ny_mean_limits(ny_ctx *ctx, const ny_sample *sample, ny_between *limits);
/* How much better than it is the machine that was chosen looks, on average: 0 where there was no choice. */
ny_status ny_optimism(ny_ctx *ctx, const ny_sample *sample, double *optimism);

/* A model whose losses are less than the baseline's by fewer standard errors of the difference is no better. */
#define NY_GAIN_LEAST 1.0

/* Standard errors by which the mean, less the optimism, is above 0; gain: units. */
double ny_gain(int64_t units, const double *weight, const double *gain, double optimism);

/* Wilson's 95% limits of a share of n rows. */
ny_between ny_wilson(double share, double n);
/* The standard deviation of what is known of a share of n rows: never 0. */
double ny_share_error(double share, double n);
/* As many rows of equal weight would tell as much: (sum v)^2 / sum v^2. */
double ny_effective_rows(int64_t units, const double *weight);

#endif

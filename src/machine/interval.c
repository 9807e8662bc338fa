/* interval.c: see interval.h. */
#include "interval.h"

#include <math.h>

double ny_interval_level(int64_t k) {
    double left = 1 - (double)k / NY_QUANTILES;
    return 1 - left * left * left;
}

double ny_interval_width(const double quantile[NY_QUANTILES], double level) {
    double at = fmin(NY_QUANTILES * (1 - cbrt(1 - level)), NY_QUANTILES - 1);
    int64_t k = at < NY_QUANTILES - 2 ? (int64_t)at : NY_QUANTILES - 2;
    double part = (level - ny_interval_level(k)) / (ny_interval_level(k + 1) - ny_interval_level(k));
    return quantile[k] + fmin(part, 1) * (quantile[k + 1] - quantile[k]);
}

/* quantiles.c: see quantiles.h. */
#include "quantiles.h"

#include <math.h>

static const double ROUNDING = 1e-9; /* 1 - 0.95 is not quite 0.05 */

bool ny_quantiles_order(int64_t q, double *f) {
    bool crossed = false;
    for (int64_t j = 1; j < q; j++) {
        double v = f[j];
        int64_t to = j;
        for (; to > 0 && f[to - 1] > v; to--) f[to] = f[to - 1];
        f[to] = v;
        crossed |= to < j;
    }
    return crossed;
}

int64_t ny_quantiles_middle(int64_t q, const double *quantile) {
    int64_t best = 0;
    for (int64_t j = 1; j < q; j++)
        if (fabs(quantile[j] - 0.5) < fabs(quantile[best] - 0.5) - ROUNDING) best = j;
    return best;
}

int64_t ny_quantiles_find(int64_t q, const double *quantile, double p) {
    for (int64_t j = 0; j < q; j++)
        if (fabs(quantile[j] - p) < ROUNDING) return j;
    return -1;
}

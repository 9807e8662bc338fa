/* order.c: see order.h. */
#include "order.h"

#include <stdlib.h>

/* Quickselect (Hoare). */
double ny_order_select(double *x, int64_t n, int64_t at) {
    int64_t lo = 0, hi = n - 1;
    while (lo < hi) {
        double pivot = x[(lo + hi) / 2];
        int64_t i = lo, j = hi;
        while (i <= j) {
            while (x[i] < pivot) i++;
            while (x[j] > pivot) j--;
            if (i > j) break;
            double swap = x[i];
            x[i++] = x[j];
            x[j--] = swap;
        }
        if (at <= j) hi = j;
        else if (at >= i) lo = i;
        else break;
    }
    return x[at];
}

double ny_order_share(ny_weighed *v, int64_t n, double share) {
    double all = 0, below = 0;
    int64_t i = 0;
    for (int64_t k = 0; k < n; k++) all += v[k].weight;
    qsort(v, (size_t)n, sizeof *v, ny_ascending); /* the value is their first member */
    while (i < n - 1 && (below += v[i].weight) <= share * all) i++;
    return v[i].value;
}

int ny_ascending(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

int ny_descending(const void *a, const void *b) {
    return ny_ascending(b, a);
}

int ny_by_number(const void *a, const void *b) {
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

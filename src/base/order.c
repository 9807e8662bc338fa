/* order.c: see order.h. */
#include "order.h"

#include <stdlib.h>
#include <string.h>

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

/* The bits of a double as a whole number of the same order: negative ones turned round, the others above them. */
static uint64_t key_of(double x) {
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits >> 63 ? ~bits : bits | UINT64_C(1) << 63;
}

/* By the last byte of the keys first, then by the one before it ..., each time keeping the order of equal ones. */
void ny_order_sort(double *x, double *room, int64_t n) {
    enum { BYTES = sizeof(double), VALUES = 256 };
    int64_t count[BYTES][VALUES] = {{0}};
    double *from = x, *to = room;
    for (int64_t i = 0; i < n; i++)
        for (int b = 0; b < BYTES; b++) count[b][key_of(x[i]) >> 8 * b & 255]++;
    for (int b = 0; b < BYTES && n > 0; b++) {
        if (count[b][key_of(x[0]) >> 8 * b & 255] == n) continue; /* all alike */
        int64_t place[VALUES], at = 0;
        for (int v = 0; v < VALUES; at += count[b][v++]) place[v] = at;
        for (int64_t i = 0; i < n; i++) to[place[key_of(from[i]) >> 8 * b & 255]++] = from[i];
        double *swap = from;
        from = to;
        to = swap;
    }
    if (from != x) memcpy(x, from, (size_t)n * sizeof *x);
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

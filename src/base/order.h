/* order.h: the number at a place of an order, without sorting everything. */
#ifndef NY_ORDER_H
#define NY_ORDER_H

#include <stdint.h>

/* For qsort and bsearch: doubles by size, either way; whole numbers (int64_t), ascending. */
int ny_ascending(const void *a, const void *b);
int ny_descending(const void *a, const void *b);
int ny_by_number(const void *a, const void *b);

/* The number that would be at place `at` if x (n > at) were sorted; reorders x. */
double ny_order_select(double *x, int64_t n, int64_t at);

/* Sorts x (n finite numbers), ascending; room: n more, which are overwritten. Time grows as n, whatever the order. */
void ny_order_sort(double *x, double *room, int64_t n);

typedef struct ny_weighed {
    double value, weight;
} ny_weighed;

/* The least value with more than that share of the weight at or below it (0.5: the median); sorts v (n > 0). */
double ny_order_share(ny_weighed *v, int64_t n, double share);

#endif

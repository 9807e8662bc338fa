/* grow.c: doubling, so that adding n elements costs O(n) copies. */
#include "grow.h"

enum { GROW_MIN = 64 };

void *ny_grow(ny_ctx *ctx, void *p, int64_t *capacity, int64_t need, size_t size) {
    if (p && need <= *capacity) return p;
    int64_t count = *capacity < INT64_MAX / 2 ? 2 * *capacity : INT64_MAX;
    if (count < GROW_MIN) count = GROW_MIN;
    if (count < need) count = need;
    void *grown = ny_realloc(ctx, p, *capacity, count, size);
    if (grown) *capacity = count;
    return grown;
}

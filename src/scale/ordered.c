/* ordered.c: see ordered.h. */
#include "ordered.h"

#include <math.h>

#include "base/order.h"

void ny_ordered_clear(ny_ordered *v) {
    ny_free(v->value);
    ny_free(v->weight);
    *v = (ny_ordered){0};
}

void ny_ordered_append(ny_ordered *v, double value, double weight) {
    if (v->n == 0 || v->value[v->n - 1] < value) {
        v->value[v->n] = value;
        v->weight[v->n++] = 0;
    }
    v->weight[v->n - 1] += weight;
}

ny_status ny_ordered_input(ny_ctx *ctx, const ny_matrix *X, const int64_t *rows, int64_t count, int64_t j,
                           ny_ordered *out) {
    ny_status st = NY_OK;
    *out = (ny_ordered){.total = (double)count};
    NY_NEW_RAW(ctx, out->value, count);
    NY_NEW_RAW(ctx, out->weight, count);
    for (int64_t i = 0; i < count; i++) out->value[i] = X->x[j + (rows ? rows[i] : i) * X->d];
    ny_order_sort(out->value, out->weight, count);
    for (int64_t i = 0; i < count; i++) ny_ordered_append(out, out->value[i], 1); /* n <= i: in place */
done:
    if (st != NY_OK) ny_ordered_clear(out);
    return st;
}

/* The value at that place, from 0. */
static double value_at(const ny_ordered *v, double place) {
    double through = v->weight[0];
    int64_t i = 0;
    while (i < v->n - 1 && through <= place) through += v->weight[++i];
    return v->value[i];
}

double ny_ordered_quantile(const ny_ordered *v, double share) {
    double at = share * (v->total - 1), whole = floor(at), value = value_at(v, whole);
    return value + (at - whole) * (value_at(v, whole + 1) - value);
}

/* sketch.c: see sketch.h.
 *
 * A full buffer is sorted and goes to level 0. Two buffers of level l (weight w = 2^l) become one of level l + 1: of
 * their 2 size numbers in order every other one stays, with twice the weight. With r of these at or below x
 *     the even places stay:  2 w ceil(r / 2)   is r w  or  r w + w
 *     the odd places stay:   2 w floor(r / 2)  is r w  or  r w - w
 * so each such step puts w to the bound above or below. The side with the smaller sum is taken: the larger one is half
 * of all steps and half of one more at most. A level has n / (2 size w) steps, there are log2(n / size) levels, and the
 * largest w is n / (2 size): n (log2(n / size) + 1) / (4 size) in all. */
#include "sketch.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/order.h"

ny_status ny_sketch_begin(ny_ctx *ctx, int64_t size, ny_sketch *s) {
    ny_status st = NY_OK;
    *s = (ny_sketch){.size = size, .least = INFINITY, .largest = -INFINITY};
    NY_NEW_RAW(ctx, s->open, size);
done:
    return st;
}

void ny_sketch_clear(ny_sketch *s) {
    ny_free(s->open);
    for (int l = 0; l < NY_SKETCH_LEVELS; l++) ny_free(s->level[l]);
    *s = (ny_sketch){0};
}

int64_t ny_sketch_error(const ny_sketch *s) {
    return s->above > s->below ? s->above : s->below;
}

int64_t ny_sketch_grain(const ny_sketch *s) {
    int64_t grain = 0;
    for (int l = 1; l < NY_SKETCH_LEVELS; l++)
        if (s->level[l]) grain = (int64_t)1 << l;
    return grain;
}

/* Every other number of a and b in order; place: 0 or 1, the first that stays. */
static void thin(int64_t size, const double *a, const double *b, int place, double *out) {
    for (int64_t i = 0, j = 0, k = 0; k < 2 * size; k++) {
        double next = j == size || (i < size && a[i] <= b[j]) ? a[i++] : b[j++];
        if (k % 2 == place) out[k / 2] = next;
    }
}

/* A sorted buffer, which becomes the sketch's, at level l. Where memory lacks it is freed. */
static ny_status carry(ny_ctx *ctx, ny_sketch *s, double *buffer, int l) {
    ny_status st = NY_OK;
    for (; s->level[l] && l < NY_SKETCH_LEVELS - 1; l++) {
        double *out = NULL;
        NY_NEW_RAW(ctx, out, s->size);
        int place = s->above > s->below;
        thin(s->size, s->level[l], buffer, place, out);
        *(place ? &s->below : &s->above) += (int64_t)1 << l;
        ny_free(s->level[l]);
        ny_free(buffer);
        s->level[l] = NULL;
        buffer = out;
    }
    s->level[l] = buffer;
    buffer = NULL;
done:
    ny_free(buffer);
    return st;
}

static void note_value(ny_sketch *s, double x) {
    s->least = x < s->least ? x : s->least;
    s->largest = x > s->largest ? x : s->largest;
    if (s->distinct > NY_SKETCH_FEW) return;
    for (int64_t k = 0; k < s->distinct; k++)
        if (s->value[k] == x) return;
    s->value[s->distinct++] = x;
}

/* The numbers that wait, one more at least. */
static ny_status add_one(ny_ctx *ctx, ny_sketch *s, double x) {
    ny_status st = NY_OK;
    if (s->waiting == s->size) {
        double *full = s->open, *next = NULL;
        NY_NEW_RAW(ctx, next, s->size);
        ny_order_sort(full, next, s->size);
        s->open = next;
        s->waiting = 0;
        NY_TRY(carry(ctx, s, full, 0));
    }
    s->open[s->waiting++] = x;
done:
    return st;
}

ny_status ny_sketch_add(ny_ctx *ctx, ny_sketch *s, const double *x, int64_t stride, int64_t count) {
    ny_status st = NY_OK;
    for (int64_t i = 0; i < count; i++) {
        note_value(s, x[i * stride]);
        NY_TRY(add_one(ctx, s, x[i * stride]));
    }
    s->count += count;
done:
    return st;
}

ny_status ny_sketch_merge(ny_ctx *ctx, ny_sketch *s, const ny_sketch *from) {
    ny_status st = NY_OK;
    if (from->count == 0) return st;
    note_value(s, from->least);
    note_value(s, from->largest);
    for (int64_t k = 0; k < from->distinct; k++) note_value(s, from->value[k]);
    s->above += from->above;
    s->below += from->below;
    s->count += from->count;
    for (int l = 0; l < NY_SKETCH_LEVELS; l++) {
        double *copy = NULL;
        if (!from->level[l]) continue;
        NY_NEW_RAW(ctx, copy, s->size);
        memcpy(copy, from->level[l], (size_t)s->size * sizeof *copy);
        NY_TRY(carry(ctx, s, copy, l));
    }
    for (int64_t i = 0; i < from->waiting; i++) NY_TRY(add_one(ctx, s, from->open[i]));
done:
    return st;
}

/* The least and the largest value may have been thinned out: each takes the place of one number of its neighbour. */
static void put_ends(const ny_sketch *s, int64_t *n, ny_weighed *v) {
    if (v[0].value > s->least) {
        memmove(v + 1, v, (size_t)*n * sizeof *v);
        v[0] = (ny_weighed){s->least, 1};
        v[1].weight -= 1;
        ++*n;
    }
    if (v[*n - 1].value < s->largest) {
        v[*n - 1].weight -= 1;
        v[(*n)++] = (ny_weighed){s->largest, 1};
    }
}

/* A value that was thinned out beside a frequent one ranks with its last or its first row, not in the middle of them:
 * so a frequent value (more weight than a single number has) gets neighbours of weight 0. */
static void append_all(const ny_weighed *v, int64_t n, double grain, ny_ordered *out) {
    for (int64_t i = 0, last = 0; i < n; i = last) {
        double value = v[i].value, weight = 0;
        for (; last < n && v[last].value == value; last++) weight += v[last].weight;
        bool frequent = grain > 0 && weight > grain;
        if (frequent && i > 0) ny_ordered_append(out, nextafter(value, -INFINITY), 0);
        ny_ordered_append(out, value, weight);
        if (frequent && last < n) ny_ordered_append(out, nextafter(value, INFINITY), 0);
    }
}

ny_status ny_sketch_order(ny_ctx *ctx, const ny_sketch *s, ny_ordered *out) {
    ny_status st = NY_OK;
    int64_t n = s->waiting;
    ny_weighed *v = NULL;
    *out = (ny_ordered){.total = (double)s->count};
    for (int l = 0; l < NY_SKETCH_LEVELS; l++) n += s->level[l] ? s->size : 0;
    NY_NEW_RAW(ctx, v, n + 2);
    NY_NEW_RAW(ctx, out->value, 3 * (n + 2));
    NY_NEW_RAW(ctx, out->weight, 3 * (n + 2));
    for (int64_t i = n = 0; i < s->waiting; i++) v[n++] = (ny_weighed){s->open[i], 1};
    for (int l = 0; l < NY_SKETCH_LEVELS; l++)
        for (int64_t i = 0; s->level[l] && i < s->size; i++) v[n++] = (ny_weighed){s->level[l][i], ldexp(1, l)};
    qsort(v, (size_t)n, sizeof *v, ny_ascending); /* the value is their first member */
    if (n > 0) put_ends(s, &n, v);
    append_all(v, n, (double)ny_sketch_grain(s), out);
done:
    ny_free(v);
    if (st != NY_OK) ny_ordered_clear(out);
    return st;
}

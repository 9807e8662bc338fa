/* row_sampler.c: a stratified sample of rows without a list of all rows. Row i has a random key, a hash of its number;
 * of each class the rows with the smallest keys are chosen, its quota of them. They are found with a heap of that size,
 * largest key on top. A smaller quota chooses a part of what a larger one does. */
#include <stdlib.h>
#include <string.h>

#include "base/order.h"
#include "base/rng.h"
#include "folds.h"

/* quota[k] of class k's rows, `count` in all: the class's share rounded down, the rest to those cut most; a class
 * that got nothing takes one from the largest quota, when there are enough for all. */
static void set_quotas(const int64_t *size, int64_t classes, int64_t count, int64_t *quota) {
    int64_t n = 0, left = count, present = 0;
    for (int64_t k = 0; k < classes; k++) n += size[k];
    double share = n > 0 ? (double)count / (double)n : 0;
    for (int64_t k = 0; k < classes; k++) {
        quota[k] = (int64_t)(share * (double)size[k]);
        if (quota[k] > size[k]) quota[k] = size[k];
        if (quota[k] > left) quota[k] = left;
        left -= quota[k];
        present += size[k] > 0;
    }
    for (; left > 0; left--) {
        int64_t best = -1;
        double most = 0;
        for (int64_t k = 0; k < classes; k++) {
            double cut = share * (double)size[k] - (double)quota[k];
            if (quota[k] < size[k] && (best < 0 || cut > most)) best = k, most = cut;
        }
        quota[best]++;
    }
    for (int64_t k = 0; k < classes && count >= present; k++) {
        if (quota[k] > 0 || size[k] == 0) continue;
        int64_t largest = 0;
        for (int64_t j = 1; j < classes; j++)
            if (quota[j] > quota[largest]) largest = j;
        quota[largest]--;
        quota[k]++;
    }
}

typedef struct ny_keyed_row {
    uint64_t key;
    int64_t row;
} keyed_row;

/* By key, and by number where keys are equal. */
static inline bool before(keyed_row a, keyed_row b) {
    return a.key < b.key || (a.key == b.key && a.row < b.row);
}

static inline keyed_row with_key(const ny_row_sampler *s, int64_t row) {
    return (keyed_row){ny_rng_hash(s->seed, NY_RNG_ROWS, (uint64_t)row), row};
}

ny_status ny_row_sampler_init(ny_ctx *ctx, int64_t classes, const int64_t *class_rows, int64_t count, uint64_t seed,
                              ny_row_sampler *s) {
    ny_status st = NY_OK;
    int64_t n = 0;
    *s = (ny_row_sampler){.seed = seed, .classes = classes, .count = count};
    NY_NEW(ctx, s->quota, classes);
    NY_NEW(ctx, s->held, classes);
    NY_NEW(ctx, s->first, classes);
    for (int64_t k = 0; k < classes; k++) n += class_rows[k];
    if (count < 0 || count > n) {
        ny_error(ctx, NY_ERR_USAGE, "%lld rows cannot be chosen from %lld", (long long)count, (long long)n);
        st = NY_ERR_USAGE;
        goto done;
    }
    NY_NEW_RAW(ctx, s->heap, count + 1);
    set_quotas(class_rows, classes, count, s->quota);
    for (int64_t k = 1; k < classes; k++) s->first[k] = s->first[k - 1] + s->quota[k - 1];
done:
    if (st != NY_OK) ny_row_sampler_clear(s);
    return st;
}

void ny_row_sampler_clear(ny_row_sampler *s) {
    ny_free(s->quota);
    ny_free(s->held);
    ny_free(s->first);
    ny_free(s->heap);
    *s = (ny_row_sampler){0};
}

/* The new last element rises to its place. */
static void rise(keyed_row *heap, int64_t i) {
    for (int64_t up; i > 0 && before(heap[up = (i - 1) / 2], heap[i]); i = up) {
        keyed_row t = heap[i];
        heap[i] = heap[up];
        heap[up] = t;
    }
}

/* The new first element sinks to its place. */
static void sink(keyed_row *heap, int64_t count) {
    for (int64_t i = 0, down; (down = 2 * i + 1) < count; i = down) {
        if (down + 1 < count && before(heap[down], heap[down + 1])) down++;
        if (!before(heap[i], heap[down])) return;
        keyed_row t = heap[i];
        heap[i] = heap[down];
        heap[down] = t;
    }
}

void ny_row_sampler_offer(ny_row_sampler *s, int64_t row, int32_t code) {
    keyed_row *heap = s->heap + s->first[code], r = with_key(s, row);
    if (s->held[code] < s->quota[code]) {
        heap[s->held[code]] = r;
        rise(heap, s->held[code]++);
    } else if (s->held[code] > 0 && before(r, heap[0])) {
        heap[0] = r;
        sink(heap, s->held[code]);
    }
}

bool ny_row_sampler_has(const ny_row_sampler *s, int64_t row, int32_t code) {
    return s->held[code] > 0 && !before(s->heap[s->first[code]], with_key(s, row));
}

int64_t ny_row_sampler_rows(const ny_row_sampler *s, int64_t *rows) {
    int64_t count = 0;
    for (int64_t k = 0; k < s->classes; k++)
        for (int64_t i = 0; i < s->held[k]; i++) rows[count++] = s->heap[s->first[k] + i].row;
    qsort(rows, (size_t)count, sizeof *rows, ny_by_number);
    return count;
}

ny_status ny_rows_sample(ny_ctx *ctx, int64_t n, const int32_t *code, int64_t classes, int64_t count, uint64_t seed,
                         int64_t *rows) {
    ny_status st = NY_OK;
    ny_row_sampler sampler = {0};
    int64_t *class_rows = NULL;
    NY_TRY(ny_class_rows(ctx, n, code, &classes, &class_rows));
    NY_TRY(ny_row_sampler_init(ctx, classes, class_rows, count, seed, &sampler));
    for (int64_t i = 0; i < n; i++) ny_row_sampler_offer(&sampler, i, code ? code[i] : 0);
    ny_row_sampler_rows(&sampler, rows);
done:
    ny_row_sampler_clear(&sampler);
    ny_free(class_rows);
    return st;
}

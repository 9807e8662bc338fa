/* folds.c: holding out rows. Rows are shuffled within their class and dealt out like cards, one class after another
 * without starting again: each fold's size, and its share of each class, differ by at most one. */
#include "folds.h"

#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "base/rng.h"
#include "source.h"

/* The rows sorted by class (in one lot when code is NULL), shuffled within each; first[k] .. first[k+1] are class k's.
 */
static ny_status shuffle_by_class(ny_ctx *ctx, int64_t n, const int32_t *code, int64_t classes, ny_rng *rng,
                                  int64_t *rows, int64_t **first) {
    ny_status st = NY_OK;
    int64_t *next = NULL;
    if (!code) classes = 1;
    NY_NEW(ctx, *first, classes + 1);
    NY_NEW(ctx, next, classes + 1);
    for (int64_t i = 0; i < n; i++) (*first)[(code ? code[i] : 0) + 1]++;
    for (int64_t k = 0; k < classes; k++) (*first)[k + 1] += (*first)[k];
    memcpy(next, *first, (size_t)(classes + 1) * sizeof *next);
    for (int64_t i = 0; i < n; i++) rows[next[code ? code[i] : 0]++] = i;
    for (int64_t k = 0; k < classes; k++) ny_rng_shuffle(rng, rows + (*first)[k], (*first)[k + 1] - (*first)[k]);
done:
    ny_free(next);
    return st;
}

ny_status ny_folds_make(ny_ctx *ctx, int64_t n, const int32_t *code, int64_t classes, int64_t folds, uint64_t seed,
                        int32_t *fold) {
    ny_status st = NY_OK;
    int64_t *rows = NULL, *first = NULL;
    ny_rng rng = ny_rng_make(seed, NY_RNG_FOLDS, 0);
    NY_CHECK(ctx, folds >= 2 && folds <= n && folds <= INT32_MAX, NY_ERR_USAGE,
             "%lld folds of %lld rows: there must be at least 2 folds and a row for each", (long long)folds,
             (long long)n);
    NY_NEW_RAW(ctx, rows, n);
    NY_TRY(shuffle_by_class(ctx, n, code, classes, &rng, rows, &first));
    for (int64_t i = 0; i < n; i++) fold[rows[i]] = (int32_t)(i % folds);
done:
    ny_free(rows);
    ny_free(first);
    return st;
}

/* ---- a fold file -------------------------------------------------------------------------------------------- */

static int by_size(const void *a, const void *b) {
    int64_t p = *(const int64_t *)a, q = *(const int64_t *)b;
    return p < q ? -1 : p > q;
}

static ny_status read_numbers(ny_ctx *ctx, ny_source *source, int64_t n, int64_t *number) {
    ny_status st = NY_OK;
    int64_t count = 0;
    for (int64_t line = 1;; line++) {
        const char *p, *end;
        char shown[NY_EXCERPT];
        bool found;
        int64_t value;
        NY_TRY(ny_source_line(ctx, source, &p, &end, &found));
        if (!found) break;
        while (p < end && (*p == ' ' || *p == '\t')) p++;
        while (p < end && (end[-1] == ' ' || end[-1] == '\t')) end--;
        if (p == end) continue;
        NY_CHECK(ctx, ny_number_whole(p, end - p, &value), NY_ERR_DATA, "%s:%lld: '%s' is not a fold number",
                 source->name, (long long)line, ny_excerpt(p, end - p, shown));
        if (count < n) number[count] = value;
        count++;
    }
    NY_CHECK(ctx, count == n, NY_ERR_DATA, "%s: %lld fold numbers, but the data have %lld rows", source->name,
             (long long)count, (long long)n);
done:
    return st;
}

ny_status ny_folds_read(ny_ctx *ctx, const char *path, int64_t n, int32_t *fold, int64_t *folds) {
    ny_status st = NY_OK;
    ny_source source;
    int64_t *number = NULL, *distinct = NULL, count = 0;
    NY_TRY(ny_source_open(ctx, path, &source));
    NY_NEW(ctx, number, n);
    NY_NEW(ctx, distinct, n);
    NY_TRY(read_numbers(ctx, &source, n, number));
    memcpy(distinct, number, (size_t)n * sizeof *distinct);
    qsort(distinct, (size_t)n, sizeof *distinct, by_size);
    for (int64_t i = 0; i < n; i++)
        if (i == 0 || distinct[i] != distinct[i - 1]) distinct[count++] = distinct[i];
    NY_CHECK(ctx, count >= 2 && count <= INT32_MAX, NY_ERR_DATA, "%s: %lld folds; at least 2 are needed", source.name,
             (long long)count);
    for (int64_t i = 0; i < n; i++) {
        const int64_t *at = bsearch(&number[i], distinct, (size_t)count, sizeof *distinct, by_size);
        fold[i] = (int32_t)(at - distinct);
    }
    *folds = count;
done:
    ny_source_close(&source);
    ny_free(number);
    ny_free(distinct);
    return st;
}

/* ---- a sample of rows --------------------------------------------------------------------------------------- */

/* quota[k] of class k's rows, `count` in all: the class's share rounded down, the rest to those cut most; a class
 * that got nothing takes one from the largest quota, when there are enough for all. */
static void set_quotas(const int64_t *first, int64_t classes, int64_t count, int64_t *quota) {
    int64_t n = first[classes], left = count, present = 0;
    for (int64_t k = 0; k < classes; k++) {
        int64_t size = first[k + 1] - first[k];
        quota[k] = (int64_t)((double)count / (double)n * (double)size);
        if (quota[k] > size) quota[k] = size;
        if (quota[k] > left) quota[k] = left;
        left -= quota[k];
        present += size > 0;
    }
    for (; left > 0; left--) {
        int64_t best = -1;
        double most = 0;
        for (int64_t k = 0; k < classes; k++) {
            int64_t size = first[k + 1] - first[k];
            double cut = (double)count / (double)n * (double)size - (double)quota[k];
            if (quota[k] < size && (best < 0 || cut > most)) best = k, most = cut;
        }
        quota[best]++;
    }
    for (int64_t k = 0; k < classes && count >= present; k++) {
        if (quota[k] > 0 || first[k + 1] == first[k]) continue;
        int64_t largest = 0;
        for (int64_t j = 1; j < classes; j++)
            if (quota[j] > quota[largest]) largest = j;
        quota[largest]--;
        quota[k]++;
    }
}

ny_status ny_rows_sample(ny_ctx *ctx, int64_t n, const int32_t *code, int64_t classes, int64_t count, uint64_t seed,
                         int64_t *rows) {
    ny_status st = NY_OK;
    int64_t *shuffled = NULL, *first = NULL, *quota = NULL, kept = 0;
    char *chosen = NULL;
    ny_rng rng = ny_rng_make(seed, NY_RNG_ROWS, 0);
    if (!code) classes = 1;
    NY_CHECK(ctx, count >= 0 && count <= n, NY_ERR_USAGE, "%lld rows cannot be chosen from %lld", (long long)count,
             (long long)n);
    NY_NEW_RAW(ctx, shuffled, n + 1);
    NY_NEW(ctx, chosen, n + 1);
    NY_NEW(ctx, quota, classes);
    NY_TRY(shuffle_by_class(ctx, n, code, classes, &rng, shuffled, &first));
    set_quotas(first, classes, count, quota);
    for (int64_t k = 0; k < classes; k++)
        for (int64_t i = 0; i < quota[k]; i++) chosen[shuffled[first[k] + i]] = 1;
    for (int64_t i = 0; i < n; i++)
        if (chosen[i]) rows[kept++] = i;
done:
    ny_free(shuffled);
    ny_free(chosen);
    ny_free(quota);
    ny_free(first);
    return st;
}

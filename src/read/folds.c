/* folds.c: holding out rows. The rows of a class come in groups of as many as there are folds, and each group is given
 * the fold numbers in a random order. The last group of a class is smaller; what these groups take goes round the folds
 * from one class to the next like cards: each fold's size, and its share of each class, differ by at most one. */
#include "folds.h"

#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "base/order.h"
#include "base/rng.h"
#include "source.h"

typedef struct ny_fold_class {
    int64_t left;  /* rows of the class that are still to come */
    int64_t first; /* the fold its last group begins with */
    int64_t at, size;
    int64_t *order; /* size: the fold numbers of this group, at: the next one */
    ny_rng rng;
} ny_fold_class;

ny_status ny_fold_maker_init(ny_ctx *ctx, int64_t classes, const int64_t *class_rows, int64_t folds, uint64_t seed,
                             ny_fold_maker *maker) {
    ny_status st = NY_OK;
    int64_t n = 0;
    *maker = (ny_fold_maker){0};
    for (int64_t k = 0; k < classes; k++) n += class_rows[k];
    NY_CHECK(ctx, folds >= 2 && folds <= n && folds <= INT32_MAX, NY_ERR_USAGE,
             "%lld folds of %lld rows: there must be at least 2 folds and a row for each", (long long)folds,
             (long long)n);
    maker->folds = folds;
    NY_NEW(ctx, maker->class, classes);
    for (int64_t first = 0; maker->classes < classes;) {
        ny_fold_class *c = &maker->class[maker->classes++];
        int64_t rows = class_rows[maker->classes - 1];
        c->left = rows;
        c->first = first;
        c->rng = ny_rng_make(seed, NY_RNG_FOLDS, (uint32_t)(maker->classes - 1));
        first = (first + rows) % folds;
        NY_NEW_RAW(ctx, c->order, rows < folds ? rows + 1 : folds);
    }
done:
    if (st != NY_OK) ny_fold_maker_clear(maker);
    return st;
}

void ny_fold_maker_clear(ny_fold_maker *maker) {
    for (int64_t k = 0; k < maker->classes; k++) ny_free(maker->class[k].order);
    ny_free(maker->class);
    *maker = (ny_fold_maker){0};
}

int32_t ny_fold_next(ny_fold_maker *maker, int32_t code) {
    ny_fold_class *c = &maker->class[code];
    if (c->at == c->size && c->left > 0) { /* the next group */
        bool last = c->left < maker->folds;
        c->size = last ? c->left : maker->folds;
        c->left -= c->size;
        for (int64_t j = 0; j < c->size; j++) c->order[j] = last ? (c->first + j) % maker->folds : j;
        ny_rng_shuffle(&c->rng, c->order, c->size);
        c->at = 0;
    }
    if (c->at == c->size) c->at = 0; /* more rows than were told */
    return c->size > 0 ? (int32_t)c->order[c->at++] : 0;
}

ny_status ny_class_rows(ny_ctx *ctx, int64_t n, const int32_t *code, int64_t *classes, int64_t **rows) {
    ny_status st = NY_OK;
    if (!code) *classes = 1;
    NY_NEW(ctx, *rows, *classes);
    for (int64_t i = 0; i < n; i++) (*rows)[code ? code[i] : 0]++;
done:
    return st;
}

ny_status ny_folds_make(ny_ctx *ctx, int64_t n, const int32_t *code, int64_t classes, int64_t folds, uint64_t seed,
                        int32_t *fold) {
    ny_status st = NY_OK;
    ny_fold_maker maker = {0};
    int64_t *class_rows = NULL;
    NY_TRY(ny_class_rows(ctx, n, code, &classes, &class_rows));
    NY_TRY(ny_fold_maker_init(ctx, classes, class_rows, folds, seed, &maker));
    for (int64_t i = 0; i < n; i++) fold[i] = ny_fold_next(&maker, code ? code[i] : 0);
done:
    ny_fold_maker_clear(&maker);
    ny_free(class_rows);
    return st;
}

/* ---- a fold file -------------------------------------------------------------------------------------------- */

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
    qsort(distinct, (size_t)n, sizeof *distinct, ny_by_number);
    for (int64_t i = 0; i < n; i++)
        if (i == 0 || distinct[i] != distinct[i - 1]) distinct[count++] = distinct[i];
    NY_CHECK(ctx, count >= 2 && count <= INT32_MAX, NY_ERR_DATA, "%s: %lld folds; at least 2 are needed", source.name,
             (long long)count);
    for (int64_t i = 0; i < n; i++) {
        const int64_t *at = bsearch(&number[i], distinct, (size_t)count, sizeof *distinct, ny_by_number);
        fold[i] = (int32_t)(at - distinct);
    }
    *folds = count;
done:
    ny_source_close(&source);
    ny_free(number);
    ny_free(distinct);
    return st;
}

/* A counting sort: stable. */
ny_status ny_folds_order(ny_ctx *ctx, int64_t n, const double *v, const int32_t *fold, int64_t folds, int64_t *rows,
                         int64_t *count) {
    ny_status st = NY_OK;
    int64_t *at = NULL;
    NY_NEW(ctx, at, folds + 2);
    for (int64_t i = 0; fold && i < n; i++) at[fold[i] + 1] += !v || v[i] > 0;
    for (int64_t f = 0; f < folds; f++) at[f + 1] += at[f];
    *count = 0;
    for (int64_t i = 0; i < n; i++)
        if (!v || v[i] > 0) rows[at[fold ? fold[i] : 0]++] = i, ++*count;
done:
    ny_free(at);
    return st;
}

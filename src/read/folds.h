/* folds.h: which rows are held out together, and which are a sample of all. Both can be told row by row, in memory
 * that does not grow with the rows. */
#ifndef NY_FOLDS_H
#define NY_FOLDS_H

#include "base/ctx.h"

/* How many of the n rows are of each class: *rows (*classes, for ny_free). Without code they are all of one. */
ny_status ny_class_rows(ny_ctx *ctx, int64_t n, const int32_t *code, int64_t *classes, int64_t **rows);

/* fold[i] in 0 .. folds-1. Stratified when code is given (classes code[i] in 0 .. classes-1): every class is spread
 * evenly over the folds. For regression (code = NULL) rows are spread at random. folds <= n. */
ny_status ny_folds_make(ny_ctx *ctx, int64_t n, const int32_t *code, int64_t classes, int64_t folds, uint64_t seed,
                        int32_t *fold);

/* The same row by row: all rows in their order, each once. class_rows: how many rows of each class will come; in
 * regression there is one class. */
typedef struct ny_fold_maker { /* all zero: cleared */
    int64_t classes, folds;
    struct ny_fold_class *class; /* classes */
} ny_fold_maker;

/* The maker is for ny_fold_maker_clear, also after a failure. class_rows is not needed any more. */
ny_status ny_fold_maker_init(ny_ctx *ctx, int64_t classes, const int64_t *class_rows, int64_t folds, uint64_t seed,
                             ny_fold_maker *maker);
int32_t ny_fold_next(ny_fold_maker *maker, int32_t code); /* code: 0 in regression */
void ny_fold_maker_clear(ny_fold_maker *maker);

/* The numbers of the rows of positive weight (v = NULL: all) in the order of their folds, within a fold ascending; in
 * one fold when fold = NULL. rows: room for n. */
ny_status ny_folds_order(ny_ctx *ctx, int64_t n, const double *v, const int32_t *fold, int64_t folds, int64_t *rows,
                         int64_t *count);

/* One whole number for each row, any distinct numbers; renumbered 0 .. folds-1 ascending. Errors carry the line. */
ny_status ny_folds_read(ny_ctx *ctx, const char *path, int64_t n, int32_t *fold, int64_t *folds);

/* A stratified random subset of `count` of the n rows, ascending. */
ny_status ny_rows_sample(ny_ctx *ctx, int64_t n, const int32_t *code, int64_t classes, int64_t count, uint64_t seed,
                         int64_t *rows);

/* The same row by row (row_sampler.c), in O(count) memory: offer every row once, in any order; then the chosen ones can
 * be listed, or asked for one by one. */
typedef struct ny_row_sampler { /* all zero: cleared */
    uint64_t seed;
    int64_t classes, count;
    int64_t *quota, *held, *first; /* classes each: rows to choose, rows in the heap, where the heap begins */
    struct ny_keyed_row *heap;     /* count */
} ny_row_sampler;

/* Chooses `count` rows of those that will be offered, class_rows of each class. For ny_row_sampler_clear, also after a
 * failure. */
ny_status ny_row_sampler_init(ny_ctx *ctx, int64_t classes, const int64_t *class_rows, int64_t count, uint64_t seed,
                              ny_row_sampler *sampler);
void ny_row_sampler_offer(ny_row_sampler *sampler, int64_t row, int32_t code); /* code: 0 in regression */
/* After the last offer. */
bool ny_row_sampler_has(const ny_row_sampler *sampler, int64_t row, int32_t code);
int64_t ny_row_sampler_rows(const ny_row_sampler *sampler, int64_t *rows); /* ascending; returns how many: count */
void ny_row_sampler_clear(ny_row_sampler *sampler);

#endif

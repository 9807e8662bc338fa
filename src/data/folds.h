/* folds.h: which rows are held out together. */
#ifndef NY_FOLDS_H
#define NY_FOLDS_H

#include "base/ctx.h"

/* fold[i] in 0 .. folds-1. Stratified when code is given (classes code[i] in 0 .. classes-1): every class is spread
 * evenly over the folds. For regression (code = NULL) rows are spread at random. folds <= n. */
ny_status ny_folds_make(ny_ctx *ctx, int64_t n, const int32_t *code, int64_t classes, int64_t folds, uint64_t seed,
                        int32_t *fold);

/* One whole number for each row, any distinct numbers; renumbered 0 .. folds-1 ascending. Errors carry the line. */
ny_status ny_folds_read(ny_ctx *ctx, const char *path, int64_t n, int32_t *fold, int64_t *folds);

/* A stratified random subset of `count` of the n rows, ascending. */
ny_status ny_rows_sample(ny_ctx *ctx, int64_t n, const int32_t *code, int64_t classes, int64_t count, uint64_t seed,
                         int64_t *rows);

#endif

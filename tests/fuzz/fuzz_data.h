/* fuzz_data.h: what the three readers' fuzzers share: bytes in memory go through one reader, first to learn a schema,
 * then once more with that schema and in small pieces, so that records cross the borders of the window. The first byte
 * of the input chooses options. */
#ifndef NY_FUZZ_DATA_H
#define NY_FUZZ_DATA_H

#include <stdlib.h>
#include <string.h>

#include "base/ctx.h"
#include "options/options.h"
#include "read/reader.h"
#include "table/data.h"

static void fuzz_set(ny_ctx *ctx, ny_options *options, const char *name, const char *value) {
    if (ny_options_set(ctx, options, name, value) != NY_OK) abort();
}

/* Walks over everything a caller may read: the sanitizers see what is not there. */
static double fuzz_touch(const ny_data *data) {
    double sum = 0;
    int64_t d = data->X.d, n = data->X.n;
    for (int64_t i = 0; data->X.x && i < n * d; i++) sum += data->X.x[i];
    for (int64_t k = 0; data->X.ptr && k < data->X.ptr[n]; k++) {
        if (data->X.idx[k] < 0 || data->X.idx[k] >= d) abort();
        sum += data->X.val[k];
    }
    for (int64_t i = 0; data->has_target && i < n; i++) {
        sum += data->y[i];
        if (data->labels > 0) sum += data->label[data->code[i]][0];
    }
    for (int64_t i = 0; data->weight && i < n; i++) sum += data->weight[i];
    if (!(sum - sum == 0)) abort(); /* NaN and infinity never get in */
    return sum;
}

static ny_status fuzz_read(ny_ctx *ctx, const uint8_t *bytes, size_t size, int64_t piece, const ny_options *options,
                           const ny_schema *like, ny_data **data) {
    ny_source source;
    if (ny_source_memory(ctx, "fuzz", bytes, (int64_t)size, piece, &source) != NY_OK) abort();
    ny_status st = ny_data_from_source(ctx, &source, options, like, data);
    ny_source_close(&source);
    if (st != NY_OK && ny_message(ctx)[0] == 0) abort(); /* every failure says why */
    return st;
}

static int fuzz_data(const char *format, const uint8_t *bytes, size_t size) {
    static const char *const missing[] = {"error", "drop", "mean", "mean"}, *const header[] = {"auto", "yes", "no",
                                                                                               "auto"};
    static const char *const target[] = {"", "1", "2", "a"}, *const other[] = {"", "1", "3", "b"};
    static const char *const ignore[] = {"auto", "auto", "none", "2"}, *const na[] = {"", "", "-", "x,-1"};
    static const char *const decimal[] = {"auto", "auto", ",", "."};
    if (size == 0) return 0;
    int64_t live = ny_alloc_live();
    unsigned choice = bytes[0];
    ny_ctx *ctx = ny_ctx_new();
    ny_options *options = ny_options_new(ctx);
    ny_data *data = NULL, *again = NULL;
    bool plain = strcmp(format, "libsvm") == 0;
    fuzz_set(ctx, options, "format", choice % 5 == 0 ? "auto" : format);
    fuzz_set(ctx, options, "missing", missing[choice & 3]);
    fuzz_set(ctx, options, "header", header[choice >> 2 & 3]);
    fuzz_set(ctx, options, "target", plain ? "" : target[choice >> 4 & 3]);
    fuzz_set(ctx, options, choice & 1 ? "categorical" : "weight-column", plain ? "" : other[choice >> 6 & 3]);
    fuzz_set(ctx, options, "ignore", plain ? "auto" : ignore[choice / 5 % 4]);
    fuzz_set(ctx, options, "na", plain ? "" : na[choice / 7 % 4]);
    fuzz_set(ctx, options, "decimal", strcmp(format, "csv") != 0 || choice % 5 == 0 ? "auto" : decimal[choice / 3 % 4]);
    if (fuzz_read(ctx, bytes + 1, size - 1, 0, options, NULL, &data) == NY_OK) {
        fuzz_touch(data);
        if (fuzz_read(ctx, bytes + 1, size - 1, 1 + choice % 40, options, &data->schema, &again) == NY_OK) {
            fuzz_touch(again);
            if (again->X.d != data->X.d) abort();
        }
    }
    ny_data_free(again);
    ny_data_free(data);
    ny_options_free(options);
    ny_ctx_free(ctx);
    if (ny_alloc_live() != live) abort();
    return 0;
}

#endif

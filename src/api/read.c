/* read.c: reading data as the public API sees it. */
#include "base/ctx.h"
#include "data/data.h"
#include "model/model.h"

ny_status ny_data_read(ny_ctx *ctx, const char *path, const ny_options *options, const ny_model *like, ny_data **data) {
    double start = ny_now();
    ny_progress(ctx, "read", 0, 1, -1);
    ny_status st = ny_data_open(ctx, path, options, like ? &like->schema : NULL, data);
    if (st == NY_OK) (*data)->seconds_read = ny_now() - start;
    return st;
}

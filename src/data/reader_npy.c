/* reader_npy.c: numpy's array files: n rows of p numbers, or one column of n. The last column is the target unless
 * --target numbers another. Nothing is allocated by what the header promises before the bytes are there. Positions in
 * messages are row and column, from 1. */
#include <string.h>

#include "encode.h"
#include "frame.h"
#include "layout.h"
#include "npy_header.h"
#include "reader.h"

bool ny_looks_npy(const ny_source *s) {
    return s->size - s->at >= 6 && memcmp(s->bytes + s->at, "\x93NUMPY", 6) == 0;
}

/* Holds `count` bytes, the ones from byte `done` of the array on; their lack is an error. */
static ny_status hold(ny_ctx *ctx, ny_source *source, const ny_array_info *a, int64_t count, int64_t before) {
    int64_t have;
    ny_status st = ny_source_need(ctx, source, count, &have);
    if (st != NY_OK || have == count) return st;
    return ny_error(ctx, NY_ERR_DATA, "%s: cut short: %lld rows of %lld columns take %lld bytes, %lld are there",
                    source->name, (long long)a->rows, (long long)a->columns, (long long)a->rows * a->columns * a->item,
                    (long long)before + have);
}

static ny_status read_rows(ny_ctx *ctx, ny_source *source, const ny_array_info *a, ny_frame *frame) {
    ny_status st = NY_OK;
    int64_t width = a->columns * a->item;
    for (int64_t i = 0; i < a->rows; i++) {
        if (!a->fortran) NY_TRY(hold(ctx, source, a, width, i * width));
        const char *p = source->bytes + source->at;
        NY_TRY(ny_frame_begin(ctx, frame));
        for (int64_t f = 0; f < a->columns; f++) {
            double v = ny_array_number(a, p, a->fortran ? f * a->rows + i : f);
            NY_TRY(ny_frame_number(ctx, frame, i + 1, f, v));
        }
        ny_frame_end(frame);
        if (!a->fortran) source->at += width;
    }
    if (a->fortran) source->at += a->rows * width;
done:
    return st;
}

ny_status ny_read_npy(ny_ctx *ctx, ny_source *source, const ny_options *options, const ny_schema *like, ny_data *data) {
    ny_status st = NY_OK;
    ny_array_info a;
    ny_layout layout = {0};
    ny_frame frame = {0};
    NY_TRY(ny_array_info_read(ctx, source, &a));
    NY_TRY(hold(ctx, source, &a, (a.fortran ? a.rows : 1) * a.columns * a.item, 0));
    NY_TRY(ny_layout_init(ctx, source->name, a.columns, NULL, &layout));
    if (like) NY_TRY(ny_layout_apply(ctx, options, like, &layout));
    else NY_TRY(ny_layout_learn(ctx, options, NULL, &layout));
    NY_TRY(ny_frame_init(ctx, &layout, options, like, &frame));
    if (!source->zip && source->total / a.item / a.columns >= a.rows) frame.expected = a.rows; /* as promised */
    NY_TRY(read_rows(ctx, source, &a, &frame));
    int64_t more;
    NY_TRY(ny_source_need(ctx, source, 1, &more));
    if (more) ny_log(ctx, NY_LOG_WARNING, "%s: bytes behind the array are not used", source->name);
    NY_TRY(ny_encode(ctx, &frame, data));
done:
    ny_frame_clear(&frame);
    ny_layout_clear(&layout);
    return st;
}

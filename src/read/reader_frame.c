/* reader_frame.c: what CSV and .npy have in common: rows of fields, gathered in a frame. */
#include "encode.h"
#include "identify.h"
#include "reader.h"

ny_status ny_reader_frame_init(ny_ctx *ctx, ny_reader *r, const ny_options *options, const ny_kind *kind) {
    ny_status st = NY_OK;
    if (r->like) NY_TRY(ny_layout_apply(ctx, options, r->like, &r->layout));
    else NY_TRY(ny_layout_learn(ctx, options, kind, &r->layout));
    for (int64_t f = 0; f < r->layout.fields && r->na.numbers; f++)
        if (r->layout.field[f].role == NY_ROLE_NUMBER) r->layout.field[f].role = NY_ROLE_LOCAL;
    NY_TRY(ny_frame_init(ctx, &r->layout, options, &r->na, r->like, &r->frame));
    r->target = &r->frame.target;
done:
    return st;
}

void ny_reader_frame_count(ny_reader *r) {
    r->count = r->frame.count;
}

ny_status ny_reader_frame_check(ny_ctx *ctx, ny_reader *r) {
    ny_status st = NY_OK;
    if (!r->like && !r->frame.learnt && r->frame.count.rows > 0) NY_TRY(ny_identify_end(ctx, &r->frame));
    NY_TRY(ny_frame_check(ctx, &r->frame));
done:
    return st;
}

ny_status ny_reader_frame_learn(ny_ctx *ctx, ny_reader *r, ny_data *data) {
    return ny_encode_learn(ctx, &r->frame, data);
}

ny_status ny_reader_frame_take(ny_ctx *ctx, ny_reader *r, const ny_schema *schema, ny_data *data) {
    return ny_encode_take(ctx, &r->frame, schema, data);
}

void ny_reader_frame_recycle(ny_reader *r) {
    ny_frame_recycle(&r->frame);
}

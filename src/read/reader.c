/* reader.c: what all formats have in common: choosing one, its steps in their order, warnings about the whole file. */
#include "reader.h"

#include <string.h>

#include "magic.h"
#include "options/option_rules.h"

enum { PIECE = 1 << 16 }; /* doubles that are held while nothing is to be kept: they stay in the cache */

static const ny_file_format *const formats[] = {
    [NY_FORMAT_CSV] = &ny_format_csv, [NY_FORMAT_LIBSVM] = &ny_format_libsvm, [NY_FORMAT_NPY] = &ny_format_npy};

static ny_format_option choose(const ny_source *source, ny_format_option asked, const ny_schema *like) {
    if (asked != NY_FORMAT_AUTO) return asked;
    if (ny_looks_npy(source)) return NY_FORMAT_NPY;
    return ny_looks_libsvm(source, like && like->sparse) ? NY_FORMAT_LIBSVM : NY_FORMAT_CSV;
}

ny_status ny_reader_open(ny_ctx *ctx, ny_source *source, const ny_options *options, const ny_schema *like,
                         ny_reader *r) {
    ny_status st = NY_OK;
    memset(r, 0, sizeof *r);
    NY_CHECK(ctx, source->size > source->at, NY_ERR_DATA, "%s is empty", source->name);
    r->source = source;
    r->like = like;
    NY_TRY(ny_magic_refuse(ctx, source));
    NY_TRY(ny_na_init(ctx, options->na, like ? like->na : NULL, &r->na));
    ny_facts facts = {.options = options, .format = choose(source, options->format, like)};
    r->format = formats[facts.format];
    st = ny_option_rules_apply(ctx, NY_BY_FILE, NULL, &facts, NULL, NULL);
    if (st != NY_OK) return ny_error_prefix(ctx, st, "%s: ", source->name);
    if (!(r->state = ny_alloc(ctx, 1, r->format->state))) return NY_ERR_MEMORY;
    NY_TRY(r->format->open(ctx, r, options));
done:
    return st;
}

void ny_reader_close(ny_reader *r) {
    if (r->state) r->format->close(r);
    ny_free(r->state);
    ny_frame_clear(&r->frame);
    ny_layout_clear(&r->layout);
    ny_na_clear(&r->na);
    memset(r, 0, sizeof *r);
}

ny_status ny_reader_next(ny_ctx *ctx, ny_reader *r, int64_t max_rows) {
    ny_status st = NY_OK;
    if (r->ended) return st;
    NY_TRY(r->format->next(ctx, r, max_rows));
    if (r->ended) NY_TRY(r->format->check(ctx, r));
done:
    return st;
}

ny_status ny_reader_restart(ny_ctx *ctx, ny_reader *r) {
    ny_status st = NY_OK;
    r->ended = false;
    r->count = (ny_counts){0};
    r->expected = 0;
    NY_TRY(ny_source_rewind(ctx, r->source));
    NY_TRY(r->format->restart(ctx, r));
done:
    return st;
}

ny_status ny_reader_learn(ny_ctx *ctx, ny_reader *r, ny_data *data) {
    ny_status st = r->format->learn(ctx, r, data);
    data->rows = r->count.rows;
    data->dropped = r->count.dropped;
    data->unseen = r->count.unseen;
    data->missing = r->count.missing;
    data->X.d = data->schema.inputs;
    return st;
}

ny_status ny_reader_take(ny_ctx *ctx, ny_reader *r, const ny_schema *schema, ny_data *data) {
    ny_status st = r->format->take(ctx, r, schema, data);
    data->rows = data->X.n;
    data->sparse = ny_matrix_is_sparse(&data->X);
    data->weighted = data->weight != NULL;
    r->count.held = 0;
    return st;
}

ny_status ny_reader_drain(ny_ctx *ctx, ny_reader *r) {
    ny_status st = NY_OK;
    int64_t rows = PIECE / (r->layout.slots + 1) + 1;
    while (!r->ended) {
        r->format->recycle(r);
        r->count.held = 0;
        r->expected = rows;
        NY_TRY(ny_reader_next(ctx, r, rows));
    }
    r->format->recycle(r);
    r->count.held = 0;
done:
    return st;
}

void ny_reader_warn(ny_ctx *ctx, const ny_reader *r) {
    const char *name = r->source->name;
    ny_target_warn(ctx, r->target, name);
    if (r->count.dropped > 0)
        ny_log(ctx, NY_LOG_WARNING, "%s: %lld of %lld rows dropped for missing values", name,
               (long long)r->count.dropped, (long long)r->count.dropped + r->count.rows);
    if (r->count.lacking > 0)
        ny_log(ctx, NY_LOG_WARNING, "%s: %lld of %lld rows have missing values: their predictions are empty", name,
               (long long)r->count.lacking, (long long)r->count.rows);
    if (r->count.unseen > 0)
        ny_log(ctx, NY_LOG_WARNING,
               "%s: %lld values are of categories or indices the model has not seen: taken as zeros", name,
               (long long)r->count.unseen);
}

ny_status ny_reader_all(ny_ctx *ctx, ny_reader *r, ny_data *data) {
    ny_status st = NY_OK;
    NY_TRY(ny_reader_next(ctx, r, INT64_MAX));
    NY_TRY(ny_reader_learn(ctx, r, data));
    NY_TRY(ny_reader_take(ctx, r, &data->schema, data));
    ny_reader_warn(ctx, r);
done:
    return st;
}

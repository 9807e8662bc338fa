/* read.c: reading data as the public API sees it. */

#include "base/stack.h"
#include "model/record.h"
#include "options/limits.h"
#include "options/option_rules.h"
#include "read/stream.h"
#include "table/data.h"

/* What the options ask of a model that it cannot give, found out before the file is read. */
static ny_status check(ny_ctx *ctx, const ny_options *options, const ny_model *like) {
    ny_facts facts = {.options = options, .classes = like->classes};
    return ny_option_rules_apply(ctx, NY_BY_MODEL, NULL, &facts, NULL, NULL);
}

/* --missing auto means what the model was trained with. *own: options that say so, or NULL where the given ones do. */
static ny_status as_trained(ny_ctx *ctx, const ny_options *options, const ny_model *like, ny_options **own) {
    ny_status st = NY_OK;
    *own = NULL;
    if (!like || !like->options || options->missing != NY_MISSING_AUTO) return st;
    NY_TRY(ny_options_copy(ctx, options, own));
    st = ny_options_put(ctx, *own, "missing", ny_options_get(like->options, "missing"));
    if (st != NY_OK) ny_options_free(*own);
done:
    return st;
}

ny_status ny_data_read(ny_ctx *ctx, const char *path, const ny_options *options, const ny_model *like, ny_data **data) {
    NY_NEEDS(ctx, ctx && path && options && data, "a context, a path, options and a place for the data");
    if (ny_stack_check(ctx) != NY_OK) return NY_ERR_MEMORY;
    double start = ny_now();
    ny_options *own = NULL;
    *data = NULL;
    ny_status st = like ? check(ctx, options, like) : NY_OK;
    if (st == NY_OK) st = as_trained(ctx, options, like, &own);
    if (st != NY_OK) return st;
    ny_limits before = ny_limits_enter(ctx, options);
    ny_progress(ctx, "read", 0, 1, -1);
    st = ny_data_open(ctx, path, own ? own : options, like ? &like->schema : NULL, data);
    ny_options_free(own);
    ny_limits_leave(ctx, before);
    if (st == NY_OK) (*data)->seconds_read = ny_now() - start;
    return st;
}

ny_status ny_data_blocks_open(ny_ctx *ctx, const char *path, const ny_options *options, const ny_model *like,
                              ny_data_blocks **blocks) {
    ny_options *own;
    NY_NEEDS(ctx, ctx && path && options && blocks, "a context, a path, options and a place for the blocks");
    if (ny_stack_check(ctx) != NY_OK) return NY_ERR_MEMORY;
    *blocks = NULL;
    if (!like) return ny_error(ctx, NY_ERR_USAGE, "blocks of data are laid out for a model, and none is given");
    ny_status st = check(ctx, options, like);
    if (st == NY_OK) st = as_trained(ctx, options, like, &own);
    if (st != NY_OK) return st;
    ny_progress(ctx, "read", 0, 1, -1);
    st = ny_blocks_open(ctx, path, own ? own : options, &like->schema, blocks);
    ny_options_free(own);
    if (st == NY_OK) ny_blocks_beside(*blocks, 4 * (like->f.outputs + like->classes)); /* outputs, probabilities */
    return st;
}

ny_status ny_data_blocks_next(ny_ctx *ctx, ny_data_blocks *blocks, int64_t max_rows, ny_data **data) {
    NY_NEEDS(ctx, ctx && blocks && data && max_rows >= 0,
             "a context, blocks, at least 0 rows and a place for the data");
    return ny_blocks_next(ctx, blocks, max_rows, data);
}

void ny_data_blocks_close(ny_data_blocks *blocks) {
    if (blocks) ny_blocks_close(blocks);
}

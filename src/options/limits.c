/* limits.c: see limits.h. */
#include "limits.h"

#include "base/ctx.h"

static const int64_t LEAST = 8 << 20; /* bytes without which nothing can be done, not even saying so */

/* Bytes not to exceed: --memory, or 80% of what is free. */
static double bytes_of(const ny_options *options) {
    return options->memory > 0 ? (double)options->memory : 0.8 * (double)ny_available_bytes();
}

ny_limits ny_limits_enter(ny_ctx *ctx, const ny_options *options) {
    ny_limits before = {ctx->memory, ctx->deadline};
    if (ctx->begun || !options) return before;
    double bytes = bytes_of(options);
    if (options->memory == 0) bytes += (double)ny_alloc_bytes(); /* 80% of what is free, beside what is in use */
    ctx->memory = bytes < (double)LEAST ? LEAST : bytes < 9e18 ? (int64_t)bytes : INT64_MAX;
    ctx->deadline = options->time_limit > 0 ? ny_now() + options->time_limit : 0;
    return before;
}

void ny_limits_leave(ny_ctx *ctx, ny_limits before) {
    ctx->memory = before.memory;
    ctx->deadline = before.deadline;
}

void ny_begin(ny_ctx *ctx, const ny_options *options) {
    if (!ctx) return;
    ctx->begun = false;
    ny_limits_enter(ctx, options);
    if (!options) ny_limits_leave(ctx, (ny_limits){0});
    ctx->begun = options != NULL;
}

double ny_limits_memory(const ny_ctx *ctx, const ny_options *options) {
    return options->memory == 0 && ctx->memory > 0 ? (double)ctx->memory : bytes_of(options);
}

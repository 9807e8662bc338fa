/* limits.h: what --memory and --time-limit promise, in the context. ny_begin makes them hold for a whole run; without
 * it each reading and each training is a run of its own. */
#ifndef NY_LIMITS_H
#define NY_LIMITS_H

#include "options.h"

typedef struct ny_limits { /* those in force before */
    int64_t memory;
    double deadline;
} ny_limits;

/* The options' limits from now on, unless the run has begun and has its own. */
ny_limits ny_limits_enter(ny_ctx *ctx, const ny_options *options);
/* Puts the limits of before back. */
void ny_limits_leave(ny_ctx *ctx, ny_limits before);

/* Bytes not to exceed: --memory, or what was free when the context's limits were set. */
double ny_limits_memory(const ny_ctx *ctx, const ny_options *options);

#endif

/* grow.h: arrays whose final length is not known while a file is being read. */
#ifndef NY_GROW_H
#define NY_GROW_H

#include "base/ctx.h"

/* p with room for `need` elements of `size` bytes: p itself, or a block at least twice as large. NULL on failure; p
 * and *capacity then stay as they are. */
void *ny_grow(ny_ctx *ctx, void *p, int64_t *capacity, int64_t need, size_t size);

#define NY_GROW(ctx, p, capacity, need)                                     \
    do {                                                                    \
        void *grown_ = ny_grow(ctx, (p), &(capacity), (need), sizeof *(p)); \
        if (!grown_) {                                                      \
            st = NY_ERR_MEMORY;                                             \
            goto done;                                                      \
        }                                                                   \
        (p) = grown_;                                                       \
    } while (0)

#endif

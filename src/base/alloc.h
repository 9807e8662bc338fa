/* alloc.h: the only allocator. Sizes are multiplied with a check; blocks are aligned for SIMD. */
#ifndef NY_ALLOC_H
#define NY_ALLOC_H

#include <stddef.h>
#include <stdint.h>

#include "nysel.h"

/* count * size bytes, 64-byte aligned, zero-filled. NULL after setting NY_ERR_MEMORY in ctx, also when more than
 * ctx->memory would then be in use. */
void *ny_alloc(ny_ctx *ctx, int64_t count, size_t size);
/* The same without the zeros: for large blocks that are written before they are read. */
void *ny_alloc_raw(ny_ctx *ctx, int64_t count, size_t size);
/* Grows p from old_count to count elements (contents kept, new ones not cleared). p stays valid on failure. */
void *ny_realloc(ny_ctx *ctx, void *p, int64_t old_count, int64_t count, size_t size);
/* A copy of the text, or of its first `length` bytes with a NUL behind; for ny_free. NULL as for ny_alloc. */
char *ny_strdup(ny_ctx *ctx, const char *text);
char *ny_strndup(ny_ctx *ctx, const char *text, int64_t length);
/* A printf into a fresh string, for ny_free. NULL as for ny_alloc. */
char *ny_format(ny_ctx *ctx, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Frees a block of the functions above; NULL is fine. */
void ny_free(void *p);

/* a * b * c; -1 when it does not fit. */
int64_t ny_size3(int64_t a, int64_t b, int64_t c);

/* NY_NEW(ctx, p, n) allocates n elements of *p and jumps to `done` with the status when it cannot. */
#define NY_NEW(ctx, p, n)                               \
    do {                                                \
        if (!((p) = ny_alloc(ctx, (n), sizeof *(p)))) { \
            st = NY_ERR_MEMORY;                         \
            goto done;                                  \
        }                                               \
    } while (0)
#define NY_NEW_RAW(ctx, p, n)                               \
    do {                                                    \
        if (!((p) = ny_alloc_raw(ctx, (n), sizeof *(p)))) { \
            st = NY_ERR_MEMORY;                             \
            goto done;                                      \
        }                                                   \
    } while (0)

/* For the fault tests: the k-th allocation from now fails (0 = never), and how many were made or are live. */
void ny_alloc_fail_at(int64_t k);
int64_t ny_alloc_count(void);
int64_t ny_alloc_live(void);
/* Bytes that are live now, and the most there were since the last call of ny_alloc_peak. */
int64_t ny_alloc_bytes(void);
int64_t ny_alloc_peak(void);

/* For arrays whose final length is not known while a file is being read: p with room for `need` elements of `size`
 * bytes, p itself or a block at least twice as large. NULL on failure; p and *capacity then stay as they are. */
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

/* alloc.c: aligned, checked, and able to fail on demand. Each block has a header of one alignment unit in front that
 * holds its size, so that growing and counting need no help from the caller. */
#include "alloc.h"

#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "ctx.h"

enum {
    ALIGN = 64,
    HUGE = 2 << 20,
    BESIDE = 3 * ALIGN
}; /* BESIDE: what a small block takes beside its bytes, at most */

/* Some of OpenBLAS's code (dsymv for old processors) reads a little beyond the end of a vector, which must not be the
 * end of the mapped memory. The sanitizer is to see the true end. */
#ifdef __SANITIZE_ADDRESS__
enum { BEHIND = 0 };
#else
enum { BEHIND = ALIGN };
#endif

static atomic_llong fail_at; /* the test hook: counts down to the failing call */
static atomic_llong made, live, live_bytes, peak_bytes;

void ny_alloc_fail_at(int64_t k) {
    atomic_store(&fail_at, k);
}
int64_t ny_alloc_count(void) {
    return atomic_load(&made);
}
int64_t ny_alloc_live(void) {
    return atomic_load(&live);
}

int64_t ny_alloc_bytes(void) {
    return atomic_load(&live_bytes);
}
int64_t ny_alloc_peak(void) {
    return atomic_exchange(&peak_bytes, atomic_load(&live_bytes));
}

int64_t ny_size3(int64_t a, int64_t b, int64_t c) {
    int64_t ab, abc;
    if (a < 0 || b < 0 || c < 0 || __builtin_mul_overflow(a, b, &ab) || __builtin_mul_overflow(ab, c, &abc)) return -1;
    return abc;
}

/* Whether so many bytes more are within what the context may use. All blocks of the process count, whoever made them:
 * a promise about memory is one about the process. */
static bool within(const ny_ctx *ctx, int64_t bytes) {
    if (!ctx || ctx->memory <= 0) return true;
    return bytes <= ctx->memory - atomic_load(&live_bytes) - BESIDE * (atomic_load(&live) + 1);
}

static void tell(ny_ctx *ctx, int64_t bytes, bool allowed) {
    if (bytes < 0) ny_error(ctx, NY_ERR_MEMORY, "out of memory: the size of a block overflows");
    else if (allowed) ny_error(ctx, NY_ERR_MEMORY, "out of memory: %.1f MB more were needed", (double)bytes / 1e6);
    else
        ny_error(
            ctx, NY_ERR_MEMORY,
            "out of memory: %.1f MB more were needed beside the %.1f MB in use, and %.0f MB may be used (--memory)",
            (double)bytes / 1e6, (double)(atomic_load(&live_bytes) + BESIDE * atomic_load(&live)) / 1e6,
            (double)ctx->memory / 1e6);
}

void *ny_alloc_raw(ny_ctx *ctx, int64_t count, size_t size) {
    int64_t bytes = ny_size3(count, (int64_t)size, 1);
    atomic_fetch_add(&made, 1);
    bool allowed = within(ctx, bytes);
    bool refuse = (atomic_load(&fail_at) > 0 && atomic_fetch_sub(&fail_at, 1) == 1) || !allowed;
    char *block = NULL;
    if (!refuse && bytes >= 0 && bytes <= INT64_MAX - 2 * HUGE) {
        size_t align = bytes >= 2 * HUGE ? HUGE : ALIGN,
               size_up = ((size_t)bytes + ALIGN + BEHIND + align - 1) / align * align;
        block = aligned_alloc(align, size_up);
        if (block && align == HUGE) madvise(block, size_up, MADV_HUGEPAGE); /* fewer page faults; may be refused */
    }
    if (!block) {
        tell(ctx, bytes, allowed);
        return NULL;
    }
    memcpy(block, &bytes, sizeof bytes);
    atomic_fetch_add(&live, 1);
    long long now = atomic_fetch_add(&live_bytes, bytes) + bytes, most = atomic_load(&peak_bytes);
    while (now > most && !atomic_compare_exchange_weak(&peak_bytes, &most, now)) continue;
    return block + ALIGN;
}

void *ny_alloc(ny_ctx *ctx, int64_t count, size_t size) {
    void *p = ny_alloc_raw(ctx, count, size);
    if (p) memset(p, 0, (size_t)count * size);
    return p;
}

void *ny_realloc(ny_ctx *ctx, void *p, int64_t old_count, int64_t count, size_t size) {
    void *q = ny_alloc_raw(ctx, count, size);
    if (q && p) {
        memcpy(q, p, (size_t)(old_count < count ? old_count : count) * size);
        ny_free(p);
    }
    return q;
}

void ny_free(void *p) {
    if (!p) return;
    int64_t bytes;
    memcpy(&bytes, (char *)p - ALIGN, sizeof bytes);
    atomic_fetch_sub(&live_bytes, bytes);
    atomic_fetch_sub(&live, 1);
    free((char *)p - ALIGN);
}

char *ny_strndup(ny_ctx *ctx, const char *text, int64_t length) {
    char *copy = ny_alloc_raw(ctx, length + 1, 1);
    if (copy) {
        memcpy(copy, text, (size_t)length);
        copy[length] = 0;
    }
    return copy;
}

char *ny_strdup(ny_ctx *ctx, const char *text) {
    return ny_strndup(ctx, text, (int64_t)strlen(text));
}

char *ny_format(ny_ctx *ctx, const char *format, ...) {
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    int length = vsnprintf(NULL, 0, format, args);
    va_end(args);
    char *text = length < 0 ? NULL : ny_alloc_raw(ctx, length + 1, 1);
    if (text) vsnprintf(text, (size_t)length + 1, format, again);
    va_end(again);
    return text;
}

void ny_text_free(char *text) {
    ny_free(text);
}

/* Doubling, so that adding n elements costs O(n) copies. */
void *ny_grow(ny_ctx *ctx, void *p, int64_t *capacity, int64_t need, size_t size) {
    if (p && need <= *capacity) return p;
    int64_t count = *capacity < INT64_MAX / 2 ? 2 * *capacity : INT64_MAX;
    if (count < 64) count = 64;
    if (count < need) count = need;
    void *grown = ny_realloc(ctx, p, *capacity, count, size);
    if (grown) *capacity = count;
    return grown;
}

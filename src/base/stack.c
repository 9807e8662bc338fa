/* stack.c: see stack.h. */
#include "stack.h"

#include <pthread.h>
#include <stdint.h>

/* The search takes 60 kB, decoding 40, LAPACK and Cholesky 40, deeply nested JSON 150: twice the largest sum. */
enum { NEEDED = 384 << 10 };

/* The lowest address of the stack of this thread; 0 when it cannot be found out. The system is asked once. */
static uintptr_t lowest(void) {
    static _Thread_local uintptr_t known;
    pthread_attr_t attributes;
    void *low;
    size_t size;
    if (known || pthread_getattr_np(pthread_self(), &attributes) != 0) return known;
    if (pthread_attr_getstack(&attributes, &low, &size) == 0) known = (uintptr_t)low;
    pthread_attr_destroy(&attributes);
    return known;
}

ny_status ny_stack_check(ny_ctx *ctx) {
    uintptr_t here = (uintptr_t)__builtin_frame_address(0), low = lowest();
    if (low == 0 || here < low || here - low >= NEEDED) return NY_OK;
    return ny_error(ctx, NY_ERR_MEMORY,
                    "%d kB of stack are left in the calling thread, and %d kB are needed: start it with a larger stack",
                    (int)((here - low) >> 10), NEEDED >> 10);
}

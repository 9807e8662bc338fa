/* reserve.c: address space for OpenBLAS. Each of its calls works in a buffer of 128 MB of address space, which it keeps
 * for the next call. Where such a buffer cannot be had (ulimit -v, prlimit --as) it tries again for ever. So the
 * buffers are tried here first, and then taken by OpenBLAS at once, before anything else can have the space. */
#include <cblas.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>

#include "base/stack.h"
#include "linalg.h"

extern void *blas_memory_alloc(int) __attribute__((weak)); /* OpenBLAS's own, in all of its builds */
extern void blas_memory_free(void *) __attribute__((weak));

static const int64_t BUFFER = 128 << 20; /* the largest of any processor that it knows */
enum { SPARE = 16 << 20, MOST = 256 };

/* OpenBLAS has room for so many buffers, "... MAX_THREADS=64" in its description of itself, and ends the process when
 * it runs out of them. Half are taken when it is loaded. */
static int most_buffers(void) {
    const char *at = strstr(openblas_get_config(), "MAX_THREADS=");
    int most = 0;
    if (!at || sscanf(at, "MAX_THREADS=%d", &most) != 1 || most < 1) most = 1;
    return most < MOST ? most : MOST;
}

/* Whatever forbids it, a limit of the process or of the machine. */
static bool there_is_room(int64_t bytes) {
    void *block = mmap(NULL, (size_t)bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (block == MAP_FAILED) return false;
    munmap(block, (size_t)bytes);
    return true;
}

static void take(int buffers) {
    void *buffer[MOST];
    for (int i = 0; i < buffers; i++) buffer[i] = blas_memory_alloc(0);
    for (int i = 0; i < buffers; i++) blas_memory_free(buffer[i]);
}

static ny_status no_room(ny_ctx *ctx) {
    static const struct {
        unsigned kind;
        const char *name;
    } limits[] = {{RLIMIT_AS, "ulimit -v"}, {RLIMIT_DATA, "ulimit -d"}};
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
        struct rlimit limit;
        if (getrlimit(limits[i].kind, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) continue;
        return ny_error(ctx, NY_ERR_MEMORY,
                        "the address space is limited to %.0f MB, and OpenBLAS needs %.0f MB more for a buffer: raise "
                        "the limit (%s)",
                        (double)limit.rlim_cur / 1e6, (double)BUFFER / 1e6, limits[i].name);
    }
    return ny_error(ctx, NY_ERR_MEMORY, "no address space is left for a buffer of OpenBLAS, %.0f MB",
                    (double)BUFFER / 1e6);
}

/* Takes address space for BLAS to be called from *threads threads at the same time, or from as many as there is space
 * for; NY_ERR_MEMORY when there is none. */
static ny_status reserve(ny_ctx *ctx, int *threads) {
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    static atomic_int taken; /* by this process, as OpenBLAS's buffers are */
    ny_status st = NY_OK;
    int wanted = *threads, most = most_buffers();
    if (!blas_memory_alloc || !blas_memory_free || wanted <= taken) return NY_OK;
    if (wanted > most) wanted = most;
    pthread_mutex_lock(&lock);
    while (wanted > taken && !there_is_room((wanted - taken) * BUFFER + SPARE)) wanted--;
    if (wanted > taken) {
        take(wanted);
        taken = wanted;
    }
    if (wanted == 0) st = no_room(ctx);
    pthread_mutex_unlock(&lock);
    if (wanted > 0 && wanted < *threads)
        ny_log(ctx, NY_LOG_WARNING, "threads: %d instead of %d, OpenBLAS has no room for more buffers", wanted,
               *threads);
    *threads = wanted;
    return st;
}

ny_status ny_blas_crew(ny_ctx *ctx, int threads, ny_crew_before *before) {
    ny_status st = NY_OK;
    if (threads <= 0) threads = ny_threads_available();
    ny_blas_prepare();
    *before = ny_crew_begin(1);
    NY_TRY(ny_stack_check(ctx));
    NY_TRY(reserve(ctx, &threads));
    ny_threads_set(threads);
    if (ny_threads() < threads)
        ny_log(ctx, NY_LOG_WARNING, "threads: %d instead of %d, no more could be started", ny_threads(), threads);
done:
    return st;
}

/* threads.c: OpenMP tiles. The OpenMP build of OpenBLAS runs single-threaded inside our parallel regions by itself;
 * any other build is held to one thread there (ny_blas_prepare, linalg). */
#include "threads.h"

#include <omp.h>

/* The thread sanitizer does not see libgomp's fork and join, so they are told to it: everything before the loop happens
 * before every tile, and every tile before everything after the loop. Tiles among themselves stay under its eyes. */
#ifdef __has_feature
#define HAS_FEATURE(x) __has_feature(x)
#else
#define HAS_FEATURE(x) 0
#endif
#if defined __SANITIZE_THREAD__ || HAS_FEATURE(thread_sanitizer)
#include <sanitizer/tsan_interface.h>
#define NOT_WATCHED __attribute__((no_sanitize("thread"))) /* the loop's own variables travel through libgomp */
#define ARRIVED(at) __tsan_acquire(at)
#define LEAVING(at) __tsan_release(at)
#else
#define NOT_WATCHED
#define ARRIVED(at) (void)(at)
#define LEAVING(at) (void)(at)
#endif

int ny_threads_available(void) {
    return omp_get_num_procs();
}

int ny_threads(void) {
    return omp_get_max_threads();
}

void ny_threads_set(int threads) {
    omp_set_dynamic(0);
    omp_set_num_threads(threads > 0 ? threads : ny_threads_available());
}

bool ny_threads_busy(void) {
    return omp_in_parallel();
}

NOT_WATCHED void ny_for_tiles(int64_t n, int64_t step, ny_tile_fn *tile, void *arg) {
    if (step < 1) step = 1;
    int64_t tiles = (n + step - 1) / step;
    char fork, join;
    LEAVING(&fork);
#pragma omp parallel for schedule(dynamic, 1) if (tiles > 1)
    for (int64_t t = 0; t < tiles; t++) {
        int64_t first = t * step, count = n - first < step ? n - first : step;
        ARRIVED(&fork);
        tile(arg, first, count, omp_get_thread_num());
        LEAVING(&join);
    }
    ARRIVED(&join);
}

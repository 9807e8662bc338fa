/* threads.c: OpenMP tiles. The OpenMP build of OpenBLAS runs single-threaded inside our parallel regions by itself;
 * any other build is held to one thread there (ny_blas_prepare, linalg). */
#include "threads.h"

#include <omp.h>

int ny_threads_available(void) { return omp_get_num_procs(); }

int ny_threads(void) { return omp_get_max_threads(); }

void ny_threads_set(int threads) {
    omp_set_dynamic(0);
    omp_set_num_threads(threads > 0 ? threads : ny_threads_available());
}

void ny_for_tiles(int64_t n, int64_t step, ny_tile_fn *tile, void *arg) {
    if (step < 1) step = 1;
    int64_t tiles = (n + step - 1) / step;
#pragma omp parallel for schedule(dynamic, 1) if (tiles > 1)
    for (int64_t t = 0; t < tiles; t++) {
        int64_t first = t * step, count = n - first < step ? n - first : step;
        tile(arg, first, count, omp_get_thread_num());
    }
}

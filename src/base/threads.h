/* threads.h: the only place that knows OpenMP's runtime. One level of parallelism at a time: a tile loop runs our
 * threads with one-thread BLAS inside; outside tile loops BLAS uses the threads. */
#ifndef NY_THREADS_H
#define NY_THREADS_H

#include <stdbool.h>
#include <stdint.h>

int ny_threads_available(void);
int ny_threads(void);             /* in use now */
void ny_threads_set(int threads); /* for our loops and for BLAS */
bool ny_threads_busy(void);       /* this is a tile of a loop: loops inside it run in one thread */

/* Calls tile(arg, first, count, thread) over [0, n) in tiles of `step`, in parallel; tiles may run in any order, so
 * a tile writes only what is its own. `thread` < ny_threads() picks a scratch area. */
typedef void ny_tile_fn(void *arg, int64_t first, int64_t count, int thread);
void ny_for_tiles(int64_t n, int64_t step, ny_tile_fn *tile, void *arg);

#endif

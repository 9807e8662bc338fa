/* threads.h: a crew of threads for loops over tiles. One level of parallelism at a time: a tile loop runs the crew, and
 * BLAS works inside each tile (and outside of loops) in the thread that calls it. OpenMP is not used for this: its
 * threads spin, stay behind after the work (so that a forked child waits for them for ever), and where one cannot be
 * started the process is ended. */
#ifndef NY_THREADS_H
#define NY_THREADS_H

#include <stdbool.h>
#include <stdint.h>

#include "ctx.h"

/* The processors that this process may use: the least of its cpuset, the quota of its cgroups, OMP_NUM_THREADS,
 * OMP_THREAD_LIMIT and SLURM_CPUS_PER_TASK. */
int ny_threads_available(void);
int ny_threads(void); /* of the crew of the calling thread, itself counted; 1 where there is none */
/* Makes the crew of the calling thread that large (0: ny_threads_available), or as large as threads can be had. */
void ny_threads_set(int threads);
bool ny_threads_busy(void); /* this is a tile of a loop: loops inside it run in one thread */

/* From begin to end there is a crew, and the OpenMP build of OpenBLAS starts no threads in the calling thread. */
typedef struct ny_crew_before {
    int threads, openmp;
} ny_crew_before;
/* Crews may be nested: end takes what the matching begin gave, in the same thread. threads as for ny_threads_set. */
ny_crew_before ny_crew_begin(int threads);
void ny_crew_end(ny_crew_before before);

/* Calls tile(arg, first, count, thread) over [0, n) in tiles of `step`, in parallel; tiles may run in any order, so
 * a tile writes only what is its own. `thread` < ny_threads() picks a scratch area. */
typedef void ny_tile_fn(void *arg, int64_t first, int64_t count, int thread);
/* Returns when all tiles have run. */
void ny_for_tiles(int64_t n, int64_t step, ny_tile_fn *tile, void *arg);

/* Between begin and end, products and other long computations may leave out work once ny_should_stop(ctx): they ask
 * ny_cut. ny_cut_end tells whether anyone did: then the results are worthless and must be thrown away. */
typedef struct ny_cut_before {
    ny_ctx *ctx;
    bool cut;
} ny_cut_before;
/* They may be nested in one thread; end takes what the matching begin gave. */
ny_cut_before ny_cut_begin(ny_ctx *ctx);
bool ny_cut_end(ny_cut_before before);
/* Whether work may be left out now; the answer true is remembered for ny_cut_end. */
bool ny_cut(void);
/* The same loop, which leaves out the rest of its tiles when ny_cut: for tiles that do nothing but fill in numbers. */
void ny_for_tiles_cut(int64_t n, int64_t step, ny_tile_fn *tile, void *arg);

#endif

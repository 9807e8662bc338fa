/* search_grid.c: every bandwidth of the range with every C, all rows, all landmarks: Ding & Liao's Algorithm 2, with
 * all values of C at the price of one. With --kernel auto, for each of the kernels it compares. */
#include <math.h>

#include "search.h"

enum { ROUND = 4 }; /* points that are evaluated side by side */

static ny_status run_kernel(ny_selection *sel, const ny_kernel *kernel) {
    ny_status st = NY_OK;
    double *bandwidth = NULL, lo, hi, guess, least = INFINITY;
    int64_t count, best = 0;
    ny_point *point = NULL;
    ny_range range = sel->setup->bandwidth;
    if (!kernel->has_bandwidth) range = (ny_range){.single = 1};
    if (range.is_auto) {
        NY_TRY(ny_bandwidth_range(sel, kernel, &lo, &hi, &guess));
        range = (ny_range){.lo = floor(lo), .hi = ceil(hi), .step = 1};
    }
    NY_TRY(ny_range_points(sel->ctx, &range, &count, &bandwidth));
    NY_NEW(sel->ctx, point, count);
    for (int64_t i = 0; i < count; i++) point[i] = (ny_point){kernel, bandwidth[i], 0, 0};
    sel->found.work_total += (double)count * ny_level_flops(sel, sel->rows->n, sel->plan.landmarks);
    int64_t step =
        sel->passes ? count : ROUND; /* a pass over the rows can serve many; else a stop need not wait for all */
    for (int64_t i = 0; i < count; i += step)
        NY_TRY(ny_evaluate(sel, sel->rows->n, sel->plan.landmarks, count - i < step ? count - i : step, point + i));
    for (int64_t i = 0; i < count; i++)
        if (point[i].value < least) least = point[i].value, best = i;
    bool edge = count > 1 && (best == 0 || best == count - 1);
    if (sel->found.best.f.kernel.kernel == kernel) sel->found.bandwidth_edge = !edge ? 0 : best ? 1 : -1;
done:
    ny_free(bandwidth);
    ny_free(point);
    return st;
}

static ny_status run(ny_selection *sel) {
    ny_status st = NY_OK;
    for (int64_t k = 0; k < sel->setup->kernels && st == NY_OK; k++) st = run_kernel(sel, sel->setup->candidate[k]);
    return st;
}

static ny_search_cost cost(const ny_options *options, bool iterative) {
    (void)options;
    (void)iterative;
    return (ny_search_cost){.machines = 10, .round = ROUND};
}

const ny_search ny_search_grid = {"grid", "every bandwidth of the range with every C", run, cost};

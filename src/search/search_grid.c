/* search_grid.c: every bandwidth of the range with every C, all rows, all landmarks: Ding & Liao's Algorithm 2, with
 * all values of C at the price of one. With --kernel auto, for each of the kernels it compares. */
#include <math.h>

#include "search.h"

static ny_status run(ny_selection *sel) {
    ny_status st = NY_OK;
    double *bandwidth = NULL, lo, hi, guess, least = INFINITY;
    int64_t count, best = 0, kernels = sel->kernels;
    ny_point *point = NULL;
    ny_range range = sel->options->bandwidth;
    if (!sel->candidate[0]->has_bandwidth) range = (ny_range){.single = 1};
    if (range.is_auto) {
        NY_TRY(ny_bandwidth_range(sel, &lo, &hi, &guess));
        range = (ny_range){.lo = floor(lo), .hi = ceil(hi), .step = 1};
    }
    NY_TRY(ny_range_points(sel->ctx, &range, &count, &bandwidth));
    NY_NEW(sel->ctx, point, count * kernels);
    for (int64_t i = 0; i < count * kernels; i++)
        point[i] = (ny_point){sel->candidate[i % kernels], bandwidth[i / kernels], 0, 0};
    sel->work_total = (double)(count * kernels) * ny_level_flops(sel, sel->n, sel->landmarks);
    int64_t step = sel->passes ? count * kernels : kernels; /* a pass over the rows can serve many points */
    for (int64_t i = 0; i < count * kernels; i += step)
        NY_TRY(ny_evaluate(sel, sel->n, sel->landmarks, step, point + i));
    for (int64_t i = 0; i < count * kernels; i++)
        if (point[i].value < least) least = point[i].value, best = i / kernels;
    if (count > 1 && (best == 0 || best == count - 1)) sel->bandwidth_edge = best ? 1 : -1;
done:
    ny_free(bandwidth);
    ny_free(point);
    return st;
}

const ny_search ny_search_grid = {"grid", "every bandwidth of the range with every C", run};

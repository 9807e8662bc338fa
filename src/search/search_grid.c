/* search_grid.c: every bandwidth of the range with every C, all rows, all landmarks: Ding & Liao's Algorithm 2, with
 * all values of C at the price of one. With --kernel auto, for each of the kernels it compares. */
#include <math.h>

#include "search.h"

static ny_status run(ny_selection *sel) {
    ny_status st = NY_OK;
    double *points = NULL, lo, hi, guess, least = INFINITY;
    int64_t count, best = 0;
    ny_point point[NY_KERNELS_MAX];
    ny_range range = sel->options->bandwidth;
    if (!sel->candidate[0]->has_bandwidth) range = (ny_range){.single = 1};
    if (range.is_auto) {
        NY_TRY(ny_bandwidth_range(sel, &lo, &hi, &guess));
        range = (ny_range){.lo = floor(lo), .hi = ceil(hi), .step = 1};
    }
    NY_TRY(ny_range_points(sel->ctx, &range, &count, &points));
    sel->work_total = (double)(count * sel->kernels) * ny_level_flops(sel, sel->all.n, sel->landmarks);
    for (int64_t i = 0; i < count; i++) {
        for (int64_t k = 0; k < sel->kernels; k++) point[k] = (ny_point){sel->candidate[k], points[i], 0, 0};
        NY_TRY(ny_evaluate(sel, sel->all.n, sel->landmarks, sel->kernels, point));
        for (int64_t k = 0; k < sel->kernels; k++)
            if (point[k].value < least) least = point[k].value, best = i;
    }
    if (count > 1 && (best == 0 || best == count - 1)) sel->bandwidth_edge = best ? 1 : -1;
done:
    ny_free(points);
    return st;
}

const ny_search ny_search_grid = {"grid", "every bandwidth of the range with every C", run};

/* search_none.c: one bandwidth: the given one, or the median distance in the data. C, where it is not given, is still
 * the criterion's choice: it comes with the decomposition. */
#include <math.h>

#include "search.h"

static ny_status run(ny_selection *sel) {
    ny_status st = NY_OK;
    double lo, hi, guess;
    const ny_range *range = &sel->setup->bandwidth;
    ny_point point[NY_KERNELS_MAX];
    for (int64_t k = 0; k < sel->setup->kernels; k++) {
        const ny_kernel *kernel = sel->setup->candidate[k];
        guess = range->single > 0 ? log2(range->single) : (range->lo + range->hi) / 2;
        if (range->is_auto && kernel->has_bandwidth) NY_TRY(ny_bandwidth_range(sel, kernel, &lo, &hi, &guess));
        point[k] = (ny_point){.kernel = kernel, .bandwidth = range->single > 0 ? range->single : exp2(guess)};
    }
    NY_TRY(ny_evaluate(sel, sel->rows->n, sel->plan.landmarks, sel->setup->kernels, point));
done:
    return st;
}

static ny_search_cost cost(const ny_options *options, bool iterative) {
    (void)options;
    (void)iterative;
    return (ny_search_cost){.machines = 1, .round = 2};
}

const ny_search ny_search_none = {"none", "no search: one bandwidth (the median distance unless given)", run, cost};

/* ranks.c: --rank auto. The search has found kernel, bandwidth and C with all eigenvalues of the landmarks' kernel
 * matrix; here, at that kernel and bandwidth, fewer and fewer of the largest are kept, each time a factor of sqrt(2),
 * and C is found anew. The smallest rank whose criterion is within one standard error of the best wins.
 *                                                                                              docs/math.md, eq. 98 */
#include <math.h>

#include "search.h"

static const double LOST = 3; /* standard errors beyond the limit: two such ranks in a row end it */

typedef struct {
    ny_selection *sel;
    ny_solution kept;  /* of the smallest rank so far that will do */
    double best, unit; /* the best value so far, and its standard error */
} ladder;

/* The machine of this rank at the place that was found; it is kept if it will do. rank becomes what there is of it, as
 * --rank-tol may cut off more. far: it is LOST. One that is better than all before will do, and is the smallest so far:
 * whatever was kept until then need not be looked at again. */
static ny_status try_rank(ladder *l, int64_t *rank, bool *far) {
    ny_selection *sel = l->sel;
    int64_t landmarks = l->kept.asked, before = sel->plan.rank;
    ny_point point = ny_solution_point(&l->kept);
    sel->plan.rank = *rank;
    sel->found.work_total =
        fmax(sel->found.work_total, sel->found.work_done) + ny_level_flops(sel, sel->rows->n, landmarks);
    ny_status st = ny_evaluate(sel, sel->rows->n, landmarks, 1, &point);
    if (st == NY_OK && point.value < l->best)
        l->best = point.value, l->unit = ny_goal_error(sel->setup, &sel->found.best);
    if (st == NY_OK) *rank = sel->found.best.rank;
    *far = !(point.value <= l->best + (1 + LOST) * l->unit);
    if (st == NY_OK && point.value <= l->best + l->unit) {
        ny_solution_clear(&l->kept);
        l->kept = ny_solution_take(&sel->found.best);
    } else {
        ny_solution_clear(&sel->found.best);
        sel->plan.rank = before;
    }
    return st;
}

ny_status ny_search_ranks(ny_selection *sel) {
    ny_status st = NY_OK;
    const double best = ny_goal(sel->setup, &sel->found.best), unit = ny_goal_error(sel->setup, &sel->found.best);
    ladder l = {sel, ny_solution_take(&sel->found.best), best, unit};
    int64_t top = l.kept.rank, last = top, failed = 0; /* the largest rank below the kept one that will not do */
    bool far;
    ny_factor eigen = {0}; /* one decomposition serves all ranks */
    sel->cache.eigen = &eigen;
    for (int step = 1, lost = 0; last > 1 && lost < 2; step++) {
        int64_t rank = (int64_t)round((double)top * exp2(-step / 2.0)), asked = rank;
        if (rank >= last) continue; /* the last steps are smaller than one */
        NY_TRY(try_rank(&l, &rank, &far));
        if (rank < asked) top = rank, step = 0;
        last = rank;
        if (l.kept.rank <= rank) failed = 0;
        else if (!failed) failed = rank;
        lost = far ? lost + 1 : 0;
    }
    int64_t between = (int64_t)round(sqrt((double)failed * (double)l.kept.rank));
    if (failed && between > failed && between < l.kept.rank) NY_TRY(try_rank(&l, &between, &far));
done:
    ny_factor_clear(&eigen);
    sel->cache.eigen = NULL;
    sel->found.best = ny_solution_take(&l.kept);
    return st;
}

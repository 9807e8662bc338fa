/* sizes.c: how many landmarks.
 *
 * --landmarks M            one search with M.
 * --landmarks auto:M1,...  one search for each; the best criterion wins (De Brabanter 2010, section 5, where the test
 *                          data judge).
 * --landmarks grow         a search with the planned m, then twice as many as long as the last doubling improved the
 *                          criterion by more than its standard error and the plan's limit allows. What the first
 *                          doubling was worth tells a machine with m/2, for a quarter of the price.
 * --landmarks auto         the same, but a doubling must also be worth its time: the more the last one gained, in
 *                          standard errors, the more work the next may cost. Where an exact machine is to come after
 *                          (--solver auto) it does not grow. */
#include <math.h>

#include "contest.h"
#include "pace.h"
#include "search.h"

/* A search, and which kernel has won it. */
static ny_status run(ny_selection *sel, const ny_search *search) {
    ny_status st = search->run(sel);
    return st == NY_OK ? ny_contest_settle(sel) : st;
}

static ny_status each_candidate(ny_selection *sel, const ny_search *search) {
    ny_status st = NY_OK;
    ny_solution best = {0};
    const ny_count *sizes = &sel->setup->options->landmarks;
    int64_t landmarks = sel->plan.landmarks;
    for (int64_t i = 0; i < sizes->candidates && st == NY_OK; i++) {
        sel->plan.landmarks = sizes->candidate[i] < sel->rows->n ? sizes->candidate[i] : sel->rows->n;
        if (sel->plan.spanning && sel->plan.landmarks > sel->plan.spanning) sel->plan.landmarks = sel->plan.spanning;
        st = run(sel, search);
        bool whole = sel->found.best.valid && sel->found.best.rows == sel->rows->n;
        if (whole && (!best.valid || ny_goal(sel->setup, &sel->found.best) < ny_goal(sel->setup, &best))) {
            ny_solution_clear(&best);
            best = ny_solution_take(&sel->found.best);
            landmarks = sel->plan.landmarks;
        }
        if (st == NY_OK || best.valid) ny_solution_clear(&sel->found.best); /* else the best of whatever size is kept */
    }
    if (best.valid) sel->found.best = best;
    sel->plan.landmarks = landmarks;
    return st;
}

/* The machine of `landmarks` where the best is now; its value to `value`. */
static ny_status here_with(ny_selection *sel, int64_t landmarks, double *value) {
    ny_point point = ny_solution_point(&sel->found.best);
    sel->cache.reference = point;
    sel->found.work_total =
        fmax(sel->found.work_total, sel->found.work_done) + ny_level_flops(sel, sel->rows->n, landmarks);
    ny_status st = ny_evaluate(sel, sel->rows->n, landmarks, 1, &point);
    *value = point.value;
    return st;
}

static const double WORTH = 6e10; /* flops that a gain of one standard error may cost: about a second */

/* Whether twice as many landmarks are to be tried after a doubling that gained so much. */
static bool goes_on(const ny_selection *sel, double gain) {
    double unit = ny_goal_error(sel->setup, &sel->found.best);
    if (!(gain > unit) || 2 * sel->plan.landmarks > sel->plan.landmarks_most) return false;
    if (sel->setup->options->landmarks.number == NY_GROW || !(unit > 0)) return true;
    return ny_level_flops(sel, sel->rows->n, 2 * sel->plan.landmarks) <= WORTH * fmin(gain / unit, 16);
}

static const double PROMISE = 5e11; /* those that a gain of one standard error from m/2 to m promises */

/* Whether the exact machine is to come after: the more the last doubling gained, the more it may cost. */
static ny_status promise(ny_selection *sel) {
    ny_status st = NY_OK;
    double half;
    const ny_route *route = &sel->plan.route;
    if (route->flops <= NY_EXACT_CHEAP || sel->plan.landmarks >= sel->rows->n) goto done;
    NY_TRY(here_with(sel, sel->plan.landmarks / 2, &half));
    double gain = half - ny_goal(sel->setup, &sel->found.best), unit = ny_goal_error(sel->setup, &sel->found.best);
    if (!(gain > unit) || route->flops > PROMISE * fmin(gain / fmax(unit, 1e-300), 16)) {
        ny_route_give_up(&sel->plan.route, "more landmarks gained too little for the exact machine to follow");
    } else {
        sel->plan.route.why = "more landmarks gained enough for the exact machine to follow";
        ny_pace_more(sel, sel->pace->exact, "the exact machine on all rows follows");
    }
done:
    return st;
}

static ny_status grow(ny_selection *sel) {
    ny_status st = NY_OK;
    double half;
    if (sel->plan.landmarks_most < 2 * sel->plan.landmarks || sel->plan.landmarks >= sel->rows->n) return NY_OK;
    NY_TRY(here_with(sel, sel->plan.landmarks / 2, &half));
    double gain = half - ny_goal(sel->setup, &sel->found.best);
    while (goes_on(sel, gain)) {
        double before = ny_goal(sel->setup, &sel->found.best), now;
        int64_t landmarks = sel->plan.landmarks;
        sel->plan.landmarks = 2 * landmarks;
        ny_pace_more(sel, ny_level_flops(sel, sel->rows->n, sel->plan.landmarks), "twice as many landmarks");
        st = here_with(sel, sel->plan.landmarks, &now);
        if (st != NY_OK) sel->plan.landmarks = landmarks;
        if (st != NY_OK) goto done;
        gain = before - now;
    }
done:
    return st;
}

ny_status ny_search_sizes(ny_selection *sel, const ny_search *search) {
    if (sel->setup->options->landmarks.candidates) return each_candidate(sel, search);
    ny_status st = run(sel, search);
    int64_t number = sel->setup->options->landmarks.number;
    bool grows =
        number == NY_GROW || (number == NY_AUTO && !ny_setup_iterates(sel->setup)); /* a try costs a training */
    if (st == NY_OK && ny_route_exact_after(&sel->plan.route)) st = promise(sel);
    if (st == NY_OK && !ny_route_exact_after(&sel->plan.route) && grows) st = grow(sel);
    return st;
}

/* search_profile.c: the default. C is optimised exactly for every bandwidth, so only the bandwidth is searched.
 *
 * Where the whole range at full size is little work, that is what is looked at, for every kernel, and the optimum is
 * bracketed there. Else on a ladder of ever larger machines: many bandwidths with few rows and landmarks, few with
 * more, and with all as many as bracket the optimum, or one or two where they cost much. A machine with a third of the
 * rows and landmarks costs a twenty-seventh, so the whole search costs about two trainings.
 *
 * Machines of other than squared loss cost a training for every C. They begin with one of squared loss in their place,
 * for which C is free, and come in themselves before the last level, close to where that has led (sel->now.stands_in).
 *
 * Several kernels (--kernel auto) all run through the first level; those that come close to the best send their two
 * best valleys to the second, and the winner there goes on, with rivals that are as good as it is known. */
#include <math.h>
#include <string.h>

#include "exact_point.h"
#include "rivals.h"

enum { LEVELS = 3, VALLEYS = 2 };

static const double EXTEND = 6;        /* an automatic range may grow by a factor of 64 */
static const double CLOSE = 0.2;       /* a linear or poly kernel worse by this share on the first level is out */
static const double LITTLE = 1e10;     /* flops of a search at full size that needs no ladder: a fraction of a second */
static const int64_t MANY = 37;        /* places: more of them, of more kernels, may take as much more */
static const int64_t USUAL = 6;        /* places in the scan of an automatic range, and ... */
static const int64_t REFINED = 6;      /* ... that a kernel's valleys take beside them */
static const int64_t SCANNED = 300;    /* rows of exact machines that scan the range where that is too much */
static const double BRACKETED = 2.5e9; /* flops of a machine of full size up to which it is bracketed, and ... */
static const double ITERATED = 2.5e10; /* ... of one that iterates, whose smaller ones tell less of where the best is */
static const double NEAR = 0.03;       /* kernels not worse than the best by this share are looked at closer */

typedef struct {       /* where a kernel goes on */
    double x[VALLEYS]; /* log2 bandwidth; NAN: nowhere */
} places;

typedef struct { /* of the machines of a level */
    int64_t rows, landmarks;
} size;

/* The places of a search over the whole range, and their flops at this size: of a usual range where it comes from the
 * rows, as the plan is not to depend on them. */
static int64_t places_of(const ny_selection *sel, const ny_octaves *r) {
    int64_t points = 0;
    for (int64_t c = 0; c < sel->setup->kernels; c++)
        points += !(r[c].hi > r[c].lo) ? 1 : (r[c].floor < r[c].lo ? USUAL : ny_widths_places(&r[c])) + REFINED;
    return points;
}

static double whole_range(const ny_selection *sel, const ny_octaves *r, size at) {
    return (double)places_of(sel, r) * ny_level_flops(sel, at.rows, at.landmarks);
}

/* The sizes of the levels; the last is the whole. Where the whole range at that size is little work there is no other;
 * it depends on the numbers of rows, inputs and outputs only. */
static int64_t plan(const ny_selection *sel, const ny_octaves *r, size level[LEVELS]) {
    int64_t n = sel->rows->n, m = sel->plan.landmarks < n ? sel->plan.landmarks : n, levels = 0;
    int64_t first = m / 10 < 50 ? 50 : m / 10 > 100 ? 100 : m / 10, some = 10 * first;
    int64_t third = n / 3 < NY_SAMPLE_ROWS ? n / 3 : NY_SAMPLE_ROWS;
    const size whole = {n, sel->plan.landmarks};
    if (third > sel->rows->all.n) third = sel->rows->all.n;
    if (!ny_setup_iterates(sel->setup) &&
        whole_range(sel, r, whole) <= LITTLE * fmax(1, (double)places_of(sel, r) / (double)MANY)) {
        level[levels++] = whole;
        return levels;
    }
    if (m == n && !sel->passes &&
        ny_by_kernel(sel->setup, n, true)) { /* exact machines, of half of the rows or less, then of all */
        int64_t half = n / 2, few = half < SCANNED ? half : SCANNED;
        level[levels++] = (size){few, few};
        if (half > 3 * SCANNED / 2) level[levels++] = (size){half, half};
        level[levels++] = whole;
        return levels;
    }
    if (sel->plan.route.kind ==
        NY_ROUTE_CG_ALONE) { /* exact machines of some rows tell the bandwidth of the exact one of all */
        int64_t few = ny_route_selecting(n, sel->plan.route.flops);
        level[levels++] = (size){SCANNED, SCANNED};
        level[levels++] = (size){few, few};
        level[levels++] = whole;
        return levels;
    }
    if (m > 2 * first) level[levels++] = (size){n < some ? n : some, first};
    if (m > 4 * first || n > 2 * some) {
        bool spare =
            !(sel->plan.spanning && m >= sel->plan.spanning && !sel->passes); /* landmarks; else they cost little */
        level[levels++] = (size){third < some ? (n < some ? n : some) : third, spare ? m / 3 : m};
    }
    level[levels++] = whole;
    return levels;
}

/* Each kernel is tried in its places at this size. */
static ny_status try_all(int64_t kernels, ny_widths **l, const places *at) {
    double x[VALLEYS * NY_KERNELS_MAX];
    for (int64_t c = 0; c < kernels; c++) memcpy(x + VALLEYS * c, at[c].x, sizeof at[c].x);
    return ny_widths_try(kernels, l, VALLEYS, x);
}

/* The two best valleys. */
static places valleys(const ny_widths *l) {
    int64_t second = ny_widths_second(l);
    return (places){{ny_widths_vertex(l, ny_widths_best(l)), second < 0 ? NAN : ny_widths_vertex(l, second)}};
}

/* Whether a machine of this size costs so little that the best bandwidth is bracketed. */
static bool small(const ny_widths *l) {
    int64_t m = l->landmarks < l->rows ? l->landmarks : l->rows;
    return ny_level_flops(l->sel, l->rows, m) <= (ny_setup_iterates(l->sel->setup) ? ITERATED : BRACKETED);
}

/* Of full size: one machine where the smaller ones point, two close on both sides of it where they are small enough to
 * be trained side by side and there is none yet, or as many as bracket the best where they are smaller still. */
static ny_status finish(ny_widths *l, double x) {
    const ny_octaves *r = &l->range;
    const ny_selection *sel = l->sel;
    double middle = fmax(r->floor, fmin(r->ceiling, x));
    double sides[2] = {fmax(r->floor, middle - 0.2), fmin(r->ceiling, middle + 0.2)};
    int64_t m = l->landmarks < l->rows ? l->landmarks : l->rows;
    bool both =
        l->rows * m <= NY_SIDE_BY_SIDE && sides[0] < sides[1] && !ny_setup_iterates(sel->setup) && l->count == 0;
    ny_status st = NY_OK;
    if (both && !small(l)) NY_TRY(ny_widths_try(1, &l, 2, sides));
    else NY_TRY(ny_widths_try(1, &l, 1, &middle));
    if (small(l)) NY_TRY(ny_widths_settle(l, 0.5));
done:
    return st;
}

/* The one level of a small job, scanned by half steps: kernels that are not far from the best are looked at closer, and
 * the one that wins the contest. */
static ny_status only_level(int64_t kernels, ny_widths **l) {
    ny_status st = NY_OK;
    ny_standings s;
    const double step[] = {0.5, 0.25}, far[] = {CLOSE, NEAR};
    for (int k = 0; k < 2; k++) {
        double least = INFINITY;
        for (int64_t c = 0; c < kernels; c++) least = fmin(least, ny_widths_least(l[c]));
        for (int64_t c = 0; c < kernels; c++)
            if (ny_widths_least(l[c]) <= least + far[k] * fabs(least)) NY_TRY(ny_widths_settle(l[c], step[k]));
    }
    NY_TRY(ny_contest_hold(l[0]->sel, &s));
    if (s.winner >= 0) NY_TRY(ny_widths_settle(l[ny_winning_kernel(kernels, l, &s)], step[1]));
done:
    return st;
}

/* The work ahead, for the time left. */
static void foresee(ny_selection *sel, const ny_octaves *r, int64_t levels, const size *level) {
    sel->found.work_total += whole_range(sel, r, level[0]);
    for (int64_t k = 1; k < levels; k++)
        sel->found.work_total += ny_level_flops(sel, level[k].rows, level[k].landmarks) * (k < levels - 1 ? 6 : 3);
}

/* Of the levels and their places, those that come close to the best stay, or are near in a contest; and those of
 * bounded kernels, which gain more from landmarks than kernels of finite rank do. */
static int64_t close_ones(int64_t kernels, ny_widths **l, places *at, const ny_standings *s) {
    double least = INFINITY;
    int64_t kept = 0;
    for (int64_t c = 0; c < kernels; c++) least = fmin(least, ny_widths_least(l[c]));
    for (int64_t c = 0; c < kernels; c++)
        if (ny_kernel_bounded(l[c]->kernel) || ny_widths_least(l[c]) <= least + CLOSE * fabs(least) ||
            ny_near(l[c], s)) {
            l[kept] = l[c];
            at[kept++] = at[c];
        }
    return kept;
}

/* The winner goes on, and its rivals after it, the best first. Returns how many. */
static int64_t go_on(int64_t kernels, ny_widths **l, places *at, const ny_standings *s) {
    int64_t win = ny_winning_kernel(kernels, l, s);
    ny_widths *going[NY_KERNELS_MAX] = {l[win]};
    places where[NY_KERNELS_MAX] = {at[win]};
    int64_t count = 1;
    for (int64_t c = 0; c < kernels; c++) {
        if (c == win || !ny_rivals(kernels, c, l, s)) continue;
        int64_t to = count++;
        for (; to > 1 && ny_widths_least(l[c]) < ny_widths_least(going[to - 1]); to--)
            going[to] = going[to - 1], where[to] = where[to - 1];
        going[to] = l[c], where[to] = at[c];
    }
    for (int64_t c = 0; c < count; c++) l[c] = going[c], at[c] = where[c];
    return count;
}

/* The machine itself takes over at this level, near the places that its stand-in has found. */
static ny_status in_earnest(ny_selection *sel, int64_t kernels, ny_widths **l, places *at) {
    ny_status st = NY_OK;
    sel->cache.reference = ny_solution_point(&sel->found.best);
    sel->now = *sel->setup;
    ny_solution_clear(&sel->found.best);
    for (int64_t c = 0; c < kernels; c++) {
        l[c]->count = 0;
        NY_TRY(ny_widths_try(1, &l[c], 1, at[c].x));
        NY_TRY(ny_widths_bracket(l[c], at[c].x[0], 0.5));
        at[c] = (places){{ny_widths_vertex(l[c], ny_widths_best(l[c])), NAN}};
    }
done:
    return st;
}

/* The first level: the whole range of all kernels. Returns in `kernels` how many go on to the next. */
static ny_status first_level(ny_selection *sel, int64_t levels, int64_t *kernels, ny_widths **l, places *at) {
    ny_status st = NY_OK;
    ny_standings s;
    NY_TRY(ny_widths_scan(*kernels, l, 0.5));
    for (int64_t c = 0; c < *kernels; c++) at[c] = valleys(l[c]);
    if (levels > 1) NY_TRY(ny_contest_hold(sel, &s));
    if (levels > 1) *kernels = close_ones(*kernels, l, at, &s);
    else NY_TRY(only_level(*kernels, l));
    if (sel->now.stands_in && levels < LEVELS) NY_TRY(in_earnest(sel, *kernels, l, at));
done:
    return st;
}

/* A level between the first and the last: every kernel at its best, as what is best for few rows and landmarks is not
 * for more. */
static ny_status middle_level(ny_selection *sel, int64_t *kernels, ny_widths **l, places *at) {
    ny_status st = NY_OK;
    ny_standings s;
    NY_TRY(try_all(*kernels, l, at));
    double far = ny_widths_least(l[ny_best_kernel(*kernels, l)]);
    far += CLOSE * fabs(far);
    for (int64_t c = 0, win = ny_best_kernel(*kernels, l); c < *kernels; c++)
        if (c == win || (ny_kernel_bounded(l[c]->kernel) && ny_widths_least(l[c]) <= far))
            NY_TRY(ny_widths_bracket(l[c], l[c]->x[ny_widths_best(l[c])], 0.5));
    for (int64_t c = 0; c < *kernels; c++) at[c] = valleys(l[c]);
    NY_TRY(ny_contest_hold(sel, &s));
    *kernels = go_on(*kernels, l, at, &s);
    if (sel->now.stands_in) NY_TRY(in_earnest(sel, *kernels, l, at));
done:
    return st;
}

static ny_status last_level(int64_t kernels, ny_widths **l, const places *at) {
    ny_status st = NY_OK;
    ny_standings s;
    int64_t win = 0;
    if (kernels > 1 || !isnan(at[0].x[1])) {
        NY_TRY(try_all(kernels, l, at));
        NY_TRY(ny_contest_hold(l[0]->sel, &s));
        win = ny_winning_kernel(kernels, l, &s);
    }
    double near = kernels > 1 ? ny_widths_least(l[ny_best_kernel(kernels, l)]) : 0;
    near += NEAR * fabs(near);
    for (int64_t c = 0; c < kernels; c++)
        if (c != win && ny_widths_least(l[c]) <= near && small(l[c])) NY_TRY(ny_widths_settle(l[c], 0.5));
    NY_TRY(finish(l[win], l[win]->count ? l[win]->x[ny_widths_best(l[win])] : at[win].x[0]));
done:
    return st;
}

static ny_status search(ny_selection *sel, const ny_octaves *r) {
    ny_status st = NY_OK;
    size level[LEVELS];
    int64_t kernels = sel->setup->kernels;
    ny_widths here[NY_KERNELS_MAX], *l[NY_KERNELS_MAX];
    places at[NY_KERNELS_MAX];
    int64_t levels = plan(sel, r, level);
    foresee(sel, r, levels, level);
    if (levels > 1 && ny_setup_stand_in_helps(sel->setup)) sel->now = ny_setup_stand_in(sel->setup);
    for (int64_t c = 0; c < NY_KERNELS_MAX; c++) {
        here[c] = (ny_widths){.sel = sel, .kernel = sel->setup->candidate[c], .range = r[c]};
        l[c] = &here[c];
    }
    for (int64_t k = 0; k < levels; k++) {
        bool last = k == levels - 1;
        for (int64_t c = 0; c < kernels; c++)
            l[c]->rows = level[k].rows, l[c]->landmarks = level[k].landmarks, l[c]->count = 0;
        if (k > 0) sel->cache.reference = ny_solution_point(&sel->found.best);
        if (k == 0) NY_TRY(first_level(sel, levels, &kernels, l, at));
        else if (last) NY_TRY(last_level(kernels, l, at));
        else NY_TRY(middle_level(sel, &kernels, l, at));
        if (sel->plan.route.kind == NY_ROUTE_CG_ALONE && k > 0 && !last && ny_kernel_bounded(l[0]->kernel)) {
            NY_TRY(ny_exact_point(sel, l[0], at[0].x[0], &sel->found.exact_at));
            if (kernels > 1) NY_TRY(ny_exact_point(sel, l[1], at[1].x[0], &sel->found.exact_rival));
            break;
        }
    }
    double x = log2(sel->found.best.f.kernel.bandwidth);
    bool given = r->floor == r->lo && r->hi > r->lo && sel->found.best.f.kernel.kernel->has_bandwidth;
    if (given && (x <= r->lo + 1e-9 || x >= r->hi - 1e-9)) sel->found.bandwidth_edge = x <= r->lo + 1e-9 ? -1 : 1;
done:
    sel->now = *sel->setup; /* a stop may have come before */
    return st;
}

static ny_status run(ny_selection *sel) {
    ny_status st = NY_OK;
    const ny_range *given = &sel->setup->bandwidth;
    ny_octaves r[NY_KERNELS_MAX] = {0};
    double guess, last = 0;
    if (!sel->setup->candidate[0]->has_bandwidth || (!given->is_auto && given->step == 0)) {
        NY_TRY(ny_search_none.run(sel));
        goto done;
    }
    for (int64_t c = sel->setup->kernels - 1; c >= 0; c--) { /* the first is the reference */
        r[c] = (ny_octaves){given->lo, given->hi, given->step, given->lo, given->hi};
        guess = (r[c].lo + r[c].hi) / 2;
        if (!sel->setup->candidate[c]->has_bandwidth) r[c] = (ny_octaves){.step = 1};
        else if (given->is_auto && c + 1 < sel->setup->kernels && r[c + 1].floor < r[c + 1].lo &&
                 sel->setup->candidate[c]->base == sel->setup->candidate[c + 1]->base) {
            r[c] = r[c + 1]; /* the same distances */
            guess = last;
        } else if (given->is_auto) {
            NY_TRY(ny_bandwidth_range(sel, sel->setup->candidate[c], &r[c].lo, &r[c].hi, &guess));
            r[c].step = 1;
            r[c].floor = r[c].lo - EXTEND;
            r[c].ceiling = r[c].hi + EXTEND;
        }
        last = guess;
        sel->cache.reference = (ny_point){sel->setup->candidate[c], exp2(guess), 0, 0};
    }
    NY_TRY(search(sel, r));
done:
    /* A kernel without bound has won, or a stop came before: what there is are machines on landmarks. */
    if (sel->plan.route.kind == NY_ROUTE_CG_ALONE && !sel->found.exact_at.kernel)
        sel->plan.route.kind = NY_ROUTE_CG_AFTER;
    return st;
}

/* The last level has two or three places, and all levels below it together cost about as much as one of these. */
static ny_search_cost cost(const ny_options *options, bool iterative) {
    (void)options;
    return (ny_search_cost){.machines = 1.9, .round = iterative ? 1 : 2};
}

const ny_search ny_search_profile = {
    "profile", "all C for each bandwidth, bandwidths coarse to fine on ever larger machines", run, cost};

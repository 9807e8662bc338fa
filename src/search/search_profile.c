/* search_profile.c: the default. C is optimised exactly for every bandwidth, so only the bandwidth is searched, on a
 * ladder of ever larger machines: many bandwidths with few rows and landmarks, few with more, one or two with all. A
 * machine with a third of the rows and landmarks costs a twenty-seventh, so the whole search costs less than two
 * trainings.
 *
 * Machines of other than squared loss cost a training for every C. They begin with one of squared loss in their place,
 * for which C is free, and come in themselves before the last level, close to where that has led (sel->rough).
 *
 * Several kernels (--kernel auto) all run through the first level; those that come close to the best send their best
 * bandwidth to the second, and the winner there goes on alone. */
#include <math.h>
#include <string.h>

#include "search.h"

enum { POINTS = 64, LEVELS = 3 };

static const double EXTEND = 6;   /* an automatic range may grow by a factor of 64 */
static const double FLAT = 0.002; /* values that differ by less are alike */
static const double CLOSE = 0.2;  /* a linear or poly kernel worse by this share on the first level is out */

static const double HOPELESS = 0.5; /* one worse by this share where bandwidths are far apart is not looked at closer */

typedef struct { /* of log2 bandwidths; one point where the kernel has none */
    double lo, hi, step;
    double floor, ceiling; /* where an optimum on the end may lead */
} range;

typedef struct { /* one kernel at one size */
    ny_selection *sel;
    int64_t rows, landmarks;
    const ny_kernel *kernel;
    range r;
    int64_t count;
    double x[POINTS], value[POINTS]; /* log2 bandwidth, ascending, and the criterion */
} level;

static void insert(level *l, double x, double value) {
    int64_t at = l->count++;
    for (; at > 0 && l->x[at - 1] > x; at--) l->x[at] = l->x[at - 1], l->value[at] = l->value[at - 1];
    l->x[at] = x;
    l->value[at] = value;
}

/* Evaluates `count` places for the kernel of each level (levels of one size), x[k * count + i] for level k: those that
 * are new and within its range. NAN: none. */
static ny_status try_at(int64_t levels, level **l, int64_t count, const double *x) {
    ny_point point[POINTS * NY_KERNELS_MAX];
    int64_t owner[POINTS * NY_KERNELS_MAX], points = 0;
    for (int64_t k = 0; k < levels; k++)
        for (int64_t i = 0; i < count; i++) {
            double at = x[k * count + i];
            const range *r = &l[k]->r;
            bool known = !(at >= r->floor - 1e-9 && at <= r->ceiling + 1e-9) || l[k]->count + i >= POINTS;
            for (int64_t c = 0; c < l[k]->count; c++) known |= fabs(l[k]->x[c] - at) < 1e-9;
            if (known) continue;
            owner[points] = k;
            point[points++] = (ny_point){l[k]->kernel, exp2(at), 0, 0};
        }
    if (points == 0) return NY_OK;
    ny_status st = ny_evaluate(l[0]->sel, l[0]->rows, l[0]->landmarks, points, point);
    for (int64_t i = 0; st == NY_OK && i < points; i++) insert(l[owner[i]], log2(point[i].bandwidth), point[i].value);
    return st;
}

/* The least value; of those within a fifth of a per cent of it, the smallest bandwidth. Rough kernels are flat towards
 * large bandwidths and large C: without this rule the search would wander there for nothing, into badly conditioned
 * systems. */
static int64_t best(const level *l) {
    int64_t b = 0;
    for (int64_t i = 1; i < l->count; i++)
        if (l->value[i] < l->value[b]) b = i;
    double enough = l->value[b] + FLAT * fabs(l->value[b]);
    for (int64_t i = 0; i < b; i++)
        if (l->value[i] <= enough) return i;
    return b;
}

/* Where the parabola through the best point and its neighbours has its minimum. */
static double vertex(const level *l) {
    int64_t b = best(l);
    if (b == 0 || b == l->count - 1) return l->x[b];
    double p = l->x[b] - l->x[b - 1], q = l->x[b + 1] - l->x[b];
    double u = (l->value[b - 1] - l->value[b]) / p, v = (l->value[b + 1] - l->value[b]) / q;
    if (!(u + v > 0)) return l->x[b];
    double x = l->x[b] + 0.5 * (u * q - v * p) / (u + v); /* between the halves of p and q */
    return round(x * 32) / 32; /* the last bits depend on the number of threads and must not reach the model */
}

/* Both neighbours at `step` of the best, moving on while the best is on the end and a move is worth it. */
static ny_status bracket(level *l, double step) {
    ny_status st = NY_OK;
    for (int moves = 0; moves < 12; moves++) {
        int64_t b = best(l), before = l->count;
        double x[2] = {l->x[b] - step, l->x[b] + step}, value = l->value[b];
        bool left = b > 0 && l->x[b - 1] >= x[0] - 1e-9, right = b < l->count - 1 && l->x[b + 1] <= x[1] + 1e-9;
        if (left && right) break;
        NY_TRY(try_at(1, &l, left || right ? 1 : 2, left ? x + 1 : x));
        if (l->count == before) break; /* nothing new within the range */
        if (fabs(value - l->value[best(l)]) <= FLAT * fabs(value)) break;
    }
done:
    return st;
}

/* Every how many steps of the range the first level looks: a power of two, so that halving it meets all of them. */
static int64_t stride(const range *r) {
    double steps = ceil((r->hi - r->lo) / r->step - 1e-9);
    int64_t every = r->floor < r->lo ? 2 : 1; /* a range of our own is smooth at that distance */
    while (steps / (double)every > POINTS / 2) every *= 2;
    return every;
}

/* The first level looks at the whole range of every kernel, then closer around each one's best: to `finest` steps, of
 * kernels of finite rank only if they are not far from the best. */
static ny_status scan(int64_t levels, level **l, double finest) {
    ny_status st = NY_OK;
    double least = INFINITY;
    double x[POINTS * NY_KERNELS_MAX], far[NY_KERNELS_MAX];
    for (int64_t k = 0; k < levels; k++) {
        const range *r = &l[k]->r;
        far[k] = r->step * (double)stride(r);
        int64_t count = (int64_t)ceil((r->hi - r->lo) / far[k] - 1e-9) + 1;
        for (int64_t i = 0; i < POINTS; i++)
            x[k * POINTS + i] = i < count ? fmin(r->lo + (double)i * far[k], r->hi) : NAN;
    }
    NY_TRY(try_at(levels, l, POINTS, x));
    for (int64_t k = 0; k < levels; k++) least = fmin(least, l[k]->value[best(l[k])]);
    for (int64_t k = 0; k < levels; k++) {
        bool hopeless =
            l[k]->kernel->base != NY_BASE_SQDIST && l[k]->value[best(l[k])] > least + HOPELESS * fabs(least);
        for (double step = far[k]; step > 0.9 * finest * l[k]->r.step && !hopeless; step /= 2)
            NY_TRY(bracket(l[k], step));
    }
done:
    return st;
}

/* Rows and landmarks of the levels; the last is the whole. Small jobs need no ladder. */
static int64_t plan(const ny_selection *sel, int64_t rows[LEVELS], int64_t landmarks[LEVELS]) {
    int64_t n = sel->n, m = sel->landmarks < n ? sel->landmarks : n, levels = 0;
    int64_t first = m / 10 < 50 ? 50 : m / 10 > 100 ? 100 : m / 10, some = 10 * first;
    int64_t third = n / 3 < NY_SAMPLE_ROWS ? n / 3 : NY_SAMPLE_ROWS;
    if (third > sel->all.n) third = sel->all.n;
    if (m == n && !sel->passes && ny_by_kernel(sel, n)) { /* exact machines, of half of the rows or less, then of all */
        const int64_t few = 50, half = n / 2 < 10 * few ? n / 2 : n / 3 < 10 * few ? 10 * few : n / 3;
        if (n > 2 * few) rows[levels] = n < 10 * few ? n : 10 * few, landmarks[levels++] = few;
        if (n > 4 * few) rows[levels] = half, landmarks[levels++] = half;
        rows[levels] = n;
        landmarks[levels++] = sel->landmarks;
        return levels;
    }
    if (sel->direct) { /* exact machines of some rows tell the bandwidth of the exact one of all */
        rows[levels] = 500, landmarks[levels++] = 50;
        rows[levels] = landmarks[levels] = n / 4 < 500 ? 500 : n / 4 > 800 ? 800 : n / 4, levels++;
        rows[levels] = n, landmarks[levels++] = sel->landmarks;
        return levels;
    }
    if (m > 2 * first) {
        rows[levels] = n < some ? n : some;
        landmarks[levels++] = first;
    }
    if (m > 4 * first || n > 2 * some) {
        rows[levels] = third < some ? (n < some ? n : some) : third;
        bool whole = sel->span && m >= sel->span && !sel->passes; /* no landmark to spare, and they cost little */
        landmarks[levels++] = whole ? m : m / 3;
    }
    rows[levels] = n;
    landmarks[levels++] = sel->landmarks;
    return levels;
}

/* Each kernel's best bandwidth so far, x[c], is tried at this size; the winner is the kernel with the best value. */
static ny_status contest(int64_t kernels, level **l, const double *x, int64_t *winner) {
    ny_status st = NY_OK;
    *winner = 0;
    NY_TRY(try_at(kernels, l, 1, x));
    for (int64_t c = 1; c < kernels; c++)
        if (l[c]->value[best(l[c])] < l[*winner]->value[best(l[*winner])]) *winner = c;
done:
    return st;
}

static double within(const range *r, double x) {
    return fmax(r->floor, fmin(r->ceiling, x));
}

/* One machine of full size where the smaller ones point; or two close on both sides of it, where they are small
 * enough to be trained side by side. */
static ny_status last_level(level *l, double x) {
    double sides[2] = {within(&l->r, x - 0.2), within(&l->r, x + 0.2)}, middle = within(&l->r, x);
    int64_t m = l->landmarks < l->rows ? l->landmarks : l->rows;
    bool both = l->rows * m <= NY_SIDE_BY_SIDE && !(m == l->rows && ny_by_kernel(l->sel, m)) && sides[0] < sides[1] &&
                !l->sel->criterion->effort;
    return both ? try_at(1, &l, 2, sides) : try_at(1, &l, 1, &middle);
}

/* The work ahead, for the time left. */
static void foresee(ny_selection *sel, const range *r, int64_t levels, const int64_t *rows, const int64_t *landmarks) {
    double scanned = 0;
    for (int64_t c = 0; c < sel->kernels; c++)
        scanned += r[c].hi > r[c].lo ? ceil((r[c].hi - r[c].lo) / r[c].step / (double)stride(&r[c])) + 3 : 1;
    for (int64_t k = 0; k < levels; k++)
        sel->work_total += ny_level_flops(sel, rows[k], landmarks[k]) * (k == 0 ? scanned : k < levels - 1 ? 4 : 2);
}

/* Of the levels and their best places x, those that come close to the best stay; and those of distance kernels, which
 * gain more from landmarks than kernels of finite rank do. */
static int64_t close_ones(int64_t kernels, level **l, double *x) {
    double least = INFINITY;
    int64_t kept = 0;
    for (int64_t c = 0; c < kernels; c++) least = fmin(least, l[c]->value[best(l[c])]);
    for (int64_t c = 0; c < kernels; c++)
        if (l[c]->kernel->base == NY_BASE_SQDIST || l[c]->value[best(l[c])] <= least + CLOSE * fabs(least)) {
            l[kept] = l[c];
            x[kept++] = x[c];
        }
    return kept;
}

/* The winner goes on alone; but one of finite rank that won among exact machines of some of the rows has the best
 * distance kernel beside it: it may owe its victory to rows that are not there. Returns how many go on. */
static int64_t go_on(int64_t kernels, int64_t win, level **l, double *x) {
    const level *w = l[win];
    bool doubt = w->kernel->base != NY_BASE_SQDIST && w->rows == w->landmarks && w->rows < w->sel->n &&
                 ny_by_kernel(w->sel, w->sel->n);
    int64_t second = win;
    for (int64_t c = 0; doubt && c < kernels; c++)
        if (l[c]->kernel->base == NY_BASE_SQDIST &&
            (second == win || l[c]->value[best(l[c])] < l[second]->value[best(l[second])]))
            second = c;
    level *pair[2] = {l[win], l[second]};
    double at[2] = {x[win], x[second]};
    for (int64_t c = 0; c < 2 && c < kernels; c++) l[c] = pair[c], x[c] = at[c];
    return second == win ? 1 : 2;
}

/* The machine itself takes over at this level, near the places x that its stand-in has found. */
static ny_status in_earnest(ny_selection *sel, int64_t kernels, level **l, double *x) {
    ny_status st = NY_OK;
    sel->reference = (ny_point){sel->best.kernel, sel->best.bandwidth, 0, 0};
    sel->rough = false;
    ny_solution_clear(&sel->best);
    for (int64_t c = 0; c < kernels; c++) {
        l[c]->count = 0;
        NY_TRY(try_at(1, &l[c], 1, &x[c]));
        NY_TRY(bracket(l[c], 0.5));
        x[c] = vertex(l[c]);
    }
done:
    return st;
}

/* Where the exact machine is to be: C is that of the middle one of the outputs. Those of separable classes bear any;
 * beyond CONDITION it would only slow down. */
static void point_out(ny_selection *sel, const ny_kernel *kernel, double bandwidth) {
    const double CONDITION = 32;
    double ratio = bandwidth / sel->best.bandwidth, middle = sel->best.C[0];
    for (int64_t j = 0; j < sel->outputs; j++) {
        int64_t below = 0, same = 0;
        for (int64_t i = 0; i < sel->outputs; i++)
            below += sel->best.C[i] < sel->best.C[j], same += sel->best.C[i] == sel->best.C[j];
        if (below <= (sel->outputs - 1) / 2 && (sel->outputs - 1) / 2 < below + same) middle = sel->best.C[j];
    }
    double C = exp2(round(log2(middle * ratio * ratio)));
    sel->exact_at = (ny_point){kernel, bandwidth, sel->outputs > 2 ? fmin(C, CONDITION) : fmin(C, 4 * CONDITION), 0};
}

static ny_status search(ny_selection *sel, const range *r) {
    ny_status st = NY_OK;
    int64_t rows[LEVELS], landmarks[LEVELS], levels = plan(sel, rows, landmarks), kernels = sel->kernels, win = 0;
    level here[NY_KERNELS_MAX], *l[NY_KERNELS_MAX];
    double x[NY_KERNELS_MAX] = {0};
    foresee(sel, r, levels, rows, landmarks);
    sel->rough = levels > 1 && ny_rough_helps(sel);
    for (int64_t c = 0; c < NY_KERNELS_MAX; c++) {
        here[c] = (level){.sel = sel, .kernel = sel->candidate[c], .r = r[c]};
        l[c] = &here[c];
    }
    for (int64_t k = 0; k < levels; k++) {
        bool last = k == levels - 1;
        for (int64_t c = 0; c < kernels; c++) l[c]->rows = rows[k], l[c]->landmarks = landmarks[k], l[c]->count = 0;
        if (k == 0) {
            NY_TRY(scan(kernels, l, levels == LEVELS ? 1 : 0.5));
            for (int64_t c = 0; c < kernels; c++) x[c] = vertex(l[c]);
            if (last) NY_TRY(contest(kernels, l, x, &win));
            kernels = close_ones(kernels, l, x);
            if (levels == 2 && sel->rough) NY_TRY(in_earnest(sel, kernels, l, x));
            continue;
        }
        sel->reference = (ny_point){sel->best.kernel, sel->best.bandwidth, 0, 0};
        if (kernels > 1 || !last) NY_TRY(contest(kernels, l, x, &win));
        if (last) NY_TRY(last_level(l[win], x[win]));
        else NY_TRY(bracket(l[win], 0.5));
        x[win] = vertex(l[win]);
        if (sel->direct && !last && l[win]->kernel->base == NY_BASE_SQDIST) {
            point_out(sel, l[win]->kernel, exp2(x[win]));
            break;
        }
        kernels = go_on(kernels, win, l, x);
        win = 0;
        if (!last && sel->rough) NY_TRY(in_earnest(sel, kernels, l, x));
    }
    double at = log2(sel->best.bandwidth);
    bool given = r->floor == r->lo && r->hi > r->lo && sel->best.kernel->has_bandwidth;
    if (given && (at <= r->lo + 1e-9 || at >= r->hi - 1e-9)) sel->bandwidth_edge = at <= r->lo + 1e-9 ? -1 : 1;
done:
    sel->rough = false; /* a stop may have come before */
    return st;
}

static ny_status run(ny_selection *sel) {
    ny_status st = NY_OK;
    const ny_range *given = &sel->bandwidth;
    range r[NY_KERNELS_MAX] = {0};
    double guess, last = 0;
    if (!sel->candidate[0]->has_bandwidth || (!given->is_auto && given->step == 0)) {
        NY_TRY(ny_search_none.run(sel));
        goto done;
    }
    for (int64_t c = sel->kernels - 1; c >= 0; c--) { /* the first is the reference */
        r[c] = (range){given->lo, given->hi, given->step, given->lo, given->hi};
        guess = (r[c].lo + r[c].hi) / 2;
        if (!sel->candidate[c]->has_bandwidth) r[c] = (range){.step = 1};
        else if (given->is_auto && c + 1 < sel->kernels && r[c + 1].floor < r[c + 1].lo &&
                 sel->candidate[c]->base == sel->candidate[c + 1]->base) {
            r[c] = r[c + 1]; /* the same distances */
            guess = last;
        } else if (given->is_auto) {
            NY_TRY(ny_bandwidth_range(sel, sel->candidate[c], &r[c].lo, &r[c].hi, &guess));
            r[c].step = 1;
            r[c].floor = r[c].lo - EXTEND;
            r[c].ceiling = r[c].hi + EXTEND;
        }
        last = guess;
        sel->reference = (ny_point){sel->candidate[c], exp2(guess), 0, 0};
    }
    NY_TRY(search(sel, r));
done:
    return st;
}

const ny_search ny_search_profile = {
    "profile", "all C for each bandwidth, bandwidths coarse to fine on ever larger machines", run};

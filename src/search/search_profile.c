/* search_profile.c: the default. C is optimised exactly for every bandwidth, so only the bandwidth is searched, on a
 * ladder of ever larger machines: many bandwidths with few rows and landmarks, few with more, one or two with all. A
 * machine with a third of the rows and landmarks costs a twenty-seventh, so the whole search costs less than two
 * trainings.
 *
 * Several kernels (--kernel auto) all run through the first level; each sends its best bandwidth to the second, and
 * the winner there goes on alone. */
#include <math.h>
#include <string.h>

#include "search.h"

enum { POINTS = 64, LEVELS = 3 };

static const double EXTEND = 6; /* an automatic range may grow by a factor of 64 */

typedef struct { /* one kernel at one size */
    ny_selection *sel;
    int64_t rows, landmarks;
    const ny_kernel *kernel;
    int64_t count;
    double x[POINTS], value[POINTS]; /* log2 bandwidth, ascending, and the criterion */
} level;

typedef struct {
    double lo, hi, step;
    double floor, ceiling; /* where an optimum on the end may lead */
} range;

static void insert(level *l, double x, double value) {
    int64_t at = l->count++;
    for (; at > 0 && l->x[at - 1] > x; at--) l->x[at] = l->x[at - 1], l->value[at] = l->value[at - 1];
    l->x[at] = x;
    l->value[at] = value;
}

/* Evaluates `count` places for the kernel of each level (levels of one size), those that are new and within the range.
 * The places of level k are x[k * stride + i]: stride 0 when all have the same. */
static ny_status try_at(int64_t levels, level **l, const range *r, int64_t count, const double *x, int64_t stride) {
    ny_point point[POINTS * NY_KERNELS_MAX];
    int64_t owner[POINTS * NY_KERNELS_MAX], points = 0;
    for (int64_t k = 0; k < levels; k++)
        for (int64_t i = 0; i < count; i++) {
            double at = x[k * stride + i];
            bool known = at < r->floor - 1e-9 || at > r->ceiling + 1e-9 || l[k]->count + i >= POINTS;
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
    double enough = l->value[b] + 0.002 * fabs(l->value[b]);
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

/* Both neighbours at `step` of the best, moving on while the best is on the end. */
static ny_status bracket(level *l, const range *r, double step) {
    ny_status st = NY_OK;
    for (int moves = 0; moves < 12; moves++) {
        int64_t b = best(l), before = l->count;
        double x[2] = {l->x[b] - step, l->x[b] + step};
        bool left = b > 0 && l->x[b - 1] >= x[0] - 1e-9, right = b < l->count - 1 && l->x[b + 1] <= x[1] + 1e-9;
        if (left && right) break;
        NY_TRY(try_at(1, &l, r, left || right ? 1 : 2, left ? x + 1 : x, 0));
        if (l->count == before) break; /* nothing new within the range */
    }
done:
    return st;
}

/* Every how many steps of the range the first level looks: a power of two, so that halving it meets all of them. */
static int64_t stride(const range *r) {
    double steps = ceil((r->hi - r->lo) / r->step - 1e-9);
    int64_t every = 1;
    while (steps / (double)every > POINTS / 2) every *= 2;
    return every;
}

/* The first level looks at the whole range with every kernel, then closer around each one's best. */
static ny_status scan(int64_t levels, level **l, const range *r) {
    ny_status st = NY_OK;
    double x[POINTS], far = r->step * (double)stride(r);
    int64_t count = (int64_t)ceil((r->hi - r->lo) / far - 1e-9) + 1;
    for (int64_t i = 0; i < count; i++) x[i] = fmin(r->lo + (double)i * far, r->hi);
    NY_TRY(try_at(levels, l, r, count, x, 0));
    for (int64_t k = 0; k < levels; k++)
        for (double step = far; step > 0.4 * r->step; step /= 2) NY_TRY(bracket(l[k], r, step));
done:
    return st;
}

/* Rows and landmarks of the levels; the last is the whole. Small jobs need no ladder. */
static int64_t plan(const ny_selection *sel, int64_t rows[LEVELS], int64_t landmarks[LEVELS]) {
    int64_t n = sel->n, m = sel->landmarks < n ? sel->landmarks : n, levels = 0;
    int64_t first = m / 10 < 50 ? 50 : m / 10 > 100 ? 100 : m / 10, some = 10 * first;
    int64_t third = n / 3 < NY_SAMPLE_ROWS ? n / 3 : NY_SAMPLE_ROWS;
    if (third > sel->all.n) third = sel->all.n;
    if (m > 2 * first) {
        rows[levels] = n < some ? n : some;
        landmarks[levels++] = first;
    }
    if (m > 4 * first || n > 2 * some) {
        rows[levels] = third < some ? (n < some ? n : some) : third;
        landmarks[levels++] = m / 3;
    }
    rows[levels] = n;
    landmarks[levels++] = sel->landmarks;
    return levels;
}

/* Each kernel's best bandwidth so far, x[c], is tried at this size; the winner is the kernel with the best value. */
static ny_status contest(int64_t kernels, level **l, const range *r, const double *x, int64_t *winner) {
    ny_status st = NY_OK;
    *winner = 0;
    NY_TRY(try_at(kernels, l, r, 1, x, 1));
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
static ny_status last_level(level *l, const range *r, double x) {
    double sides[2] = {within(r, x - 0.2), within(r, x + 0.2)}, middle = within(r, x);
    int64_t m = l->landmarks < l->rows ? l->landmarks : l->rows;
    return l->rows * m <= NY_SIDE_BY_SIDE ? try_at(1, &l, r, 2, sides, 0) : try_at(1, &l, r, 1, &middle, 0);
}

/* The work ahead, for the time left. */
static void foresee(ny_selection *sel, const range *r, int64_t levels, const int64_t *rows, const int64_t *landmarks) {
    double scanned = (double)sel->kernels * (ceil((r->hi - r->lo) / r->step / (double)stride(r)) + 3);
    for (int64_t k = 0; k < levels; k++)
        sel->work_total += ny_level_flops(sel, rows[k], landmarks[k]) * (k == 0 ? scanned : k < levels - 1 ? 4 : 2);
}

static ny_status search(ny_selection *sel, const range *r) {
    ny_status st = NY_OK;
    int64_t rows[LEVELS], landmarks[LEVELS], levels = plan(sel, rows, landmarks), kernels = sel->kernels, win = 0;
    const ny_kernel *kernel[NY_KERNELS_MAX];
    level here[NY_KERNELS_MAX], *l[NY_KERNELS_MAX];
    double x[NY_KERNELS_MAX] = {0};
    memcpy(kernel, sel->candidate, sizeof kernel);
    foresee(sel, r, levels, rows, landmarks);
    for (int64_t k = 0; k < levels; k++) {
        bool last = k == levels - 1;
        for (int64_t c = 0; c < kernels; c++) {
            here[c] = (level){.sel = sel, .rows = rows[k], .landmarks = landmarks[k], .kernel = kernel[c]};
            l[c] = &here[c];
        }
        if (k == 0) {
            NY_TRY(scan(kernels, l, r));
            for (int64_t c = 0; c < kernels; c++) x[c] = vertex(l[c]);
            if (last) NY_TRY(contest(kernels, l, r, x, &win));
            continue;
        }
        sel->reference = (ny_point){sel->best.kernel, sel->best.bandwidth, 0, 0};
        if (kernels > 1 || !last) NY_TRY(contest(kernels, l, r, x, &win));
        if (last) NY_TRY(last_level(l[win], r, x[win]));
        else NY_TRY(bracket(l[win], r, 0.5));
        x[0] = vertex(l[win]); /* the winner goes on alone */
        kernel[0] = kernel[win];
        kernels = 1;
        win = 0;
    }
    double at = log2(sel->best.bandwidth);
    bool given = r->floor == r->lo && r->hi > r->lo;
    if (given && (at <= r->lo + 1e-9 || at >= r->hi - 1e-9)) sel->bandwidth_edge = at <= r->lo + 1e-9 ? -1 : 1;
done:
    return st;
}

static ny_status run(ny_selection *sel) {
    ny_status st = NY_OK;
    const ny_range *given = &sel->options->bandwidth;
    range r = {given->lo, given->hi, given->step, given->lo, given->hi};
    double guess;
    if (!sel->candidate[0]->has_bandwidth || (!given->is_auto && given->step == 0)) {
        NY_TRY(ny_search_none.run(sel));
        goto done;
    }
    sel->reference = (ny_point){sel->candidate[0], exp2((r.lo + r.hi) / 2), 0, 0};
    if (given->is_auto) {
        NY_TRY(ny_bandwidth_range(sel, &r.lo, &r.hi, &guess));
        sel->reference.bandwidth = exp2(guess);
        r.step = 1;
        r.floor = r.lo - EXTEND;
        r.ceiling = r.hi + EXTEND;
    }
    NY_TRY(search(sel, &r));
done:
    return st;
}

const ny_search ny_search_profile = {
    "profile", "all C for each bandwidth, bandwidths coarse to fine on ever larger machines", run};

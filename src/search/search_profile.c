/* search_profile.c: the default. C is optimised exactly for every bandwidth, so only the bandwidth is searched, on a
 * ladder of ever larger machines: many bandwidths with few rows and landmarks, few with many, one or two with all. A
 * machine with half the rows and half the landmarks costs an eighth, so the whole search costs two to three trainings.
 *
 * The best bandwidth drifts (mostly down) as rows and landmarks grow; the drift seen between the last two levels is
 * carried on to the next. */
#include <math.h>
#include <string.h>

#include "search.h"

enum { POINTS = 64, LEVELS = 3 };

typedef struct {
    ny_selection *sel;
    int64_t rows, landmarks;
    int64_t count;
    double x[POINTS], value[POINTS]; /* log2 bandwidth, ascending, and the criterion */
} level;

static ny_status try_at(level *l, double x) {
    double value;
    for (int64_t i = 0; i < l->count; i++)
        if (fabs(l->x[i] - x) < 1e-9) return NY_OK;
    if (l->count == POINTS) return NY_OK;
    ny_status st = ny_evaluate(l->sel, l->rows, l->landmarks, exp2(x), &value);
    if (st != NY_OK) return st;
    int64_t at = l->count++;
    for (; at > 0 && l->x[at - 1] > x; at--) l->x[at] = l->x[at - 1], l->value[at] = l->value[at - 1];
    l->x[at] = x;
    l->value[at] = value;
    return NY_OK;
}

static int64_t best(const level *l) {
    int64_t b = 0;
    for (int64_t i = 1; i < l->count; i++)
        if (l->value[i] < l->value[b]) b = i;
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

/* Neighbours at `step` on both sides of the best, moving on while the best is on the end. */
static ny_status bracket(level *l, double step, double lo, double hi) {
    ny_status st = NY_OK;
    for (int moves = 0; moves < 12; moves++) {
        int64_t b = best(l);
        double x = l->x[b];
        bool left = b > 0 && x - l->x[b - 1] <= step * 1.01, right = b < l->count - 1 && l->x[b + 1] - x <= step * 1.01;
        if (!left && x - step >= lo - 1e-9) NY_TRY(try_at(l, x - step));
        else if (!right && x + step <= hi + 1e-9) NY_TRY(try_at(l, x + step));
        else break;
    }
done:
    return st;
}

/* The first level looks at the whole range, a factor of two apart, then closer around the best. The range came from
 * the data; a best bandwidth on its end widens it, up to a factor of 64. */
static ny_status scan(level *l, double lo, double hi, double step, bool may_extend) {
    ny_status st = NY_OK;
    double margin = may_extend ? 6 : 0;
    int64_t steps = (int64_t)ceil((hi - lo) / step);
    for (int64_t i = 0; i <= steps; i++) NY_TRY(try_at(l, fmin(lo + (double)i * step, hi)));
    NY_TRY(bracket(l, step, lo - margin, hi + margin));
    NY_TRY(bracket(l, step / 2, lo - margin, hi + margin));
done:
    return st;
}

/* Rows and landmarks of the levels; the last is the whole. Small jobs need no ladder. */
static int64_t plan(const ny_selection *sel, int64_t rows[LEVELS], int64_t landmarks[LEVELS]) {
    int64_t n = sel->all.n, m = sel->landmarks < n ? sel->landmarks : n, levels = 0;
    int64_t first = m / 6 < 50 ? 50 : m / 6 > 200 ? 200 : m / 6, some = 20 * first;
    if (m > 2 * first) {
        rows[levels] = n < some ? n : some;
        landmarks[levels++] = first;
    }
    if (m > 4 * first || n > 2 * some) {
        rows[levels] = n / 2 < some ? (n < some ? n : some) : n / 2;
        landmarks[levels++] = m / 2;
    }
    rows[levels] = n;
    landmarks[levels++] = sel->landmarks;
    return levels;
}

static ny_status search(ny_selection *sel, double lo, double hi, double step, bool may_extend) {
    ny_status st = NY_OK;
    int64_t rows[LEVELS], landmarks[LEVELS], levels = plan(sel, rows, landmarks);
    double x = 0, before = 0;
    double floor_x = may_extend ? lo - 6 : lo, ceiling = may_extend ? hi + 6 : hi;
    for (int64_t k = 0; k < levels; k++) {
        double flops = ny_evaluation_flops(rows[k], sel->all.X.d, landmarks[k], sel->outputs);
        sel->work_total += flops * (k == 0 ? ceil((hi - lo) / step) + 3 : k < levels - 1 ? 3 : 2);
    }
    for (int64_t k = 0; k < levels; k++) {
        level l = {.sel = sel, .rows = rows[k], .landmarks = landmarks[k]};
        bool last = k == levels - 1;
        if (k == 0) {
            NY_TRY(scan(&l, lo, hi, step, may_extend));
            if (last) NY_TRY(try_at(&l, vertex(&l)));
        } else {
            double drift = k > 1 ? fmax(-0.5, fmin(0.5, x - before)) : 0;
            double start = fmax(floor_x, fmin(ceiling, x + 0.5 * drift));
            NY_TRY(try_at(&l, start));
            if (last) NY_TRY(try_at(&l, fmax(floor_x, fmin(ceiling, start + (drift > 0 ? 0.4 : -0.4)))));
            else NY_TRY(bracket(&l, 0.5, floor_x, ceiling));
        }
        before = x;
        x = vertex(&l);
        if (!may_extend && (l.x[best(&l)] <= lo + 1e-9 || l.x[best(&l)] >= hi - 1e-9) && hi > lo)
            sel->bandwidth_edge = l.x[best(&l)] <= lo + 1e-9 ? -1 : 1;
        else
            sel->bandwidth_edge = 0;
    }
done:
    return st;
}

static ny_status run(ny_selection *sel) {
    ny_status st = NY_OK;
    const ny_range *range = &sel->options->bandwidth;
    double lo = range->lo, hi = range->hi, step = range->step, guess, value;
    if (!sel->kernel.kernel->has_bandwidth || (!range->is_auto && range->step == 0)) {
        double bandwidth = range->single > 0 ? range->single : 1;
        NY_TRY(ny_evaluate(sel, sel->all.n, sel->landmarks, bandwidth, &value));
        goto done;
    }
    if (range->is_auto) {
        NY_TRY(ny_bandwidth_range(sel, &lo, &hi, &guess));
        step = 1;
    }
    NY_TRY(search(sel, lo, hi, step, range->is_auto));
done:
    return st;
}

const ny_search ny_search_profile = {
    "profile", "all C for each bandwidth, bandwidths coarse to fine on ever larger machines", run};

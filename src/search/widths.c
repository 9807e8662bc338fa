/* widths.c: see widths.h. */
#include "widths.h"

#include <math.h>

enum { POINTS = NY_WIDTHS_POINTS };

static const double FLAT = 0.002;   /* values that differ by this share are alike */
static const double NATS = 0.05;    /* log probabilities that differ by so much are */
static const double RIDGE = 0.01;   /* two valleys are two if it is higher than both by this share in between */
static const double HOPELESS = 0.2; /* a kernel of finite rank worse by this share is not looked at closer */

static void insert(ny_widths *l, double x, double value) {
    int64_t at = l->count++;
    for (; at > 0 && l->x[at - 1] > x; at--) l->x[at] = l->x[at - 1], l->value[at] = l->value[at - 1];
    l->x[at] = x;
    l->value[at] = value;
}

ny_status ny_widths_try(int64_t levels, ny_widths **l, int64_t count, const double *x) {
    ny_point point[POINTS * NY_KERNELS_MAX];
    int64_t owner[POINTS * NY_KERNELS_MAX], points = 0;
    for (int64_t k = 0; k < levels; k++)
        for (int64_t i = 0; i < count; i++) {
            double at = x[k * count + i];
            const ny_octaves *r = &l[k]->range;
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

/* The share of a value that makes no difference. A log probability V of N observations is compared as exp(2 V / N). */
static double alike(const ny_widths *l) {
    const ny_solution *best = &l->sel->found.best;
    return ny_criterion_nats(l->sel->now.criterion) && best->valid ? fmin(FLAT, 2 * NATS / best->observations) : FLAT;
}

/* Rough kernels are flat towards large bandwidths and large C: if the smallest of equal bandwidths were not preferred,
 * the search would wander there for nothing, into badly conditioned systems. */
int64_t ny_widths_best(const ny_widths *l) {
    int64_t b = 0;
    for (int64_t i = 1; i < l->count; i++)
        if (l->value[i] < l->value[b]) b = i;
    double enough = l->value[b] + alike(l) * fabs(l->value[b]);
    for (int64_t i = 0; i < b; i++)
        if (l->value[i] <= enough) return i;
    return b;
}

double ny_widths_least(const ny_widths *l) {
    return l->value[ny_widths_best(l)];
}

int64_t ny_widths_second(const ny_widths *l) {
    int64_t best = ny_widths_best(l), second = -1;
    double most = l->value[best] + ny_goal_error(&l->sel->now, &l->sel->found.best);
    for (int side = -1; side <= 1; side += 2) {
        double ridge = l->value[best];
        for (int64_t i = best + side; i >= 0 && i < l->count; i += side) {
            bool behind = ridge > l->value[i] + RIDGE * fabs(l->value[i]);
            if (behind && l->value[i] <= most && (second < 0 || l->value[i] < l->value[second])) second = i;
            ridge = fmax(ridge, l->value[i]);
        }
    }
    return second;
}

double ny_widths_vertex(const ny_widths *l, int64_t b) {
    if (b == 0 || b == l->count - 1) return l->x[b];
    double p = l->x[b] - l->x[b - 1], q = l->x[b + 1] - l->x[b];
    double u = (l->value[b - 1] - l->value[b]) / p, v = (l->value[b + 1] - l->value[b]) / q;
    if (!(u + v > 0)) return l->x[b];
    double x = l->x[b] + 0.5 * (u * q - v * p) / (u + v); /* between the halves of p and q, if no neighbour is lower */
    x = fmax(l->x[b] - p / 2, fmin(l->x[b] + q / 2, x));  /* one that is alike may be, and the parabola all but flat */
    return round(x * 32) / 32; /* the last bits depend on the number of threads and must not reach the model */
}

/* How far below the point that parabola is at its minimum. */
static double depth(const ny_widths *l, int64_t b) {
    if (b == 0 || b == l->count - 1) return 0;
    double p = l->x[b] - l->x[b - 1], q = l->x[b + 1] - l->x[b];
    double u = (l->value[b - 1] - l->value[b]) / p, v = (l->value[b + 1] - l->value[b]) / q, top = u * q - v * p;
    return u > 0 && v > 0 ? 0.25 * top * top / ((u + v) * (p + q)) : 0;
}

/* From the point nearest to x down to where no neighbour is lower. */
static int64_t bottom_below(const ny_widths *l, double x) {
    int64_t b = 0;
    for (int64_t i = 1; i < l->count; i++)
        if (fabs(l->x[i] - x) < fabs(l->x[b] - x)) b = i;
    for (;;) {
        int64_t next = b;
        double enough = l->value[b] - alike(l) * fabs(l->value[b]);
        if (b > 0 && l->value[b - 1] < enough) next = b - 1;
        if (b < l->count - 1 && l->value[b + 1] < fmin(enough, l->value[next])) next = b + 1;
        if (next == b) return b;
        b = next;
    }
}

/* The next place to try on one side of point b: half way to its neighbour, or `reach` beyond the end; NAN where the
 * neighbour is no farther than `step`. */
static double beside(const ny_widths *l, int64_t b, int side, double step, double reach) {
    bool end = side < 0 ? b == 0 : b == l->count - 1;
    double away = end ? reach : fabs(l->x[b + side] - l->x[b]);
    if (!end && away <= step + 1e-9) return NAN;
    double x = l->x[b] + side * (end ? reach : fmax(step, away / 2));
    return fmax(l->range.floor, fmin(l->range.ceiling, x));
}

ny_status ny_widths_bracket(ny_widths *l, double from, double step) {
    ny_status st = NY_OK;
    double reach = step; /* beyond an end that is best, in growing steps */
    for (int moves = 0; moves < 12; moves++) {
        int64_t b = bottom_below(l, from), before = l->count;
        double x[2] = {beside(l, b, -1, step, reach), beside(l, b, 1, step, reach)}, value = l->value[b];
        if (isnan(x[0]) && isnan(x[1])) break;
        if (moves > 0 && (b == 0 || b == l->count - 1)) reach *= 2;
        from = l->x[b];
        NY_TRY(ny_widths_try(1, &l, 2, x));
        if (l->count == before) break; /* nothing new within the range */
        bool near = !(fabs(l->x[bottom_below(l, from)] - from) > step + 1e-9);
        if (near && fabs(value - l->value[bottom_below(l, from)]) <= alike(l) * fabs(value)) break;
    }
done:
    return st;
}

ny_status ny_widths_settle(ny_widths *l, double step) {
    ny_status st = NY_OK;
    NY_TRY(ny_widths_bracket(l, l->x[ny_widths_best(l)], step));
    int64_t best = ny_widths_best(l);
    double x = ny_widths_vertex(l, best);
    if (depth(l, best) > alike(l) * fabs(l->value[best])) NY_TRY(ny_widths_try(1, &l, 1, &x));
done:
    return st;
}

/* Every how many steps of the range a scan looks: a power of two, so that halving it meets all of them. */
static int64_t stride(const ny_octaves *r) {
    double steps = ceil((r->hi - r->lo) / r->step - 1e-9);
    int64_t every = 1;
    while (steps / (double)every > POINTS / 2) every *= 2;
    return every;
}

int64_t ny_widths_places(const ny_octaves *r) {
    return (int64_t)ceil((r->hi - r->lo) / (r->step * (double)stride(r)) - 1e-9) + 1;
}

/* Both valleys, in ever smaller steps. */
static ny_status closer(ny_widths *l, double far, double finest) {
    ny_status st = NY_OK;
    int64_t second = ny_widths_second(l);
    double other = second < 0 ? NAN : l->x[second];
    for (double step = far; step > 0.9 * finest; step /= 2) {
        NY_TRY(ny_widths_bracket(l, l->x[ny_widths_best(l)], step));
        if (isnan(other)) continue;
        NY_TRY(ny_widths_bracket(l, other, step));
        other = l->x[bottom_below(l, other)];
    }
done:
    return st;
}

/* The whole range of every kernel: every other place first, as those tell the others where C is. */
static ny_status look_everywhere(int64_t levels, ny_widths **l) {
    ny_status st = NY_OK;
    double x[POINTS * NY_KERNELS_MAX];
    for (int64_t odd = 0; odd < 2; odd++) {
        for (int64_t k = 0; k < levels; k++) {
            const ny_octaves *r = &l[k]->range;
            int64_t count = ny_widths_places(r);
            for (int64_t i = 0; i < POINTS; i++)
                x[k * POINTS + i] =
                    i < count && i % 2 == odd ? fmin(r->lo + (double)(i * stride(r)) * r->step, r->hi) : NAN;
        }
        NY_TRY(ny_widths_try(levels, l, POINTS, x));
    }
done:
    return st;
}

ny_status ny_widths_scan(int64_t levels, ny_widths **l, double finest) {
    ny_status st = NY_OK;
    double least = INFINITY;
    NY_TRY(look_everywhere(levels, l));
    for (int64_t k = 0; k < levels; k++) least = fmin(least, ny_widths_least(l[k]));
    for (int64_t k = 0; k < levels; k++) {
        const ny_octaves *r = &l[k]->range;
        if (!ny_kernel_bounded(l[k]->kernel) && ny_widths_least(l[k]) > least + HOPELESS * fabs(least)) continue;
        NY_TRY(closer(l[k], (double)stride(r) * r->step, finest * r->step));
    }
done:
    return st;
}

/* search_gradient.c: down the gradient of the criterion in log2 bandwidth and log2 C (Chapelle, Vapnik, Bousquet &
 * Mukherjee 2002), for criteria that have one. Every step trains a machine of full size.     docs/math.md, section 17
 *
 * What falls is the logarithm of the value V, along
 *
 *     p = -B grad log V,     B: the inverse curvature as the steps so far tell it (BFGS), or none
 *
 * Steps without B have the length of an octave, none is longer than two; a step is halved until log V falls by at least
 * 1e-4 of what the slope promises. It ends where a step is shorter than 1/256 of an octave, log V is flat to 1e-5 or 40
 * machines have been trained. It begins three times, at C times the mean of k(x,x) = 1: with the median distance in the
 * data as bandwidth, a quarter and four times that (of given ranges: the middle, and half way to either end; where the
 * bandwidth is given, so with C). The landmarks are drawn once, for the bandwidth in the middle. The best of all the
 * places a descent came by is the result.
 *
 * With several kernels (--kernel auto) each begins in the middle, and the one with the best machine goes on. */
#include <math.h>
#include <string.h>

#include "fit.h"
#include "linalg/linalg.h"
#include "pace.h"
#include "space.h"
#include "steer.h"

enum { STARTS = 3, MACHINES = 40 };
static const double TYPICAL = 20; /* machines of a descent, those that are evaluated as points among them */
static const double FEATURES = 6; /* matrices of the size of the features that a gradient holds */
static const double APART = 2;    /* starts, log2 of the bandwidth */
static const double LONGEST = 2, SHORT = 1 / 256.0; /* steps, octaves */
static const double ENOUGH = 1e-4;                  /* share of the promised fall */
static const double FLAT = 1e-5;                    /* of log V, for an octave */

typedef struct {
    ny_space at;
    const ny_kernel *kernel;
    const ny_landmarks *landmarks; /* for all bandwidths; NULL: every row is one */
    int64_t machines;              /* trained in this descent */
} descent;

typedef struct {                                          /* a place on the way */
    double x[NY_SPACE_DIMS], value, slope[NY_SPACE_DIMS]; /* log V, and its derivative by x */
} place;

/* A value of its own where C is beyond the precision of the kernel: the step was too long. */
static ny_status look(descent *d, place *p) {
    ny_status st = NY_OK;
    ny_selection *sel = d->at.sel;
    ny_steered s;
    ny_point point = ny_space_point(&d->at, d->kernel, p->x);
    if (d->at.C_at < 0) point.C = sel->setup->C.single > 0 ? sel->setup->C.single : exp2(sel->setup->C.lo);
    double flops = ny_level_flops(sel, sel->rows->n, sel->plan.landmarks), started = ny_now();
    if (!ny_pace_fits(sel, flops)) NY_FAIL(sel->ctx, NY_STOPPED, "stopped");
    d->machines++;
    st = ny_steer(sel, d->landmarks, &point, &s);
    p->value = INFINITY;
    if (st == NY_ERR_NUMERIC) return NY_OK;
    NY_TRY(st);
    ny_pace_done(sel, flops, ny_now() - started);
    ny_work_done(sel, flops);
    if (!(s.value > 0) || !isfinite(s.value)) return NY_OK;
    p->value = log(s.value);
    double lean = ny_space_lean(&d->at, &point);
    if (d->at.bandwidth_at >= 0)
        p->slope[d->at.bandwidth_at] = log(2) * (s.by_log_bandwidth + lean * s.by_log_C) / s.value;
    if (d->at.C_at >= 0) p->slope[d->at.C_at] = log(2) * s.by_log_C / s.value;
done:
    return st;
}

/* Makes the place a point among those tried. */
static ny_status keep(descent *d, const place *p) {
    ny_selection *sel = d->at.sel;
    ny_point point = ny_space_point(&d->at, d->kernel, p->x);
    return ny_evaluate(sel, sel->rows->n, sel->plan.landmarks, 1, &point);
}

/* Steps that would leave the box stop at its side. Returns how far it is. */
static double within(const descent *d, const place *from, double t, const double *step, place *to) {
    double square = 0;
    for (int64_t k = 0; k < d->at.dims; k++) {
        to->x[k] = fmin(fmax(from->x[k] + t * step[k], d->at.lo[k]), d->at.hi[k]);
        square += (to->x[k] - from->x[k]) * (to->x[k] - from->x[k]);
    }
    return sqrt(square);
}

/* p = -B slope, of no more than LONGEST; variables on a side of the box that would leave it stay. Returns the slope of
 * log V along it. */
static double direction(const descent *d, const place *at, const double *B, double longest, double *p) {
    int64_t n = d->at.dims;
    double length = 0, fall = 0;
    for (int64_t k = 0; k < n; k++) {
        p[k] = 0;
        for (int64_t l = 0; l < n; l++) p[k] -= B[k + NY_SPACE_DIMS * l] * at->slope[l];
        if ((p[k] < 0 && at->x[k] <= d->at.lo[k]) || (p[k] > 0 && at->x[k] >= d->at.hi[k])) p[k] = 0;
        length += p[k] * p[k];
    }
    double shrink = length > longest * longest ? longest / sqrt(length) : 1;
    for (int64_t k = 0; k < n; k++) fall += (p[k] *= shrink) * at->slope[k];
    return fall;
}

/* B = (I - s y'/s'y) B (I - y s'/s'y) + s s'/s'y for a step s on which the slope changed by y. False: log V does not
 * curve upwards there, and B tells nothing.                                                                  (158)
 */
static bool learn(int64_t n, const place *a, const place *b, bool first, double *B) {
    double s[NY_SPACE_DIMS], y[NY_SPACE_DIMS], By[NY_SPACE_DIMS], sy = 0, yy = 0, yBy = 0;
    for (int64_t k = 0; k < n; k++) {
        s[k] = b->x[k] - a->x[k];
        y[k] = b->slope[k] - a->slope[k];
        sy += s[k] * y[k];
        yy += y[k] * y[k];
    }
    if (!(sy > 1e-8 * yy)) return false;
    for (int64_t k = 0; first && k < n; k++) B[k + NY_SPACE_DIMS * k] = sy / yy;
    for (int64_t k = 0; k < n; k++) {
        By[k] = 0;
        for (int64_t l = 0; l < n; l++) By[k] += B[k + NY_SPACE_DIMS * l] * y[l];
        yBy += y[k] * By[k];
    }
    for (int64_t k = 0; k < n; k++)
        for (int64_t l = 0; l < n; l++)
            B[k + NY_SPACE_DIMS * l] += (1 + yBy / sy) * s[k] * s[l] / sy - (s[k] * By[l] + By[k] * s[l]) / sy;
    return true;
}

static void identity(double scale, double *B) {
    memset(B, 0, NY_SPACE_DIMS * NY_SPACE_DIMS * sizeof *B);
    for (int k = 0; k < NY_SPACE_DIMS; k++) B[k + NY_SPACE_DIMS * k] = scale;
}

/* From a place down to where it goes no further. */
static ny_status descend(descent *d, place *at) {
    ny_status st = NY_OK;
    double B[NY_SPACE_DIMS * NY_SPACE_DIMS], p[NY_SPACE_DIMS];
    bool fresh = true;
    d->machines = 0;
    NY_TRY(look(d, at));
    if (isinf(at->value)) return NY_OK;
    while (d->machines < MACHINES) {
        place next = *at;
        double fall, size = sqrt(ny_dot(d->at.dims, at->slope, at->slope));
        if (fresh) identity(size > 0 ? 1 / size : 1, B);
        fall = direction(d, at, B, LONGEST, p);
        double length = sqrt(ny_dot(d->at.dims, p, p));
        if (!(fall < 0) || -fall < FLAT * length) {
            if (fresh) break;
            fresh = true;
            continue;
        }
        bool fell = false;
        for (double t = 1; !fell && within(d, at, t, p, &next) >= SHORT && d->machines < MACHINES; t /= 2) {
            NY_TRY(look(d, &next));
            fell = next.value <= at->value + ENOUGH * t * fall;
        }
        if (!fell && fresh) break;
        fresh = !fell || !learn(d->at.dims, at, &next, fresh, B);
        if (!fell) continue;
        *at = next;
        NY_TRY(keep(d, at));
    }
done:
    return st;
}

/* Where the descents begin: x (dims) of the one in the middle, below it and above it. */
static void begin_at(const descent *d, int start, double *x) {
    const ny_selection *sel = d->at.sel;
    const ny_range *range = d->at.bandwidth_at == 0 ? &sel->setup->bandwidth : &sel->setup->C;
    double apart = range->is_auto ? APART : (d->at.hi[0] - d->at.lo[0]) / 4;
    memcpy(x, d->at.guess, (size_t)d->at.dims * sizeof *x);
    if (start > 0) x[0] = fmin(fmax(x[0] + (start == 1 ? -apart : apart), d->at.lo[0]), d->at.hi[0]);
}

/* The kernel whose machine is best in the middle, and the landmarks for all of its bandwidths. */
static ny_status prepare(descent *d) {
    ny_status st = NY_OK;
    ny_selection *sel = d->at.sel;
    ny_point point[NY_KERNELS_MAX];
    const ny_rows *rows;
    for (int64_t k = 0; k < sel->setup->kernels; k++)
        point[k] = ny_space_point(&d->at, sel->setup->candidate[k], d->at.guess);
    sel->cache.reference = point[0];
    sel->cache.hold = true;
    NY_TRY(ny_evaluate(sel, sel->rows->n, sel->plan.landmarks, sel->setup->kernels, point));
    d->kernel = sel->found.best.f.kernel.kernel;
    NY_TRY(ny_rows_of_level(sel, sel->rows->n, &rows));
    NY_TRY(ny_common_landmarks(sel, rows, ny_plan_landmarks(sel), &d->landmarks));
done:
    return st;
}

static ny_status run(ny_selection *sel) {
    ny_status st = NY_OK;
    descent d = {0};
    NY_TRY(ny_space_make(sel, &d.at));
    if (d.at.dims == 0) {
        NY_TRY(ny_search_none.run(sel));
        goto done;
    }
    sel->found.work_total = STARTS * TYPICAL * ny_level_flops(sel, sel->rows->n, sel->plan.landmarks);
    NY_TRY(prepare(&d));
    for (int start = 0; start < STARTS; start++) {
        place at = {0};
        begin_at(&d, start, at.x);
        NY_TRY(descend(&d, &at));
    }
    ny_space_edges(&d.at);
done:
    sel->cache.hold = false;
    ny_space_clear(&d.at);
    return st;
}

static ny_search_cost cost(const ny_options *options, bool iterative) {
    (void)options;
    (void)iterative;
    return (ny_search_cost){.machines = STARTS * TYPICAL, .round = 2, .one_C = true, .features = FEATURES};
}

const ny_search ny_search_gradient = {
    "gradient", "bandwidth and C down the gradient of --criterion span, smooth-span or radius-margin", run, cost};

/* space.c: see space.h. */
#include "space.h"

#include <math.h>
#include <string.h>

static const double WIDEN = 2;                /* log2 */
static const double C_LOW = -10, C_HIGH = 20; /* log2 of C times the mean of k(x,x) */
static const double GRAIN = 1024;             /* points lie on a grid of 1/GRAIN */
static const double ON_THE_END = 1.0 / 64;    /* so close to an end of a range (log2) is on it */

static int64_t add_variable(ny_space *s, double lo, double hi, double guess) {
    s->lo[s->dims] = lo;
    s->hi[s->dims] = hi;
    s->guess[s->dims] = guess;
    return s->dims++;
}

ny_status ny_space_make(ny_selection *sel, ny_space *s) {
    ny_status st = NY_OK;
    const ny_range *bandwidth = &sel->setup->bandwidth, *C = &sel->setup->C;
    double lo, hi, guess;
    *s = (ny_space){.sel = sel, .bandwidth_at = -1, .C_at = -1};
    s->bandwidth = bandwidth->single > 0 ? bandwidth->single : exp2(bandwidth->lo);
    if (sel->setup->candidate[0]->has_bandwidth && bandwidth->is_auto) {
        NY_TRY(ny_bandwidth_range(sel, sel->setup->candidate[0], &lo, &hi, &guess));
        s->bandwidth_at = add_variable(s, lo - WIDEN, hi + WIDEN, guess);
    } else if (sel->setup->candidate[0]->has_bandwidth && bandwidth->hi > bandwidth->lo) {
        s->bandwidth_at = add_variable(s, bandwidth->lo, bandwidth->hi, (bandwidth->lo + bandwidth->hi) / 2);
    }
    if (C->is_auto) {
        s->C_at = add_variable(s, C_LOW, C_HIGH, 0);
        NY_TRY(ny_kernel_prepare(sel->ctx, &sel->rows->all.X, false, &s->side));
        NY_NEW_RAW(sel->ctx, s->diag, sel->rows->all.n);
    } else if (C->hi > C->lo) {
        s->C_at = add_variable(s, C->lo, C->hi, (C->lo + C->hi) / 2);
    }
done:
    return st;
}

void ny_space_clear(ny_space *s) {
    ny_kernel_release(&s->side);
    ny_free(s->diag);
    *s = (ny_space){0};
}

static double at(const ny_space *s, int64_t variable, const double *x) {
    double v = round(x[variable] * GRAIN) / GRAIN;
    return exp2(fmin(fmax(v, s->lo[variable]), s->hi[variable]));
}

/* mean of k(x_i, x_i); 1 where it tells nothing */
static double mean_diagonal(const ny_space *s, const ny_point *point) {
    double sum = 0, n = (double)s->sel->rows->all.n;
    ny_kernel_params kernel = ny_point_kernel(s->sel->setup, point);
    ny_kernel_diagonal(&kernel, &s->side, s->diag);
    for (int64_t i = 0; i < s->sel->rows->all.n; i++) sum += s->diag[i] / n;
    return sum > 0 && isfinite(sum) ? sum : 1;
}

ny_point ny_space_point(const ny_space *s, const ny_kernel *kernel, const double *x) {
    ny_point point = {.kernel = kernel, .bandwidth = s->bandwidth};
    if (s->bandwidth_at >= 0) point.bandwidth = at(s, s->bandwidth_at, x);
    if (s->C_at >= 0) point.C = at(s, s->C_at, x);
    if (s->diag) point.C /= mean_diagonal(s, &point);
    return point;
}

/* C ~ 1 / sum k(x,x), k(x,x) = map(|x|^2), and dk / dlog sigma = -2 v slope(v). */
double ny_space_lean(const ny_space *s, const ny_point *point) {
    double sum = 0, moves = 0;
    ny_kernel_params kernel = ny_point_kernel(s->sel->setup, point);
    if (!s->diag || kernel.kernel->base != NY_BASE_DOT) return 0;
    int64_t n = s->sel->rows->all.n;
    ny_kernel_diagonal(&kernel, &s->side, s->diag);
    for (int64_t i = 0; i < n; i++) sum += s->diag[i];
    memcpy(s->diag, s->side.norms, (size_t)n * sizeof *s->diag);
    kernel.kernel->slope(s->diag, n, &kernel);
    for (int64_t i = 0; i < n; i++) moves += 2 * s->side.norms[i] * s->diag[i];
    return sum > 0 && isfinite(sum) ? moves / sum : 0;
}

/* -1, +1: the value lies on the lower, upper end of a range given by the user. */
static int edge(const ny_range *range, double value) {
    if (range->is_auto || !(range->hi > range->lo)) return 0;
    return log2(value) <= range->lo + ON_THE_END ? -1 : log2(value) >= range->hi - ON_THE_END;
}

void ny_space_edges(const ny_space *s) {
    ny_outcome *found = &s->sel->found;
    if (s->bandwidth_at >= 0) found->bandwidth_edge = edge(&s->sel->setup->bandwidth, found->best.f.kernel.bandwidth);
    if (s->C_at >= 0) found->best.C_edge = edge(&s->sel->setup->options->C, found->best.C[0]);
}

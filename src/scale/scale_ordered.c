/* scale_ordered.c: the scales that go by the order of the values. With n rows, of which B are below a value and w have
 * it:
 *     quantile   z = Phi^-1((B + w/2) / n), linear between the values, and that of the ends beyond them
 *     robust     t = (x - median) / IQR
 *     log        sign(t) log(1 + |t|), then mean 0 and standard deviation 1
 * B + w/2 is the mean rank of the rows with that value, less 1/2. Where the IQR is 0, as at least half of the rows have
 * one value, 1.349 standard deviations stand for it: what it is of normal inputs. docs/math.md, "Scales" */
#include <math.h>

#include "scale.h"

/* Phi^-1(share), 0 < share <= 1/2: a rational start (Abramowitz and Stegun, 26.2.23, within 4.5e-4) and two of Halley's
 * steps, each of which triples the digits:  u = (Q(z) - share) / phi(z),  z + u / (1 - u z / 2). */
static double lower_normal(double share) {
    double t = sqrt(-2 * log(share));
    double z = t - (2.515517 + t * (0.802853 + t * 0.010328)) / (1 + t * (1.432788 + t * (0.189269 + t * 0.001308)));
    for (int step = 0; step < 2; step++) {
        double u = (0.5 * erfc(z / M_SQRT2) - share) * sqrt(2 * M_PI) * exp(0.5 * z * z);
        z += u / (1 - 0.5 * u * z);
    }
    return -z;
}

/* Phi^-1(rank / total), such that both ends are treated alike. */
static double normal_of(double rank, double total) {
    double rest = total - rank;
    return rank < rest ? lower_normal(rank / total) : rank > rest ? -lower_normal(rest / total) : 0;
}

/* The values that are knots, ascending, and how many: those around values that are left out differ by at most `step` in
 * z. at: NY_KNOTS, filled as far as there is room. */
static int64_t choose_knots(const ny_ordered *v, const double *z, double step, int64_t *at) {
    int64_t knots = 0, last = 0;
    for (int64_t i = 0; i < v->n; i++) {
        if (i > 0 && i < v->n - 1 && z[i + 1] - z[last] <= step) continue;
        if (knots < NY_KNOTS) at[knots] = i;
        knots++;
        last = i;
    }
    return knots;
}

/* All values are knots where they are no more than NY_KNOTS. Else those in between are left out, with the least step
 * that leaves NY_KNOTS at most: two gaps are more than a step, so it is at most 2 / NY_KNOTS of the whole. error: the
 * largest share of the rows from a knot to the next where values between them were left out. */
static ny_status order_quantile(ny_ctx *ctx, const ny_ordered *v, int64_t j, ny_scaling *out, double *error) {
    ny_status st = NY_OK;
    double *z = NULL, *rank = NULL, below = 0, step = -1;
    int64_t at[NY_KNOTS], knots;
    NY_NEW_RAW(ctx, z, v->n);
    NY_NEW_RAW(ctx, rank, v->n);
    for (int64_t i = 0; i < v->n; below += v->weight[i++]) {
        rank[i] = below + 0.5 * v->weight[i];
        z[i] = normal_of(rank[i], v->total);
    }
    while ((knots = choose_knots(v, z, step, at)) > NY_KNOTS)
        step = step < 0 ? (z[v->n - 1] - z[0]) / NY_KNOTS : 1.1 * step;
    for (int64_t k = 0; k < knots; k++) {
        NY_TRY(ny_bend_knot(ctx, out->bend, v->value[at[k]], z[at[k]]));
        if (k > 0 && at[k] > at[k - 1] + 1) *error = fmax(*error, (rank[at[k]] - rank[at[k - 1]]) / v->total);
    }
    out->shift[j] = 0;
    out->factor[j] = 1;
done:
    ny_free(z);
    ny_free(rank);
    return st;
}

/* What stands for the size of the input: its IQR, or what that would be of a normal one. */
static double width_of(const ny_ordered *v, double factor) {
    const double NORMAL = 1.349; /* 2 Phi^-1(3/4) */
    double iqr = ny_ordered_quantile(v, 0.75) - ny_ordered_quantile(v, 0.25);
    return iqr > 0 ? iqr : NORMAL / factor;
}

static ny_status order_robust(ny_ctx *ctx, const ny_ordered *v, int64_t j, ny_scaling *out, double *error) {
    (void)ctx, (void)error;
    double factor = 1 / width_of(v, out->factor[j]);
    if (!isfinite(factor)) return NY_OK;
    out->shift[j] = ny_ordered_quantile(v, 0.5);
    out->factor[j] = factor;
    return NY_OK;
}

static ny_status order_log(ny_ctx *ctx, const ny_ordered *v, int64_t j, ny_scaling *out, double *error) {
    (void)ctx, (void)error;
    ny_bend *bend = out->bend;
    double mean = 0, squares = 0, width = width_of(v, out->factor[j]);
    if (width < 1e-150) return NY_OK; /* data go up to 1e150: t could leave the range of numbers */
    bend->log[j] = ny_ordered_quantile(v, 0.5);
    bend->log[j + bend->d] = width;
    for (int64_t i = 0; i < v->n; i++) mean += v->weight[i] / v->total * ny_bend_value(bend, j, v->value[i]);
    for (int64_t i = 0; i < v->n; i++) {
        double z = ny_bend_value(bend, j, v->value[i]) - mean;
        squares += v->weight[i] / v->total * z * z;
    }
    out->shift[j] = mean;
    out->factor[j] = 1 / sqrt(squares);
    return NY_OK;
}

#define X(name, few, help) const ny_scale ny_scale_##name = {#name, help, NULL, order_##name, few};
NY_SCALE_ORDERED(X)
#undef X

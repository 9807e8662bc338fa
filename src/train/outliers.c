/* outliers.c: see outliers.h.
 *
 * Let k rows, the fewest possible, hold half of the squared held-out error, and let x be the least error among them, in
 * units of the median absolute error. Of n errors from Student's distribution with three degrees of freedom, the
 * heaviest tails of the family that still have a variance, about lambda = n P(|T| > x) are that large. Wild targets it
 * is where even so heavy tails would have k or more of them by a chance of 1% (Poisson), and lambda is below k / 5:
 * what is significant in a million rows need not matter.                                          docs/math.md, eq. 112
 */
#include "outliers.h"

#include <math.h>
#include <stdlib.h>

#include "robust_start.h"

typedef struct {
    double share; /* v e^2 */
    double error; /* |e| */
    int64_t row;
} held_error;

static int largest_first(const void *a, const void *b) {
    const held_error *x = a, *y = b;
    if (x->share != y->share) return x->share > y->share ? -1 : 1;
    return (x->row > y->row) - (x->row < y->row);
}

/* P(|T| > t), T of Student's distribution with three degrees of freedom, whose |T| has the median 0.7649. */
static double tail(double t) {
    double z = t / sqrt(3);
    return fmax(1 - 2 / M_PI * (z / (1 + z * z) + atan(z)), 0);
}

/* P(N >= k), N of Poisson's distribution with this mean. */
static double at_least(int64_t k, double mean) {
    double below = 0;
    for (int64_t i = 0; i < k && below < 1; i++) below += exp((double)i * log(mean) - mean - lgamma((double)i + 1));
    return fmax(1 - below, 0);
}

/* The number of outlying rows, of those sorted by their share, and what they hold; 0 where too few do not hold half. */
static int64_t few_hold_most(int64_t n, const held_error *e, double scale, double *held) {
    double all = 0, sum = 0, least = INFINITY;
    int64_t k = 0;
    for (int64_t i = 0; i < n; i++) all += e[i].share;
    if (!(all > 0)) return 0;
    for (; k < n && sum < all / 2; k++) {
        sum += e[k].share;
        least = fmin(least, e[k].error);
    }
    double mean = (double)n * fmax(tail(least / scale * 0.7649 / 0.6745), 1e-300);
    if (!(5 * mean < (double)k && at_least(k, mean) < 0.01)) return 0;
    for (; k < n && e[k].error > NY_OUTLYING * scale; k++) sum += e[k].share;
    *held = sum / all;
    return k;
}

ny_status ny_outliers_note(const ny_selection *sel, ny_record *record) {
    ny_status st = NY_OK;
    const ny_rows *rows = ny_judged_rows(sel, &sel->rows->all);
    int64_t n = rows->n, learnt = sel->rows->all.n;
    held_error *e = NULL;
    ny_weighed *size = NULL;
    double held;
    if (sel->setup->classes || sel->found.best.rows != learnt || !sel->found.best.held) return NY_OK;
    NY_NEW_RAW(sel->ctx, e, n);
    NY_NEW_RAW(sel->ctx, size, n);
    for (int64_t i = 0; i < n; i++) {
        double v = ny_judged_weight(rows, i), error = fabs(rows->y[i] - sel->found.best.held[i]);
        e[i] = (held_error){v * error * error, error, rows->id[i]};
        size[i] = (ny_weighed){error, v};
    }
    qsort(e, (size_t)n, sizeof *e, largest_first);
    int64_t few = ny_machine_squared(sel->setup->machine) ? few_hold_most(n, e, ny_robust_scale(size, n), &held) : 0;
    if (few)
        NY_TRY(ny_record_note(sel->ctx, record,
                              "%lld of %lld rows hold %.0f%% of the squared held-out error (the largest is row %lld): "
                              "--machine huber does not follow them",
                              (long long)few, (long long)n, 100 * held, (long long)e[0].row + 1));
    if (sel->rows->wild)
        NY_TRY(
            ny_record_note(sel->ctx, record,
                           "%lld of %lld targets are further from the others than any noise explains, wherever their "
                           "inputs are: the machine is trained without them",
                           (long long)sel->rows->wild, (long long)learnt));
    if (sel->rows->outlying)
        NY_TRY(ny_record_note(sel->ctx, record,
                              "%lld of %lld targets are more than 5 times the noise from a robust fit: the expected "
                              "error counts them; the median absolute error is %.4g",
                              (long long)sel->rows->outlying, (long long)learnt, ny_order_share(size, n, 0.5)));
done:
    ny_free(e);
    ny_free(size);
    return st;
}

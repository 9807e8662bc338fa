/* follow.c: see follow.h. */
#include "follow.h"

#include <math.h>
#include <stdlib.h>

#include "base/order.h"

static const double SHARE = 0.02; /* of E that may cross in one step */

typedef struct {
    double *slope; /* n: of the outputs by log lambda */
    double *cross; /* n: where rows are foreseen to cross */
    double *Ge;    /* r */
    bool *want;    /* n */
} ahead;

/* The derivative of the machine (the paper's eq. 13) as E is: a = 2/lambda u (t - f) solves eq. 84 with e = u t, so
 * its derivative by log lambda solves it with e = -lambda/2 a = -u (t - f), of which G_E e = -lambda/2 w and
 * u'e = -lambda pull, and balance 0. */
static void derivative(ny_sided *s, ahead *a) {
    for (int64_t i = 0; i < s->P->n; i++) s->work.e[i] = -s->P->u[i] * (s->t[i] - s->f[i]);
    for (int64_t k = 0; k < s->P->r; k++) a->Ge[k] = -s->lambda / 2 * s->w[k];
    ny_sided_side side = {.e = s->work.e, .Ge = a->Ge, .ue = -s->lambda * s->pull};
    ny_sided_system(s, &side, true, s->work.d, a->slope);
}

/* The next lambda: so far that SHARE of E leave it, as foreseen on a straight line in lambda, but not beyond a half. */
static double next_lambda(const ny_sided *s, ahead *a) {
    int64_t count = 0, most = (int64_t)ceil(SHARE * (double)s->active);
    for (int64_t k = 0; k < s->active; k++) {
        int64_t i = s->row[k];
        double at = s->lambda * (1 + (s->t[i] - s->f[i]) / a->slope[i]);
        if (at < s->lambda && at > s->lambda / 2) a->cross[count++] = at;
    }
    if (count <= most) return s->lambda / 2;
    qsort(a->cross, (size_t)count, sizeof *a->cross, ny_descending);
    return (a->cross[most - 1] + a->cross[most]) / 2;
}

/* The partition there, on a straight line in log lambda, which is more often right. */
static void foresee(ny_sided *s, ahead *a, double lambda) {
    double distance = log(lambda / s->lambda);
    for (int64_t i = 0; i < s->P->n; i++) a->want[i] = s->y[i] * (s->t[i] - s->f[i] - distance * a->slope[i]) > 0;
    ny_sided_set(s, a->want);
}

ny_status ny_follow(ny_ctx *ctx, ny_sided *s, const ny_follow_range *range, ny_visit_fn *visit, void *user) {
    ny_status st = NY_OK;
    ahead a = {0};
    double lambda = range->first;
    bool enough = false;
    NY_NEW_RAW(ctx, a.slope, s->P->n);
    NY_NEW_RAW(ctx, a.cross, s->P->n);
    NY_NEW_RAW(ctx, a.Ge, s->P->r);
    NY_NEW_RAW(ctx, a.want, s->P->n);
    NY_TRY(ny_sided_solve(ctx, s, lambda));
    while (range->whole && s->active < s->P->n && lambda < 1e100) NY_TRY(ny_sided_solve(ctx, s, lambda *= 10));
    for (;;) {
        NY_TRY(visit(ctx, user, s, &enough));
        if (enough || lambda <= range->last) break;
        derivative(s, &a);
        lambda = fmax(next_lambda(s, &a), range->last);
        if (lambda < 1.001 * range->last) lambda = range->last;
        foresee(s, &a, lambda);
        NY_TRY(ny_sided_solve(ctx, s, lambda));
    }
done:
    ny_free(a.slope);
    ny_free(a.cross);
    ny_free(a.Ge);
    ny_free(a.want);
    return st;
}

/* exact_point.c: see exact_point.h. */
#include "exact_point.h"

#include <math.h>

/* The middle one of the outputs' C. */
static double middle_C(const ny_selection *sel) {
    const double *C = sel->found.best.C;
    double middle = C[0];
    for (int64_t j = 0; j < sel->setup->outputs; j++) {
        int64_t below = 0, same = 0;
        for (int64_t i = 0; i < sel->setup->outputs; i++) below += C[i] < C[j], same += C[i] == C[j];
        if (below <= (sel->setup->outputs - 1) / 2 && (sel->setup->outputs - 1) / 2 < below + same) middle = C[j];
    }
    return middle;
}

/* The C found there, in the mean over the outputs. */
static double C_at(const ny_widths *l, double x) {
    const ny_selection *sel = l->sel;
    for (int64_t i = sel->found.trials - 1; i >= 0; i--) {
        const ny_trial *t = &sel->found.trial[i];
        if (t->kernel == l->kernel && t->rows == l->rows && fabs(log2(t->bandwidth) - x) < 1e-9) return t->C;
    }
    return 0;
}

/* A place where C is at most `most`, if one is as good: along the ridge of wide kernels C grows with the bandwidth, and
 * the value hardly changes. */
static ny_status within_reach(ny_widths *l, double most, double *x) {
    ny_status st = NY_OK;
    double enough = ny_widths_least(l) + ny_goal_error(&l->sel->now, &l->sel->found.best), at = l->x[ny_widths_best(l)];
    while (C_at(l, at) > most) {
        int64_t i = 0;
        at -= 0.5;
        NY_TRY(ny_widths_try(1, &l, 1, &at));
        while (i < l->count && fabs(l->x[i] - at) > 1e-9) i++;
        if (i == l->count || !(l->value[i] <= enough)) break;
        *x = at;
    }
done:
    return st;
}

ny_status ny_exact_point(ny_selection *sel, ny_widths *l, double x, ny_point *at) {
    ny_status st = NY_OK;
    const double CONDITION = 32, most = sel->setup->outputs > 2 ? CONDITION : 4 * CONDITION;
    NY_TRY(within_reach(l, most, &x));
    double known = C_at(l, x),
           ratio = exp2(x) / sel->found.best.f.kernel.bandwidth; /* a vertex between places has none */
    double C = known > 0 ? known : middle_C(sel) * ratio * ratio;
    *at = (ny_point){l->kernel, exp2(x), fmin(exp2(round(log2(C))), most), 0};
done:
    return st;
}

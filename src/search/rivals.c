/* rivals.c: see rivals.h. */
#include "rivals.h"

#include <math.h>

static const double WORTH = 6e10; /* flops of a machine of full size that a rival may have: about a second */

int64_t ny_best_kernel(int64_t kernels, ny_widths **l) {
    int64_t win = 0;
    for (int64_t c = 1; c < kernels; c++)
        if (l[c]->kernel == l[c]->sel->found.best.f.kernel.kernel) win = c;
    return win;
}

int64_t ny_winning_kernel(int64_t kernels, ny_widths **l, const ny_standings *s) {
    for (int64_t c = 0; c < kernels && s->winner >= 0; c++)
        if (l[c]->kernel == l[c]->sel->setup->candidate[s->winner]) return c;
    return ny_best_kernel(kernels, l);
}

bool ny_near(const ny_widths *l, const ny_standings *s) {
    return s->winner >= 0 && s->near[ny_candidate(l->sel->setup, l->kernel)];
}

/* The kernel of the least value among the bounded ones, or among the others; -1: there is none. */
static int64_t best_of(int64_t kernels, ny_widths **l, bool bounded) {
    int64_t best = -1;
    for (int64_t c = 0; c < kernels; c++)
        if (ny_kernel_bounded(l[c]->kernel) == bounded &&
            (best < 0 || ny_widths_least(l[c]) < ny_widths_least(l[best])))
            best = c;
    return best;
}

/* The bounded kernel of the least log loss where one without bound has won; -1: none has, or there is no other. */
static int64_t beside_unbounded(int64_t kernels, ny_widths **l, const ny_standings *s) {
    const ny_setup *setup = l[0]->sel->setup;
    int64_t best = -1;
    double least = INFINITY;
    for (int64_t c = 0; c < kernels && !ny_kernel_bounded(setup->candidate[s->winner]); c++) {
        double loss = s->loss[ny_candidate(setup, l[c]->kernel)];
        if (ny_kernel_bounded(l[c]->kernel) && loss < least) best = c, least = loss;
    }
    return best;
}

bool ny_rivals(int64_t kernels, int64_t c, ny_widths **l, const ny_standings *s) {
    const ny_widths *w = l[ny_best_kernel(kernels, l)];
    if (s->winner >= 0 && c == beside_unbounded(kernels, l, s)) return true;
    if (s->winner >= 0 && !ny_kernel_bounded(l[c]->kernel) && !ny_near(l[c], s)) return false;
    const ny_selection *sel = w->sel;
    int64_t bounded = best_of(kernels, l, true), other = best_of(kernels, l, false);
    bool ahead = bounded >= 0 && other >= 0 && ny_widths_least(l[other]) < ny_widths_least(l[bounded]);
    bool exact = w->rows == w->landmarks && ny_by_kernel(&sel->now, sel->rows->n, true);
    if (exact && ahead && (c == bounded || c == other)) return true;
    double enough = ny_widths_least(w) + ny_goal_error(&sel->now, &sel->found.best);
    return ny_kernel_bounded(l[c]->kernel) && ny_widths_least(l[c]) <= enough && !ny_setup_iterates(sel->setup) &&
           (sel->plan.route.kind == NY_ROUTE_CG_ALONE ||
            ny_level_flops(sel, sel->rows->n, sel->plan.landmarks) <= WORTH);
}

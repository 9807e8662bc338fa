/* steer.c: see steer.h. point -> factor -> machine of every output -> dV/dG -> dV / dlog bandwidth. */
#include "steer.h"

#include <string.h>

#include "criterion/path.h"
#include "fit.h"
#include "linalg/linalg.h"
#include "search.h"

/* One output of a problem, as a problem of its own. */
static ny_problem output_of(const ny_problem *P, int64_t j, ny_together *together) {
    ny_problem one = *P;
    one.q = 1;
    one.Y += P->n * j;
    if (P->loss) one.loss += j;
    if (P->excess) one.excess += P->n * j;
    if (P->together) {
        *together = *P->together;
        together->mean += P->n * j;
        one.together = together;
    }
    return one;
}

/* Adds a group's outputs to the value and its derivatives; by_G: r x rows. */
static ny_status add_group(const ny_selection *sel, const ny_rows *rows, const ny_problem *P, const ny_group *g,
                           double C, double *by_G, ny_steered *out) {
    ny_status st = NY_OK;
    const ny_criterion *criterion = sel->now.criterion;
    double share = ny_group_share(sel, rows, g), *slopes = NULL;
    void *path = NULL;
    ny_problem one; /* the path looks at it until it is released */
    ny_together together;
    ny_C_list list = {1, false, &C};
    NY_NEW_RAW(sel->ctx, slopes, ny_size3(P->r, P->n, 1) + 2);
    for (int64_t j = 0; j < P->q; j++) {
        one = output_of(P, j, &together);
        NY_TRY(ny_path_prepare(sel->ctx, &one, criterion->iterative->leave, &path));
        NY_TRY(ny_path_visit(sel->ctx, path, &list, criterion->gradient, 2 + P->r * P->n, slopes));
        ny_path_release(path);
        path = NULL;
        out->value += share * slopes[0];
        out->by_log_C += share * slopes[1];
        for (int64_t i = 0; i < P->n; i++) {
            double *to = by_G + P->r * (g->member ? g->member[i] : i);
            for (int64_t b = 0; b < P->r; b++) to[b] += share * slopes[2 + b + i * P->r];
        }
    }
done:
    ny_path_release(path);
    ny_free(slopes);
    return st;
}

/* Rows that are weighted have scaled columns now. */
static void unscale(const ny_rows *rows, ny_factor *f) {
    for (int64_t i = 0; (rows->weighted || rows->wild) && i < f->n; i++)
        for (int64_t b = 0; b < f->r; b++) f->G[b + i * f->ldg] /= ny_heard(rows, i);
}

ny_status ny_steer(const ny_selection *sel, const ny_landmarks *given, const ny_point *point, ny_steered *out) {
    ny_status st = NY_OK;
    const ny_rows *rows = &sel->rows->all;
    ny_kernel_params kernel = ny_point_kernel(sel->setup, point);
    bool pairs = ny_setup_pairs(sel->setup);
    ny_factor factor = {0};
    ny_group g = {0};
    double *by_G = NULL;
    *out = (ny_steered){0};
    if (ny_should_stop(sel->ctx)) return NY_STOPPED;
    ny_cut_before before = ny_cut_begin(sel->ctx);
    NY_TRY(ny_point_factor(sel, rows, given, ny_plan_landmarks(sel), &kernel, &factor));
    NY_NEW(sel->ctx, by_G, ny_size3(factor.r, factor.n, 1));
    for (int64_t first = 0; first < sel->setup->outputs; first += g.q) {
        ny_group_clear(&g);
        g = (ny_group){.first = first, .q = pairs ? 1 : sel->setup->outputs};
        NY_TRY(ny_group_make(sel->ctx, &sel->now, rows, &factor, &g));
        ny_problem P = ny_group_problem(&sel->now, &factor, &g);
        NY_TRY(add_group(sel, rows, &P, &g, point->C, by_G, out));
    }
    if (!pairs) unscale(rows, &factor);
    if (point->kernel->has_bandwidth)
        NY_TRY(ny_width_slope(sel->ctx, &kernel, &rows->X, &factor, by_G, &out->by_log_bandwidth));
done:
    ny_group_clear(&g);
    ny_factor_clear(&factor);
    ny_free(by_G);
    if (ny_cut_end(before)) st = NY_STOPPED;
    return st;
}

/* group.c: see group.h. */
#include "group.h"

#include <math.h>
#include <string.h>

static const double SHARP = 1e-7; /* relative gap of --hinge exact */

void ny_group_clear(ny_group *g) {
    if (g->member) {
        ny_free(g->G);
        ny_free(g->code);
    }
    ny_free(g->u);
    ny_free(g->member);
    ny_free(g->Y);
    ny_free(g->fold_start);
    ny_together_clear(&g->together);
    *g = (ny_group){0};
}

static ny_status fold_starts(ny_ctx *ctx, const ny_rows *rows, int64_t folds, ny_group *g) {
    ny_status st = NY_OK;
    NY_NEW(ctx, g->fold_start, folds + 1);
    for (int64_t i = 0; i < g->n; i++) g->fold_start[rows->fold[g->member ? g->member[i] : i] + 1]++;
    for (int64_t f = 0; f < folds; f++) g->fold_start[f + 1] += g->fold_start[f];
done:
    return st;
}

/* Members are the rows whose class takes part in the output; their columns of G are copied, as a criterion may
 * overwrite them and other pairs need them too. */
static ny_status gather_pair(ny_ctx *ctx, const ny_setup *setup, const ny_rows *rows, const ny_factor *f, ny_group *g) {
    ny_status st = NY_OK;
    ny_targets t;
    ny_targets_of(setup, rows, g->first, &t);
    for (int64_t i = 0; i < rows->n; i++) g->n += ny_target(&t, i) != 0;
    NY_NEW_RAW(ctx, g->member, g->n);
    NY_NEW_RAW(ctx, g->u, g->n);
    NY_NEW_RAW(ctx, g->code, g->n);
    NY_NEW_RAW(ctx, g->G, ny_size3(f->r, g->n, 1));
    g->ldg = f->r;
    for (int64_t i = 0, k = 0; i < rows->n; i++) {
        double y = ny_target(&t, i);
        if (y == 0) continue;
        g->member[k] = i;
        g->u[k] = rows->u[i];
        g->code[k] = y > 0;
        memcpy(g->G + k++ * f->r, f->G + i * f->ldg, (size_t)f->r * sizeof *g->G);
    }
done:
    return st;
}

void ny_together_clear(ny_together *t) {
    ny_free(t->group);
    ny_free(t->weight);
    ny_free(t->mean);
    *t = (ny_together){0};
}

ny_status ny_together_make(ny_ctx *ctx, const ny_setup *setup, const ny_rows *rows, const ny_group *g, ny_together *t) {
    const int64_t n = g->n, q = g->q;
    ny_status st = NY_OK;
    double *weight = NULL, *sum = NULL;
    ny_targets y;
    NY_NEW_RAW(ctx, t->group, n);
    NY_NEW_RAW(ctx, t->weight, n);
    NY_NEW_RAW(ctx, t->mean, ny_size3(n, q, 1));
    NY_NEW(ctx, weight, rows->copies);
    NY_NEW_RAW(ctx, sum, rows->copies);
    t->groups = rows->copies;
    for (int64_t i = 0; i < n; i++) {
        int64_t row = g->member ? g->member[i] : i;
        t->group[i] = rows->copy[row];
        if (t->group[i] >= 0) weight[t->group[i]] += ny_heard(rows, row) * ny_heard(rows, row);
    }
    for (int64_t i = 0; i < n; i++) t->weight[i] = t->group[i] >= 0 ? weight[t->group[i]] : 0;
    for (int64_t j = 0; j < q; j++) {
        memset(sum, 0, (size_t)rows->copies * sizeof *sum);
        ny_targets_of(setup, rows, g->first + j, &y);
        for (int64_t i = 0; i < n; i++) {
            int64_t row = g->member ? g->member[i] : i;
            double v = ny_heard(rows, row) * ny_heard(rows, row);
            if (t->group[i] >= 0) sum[t->group[i]] += v * ny_target(&y, row);
        }
        for (int64_t i = 0; i < n; i++) t->mean[i + j * n] = t->group[i] >= 0 ? sum[t->group[i]] / t->weight[i] : 0;
    }
done:
    ny_free(weight);
    ny_free(sum);
    if (st != NY_OK) ny_together_clear(t);
    return st;
}

ny_status ny_group_make(ny_ctx *ctx, const ny_setup *setup, const ny_rows *rows, ny_factor *f, ny_group *g) {
    ny_status st = NY_OK;
    ny_targets y;
    if (g->q < setup->outputs) {
        NY_TRY(gather_pair(ctx, setup, rows, f, g));
    } else {
        g->n = rows->n;
        g->G = f->G;
        g->ldg = f->ldg;
        NY_NEW_RAW(ctx, g->u, g->n);
        for (int64_t i = 0; i < g->n; i++) g->u[i] = ny_heard(rows, i);
        g->code = rows->code;
        g->excess = rows->excess;
    }
    NY_NEW_RAW(ctx, g->Y, ny_size3(g->n, g->q, 1));
    for (int64_t j = 0; j < g->q; j++) {
        ny_targets_of(setup, rows, g->first + j, &y);
        for (int64_t i = 0; i < g->n; i++) g->Y[i + j * g->n] = g->u[i] * ny_target(&y, g->member ? g->member[i] : i);
    }
    for (int64_t i = 0; (rows->weighted || rows->wild) && i < g->n; i++)
        for (int64_t k = 0; k < f->r; k++) g->G[k + i * g->ldg] *= g->u[i];
    if (rows->copy) NY_TRY(ny_together_make(ctx, setup, rows, g, &g->together));
    if (setup->criterion->folds) NY_TRY(fold_starts(ctx, rows, setup->folds, g));
done:
    return st;
}

ny_problem ny_group_problem(const ny_setup *setup, const ny_factor *f, const ny_group *g) {
    ny_problem problem = {.r = f->r,
                          .n = g->n,
                          .q = g->q,
                          .G = g->G,
                          .ldg = g->ldg,
                          .u = g->u,
                          .Y = g->Y,
                          .loss = setup->loss ? setup->loss + g->first : NULL,
                          .together = g->together.groups ? &g->together : NULL,
                          .excess = setup->stands_in ? NULL : g->excess,
                          .sharp = setup->options->hinge == NY_HINGE_EXACT ? SHARP : 0,
                          .bias = setup->rho == 0,
                          .rho = setup->rho,
                          .folds = setup->criterion->folds ? setup->folds : 0,
                          .fold_start = g->fold_start,
                          .unjudged = setup->criterion->one_sided ? g->fold_start[1] : 0,
                          .judged_only = ny_setup_validates(setup),
                          .spectrum.landmarks = ny_factor_drawn(f)};
    for (int64_t i = 0; f->unseen && i < g->n; i++) {
        int64_t row = g->member ? g->member[i] : i;
        if (row < f->n) problem.rest += g->u[i] * g->u[i] * fmax(f->unseen[row], 0); /* behind: a validation set */
    }
    return problem;
}

/* rows.c: the rows of a level, and what a selection owns. */
#include "data/folds.h"
#include "fit.h"
#include "passes.h"

void ny_rows_clear(ny_rows *rows) {
    if (!rows->whole) ny_matrix_clear(&rows->X);
    ny_free(rows->code);
    ny_free(rows->u);
    ny_free(rows->Y);
    ny_free(rows->tame);
    ny_free(rows->excess);
    ny_free(rows->wild);
    ny_free(rows->fold);
    ny_free(rows->id);
    ny_free(rows->copy);
    *rows = (ny_rows){0};
}

void ny_solution_clear(ny_solution *s) {
    ny_free(s->C);
    ny_expansion_clear(&s->f);
    ny_matrix_clear(&s->apart);
    ny_free(s->weight);
    ny_free(s->held);
    ny_free(s->effort.objective);
    ny_posterior_clear(&s->posterior);
    ny_free(s->unseen);
    ny_free(s->fold_beta);
    ny_free(s->fold_b);
    *s = (ny_solution){0};
}

ny_point ny_solution_point(const ny_solution *s) {
    return (ny_point){s->f.kernel.kernel, s->f.kernel.bandwidth, 0, 0};
}

ny_landmarks ny_solution_landmarks(const ny_solution *s) {
    return (ny_landmarks){.Z = s->apart.n ? s->apart : s->f.Z, .weight = s->weight};
}

void ny_selection_clear(ny_selection *sel) {
    ny_rows_clear(&sel->all);
    ny_rows_clear(&sel->subset);
    ny_landmarks_clear(&sel->common);
    ny_solution_clear(&sel->best);
    ny_contenders_clear(&sel->tried);
    ny_passes_free(sel->passes);
    for (int64_t c = 0; c < NY_KERNELS_MAX; c++) ny_free(sel->hint[c].C);
    ny_free(sel->class_rows);
    ny_free(sel->copy_of);
    ny_free(sel->loss);
    ny_free(sel->trial);
    *sel = (ny_selection){0};
}

ny_status ny_rows_new(const ny_selection *sel, int64_t n, ny_rows *rows) {
    ny_status st = NY_OK;
    ny_ctx *ctx = sel->ctx;
    *rows = (ny_rows){.n = n};
    if (sel->classes) NY_NEW_RAW(ctx, rows->code, n);
    if (sel->criterion->folds) NY_NEW_RAW(ctx, rows->fold, n);
    NY_NEW_RAW(ctx, rows->u, n);
    NY_NEW_RAW(ctx, rows->id, n);
    NY_NEW_RAW(ctx, rows->Y, ny_size3(n, sel->outputs, 1));
done:
    if (st != NY_OK) ny_rows_clear(rows);
    return st;
}

/* The numbers (in `all`) of a stratified sample of about `count` rows, ascending. */
static ny_status sample(const ny_selection *sel, int64_t count, int64_t *rows, int64_t *drawn) {
    ny_status st = NY_OK;
    const ny_rows *all = &sel->all;
    ny_row_sampler sampler = {0};
    NY_TRY(ny_row_sampler_init(sel->ctx, sel->classes ? sel->classes : 1, sel->class_rows, count, sel->seed, &sampler));
    for (int64_t i = 0; i < all->n; i++) ny_row_sampler_offer(&sampler, all->id[i], all->code ? all->code[i] : 0);
    *drawn = 0;
    for (int64_t i = 0; i < all->n; i++)
        if (ny_row_sampler_has(&sampler, all->id[i], all->code ? all->code[i] : 0)) rows[(*drawn)++] = i;
done:
    ny_row_sampler_clear(&sampler);
    return st;
}

ny_status ny_rows_repeats(ny_ctx *ctx, int64_t groups, ny_rows *rows) {
    ny_status st = NY_OK;
    bool *met = NULL;
    rows->repeats = 0;
    if (!rows->copy) return NY_OK;
    NY_NEW(ctx, met, groups);
    for (int64_t i = 0; i < rows->n; i++) {
        if (rows->copy[i] < 0) continue;
        rows->repeats += met[rows->copy[i]];
        met[rows->copy[i]] = true;
    }
done:
    ny_free(met);
    return st;
}

ny_status ny_rows_gather(const ny_selection *sel, const int64_t *rows, int64_t count, ny_rows *to) {
    ny_status st = NY_OK;
    const ny_rows *all = &sel->all;
    NY_TRY(ny_rows_new(sel, count, to));
    NY_TRY(ny_matrix_gather(sel->ctx, &all->X, rows, count, &to->X));
    if (all->tame) NY_NEW_RAW(sel->ctx, to->tame, count);
    if (all->wild) NY_NEW_RAW(sel->ctx, to->wild, count);
    if (all->copy) NY_NEW_RAW(sel->ctx, to->copy, count);
    if (all->excess) NY_NEW_RAW(sel->ctx, to->excess, ny_size3(count, sel->outputs, 1));
    for (int64_t i = 0; i < count; i++) {
        if (all->code && to->code) to->code[i] = all->code[rows[i]];
        if (all->fold && to->fold) to->fold[i] = all->fold[rows[i]];
        to->u[i] = all->u[rows[i]];
        to->id[i] = all->id[rows[i]];
        if (all->tame) to->tame[i] = all->tame[rows[i]];
        if (all->wild) to->wild[i] = all->wild[rows[i]];
        if (all->copy) to->copy[i] = all->copy[rows[i]];
    }
    for (int64_t j = 0; j < sel->outputs; j++)
        for (int64_t i = 0; i < count; i++) {
            to->Y[i + j * count] = all->Y[rows[i] + j * all->n];
            if (all->excess) to->excess[i + j * count] = all->excess[rows[i] + j * all->n];
        }
    to->weighted = all->weighted;
    NY_TRY(ny_rows_repeats(sel->ctx, sel->copies, to));
done:
    if (st != NY_OK) ny_rows_clear(to);
    return st;
}

ny_status ny_rows_of_level(ny_selection *sel, int64_t asked, const ny_rows **out) {
    ny_status st = NY_OK;
    const ny_rows *all = &sel->all;
    ny_rows *to = &sel->subset;
    int64_t *rows = NULL, count;
    *out = asked < all->n ? to : all;
    if (asked >= all->n || sel->subset_asked == asked) return NY_OK;
    ny_rows_clear(to);
    sel->subset_asked = 0;
    NY_NEW_RAW(sel->ctx, rows, asked);
    NY_TRY(sample(sel, asked, rows, &count));
    NY_TRY(ny_rows_gather(sel, rows, count, to)); /* rows ascend, so the order by fold is kept */
    sel->subset_asked = asked;
done:
    ny_free(rows);
    return st;
}

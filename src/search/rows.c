/* rows.c: the rows of a level, and what a selection owns. */
#include "base/threads.h"
#include "data/folds.h"
#include "fit.h"

void ny_rows_clear(ny_rows *rows) {
    if (!rows->whole) ny_matrix_clear(&rows->X);
    ny_free(rows->code);
    ny_free(rows->u);
    ny_free(rows->Y);
    ny_free(rows->fold);
    *rows = (ny_rows){0};
}

void ny_solution_clear(ny_solution *s) {
    ny_free(s->C);
    ny_free(s->b);
    ny_matrix_clear(&s->Z);
    ny_free(s->beta);
    ny_free(s->held);
    *s = (ny_solution){0};
}

void ny_selection_clear(ny_selection *sel) {
    ny_rows_clear(&sel->all);
    ny_rows_clear(&sel->subset);
    ny_matrix_clear(&sel->common);
    ny_solution_clear(&sel->best);
    ny_free(sel->trial);
    sel->trial = NULL;
}

ny_status ny_rows_of_level(ny_selection *sel, int64_t count, const ny_rows **out) {
    ny_status st = NY_OK;
    ny_ctx *ctx = sel->ctx;
    const ny_rows *all = &sel->all;
    ny_rows *to = &sel->subset;
    int64_t q = sel->outputs, *rows = NULL;
    *out = count < all->n ? to : all;
    if (count >= all->n || to->n == count) return NY_OK;
    ny_rows_clear(to);
    NY_NEW_RAW(ctx, rows, count);
    NY_TRY(ny_rows_sample(ctx, all->n, all->code, sel->classes, count, sel->seed, rows));
    NY_TRY(ny_matrix_gather(ctx, &all->X, rows, count, &to->X));
    if (all->code) NY_NEW_RAW(ctx, to->code, count);
    if (all->fold) NY_NEW_RAW(ctx, to->fold, count);
    NY_NEW_RAW(ctx, to->u, count);
    NY_NEW_RAW(ctx, to->Y, ny_size3(count, q, 1));
    for (int64_t i = 0; i < count; i++) { /* rows ascend, so the order by fold is kept */
        if (all->code && to->code) to->code[i] = all->code[rows[i]];
        if (all->fold && to->fold) to->fold[i] = all->fold[rows[i]];
        to->u[i] = all->u[rows[i]];
        for (int64_t j = 0; j < q; j++) to->Y[i + j * count] = all->Y[rows[i] + j * all->n];
    }
    to->weighted = all->weighted;
    to->n = count;
done:
    ny_free(rows);
    if (st != NY_OK) ny_rows_clear(to);
    return st;
}

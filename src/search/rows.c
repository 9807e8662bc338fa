/* rows.c: see rows.h. */
#include "rows.h"

#include "read/folds.h"

void ny_rows_clear(ny_rows *rows) {
    ny_matrix_clear(&rows->X);
    ny_free(rows->code);
    ny_free(rows->u);
    ny_free(rows->y);
    ny_free(rows->tame);
    ny_free(rows->excess);
    ny_free(rows->wild);
    ny_free(rows->fold);
    ny_free(rows->id);
    ny_free(rows->copy);
    *rows = (ny_rows){0};
}

void ny_training_rows_clear(ny_training_rows *rows) {
    ny_rows_clear(&rows->all);
    ny_rows_clear(&rows->validation);
    ny_matrix_clear(&rows->as_read);
    ny_free(rows->class_rows);
    ny_free(rows->copy_of);
    *rows = (ny_training_rows){0};
}

ny_status ny_rows_new(ny_ctx *ctx, const ny_setup *setup, int64_t n, ny_rows *rows) {
    ny_status st = NY_OK;
    *rows = (ny_rows){.n = n};
    if (setup->classes) NY_NEW_RAW(ctx, rows->code, n);
    else NY_NEW_RAW(ctx, rows->y, n);
    if (setup->criterion->folds) NY_NEW_RAW(ctx, rows->fold, n);
    NY_NEW_RAW(ctx, rows->u, n);
    NY_NEW_RAW(ctx, rows->id, n);
done:
    if (st != NY_OK) ny_rows_clear(rows);
    return st;
}

void ny_rows_one_sided(const ny_setup *setup, ny_rows *rows) {
    rows->unjudged = 0;
    if (!setup->criterion->one_sided || !rows->fold || ny_setup_validates(setup)) return;
    while (rows->unjudged < rows->n && rows->fold[rows->unjudged] == 0) rows->unjudged++;
}

void ny_targets_of(const ny_setup *setup, const ny_rows *rows, int64_t j, ny_targets *t) {
    t->y = setup->stands_in && rows->tame ? rows->tame : rows->y;
    t->code = rows->code;
    if (setup->classes) ny_codes_column(setup->coding.method, setup->classes, j, t->of_class);
}

void ny_targets_scaled(const ny_setup *setup, const ny_rows *rows, double *Y) {
    ny_targets t;
    for (int64_t j = 0; j < setup->outputs; j++) {
        ny_targets_of(setup, rows, j, &t);
        for (int64_t i = 0; i < rows->n; i++) Y[i + j * rows->n] = rows->u[i] * ny_target(&t, i);
    }
}

ny_status ny_rows_repeats(ny_ctx *ctx, ny_rows *rows) {
    ny_status st = NY_OK;
    bool *met = NULL;
    rows->repeats = 0;
    if (!rows->copy) return NY_OK;
    NY_NEW(ctx, met, rows->copies);
    for (int64_t i = 0; i < rows->n; i++) {
        if (rows->copy[i] < 0) continue;
        rows->repeats += met[rows->copy[i]];
        met[rows->copy[i]] = true;
    }
done:
    ny_free(met);
    return st;
}

ny_status ny_rows_gather(ny_ctx *ctx, const ny_setup *setup, const ny_rows *all, const int64_t *rows, int64_t count,
                         ny_rows *to) {
    ny_status st = NY_OK;
    NY_TRY(ny_rows_new(ctx, setup, count, to));
    NY_TRY(ny_matrix_gather(ctx, &all->X, rows, count, &to->X));
    if (all->tame) NY_NEW_RAW(ctx, to->tame, count);
    if (all->wild) NY_NEW_RAW(ctx, to->wild, count);
    if (all->copy) NY_NEW_RAW(ctx, to->copy, count);
    if (all->excess) NY_NEW_RAW(ctx, to->excess, ny_size3(count, setup->outputs, 1));
    for (int64_t i = 0; i < count; i++) {
        if (all->code && to->code) to->code[i] = all->code[rows[i]];
        if (all->y && to->y) to->y[i] = all->y[rows[i]];
        if (all->fold && to->fold) to->fold[i] = all->fold[rows[i]];
        to->u[i] = all->u[rows[i]];
        to->id[i] = all->id[rows[i]];
        if (all->tame) to->tame[i] = all->tame[rows[i]];
        if (all->wild) to->wild[i] = all->wild[rows[i]];
        if (all->copy) to->copy[i] = all->copy[rows[i]];
    }
    for (int64_t j = 0; all->excess && j < setup->outputs; j++)
        for (int64_t i = 0; i < count; i++) to->excess[i + j * count] = all->excess[rows[i] + j * all->n];
    ny_rows_one_sided(setup, to);
    to->weighted = all->weighted;
    to->copies = all->copies;
    NY_TRY(ny_rows_repeats(ctx, to));
done:
    if (st != NY_OK) ny_rows_clear(to);
    return st;
}

ny_status ny_rows_join(ny_ctx *ctx, const ny_setup *setup, const ny_rows *rows, const ny_rows *validation,
                       ny_rows *to) {
    ny_status st = NY_OK;
    const ny_rows *part[] = {rows, validation};
    NY_TRY(ny_rows_new(ctx, setup, rows->n + validation->n, to));
    if (rows->wild) NY_NEW(ctx, to->wild, to->n);
    for (int64_t p = 0, at = 0; p < 2; p++)
        for (int64_t i = 0; i < part[p]->n; i++, at++) {
            if (to->code) to->code[at] = part[p]->code[i];
            if (to->y) to->y[at] = part[p]->y[i];
            if (to->fold) to->fold[at] = (int32_t)p;
            if (to->wild && p == 0) to->wild[at] = rows->wild[i];
            to->u[at] = part[p]->u[i];
            to->id[at] = part[p]->id[i];
        }
    to->weighted = rows->weighted || validation->weighted;
done:
    if (st != NY_OK) ny_rows_clear(to);
    return st;
}

/* The numbers (in `all`) of a stratified sample of about `count` rows, ascending. */
static ny_status sample(ny_ctx *ctx, const ny_setup *setup, const ny_training_rows *from, int64_t count, int64_t *rows,
                        int64_t *drawn) {
    ny_status st = NY_OK;
    const ny_rows *all = &from->all;
    ny_row_sampler sampler = {0};
    NY_TRY(
        ny_row_sampler_init(ctx, setup->classes ? setup->classes : 1, from->class_rows, count, setup->seed, &sampler));
    for (int64_t i = 0; i < all->n; i++) ny_row_sampler_offer(&sampler, all->id[i], all->code ? all->code[i] : 0);
    *drawn = 0;
    for (int64_t i = 0; i < all->n; i++)
        if (ny_row_sampler_has(&sampler, all->id[i], all->code ? all->code[i] : 0)) rows[(*drawn)++] = i;
done:
    ny_row_sampler_clear(&sampler);
    return st;
}

ny_status ny_rows_draw(ny_ctx *ctx, const ny_setup *setup, const ny_training_rows *from, int64_t count, ny_rows *to) {
    ny_status st = NY_OK;
    int64_t n = from->all.n, drawn = n, *rows = NULL;
    NY_NEW_RAW(ctx, rows, count < n ? count : n);
    for (int64_t i = 0; i < n && count >= n; i++) rows[i] = i;
    if (count < n) NY_TRY(sample(ctx, setup, from, count, rows, &drawn));
    NY_TRY(ny_rows_gather(ctx, setup, &from->all, rows, drawn, to)); /* rows ascend, so the order by fold is kept */
done:
    ny_free(rows);
    return st;
}

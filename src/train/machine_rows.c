/* machine_rows.c: see machine_rows.h. */
#include "machine_rows.h"

#include "search/search.h"

int64_t ny_machine_rows_count(const ny_training *all, int64_t k) {
    ny_targets y;
    int64_t count = 0;
    ny_targets_of(&all->setup, &all->rows.all, k, &y);
    for (int64_t i = 0; i < all->rows.all.n; i++) count += ny_target(&y, i) != 0;
    return count;
}

void ny_machine_rows_clear(ny_machine_rows *own) {
    ny_training_rows_clear(&own->t.rows);
    ny_free(own->member);
    *own = (ny_machine_rows){0};
}

/* The same question about two classes. */
static ny_setup setup_of(const ny_setup *all, int64_t k) {
    ny_setup own = *all;
    own.classes = 2;
    own.outputs = 1;
    own.loss = all->loss ? all->loss + k : NULL;
    own.bandwidth = all->options->bandwidth; /* zhang: of its own rows */
    return own;
}

/* Numbers of the rows in the order of the data: how many of them come before. */
static ny_status number(ny_ctx *ctx, int64_t data_rows, ny_rows *rows) {
    ny_status st = NY_OK;
    int64_t *before = NULL;
    NY_NEW(ctx, before, data_rows + 1);
    for (int64_t i = 0; i < rows->n; i++) before[rows->id[i] + 1] = 1;
    for (int64_t i = 0; i < data_rows; i++) before[i + 1] += before[i];
    for (int64_t i = 0; i < rows->n; i++) rows->id[i] = before[rows->id[i]];
done:
    ny_free(before);
    return st;
}

static ny_status check(ny_ctx *ctx, int64_t k, const ny_rows *rows) {
    ny_status st = NY_OK;
    bool same = true;
    for (int64_t i = 1; i < rows->n && same; i++) same = rows->code[i] == rows->code[0];
    NY_CHECK(ctx, !same, NY_ERR_DATA,
             "machine %lld has rows of one class only, and nothing to choose by: use --machines-share yes",
             (long long)k + 1);
    NY_CHECK(ctx, !rows->fold || rows->fold[0] != rows->fold[rows->n - 1], NY_ERR_DATA,
             "all rows of machine %lld are in the same fold: use --machines-share yes, or a criterion without folds",
             (long long)k + 1);
done:
    return st;
}

ny_status ny_machine_rows_make(ny_ctx *ctx, const ny_data *data, const ny_training *all, int64_t k,
                               ny_machine_rows *own) {
    ny_status st = NY_OK;
    const ny_rows *from = &all->rows.all;
    ny_targets y;
    ny_rows *to = &own->t.rows.all;
    int64_t count = ny_machine_rows_count(all, k), at = 0;
    ny_targets_of(&all->setup, from, k, &y);
    own->t.setup = setup_of(&all->setup, k);
    own->t.rows.n = count;
    own->t.rows.target_unit = 1;
    NY_NEW_RAW(ctx, own->member, count);
    for (int64_t i = 0; i < from->n; i++)
        if (ny_target(&y, i) != 0) own->member[at++] = i;
    NY_TRY(ny_rows_gather(ctx, &own->t.setup, from, own->member, count, to)); /* ascending: the order by fold is kept */
    for (int64_t i = 0; i < count; i++) to->code[i] = ny_target(&y, own->member[i]) > 0;
    NY_TRY(check(ctx, k, to));
    NY_TRY(number(ctx, data->rows, to));
    NY_NEW(ctx, own->t.rows.class_rows, 2);
    for (int64_t c = 0; c < all->setup.classes; c++) {
        int code = ny_codes_code(all->setup.coding.method, all->setup.classes, c, k);
        if (code) own->t.rows.class_rows[code > 0] += all->rows.class_rows[c];
    }
    NY_TRY(ny_bandwidth_resolve(ctx, to, &own->t.setup.bandwidth));
done:
    return st;
}

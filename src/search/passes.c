/* passes.c: see passes.h. */
#include "passes.h"

#include <math.h>
#include <string.h>

#include "scale/scale.h"

void ny_passes_free(struct ny_passes *p) {
    if (!p) return;
    ny_free(p->class_weight);
    ny_free(p->fold_file);
    ny_fold_maker_clear(&p->maker);
    ny_free(p);
}

ny_status ny_passes_begin(ny_ctx *ctx, const ny_setup *setup, const ny_training_rows *rows, struct ny_passes *p) {
    ny_status st = NY_OK;
    ny_fold_maker_clear(&p->maker);
    p->at = 0;
    if (ny_should_stop(ctx)) NY_FAIL(ctx, NY_STOPPED, "stopped");
    NY_TRY(ny_stream_rewind(ctx, p->stream));
    if (!p->fold_file)
        NY_TRY(ny_fold_maker_init(ctx, setup->classes ? setup->classes : 1, rows->class_rows, setup->folds, setup->seed,
                                  &p->maker));
done:
    return st;
}

/* Weight and fold of every row. */
static void weigh(const ny_setup *setup, struct ny_passes *p, const ny_data *raw, double *v, int32_t *fold) {
    for (int64_t i = 0; i < raw->X.n; i++) {
        int32_t code = setup->classes ? raw->code[i] : 0;
        fold[i] = p->fold_file ? p->fold_file[p->at + i] : ny_fold_next(&p->maker, code);
        v[i] = (raw->weight ? raw->weight[i] : 1) * (setup->classes ? p->class_weight[code] : 1);
    }
}

static ny_status fill(ny_ctx *ctx, const ny_setup *setup, const ny_training_rows *all, struct ny_passes *p,
                      const ny_data *raw, ny_rows *to) {
    ny_status st = NY_OK;
    int64_t n = raw->X.n, count = 0, *rows = NULL;
    double *v = NULL;
    int32_t *fold = NULL;
    NY_NEW_RAW(ctx, rows, n);
    NY_NEW_RAW(ctx, v, n);
    NY_NEW_RAW(ctx, fold, n);
    weigh(setup, p, raw, v, fold);
    NY_TRY(ny_folds_order(ctx, n, v, fold, setup->folds, rows, &count));
    if (count == 0) goto done;
    NY_TRY(ny_rows_new(ctx, setup, count, to));
    NY_TRY(ny_matrix_gather(ctx, &raw->X, rows, count, &to->X));
    if (p->factor) ny_bend_apply(p->bend, &to->X);
    if (p->factor) ny_scale_apply(p->shift, p->factor, &to->X);
    for (int64_t i = 0; i < count; i++) {
        int64_t from = rows[i];
        to->id[i] = p->at + from;
        to->fold[i] = fold[from];
        to->u[i] = sqrt(v[from]);
        to->weighted |= v[from] != 1;
        if (setup->classes) to->code[i] = raw->code[from];
        else to->y[i] = (raw->y[from] - all->origin) / all->target_unit;
    }
done:
    ny_free(rows);
    ny_free(v);
    ny_free(fold);
    return st;
}

ny_status ny_passes_next(ny_ctx *ctx, const ny_setup *setup, const ny_training_rows *rows, struct ny_passes *p,
                         ny_rows *block) {
    ny_status st = NY_OK;
    ny_data raw = {0};
    ny_rows_clear(block);
    do { /* a block may have no row of positive weight */
        if (ny_should_stop(ctx)) NY_FAIL(ctx, NY_STOPPED, "stopped");
        st = ny_stream_next(ctx, p->stream, p->block, &raw);
        if (st == NY_ERR_CANCELLED) st = NY_STOPPED; /* by the reader: here there may be something to give */
        if (st != NY_OK) goto done;
        if (raw.X.n > 0) NY_TRY(fill(ctx, setup, rows, p, &raw, block));
        p->at += raw.X.n;
    } while (raw.X.n > 0 && block->n == 0);
done:
    ny_data_clear(&raw);
    if (st != NY_OK) ny_rows_clear(block);
    return st;
}

/* prepare_stream.c: the same preparation for rows that do not fit in memory: scaling and a sample of rows in two
 * passes. The sample serves the levels of the search below the full size, the choice of landmarks and the calibration.
 */
#include <math.h>
#include <string.h>

#include "plan.h"
#include "prepare.h"
#include "read/folds.h"
#include "scale/scale.h"
#include "search/passes.h"

/* First pass: number of rows, scaling, mean of a regression target, which rows are the sample. */
static ny_status first_pass(ny_ctx *ctx, ny_training *t, const ny_data *data, ny_model *model, ny_row_sampler *sampler,
                            double *mean, double *largest) {
    ny_status st = NY_OK;
    ny_scale_acc acc = {0};
    ny_rows block = {0};
    double weight = 0, sum = 0;
    const ny_scale *scale = ny_scale_find(model->options->scale);
    NY_TRY(ny_scale_begin(ctx, scale, data->X.d, data->sparse, &acc));
    NY_TRY(ny_passes_begin(ctx, &t->setup, &t->rows, t->passes));
    for (;;) {
        NY_TRY(ny_passes_next(ctx, &t->setup, &t->rows, t->passes, &block));
        if (block.n == 0) break;
        NY_TRY(ny_scale_add(ctx, &acc, &block.X, NULL, block.n));
        for (int64_t i = 0; i < block.n; i++) {
            ny_row_sampler_offer(sampler, block.id[i], block.code ? block.code[i] : 0);
            weight += block.u[i] * block.u[i];
            if (!block.y) continue;
            sum += block.u[i] * block.u[i] * block.y[i];
            *largest = fmax(*largest, fabs(block.y[i]));
        }
        t->rows.n += block.n;
        ny_progress(ctx, "scale", (double)t->rows.n, (double)data->rows, -1);
    }
    NY_CHECK(ctx, t->rows.n >= 2, NY_ERR_DATA, "only %lld of %lld rows have a weight above 0: at least 2 are needed",
             (long long)t->rows.n, (long long)data->rows);
    ny_scaling fitted = {.shift = model->shift, .factor = model->factor, .range = model->range, .bend = &model->bend};
    NY_TRY(ny_scale_end(ctx, &acc, scale, &fitted));
    NY_TRY(ny_check_constant(ctx, &data->schema, fitted.constant, model->record));
    NY_TRY(ny_finish_scale(ctx, scale, &data->schema, &fitted, model->record));
    *mean = sum / weight;
done:
    ny_scale_acc_clear(&acc);
    ny_rows_clear(&block);
    return st;
}

/* Second pass: the rows of the sample, in file order. */
static ny_status second_pass(ny_ctx *ctx, ny_training *t, const ny_row_sampler *sampler, ny_rows *found) {
    ny_status st = NY_OK;
    ny_rows block = {0};
    int64_t *rows = NULL, room = sampler->count;
    NY_NEW_RAW(ctx, rows, t->passes->block);
    NY_TRY(ny_rows_new(ctx, &t->setup, room, found));
    found->n = 0;
    NY_TRY(ny_passes_begin(ctx, &t->setup, &t->rows, t->passes));
    for (;;) {
        int64_t count = 0;
        NY_TRY(ny_passes_next(ctx, &t->setup, &t->rows, t->passes, &block));
        if (block.n == 0) break;
        for (int64_t i = 0; i < block.n; i++) {
            if (!ny_row_sampler_has(sampler, block.id[i], block.code ? block.code[i] : 0)) continue;
            int64_t to = found->n + count;
            if (found->code && block.code) found->code[to] = block.code[i];
            found->fold[to] = block.fold[i];
            found->u[to] = block.u[i];
            found->id[to] = block.id[i];
            if (found->y && block.y) found->y[to] = block.y[i];
            rows[count++] = i;
        }
        NY_TRY(ny_matrix_append(ctx, &block.X, rows, count, &found->X));
        found->n += count;
        found->weighted |= block.weighted;
        ny_progress(ctx, "sample", (double)t->passes->at, (double)t->rows.n, -1);
    }
done:
    ny_rows_clear(&block);
    ny_free(rows);
    return st;
}

/* In the order of the folds, as rows in memory are. */
static ny_status sort_sample(ny_ctx *ctx, const ny_setup *setup, const ny_rows *found, ny_rows *sorted) {
    ny_status st = NY_OK;
    int64_t n = found->n, *order = NULL;
    NY_NEW_RAW(ctx, order, n);
    NY_TRY(ny_folds_order(ctx, n, NULL, found->fold, setup->folds, order, &n));
    NY_TRY(ny_rows_gather(ctx, setup, found, order, n, sorted));
done:
    ny_free(order);
    return st;
}

ny_status ny_prepare_stream(ny_ctx *ctx, const ny_data *data, const ny_plan *plan, ny_training *t, ny_model *model) {
    ny_status st = NY_OK;
    ny_row_sampler sampler = {0};
    ny_rows found = {0};
    double mean = 0, largest = 0;
    struct ny_passes *p = NULL;
    NY_NEW(ctx, p, 1);
    t->passes = p;
    p->stream = data->stream;
    p->block = plan->block;
    p->machines = plan->machines;
    NY_NEW_RAW(ctx, p->class_weight, t->setup.classes + 1);
    NY_TRY(ny_class_weights(ctx, data, model->options->class_weight, t->setup.classes, p->class_weight));
    if (model->options->fold_file[0]) NY_NEW_RAW(ctx, p->fold_file, data->rows);
    NY_TRY(ny_prepare_folds(ctx, data, &t->rows, &t->setup, model, p->fold_file));
    NY_NEW(ctx, model->shift, data->X.d);
    NY_NEW(ctx, model->factor, data->X.d);
    NY_NEW(ctx, model->range, 2 * data->X.d);
    NY_TRY(ny_row_sampler_init(ctx, t->setup.classes ? t->setup.classes : 1, t->rows.class_rows,
                               plan->sample < data->rows ? plan->sample : data->rows, t->setup.seed, &sampler));
    NY_TRY(first_pass(ctx, t, data, model, &sampler, &mean, &largest));
    p->bend = &model->bend;
    p->shift = model->shift;
    p->factor = model->factor;
    if (!t->setup.classes && t->setup.rho == 0) t->rows.origin = mean;
    t->rows.target_unit = ny_target_unit(&t->setup, largest);
    NY_TRY(second_pass(ctx, t, &sampler, &found));
    NY_TRY(sort_sample(ctx, &t->setup, &found, &t->rows.all));
    NY_TRY(ny_check_kept(ctx, data, &t->rows.all, true));
    if (t->rows.all.n < t->rows.n)
        NY_TRY(ny_record_note(ctx, model->record, "read in passes; a sample of %lld rows chose among bandwidths",
                              (long long)t->rows.all.n));
done:
    if (st == NY_STOPPED) st = ny_error(ctx, NY_ERR_CANCELLED, "stopped before anything was found");
    ny_row_sampler_clear(&sampler);
    ny_rows_clear(&found);
    return st;
}

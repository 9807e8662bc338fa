/* train.c: the flow, and nothing else: data -> scale -> plan -> search -> model. */
#include <string.h>

#include "base/threads.h"
#include "bound.h"
#include "compare.h"
#include "confidence.h"
#include "deviation.h"
#include "exact.h"
#include "finish.h"
#include "inputs.h"
#include "linalg/linalg.h"
#include "losses.h"
#include "plan.h"
#include "prepare.h"
#include "search/search.h"

static ny_status train(ny_ctx *ctx, const ny_data *data, ny_selection *sel, ny_model *model) {
    ny_status st = NY_OK;
    const ny_options *options = model->options;
    ny_record *record = &model->record;
    ny_plan plan;
    double start = ny_now();
    int64_t *rows = NULL;

    ny_progress(ctx, "prepare", 0, 1, -1);
    NY_TRY(ny_prepare_task(ctx, data, sel, model));
    if (!data->stream) NY_TRY(ny_prepare_rows(ctx, data, sel, model, &rows));
    NY_TRY(ny_plan_make(ctx, options, data, data->stream ? data->rows : sel->n, sel->outputs,
                        ny_is_pairs(sel->coding.method, sel->classes), sel->posterior, &plan));
    if (data->stream) NY_TRY(ny_prepare_stream(ctx, data, &plan, sel, model));
    else NY_TRY(ny_prepare_inputs(ctx, data, rows, sel, model));
    NY_TRY(ny_prepare_losses(sel, &record->loss));
    NY_TRY(ny_confidence_begin(sel, model));
    record->seconds_scale = ny_now() - start;

    sel->landmarks = plan.landmarks;
    sel->landmarks_most = plan.landmarks_most;
    double weighing = ny_now();
    if (options->ard || options->select_inputs) NY_TRY(ny_weigh_inputs(ctx, data, sel, model));
    weighing = ny_now() - weighing;
    record->predicted_bytes = plan.bytes;
    record->predicted_seconds = plan.seconds;
    sel->started = ny_now();
    st = ny_search_sizes(sel, ny_search_find(options->search));
    sel->stopped = st == NY_STOPPED;
    if (st != NY_OK && st != NY_STOPPED) goto done;
    int64_t grown = ny_plan_bytes(options, data, sel->n, sel->landmarks, sel->outputs, sel->posterior);
    if (grown > plan.bytes) record->predicted_bytes = grown;
    record->seconds_select = weighing + ny_now() - sel->started - sel->seconds_landmarks;
    record->seconds_landmarks = sel->seconds_landmarks;

    double finishing = ny_now();
    NY_TRY(ny_finish_best(sel));
    if (options->compare_criteria) NY_TRY(ny_compare_criteria(ctx, data, sel, model));
    record->stopped = sel->stopped;
    if (ny_options_exact(options)) NY_TRY(ny_exact_train(sel, plan.preconditioner, record));
    record->seconds_train = ny_now() - finishing;
    if (options->bound) NY_TRY(ny_bound_find(sel, record));
    finishing = ny_now();
    NY_TRY(ny_finish_model(ctx, data, sel, model));
    record->seconds_train += ny_now() - finishing;
    if (options->bound) NY_TRY(ny_deviation_measure(ctx, data, sel, model));
    record->seconds_read = data->seconds_read;
    record->seconds_total = data->seconds_read + ny_now() - start;
    record->peak_bytes = ny_peak_bytes();
    ny_progress(ctx, "done", 1, 1, 0);
done:
    ny_free(rows);
    return st;
}

ny_status ny_train(ny_ctx *ctx, const ny_data *data, const ny_options *options, ny_model **out) {
    ny_status st = NY_OK;
    ny_model *model = NULL;
    ny_selection sel = {.ctx = ctx};
    int threads = ny_threads();
    ny_threads_set((int)options->threads);
    ny_blas_prepare();
    ctx->finishing = false;
    ctx->deadline = options->time_limit > 0 ? ny_now() + options->time_limit : 0;
    NY_TRY(ny_model_new(ctx, &model));
    NY_TRY(ny_options_copy(ctx, options, &model->options));
    NY_TRY(train(ctx, data, &sel, model));
    if (model->record.stopped) st = NY_STOPPED;
    *out = model;
    model = NULL;
done:
    ny_selection_clear(&sel);
    ny_model_free(model);
    ctx->finishing = false;
    ctx->deadline = 0;
    atomic_store(&ctx->cancelled, 0); /* the next training is a new one */
    ny_threads_set(threads);
    return st;
}

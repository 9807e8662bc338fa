/* session.c: see session.h. */
#include "session.h"

#include "confidence.h"
#include "duration.h"
#include "facts.h"
#include "linalg/linalg.h"
#include "losses.h"
#include "prepare.h"
#include "search/pace.h"
#include "search/search.h"

ny_status ny_session_begin(ny_ctx *ctx, const ny_options *options, ny_session *before) {
    if (ny_blas_advice())
        ny_log(ctx, NY_LOG_WARNING, "OpenBLAS does not know this processor and is slow: set OPENBLAS_CORETYPE=%s",
               ny_blas_advice());
    ny_stop_forget(ctx);
    before->limits = ny_limits_enter(ctx, options);
    return ny_blas_crew(ctx, (int)options->threads, &before->crew);
}

void ny_session_end(ny_ctx *ctx, ny_session before) {
    ny_stop_forget(ctx);
    ny_limits_leave(ctx, before.limits);
    if (ctx->begun) ctx->deadline = 0; /* the model is there: what follows takes its time */
    atomic_store(&ctx->cancelled, 0);  /* the next training is a new one */
    ny_crew_end(before.crew);
}

ny_status ny_session_prepare(ny_ctx *ctx, const ny_data *data, ny_selection *sel, ny_model *model, ny_plan *plan) {
    ny_status st = NY_OK;
    double start = ny_now();
    int64_t *rows = NULL;
    ny_progress(ctx, "prepare", 0, 1, -1);
    NY_TRY(ny_prepare_task(ctx, data, sel, model));
    NY_TRY(ny_plan_check(ctx, model->options, data, data->stream ? data->rows : data->weight_rows, sel->classes,
                         sel->outputs, sel->posterior));
    if (!data->stream) NY_TRY(ny_prepare_rows(ctx, data, sel, model, &rows));
    const ny_job job = {.options = model->options,
                        .data = data,
                        .rows = data->stream ? data->rows : sel->n,
                        .outputs = sel->outputs,
                        .classes = sel->classes,
                        .pairs = ny_is_pairs(sel->coding.method, sel->classes),
                        .posterior = sel->posterior};
    NY_TRY(ny_plan_make(ctx, &job, plan));
    if (data->stream) NY_TRY(ny_prepare_stream(ctx, data, plan, sel, model));
    else NY_TRY(ny_prepare_inputs(ctx, data, rows, sel, model));
    NY_TRY(ny_bandwidth_resolve(sel));
    NY_TRY(ny_prepare_losses(sel, &model->record->loss));
    NY_TRY(ny_confidence_begin(sel, model));
    sel->landmarks = plan->landmarks;
    sel->landmarks_most = plan->landmarks_most;
    sel->landmarks_alone = plan->landmarks_alone;
    sel->span = plan->span;
    sel->route = plan->route;
    ny_facts facts = ny_facts_of(model->options);
    facts.all_rows = plan->landmarks >= (plan->span ? plan->span : sel->n);
    NY_TRY(ny_facts_judge(ctx, NY_BY_PLAN, &facts, model->record));
    model->record->seconds_scale = ny_now() - start;
    sel->pace.planned = plan->rate;
    sel->pace.exact = plan->exact_work;
    ny_pace_begin(sel, model->record->seconds_scale);
    model->record->predicted_bytes = plan->bytes;
    model->record->predicted_seconds = plan->seconds;
done:
    ny_free(rows);
    return st;
}

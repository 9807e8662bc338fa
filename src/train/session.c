/* session.c: see session.h. */
#include "session.h"

#include "confidence.h"
#include "duration.h"
#include "facts.h"
#include "linalg/linalg.h"
#include "losses.h"
#include "machines.h"
#include "prepare.h"
#include "search/passes.h"
#include "search/search.h"
#include "validation.h"

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

ny_job ny_job_of(const ny_setup *setup, const ny_data *data, int64_t rows) {
    return (ny_job){.options = setup->options,
                    .data = data,
                    .rows = rows,
                    .outputs = setup->outputs,
                    .classes = setup->classes,
                    .pairs = ny_setup_pairs(setup),
                    .posterior = setup->posterior};
}

ny_status ny_session_prepare(ny_ctx *ctx, const ny_data *data, ny_training *t, ny_selection *sel, ny_model *model,
                             ny_plan *plan) {
    ny_status st = NY_OK;
    double start = ny_now();
    int64_t *rows = NULL;
    const ny_setup *setup = &t->setup;
    ny_progress(ctx, "prepare", 0, 1, -1);
    NY_TRY(ny_prepare_task(ctx, data, t, model));
    ny_job job = ny_job_of(setup, data, data->stream ? data->rows : data->weight_rows);
    NY_TRY(ny_plan_check(ctx, &job));
    if (!data->stream) {
        NY_TRY(ny_prepare_rows(ctx, data, t, model, &rows));
        NY_TRY(ny_validation_prepare(ctx, data, t, model));
        job.rows = t->rows.n;
        job.judged = &t->rows.validation;
    }
    if (ny_setup_apart(setup)) NY_TRY(ny_machines_plan(ctx, &job, t, plan));
    else NY_TRY(ny_plan_make(ctx, &job, plan));
    if (data->stream) NY_TRY(ny_prepare_stream(ctx, data, plan, t, model));
    else NY_TRY(ny_prepare_inputs(ctx, data, t, model));
    NY_TRY(ny_bandwidth_resolve(ctx, &t->rows.all, &t->setup.bandwidth));
    NY_TRY(ny_prepare_losses(ctx, t, &model->record->loss));
    NY_TRY(ny_confidence_begin(ctx, setup, &t->rows.all, model));
    *sel = ny_training_selection(ctx, t, plan);
    ny_facts facts = ny_facts_of(model->options);
    facts.all_rows = plan->landmarks >= (plan->spanning ? plan->spanning : t->rows.n);
    NY_TRY(ny_facts_judge(ctx, NY_BY_PLAN, &facts, model->record));
    model->record->spent.seconds_scale = ny_now() - start;
    t->pace.planned = plan->rate;
    t->pace.exact = plan->exact_work;
    ny_pace_begin(sel, model->record->spent.seconds_scale);
    model->record->spent.predicted_bytes = plan->bytes;
    model->record->spent.predicted_seconds = plan->seconds;
done:
    ny_free(rows);
    return st;
}

void ny_session_spent(ny_ctx *ctx, const ny_data *data, double start, ny_record *record) {
    record->stopped = ctx->stopped;
    record->spent.seconds_read = data->seconds_read;
    record->spent.seconds_total = data->seconds_read + ny_now() - start;
    record->spent.peak_bytes = ny_peak_bytes();
    ny_progress(ctx, "done", 1, 1, 0);
}

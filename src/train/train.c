/* train.c: the flow, and nothing else: data -> scale -> plan -> search -> model. */

#include "active.h"
#include "bound.h"
#include "compare.h"
#include "deviation.h"
#include "exact.h"
#include "finish.h"
#include "inputs.h"
#include "machines.h"
#include "search/search.h"
#include "session.h"

static ny_status train(ny_ctx *ctx, const ny_data *data, ny_training *t, ny_selection *sel, ny_model *model) {
    ny_status st = NY_OK;
    const ny_options *options = model->options;
    ny_record *record = model->record;
    ny_plan plan;
    double start = ny_now();

    st = ny_session_prepare(ctx, data, t, sel, model, &plan);
    if (st == NY_STOPPED)
        st = ny_error(ctx, NY_ERR_CANCELLED, "stopped before the search began: is --time-limit enough?");
    if (st != NY_OK) goto done;
    double weighing = ny_now();
    if (ny_inputs_to_weigh(options, data)) NY_TRY(ny_weigh_inputs(ctx, data, sel, &t->rows, model));
    weighing = ny_now() - weighing;
    sel->found.started = ny_now();
    bool apart = ny_setup_apart(sel->setup);
    if (apart) NY_TRY(ny_machines_in_time(sel, &plan, record, &apart));
    st = apart ? ny_machines_train(data, t, sel, &plan, record) : ny_search_sizes(sel, ny_search_find(options->search));
    if (st == NY_OK && !apart && options->rank == NY_AUTO) st = ny_search_ranks(sel);
    if (st == NY_STOPPED) st = ny_finish_early(ctx, record);
    if (st != NY_OK) goto done;
    const ny_job job = ny_job_of(sel->setup, data, sel->rows->n);
    int64_t grown = ny_plan_bytes(ctx, &job, sel->plan.landmarks);
    if (grown > plan.bytes) record->spent.predicted_bytes = grown;
    record->spent.seconds_select = weighing + ny_now() - sel->found.started - sel->found.seconds_landmarks;
    record->spent.seconds_landmarks = sel->found.seconds_landmarks;

    double finishing = ny_now();
    const ny_route *route = &sel->plan.route;
    if (route->kind == NY_ROUTE_CG_ALONE) NY_TRY(ny_exact_train(sel, &plan, record));
    NY_TRY(ny_finish_best(t, sel, record));
    if (options->compare_criteria) NY_TRY(ny_compare_criteria(ctx, data, sel, model));
    if (route->kind == NY_ROUTE_CG_AFTER) NY_TRY(ny_exact_train(sel, &plan, record));
    if (ny_route_exact_after(route) && !record->solver.known && !ctx->stopped) NY_TRY(ny_finish_alone(sel, record));
    record->spent.predicted_seconds += sel->pace->more;
    record->spent.seconds_train = ny_now() - finishing;
    if (options->bound) NY_TRY(ny_bound_find(sel, record));
    finishing = ny_now();
    NY_TRY(ny_finish_model(ctx, data, sel, model));
    if (options->expansion == NY_EXPANSION_ACTIVE) NY_TRY(ny_active_expand(ctx, data, sel, model));
    record->spent.seconds_train += ny_now() - finishing;
    if (options->bound) NY_TRY(ny_deviation_measure(ctx, data, sel, model));
    ny_session_spent(ctx, data, start, record);
done:
    return st;
}

ny_status ny_train(ny_ctx *ctx, const ny_data *data, const ny_options *options, ny_model **out) {
    ny_status st = NY_OK;
    ny_model *model = NULL;
    ny_training t = {0};
    ny_selection sel = {0};
    ny_session before;
    NY_NEEDS(ctx, ctx && data && options && out, "a context, data, options and a place for the model");
    NY_TRY(ny_session_begin(ctx, options, &before));
    NY_TRY(ny_options_check(ctx, options, "train"));
    NY_TRY(ny_model_new(ctx, &model));
    NY_TRY(ny_options_copy(ctx, options, &model->options));
    NY_TRY(train(ctx, data, &t, &sel, model));
    if (model->record->stopped) st = NY_STOPPED;
    *out = model;
    model = NULL;
done:
    ny_selection_clear(&sel);
    ny_training_clear(&t);
    ny_model_free(model);
    ny_session_end(ctx, before);
    return st;
}

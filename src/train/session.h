/* session.h: what a training and a path do alike: the context and the threads around them, and the way from data to
 * rows that a search can work on. */
#ifndef NY_SESSION_H
#define NY_SESSION_H

#include "base/threads.h"
#include "model/record.h"
#include "options/limits.h"
#include "plan.h"
#include "training.h"

typedef struct ny_session { /* what was before it */
    ny_crew_before crew;
    ny_limits limits;
} ny_session;

/* Threads, BLAS, limits. What was before is for the end, which is called also when the begin fails. */
ny_status ny_session_begin(ny_ctx *ctx, const ny_options *options, ny_session *before);
void ny_session_end(ny_ctx *ctx, ny_session before);
/* What the plan is asked about. */
ny_job ny_job_of(const ny_setup *setup, const ny_data *data, int64_t rows);
/* Task, rows, plan, scaled inputs and losses into t, and a selection over it. model->options are the options. */
ny_status ny_session_prepare(ny_ctx *ctx, const ny_data *data, ny_training *t, ny_selection *sel, ny_model *model,
                             ny_plan *plan);
/* At the end: whether it was stopped, seconds since `start` with those of reading, memory; and tells that it is done.
 */
void ny_session_spent(ny_ctx *ctx, const ny_data *data, double start, ny_record *record);

#endif

/* machines.c: see machines.h. */
#include "machines.h"

#include <math.h>
#include <string.h>

#include "base/threads.h"
#include "exact.h"
#include "finish.h"
#include "machine_rows.h"
#include "machines_together.h"
#include "options/limits.h"
#include "search/search.h"
#include "session.h"

static const double BUDGET = 4e11; /* flops in 4 n m^2 of all machines together: some 20 seconds */
static const double KEPT = 0.25;   /* of the time left, for the common machine if that is needed */
static const double TRUSTED = 1.5; /* the plan's seconds beside the time left: beyond, they are not begun, or, ... */
static const double FEWER = 16;    /* ... where fewer landmarks would do, to about a quarter of them */
static const double MARGIN = 0.6;  /* of the time left that these are to take */
enum { LEAST = 50, FEWEST = 100 }; /* landmarks of a common machine in the plan, and of each whatever the budget */

/* ---- the plan -------------------------------------------------------------------------------------------------- */

/* The data of one machine, as far as a plan looks at them: so many rows of the same inputs. */
static ny_data data_of(const ny_data *data, int64_t rows) {
    ny_data own = *data;
    own.X.n = own.rows = rows;
    return own;
}

/* One machine as a job: two classes, one output. */
static ny_job job_of(const ny_options *options, const ny_data *own, int64_t most) {
    return (ny_job){.options = options, .data = own, .rows = own->X.n, .outputs = 1, .classes = 2, .most = most};
}

/* Landmarks of each where all rows would be too much work for so many machines. */
static int64_t most_landmarks(const ny_training *t, double budget) {
    double rows = 0;
    for (int64_t k = 0; k < t->setup.outputs; k++) rows += (double)ny_machine_rows_count(t, k);
    return (int64_t)fmax(sqrt(budget / 4 / rows), FEWEST);
}

/* Seconds that --time-limit leaves for all machines. */
static double time_left(const ny_selection *sel) {
    const ny_ctx *ctx = sel->ctx;
    double left = ctx->deadline - ny_now();
    return ctx->deadline > 0 ? left - fmax(ctx->reserve, KEPT * left) : INFINITY;
}

ny_status ny_machines_plan(ny_ctx *ctx, const ny_job *job, const ny_training *t, ny_plan *plan) {
    ny_status st = NY_OK;
    ny_ctx quiet = ny_ctx_under(ctx);
    double seconds = 0, largest = 0, points = 0, work = 0, limit = ny_limits_memory(ctx, job->options);
    int64_t most = most_landmarks(t, BUDGET), last = -1, small = LEAST < job->rows ? LEAST : job->rows;
    ny_plan own = {0};
    st = ny_plan_make(&quiet, job, plan);
    for (int64_t k = 0; k < job->outputs && st == NY_OK; k++) {
        const ny_data data = data_of(job->data, ny_machine_rows_count(t, k));
        const ny_job one = job_of(job->options, &data, most);
        if (data.rows != last) st = ny_plan_make(&quiet, &one, &own); /* those of ova and moc are all alike */
        last = data.rows;
        double fixed = (double)ny_plan_bytes(ctx, &(ny_job){.options = one.options, .data = &data, .rows = 1}, 1);
        bool exact = own.route.kind == NY_ROUTE_CG_ALONE || own.route.kind == NY_ROUTE_CG_AFTER;
        largest = fmax(largest, (double)own.bytes - fixed + (double)ny_matrix_bytes(&data.X));
        points += (double)(exact ? data.rows : own.landmarks);
        work += 4 * (double)data.rows * (double)own.landmarks * (double)own.landmarks;
        seconds += own.seconds;
    }
    if (st != NY_OK) return ny_error(ctx, st, "%s", quiet.message);
    double common = (double)ny_plan_bytes(ctx, job, small) + 8 * points * (double)(job->data->X.d + 2);
    plan->abreast = ny_threads();
    while (plan->abreast > 1 && common + (double)plan->abreast * largest > limit) plan->abreast--;
    plan->bytes = (int64_t)(common + (double)plan->abreast * largest);
    plan->seconds = seconds;
    plan->apart = job->options->landmarks.number == NY_AUTO && !job->options->landmarks.candidates ? work : 0;
    NY_CHECK(
        ctx, (double)plan->bytes <= limit, NY_ERR_MEMORY,
        "%lld machines of their own need about %.0f MB, and %.0f MB may be used: use --machines-share yes or raise "
        "--memory",
        (long long)job->outputs, (double)plan->bytes / 1e6, limit / 1e6);
    plan->route = (ny_route){NY_ROUTE_APART, "--machines-share no asks for it", true, 0};
    if (plan->seconds > 10)
        ny_log(ctx, NY_LOG_INFO, "about %.0f s and %.0f MB for %lld machines of their own (--machines-share to change)",
               plan->seconds, (double)plan->bytes / 1e6, (long long)job->outputs);
done:
    return st;
}

ny_status ny_machines_in_time(ny_selection *sel, const ny_plan *plan, ny_record *record, bool *fits) {
    *fits = plan->seconds <= (plan->apart > 0 ? FEWER : TRUSTED) * time_left(sel);
    if (*fits) return NY_OK;
    ny_route_give_up(&sel->plan.route, "machines of their own would take longer than --time-limit");
    return ny_record_note(
        sel->ctx, record,
        "the machines share kernel, bandwidth and landmarks: of their own they would take about %.0f s "
        "(a longer --time-limit)",
        plan->seconds);
}

/* ---- one machine ----------------------------------------------------------------------------------------------- */

typedef struct {
    ny_selection *sel; /* of all */
    const ny_data *data;
    const ny_training *t;
    int64_t most;
    double until;  /* ny_now(): see KEPT; 0: no limit */
    double rate;   /* operations in a second of one of them, as foreseen */
    int64_t *turn; /* machines, in the order of their work */
    ny_machines_done out;
    atomic_llong done;
} crew_job;

/* From the search to the machine of all rows, as train.c does it for one that is alone. */
static ny_status select_one(ny_training *t, ny_selection *sel, const ny_plan *plan, ny_record *record) {
    ny_status st = ny_search_sizes(sel, ny_search_find(sel->setup->options->search));
    const ny_route *route = &sel->plan.route;
    if (st == NY_OK && sel->setup->options->rank == NY_AUTO) st = ny_search_ranks(sel);
    if (st == NY_OK && route->kind == NY_ROUTE_CG_ALONE) st = ny_exact_train(sel, plan, record);
    if (st == NY_OK && ny_should_stop(sel->ctx)) st = NY_STOPPED;
    if (st == NY_OK) st = ny_finish_best(t, sel, record);
    if (st == NY_OK && route->kind == NY_ROUTE_CG_AFTER) st = ny_exact_train(sel, plan, record);
    if (st == NY_OK && ny_route_exact_after(route) && !record->solver.known) st = ny_finish_alone(sel, record);
    return st == NY_OK && sel->ctx->stopped ? NY_STOPPED : st;
}

/* The held-out outputs of its own rows, and of the others, which it has not seen, its outputs. */
static ny_status hold_out(ny_ctx *ctx, const ny_rows *all, const ny_machine_rows *own, const ny_solution *best,
                          double *held) {
    ny_status st = NY_OK;
    int64_t rest = all->n - own->t.rows.n, *other = NULL;
    double *F = NULL;
    ny_matrix X = {0};
    for (int64_t i = 0; i < own->t.rows.n; i++) held[own->member[i]] = best->held[i];
    if (!rest) goto done;
    NY_NEW_RAW(ctx, other, rest);
    NY_NEW_RAW(ctx, F, rest);
    for (int64_t i = 0, k = 0, m = 0; i < all->n; i++)
        if (m < own->t.rows.n && own->member[m] == i) m++;
        else other[k++] = i;
    NY_TRY(ny_matrix_gather(ctx, &all->X, other, rest, &X));
    NY_TRY(ny_expansion_outputs(ctx, &best->f, &X, 0, F, NULL));
    for (int64_t k = 0; k < rest; k++) held[other[k]] = F[k];
done:
    ny_matrix_clear(&X);
    ny_free(other);
    ny_free(F);
    return st;
}

static ny_status train_one(const crew_job *job, int64_t k, ny_ctx *ctx, ny_machine_done *f) {
    ny_status st = NY_OK;
    const ny_rows *all = &job->t->rows.all;
    ny_machine_rows own = {0};
    ny_selection sel = {0};
    ny_plan plan;
    if (ny_should_stop(ctx)) return NY_STOPPED;
    NY_TRY(ny_machine_rows_make(ctx, job->data, job->t, k, &own));
    ny_data data = data_of(job->data, own.t.rows.n);
    data.X = own.t.rows.all.X;
    const ny_job one = job_of(own.t.setup.options, &data, job->most);
    NY_TRY(ny_plan_make(ctx, &one, &plan));
    sel = ny_training_selection(ctx, &own.t, &plan);
    own.t.pace = (ny_pace){.rate = job->rate, .plain = INFINITY, .planned = plan.rate}; /* it has no end of its own */
    own.t.pace.exact = plan.exact_work;
    sel.found.started = ny_now();
    NY_TRY(select_one(&own.t, &sel, &plan, &f->record));
    NY_TRY(hold_out(ctx, all, &own, &sel.found.best, job->out.held + k * all->n));
    f->exact = ny_finish_exact(&sel, &f->record);
    f->best = ny_solution_take(&sel.found.best);
    f->bandwidth_edge = sel.found.bandwidth_edge;
    f->seconds = sel.found.seconds_landmarks;
    ny_free(f->best.held);
    ny_matrix_clear(&f->best.low.apart);
    ny_free(f->best.low.weight);
    f->best.held = f->best.low.weight = NULL;
done:
    ny_selection_clear(&sel);
    ny_machine_rows_clear(&own);
    return st;
}

static void train_tile(void *arg, int64_t first, int64_t count, int thread) {
    crew_job *job = arg;
    ny_ctx *above = job->sel->ctx;
    double total = (double)job->t->setup.outputs;
    for (int64_t i = first; i < first + count; i++) {
        ny_ctx ctx = ny_ctx_under(above);
        ny_machine_done *f = &job->out.each[job->turn[i]];
        ctx.deadline = job->until;
        ctx.reserve = 0;
        f->status = train_one(job, job->turn[i], &ctx, f);
        memcpy(f->message, ctx.message, sizeof f->message);
        double done = (double)atomic_fetch_add(&job->done, 1) + 1, elapsed = ny_now() - job->sel->found.started;
        if (thread == 0) ny_progress(above, "select", done, total, elapsed * (total - done) / done);
    }
}

/* ---- all of them ----------------------------------------------------------------------------------------------- */

/* Large machines have all threads, one after the other, and come first; the others are trained side by side. */
static void train_all(crew_job *job, int64_t abreast) {
    int64_t q = job->t->setup.outputs, large = 0, at = 0;
    for (int pass = 0; pass < 2; pass++)
        for (int64_t k = 0; k < q; k++) {
            int64_t rows = ny_machine_rows_count(job->t, k);
            bool alone = abreast < ny_threads() || rows * rows > NY_SIDE_BY_SIDE;
            if (alone == (pass == 0)) job->turn[at++] = k;
            if (alone && pass == 0) large++;
        }
    job->rate = job->sel->pace->rate;
    for (int64_t i = 0; i < large; i++) train_tile(job, i, 1, 0);
    job->rate /= (double)ny_threads();
    int64_t *turn = job->turn;
    job->turn += large;
    ny_for_tiles(q - large, 1, train_tile, job);
    job->turn = turn;
}

ny_status ny_machines_train(const ny_data *data, ny_training *t, ny_selection *sel, const ny_plan *plan,
                            ny_record *record) {
    ny_status st = NY_OK;
    ny_ctx *ctx = sel->ctx;
    int64_t q = sel->setup->outputs, n = t->rows.all.n, done = 0;
    crew_job job = {.sel = sel, .data = data, .t = t, .most = most_landmarks(t, BUDGET), .out.n = n};
    double left = time_left(sel);
    bool fewer = plan->apart > 0 && plan->seconds > TRUSTED * left;
    if (fewer) job.most = most_landmarks(t, fmin(BUDGET, plan->apart * MARGIN * left / plan->seconds));
    if (ctx->deadline > 0) job.until = ny_now() + left;
    NY_NEW(ctx, job.out.each, q);
    NY_NEW_RAW(ctx, job.turn, q);
    NY_NEW_RAW(ctx, job.out.held, ny_size3(n, q, 1));
    NY_NEW_RAW(ctx, job.out.id, n);
    memcpy(job.out.id, t->rows.all.id, (size_t)n * sizeof *job.out.id);
    train_all(&job, plan->abreast);
    for (int64_t k = 0; k < q; k++) {
        const ny_machine_done *f = &job.out.each[k];
        if (f->status != NY_OK && f->status != NY_STOPPED) NY_FAIL(ctx, f->status, "%s", f->message);
        if (f->status == NY_OK && done == k) done++;
    }
    if (done < q) {
        NY_TRY(ny_finish_early(ctx, record));
        if (done)
            NY_TRY(ny_record_note(ctx, record,
                                  "%lld of %lld machines have choices of their own; the others share a small one",
                                  (long long)done, (long long)q));
        NY_TRY(ny_finish_best(t, sel, record));
    }
    NY_TRY(ny_machines_together(sel, &job.out, done, record));
    if (fewer)
        NY_TRY(ny_record_note(ctx, record,
                              "no machine has more than %lld landmarks, as --time-limit leaves no time for them",
                              (long long)job.most));
    if (fewer) ny_stop_take(ctx);
done:
    for (int64_t k = 0; job.out.each && k < q; k++) {
        ny_solution_clear(&job.out.each[k].best);
        ny_record_clear(&job.out.each[k].record);
    }
    ny_free(job.out.each);
    ny_free(job.turn);
    ny_free(job.out.held);
    ny_free(job.out.id);
    return st;
}

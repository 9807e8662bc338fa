/* regpath.c: data -> scale -> bandwidth -> factor -> path of every output. */
#include "regpath.h"

#include <math.h>
#include <string.h>

#include "base/threads.h"
#include "criterion/span.h"
#include "criterion/walk.h"
#include "linalg/linalg.h"
#include "search/fit.h"
#include "search/group.h"
#include "search/search.h"
#include "session.h"
#include "solver/follow.h"

void ny_regpath_clear(ny_regpath *path) {
    ny_model_free(path->model);
    ny_free(path->at);
    *path = (ny_regpath){0};
}

typedef struct { /* the validation set, which no machine has seen */
    const ny_rows *rows;
    double *G; /* r x rows, not scaled */
} unseen;

typedef struct { /* one output */
    ny_primal p;
    int64_t output;
    ny_span span;
    ny_ball ball;
    bool bound, tells;           /* the bound is wanted; it is this one that reports progress */
    double *F, *alpha;           /* n */
    double done, total, started; /* of the progress of all outputs, in log lambda; when it began */
    const ny_setup *setup;
    const unseen *held; /* NULL: there is none */
    double first;
    int64_t count;
    ny_breakpoint *at;
    bool lost; /* lambda is beyond the precision of the kernel: the path ended before */
} output_path;

static double path_end(const ny_options *o) {
    return isnan(o->lambda_min) ? 1e-6 : o->lambda_min;
}

static const double LOST = 0.01; /* of the margin: such a machine is none */

/* All but the breakpoints. */
static void output_path_end(output_path *c) {
    ny_primal_clear(&c->p);
    ny_span_clear(&c->span);
    ny_ball_clear(&c->ball);
    ny_free(c->F);
    ny_free(c->alpha);
    c->F = c->alpha = NULL;
}

/* The weighted share of the validation set's rows, of those that take part in the output, on the wrong side. */
static double holdout_error(const output_path *c, const ny_sided *s) {
    const unseen *held = c->held;
    int64_t r = s->P->r;
    double wrong = 0, weight = 0;
    ny_targets y;
    if (!held) return NAN;
    ny_targets_of(c->setup, held->rows, c->output, &y);
    for (int64_t i = 0; i < held->rows->n; i++) {
        double target = ny_target(&y, i), v = held->rows->u[i] * held->rows->u[i];
        if (target == 0) continue;
        if (!(target * (ny_dot(r, held->G + i * r, s->w) + s->b) > 0)) wrong += v;
        weight += v;
    }
    return wrong / weight;
}

static ny_status visit(ny_ctx *ctx, void *user, ny_sided *s, bool *enough) {
    ny_status st = NY_OK;
    output_path *c = user;
    const ny_primal *p = &c->p;
    double bound = NAN;
    ny_ball_reach reach;
    ny_breakpoint *grown = ny_realloc(ctx, c->at, c->count, c->count + 1, sizeof *grown);
    if (!grown) return NY_ERR_MEMORY;
    c->at = grown;
    double kkt = ny_sided_polish(s, c->alpha), before = c->count ? c->at[c->count - 1].objective : INFINITY;
    *enough = c->lost = !(kkt <= LOST && s->objective <= before * (1 + 1e-6));
    if (c->lost) return NY_OK;
    ny_span_held(&c->span, s, true, c->F);
    if (c->bound) {
        NY_TRY(ny_ball_reach_at(ctx, &c->ball, s->lambda, &reach));
        bound = ny_radius_margin(p->n, s->objective, s->lambda, &reach);
    }
    double wrong = ny_wrong_signs(p, c->F);
    c->at[c->count++] =
        (ny_breakpoint){c->output, s->lambda, s->active, s->objective, wrong, bound, holdout_error(c, s), kkt};
    double done = c->done + log(fmax(c->first / s->lambda, 1)), elapsed = ny_now() - c->started;
    if (c->tells) ny_progress(ctx, "path", done, c->total, done > 0 ? elapsed * (c->total - done) / done : -1);
done:
    return st;
}

static ny_status run_output(ny_ctx *ctx, const ny_problem *P, int64_t j, const ny_options *o, output_path *c) {
    ny_status st = NY_OK;
    ny_sided s = {0};
    ny_follow_range range = {.first = o->lambda_max, .last = path_end(o), .whole = true};
    c->first = range.first;
    c->bound = o->radius_margin;
    NY_TRY(ny_primal_new(ctx, P, j, &c->p));
    NY_TRY(ny_span_new(ctx, P, &c->span));
    NY_NEW_RAW(ctx, c->F, P->n);
    NY_NEW_RAW(ctx, c->alpha, P->n);
    if (c->bound) NY_TRY(ny_ball_new(ctx, P, c->p.v, &c->ball));
    NY_TRY(ny_sided_new(ctx, P, c->p.y, c->p.v, c->p.y, 0, &s));
    st = ny_follow(ctx, &s, &range, visit, c);
    if (st == NY_ERR_NUMERIC && c->count > 0) st = NY_OK, c->lost = true;
done:
    ny_sided_clear(&s);
    output_path_end(c);
    return st;
}

typedef struct {
    const ny_selection *sel;
    const ny_problem *P;
    output_path *of;   /* q */
    ny_status *status; /* q */
} job;

static void tile(void *arg, int64_t first, int64_t count, int thread) {
    job *b = arg;
    for (int64_t j = first; j < first + count; j++) {
        b->of[j].tells = thread == 0; /* one at a time */
        b->status[j] = run_output(b->sel->ctx, b->P, j, b->sel->setup->options, &b->of[j]);
    }
}

/* The breakpoints of one output behind those before. */
static ny_status append(ny_ctx *ctx, const output_path *c, ny_regpath *path) {
    if (c->count == 0) return NY_OK;
    ny_breakpoint *grown = ny_realloc(ctx, path->at, path->count, path->count + c->count, sizeof *grown);
    if (!grown) return NY_ERR_MEMORY;
    path->at = grown;
    memcpy(path->at + path->count, c->at, (size_t)c->count * sizeof *c->at);
    path->count += c->count;
    return NY_OK;
}

/* The paths of outputs that learn from the same rows, side by side. What a stop leaves of them is kept. */
static ny_status follow_group(const ny_selection *sel, ny_factor *f, const unseen *held, ny_group *g,
                              ny_regpath *path) {
    ny_status st = NY_OK, ended = NY_OK;
    job b = {.sel = sel};
    double length = log(sel->setup->options->lambda_max / path_end(sel->setup->options));
    NY_TRY(ny_group_make(sel->ctx, sel->setup, &sel->rows->all, f, g));
    ny_problem P = ny_group_problem(sel->setup, f, g);
    b.P = &P;
    NY_NEW(sel->ctx, b.of, g->q);
    NY_NEW(sel->ctx, b.status, g->q);
    for (int64_t j = 0; j < g->q; j++) {
        b.of[j].output = g->first + j;
        b.of[j].setup = sel->setup;
        b.of[j].held = held->G ? held : NULL;
        b.of[j].done = length * (double)(g->first + j);
        b.of[j].total = length * (double)sel->setup->outputs;
        b.of[j].started = sel->found.started;
    }
    ny_for_tiles(g->q, 1, tile, &b);
    for (int64_t j = 0; j < g->q; j++) {
        if (ended == NY_OK || b.status[j] > NY_STOPPED) ended = b.status[j];
        NY_TRY(append(sel->ctx, &b.of[j], path));
        if (b.of[j].lost)
            NY_TRY(ny_record_note(sel->ctx, path->model->record,
                                  "output %lld: the path ends at lambda = %.2g: below, the precision is not enough",
                                  (long long)b.of[j].output + 1,
                                  b.of[j].count ? path->at[path->count - 1].lambda : INFINITY));
    }
    st = ended;
done:
    for (int64_t j = 0; b.of && j < g->q; j++) ny_free(b.of[j].at);
    ny_free(b.of);
    ny_free(b.status);
    return st;
}

/* The kernel and its bandwidth: as given, else by the search of a training. */
static ny_status choose_kernel(ny_selection *sel, ny_kernel_params *kernel) {
    ny_status st = NY_OK;
    const ny_range *given = &sel->setup->bandwidth;
    const ny_count *sizes = &sel->setup->options->landmarks;
    bool fixed = !sizes->candidates && sizes->number != NY_GROW && sel->setup->kernels == 1 &&
                 (!sel->setup->candidate[0]->has_bandwidth || given->single > 0);
    ny_point point = {sel->setup->candidate[0], given->single > 0 ? given->single : 1, 0, 0};
    if (!fixed) {
        sel->found.started = ny_now();
        NY_TRY(ny_search_sizes(sel, ny_search_find(sel->setup->options->search)));
        point = ny_solution_point(&sel->found.best);
    }
    if (sel->setup->options->rank == NY_AUTO) {
        if (fixed) NY_TRY(ny_evaluate(sel, sel->rows->n, sel->plan.landmarks, 1, &point));
        NY_TRY(ny_search_ranks(sel));
    }
    *kernel = ny_point_kernel(sel->setup, &point);
done:
    if (st == NY_STOPPED)
        st = ny_error(sel->ctx, NY_ERR_CANCELLED,
                      "stopped before the path began: a given --kernel, --bandwidth and --rank need no search");
    return st;
}

static ny_status follow_all(ny_ctx *ctx, const ny_data *data, ny_training *t, ny_selection *sel, ny_regpath *path) {
    ny_status st = NY_OK;
    ny_model *model = path->model;
    ny_record *record = model->record;
    ny_factor factor = {0};
    ny_group g = {0};
    unseen held = {.rows = &t->rows.validation};
    ny_plan plan;
    double start = ny_now();
    NY_TRY(ny_session_prepare(ctx, data, t, sel, model, &plan));
    double searching = ny_now();
    NY_TRY(choose_kernel(sel, &model->f.kernel));
    record->spent.seconds_select = ny_now() - searching;
    int64_t landmarks = ny_plan_landmarks(sel);
    NY_TRY(ny_point_factor(sel, &sel->rows->all, NULL, landmarks, &model->f.kernel, &factor));
    if (held.rows->n) {
        NY_NEW_RAW(ctx, held.G, ny_size3(factor.r, held.rows->n, 1));
        NY_TRY(ny_factor_rows(ctx, &factor, &model->f.kernel, &held.rows->X, held.G));
    }
    record->rows = sel->rows->n;
    record->inputs = sel->rows->all.X.d;
    record->origin.landmarks = factor.m;
    record->origin.rank = factor.r;
    record->origin.kernel_kept = factor.kept;
    record->origin.exact = landmarks >= sel->rows->n && !ny_selection_cuts(sel);
    record->spent.seconds_landmarks = factor.seconds;
    record->seed = sel->setup->seed;
    record->threads = ny_threads();
    sel->found.started = ny_now();
    bool pairs = ny_setup_pairs(sel->setup);
    for (int64_t first = 0; first < sel->setup->outputs && st == NY_OK; first += g.q) {
        ny_group_clear(&g);
        g = (ny_group){.first = first, .q = pairs ? 1 : sel->setup->outputs};
        st = follow_group(sel, &factor, &held, &g, path);
    }
    if (st == NY_OK && path->count == 0)
        st = ny_error(ctx, NY_ERR_NUMERIC,
                      "no lambda suits the precision of the kernel: are its values or the weights "
                      "far too large or too small?");
    path->seconds_path = ny_now() - sel->found.started;
    if (st == NY_STOPPED) ny_stop_take(ctx);
    ny_session_spent(ctx, data, start, record);
done:
    ny_group_clear(&g);
    ny_factor_clear(&factor);
    ny_free(held.G);
    return st;
}

ny_status ny_regpath_make(ny_ctx *ctx, const ny_data *data, const ny_options *options, ny_regpath *path) {
    ny_status st = NY_OK;
    ny_training t = {0};
    ny_selection sel = {0};
    ny_task task;
    ny_session before;
    *path = (ny_regpath){0};
    NY_TRY(ny_session_begin(ctx, options, &before));
    NY_TRY(ny_options_check(ctx, options, "path"));
    NY_CHECK(ctx, path_end(options) < options->lambda_max, NY_ERR_USAGE, "--lambda-min %g is not below --lambda-max %g",
             path_end(options), options->lambda_max);
    NY_TRY(ny_data_task(ctx, data, options->task, &task));
    NY_CHECK(
        ctx, task != NY_TASK_REGRESSION, NY_ERR_USAGE,
        "the path is that of a classifier, and the target holds numbers: --task multiclass takes them for classes");
    NY_TRY(ny_model_new(ctx, &path->model));
    NY_TRY(ny_options_copy(ctx, options, &path->model->options));
    NY_TRY(ny_options_put(ctx, path->model->options, "machine", "l2svm"));
    NY_TRY(ny_options_put(ctx, path->model->options, "criterion", "span"));
    NY_TRY(follow_all(ctx, data, &t, &sel, path));
done:
    ny_selection_clear(&sel);
    ny_training_clear(&t);
    ny_session_end(ctx, before);
    if (st != NY_OK && (st != NY_STOPPED || path->count == 0)) ny_regpath_clear(path);
    return st;
}

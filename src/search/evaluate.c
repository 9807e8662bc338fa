/* evaluate.c: points of one level, side by side or one after the other; the best of them is kept. */
#include <math.h>
#include <stdlib.h>

#include "base/threads.h"
#include "contest.h"
#include "fit.h"
#include "held_error.h"
#include "pace.h"
#include "passes.h"
#include "search.h"

ny_status ny_common_landmarks(ny_selection *sel, const ny_rows *rows, int64_t landmarks, const ny_landmarks **common) {
    ny_status st = NY_OK;
    ny_kernel_side side = {0};
    ny_landmarks chosen = {0};
    *common = NULL;
    const ny_landmark_method *method = ny_method_for(sel, landmarks, rows->n);
    bool full = rows == &sel->rows->all && landmarks >= sel->plan.landmarks && !sel->cache.hold;
    if (landmarks >= rows->n || (method->by_kernel && (full || !sel->cache.reference.kernel))) return NY_OK;
    if (sel->cache.common_rows != rows->n || sel->cache.common_landmarks != landmarks) {
        ny_kernel_params kernel = ny_point_kernel(sel->setup, &sel->cache.reference);
        ny_landmark_spec spec = {&kernel,
                                 &side,
                                 rows->code,
                                 sel->setup->classes,
                                 rows->id,
                                 landmarks,
                                 sel->setup->options->rank_tol,
                                 sel->setup->seed,
                                 0};
        NY_TRY(ny_kernel_prepare(sel->ctx, &rows->X, true, &side));
        NY_TRY(method->choose(sel->ctx, &spec, &chosen));
        ny_landmarks_clear(&sel->cache.common);
        sel->cache.common = (ny_landmarks){.Z = chosen.Z, .weight = chosen.weight};
        chosen.Z = (ny_matrix){0};
        chosen.weight = NULL;
        sel->cache.common_rows = rows->n;
        sel->cache.common_landmarks = landmarks;
    }
    *common = &sel->cache.common;
done:
    ny_kernel_release(&side);
    ny_landmarks_clear(&chosen);
    return st;
}

static ny_status record_trials(ny_selection *sel, const ny_solution *s, const ny_profile *profile) {
    bool all_C = ny_is(sel->setup->options->search, "grid") && profile->tried > 0;
    int64_t more = all_C ? profile->tried : 1;
    ny_trial *grown =
        ny_realloc(sel->ctx, sel->found.trial, sel->found.trials, sel->found.trials + more, sizeof *grown);
    if (!grown) return NY_ERR_MEMORY;
    sel->found.trial = grown;
    double mean_log_C = 0;
    for (int64_t j = 0; j < sel->setup->outputs; j++) mean_log_C += log2(s->C[j]) / (double)sel->setup->outputs;
    for (int64_t c = 0; c < more; c++)
        sel->found.trial[sel->found.trials++] = (ny_trial){s->f.kernel.kernel,
                                                           s->f.kernel.bandwidth,
                                                           all_C ? profile->tried_C[c] : exp2(mean_log_C),
                                                           all_C ? profile->tried_loss[c] : s->value,
                                                           s->error,
                                                           s->rows,
                                                           s->landmarks,
                                                           s->rank,
                                                           NAN};
    return NY_OK;
}

ny_status ny_trial_add(ny_selection *sel, const ny_solution *s) {
    return record_trials(sel, s, &(ny_profile){0});
}

/* By how much a machine must be better than one of a bounded kernel if its own has no bound: one standard error, of the
 * difference where the held-out outputs of both are there. That of log probabilities is in the scale of the goal. */
static ny_status margin(const ny_selection *sel, const ny_rows *rows, const ny_solution *a, const ny_solution *b,
                        double *out) {
    ny_status st = NY_OK;
    *out = fmax(ny_goal_error(&sel->now, a), ny_goal_error(&sel->now, b));
    if (!rows || !a->held || !b->held) goto done;
    rows = ny_judged_rows(sel, rows);
    NY_TRY(ny_error_paired(sel->ctx, &sel->now, rows, a->held, b->held, ny_setup_on_error(sel->setup), out));
    if (ny_criterion_nats(sel->now.criterion) && !ny_setup_on_error(sel->setup))
        *out *= ny_goal(&sel->now, b) / b->squared_error;
done:
    return st;
}

/* Whether the solution takes the place of the best one: larger machines do, and better ones of the same size.
 *                                                                                           docs/math.md, section 6 */
static ny_status better(const ny_selection *sel, const ny_rows *rows, const ny_solution *s, bool *yes) {
    ny_status st = NY_OK;
    const ny_solution *b = &sel->found.best;
    double gain, needed = 0;
    *yes = !b->valid || s->rows > b->rows || (s->rows == b->rows && s->asked > b->asked);
    if (*yes || s->rows != b->rows || s->asked != b->asked) goto done;
    bool bounded = ny_kernel_bounded(s->f.kernel.kernel);
    if (bounded != ny_kernel_bounded(b->f.kernel.kernel)) NY_TRY(margin(sel, rows, s, b, &needed));
    gain = ny_goal(&sel->now, b) - ny_goal(&sel->now, s);
    *yes = bounded ? gain > -needed : gain > needed;
done:
    return st;
}

typedef struct {
    ny_selection *sel;
    const ny_rows *rows;
    const ny_landmarks *common;
    int64_t landmarks;
    const ny_point *points;
    int64_t first; /* of those at work now */
    ny_solution *solution;
    ny_profile *profile;
    double abreast; /* machines trained at the same time */
    ny_status *status;
} batch;

static void evaluate_tile(void *arg, int64_t first, int64_t count, int thread) {
    (void)thread;
    batch *b = arg;
    for (int64_t i = b->first + first; i < b->first + first + count; i++)
        b->status[i] = ny_fit(b->sel, b->rows, b->common, b->landmarks, &b->points[i], &b->solution[i], &b->profile[i]);
}

/* A machine of more rows or landmarks tells more about C, and of equal ones the better. */
static ny_status keep_hint(ny_selection *sel, const ny_solution *s) {
    ny_status st = NY_OK;
    int64_t c = ny_candidate(sel->setup, s->f.kernel.kernel);
    if (c < 0) return NY_OK;
    ny_hint *hint = &sel->cache.hint[c];
    bool same = hint->rows == s->rows && hint->asked == s->asked && hint->stood_in == sel->now.stands_in;
    if (hint->C && hint->stood_in == sel->now.stands_in &&
        (same ? s->value >= hint->value : s->rows * s->asked < hint->rows * hint->asked))
        return NY_OK;
    if (!hint->C) NY_NEW_RAW(sel->ctx, hint->C, sel->setup->outputs);
    for (int64_t j = 0; j < sel->setup->outputs; j++)
        hint->C[j] = s->C[j] * (sel->now.stands_in ? sel->setup->unit : 1);
    hint->stood_in = sel->now.stands_in;
    hint->moved = s->effort.moved;
    hint->rows = s->rows;
    hint->asked = s->asked;
    hint->value = s->value;
    hint->bandwidth = s->f.kernel.bandwidth;
done:
    return st;
}

/* In the order of the points, whatever order they were finished in. */
static ny_status merge(batch *b, int64_t i, ny_point *point) {
    ny_status st = b->status[i];
    ny_selection *sel = b->sel;
    ny_solution *s = &b->solution[i];
    bool takes_over = false;
    sel->found.seconds_landmarks += s->low.seconds / b->abreast;
    if (st != NY_OK) return st;
    point->value = ny_goal(&sel->now, s);
    if (!sel->now.stands_in) st = record_trials(sel, s, &b->profile[i]);
    if (st == NY_OK) st = ny_contenders_add(sel, s);
    if (st == NY_OK) st = keep_hint(sel, s);
    if (st == NY_OK) st = ny_contest_enter(sel, b->rows, s);
    if (st == NY_OK) st = better(sel, b->rows, s, &takes_over);
    if (st == NY_OK && takes_over) {
        ny_solution_clear(&sel->found.best);
        sel->found.best = ny_solution_take(s);
    }
    ny_solution_clear(s); /* the best has moved on */
    ny_profile_clear(&b->profile[i]);
    return st;
}

static ny_status batch_new(ny_selection *sel, int64_t landmarks, int64_t points, const ny_point *point, batch *b) {
    ny_status st = NY_OK;
    *b = (batch){.sel = sel, .landmarks = landmarks, .points = point, .abreast = 1};
    NY_NEW(sel->ctx, b->solution, points);
    NY_NEW(sel->ctx, b->profile, points);
    NY_NEW(sel->ctx, b->status, points);
done:
    return st;
}

static void batch_clear(batch *b, int64_t points) {
    for (int64_t i = 0; b->solution && i < points; i++) ny_solution_clear(&b->solution[i]);
    for (int64_t i = 0; b->profile && i < points; i++) ny_profile_clear(&b->profile[i]);
    ny_free(b->solution);
    ny_free(b->profile);
    ny_free(b->status);
}

/* As many machines in a pass as the plan allows. */
static ny_status evaluate_in_passes(ny_selection *sel, int64_t landmarks, int64_t points, ny_point *point) {
    ny_status st = NY_OK;
    batch b;
    NY_TRY(batch_new(sel, landmarks, points, point, &b));
    for (int64_t first = 0; first < points; first += sel->passes->machines) {
        int64_t count = points - first < sel->passes->machines ? points - first : sel->passes->machines;
        double flops = ny_level_flops(sel, sel->rows->n, landmarks) * (double)count, started = ny_now();
        if (!ny_pace_fits(sel, flops)) NY_FAIL(sel->ctx, NY_STOPPED, "stopped");
        NY_TRY(ny_fit_passes(sel, landmarks, count, point + first, b.solution + first, b.profile + first));
        ny_pace_done(sel, flops, ny_now() - started);
        for (int64_t i = first; i < first + count; i++) NY_TRY(merge(&b, i, &point[i]));
    }
done:
    batch_clear(&b, points);
    return st;
}

/* Machines that may be made before the first is merged: each holds its rows' targets, outputs and held-out outputs, and
 * an eighth of the memory is for them. */
static int64_t most_together(const ny_selection *sel, int64_t rows) {
    const double each = 32 * (double)rows * (double)sel->setup->outputs, memory = (double)sel->ctx->memory;
    return memory <= 0 || memory / 8 > 1000 * each ? 1000 : memory / 8 > each ? (int64_t)(memory / 8 / each) : 1;
}

ny_status ny_evaluate(ny_selection *sel, int64_t count, int64_t landmarks, int64_t points, ny_point *point) {
    ny_status st = NY_OK;
    batch b;
    if (sel->passes && count >= sel->rows->n) return evaluate_in_passes(sel, landmarks, points, point);
    NY_TRY(batch_new(sel, landmarks, points, point, &b));
    NY_TRY(ny_rows_of_level(sel, count, &b.rows));
    if (sel->plan.spanning && landmarks >= sel->plan.spanning) b.landmarks = b.rows->n; /* which would tell no more */
    NY_TRY(ny_common_landmarks(sel, b.rows, b.landmarks, &b.common));
    int64_t m = landmarks < b.rows->n ? landmarks : b.rows->n;
    bool alone = m == b.rows->n && m >= NY_KERNEL_ALONE &&
                 ny_by_kernel(&sel->now, m, m == sel->rows->n); /* it has two C side by side */
    int64_t together = b.rows->n * m <= NY_SIDE_BY_SIDE && !alone ? points : 1, most = most_together(sel, b.rows->n);
    if (together > most) together = most;
    b.abreast = (double)(together < ny_threads() ? together : ny_threads());
    double flops = ny_level_flops(sel, b.rows->n, m);
    for (int64_t end = 0; b.first < points; b.first = end) {
        end = b.first + together < points ? b.first + together : points;
        double started = ny_now(), rounds = ceil((double)(end - b.first) / b.abreast);
        if (!ny_pace_fits(sel, flops * rounds)) NY_FAIL(sel->ctx, NY_STOPPED, "stopped");
        if (together > 1) ny_for_tiles(end - b.first, 1, evaluate_tile, &b);
        else evaluate_tile(&b, 0, 1, 0);
        if (b.status[b.first] == NY_OK) ny_pace_done(sel, flops, (ny_now() - started) / rounds);
        for (int64_t i = b.first; i < end; i++) {
            NY_TRY(merge(&b, i, &point[i]));
            ny_work_done(sel, flops);
        }
    }
done:
    batch_clear(&b, points);
    return st;
}

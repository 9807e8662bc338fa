/* contest.c: see contest.h. */
#include "contest.h"

#include <math.h>

#include "calibrate.h"
#include "search.h"

static const int64_t ENTRIES = 100000, ROWS = 4000; /* outputs that are kept of a machine at most, and rows */

bool ny_contested(const ny_setup *setup) {
    const ny_criterion *criterion = setup->criterion;
    return setup->classes && setup->kernels > 1 && !ny_setup_pairs(setup) && !criterion->value &&
           !ny_criterion_tells_apart(criterion, ny_setup_kind(setup)) &&
           setup->options->select_on == NY_SELECT_ON_AUTO && !ny_is(setup->options->search, "csa");
}

int64_t ny_candidate(const ny_setup *setup, const ny_kernel *kernel) {
    int64_t c = 0;
    while (c < setup->kernels && setup->candidate[c] != kernel) c++;
    return c < setup->kernels ? c : -1;
}

/* Every so manieth row is looked at. */
static int64_t stride(const ny_setup *setup, int64_t rows) {
    int64_t most = ENTRIES / setup->outputs < ROWS ? ENTRIES / setup->outputs : ROWS;
    return (rows - 1) / (most > 0 ? most : 1) + 1;
}

static int64_t looked_at(const ny_setup *setup, int64_t rows) {
    return (rows - 1) / stride(setup, rows) + 1;
}

static bool same_size(const ny_champion *a, const ny_solution *s, bool stands_in) {
    return a->F && a->rows == s->rows && a->asked == s->asked && a->stood_in == stands_in;
}

ny_status ny_contest_enter(ny_selection *sel, const ny_rows *rows, const ny_solution *s) {
    ny_status st = NY_OK;
    int64_t c = ny_candidate(sel->setup, s->f.kernel.kernel), q = sel->setup->outputs;
    double goal = ny_goal(&sel->now, s);
    if (!ny_contested(sel->setup) || c < 0 || !rows || !s->held) return NY_OK;
    ny_champion *a = &sel->found.champion[c];
    if (same_size(a, s, sel->now.stands_in) && !(goal < a->goal)) return NY_OK;
    int64_t step = stride(sel->setup, rows->n), n = looked_at(sel->setup, rows->n);
    if (!a->F || a->rows != s->rows) {
        ny_free(a->F);
        a->F = NULL;
        NY_NEW_RAW(sel->ctx, a->F, ny_size3(n, q, 1));
    }
    for (int64_t j = 0; j < q; j++)
        for (int64_t k = 0; k < n; k++) a->F[k + j * n] = s->held[k * step + j * rows->n];
    a->rows = s->rows, a->asked = s->asked, a->stood_in = sel->now.stands_in;
    a->goal = goal, a->bandwidth = s->f.kernel.bandwidth;
done:
    return st;
}

typedef struct { /* a contest */
    const ny_rows *rows;
    int64_t n, step;                  /* rows that are looked at */
    int32_t *code;                    /* n */
    double *u, *loss[NY_KERNELS_MAX]; /* n: roots of the judged weights, log losses; NULL: does not take part */
} contest;

static void contest_clear(contest *t) {
    ny_free(t->code);
    ny_free(t->u);
    for (int64_t c = 0; c < NY_KERNELS_MAX; c++) ny_free(t->loss[c]);
}

static ny_status contest_new(ny_selection *sel, const ny_rows *rows, contest *t) {
    ny_status st = NY_OK;
    const ny_setup *setup = sel->setup;
    *t = (contest){.rows = rows, .n = looked_at(setup, rows->n), .step = stride(setup, rows->n)};
    NY_NEW_RAW(sel->ctx, t->code, t->n);
    NY_NEW_RAW(sel->ctx, t->u, t->n);
    for (int64_t k = 0; k < t->n; k++) {
        t->code[k] = t->rows->code[k * t->step];
        t->u[k] = sqrt(ny_judged_weight(t->rows, k * t->step));
    }
    for (int64_t c = 0; c < setup->kernels; c++) {
        const ny_champion *a = &sel->found.champion[c];
        if (!same_size(a, &sel->found.best, sel->now.stands_in)) continue;
        ny_held_outputs held = {setup->coding, setup->classes, t->n, setup->outputs, a->F, t->code, t->u};
        NY_NEW_RAW(sel->ctx, t->loss[c], t->n);
        NY_TRY(ny_calibrated_losses(sel->ctx, &held, t->loss[c]));
    }
done:
    return st;
}

/* By how much the losses of b are larger than those of a, and the standard error of that: sum v_i d_i / sum v_i with
 * d_i = l_i(b) - l_i(a). Rows that are there more than once count once, as in ny_error_paired. b NULL: 0. */
static double behind(const contest *t, const double *b, const double *a, double *error) {
    double weight = 0, sum = 0, squares = 0;
    for (int64_t k = 0; k < t->n; k++) {
        double v = t->u[k] * t->u[k], d = b[k] - (a ? a[k] : 0);
        weight += v;
        sum += v * d;
        squares += v * d * d;
    }
    double mean = sum / weight, all = (double)t->rows->n;
    double judged = 1 - (double)t->rows->unjudged / all, distinct = 1 - (double)t->rows->repeats / all;
    *error = sqrt(fmax(squares / weight - mean * mean, 0) / ((double)t->n * judged * distinct));
    return mean;
}

/* Kernels of one kind, bounded or not, against the one that leads: the best of those that are better than the kernel in
 * place and than the leader by more than one standard error. */
static int64_t overtakes(const ny_setup *setup, const contest *t, bool bounded, int64_t place, int64_t leader) {
    int64_t best = leader;
    double error;
    for (int64_t c = 0; c < setup->kernels; c++) {
        if (!t->loss[c] || c == place || ny_kernel_bounded(setup->candidate[c]) != bounded) continue;
        bool better = behind(t, t->loss[place], t->loss[c], &error) > error;
        better = better && (leader == place || behind(t, t->loss[leader], t->loss[c], &error) > error);
        if (better && (best == leader || behind(t, t->loss[best], t->loss[c], &error) > 0)) best = c;
    }
    return best;
}

/* The least of the values tried where the champion is: with --search grid every C is a trial. */
static void tell(ny_selection *sel, const ny_kernel *kernel, const ny_champion *a, double loss) {
    ny_trial *told = NULL;
    for (int64_t i = 0; i < sel->found.trials; i++) {
        ny_trial *t = &sel->found.trial[i];
        bool there = t->kernel == kernel && t->bandwidth == a->bandwidth && t->rows == a->rows;
        if (there && (!told || t->value <= told->value)) told = t;
    }
    if (told) told->log_loss = loss;
}

ny_status ny_contest_hold(ny_selection *sel, ny_standings *out) {
    ny_status st = NY_OK;
    const ny_setup *setup = sel->setup;
    contest t = {0};
    double error;
    *out = (ny_standings){.winner = -1};
    for (int64_t c = 0; c < NY_KERNELS_MAX; c++) out->loss[c] = NAN;
    int64_t place = sel->found.best.valid ? ny_candidate(setup, sel->found.best.f.kernel.kernel) : -1;
    if (!ny_contested(setup) || place < 0) goto done;
    const ny_rows *rows = sel->found.best.rows < sel->rows->all.n ? &sel->cache.subset : &sel->rows->all;
    if (rows->n != sel->found.best.rows) goto done; /* in passes */
    NY_TRY(contest_new(sel, rows, &t));
    if (!t.loss[place]) goto done;                   /* its outputs are not known */
    bool all = sel->found.best.rows == sel->rows->n; /* more rows turn the order of bounded kernels round */
    int64_t leader = all ? overtakes(setup, &t, true, place, place) : place;
    out->winner = overtakes(setup, &t, false, place, leader);
    for (int64_t c = 0; c < setup->kernels; c++) {
        if (!t.loss[c]) continue;
        out->loss[c] = behind(&t, t.loss[c], NULL, &error);
        out->near[c] = behind(&t, t.loss[c], t.loss[out->winner], &error) <= error;
        if (!sel->now.stands_in) tell(sel, setup->candidate[c], &sel->found.champion[c], out->loss[c]);
    }
done:
    contest_clear(&t);
    return st;
}

ny_status ny_contest_settle(ny_selection *sel) {
    ny_status st = NY_OK;
    ny_standings s;
    ny_solution before = {0};
    ny_outcome *found = &sel->found;
    const ny_range *given = &sel->setup->bandwidth;
    if (!found->best.valid || found->best.rows != sel->rows->n) return NY_OK;
    NY_TRY(ny_contest_hold(sel, &s));
    if (s.winner < 0 || sel->setup->candidate[s.winner] == found->best.f.kernel.kernel) goto done;
    ny_point at = {sel->setup->candidate[s.winner], found->champion[s.winner].bandwidth, 0, 0};
    before = ny_solution_take(&found->best);
    found->work_total += ny_level_flops(sel, sel->rows->n, sel->plan.landmarks);
    NY_TRY(ny_evaluate(sel, sel->rows->n, sel->plan.landmarks, 1, &at));
    found->trial[found->trials - 1].log_loss = s.loss[s.winner];
    double x = log2(at.bandwidth);
    bool range = !given->is_auto && given->step > 0 && at.kernel->has_bandwidth;
    found->bandwidth_edge = !range ? 0 : x <= given->lo + 1e-9 ? -1 : x >= given->hi - 1e-9;
done:
    if (before.valid && !found->best.valid) found->best = ny_solution_take(&before);
    ny_solution_clear(&before);
    return st;
}

void ny_contest_clear(ny_selection *sel) {
    for (int64_t c = 0; c < NY_KERNELS_MAX; c++) {
        ny_free(sel->found.champion[c].F);
        sel->found.champion[c] = (ny_champion){0};
    }
}

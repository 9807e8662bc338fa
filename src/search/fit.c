/* fit.c: one point, start to finish: rows -> factor -> C by the criterion -> machine and its worth. */
#include "fit.h"

#include <math.h>
#include <string.h>

#include "group.h"
#include "held_error.h"
#include "linalg/linalg.h"

const ny_landmark_method *ny_method_for(const ny_selection *sel, int64_t m, int64_t n) {
    if (sel->setup->method) return sel->setup->method;
    return sel->plan.spanning && m >= sel->plan.spanning ? &ny_landmark_rpcholesky : ny_landmark_auto(m, n);
}

/* Total weight of a pair's rows, or of all (g = NULL). Every row is in classes - 1 pairs. */
static double weight_of(const ny_rows *rows, const ny_group *g) {
    double sum = 0;
    for (int64_t i = 0, n = g ? g->n : rows->n; i < n; i++) {
        double u = g ? g->u[i] : rows->u[i];
        sum += u * u;
    }
    return sum;
}

double ny_group_share(const ny_selection *sel, const ny_rows *rows, const ny_group *g) {
    if (ny_criterion_nats(sel->now.criterion)) return 1; /* log probabilities add up */
    if (g->q == sel->setup->outputs) return 1 / (double)sel->setup->outputs;
    return weight_of(rows, g) / (weight_of(rows, NULL) * (double)(sel->setup->classes - 1));
}

/* Coefficients on the training rows: alpha_i = C u_i (y_i - w'g_i - u_i b), all scaled by u.     docs/math.md, eq. 22
 */
static void expand(const ny_problem *P, const double *G, const ny_profile *profile, double *alpha) {
    int64_t n = P->n, q = P->q;
    ny_gemm(true, false, n, q, P->r, -1.0, G, P->r, profile->W, P->r, 0.0, alpha, n);
    for (int64_t j = 0; j < q; j++)
        for (int64_t i = 0; i < n; i++) {
            double e = P->Y[i + j * n] + alpha[i + j * n] - P->u[i] * profile->b[j];
            alpha[i + j * n] = profile->C[j] * P->u[i] * e;
        }
}

/* Machines of all rows only: the others are there to find them. */
static bool wants_posterior(const ny_selection *sel, const ny_rows *rows, const ny_factor *f) {
    return rows->n == sel->rows->n && (sel->setup->posterior == NY_POSTERIOR_YES ||
                                       (sel->setup->posterior == NY_POSTERIOR_SMALL && f->m <= NY_POSTERIOR_MOST));
}

/* map'kappa(Z,x) - mean = Q'g(x): the map of a posterior that has only Q so far. The constant feature, which is in no
 * kernel value, is part of the mean. */
static ny_status keep_posterior(ny_ctx *ctx, ny_factor *f, ny_posterior *p, ny_solution *s) {
    ny_status st = NY_OK;
    double *map = NULL;
    NY_NEW_RAW(ctx, map, ny_size3(f->m, f->r, 1));
    ny_factor_coefficients(f, f->r, p->map, map);
    for (int64_t k = 0; f->constant != 0 && k < f->r; k++) p->mean[k] -= f->constant * p->map[f->r - 1 + k * f->r];
    ny_free(p->map);
    p->map = map;
    p->m = f->m;
    s->posterior = *p;
    s->unseen = f->unseen;
    *p = (ny_posterior){0};
    f->unseen = NULL;
done:
    return st;
}

/* Where to look for C first. */
static const ny_hint *hint_for(const ny_selection *sel, const ny_point *point) {
    for (int64_t c = 0; c < sel->setup->kernels; c++)
        if (sel->setup->candidate[c] == point->kernel && sel->cache.hint[c].C) return &sel->cache.hint[c];
    return NULL;
}

/* By how much log2 C goes up with log2 of the bandwidth: as between the hint's machine and the one tried at the same
 * size that is next to it, on the point's side if there is one. 2 where there is none: the square is what a wide rbf
 * kernel of exact machines has at least. */
static double rise_of_C(const ny_selection *sel, const ny_hint *hint, const ny_point *point) {
    const ny_trial *next = NULL;
    double from = log2(hint->bandwidth), side = log2(point->bandwidth) - from, mean = 0, nearest = INFINITY;
    for (int64_t j = 0; j < sel->setup->outputs; j++) mean += log2(hint->C[j]) / (double)sel->setup->outputs;
    for (int64_t i = 0; i < sel->found.trials; i++) {
        const ny_trial *t = &sel->found.trial[i];
        double away = log2(t->bandwidth) - from, far = fabs(away) + (away * side < 0 ? 1 : 0);
        if (t->kernel == point->kernel && t->rows == hint->rows && fabs(away) > 0.1 && far < nearest)
            next = t, nearest = far;
    }
    if (!next) return 2;
    return fmax(0, fmin(8, (log2(next->C) - mean) / (log2(next->bandwidth) - from)));
}

/* The hint's C (for the group) at the point's bandwidth. */
static ny_status near_C(const ny_selection *sel, const ny_hint *hint, const ny_group *g, const ny_point *point,
                        double **C) {
    ny_status st = NY_OK;
    double ratio = point->bandwidth > 0 && hint->bandwidth > 0 ? point->bandwidth / hint->bandwidth : 1;
    double factor = ratio == 1 ? 1 : exp2(round(log2(ratio) * rise_of_C(sel, hint, point)));
    NY_NEW_RAW(sel->ctx, *C, g->q);
    for (int64_t j = 0; j < g->q; j++) (*C)[j] = hint->C[g->first + j] * factor;
done:
    return st;
}

typedef struct { /* one point at work */
    const ny_selection *sel;
    int64_t learnt;      /* rows that are learnt from */
    const ny_rows *rows; /* they, and behind them those of a validation set */
    ny_rows both;        /* the same, where there is one */
    const ny_point *point;
    ny_kernel_params kernel;
    ny_criterion_kind kind; /* how the criterion judges it */
    ny_factor factor;
    double *spectrum; /* 2 x landmarks drawn, where the criterion wants it and they are not all rows */
    double *W;        /* r x outputs */
} fitting;

/* The outputs of a group into the solution. */
static void take_group(const fitting *a, const ny_group *g, const ny_profile *profile, ny_solution *s) {
    const ny_selection *sel = a->sel;
    const ny_rows *rows = a->rows;
    const ny_factor *f = &a->factor;
    bool pair = g->q < sel->setup->outputs;
    s->observations += (double)(g->n * g->q);
    s->effort.steps += profile->effort.steps;
    s->effort.moved += profile->effort.moved * (double)g->q / (double)sel->setup->outputs;
    s->effort.gap = fmax(s->effort.gap, profile->effort.gap);
    if (profile->edge) s->C_edge = profile->edge;
    double share = ny_group_share(sel, rows, g);
    memcpy(a->W + g->first * f->r, profile->W, (size_t)(f->r * g->q) * sizeof *a->W);
    for (int64_t j = 0; j < g->q; j++) {
        int64_t to = g->first + j;
        s->C[to] = profile->C[j];
        s->f.b[to] = profile->b[j];
        if (s->level) s->level[to] = profile->level[j];
        s->value += profile->loss[j] * share;
        s->least += profile->least[j] * share;
        if (profile->effort.objective) s->effort.objective[to] = profile->effort.objective[j];
        /* A row outside a pair was not seen by it: the pair's own machine speaks for it. */
        if (pair) ny_gemv(true, f->r, rows->n, 1.0, f->G, f->ldg, profile->W, 0.0, s->held + to * rows->n);
        for (int64_t i = 0; pair && i < rows->n; i++) s->held[i + to * rows->n] += profile->b[j];
        for (int64_t i = 0; i < g->n; i++)
            s->held[(g->member ? g->member[i] : i) + to * rows->n] = profile->held[i + j * g->n];
    }
}

/* Runs the criterion for one group, and puts its outputs into the solution. */
static ny_status solve_group(fitting *a, ny_group *g, ny_solution *s, ny_profile *profile) {
    const ny_selection *sel = a->sel;
    const ny_rows *rows = a->rows;
    ny_factor *f = &a->factor;
    ny_status st = NY_OK;
    bool pair = g->q < sel->setup->outputs, training = sel->setup->options->expansion == NY_EXPANSION_TRAINING;
    double *copy = NULL, *near = NULL;
    const ny_hint *hint = hint_for(sel, a->point);
    NY_TRY(ny_group_make(sel->ctx, &sel->now, rows, f, g));
    if (hint) NY_TRY(near_C(sel, hint, g, a->point, &near));
    ny_problem problem = ny_group_problem(&sel->now, f, g);
    problem.keep = wants_posterior(sel, rows, f);
    problem.moved = hint ? hint->moved : 0;
    problem.hurry.passing = a->learnt < sel->rows->n;
    bool rival = sel->found.best.valid && sel->found.best.rows == a->learnt && sel->found.best.asked == s->asked;
    problem.hurry.beat = rival ? sel->found.best.value : INFINITY;
    problem.spectrum.diag = a->spectrum;
    problem.spectrum.off = a->spectrum ? a->spectrum + ny_factor_drawn(f) : NULL;
    if (training || ny_criterion_true_kernel(sel->now.criterion)) {
        problem.kernel = &a->kernel;
        problem.X = &rows->X;
    }
    if (training) {
        NY_NEW_RAW(sel->ctx, copy, ny_size3(f->r, g->n, 1)); /* the criterion may overwrite G */
        for (int64_t i = 0; i < g->n; i++) memcpy(copy + i * f->r, g->G + i * g->ldg, (size_t)f->r * sizeof *copy);
    }
    ny_profile_spec spec = {.criterion = sel->now.criterion,
                            .kind = a->kind,
                            .C = ny_point_C(sel->setup, a->point),
                            .C_each = sel->setup->C_each ? sel->setup->C_each + g->first : NULL,
                            .on_error = ny_setup_C_on_error(sel->setup),
                            .least = ny_setup_C_on_error(sel->setup) && !ny_setup_on_error(sel->setup),
                            .C_near = near,
                            .stood_in = hint && hint->stood_in,
                            .smaller = hint && hint->rows < a->learnt && hint->bandwidth == a->point->bandwidth,
                            .lambda_min = sel->setup->options->lambda_min,
                            .unit = sel->now.unit,
                            .classes = pair ? 2 : sel->setup->classes,
                            .code = g->code,
                            .coding = sel->setup->coding,
                            .posterior = problem.keep};
    NY_TRY(ny_profile_make(sel->ctx, &problem, &spec, profile));
    take_group(a, g, profile, s);
    if (training) expand(&problem, copy, profile, s->f.beta);
done:
    ny_free(copy);
    ny_free(near);
    return st;
}

static ny_status solution_room(const ny_selection *sel, int64_t points, int64_t n, ny_solution *s) {
    ny_status st = NY_OK;
    int64_t q = sel->setup->outputs;
    NY_NEW_RAW(sel->ctx, s->C, q);
    NY_NEW_RAW(sel->ctx, s->f.b, q);
    NY_NEW_RAW(sel->ctx, s->f.beta, ny_size3(points, q, 1));
    NY_NEW_RAW(sel->ctx, s->held, ny_size3(n, q, 1));
    if (ny_setup_iterates(&sel->now)) NY_NEW(sel->ctx, s->effort.objective, q);
    if (sel->now.criterion->value && sel->now.criterion->value->levels) NY_NEW_RAW(sel->ctx, s->level, q);
done:
    return st;
}

ny_status ny_point_factor(const ny_selection *sel, const ny_rows *rows, const ny_landmarks *given, int64_t landmarks,
                          const ny_kernel_params *kernel, ny_factor *factor) {
    ny_factor_spec spec = {ny_method_for(sel, landmarks, rows->n),
                           given,
                           rows->code,
                           sel->setup->classes,
                           rows->id,
                           landmarks,
                           sel->plan.rank,
                           sel->setup->options->rank_tol,
                           sel->setup->seed,
                           ny_bias_feature(sel->setup->rho),
                           sel->setup->options->rank_floor};
    if (sel->cache.eigen && sel->cache.eigen->T)
        return ny_factor_cut(sel->ctx, kernel, &rows->X, sel->cache.eigen, &spec, factor);
    return ny_factor_make(sel->ctx, kernel, &rows->X, &spec, factor);
}

/* Features of the validation set, behind those of the rows, and its targets behind theirs. */
static ny_status add_validation(fitting *a) {
    ny_status st = NY_OK;
    ny_ctx *ctx = a->sel->ctx;
    ny_factor *f = &a->factor;
    const ny_rows *validation = &a->sel->rows->validation;
    double *G = NULL;
    NY_TRY(ny_rows_join(ctx, &a->sel->now, a->rows, validation, &a->both));
    NY_NEW_RAW(ctx, G, ny_size3(f->r, a->both.n, 1));
    for (int64_t i = 0; i < a->learnt; i++) memcpy(G + i * f->r, f->G + i * f->ldg, (size_t)f->r * sizeof *G);
    NY_TRY(ny_factor_rows(ctx, f, &a->kernel, &validation->X, G + a->learnt * f->r));
    ny_free(f->G);
    f->G = G;
    f->ldg = f->r;
    G = NULL;
    a->rows = &a->both;
done:
    ny_free(G);
    return st;
}

/* Of the held-out outputs those of the validation set alone. */
static void keep_judged(const fitting *a, int64_t judged, ny_solution *s) {
    for (int64_t j = 0; j < a->sel->setup->outputs; j++)
        memmove(s->held + j * judged, s->held + j * a->rows->n + a->learnt, (size_t)judged * sizeof *s->held);
}

/* The spectrum of the landmarks' own kernel matrix. */
static ny_status add_spectrum(fitting *a) {
    ny_status st = NY_OK;
    int64_t drawn = ny_factor_drawn(&a->factor);
    NY_NEW_RAW(a->sel->ctx, a->spectrum, 2 * drawn);
    NY_TRY(ny_factor_spectrum(a->sel->ctx, &a->factor, &a->kernel, a->sel->setup->rho == 0, a->spectrum,
                              a->spectrum + drawn));
done:
    return st;
}

/* The landmarks move into the solution: as the points of its expansion, unless these are the training rows. */
static void take_landmarks(ny_factor *factor, bool training, ny_solution *s) {
    *(training ? &s->low.apart : &s->f.Z) = factor->Z;
    s->low.weight = factor->weight;
    s->low.redundant = factor->redundant;
    factor->Z = factor->redundant = (ny_matrix){0};
    factor->weight = NULL;
}

ny_status ny_fit(const ny_selection *sel, const ny_rows *rows, const ny_landmarks *given, int64_t landmarks,
                 const ny_point *point, ny_solution *s, ny_profile *profile) {
    ny_status st = NY_OK;
    ny_ctx *ctx = sel->ctx;
    int64_t q = sel->setup->outputs;
    bool pairs = ny_setup_pairs(sel->setup);
    bool training = sel->setup->options->expansion == NY_EXPANSION_TRAINING;
    fitting a = {
        .sel = sel, .learnt = rows->n, .rows = rows, .point = point, .kernel = ny_point_kernel(sel->setup, point)};
    ny_factor *factor = &a.factor;
    ny_group g = {0};
    ny_error_sums sums = {0};
    if (ny_should_stop(ctx)) return NY_STOPPED;
    ny_cut_before before = ny_cut_begin(ctx);
    bool exact = landmarks >= rows->n && ny_kernel_span(ny_kernel_dimension(&a.kernel, rows->X.d), rows->n) >= rows->n;
    bool of_kernel = exact && point->C == 0 && ny_by_kernel(&sel->now, rows->n, rows->n == sel->rows->n);
    NY_TRY(of_kernel ? ny_factor_kernel(ctx, &a.kernel, &rows->X, factor)
                     : ny_point_factor(sel, rows, given, landmarks, &a.kernel, factor));
    *s = (ny_solution){.f = {.kernel = a.kernel, .outputs = q},
                       .rows = rows->n,
                       .asked = landmarks,
                       .landmarks = factor->m,
                       .rank = ny_factor_rank(factor),
                       .low = {.kept = factor->kept, .missing = factor->missing, .seconds = factor->seconds}};
    if (ny_judged_rows(sel, rows) != rows) NY_TRY(add_validation(&a));
    NY_TRY(solution_room(sel, training ? rows->n : factor->m, a.rows->n, s));
    NY_NEW_RAW(ctx, a.W, ny_size3(factor->r, q, 1));
    if (ny_criterion_spectrum(sel->setup->criterion) && (landmarks < rows->n || ny_selection_cuts(sel)))
        NY_TRY(add_spectrum(&a));
    a.kind = of_kernel ? NY_OF_KERNEL : ny_setup_kind(&sel->now);
    for (int64_t first = 0; first < q; first += g.q) {
        if (ny_should_stop(ctx)) NY_FAIL(ctx, NY_STOPPED, "stopped");
        ny_group_clear(&g);
        ny_profile_clear(profile);
        g = (ny_group){.first = first, .q = pairs ? 1 : q};
        NY_TRY(solve_group(&a, &g, s, profile));
    }
    if (pairs) profile->tried = 0; /* each pair has its own ladder: there is no common list to report */
    const ny_rows *judged = ny_judged_rows(sel, rows);
    if (judged != rows) keep_judged(&a, judged->n, s);
    NY_TRY(ny_error_add(ctx, &sel->now, judged, s->held, &sums));
    ny_error_end(&sel->now, &sums, s);
    if (!training) ny_factor_coefficients(factor, q, a.W, s->f.beta);
    ny_factor_bias(factor, q, a.W, s->f.b);
    if (profile->posterior.r) NY_TRY(keep_posterior(ctx, factor, &profile->posterior, s));
    if (sel->cache.eigen && !sel->cache.eigen->T) NY_TRY(ny_factor_keep(ctx, factor, sel->cache.eigen));
    if (training) NY_TRY(ny_matrix_copy(ctx, &rows->X, &s->f.Z));
    take_landmarks(factor, training, s);
    s->valid = true;
done:
    ny_group_clear(&g);
    ny_factor_clear(factor);
    ny_rows_clear(&a.both);
    ny_free(a.W);
    ny_free(a.spectrum);
    if (ny_cut_end(before)) st = NY_STOPPED; /* also where what was left out looks like a failure */
    return st;
}

/* fit.c: one point, start to finish: rows -> factor -> C by the criterion -> machine and its worth. */
#include "fit.h"

#include <math.h>
#include <string.h>

#include "base/mean_limits.h"
#include "group.h"
#include "linalg/linalg.h"

ny_kernel_params ny_point_kernel(const ny_selection *sel, const ny_point *point) {
    ny_kernel_params kernel = sel->kernel;
    kernel.kernel = point->kernel;
    kernel.bandwidth = point->bandwidth;
    return kernel;
}

const ny_landmark_method *ny_method_for(const ny_selection *sel, int64_t m, int64_t n) {
    if (sel->method) return sel->method;
    return sel->span && m >= sel->span ? &ny_landmark_rpcholesky : ny_landmark_auto(m, n);
}

ny_range ny_point_C(const ny_selection *sel, const ny_point *point) {
    double C = point->C;
    return C > 0 ? (ny_range){.lo = log2(C), .hi = log2(C), .single = C} : sel->options->C;
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
    return rows->n == sel->n &&
           (sel->posterior == NY_POSTERIOR_YES || (sel->posterior == NY_POSTERIOR_SMALL && f->m <= NY_POSTERIOR_MOST));
}

/* map'kappa(Z,x) = Q'g(x): the map of a posterior that has only Q so far. */
static ny_status keep_posterior(ny_ctx *ctx, ny_factor *f, ny_posterior *p, ny_solution *s) {
    ny_status st = NY_OK;
    double *map = NULL;
    NY_NEW_RAW(ctx, map, ny_size3(f->m, f->r, 1));
    ny_factor_coefficients(f, f->r, p->map, map);
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

bool ny_wants_kernel(const ny_options *o) {
    bool cut = o->rank || ny_options_given(o, "rank-tol"); /* which the kernel matrix itself cannot be */
    return ny_criterion_loo_asked(o) && ny_is(o->search, "profile") && o->C.is_auto && !cut &&
           o->expansion != NY_EXPANSION_TRAINING && o->select_on != NY_SELECT_ON_ERROR;
}

bool ny_by_kernel(const ny_selection *sel, int64_t rows) {
    bool plain = ny_wants_kernel(sel->options) && !sel->C_each && !ny_is_pairs(sel->coding.method, sel->classes);
    bool posterior = sel->posterior != NY_POSTERIOR_NO && rows == sel->n;
    bool known = ny_criterion_now(sel)->kernel && ny_kind_now(sel) == NY_CLOSED_FORM;
    return plain && rows <= NY_KERNEL_MOST && known && (sel->outputs == 1 || !posterior);
}

/* Where to look for C first. */
static const ny_hint *hint_for(const ny_selection *sel, const ny_point *point) {
    for (int64_t c = 0; c < sel->kernels; c++)
        if (sel->candidate[c] == point->kernel && sel->hint[c].C) return &sel->hint[c];
    return NULL;
}

/* By how much log2 C goes up with log2 of the bandwidth: as between the hint's machine and the one tried at the same
 * size that is next to it, on the point's side if there is one. 2 where there is none: the square is what a wide rbf
 * kernel of exact machines has at least. */
static double rise_of_C(const ny_selection *sel, const ny_hint *hint, const ny_point *point) {
    const ny_trial *next = NULL;
    double from = log2(hint->bandwidth), side = log2(point->bandwidth) - from, mean = 0, nearest = INFINITY;
    for (int64_t j = 0; j < sel->outputs; j++) mean += log2(hint->C[j]) / (double)sel->outputs;
    for (int64_t i = 0; i < sel->trials; i++) {
        const ny_trial *t = &sel->trial[i];
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

/* The outputs of a group into the solution. W: r x outputs. */
static void take_group(const ny_selection *sel, const ny_rows *rows, const ny_factor *f, const ny_group *g,
                       const ny_profile *profile, double *W, ny_solution *s) {
    bool pair = g->q < sel->outputs;
    s->observations += (double)(g->n * g->q);
    s->effort.steps += profile->effort.steps;
    s->effort.moved += profile->effort.moved * (double)g->q / (double)sel->outputs;
    s->effort.gap = fmax(s->effort.gap, profile->effort.gap);
    if (profile->edge) s->C_edge = profile->edge;
    double share = 1 / (double)sel->outputs;                 /* of the value: equal, or of a pair by its rows */
    if (ny_criterion_nats(ny_criterion_now(sel))) share = 1; /* log probabilities add up */
    else if (pair) share = weight_of(rows, g) / (weight_of(rows, NULL) * (double)(sel->classes - 1));
    memcpy(W + g->first * f->r, profile->W, (size_t)(f->r * g->q) * sizeof *W);
    for (int64_t j = 0; j < g->q; j++) {
        int64_t to = g->first + j;
        s->C[to] = profile->C[j];
        s->f.b[to] = profile->b[j];
        s->value += profile->loss[j] * share;
        if (profile->effort.objective) s->effort.objective[to] = profile->effort.objective[j];
        /* A row outside a pair was not seen by it: the pair's own machine speaks for it. */
        if (pair) ny_gemv(true, f->r, rows->n, 1.0, f->G, f->ldg, profile->W, 0.0, s->held + to * rows->n);
        for (int64_t i = 0; pair && i < rows->n; i++) s->held[i + to * rows->n] += profile->b[j];
        for (int64_t i = 0; i < g->n; i++)
            s->held[(g->member ? g->member[i] : i) + to * rows->n] = profile->held[i + j * g->n];
    }
}

/* Runs the criterion for one group, and puts its outputs into the solution. W is r x
 * outputs. */
static ny_status solve_group(ny_selection *sel, const ny_rows *rows, const ny_kernel_params *kernel, ny_factor *f,
                             const double *spectrum, ny_criterion_kind kind, const ny_point *point, ny_group *g,
                             double *W, ny_solution *s, ny_profile *profile) {
    ny_status st = NY_OK;
    bool pair = g->q < sel->outputs, training = sel->options->expansion == NY_EXPANSION_TRAINING;
    double *copy = NULL, *near = NULL;
    const ny_hint *hint = hint_for(sel, point);
    NY_TRY(ny_group_make(sel, rows, f, g));
    if (hint) NY_TRY(near_C(sel, hint, g, point, &near));
    ny_problem problem = ny_group_problem(sel, f, g);
    problem.keep = wants_posterior(sel, rows, f);
    problem.moved = hint ? hint->moved : 0;
    problem.passing = rows->n < sel->n;
    bool rival = sel->best.valid && sel->best.rows == rows->n && sel->best.asked == s->asked;
    problem.beat = rival ? sel->best.value : INFINITY;
    problem.landmark_diag = spectrum;
    problem.landmark_off = spectrum ? spectrum + f->m : NULL;
    if (training) {
        problem.kernel = kernel;
        problem.X = &rows->X;
        NY_NEW_RAW(sel->ctx, copy, ny_size3(f->r, g->n, 1)); /* the criterion may overwrite G */
        for (int64_t i = 0; i < g->n; i++) memcpy(copy + i * f->r, g->G + i * g->ldg, (size_t)f->r * sizeof *copy);
    }
    ny_profile_spec spec = {.criterion = ny_criterion_now(sel),
                            .kind = kind,
                            .C = ny_point_C(sel, point),
                            .C_each = sel->C_each ? sel->C_each + g->first : NULL,
                            .on_error = sel->classes && sel->options->select_on == NY_SELECT_ON_ERROR,
                            .C_near = near,
                            .rough = hint && hint->rough,
                            .smaller = hint && hint->rows < rows->n && hint->bandwidth == point->bandwidth,
                            .unit = sel->rough ? 1 : sel->unit,
                            .classes = pair ? 2 : sel->classes,
                            .code = g->code,
                            .coding = sel->coding,
                            .posterior = problem.keep};
    NY_TRY(ny_profile_make(sel->ctx, &problem, &spec, profile));
    take_group(sel, rows, f, g, profile, W, s);
    if (training) expand(&problem, copy, profile, s->f.beta);
done:
    ny_free(copy);
    ny_free(near);
    return st;
}

ny_row_loss ny_loss_of_row(const ny_selection *sel, const ny_rows *rows, const double *F, int64_t i, double *row) {
    ny_row_loss l = {0};
    double part = 0, excess = 0;
    for (int64_t j = 0; j < sel->outputs; j++) {
        double y = ny_target(sel, rows, i, j);
        row[j] = F[i + j * rows->n];
        if (y == 0 && sel->classes) continue;
        l.squared += (y - row[j]) * (y - row[j]);
        if (sel->loss && !sel->rough) l.own += ny_loss_value(&sel->loss[j], y, row[j]);
        if (rows->excess && !sel->rough) excess += rows->excess[i + j * rows->n];
        part++;
    }
    if (part > 0) l.squared /= part, l.own /= part, excess /= part;
    if (!sel->loss || sel->rough) l.own = l.squared;
    if (sel->classes) l.error = ny_codes_decide(sel->coding, sel->classes, row) != rows->code[i];
    else l.error = sel->machine->loss->quantiles ? l.own : l.squared;
    l.own -= excess;
    return l;
}

ny_status ny_error_add(const ny_selection *sel, const ny_rows *rows, const double *F, ny_error_sums *sums) {
    ny_status st = NY_OK;
    double *row = NULL, *together = NULL;
    NY_NEW_RAW(sel->ctx, row, sel->outputs);
    NY_NEW(sel->ctx, together, sel->copies);
    for (int64_t i = 0; i < rows->n; i++)
        if (rows->copy && rows->copy[i] >= 0) together[rows->copy[i]] += rows->u[i] * rows->u[i];
    for (int64_t i = 0; i < rows->n; i++) {
        double v = rows->u[i] * rows->u[i];
        ny_row_loss l = ny_loss_of_row(sel, rows, F, i, row);
        sums->weight += v;
        /* A row that is there ten times tells what it tells once, with ten times the weight. */
        sums->weight_squares += v * (rows->copy && rows->copy[i] >= 0 ? together[rows->copy[i]] : v);
        sums->loss += v * l.error;
        sums->loss_squares += v * l.error * l.error;
        sums->squares += v * l.squared;
        sums->value += v * l.own;
        sums->value_squares += v * l.own * l.own;
    }
    sums->rows += rows->n;
done:
    ny_free(row);
    ny_free(together);
    return st;
}

ny_status ny_error_paired(const ny_selection *sel, const ny_rows *rows, const double *F, const double *H, bool by_error,
                          double *error) {
    ny_status st = NY_OK;
    double *row = NULL, weight = 0, sum = 0, squares = 0;
    NY_NEW_RAW(sel->ctx, row, sel->outputs);
    for (int64_t i = 0; i < rows->n; i++) {
        double v = rows->u[i] * rows->u[i];
        ny_row_loss f = ny_loss_of_row(sel, rows, F, i, row), h = ny_loss_of_row(sel, rows, H, i, row);
        double d = by_error ? f.error - h.error : f.own - h.own;
        weight += v;
        sum += v * d;
        squares += v * d * d;
    }
    double mean = sum / weight;
    *error = sqrt(fmax(squares / weight - mean * mean, 0) / (double)(rows->n - rows->repeats));
done:
    ny_free(row);
    return st;
}

/* Misclassification rate, RMSE or mean pinball loss, with its standard error (delta method for the RMSE), and the
 * standard error of the mean loss.                                                          docs/math.md, eq. 20 */
void ny_error_end(const ny_selection *sel, const ny_error_sums *sums, ny_solution *s) {
    double n = sums->weight * sums->weight / sums->weight_squares; /* rows of equal weight that tell as much */
    double mean = sums->loss / sums->weight, value = sums->value / sums->weight;
    double spread = sqrt(fmax(sums->loss_squares / sums->weight - mean * mean, 0) / n);
    s->value_error = sqrt(fmax(sums->value_squares / sums->weight - value * value, 0) / n);
    bool root = !sel->classes && !sel->machine->loss->quantiles;
    s->squared_error = sums->squares / sums->weight;
    s->error = root ? sqrt(mean) : mean;
    s->std_error = sel->classes ? ny_share_error(mean, n) : !root ? spread : mean > 0 ? spread / (2 * sqrt(mean)) : NAN;
}

static ny_status solution_room(const ny_selection *sel, int64_t points, int64_t n, ny_solution *s) {
    ny_status st = NY_OK;
    int64_t q = sel->outputs;
    NY_NEW_RAW(sel->ctx, s->C, q);
    NY_NEW_RAW(sel->ctx, s->f.b, q);
    NY_NEW_RAW(sel->ctx, s->f.beta, ny_size3(points, q, 1));
    NY_NEW_RAW(sel->ctx, s->held, ny_size3(n, q, 1));
    if (ny_kind_now(sel) == NY_ITERATIVE) NY_NEW(sel->ctx, s->effort.objective, q);
done:
    return st;
}

ny_status ny_point_factor(const ny_selection *sel, const ny_rows *rows, const ny_landmarks *given, int64_t landmarks,
                          const ny_kernel_params *kernel, ny_factor *factor) {
    if (sel->eigen && sel->eigen->T) return ny_factor_cut(sel->ctx, kernel, &rows->X, sel->eigen, sel->rank, factor);
    ny_factor_spec spec = {ny_method_for(sel, landmarks, rows->n),
                           given,
                           rows->code,
                           sel->classes,
                           rows->id,
                           landmarks,
                           sel->rank,
                           sel->options->rank_tol,
                           sel->seed};
    return ny_factor_make(sel->ctx, kernel, &rows->X, &spec, factor);
}

ny_status ny_fit(ny_selection *sel, const ny_rows *rows, const ny_landmarks *given, int64_t landmarks,
                 const ny_point *point, ny_solution *s, ny_profile *profile, double *seconds) {
    ny_status st = NY_OK;
    ny_ctx *ctx = sel->ctx;
    int64_t q = sel->outputs;
    bool pairs = ny_is_pairs(sel->coding.method, sel->classes);
    bool training = sel->options->expansion == NY_EXPANSION_TRAINING;
    ny_factor factor = {0};
    ny_group g = {0};
    ny_error_sums sums = {0};
    double *W = NULL, *spectrum = NULL;
    if (ny_should_stop(ctx)) return NY_STOPPED;
    ny_cut_before before = ny_cut_begin(ctx);
    ny_kernel_params kernel = ny_point_kernel(sel, point);
    bool exact = landmarks >= rows->n && ny_kernel_span(ny_kernel_dimension(&kernel, rows->X.d), rows->n) >= rows->n;
    bool of_kernel = exact && point->C == 0 && ny_by_kernel(sel, rows->n);
    NY_TRY(of_kernel ? ny_factor_kernel(ctx, &kernel, &rows->X, &factor)
                     : ny_point_factor(sel, rows, given, landmarks, &kernel, &factor));
    *seconds = factor.seconds;
    *s = (ny_solution){.f = {.kernel = kernel, .outputs = q},
                       .rows = rows->n,
                       .asked = landmarks,
                       .landmarks = factor.m,
                       .rank = factor.r,
                       .kernel_kept = factor.kept,
                       .missing = factor.missing};
    NY_TRY(solution_room(sel, training ? rows->n : factor.m, rows->n, s));
    NY_NEW_RAW(ctx, W, ny_size3(factor.r, q, 1));
    if (ny_criterion_spectrum(sel->criterion)) {
        NY_NEW_RAW(ctx, spectrum, 2 * factor.m);
        NY_TRY(ny_factor_spectrum(ctx, &factor, &kernel, sel->machine->bias, spectrum, spectrum + factor.m));
    }
    ny_criterion_kind kind = of_kernel ? NY_OF_KERNEL : ny_kind_now(sel);
    for (int64_t first = 0; first < q; first += g.q) {
        if (ny_should_stop(ctx)) NY_FAIL(ctx, NY_STOPPED, "stopped");
        ny_group_clear(&g);
        ny_profile_clear(profile);
        g = (ny_group){.first = first, .q = pairs ? 1 : q};
        NY_TRY(solve_group(sel, rows, &kernel, &factor, spectrum, kind, point, &g, W, s, profile));
    }
    if (pairs) profile->tried = 0; /* each pair has its own ladder: there is no common list to report */
    NY_TRY(ny_error_add(sel, rows, s->held, &sums));
    ny_error_end(sel, &sums, s);
    if (!training) ny_factor_coefficients(&factor, q, W, s->f.beta);
    if (profile->posterior.r) NY_TRY(keep_posterior(ctx, &factor, &profile->posterior, s));
    if (sel->eigen && !sel->eigen->T) NY_TRY(ny_factor_keep(ctx, &factor, sel->eigen));
    if (training) NY_TRY(ny_matrix_copy(ctx, &rows->X, &s->f.Z));
    *(training ? &s->apart : &s->f.Z) = factor.Z;
    s->weight = factor.weight;
    factor.Z = (ny_matrix){0};
    factor.weight = NULL;
    s->valid = true;
done:
    ny_group_clear(&g);
    ny_factor_clear(&factor);
    ny_free(W);
    ny_free(spectrum);
    if (ny_cut_end(before)) st = NY_STOPPED; /* also where what was left out looks like a failure */
    return st;
}

/* evaluate.c: one bandwidth, start to finish: rows -> factor -> C by the criterion -> machine and its worth. */
#include <math.h>
#include <string.h>

#include "base/threads.h"
#include "data/folds.h"
#include "linalg/linalg.h"
#include "search.h"

void ny_rows_clear(ny_rows *rows) {
    if (!rows->whole) ny_matrix_clear(&rows->X);
    ny_free(rows->code);
    ny_free(rows->u);
    ny_free(rows->Y);
    ny_free(rows->fold);
    *rows = (ny_rows){0};
}

void ny_solution_clear(ny_solution *s) {
    ny_free(s->C);
    ny_free(s->b);
    ny_matrix_clear(&s->Z);
    ny_free(s->beta);
    ny_free(s->held);
    *s = (ny_solution){0};
}

void ny_selection_clear(ny_selection *sel) {
    ny_rows_clear(&sel->all);
    ny_rows_clear(&sel->subset);
    ny_matrix_clear(&sel->common);
    ny_solution_clear(&sel->best);
    ny_free(sel->trial);
    sel->trial = NULL;
}

/* The first call for a size draws a stratified sample; the same size again finds it there. */
static ny_status rows_of_level(ny_selection *sel, int64_t count, const ny_rows **out) {
    ny_status st = NY_OK;
    ny_ctx *ctx = sel->ctx;
    const ny_rows *all = &sel->all;
    ny_rows *to = &sel->subset;
    int64_t q = sel->outputs, *rows = NULL;
    *out = count < all->n ? to : all;
    if (count >= all->n || to->n == count) return NY_OK;
    ny_rows_clear(to);
    NY_NEW_RAW(ctx, rows, count);
    NY_TRY(ny_rows_sample(ctx, all->n, all->code, sel->classes, count, sel->seed, rows));
    NY_TRY(ny_matrix_gather(ctx, &all->X, rows, count, &to->X));
    if (all->code) NY_NEW_RAW(ctx, to->code, count);
    if (all->fold) NY_NEW_RAW(ctx, to->fold, count);
    NY_NEW_RAW(ctx, to->u, count);
    NY_NEW_RAW(ctx, to->Y, ny_size3(count, q, 1));
    for (int64_t i = 0; i < count; i++) { /* rows ascend, so the order by fold is kept */
        if (all->code && to->code) to->code[i] = all->code[rows[i]];
        if (all->fold && to->fold) to->fold[i] = all->fold[rows[i]];
        to->u[i] = all->u[rows[i]];
        for (int64_t j = 0; j < q; j++) to->Y[i + j * count] = all->Y[rows[i] + j * all->n];
    }
    to->weighted = all->weighted;
    to->n = count;
done:
    ny_free(rows);
    if (st != NY_OK) ny_rows_clear(to);
    return st;
}

static ny_kernel_params kernel_at(const ny_selection *sel, const ny_point *point) {
    ny_kernel_params kernel = sel->kernel;
    kernel.kernel = point->kernel;
    kernel.bandwidth = point->bandwidth;
    return kernel;
}

/* Z becomes the landmarks that all points of this level share, or NULL at full size. */
static ny_status common_landmarks(ny_selection *sel, const ny_rows *rows, int64_t landmarks, const ny_matrix **Z) {
    ny_status st = NY_OK;
    ny_kernel_side side = {0};
    ny_landmarks chosen = {0};
    *Z = NULL;
    bool full = rows == &sel->all && landmarks >= sel->landmarks;
    if (landmarks >= rows->n || (sel->method->by_kernel && (full || !sel->reference.kernel))) return NY_OK;
    if (sel->common_rows != rows->n || sel->common_landmarks != landmarks) {
        ny_kernel_params kernel = kernel_at(sel, &sel->reference);
        ny_landmark_spec spec = {&kernel,  &side, rows->code, sel->classes, landmarks, sel->options->rank_tol,
                                 sel->seed};
        NY_TRY(ny_kernel_prepare(sel->ctx, &rows->X, true, &side));
        NY_TRY(sel->method->choose(sel->ctx, &spec, &chosen));
        ny_matrix_clear(&sel->common);
        sel->common = chosen.Z;
        chosen.Z = (ny_matrix){0};
        sel->common_rows = rows->n;
        sel->common_landmarks = landmarks;
    }
    *Z = &sel->common;
done:
    ny_kernel_release(&side);
    ny_landmarks_clear(&chosen);
    return st;
}

/* A group is a set of outputs that learn from the same rows: all outputs, or one of one-vs-one. */
typedef struct {
    int64_t first, q, n; /* outputs first .. first+q; n member rows */
    int64_t *member;     /* n row numbers; NULL: all rows */
    double *G, *u, *Y;   /* gathered and scaled; G is the factor's own where member is NULL */
    int64_t ldg;
    int64_t *fold_start;
    int32_t *code; /* one-vs-one: 0/1 within the pair */
} group;

static void group_clear(group *g) {
    if (g->member) {
        ny_free(g->G);
        ny_free(g->u);
        ny_free(g->code);
    }
    ny_free(g->member);
    ny_free(g->Y);
    ny_free(g->fold_start);
    *g = (group){0};
}

static ny_status fold_starts(ny_ctx *ctx, const ny_rows *rows, int64_t folds, group *g) {
    ny_status st = NY_OK;
    NY_NEW(ctx, g->fold_start, folds + 1);
    for (int64_t i = 0; i < g->n; i++) g->fold_start[rows->fold[g->member ? g->member[i] : i] + 1]++;
    for (int64_t f = 0; f < folds; f++) g->fold_start[f + 1] += g->fold_start[f];
done:
    return st;
}

/* Members are the rows whose class takes part in the output; their columns of G are copied, as a criterion may
 * overwrite them and other pairs need them too. */
static ny_status gather_pair(ny_selection *sel, const ny_rows *rows, const ny_factor *f, group *g) {
    ny_status st = NY_OK;
    ny_ctx *ctx = sel->ctx;
    const double *y = rows->Y + g->first * rows->n;
    for (int64_t i = 0; i < rows->n; i++) g->n += y[i] != 0;
    NY_NEW_RAW(ctx, g->member, g->n);
    NY_NEW_RAW(ctx, g->u, g->n);
    NY_NEW_RAW(ctx, g->code, g->n);
    NY_NEW_RAW(ctx, g->G, ny_size3(f->r, g->n, 1));
    g->ldg = f->r;
    for (int64_t i = 0, k = 0; i < rows->n; i++) {
        if (y[i] == 0) continue;
        g->member[k] = i;
        g->u[k] = rows->u[i];
        g->code[k] = y[i] > 0;
        memcpy(g->G + k++ * f->r, f->G + i * f->ldg, (size_t)f->r * sizeof *g->G);
    }
done:
    return st;
}

static ny_status group_make(ny_selection *sel, const ny_rows *rows, ny_factor *f, group *g) {
    ny_status st = NY_OK;
    if (g->q < sel->outputs) {
        NY_TRY(gather_pair(sel, rows, f, g));
    } else {
        g->n = rows->n;
        g->G = f->G;
        g->ldg = f->ldg;
        g->u = rows->u;
        g->code = rows->code;
    }
    NY_NEW_RAW(sel->ctx, g->Y, ny_size3(g->n, g->q, 1));
    for (int64_t j = 0; j < g->q; j++)
        for (int64_t i = 0; i < g->n; i++)
            g->Y[i + j * g->n] = g->u[i] * rows->Y[(g->member ? g->member[i] : i) + (g->first + j) * rows->n];
    for (int64_t i = 0; rows->weighted && i < g->n; i++)
        for (int64_t k = 0; k < f->r; k++) g->G[k + i * g->ldg] *= g->u[i];
    if (sel->criterion->folds) NY_TRY(fold_starts(sel->ctx, rows, sel->folds, g));
done:
    return st;
}

/* Coefficients on the training rows: alpha_i = C u_i (y_i - w'g_i - u_i b), all scaled by u.     docs/math.md, eq. 22
 */
static void expand(const ny_ridge *P, const double *G, const ny_profile *profile, double *alpha) {
    int64_t n = P->n, q = P->q;
    ny_gemm(true, false, n, q, P->r, -1.0, G, P->r, profile->W, P->r, 0.0, alpha, n);
    for (int64_t j = 0; j < q; j++)
        for (int64_t i = 0; i < n; i++) {
            double e = P->Y[i + j * n] + alpha[i + j * n] - P->u[i] * profile->b[j];
            alpha[i + j * n] = profile->C[j] * P->u[i] * e;
        }
}

/* Runs the criterion for one group, at C or (C = 0) at its own choice, and puts its outputs into the solution. W is r x
 * outputs. */
static ny_status solve_group(ny_selection *sel, const ny_rows *rows, const ny_kernel_params *kernel, ny_factor *f,
                             double C, group *g, double *W, ny_solution *s, ny_profile *profile) {
    ny_status st = NY_OK;
    bool pair = g->q < sel->outputs, training = strcmp(sel->options->expansion, "training") == 0;
    double *copy = NULL;
    NY_TRY(group_make(sel, rows, f, g));
    ny_ridge problem = {.r = f->r,
                        .n = g->n,
                        .q = g->q,
                        .G = g->G,
                        .ldg = g->ldg,
                        .u = g->u,
                        .Y = g->Y,
                        .bias = sel->machine->bias,
                        .folds = sel->criterion->folds ? sel->folds : 0,
                        .fold_start = g->fold_start};
    if (training) {
        problem.kernel = kernel;
        problem.X = &rows->X;
        NY_NEW_RAW(sel->ctx, copy, ny_size3(f->r, g->n, 1)); /* the criterion may overwrite G */
        for (int64_t i = 0; i < g->n; i++) memcpy(copy + i * f->r, g->G + i * g->ldg, (size_t)f->r * sizeof *copy);
    }
    ny_profile_spec spec = {.criterion = sel->criterion,
                            .C = C > 0 ? (ny_range){.lo = log2(C), .hi = log2(C), .single = C} : sel->options->C,
                            .on_error = sel->classes && strcmp(sel->options->select_on, "error") == 0,
                            .classes = pair ? 2 : sel->classes,
                            .code = g->code,
                            .coding = sel->coding};
    NY_TRY(ny_profile_make(sel->ctx, &problem, &spec, profile));
    memcpy(W + g->first * f->r, profile->W, (size_t)(f->r * g->q) * sizeof *W);
    for (int64_t j = 0; j < g->q; j++) {
        int64_t to = g->first + j;
        s->C[to] = profile->C[j];
        s->b[to] = profile->b[j];
        s->value += profile->loss[j] / (double)sel->outputs;
        /* A row outside a pair was not seen by it: the pair's own machine speaks for it. */
        if (pair) ny_gemv(true, f->r, rows->n, 1.0, f->G, f->ldg, profile->W, 0.0, s->held + to * rows->n);
        for (int64_t i = 0; pair && i < rows->n; i++) s->held[i + to * rows->n] += profile->b[j];
        for (int64_t i = 0; i < g->n; i++)
            s->held[(g->member ? g->member[i] : i) + to * rows->n] = profile->held[i + j * g->n];
    }
    if (training) expand(&problem, copy, profile, s->beta);
done:
    ny_free(copy);
    return st;
}

/* Misclassification rate or RMSE of the held-out outputs, with its standard error (delta method for the RMSE), and the
 * standard error of the criterion's mean squared error. */
static ny_status measure_error(ny_selection *sel, const ny_rows *rows, ny_solution *s) {
    ny_status st = NY_OK;
    int64_t n = rows->n, q = sel->outputs;
    double weight = 0, sum = 0, squares = 0, value_sum = 0, value_squares = 0, *row = NULL;
    NY_NEW_RAW(sel->ctx, row, q);
    for (int64_t i = 0; i < n; i++) {
        double v = rows->u[i] * rows->u[i], loss, squared = 0, part = 0;
        for (int64_t j = 0; j < q; j++) {
            double y = rows->Y[i + j * n];
            row[j] = s->held[i + j * n];
            if (y != 0 || !sel->classes) squared += (y - row[j]) * (y - row[j]), part++;
        }
        if (part > 0) squared /= part;
        value_sum += v * squared;
        value_squares += v * squared * squared;
        if (sel->classes) loss = ny_codes_decide(sel->coding, sel->classes, row) != rows->code[i];
        else loss = squared;
        weight += v;
        sum += v * loss;
        squares += v * loss * loss;
    }
    double mean = sum / weight, spread = sqrt(fmax(squares / weight - mean * mean, 0) / (double)n);
    double value = value_sum / weight;
    s->value_error = sqrt(fmax(value_squares / weight - value * value, 0) / (double)n);
    s->error = sel->classes ? mean : sqrt(mean);
    s->std_error = sel->classes ? spread : mean > 0 ? spread / (2 * sqrt(mean)) : 0;
done:
    ny_free(row);
    return st;
}

static ny_status record_trials(ny_selection *sel, const ny_solution *s, const ny_profile *profile) {
    bool all_C = strcmp(sel->options->search, "grid") == 0 && profile->tried > 0;
    int64_t more = all_C ? profile->tried : 1;
    ny_trial *grown = ny_realloc(sel->ctx, sel->trial, sel->trials, sel->trials + more, sizeof *grown);
    if (!grown) return NY_ERR_MEMORY;
    sel->trial = grown;
    double mean_log_C = 0;
    for (int64_t j = 0; j < sel->outputs; j++) mean_log_C += log2(s->C[j]) / (double)sel->outputs;
    for (int64_t c = 0; c < more; c++)
        sel->trial[sel->trials++] = (ny_trial){s->kernel,
                                               s->bandwidth,
                                               all_C ? profile->tried_C[c] : exp2(mean_log_C),
                                               all_C ? profile->tried_loss[c] : s->value,
                                               s->error,
                                               s->rows,
                                               s->landmarks};
    return NY_OK;
}

static bool on_error(const ny_selection *sel) {
    return sel->classes && strcmp(sel->options->select_on, "error") == 0;
}

double ny_goal(const ny_selection *sel, const ny_solution *s) {
    return on_error(sel) ? s->error + 1e-6 * s->value : s->value;
}

double ny_goal_error(const ny_selection *sel, const ny_solution *s) {
    return on_error(sel) ? s->std_error : s->value_error;
}

static bool better(const ny_selection *sel, const ny_solution *s) {
    const ny_solution *b = &sel->best;
    if (!b->valid) return true;
    if (s->rows == b->rows && s->asked == b->asked) return ny_goal(sel, s) < ny_goal(sel, b);
    return s->rows > b->rows || (s->rows == b->rows && s->asked > b->asked);
}

/* One point; everything it needs is its own, so that points can run side by side. */
static ny_status evaluate_one(ny_selection *sel, const ny_rows *rows, const ny_matrix *Z, int64_t landmarks,
                              const ny_point *point, ny_solution *s, ny_profile *profile, double *seconds) {
    ny_status st = NY_OK;
    ny_ctx *ctx = sel->ctx;
    int64_t q = sel->outputs;
    bool pairs = ny_is_pairs(sel->coding.method, sel->classes);
    bool training = strcmp(sel->options->expansion, "training") == 0;
    ny_factor factor = {0};
    group g = {0};
    double *W = NULL;
    if (ny_should_stop(ctx)) return NY_STOPPED;
    ny_kernel_params kernel = kernel_at(sel, point);
    ny_factor_spec spec = {
        sel->method, Z, rows->code, sel->classes, landmarks, sel->options->rank, sel->options->rank_tol, sel->seed};
    NY_TRY(ny_factor_make(ctx, &kernel, &rows->X, &spec, &factor));
    *seconds = factor.seconds;
    *s = (ny_solution){.kernel = point->kernel,
                       .bandwidth = point->bandwidth,
                       .rows = rows->n,
                       .asked = landmarks,
                       .landmarks = factor.m,
                       .rank = factor.r,
                       .kernel_kept = factor.kept};
    NY_NEW_RAW(ctx, s->C, q);
    NY_NEW_RAW(ctx, s->b, q);
    NY_NEW_RAW(ctx, s->beta, ny_size3(training ? rows->n : factor.m, q, 1));
    NY_NEW_RAW(ctx, s->held, ny_size3(rows->n, q, 1));
    NY_NEW_RAW(ctx, W, ny_size3(factor.r, q, 1));
    for (int64_t first = 0; first < q; first += g.q) {
        if (ny_should_stop(ctx)) NY_FAIL(ctx, NY_STOPPED, "stopped");
        group_clear(&g);
        ny_profile_clear(profile);
        g = (group){.first = first, .q = pairs ? 1 : q};
        NY_TRY(solve_group(sel, rows, &kernel, &factor, point->C, &g, W, s, profile));
    }
    if (pairs) profile->tried = 0; /* each pair has its own ladder: there is no common list to report */
    NY_TRY(measure_error(sel, rows, s));
    if (!training) ny_factor_coefficients(&factor, q, W, s->beta);
    s->Z = factor.Z;
    factor.Z = (ny_matrix){0};
    s->valid = true;
done:
    group_clear(&g);
    ny_factor_clear(&factor);
    ny_free(W);
    return st;
}

typedef struct {
    ny_selection *sel;
    const ny_rows *rows;
    const ny_matrix *Z;
    int64_t landmarks;
    const ny_point *points;
    ny_solution *solution;
    ny_profile *profile;
    double *seconds;
    double abreast; /* machines trained at the same time */
    ny_status *status;
} batch;

static void evaluate_tile(void *arg, int64_t first, int64_t count, int thread) {
    (void)thread;
    batch *b = arg;
    for (int64_t i = first; i < first + count; i++)
        b->status[i] = evaluate_one(b->sel, b->rows, b->Z, b->landmarks, &b->points[i], &b->solution[i], &b->profile[i],
                                    &b->seconds[i]);
}

/* In the order of the points, whatever order they were finished in. */
static ny_status merge(batch *b, int64_t i, ny_point *point) {
    ny_status st = b->status[i];
    ny_selection *sel = b->sel;
    ny_solution *s = &b->solution[i];
    sel->seconds_landmarks += b->seconds[i] / b->abreast;
    if (st != NY_OK) return st;
    point->value = ny_goal(sel, s);
    if (b->profile[i].edge) sel->C_edge = b->profile[i].edge;
    st = record_trials(sel, s, &b->profile[i]);
    if (st == NY_OK && better(sel, s)) {
        ny_solution_clear(&sel->best);
        sel->best = *s;
        *s = (ny_solution){0};
    }
    return st;
}

static void progress(ny_selection *sel, double flops) {
    sel->work_done += flops;
    double total = fmax(sel->work_total, sel->work_done), elapsed = ny_now() - sel->started;
    ny_progress(sel->ctx, "select", sel->work_done, total, elapsed * (total - sel->work_done) / sel->work_done);
}

ny_status ny_evaluate(ny_selection *sel, int64_t count, int64_t landmarks, int64_t points, ny_point *point) {
    ny_status st = NY_OK;
    ny_ctx *ctx = sel->ctx;
    batch b = {.sel = sel, .landmarks = landmarks, .points = point};
    NY_NEW(ctx, b.solution, points);
    NY_NEW(ctx, b.profile, points);
    NY_NEW(ctx, b.seconds, points);
    NY_NEW(ctx, b.status, points);
    NY_TRY(rows_of_level(sel, count, &b.rows));
    NY_TRY(common_landmarks(sel, b.rows, landmarks, &b.Z));
    int64_t m = landmarks < b.rows->n ? landmarks : b.rows->n;
    int64_t together = b.rows->n * m <= NY_SIDE_BY_SIDE ? points : 1;
    b.abreast = (double)(together < ny_threads() ? together : ny_threads());
    double flops = ny_level_flops(sel, b.rows->n, m);
    for (int64_t first = 0; first < points; first += together) {
        if (together > 1) ny_for_tiles(points, 1, evaluate_tile, &b);
        else evaluate_tile(&b, first, 1, 0);
        for (int64_t i = first; i < first + together; i++) {
            NY_TRY(merge(&b, i, &point[i]));
            ny_solution_clear(&b.solution[i]); /* the best has moved on */
            ny_profile_clear(&b.profile[i]);
            progress(sel, flops);
        }
    }
done:
    for (int64_t i = 0; b.solution && i < points; i++) ny_solution_clear(&b.solution[i]);
    for (int64_t i = 0; b.profile && i < points; i++) ny_profile_clear(&b.profile[i]);
    ny_free(b.solution);
    ny_free(b.profile);
    ny_free(b.seconds);
    ny_free(b.status);
    return st;
}

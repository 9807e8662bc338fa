/* fit_passes.c: machines from rows that do not fit in memory (De Brabanter 2010, Algorithm 4, for v folds). Landmarks
 * come from the sample in memory. One pass makes the features of every row, block by block, and keeps the moments of
 * each fold only; they give the criterion for every C (docs/math.md, eq. 18, 25) and the machine. Several machines
 * share a pass. A last pass asks the machines that have not seen a row what they say of it. */
#include <math.h>
#include <string.h>

#include "base/threads.h"
#include "fit.h"
#include "held_error.h"
#include "linalg/linalg.h"
#include "pace.h"
#include "passes.h"
#include "search.h"

enum { ROWS_PER_LANDMARK = 10 }; /* rows that landmarks are chosen from */

typedef struct {
    ny_kernel_params kernel;
    ny_factor f;      /* no G */
    ny_moments *fold; /* folds */
} machine;

static void machine_clear(machine *m, int64_t folds) {
    ny_factor_clear(&m->f);
    for (int64_t f = 0; m->fold && f < folds; f++) ny_moments_free(&m->fold[f]);
    ny_free(m->fold);
}

static ny_status machine_make(ny_selection *sel, const ny_point *point, int64_t landmarks, machine *m) {
    ny_status st = NY_OK;
    ny_ctx *ctx = sel->ctx;
    const ny_rows *rows;
    ny_kernel_side side = {0};
    ny_landmarks chosen = {0};
    m->kernel = ny_point_kernel(sel->setup, point);
    NY_TRY(ny_rows_of_level(sel, ROWS_PER_LANDMARK * landmarks, &rows));
    ny_factor_spec spec = {.rank = sel->plan.rank,
                           .tol = sel->setup->options->rank_tol,
                           .constant = ny_bias_feature(sel->setup->rho),
                           .floor = sel->setup->options->rank_floor};
    m->f.n = sel->rows->n;
    ny_landmark_spec choice = {&m->kernel,       &side, rows->code, sel->setup->classes, rows->id, landmarks, spec.tol,
                               sel->setup->seed, 0};
    if (choice.m > rows->n) choice.m = rows->n;
    NY_TRY(ny_kernel_prepare(ctx, &rows->X, true, &side));
    NY_TRY(ny_method_for(sel, landmarks, sel->rows->n)->choose(ctx, &choice, &chosen));
    NY_TRY(ny_factor_form(ctx, &m->kernel, &chosen, &spec, &m->f));
    NY_NEW(ctx, m->fold, sel->setup->folds);
    for (int64_t f = 0; f < sel->setup->folds; f++)
        NY_TRY(ny_moments_new(ctx, m->f.r, sel->setup->outputs, &m->fold[f]));
done:
    ny_kernel_release(&side);
    ny_landmarks_clear(&chosen);
    return st;
}

typedef struct {
    const ny_problem *P;
    ny_moments *fold;
} moments_job;

/* The rows of folds first .. first+count. Each fold's moments are one thread's. */
static void moments_tile(void *arg, int64_t first, int64_t count, int thread) {
    (void)thread;
    const moments_job *job = arg;
    for (int64_t f = first; f < first + count; f++) {
        int64_t start = job->P->fold_start[f], size = job->P->fold_start[f + 1] - start;
        if (size > 0) ny_moments_of(job->P, start, size, &job->fold[f]);
    }
}

/* G: room for r x block->n. */
static ny_status add_block(ny_selection *sel, machine *m, const ny_rows *block, const int64_t *fold_start,
                           const double *Y, double *G) {
    ny_status st = NY_OK;
    int64_t r = m->f.r, n = block->n, rank = ny_factor_rank(&m->f);
    NY_TRY(ny_factor_rows(sel->ctx, &m->f, &m->kernel, &block->X, G));
    for (int64_t i = 0; i < n; i++) m->f.kept += ny_dot(rank, G + i * r, G + i * r);
    for (int64_t i = 0; block->weighted && i < n; i++)
        for (int64_t k = 0; k < r; k++) G[k + i * r] *= block->u[i];
    ny_problem P = {
        .r = r, .n = n, .q = sel->setup->outputs, .G = G, .ldg = r, .u = block->u, .Y = Y, .fold_start = fold_start};
    moments_job job = {&P, m->fold};
    ny_for_tiles(sel->setup->folds, 1, moments_tile, &job);
done:
    return st;
}

static double kernel_trace(const machine *m, const ny_rows *block, double *diagonal) {
    ny_kernel_side side = {.X = &block->X, .norms = diagonal + block->n};
    double sum = 0;
    ny_matrix_norms(&block->X, side.norms);
    ny_kernel_diagonal(&m->kernel, &side, diagonal);
    for (int64_t i = 0; i < block->n; i++) sum += diagonal[i];
    return sum;
}

/* One pass over all rows for all machines. Scratch: the features of a block, its targets scaled. */
static ny_status gather_moments(ny_selection *sel, int64_t machines, machine *m, double flops) {
    ny_status st = NY_OK;
    ny_ctx *ctx = sel->ctx;
    int64_t q = sel->setup->outputs, most = 0, room = sel->passes->block;
    int64_t *fold_start = NULL;
    double *G = NULL, *Y = NULL, *diagonal = NULL, *trace = NULL;
    ny_rows block = {0};
    for (int64_t k = 0; k < machines; k++)
        if (m[k].f.r > most) most = m[k].f.r;
    NY_NEW_RAW(ctx, G, ny_size3(most, room, 1));
    NY_NEW_RAW(ctx, Y, ny_size3(q, room, 1));
    NY_NEW_RAW(ctx, diagonal, 2 * room);
    NY_NEW(ctx, trace, machines);
    NY_NEW(ctx, fold_start, sel->setup->folds + 1);
    NY_TRY(ny_passes_begin(sel->ctx, sel->setup, sel->rows, sel->passes));
    for (;;) {
        NY_TRY(ny_passes_next(sel->ctx, sel->setup, sel->rows, sel->passes, &block));
        if (block.n == 0) break;
        ny_targets_scaled(sel->setup, &block, Y);
        memset(fold_start, 0, (size_t)(sel->setup->folds + 1) * sizeof *fold_start);
        for (int64_t i = 0; i < block.n; i++) fold_start[block.fold[i] + 1]++;
        for (int64_t f = 0; f < sel->setup->folds; f++) fold_start[f + 1] += fold_start[f];
        for (int64_t k = 0; k < machines; k++) {
            NY_TRY(add_block(sel, &m[k], &block, fold_start, Y, G));
            trace[k] += kernel_trace(&m[k], &block, diagonal);
        }
        ny_work_done(sel, flops * (double)machines * (double)block.n / (double)sel->rows->n);
    }
    for (int64_t k = 0; k < machines; k++) m[k].f.kept = trace[k] > 0 ? m[k].f.kept / trace[k] : 1;
done:
    ny_rows_clear(&block);
    ny_free(G);
    ny_free(Y);
    ny_free(diagonal);
    ny_free(fold_start);
    ny_free(trace);
    return st;
}

/* Standard error of the mean over folds, outputs averaged. */
static double error_over_folds(const ny_profile *p, int64_t folds, int64_t q) {
    double sum = 0, squares = 0, v = (double)folds;
    for (int64_t f = 0; f < folds; f++) {
        double loss = 0;
        for (int64_t j = 0; j < q; j++) loss += p->fold_loss[j + f * q] / (double)q;
        sum += loss;
        squares += loss * loss;
    }
    return sqrt(fmax(squares / v - sum * sum / (v * v), 0) / fmax(v - 1, 1));
}

static ny_status solve(ny_selection *sel, const ny_point *point, int64_t landmarks, machine *m, ny_solution *s,
                       ny_profile *profile) {
    ny_status st = NY_OK;
    ny_ctx *ctx = sel->ctx;
    int64_t q = sel->setup->outputs, r = m->f.r, folds = sel->setup->folds;
    ny_problem P = {
        .r = r, .q = q, .bias = sel->setup->rho == 0, .rho = sel->setup->rho, .folds = folds, .fold_moments = m->fold};
    ny_profile_spec spec = {.criterion = sel->setup->criterion,
                            .kind = NY_CLOSED_FORM,
                            .C = ny_point_C(sel->setup, point),
                            .unit = sel->setup->unit,
                            .coding = sel->setup->coding};
    *s = (ny_solution){.f = {.kernel = ny_point_kernel(sel->setup, point), .outputs = q},
                       .rows = sel->rows->n,
                       .asked = landmarks,
                       .landmarks = m->f.m,
                       .rank = ny_factor_rank(&m->f),
                       .low = {.kept = m->f.kept}};
    NY_TRY(ny_profile_make(ctx, &P, &spec, profile));
    s->C_edge = profile->edge;
    NY_NEW_RAW(ctx, s->C, q);
    NY_NEW_RAW(ctx, s->f.b, q);
    NY_NEW_RAW(ctx, s->f.beta, ny_size3(m->f.m, q, 1));
    NY_NEW_RAW(ctx, s->fold_beta, ny_size3(m->f.m, q, folds));
    NY_NEW_RAW(ctx, s->fold_b, q * folds);
    for (int64_t j = 0; j < q; j++) {
        s->C[j] = profile->C[j];
        s->f.b[j] = profile->b[j];
        s->value += profile->loss[j] / (double)q;
    }
    ny_factor_coefficients(&m->f, q * folds, profile->fold_W, s->fold_beta);
    memcpy(s->fold_b, profile->fold_b, (size_t)(q * folds) * sizeof *s->fold_b);
    ny_factor_bias(&m->f, q * folds, profile->fold_W, s->fold_b);
    s->value_error = error_over_folds(profile, folds, q);
    s->error = s->std_error = NAN; /* known after ny_hold_out */
    ny_factor_coefficients(&m->f, q, profile->W, s->f.beta);
    ny_factor_bias(&m->f, q, profile->W, s->f.b);
    s->f.Z = m->f.Z;
    m->f.Z = (ny_matrix){0};
    s->valid = true;
done:
    return st;
}

ny_status ny_fit_passes(ny_selection *sel, int64_t landmarks, int64_t points, const ny_point *point, ny_solution *s,
                        ny_profile *profile) {
    ny_status st = NY_OK;
    machine *m = NULL;
    double started = ny_now();
    NY_NEW(sel->ctx, m, points);
    for (int64_t k = 0; k < points; k++) {
        if (ny_should_stop(sel->ctx)) NY_FAIL(sel->ctx, NY_STOPPED, "stopped");
        NY_TRY(machine_make(sel, &point[k], landmarks, &m[k]));
    }
    double seconds = ny_now() - started;
    NY_TRY(gather_moments(sel, points, m, ny_level_flops(sel, sel->rows->n, landmarks)));
    for (int64_t k = 0; k < points; k++) NY_TRY(solve(sel, &point[k], landmarks, &m[k], &s[k], &profile[k]));
    s[0].low.seconds = seconds; /* of all */
done:
    for (int64_t k = 0; m && k < points; k++) machine_clear(&m[k], sel->setup->folds);
    ny_free(m);
    return st;
}

/* F[i + n*j] of rows sorted by fold: kappa(x_i, Z) beta_f + b_f with the machine that has not seen the row's fold,
 * which needs kernel values only, no features. K: room for landmarks x rows->n. */
static ny_status held_out(ny_selection *sel, const ny_solution *s, const ny_rows *rows, double *K, double *F) {
    ny_status st = NY_OK;
    int64_t m = s->f.Z.n, q = sel->setup->outputs, n = rows->n;
    ny_kernel_side Z = {0}, X = {0};
    NY_TRY(ny_kernel_prepare(sel->ctx, &s->f.Z, true, &Z));
    NY_TRY(ny_kernel_prepare(sel->ctx, &rows->X, false, &X));
    ny_kernel_matrix(&s->f.kernel, &Z, &X, false, K, m);
    for (int64_t first = 0, end; first < n; first = end) {
        int64_t f = rows->fold[first];
        for (end = first; end < n && rows->fold[end] == f;) end++;
        ny_gemm(true, false, end - first, q, m, 1.0, K + first * m, m, s->fold_beta + f * m * q, m, 0.0, F + first, n);
        for (int64_t j = 0; j < q; j++)
            for (int64_t i = first; i < end; i++) F[i + j * n] += s->fold_b[j + f * q];
    }
done:
    ny_kernel_release(&Z);
    ny_kernel_release(&X);
    return st;
}

/* The rows of the sample, some at a time. */
static ny_status hold_out_sample(ny_selection *sel, ny_solution *s, double *K) {
    ny_status st = NY_OK;
    int64_t n = sel->rows->all.n, q = sel->setup->outputs, step = sel->passes->block;
    int64_t *rows = NULL;
    double *F = NULL;
    NY_NEW_RAW(sel->ctx, rows, step);
    NY_NEW_RAW(sel->ctx, s->held, ny_size3(n, q, 1));
    NY_NEW_RAW(sel->ctx, F, ny_size3(step, q, 1));
    for (int64_t first = 0; first < n; first += step) {
        ny_rows part = {.n = n - first < step ? n - first : step, .fold = sel->rows->all.fold + first};
        for (int64_t i = 0; i < part.n; i++) rows[i] = first + i;
        NY_TRY(ny_matrix_gather(sel->ctx, &sel->rows->all.X, rows, part.n, &part.X));
        st = held_out(sel, s, &part, K, F);
        ny_matrix_clear(&part.X);
        if (st != NY_OK) goto done;
        for (int64_t j = 0; j < q; j++)
            for (int64_t i = 0; i < part.n; i++) s->held[first + i + j * n] = F[i + j * part.n];
    }
done:
    ny_free(rows);
    ny_free(F);
    return st;
}

ny_status ny_hold_out(ny_selection *sel, bool all_rows, ny_solution *s) {
    ny_status st = NY_OK;
    ny_ctx *ctx = sel->ctx;
    int64_t room = sel->passes->block;
    ny_rows block = {0};
    ny_error_sums sums = {0};
    double *K = NULL, *F = NULL;
    NY_NEW_RAW(ctx, K, ny_size3(s->f.Z.n, room, 1));
    NY_NEW_RAW(ctx, F, ny_size3(sel->setup->outputs, room, 1));
    NY_TRY(hold_out_sample(sel, s, K));
    if (all_rows) NY_TRY(ny_passes_begin(sel->ctx, sel->setup, sel->rows, sel->passes));
    while (all_rows) {
        NY_TRY(ny_passes_next(sel->ctx, sel->setup, sel->rows, sel->passes, &block));
        if (block.n == 0) break;
        NY_TRY(held_out(sel, s, &block, K, F));
        NY_TRY(ny_error_add(ctx, sel->setup, &block, F, &sums));
        ny_progress(ctx, "test", (double)sums.rows, (double)sel->rows->n, -1);
    }
    if (!all_rows) NY_TRY(ny_error_add(ctx, sel->setup, &sel->rows->all, s->held, &sums));
    ny_error_end(sel->setup, &sums, s);
done:
    ny_rows_clear(&block);
    ny_free(K);
    ny_free(F);
    return st;
}

/* exact.c: see exact.h. For each output, with rows scaled by u,
 *
 *     (DKD + I/C) nu = D y,   (DKD + I/C) eta = u,   b = u'nu / u'eta,   beta = D (nu - b eta)    docs/math.md, eq. 51
 *
 * where outputs of equal C share their eta. */
#include "exact.h"

#include <math.h>

#include "linalg/linalg.h"
#include "solver/cg.h"

static const double GOOD =
    1e-3; /* |r| / |b|: the outputs for the training rows are off by no more, as a root mean square */

int64_t ny_exact_first(const double *C, int64_t j) {
    int64_t i = 0;
    while (C[i] != C[j]) i++;
    return i;
}

int64_t ny_exact_columns(int64_t outputs) {
    return 2 * outputs;
}

double ny_exact_output(const ny_selection *sel, const double *nu, const double *eta, double *beta) {
    int64_t n = sel->all.n;
    const double *u = sel->all.u;
    bool bias = sel->machine->bias;
    double b = bias ? ny_dot(n, u, nu) / ny_dot(n, u, eta) : 0;
    for (int64_t i = 0; i < n; i++) beta[i] = u[i] * (bias ? nu[i] - b * eta[i] : nu[i]);
    return b;
}

/* The right sides of all outputs, then u once for each C. eta[j]: the column of output j's. */
typedef struct {
    int64_t columns, *eta;
    double *B, *C, *x;
} sides;

static ny_status sides_make(ny_selection *sel, sides *s) {
    ny_status st = NY_OK;
    ny_ctx *ctx = sel->ctx;
    int64_t n = sel->all.n, q = sel->outputs, most = ny_exact_columns(q);
    const double *u = sel->all.u, *C = sel->best.C;
    NY_NEW_RAW(ctx, s->eta, q);
    NY_NEW_RAW(ctx, s->C, most);
    NY_NEW_RAW(ctx, s->B, ny_size3(n, most, 1));
    s->columns = q;
    for (int64_t j = 0; j < q; j++) {
        int64_t first = ny_exact_first(C, j);
        s->C[j] = C[j];
        for (int64_t i = 0; i < n; i++) s->B[i + j * n] = u[i] * sel->all.Y[i + j * n];
        s->eta[j] = first < j ? s->eta[first] : s->columns;
        if (first < j || !sel->machine->bias) continue;
        s->C[s->columns] = C[j];
        for (int64_t i = 0; i < n; i++) s->B[i + s->columns * n] = u[i];
        s->columns++;
    }
    NY_NEW_RAW(ctx, s->x, ny_size3(n, s->columns, 1));
done:
    return st;
}

/* The machine of the solutions takes the place of the low-rank one. */
static ny_status adopt(ny_selection *sel, const sides *s) {
    ny_status st = NY_OK;
    int64_t n = sel->all.n;
    ny_solution *best = &sel->best;
    ny_matrix rows = {0};
    double *beta = NULL;
    NY_NEW_RAW(sel->ctx, beta, ny_size3(n, sel->outputs, 1));
    NY_TRY(ny_matrix_copy(sel->ctx, &sel->all.X, &rows));
    for (int64_t j = 0; j < sel->outputs; j++)
        best->b[j] = ny_exact_output(sel, s->x + j * n, s->x + s->eta[j] * n, beta + j * n);
    ny_matrix_clear(&best->Z);
    ny_free(best->beta);
    best->Z = rows;
    best->beta = beta;
    beta = NULL;
done:
    ny_free(beta);
    return st;
}

static ny_status tell(ny_selection *sel, const ny_cg_report *report, ny_record *record) {
    ny_status st = NY_OK;
    bool used = report->residual <= GOOD;
    const char *kept = used ? "" : "; the low-rank machine was kept";
    if (!isfinite(report->residual))
        NY_TRY(ny_record_note(sel->ctx, record, "--solver cg did not get to its first iteration%s", kept));
    else if (report->stopped)
        NY_TRY(ny_record_note(sel->ctx, record, "--solver cg was stopped: residual %.2g after %lld iterations%s",
                              report->residual, (long long)report->iterations, kept));
    else if (!(report->residual <= sel->options->solver_tol))
        NY_TRY(ny_record_note(sel->ctx, record,
                              "not converged: residual %.2g after %lld iterations%s (--solver-iterations, --solver-tol "
                              "or a smaller --C)",
                              report->residual, (long long)report->iterations, kept));
    if (used && (sel->best.asked < sel->n || sel->rank))
        NY_TRY(ny_record_note(sel->ctx, record,
                              "the expected error is that of the low-rank machine which the selection used, not of the "
                              "exact one"));
done:
    return st;
}

ny_status ny_exact_train(ny_selection *sel, int64_t rank, ny_record *record) {
    ny_status st = NY_OK;
    ny_ctx *ctx = sel->ctx;
    sides s = {0};
    ny_cg_report report = {.residual = INFINITY};
    double started = ny_now();
    if (sel->stopped) return tell(sel, &report, record);
    ny_kernel_params kernel = sel->kernel;
    kernel.kernel = sel->best.kernel;
    kernel.bandwidth = sel->best.bandwidth;
    NY_TRY(sides_make(sel, &s));
    ny_cg problem = {.kernel = &kernel,
                     .X = &sel->all.X,
                     .u = sel->all.u,
                     .columns = s.columns,
                     .B = s.B,
                     .C = s.C,
                     .rank = rank,
                     .tol = sel->options->solver_tol,
                     .iterations = sel->options->solver_iterations,
                     .good = GOOD,
                     .seed = sel->seed};
    st = ny_cg_solve(ctx, &problem, s.x, &report);
    if (st == NY_STOPPED) report.stopped = true;
    else if (st != NY_OK) goto done;
    if (report.stopped) record->stopped = ctx->finishing = true;
    NY_TRY(tell(sel, &report, record));
    if (report.residual <= GOOD) {
        NY_TRY(adopt(sel, &s));
        record->solver = (ny_solver){true, report.iterations, report.residual, report.rank, ny_now() - started};
    }
done:
    ny_free(s.eta);
    ny_free(s.B);
    ny_free(s.C);
    ny_free(s.x);
    return st;
}

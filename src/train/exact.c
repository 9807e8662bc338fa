/* exact.c: see exact.h. For each output, with rows scaled by u,
 *
 *     (DKD + I/C) nu = D y,   (DKD + I/C) eta = u,   b = u'nu / u'eta,   beta = D (nu - b eta)    docs/math.md, eq. 51
 *
 * where outputs of equal C share their eta. The leave-one-out outputs need the diagonal of the inverse, of which random
 * signs v and the preconditioner P tell enough:
 *
 *     (A^-1)_ii ~ mean of v_i (A^-1 v)_i - t_i (mean of v_i (P^-1 v)_i - (P^-1)_ii),  1/A_ii <= (A^-1)_ii <= (P^-1)_ii
 *                                                                                                              (eq. 62)
 * with the t_i of least variance; for the middle C. What 1/(A^-1)_ii has more than 1/(P^-1)_ii there, the variance that
 * the low rank does not see, is the same for the others. Then
 *     Q_ii = (A^-1)_ii - eta_i^2 / u'eta,     f_i(loo) = y_i - (nu_i - b eta_i) / (Q_ii u_i)                   (eq. 63)
 */
#include "exact.h"

#include <math.h>
#include <string.h>

#include "base/rng.h"
#include "linalg/linalg.h"
#include "search/fit.h"
#include "solver/cg.h"

/* |r| / |b|: the outputs for the training rows are off by no more, as a root mean square. */
static const double GOOD = 1e-3;
static const double ENOUGH = 1e-3; /* the same where nobody asked for conjugate gradients, and what will do there: */
static const double GOOD_ENOUGH = 5e-3; /* single precision may end here */

static const double PROBES_TOL = 1e-2; /* less than the noise of the signs */
static const double FLOAT_MOST = 1000; /* C up to which single precision reaches that */

int64_t ny_exact_first(const double *C, int64_t j) {
    int64_t i = 0;
    while (C[i] != C[j]) i++;
    return i;
}

double ny_exact_output(const ny_selection *sel, const double *nu, const double *eta, double *beta) {
    int64_t n = sel->all.n;
    const double *u = sel->all.u;
    bool bias = sel->machine->bias;
    double b = bias ? ny_dot(n, u, nu) / ny_dot(n, u, eta) : 0;
    for (int64_t i = 0; i < n; i++) beta[i] = u[i] * (bias ? nu[i] - b * eta[i] : nu[i]);
    return b;
}

/* The right sides: for each C the targets of its outputs and u; then the signs for one C. */
typedef struct {
    int64_t columns, systems, probes, probed; /* probes: signs; probed: their system */
    int64_t *at, *eta, *system;               /* outputs: their columns, the column of u, and the number of their C */
    double *value;                            /* systems: the different C */
    double *B, *C, *x;                        /* n x columns, columns, n x columns: right sides, C, solutions */
} sides;

static void sides_clear(sides *s) {
    ny_free(s->at);
    ny_free(s->eta);
    ny_free(s->system);
    ny_free(s->value);
    ny_free(s->B);
    ny_free(s->C);
    ny_free(s->x);
}

/* What each output learns from, and where it stands; B of a system's columns. */
static void place_outputs(const ny_selection *sel, sides *s) {
    int64_t n = sel->all.n;
    const double *u = sel->all.u;
    for (int64_t k = 0; k < s->systems; k++) {
        for (int64_t j = 0; j < sel->outputs; j++) {
            if (s->system[j] != k) continue;
            for (int64_t i = 0; i < n; i++) s->B[i + s->columns * n] = u[i] * sel->all.Y[i + j * n];
            s->C[s->columns] = s->value[k];
            s->at[j] = s->columns++;
        }
        for (int64_t j = 0; j < sel->outputs; j++)
            if (s->system[j] == k) s->eta[j] = s->columns;
        if (!sel->machine->bias) continue;
        memcpy(s->B + s->columns * n, u, (size_t)n * sizeof *u);
        s->C[s->columns++] = s->value[k];
    }
}

static double probe_sign(const ny_selection *sel, int64_t i, int64_t k) {
    return ny_rng_hash(sel->seed, NY_RNG_PROBES, (uint64_t)sel->all.id[i]) >> k & 1 ? 1 : -1;
}

static ny_status sides_make(ny_selection *sel, sides *s) {
    ny_status st = NY_OK;
    ny_ctx *ctx = sel->ctx;
    int64_t n = sel->all.n, q = sel->outputs;
    double *C = sel->best.C;
    bool several = false;
    for (int64_t j = 1; j < q; j++) several |= C[j] != C[0];
    for (int64_t j = 0; several && j < q && !ny_options_exact(sel->options); j++) C[j] = exp2(round(log2(C[j])));
    NY_NEW_RAW(ctx, s->at, q);
    NY_NEW_RAW(ctx, s->eta, q);
    NY_NEW_RAW(ctx, s->system, q);
    NY_NEW_RAW(ctx, s->value, q);
    for (int64_t j = 0; j < q; j++) {
        int64_t first = ny_exact_first(C, j);
        s->system[j] = first < j ? s->system[first] : s->systems;
        if (first == j) s->value[s->systems++] = C[j];
    }
    for (int64_t k = 0; k < s->systems; k++) { /* the middle one of the different C */
        int64_t below = 0;
        for (int64_t i = 0; i < s->systems; i++) below += s->value[i] < s->value[k];
        if (below == s->systems / 2) s->probed = k;
    }
    s->probes = ny_exact_probes(n);
    int64_t most = q + s->systems + s->probes;
    NY_NEW_RAW(ctx, s->C, most);
    NY_NEW_RAW(ctx, s->B, ny_size3(n, most, 1));
    place_outputs(sel, s);
    for (int64_t c = 0; c < s->probes; c++, s->columns++) {
        s->C[s->columns] = s->value[s->probed];
        for (int64_t i = 0; i < n; i++) s->B[i + s->columns * n] = probe_sign(sel, i, c);
    }
    NY_NEW_RAW(ctx, s->x, ny_size3(n, s->columns, 1));
done:
    return st;
}

/* (A^-1)_ii / (P^-1)_ii of row i from a = v_i (A^-1 v)_i and p = v_i (P^-1 v)_i of every sign, d = (P^-1)_ii.  eq. 62
 */
static double probed(const sides *s, int64_t n, int64_t i, int64_t first, const double *scratch, double d,
                     double most) {
    double count = (double)s->probes, a = 0, p = 0, aa = 0, ap = 0, pp = 0;
    for (int64_t c = 0; c < s->probes; c++) {
        double v = s->B[i + (first + c) * n] / d, x = v * s->x[i + (first + c) * n], y = v * scratch[i + c * n] - 1;
        a += x / count, p += y / count;
        aa += x * x, ap += x * y, pp += y * y;
    }
    aa = (aa / count - a * a) / (count - 1);
    ap = (ap / count - a * p) / (count - 1);
    pp = (pp / count - p * p) / (count - 1);
    double t = pp > 0 ? fmax(fmin(ap / pp, 1), 0) : 0, mean = fmax(a - t * p, 1e-3 * a);
    double variance = fmax(aa - 2 * t * ap + t * t * pp, 0); /* of the mean; it adds variance / mean^3 to 1 / mean */
    double inverse = mean > 0 ? fmin(mean * (1 + fmin(variance / (mean * mean), 0.5)), 1) * d : 0;
    return fmin(1 / inverse, most) - 1 / d;
}

/* The same for all rows; scratch: n x probes. */
static ny_status probe(ny_selection *sel, const sides *s, const ny_preconditioner *P, const double *kappa,
                       double *scratch, double *unseen) {
    ny_status st = NY_OK;
    int64_t n = sel->all.n, first = s->columns - s->probes;
    double C = s->value[s->probed];
    const double *u = sel->all.u;
    NY_TRY(ny_precondition_diagonal(sel->ctx, P, C, unseen));
    ny_precondition(P, s->probes, s->C + first, s->B + first * n, scratch);
    for (int64_t i = 0; i < n; i++)
        unseen[i] = probed(s, n, i, first, scratch, unseen[i], u[i] * u[i] * kappa[i] + 1 / C);
done:
    return st;
}

/* f(loo) of one output. b: its bias.   eq. 63 */
static void leave_one_out(const ny_selection *sel, const sides *s, int64_t j, double b, const double *diagonal,
                          double *held) {
    int64_t n = sel->all.n;
    const double *u = sel->all.u, *nu = s->x + s->at[j] * n, *eta = s->x + s->eta[j] * n;
    bool bias = sel->machine->bias;
    double share = bias ? 1 / ny_dot(n, u, eta) : 0;
    for (int64_t i = 0; i < n; i++) {
        double a = bias ? nu[i] - b * eta[i] : nu[i], border = bias ? share * eta[i] * eta[i] : 0;
        double Q = fmax(diagonal[i] - border, 0.05 * diagonal[i]); /* the noise of the signs must not make it 0 */
        held[i] = sel->all.Y[i + j * n] - a / (Q * u[i]);
    }
}

/* The held-out outputs of the exact machine, and the error they make, in place of those of the low-rank one. */
static ny_status hold_out(ny_selection *sel, const sides *s, const ny_preconditioner *P) {
    ny_status st = NY_OK;
    int64_t n = sel->all.n;
    ny_solution *best = &sel->best;
    ny_kernel_side side = {0};
    ny_error_sums sums = {0};
    double *kappa = NULL, *scratch = NULL, *unseen = NULL, *diagonal = NULL;
    ny_point point = {best->kernel, best->bandwidth, 0, 0};
    ny_kernel_params kernel = ny_point_kernel(sel, &point);
    NY_NEW_RAW(sel->ctx, kappa, n);
    NY_NEW_RAW(sel->ctx, scratch, ny_size3(n, s->probes, 1));
    NY_NEW_RAW(sel->ctx, unseen, n);
    NY_NEW_RAW(sel->ctx, diagonal, n);
    NY_TRY(ny_kernel_prepare(sel->ctx, &sel->all.X, false, &side));
    ny_kernel_diagonal(&kernel, &side, kappa);
    NY_TRY(probe(sel, s, P, kappa, scratch, unseen));
    for (int64_t k = 0; k < s->systems; k++) {
        NY_TRY(ny_precondition_diagonal(sel->ctx, P, s->value[k], diagonal));
        for (int64_t i = 0; i < n; i++) diagonal[i] = 1 / (1 / diagonal[i] + unseen[i]);
        for (int64_t j = 0; j < sel->outputs; j++)
            if (s->system[j] == k) leave_one_out(sel, s, j, best->b[j], diagonal, best->held + j * n);
    }
    NY_TRY(ny_error_add(sel, &sel->all, best->held, &sums));
    ny_error_end(sel, &sums, best);
    if (!sel->criterion->value) best->value = best->squared_error;
done:
    ny_kernel_release(&side);
    ny_free(kappa);
    ny_free(scratch);
    ny_free(unseen);
    ny_free(diagonal);
    return st;
}

/* The machine of the solutions takes the place of the low-rank one, whose landmarks stay if a posterior needs them. */
static ny_status adopt(ny_selection *sel, const sides *s) {
    ny_status st = NY_OK;
    int64_t n = sel->all.n, *every = NULL;
    ny_solution *best = &sel->best;
    double *beta = NULL;
    int64_t before = best->posterior.r ? best->Z.n : 0, all = before + n;
    NY_NEW(sel->ctx, beta, ny_size3(all, sel->outputs, 1));
    NY_NEW_RAW(sel->ctx, every, n);
    for (int64_t i = 0; i < n; i++) every[i] = i;
    if (!before) ny_matrix_clear(&best->Z);
    NY_TRY(ny_matrix_append(sel->ctx, &sel->all.X, every, n, &best->Z));
    for (int64_t j = 0; j < sel->outputs; j++)
        best->b[j] = ny_exact_output(sel, s->x + s->at[j] * n, s->x + s->eta[j] * n, beta + before + j * all);
    ny_free(best->beta);
    best->beta = beta;
    beta = NULL;
done:
    ny_free(every);
    ny_free(beta);
    return st;
}

static ny_status tell(ny_selection *sel, const ny_cg_report *report, double good, ny_record *record) {
    ny_status st = NY_OK;
    bool used = report->residual <= good;
    const char *kept = used ? "" : "; the low-rank machine was kept";
    if (!isfinite(report->residual))
        NY_TRY(ny_record_note(sel->ctx, record, "--solver cg did not get to its first iteration%s", kept));
    else if (report->stopped)
        NY_TRY(ny_record_note(sel->ctx, record, "--solver cg was stopped: residual %.2g after %lld iterations%s",
                              report->residual, (long long)report->iterations, kept));
    else if (!(report->residual <= (good > GOOD ? good : sel->options->solver_tol)))
        NY_TRY(ny_record_note(sel->ctx, record,
                              "not converged: residual %.2g after %lld iterations%s (--solver-iterations, --solver-tol "
                              "or a smaller --C)",
                              report->residual, (long long)report->iterations, kept));
done:
    return st;
}

/* Single precision where nobody asked for more and C allows it; double where there is room. */
static ny_keep keep_for(const ny_selection *sel, const ny_plan *plan, const sides *s) {
    double most = 0;
    for (int64_t k = 0; k < s->systems; k++) most = fmax(most, s->value[k]);
    bool rough = !ny_options_exact(sel->options) && most <= FLOAT_MOST && sel->best.kernel->base == NY_BASE_SQDIST;
    if (rough && plan->keep != NY_KEEP_NOTHING) return NY_KEEP_FLOAT;
    return plan->keep == NY_KEEP_DOUBLE ? NY_KEEP_DOUBLE : NY_KEEP_NOTHING;
}

static ny_status solve(ny_selection *sel, const ny_plan *plan, sides *s, ny_preconditioner *P, ny_record *record,
                       ny_cg_report *report) {
    ny_status st = NY_OK;
    ny_point point = {sel->best.kernel, sel->best.bandwidth, 0, 0};
    ny_kernel_params kernel = ny_point_kernel(sel, &point);
    bool asked = ny_options_exact(sel->options);
    NY_TRY(sides_make(sel, s));
    NY_TRY(ny_precondition_make(sel->ctx, &kernel, &sel->all.X, sel->all.u, plan->preconditioner, s->columns, s->C,
                                sel->seed, P));
    ny_cg problem = {.kernel = &kernel,
                     .X = &sel->all.X,
                     .u = sel->all.u,
                     .columns = s->columns,
                     .B = s->B,
                     .C = s->C,
                     .P = P,
                     .keep = keep_for(sel, plan, s),
                     .tol = asked ? sel->options->solver_tol : fmax(sel->options->solver_tol, ENOUGH),
                     .loose = s->probes,
                     .loose_tol = PROBES_TOL,
                     .iterations = sel->options->solver_iterations,
                     .good = asked ? GOOD : GOOD_ENOUGH};
    if (!asked && problem.keep == NY_KEEP_NOTHING) goto done; /* every product would cost as much as the first */
    if (problem.keep == NY_KEEP_DOUBLE && record->predicted_bytes < plan->exact_bytes)
        record->predicted_bytes = plan->exact_bytes;
    st = ny_cg_solve(sel->ctx, &problem, s->x, report);
    if (st == NY_STOPPED) report->stopped = true, st = NY_OK;
done:
    return st;
}

ny_status ny_exact_train(ny_selection *sel, const ny_plan *plan, ny_record *record) {
    ny_status st = NY_OK;
    sides s = {0};
    ny_preconditioner P = {0};
    ny_cg_report report = {.residual = INFINITY};
    bool asked = ny_options_exact(sel->options);
    double started = ny_now(), good = asked ? GOOD : GOOD_ENOUGH;
    if (sel->stopped) return asked ? tell(sel, &report, good, record) : NY_OK;
    st = solve(sel, plan, &s, &P, record, &report);
    if (st == NY_STOPPED) report.stopped = true; /* while the preconditioner was made */
    else if (st != NY_OK) goto done;
    if (report.stopped) record->stopped = sel->ctx->finishing = true;
    NY_TRY(tell(sel, &report, good, record));
    if (report.residual <= good) {
        NY_TRY(adopt(sel, &s));
        NY_TRY(hold_out(sel, &s, &P));
        record->solver = (ny_solver){true, report.iterations, report.residual, P.f.r, ny_now() - started};
    }
done:
    sides_clear(&s);
    ny_precondition_clear(&P);
    return st;
}

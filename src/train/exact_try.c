/* exact_try.c: see exact_try.h. For each output, with rows scaled by u,
 *
 *     (DKD + I/C) nu = D y,   (DKD + I/C) eta = u,   b = u'nu / u'eta,   beta = D (nu - b eta)    docs/math.md, eq. 51
 *
 * where outputs of equal C share their eta. The leave-one-out outputs need the diagonal of the inverse, of which random
 * signs v and the preconditioner P tell enough:
 *
 *     (A^-1)_ii ~ mean of v_i (A^-1 v)_i - t_i (mean of v_i (P^-1 v)_i - (P^-1)_ii),  1/A_ii <= (A^-1)_ii <= (P^-1)_ii
 *                                                                                                              (eq. 62)
 * with the t_i of least variance, for one C. What 1/(A^-1)_ii has more than 1/(P^-1)_ii there, the variance that the
 * low rank does not see, is taken to be the same for the others. Then
 *
 *     Q_ii = (A^-1)_ii - eta_i^2 / u'eta,     f_i(loo) = y_i - (nu_i - b eta_i) / (Q_ii u_i)                   (eq. 63)
 */
#include "exact_try.h"

#include <math.h>
#include <string.h>

#include "base/rng.h"
#include "linalg/linalg.h"

static const double ROUNDING = 1e-6; /* of a sum of 256 numbers in single precision, beside one of them */
static const double NOISE = 0.05;    /* share of x / C by which products may be off */

/* The right sides: for each C the targets of its outputs and u; then the signs for one C. */
typedef struct {
    int64_t columns, systems, probes, probed; /* probes: signs; probed: their system */
    const double *value;                      /* systems: C */
    double *B, *C, *x;                        /* n x columns, columns, n x columns: right sides, C, solutions */
} sides;

int64_t ny_exact_probes(int64_t n) {
    return n < 2000 ? 48 : 16; /* the mean over many rows has little noise */
}

double ny_exact_output(const ny_selection *sel, const double *nu, const double *eta, double *beta) {
    int64_t n = sel->all.n;
    const double *u = sel->all.u;
    bool bias = sel->machine->bias;
    double b = bias ? ny_dot(n, u, nu) / ny_dot(n, u, eta) : 0;
    for (int64_t i = 0; i < n; i++) beta[i] = u[i] * (bias ? nu[i] - b * eta[i] : nu[i]);
    return b;
}

static bool wanted(const ny_exact *x, const sides *s, int64_t k, int64_t j) {
    return x->direct || x->own[j] == s->value[k];
}

static void add_column(sides *s, int64_t n, double C, const double *u, const double *y) {
    for (int64_t i = 0; i < n; i++) s->B[i + s->columns * n] = y ? u[i] * y[i] : u[i];
    s->C[s->columns++] = C;
}

static double probe_sign(const ny_selection *sel, int64_t i, int64_t k) {
    return ny_rng_hash(sel->seed, NY_RNG_PROBES, (uint64_t)sel->all.id[i]) >> k & 1 ? 1 : -1;
}

static ny_status sides_make(const ny_exact *x, int64_t systems, const double *C, int64_t probed, sides *s) {
    ny_status st = NY_OK;
    const ny_selection *sel = x->sel;
    int64_t n = sel->all.n, q = sel->outputs;
    *s = (sides){.systems = systems, .value = C, .probed = probed, .probes = probed < 0 ? 0 : ny_exact_probes(n)};
    int64_t most = systems + s->probes + q * (x->direct ? systems : 1);
    NY_NEW_RAW(sel->ctx, s->C, most);
    NY_NEW_RAW(sel->ctx, s->B, ny_size3(n, most, 1));
    for (int64_t k = 0; k < systems; k++) {
        for (int64_t j = 0; j < q; j++)
            if (wanted(x, s, k, j)) add_column(s, n, C[k], sel->all.u, sel->all.Y + j * n);
        if (sel->machine->bias) add_column(s, n, C[k], sel->all.u, NULL);
    }
    for (int64_t c = 0; c < s->probes; c++, s->columns++) {
        s->C[s->columns] = C[probed];
        for (int64_t i = 0; i < n; i++) s->B[i + s->columns * n] = probe_sign(sel, i, c);
    }
    NY_NEW_RAW(sel->ctx, s->x, ny_size3(n, s->columns, 1));
done:
    return st;
}

static void sides_clear(sides *s) {
    ny_free(s->B);
    ny_free(s->C);
    ny_free(s->x);
}

/* 1/(A^-1)_ii - 1/(P^-1)_ii of row i from a = v_i (A^-1 v)_i and p = v_i (P^-1 v)_i of every sign; d = (P^-1)_ii, most
 * = A_ii.   eq. 62
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

/* The same for all rows. */
static ny_status probe(ny_exact *x, const sides *s) {
    ny_status st = NY_OK;
    int64_t n = x->sel->all.n, first = s->columns - s->probes;
    double C = s->value[s->probed], *scratch = NULL;
    const double *u = x->sel->all.u;
    NY_NEW_RAW(x->sel->ctx, scratch, ny_size3(n, s->probes, 1));
    NY_TRY(ny_precondition_diagonal(x->sel->ctx, &x->P, C, x->rough, x->unseen));
    ny_precondition(&x->P, s->probes, s->C + first, s->B + first * n, scratch);
    for (int64_t i = 0; i < n; i++)
        x->unseen[i] = probed(s, n, i, first, scratch, x->unseen[i], u[i] * u[i] * x->kappa[i] + 1 / C);
done:
    ny_free(scratch);
    return st;
}

/* f(loo) of output j, and its mean squared error; nu and eta: solutions, b: the bias.   eq. 63 */
static double leave_one_out(const ny_exact *x, int64_t j, const double *nu, const double *eta, double b, double *held) {
    const ny_selection *sel = x->sel;
    int64_t n = sel->all.n;
    const double *u = sel->all.u, *y = sel->all.Y + j * n;
    bool bias = sel->machine->bias;
    double share = bias ? 1 / ny_dot(n, u, eta) : 0, sum = 0, weight = 0;
    for (int64_t i = 0; i < n; i++) {
        double a = bias ? nu[i] - b * eta[i] : nu[i], border = bias ? share * eta[i] * eta[i] : 0;
        double Q = fmax(x->diagonal[i] - border, 0.05 * x->diagonal[i]); /* the noise of the signs must not make it 0 */
        held[i] = y[i] - a / (Q * u[i]);
        sum += a / Q * a / Q;
        weight += u[i] * u[i];
    }
    return sum / weight;
}

/* What the solutions are worth; each output keeps its best machine. */
static ny_status judge(ny_exact *x, const sides *s) {
    ny_status st = NY_OK;
    ny_selection *sel = x->sel;
    int64_t n = sel->all.n, column = 0;
    double *beta = NULL, *held = NULL;
    NY_NEW_RAW(sel->ctx, beta, n);
    NY_NEW_RAW(sel->ctx, held, n);
    for (int64_t k = 0; k < s->systems; k++) {
        double sum = 0;
        int64_t eta = column;
        for (int64_t j = 0; j < sel->outputs; j++) eta += wanted(x, s, k, j);
        NY_TRY(ny_precondition_diagonal(sel->ctx, &x->P, s->value[k], x->rough, x->diagonal));
        for (int64_t i = 0; i < n; i++) x->diagonal[i] = 1 / (1 / x->diagonal[i] + x->unseen[i]);
        for (int64_t j = 0; j < sel->outputs; j++) {
            if (!wanted(x, s, k, j)) continue;
            double *nu = s->x + column++ * n, b = ny_exact_output(sel, nu, s->x + eta * n, beta);
            double loss = leave_one_out(x, j, nu, s->x + eta * n, b, held);
            sum += loss / (double)sel->outputs;
            if (!(loss < x->loss[j])) continue;
            x->loss[j] = loss, x->C[j] = s->value[k], x->b[j] = b;
            memcpy(x->beta + j * n, beta, (size_t)n * sizeof *beta);
            memcpy(x->held + j * n, held, (size_t)n * sizeof *held);
        }
        column += sel->machine->bias;
        if (x->direct) x->at[x->tried] = s->value[k], x->mean[x->tried++] = sum;
    }
done:
    ny_free(beta);
    ny_free(held);
    return st;
}

/* Rounding to single precision is little beside x / C, in products and in leverages.   eq. 103 */
static bool bears_rounding(const ny_exact *x, int64_t systems, const double *C) {
    const ny_selection *sel = x->sel;
    double most = 0, largest = x->P.norm / sqrt((double)sel->all.n);
    for (int64_t k = 0; k < systems; k++) most = fmax(most, C[k]);
    for (int64_t i = 0; i < sel->all.n; i++) largest = fmax(largest, sel->all.u[i] * sel->all.u[i] * x->kappa[i]);
    return ROUNDING * most * largest <= NOISE;
}

ny_status ny_exact_try(ny_exact *x, int64_t systems, const double *C, int64_t probed) {
    ny_status st = NY_OK;
    ny_selection *sel = x->sel;
    sides s = {0};
    ny_cg_report report = {.residual = INFINITY};
    NY_TRY(sides_make(x, systems, C, probed, &s));
    NY_TRY(ny_precondition_for(sel->ctx, &x->P, systems, C));
    x->rough = x->hasty && bears_rounding(x, systems, C);
    ny_cg problem = {.K = &x->K,
                     .u = sel->all.u,
                     .columns = s.columns,
                     .B = s.B,
                     .C = s.C,
                     .P = &x->P,
                     .tol = x->tol,
                     .loose = s.probes,
                     .loose_tol = x->signs_tol,
                     .iterations = x->iterations,
                     .hasty = x->hasty,
                     .rough = x->rough,
                     .good = x->good};
    NY_TRY(ny_cg_solve(sel->ctx, &problem, s.x, &report));
    if (report.residual <= x->good) {
        if (s.probes) NY_TRY(probe(x, &s));
        NY_TRY(judge(x, &s));
    }
done:
    if (st == NY_STOPPED) report.stopped = true, st = NY_OK;
    x->report.iterations += report.iterations;
    x->report.stopped |= report.stopped;
    if (probed >= 0 || report.residual <= x->good) x->report.residual = report.residual; /* else what there was stays */
    sides_clear(&s);
    return st;
}

ny_status ny_exact_new(ny_selection *sel, ny_exact *x) {
    ny_status st = NY_OK;
    ny_ctx *ctx = sel->ctx;
    int64_t n = sel->all.n, q = sel->outputs;
    *x = (ny_exact){.sel = sel, .report.residual = INFINITY};
    NY_NEW_RAW(ctx, x->kappa, n);
    NY_NEW(ctx, x->unseen, n);
    NY_NEW_RAW(ctx, x->diagonal, n);
    NY_NEW_RAW(ctx, x->loss, q);
    NY_NEW(ctx, x->own, q);
    NY_NEW_RAW(ctx, x->C, q);
    NY_NEW_RAW(ctx, x->b, q);
    NY_NEW_RAW(ctx, x->beta, ny_size3(n, q, 1));
    NY_NEW_RAW(ctx, x->held, ny_size3(n, q, 1));
    for (int64_t j = 0; j < q; j++) x->loss[j] = INFINITY;
done:
    return st;
}

void ny_exact_clear(ny_exact *x) {
    ny_kernel_product_clear(&x->K);
    ny_precondition_clear(&x->P);
    ny_free(x->kappa);
    ny_free(x->unseen);
    ny_free(x->diagonal);
    ny_free(x->loss);
    ny_free(x->own);
    ny_free(x->C);
    ny_free(x->b);
    ny_free(x->beta);
    ny_free(x->held);
}

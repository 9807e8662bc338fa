/* exact_try.c: see exact_try.h. For each output, with rows scaled by u and A = DKD + I/C,
 *
 *     A alpha + b u = D y,   u'alpha = 0,   beta = D alpha                                        docs/math.md, eq. 51
 *
 * and Q, the inverse of A on the space orthogonal to u: alpha = Q D y. The leave-one-out outputs need the diagonal of
 * Q, of which random signs v and the preconditioner, whose Q is Q~, tell enough:
 *
 *     Q_ii ~ mean of v_i (Q v)_i - t_i (mean of v_i (Q~ v)_i - Q~_ii),
 *     0 <= 1/Q_ii - 1/Q~_ii <= 2 sum_j (Q~_ij / Q~_ii)^2 E_jj                                                  (eq. 62)
 *
 * with the t_i of least variance; E = D (K - K~) D is the kernel that the low rank does not see. Every C has signs of
 * its own, but for machines of many outputs with a C each: there what 1/Q_ii has more than 1/Q~_ii at the middle C is
 * taken to be the same for the others. Then
 *
 *     f_i(loo) = y_i - alpha_i / (Q_ii u_i)                                                                     (eq.
 * 63)
 */
#include "exact_try.h"

#include <math.h>
#include <string.h>

#include "base/rng.h"
#include "linalg/linalg.h"

static const double ROUNDING = 1e-6; /* of a sum of 256 numbers in single precision, beside one of them */
static const double SIGNS = 3;       /* times the goal of the signs, where they still will do */
static const double NOISE = 0.05;    /* share of x / C by which products may be off */

/* The right sides: for each C the targets of its outputs; then the signs, for each C or for one. */
typedef struct {
    int64_t columns, systems;
    const double *value; /* systems: C */
    int64_t probes;      /* signs of one C, and ... */
    int64_t first;       /* ... the column of the very first */
    int64_t only;        /* the one system that has signs; -1: all have */
    double *B, *C, *x;   /* n x columns, columns, n x columns: right sides, C, solutions */
    double *left;        /* columns: how far they are from their goals */
} sides;

/* The first column of the signs that tell of system k. */
static int64_t signs_of(const sides *s, int64_t k) {
    return s->first + (s->only < 0 ? k * s->probes : 0);
}

/* The noise of a mean over the rows falls with both numbers, so that many rows need few signs each. */
static int64_t signs(int64_t n) {
    int64_t few = 65536 / n;
    return few < 8 ? 8 : few > 48 ? 48 : few;
}

int64_t ny_exact_columns(int64_t n, int64_t targets, int64_t sets) {
    return targets + sets * signs(n);
}

static bool wanted(const ny_exact *x, const sides *s, int64_t k, int64_t j) {
    return x->direct || x->own[j] == s->value[k];
}

static void add_column(sides *s, int64_t n, double C, const double *u, const double *y) {
    for (int64_t i = 0; i < n; i++) s->B[i + s->columns * n] = u[i] * y[i];
    s->C[s->columns++] = C;
}

static double probe_sign(const ny_selection *sel, int64_t i, int64_t k) {
    return ny_rng_hash(sel->seed, NY_RNG_PROBES, (uint64_t)sel->all.id[i]) >> k & 1 ? 1 : -1;
}

static ny_status sides_make(const ny_exact *x, int64_t systems, const double *C, int64_t only, sides *s) {
    ny_status st = NY_OK;
    const ny_selection *sel = x->sel;
    int64_t n = sel->all.n, q = sel->outputs;
    *s = (sides){.systems = systems, .value = C, .only = only, .probes = signs(n)};
    int64_t most = s->probes * (only < 0 ? systems : 1) + q * (x->direct ? systems : 1);
    NY_NEW_RAW(sel->ctx, s->C, most);
    NY_NEW_RAW(sel->ctx, s->B, ny_size3(n, most, 1));
    for (int64_t k = 0; k < systems; k++)
        for (int64_t j = 0; j < q; j++)
            if (wanted(x, s, k, j)) add_column(s, n, C[k], sel->all.u, sel->all.Y + j * n);
    s->first = s->columns;
    for (; s->columns < most; s->columns++) {
        int64_t sign = s->columns - s->first;
        s->C[s->columns] = C[only < 0 ? sign / s->probes : only];
        for (int64_t i = 0; i < n; i++) s->B[i + s->columns * n] = probe_sign(sel, i, sign % s->probes);
    }
    NY_NEW_RAW(sel->ctx, s->x, ny_size3(n, s->columns, 1));
    NY_NEW_RAW(sel->ctx, s->left, s->columns);
done:
    return st;
}

static void sides_clear(sides *s) {
    ny_free(s->B);
    ny_free(s->C);
    ny_free(s->x);
    ny_free(s->left);
}

/* What the signs say of Q_ii / Q~_ii of row i: a mean and its variance, from a = v_i (Q v)_i and p = v_i (Q~ v)_i of
 * every sign; d = Q~_ii.   eq. 62 */
typedef struct {
    double mean, variance;
} ratio;

static ratio told(const sides *s, int64_t n, int64_t i, int64_t first, const double *scratch, double d) {
    double count = (double)s->probes, a = 0, p = 0, aa = 0, ap = 0, pp = 0;
    for (int64_t c = 0; c < s->probes; c++) {
        double v = s->B[i + (first + c) * n] / d, x = v * s->x[i + (first + c) * n], y = v * scratch[i + c * n] - 1;
        a += x / count, p += y / count;
        aa += x * x, ap += x * y, pp += y * y;
    }
    aa = (aa / count - a * a) / (count - 1);
    ap = (ap / count - a * p) / (count - 1);
    pp = (pp / count - p * p) / (count - 1);
    double t = pp > 0 ? fmax(fmin(ap / pp, 1), 0) : 0;
    return (ratio){a - t * p, fmax(aa - 2 * t * ap + t * t * pp, 1e-24)};
}

/* Q~ of the columns of V. */
static void apply(const ny_exact *x, int64_t columns, const double *C, const double *V, double *out) {
    const ny_rows *rows = &x->sel->all;
    ny_precondition(&x->P, columns, C, V, out);
    for (int64_t c = 0; c < columns && x->sel->machine->bias; c++) ny_project_out(rows->n, rows->u, out + c * rows->n);
}

/* Twice sum_j (Q~_ij / Q~_ii)^2 E_jj, as the mean of (Q~ E^1/2 v)_i^2 / Q~_ii^2 over the signs v; Q: Q~_ii. */
static void limits(const ny_exact *x, const sides *s, int64_t first, const double *Q, double *V, double *out,
                   double *most) {
    int64_t n = x->sel->all.n;
    for (int64_t c = 0; c < s->probes; c++)
        for (int64_t i = 0; i < n; i++)
            V[i + c * n] = s->B[i + (first + c) * n] * x->sel->all.u[i] * sqrt(fmax(x->P.f.unseen[i], 0));
    apply(x, s->probes, s->C + first, V, out);
    for (int64_t i = 0; i < n; i++) {
        double sum = 0;
        for (int64_t c = 0; c < s->probes; c++) sum += out[i + c * n] * out[i + c * n];
        most[i] = 2 * sum / (double)s->probes / (Q[i] * Q[i]);
    }
}

/* 1/Q_ii - 1/Q~_ii of all rows. The ratio of a row is between least_i and 1; where its signs have more noise than that
 * is wide it is taken from all rows together, as the same share of that width.   eq. 62a */
static void settle(int64_t n, const ratio *said, const double *most, double *Q) {
    double lost = 0, width = 0;
    for (int64_t i = 0; i < n; i++) {
        double least = 1 / (1 + most[i] * Q[i]), weight = 1 / (said[i].variance + (1 - least) * (1 - least) / 12);
        lost += weight * (1 - said[i].mean) * (1 - least);
        width += weight * (1 - least) * (1 - least);
    }
    double share = width > 0 ? fmax(fmin(lost / width, 1), 0) : 0;
    for (int64_t i = 0; i < n; i++) {
        double least = 1 / (1 + most[i] * Q[i]), spread = (1 - least) * (1 - least) / 12; /* of a uniform variable */
        double usual = 1 - share * (1 - least);
        double mean = (spread * said[i].mean + said[i].variance * usual) / (spread + said[i].variance);
        double noise =
            spread * said[i].variance / (spread + said[i].variance); /* it adds 3 noise / mean^4 to mean^-2 */
        mean = fmax(mean, least);
        mean *= 1 + 1.5 * fmin(noise / (mean * mean), 0.25);
        Q[i] = (1 / fmax(fmin(mean, 1), least) - 1) / Q[i];
    }
}

/* What the signs of system k tell, to x->unseen. */
static ny_status probe(ny_exact *x, const sides *s, int64_t k) {
    ny_status st = NY_OK;
    int64_t n = x->sel->all.n, first = signs_of(s, k);
    double *scratch = NULL, *V = NULL;
    ratio *said = NULL;
    NY_NEW_RAW(x->sel->ctx, said, n);
    NY_NEW_RAW(x->sel->ctx, scratch, ny_size3(n, s->probes, 1));
    NY_NEW_RAW(x->sel->ctx, V, ny_size3(n, s->probes, 1));
    NY_TRY(ny_precondition_diagonal(x->sel->ctx, &x->P, s->C[first], x->rough, x->unseen));
    limits(x, s, first, x->unseen, V, scratch, x->diagonal);
    apply(x, s->probes, s->C + first, s->B + first * n, scratch);
    for (int64_t i = 0; i < n; i++) said[i] = told(s, n, i, first, scratch, x->unseen[i]);
    settle(n, said, x->diagonal, x->unseen);
done:
    ny_free(said);
    ny_free(scratch);
    ny_free(V);
    return st;
}

/* The error of row i without its group of equal rows, of weight V. With s the variance of their output given all other
 * rows, C V s = V eta / (1 - V eta), V eta the sum of their leverages (spent). Estimates of Q_ii have more noise than 1
 * - V eta is large, so what they say is kept between the same of the low rank and that with as much more as the rows
 * that are alone have of the kernel E that the low rank does not see (share).   eq. 113 */
static double without_group(const ny_exact *x, int64_t j, int64_t i, double C, double alpha, double share) {
    const ny_rows *rows = &x->sel->all;
    const double *spent = x->spent + 2 * x->together.group[i];
    double V = x->together.weight[i], y = rows->Y[i + j * rows->n], mean = x->together.mean[i + j * rows->n];
    double said = 1 / fmax(1 - spent[0], 1e-12) - 1, low_rank = 1 / fmax(1 - spent[1], 1e-12) - 1; /* C V s */
    double CVs = fmin(fmax(said, low_rank), low_rank + C * V * share * x->rest[i]);
    return y - mean + (mean - (y - alpha / (C * rows->u[i]))) * (1 + fmin(CVs, C * V * x->kappa[i]));
}

/* Sums of the leverages in each group, and those that the low rank has there. Returns what 1/Q_ii has more than the low
 * rank (more) in the rows that are alone, as a share of E_ii. */
static double spend(ny_exact *x, double C, const double *Q, const double *more) {
    const int64_t *group = x->together.group;
    const double *u = x->sel->all.u;
    double unseen = 0, rest = 0;
    for (int64_t g = 0; g < 2 * x->together.groups; g++) x->spent[g] = 0;
    for (int64_t i = 0; i < x->sel->all.n; i++) {
        if (group[i] >= 0) {
            x->spent[2 * group[i]] += 1 - Q[i] / C;
            x->spent[2 * group[i] + 1] += 1 - 1 / (C * (1 / Q[i] - more[i]));
        } else {
            unseen += more[i];
            rest += u[i] * u[i] * x->rest[i];
        }
    }
    return rest > 0 ? fmin(unseen / rest, 1) : 0;
}

/* sum_i v_i e_i^2 / sum_i v_i of the errors e_i = alpha_i / (Q_ii u_i) of rows left out; error: they, or NULL.   eq. 63
 */
static double leave_one_out(ny_exact *x, int64_t j, double C, const double *alpha, const double *Q, const double *more,
                            double *error) {
    const ny_rows *rows = &x->sel->all;
    const int64_t *group = x->together.group;
    double sum = 0, weight = 0, share = group ? spend(x, C, Q, more) : 0;
    for (int64_t i = 0; i < rows->n; i++) {
        bool alone = !group || group[i] < 0;
        double v = rows->u[i] * rows->u[i];
        double e = alone ? alpha[i] / (Q[i] * rows->u[i]) : without_group(x, j, i, C, alpha[i], share);
        if (error) error[i] = e;
        sum += v * e * e;
        weight += v;
    }
    return sum / weight;
}

/* Whether the signs of system k have come near their goal, so that it is known how to leave rows out. */
static bool known(const ny_exact *x, const sides *s, int64_t k) {
    bool near = true;
    for (int64_t c = signs_of(s, k); c < signs_of(s, k) + s->probes; c++) near &= s->left[c] <= SIGNS * x->signs_tol;
    return near || !x->hasty;
}

/* What the solutions are worth; each output keeps its best machine. A system that did not come near its goal, or whose
 * signs did not, counts for nothing. */
static ny_status judge(ny_exact *x, const sides *s) {
    ny_status st = NY_OK;
    ny_selection *sel = x->sel;
    int64_t n = sel->all.n, column = 0;
    bool probed = false;
    for (int64_t k = 0; k < s->systems; k++) {
        int64_t first = column;
        double sum = 0, left = 0;
        for (int64_t j = 0; j < sel->outputs; j++)
            if (wanted(x, s, k, j)) left = fmax(left, s->left[column++]);
        if (!(left <= x->good) || !known(x, s, k)) continue;
        if (s->only < 0 || !probed) NY_TRY(probe(x, s, k));
        probed = true;
        NY_TRY(ny_precondition_diagonal(sel->ctx, &x->P, s->value[k], x->rough, x->diagonal));
        for (int64_t i = 0; i < n; i++) x->diagonal[i] = 1 / (1 / x->diagonal[i] + x->unseen[i]);
        for (int64_t j = 0; j < sel->outputs; j++) {
            if (!wanted(x, s, k, j)) continue;
            const double *alpha = s->x + first++ * n;
            double loss = leave_one_out(x, j, s->value[k], alpha, x->diagonal, x->unseen, NULL);
            sum += loss / (double)sel->outputs;
            if (!(loss < x->loss[j])) continue;
            x->loss[j] = loss, x->C[j] = s->value[k];
            memcpy(x->alpha + j * n, alpha, (size_t)n * sizeof *alpha);
            memcpy(x->Q + j * n, x->diagonal, (size_t)n * sizeof *alpha);
            if (x->more) memcpy(x->more + j * n, x->unseen, (size_t)n * sizeof *alpha);
        }
        if (x->direct) x->at[x->tried] = s->value[k], x->mean[x->tried++] = sum;
    }
done:
    return st;
}

/* sum_i v_i e_i^2 / (n - sum_i h_i) of the training errors, u_i e_i = alpha_i / C + r_i, 1 - h_i = Q_ii / C.   eq. 55
 */
static double noise_of(int64_t n, double C, const double *alpha, const double *r, const double *Q) {
    double squares = 0, left = 0;
    for (int64_t i = 0; i < n; i++) {
        double e = alpha[i] / C + r[i];
        squares += e * e;
        left += Q[i] / C;
    }
    return fmax(squares / left, 1e-300);
}

ny_status ny_exact_measure(ny_exact *x, double *held) {
    ny_status st = NY_OK;
    const ny_rows *rows = &x->sel->all;
    const double *u = rows->u;
    int64_t n = rows->n, q = x->sel->outputs;
    bool bias = x->sel->machine->bias;
    double *beta = NULL, *r = NULL, total = ny_dot(n, u, u);
    ny_kernel_product K = {0};
    x->report.residual = x->beside = 0;
    NY_NEW_RAW(x->sel->ctx, beta, ny_size3(n, q, 1));
    NY_NEW_RAW(x->sel->ctx, r, ny_size3(n, q, 1));
    NY_TRY(ny_kernel_product_make(x->sel->ctx, &x->kernel, &rows->X, q, NY_KEEP_NOTHING, &K));
    for (int64_t i = 0; i < n * q; i++) beta[i] = u[i % n] * x->alpha[i];
    ny_kernel_product_run(&K, q, beta, r);
    if (ny_should_stop(x->sel->ctx)) NY_FAIL(x->sel->ctx, NY_STOPPED, "stopped");
    for (int64_t j = 0; j < q; j++) {
        const double *y = rows->Y + j * n, *alpha = x->alpha + j * n;
        double *rest = r + j * n, *f = held + j * n;
        for (int64_t i = 0; i < n; i++) rest[i] = u[i] * (y[i] - rest[i]) - alpha[i] / x->C[j], f[i] = u[i] * y[i];
        x->b[j] = bias ? ny_dot(n, u, rest) / total : 0;
        if (bias) ny_project_out(n, u, rest), ny_project_out(n, u, f);
        double size = sqrt(ny_dot(n, f, f)), left = sqrt(ny_dot(n, rest, rest));
        x->report.residual = fmax(x->report.residual, size > 0 ? left / size : 0);
        x->beside = fmax(x->beside, left > 0 ? left * x->C[j] / sqrt(ny_dot(n, alpha, alpha)) : 0);
        x->loss[j] = leave_one_out(x, j, x->C[j], alpha, x->Q + j * n, x->more ? x->more + j * n : NULL, f);
        x->noise[j] = noise_of(n, x->C[j], alpha, rest, x->Q + j * n);
        for (int64_t i = 0; i < n; i++) f[i] = y[i] - f[i];
    }
done:
    ny_kernel_product_clear(&K);
    ny_free(beta);
    ny_free(r);
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

ny_status ny_exact_try(ny_exact *x, int64_t systems, const double *C, int64_t only) {
    ny_status st = NY_OK;
    ny_selection *sel = x->sel;
    sides s = {0};
    ny_cg_report report = {.residual = INFINITY, .left = INFINITY};
    NY_TRY(sides_make(x, systems, C, only, &s));
    NY_TRY(ny_precondition_for(sel->ctx, &x->P, systems, C));
    x->rough = x->hasty && bears_rounding(x, systems, C);
    ny_cg problem = {.K = &x->K,
                     .u = sel->all.u,
                     .bias = sel->machine->bias,
                     .columns = s.columns,
                     .B = s.B,
                     .C = s.C,
                     .P = &x->P,
                     .tol = x->tol,
                     .share = x->share,
                     .loose = s.columns - s.first,
                     .loose_tol = x->signs_tol,
                     .iterations = x->iterations,
                     .hasty = x->hasty,
                     .rough = x->rough,
                     .good = x->good};
    NY_TRY(ny_cg_solve(sel->ctx, &problem, s.x, s.left, &report));
    NY_TRY(judge(x, &s));
done:
    if (st == NY_STOPPED) report.stopped = true, st = NY_OK;
    x->report.iterations += report.iterations;
    x->report.stopped |= report.stopped;
    if (x->tried == 0 || report.left <= x->good) /* else what there was stays */
        x->report.residual = report.residual, x->report.left = report.left;
    sides_clear(&s);
    return st;
}

ny_status ny_exact_new(ny_selection *sel, ny_exact *x) {
    ny_status st = NY_OK;
    ny_ctx *ctx = sel->ctx;
    int64_t n = sel->all.n, q = sel->outputs;
    *x = (ny_exact){.sel = sel, .report = {.residual = INFINITY, .left = INFINITY}};
    NY_NEW_RAW(ctx, x->kappa, n);
    NY_NEW(ctx, x->unseen, n);
    NY_NEW_RAW(ctx, x->diagonal, n);
    NY_NEW_RAW(ctx, x->loss, q);
    NY_NEW(ctx, x->own, q);
    NY_NEW_RAW(ctx, x->C, q);
    NY_NEW_RAW(ctx, x->b, q);
    NY_NEW_RAW(ctx, x->noise, q);
    NY_NEW_RAW(ctx, x->alpha, ny_size3(n, q, 1));
    NY_NEW_RAW(ctx, x->Q, ny_size3(n, q, 1));
    for (int64_t j = 0; j < q; j++) x->loss[j] = INFINITY;
    NY_NEW(ctx, x->spent, ny_size3(2, sel->copies, 1));
    NY_NEW(ctx, x->rest, n);
    if (sel->all.copy) NY_NEW(ctx, x->more, ny_size3(n, q, 1));
    if (sel->all.copy) NY_TRY(ny_together_make(sel, &sel->all, n, NULL, 0, q, &x->together));
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
    ny_free(x->noise);
    ny_free(x->spent);
    ny_free(x->rest);
    ny_together_clear(&x->together);
    ny_free(x->alpha);
    ny_free(x->Q);
    ny_free(x->more);
}

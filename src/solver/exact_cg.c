/* exact_cg.c: exact machines by conjugate gradients. docs/math.md, section 14
 *
 * Every C of the list and every output is a right side of one iteration (cg.h), and so are random signs, which tell
 * Q_ii (exact_signs.h). Every C has signs of its own, but where three outputs or more have a C each: there what 1/Q_ii
 * has more than 1/Q~_ii at the middle C is taken to be the same for the others. */
#include <math.h>
#include <string.h>

#include "exact_signs.h"
#include "exact_system.h"
#include "linalg/linalg.h"

static const double ROUNDING = 1e-6; /* of a sum of 256 numbers in single precision, beside one of them */
static const double SIGNS = 3;       /* times the goal of the signs, where they still will do */
static const double NOISE = 0.05;    /* share of x / C by which products may be off */

typedef struct {
    ny_system_rows rows;
    ny_system_goals goals;
    uint64_t seed;
    const int64_t *id;
    ny_kernel_product K;
    ny_preconditioner P;
    bool single;          /* Products of the list at work may be in single precision (eq. 103). */
    double *kappa;        /* n: diagonal of K, and 1/rho where the bias is penalised */
    double *unseen, *Q;   /* n: 1/Q_ii - 1/Q~_ii, Q_ii of the C at work */
    double *spent, *held; /* scratch: 2 x groups of copies, n */
} iterated;

/* The right sides: for each C the targets of its outputs; then the signs, for each C or for one. */
typedef struct {
    const ny_system_list *list;
    int64_t columns;
    int64_t probes;        /* signs of one C, and ... */
    int64_t first;         /* ... the column of the very first */
    int64_t only;          /* the one C of the list that has signs; -1: all have */
    double *B, *C, *x, *b; /* n x columns, columns, n x columns, columns: right sides, C, solutions, biases */
    double *left;          /* columns: how far they are from their goals */
} sides;

int64_t ny_system_columns(int64_t n, int64_t targets, int64_t sets) {
    return targets + sets * ny_signs_count(n);
}

/* The first column of the signs that tell of the k-th C. */
static int64_t signs_of(const sides *s, int64_t k) {
    return s->first + (s->only < 0 ? k * s->probes : 0);
}

/* The middle C of the list by size. */
static int64_t middle_of(const ny_system_list *list) {
    int64_t middle = 0;
    for (int64_t k = 0; k < list->count; k++) {
        int64_t below = 0;
        for (int64_t i = 0; i < list->count; i++) below += list->C[i] < list->C[k];
        if (below == list->count / 2) middle = k;
    }
    return middle;
}

static ny_status sides_make(ny_ctx *ctx, const iterated *x, const ny_system_list *list, sides *s) {
    ny_status st = NY_OK;
    int64_t n = x->rows.n, q = x->rows.q;
    *s = (sides){.list = list, .only = list->own && q > 2 ? middle_of(list) : -1};
    s->probes = list->leave_out ? ny_signs_count(n) : 0;
    int64_t most = s->probes * (s->only < 0 ? list->count : 1) + q * (list->own ? 1 : list->count);
    NY_NEW_RAW(ctx, s->C, most);
    NY_NEW_RAW(ctx, s->B, ny_size3(n, most, 1));
    for (int64_t k = 0; k < list->count; k++)
        for (int64_t j = 0; j < q; j++) {
            if (!ny_system_wants(list, k, j)) continue;
            memcpy(s->B + s->columns * n, x->rows.Y + j * n, (size_t)n * sizeof *s->B);
            s->C[s->columns++] = list->C[k];
        }
    s->first = s->columns;
    for (; s->columns < most; s->columns++) {
        int64_t sign = s->columns - s->first;
        s->C[s->columns] = list->C[s->only < 0 ? sign / s->probes : s->only];
        for (int64_t i = 0; i < n; i++) s->B[i + s->columns * n] = ny_signs_of(x->seed, x->id[i], sign % s->probes);
    }
    NY_NEW_RAW(ctx, s->x, ny_size3(n, s->columns, 1));
    NY_NEW_RAW(ctx, s->b, s->columns);
    NY_NEW_RAW(ctx, s->left, s->columns);
done:
    return st;
}

static void sides_clear(sides *s) {
    ny_free(s->B);
    ny_free(s->C);
    ny_free(s->x);
    ny_free(s->b);
    ny_free(s->left);
}

/* What the low rank of the preconditioner does not see of the kernel at row i. */
static double rest_of(const iterated *x, int64_t i) {
    return fmax(x->P.f.unseen[i], 0);
}

/* Sums of the leverages in each group of copies, and those that the low rank has there, to x->spent. Returns what
 * 1/Q_ii has more than the low rank in the rows that are alone, as a share of the kernel E that the low rank does not
 * see. */
static double spend(iterated *x, double C) {
    const ny_together *t = x->rows.together;
    const double *u = x->rows.u;
    double unseen = 0, rest = 0;
    for (int64_t g = 0; g < 2 * t->groups; g++) x->spent[g] = 0;
    for (int64_t i = 0; i < x->rows.n; i++) {
        if (t->group[i] >= 0) {
            x->spent[2 * t->group[i]] += 1 - x->Q[i] / C;
            x->spent[2 * t->group[i] + 1] += 1 - 1 / (C * (1 / x->Q[i] - x->unseen[i]));
        } else {
            unseen += x->unseen[i];
            rest += u[i] * u[i] * rest_of(x, i);
        }
    }
    return rest > 0 ? fmin(unseen / rest, 1) : 0;
}

/* The error of row i without its group of equal rows, of weight V. With s the variance of their output given all other
 * rows, C V s = V eta / (1 - V eta), V eta the sum of their leverages (spent). Estimates of Q_ii have more noise than 1
 * - V eta is large, so what they say is kept between the same of the low rank and that with as much more as the rows
 * that are alone have of the kernel that the low rank does not see (share).   eq. 113 */
static double without_group(const iterated *x, int64_t i, double C, double y, double mean, double alpha, double share) {
    const ny_together *t = x->rows.together;
    const double *spent = x->spent + 2 * t->group[i];
    double V = t->weight[i];
    double said = 1 / fmax(1 - spent[0], 1e-12) - 1, low_rank = 1 / fmax(1 - spent[1], 1e-12) - 1; /* C V s */
    double CVs = fmin(fmax(said, low_rank), low_rank + C * V * share * rest_of(x, i));
    return y - mean + (mean - (y - alpha / (C * x->rows.u[i]))) * (1 + fmin(CVs, C * V * x->kappa[i]));
}

/* The loss of output j; its leave-one-out outputs to x->held.   eq. 63 */
static double leave_out(iterated *x, int64_t j, double C, double share, const double *alpha) {
    const ny_system_rows *rows = &x->rows;
    const ny_together *t = rows->together;
    for (int64_t i = 0; t && i < rows->n; i++) {
        double y = rows->Y[i + j * rows->n] / rows->u[i], mean = t->mean[i + j * rows->n];
        if (t->group[i] >= 0) x->held[i] = y - without_group(x, i, C, y, mean, alpha[i], share);
    }
    return ny_system_leave(rows, j, alpha, x->Q, x->held);
}

/* Whether the signs of the k-th C have come near their goal, so that it is known how to leave rows out. */
static bool known(const iterated *x, const sides *s, int64_t k) {
    bool near = true;
    for (int64_t c = signs_of(s, k); c < signs_of(s, k) + s->probes; c++)
        near &= s->left[c] <= SIGNS * x->goals.signs_tol;
    return near || !x->goals.hasty;
}

/* Q_ii at the k-th C, to x->Q; probe: after its signs, or those for all, have told x->unseen. */
static ny_status diagonal(ny_ctx *ctx, iterated *x, const sides *s, int64_t k, bool probe) {
    ny_status st = NY_OK;
    int64_t n = x->rows.n, first = signs_of(s, k);
    ny_signs signs = {&x->P,     x->rows.u,    x->rows.rho,      x->single,
                      s->probes, s->C + first, s->B + first * n, s->x + first * n};
    if (probe) NY_TRY(ny_signs_unseen(ctx, &signs, x->unseen));
    NY_TRY(ny_precondition_diagonal(ctx, &x->P, s->list->C[k], x->single, x->Q));
    for (int64_t i = 0; i < n; i++) x->Q[i] = 1 / (1 / x->Q[i] + x->unseen[i]);
done:
    return st;
}

/* What the solutions are worth. A C whose right sides did not come near their goals, or whose signs did not, counts for
 * nothing. */
static ny_status judge(ny_ctx *ctx, iterated *x, const sides *s, ny_system_best *best, double *mean) {
    ny_status st = NY_OK;
    const ny_system_list *list = s->list;
    int64_t n = x->rows.n, column = 0;
    bool probed = false, leave = list->leave_out;
    for (int64_t k = 0; k < list->count; k++) {
        int64_t first = column;
        double sum = 0, left = 0;
        for (int64_t j = 0; j < x->rows.q; j++)
            if (ny_system_wants(list, k, j)) left = fmax(left, s->left[column++]);
        if (!(left <= x->goals.good) || !known(x, s, k)) continue;
        if (leave) NY_TRY(diagonal(ctx, x, s, k, s->only < 0 || !probed));
        probed = true;
        double share = leave && x->rows.together ? spend(x, list->C[k]) : 0;
        for (int64_t j = 0, c = first; j < x->rows.q; j++) {
            if (!ny_system_wants(list, k, j)) continue;
            const double *alpha = s->x + c * n;
            double loss = leave ? leave_out(x, j, list->C[k], share, alpha) : NAN;
            ny_system_machine machine = {list->C[k], s->b[c++],           loss,
                                         alpha,      leave ? x->Q : NULL, leave ? x->held : NULL};
            ny_system_offer(&x->rows, j, &machine, best);
            sum += loss;
        }
        if (mean) mean[k] = leave && isnan(sum) ? INFINITY : sum / (double)(column - first);
    }
done:
    return st;
}

/* Rounding to single precision is little beside x / C, in products and in leverages.   eq. 103 */
static bool bears_rounding(const iterated *x, const ny_system_list *list) {
    const double *u = x->rows.u;
    double most = 0, largest = x->P.norm / sqrt((double)x->rows.n);
    for (int64_t k = 0; k < list->count; k++) most = fmax(most, list->C[k]);
    for (int64_t i = 0; i < x->rows.n; i++) largest = fmax(largest, u[i] * u[i] * x->kappa[i]);
    return ROUNDING * most * largest <= NOISE;
}

static ny_status solve(ny_ctx *ctx, void *state, const ny_system_list *list, ny_system_best *best, double *mean,
                       ny_cg_report *report) {
    ny_status st = NY_OK;
    iterated *x = state;
    const ny_system_goals *goals = &x->goals;
    sides s = {0};
    *report = (ny_cg_report){.residual = INFINITY, .left = INFINITY};
    for (int64_t k = 0; mean && k < list->count; k++) mean[k] = NAN;
    NY_TRY(sides_make(ctx, x, list, &s));
    NY_TRY(ny_precondition_for(ctx, &x->P, list->count, list->C));
    x->single = goals->hasty && bears_rounding(x, list);
    ny_cg problem = {.K = &x->K,
                     .u = x->rows.u,
                     .rho = x->rows.rho,
                     .columns = s.columns,
                     .B = s.B,
                     .C = s.C,
                     .P = &x->P,
                     .tol = goals->tol,
                     .share = goals->share,
                     .loose = s.columns - s.first,
                     .loose_tol = goals->signs_tol,
                     .iterations = goals->iterations,
                     .hasty = goals->hasty,
                     .single = x->single,
                     .good = goals->good,
                     .b = s.b};
    NY_TRY(ny_cg_solve(ctx, &problem, s.x, s.left, report));
    NY_TRY(judge(ctx, x, &s, best, mean));
done:
    sides_clear(&s);
    return st;
}

static void release(void *state) {
    iterated *x = state;
    if (!x) return;
    ny_kernel_product_clear(&x->K);
    ny_precondition_clear(&x->P);
    ny_free(x->kappa);
    ny_free(x->unseen);
    ny_free(x->Q);
    ny_free(x->spent);
    ny_free(x->held);
    ny_free(x);
}

static const ny_system_member by_gradients = {solve, release};

ny_status ny_system_iterated(ny_ctx *ctx, const ny_system_rows *rows, const ny_system_iteration *how,
                             const ny_system_goals *goals, ny_system *out) {
    ny_status st = NY_OK;
    iterated *x = NULL;
    int64_t n = rows->n;
    ny_precondition_spec low_rank = {how->kernel, how->X, rows->u, rows->rho, how->rank, how->columns, how->seed};
    *out = (ny_system){0};
    NY_NEW(ctx, x, 1);
    *out = (ny_system){.member = &by_gradients, .state = x};
    x->rows = *rows;
    x->goals = *goals;
    x->seed = how->seed;
    x->id = how->id;
    NY_NEW_RAW(ctx, x->kappa, n);
    NY_NEW_RAW(ctx, x->unseen, n);
    NY_NEW_RAW(ctx, x->Q, n);
    NY_NEW_RAW(ctx, x->held, n);
    if (rows->together) NY_NEW_RAW(ctx, x->spent, ny_size3(2, rows->together->groups, 1));
    NY_TRY(ny_precondition_make(ctx, &low_rank, &x->P));
    out->rank = ny_factor_rank(&x->P.f);
    ny_progress(ctx, "solve", 0, 1, -1);
    NY_TRY(ny_kernel_product_make(ctx, how->kernel, how->X, how->columns, how->keep, &x->K));
    ny_kernel_diagonal(how->kernel, &x->K.X, x->kappa);
    for (int64_t i = 0; i < n; i++) x->kappa[i] += ny_bias_kernel(rows->rho);
done:
    if (st != NY_OK) ny_system_clear(out);
    return st;
}

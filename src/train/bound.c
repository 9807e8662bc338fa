/* bound.c: see bound.h. With alpha = D a the exact machine of one output solves P (DKD + I/C) P a = P D y, a = P a, and
 * the low-rank one the same with K~ in place of K; P takes out the weighted mean where the bias is free. From the
 * difference, a' - a = (P DKD P + I/C)^-1 P E a'. docs/math.md, eq. 39 .. 41 */
#include "bound.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/order.h"
#include "linalg/linalg.h"
#include "residual.h"
#include "search/fit.h"

/* (sqrt(kappa + more) + centre) min(sqrt C |P E a'|, sqrt(a'E a')) + |u'E a'| / s, and sqrt(kappa a'E a') more where
 * the prediction has the low-rank kernel too.   eq. 40 */
double ny_bound_value(const ny_bound_terms *t) {
    double radius = sqrt(t->kappa + t->more) + t->centre;
    double fitted = radius * fmin(sqrt(t->C) * t->pushed, sqrt(t->energy)) + t->shift;
    return fitted + (t->true_kernel ? 0 : sqrt(t->kappa * t->energy));
}

static bool keeps_training_rows(const ny_selection *sel) {
    return sel->setup->options->expansion == NY_EXPANSION_TRAINING;
}

/* A (n x q): a'_i = C u_i (y_i - f_i), f the low-rank machine's outputs. With --expansion training the coefficients are
 * u_i a'_i. */
static ny_status coefficients(ny_selection *sel, double *A) {
    ny_status st = NY_OK;
    int64_t n = sel->rows->all.n, q = sel->setup->outputs;
    double *F = NULL;
    ny_targets y;
    if (keeps_training_rows(sel)) {
        for (int64_t i = 0; i < n * q; i++) A[i] = sel->found.best.f.beta[i] / sel->rows->all.u[i % n];
        return NY_OK;
    }
    NY_NEW_RAW(sel->ctx, F, ny_size3(q, n, 1));
    NY_TRY(ny_expansion_outputs(sel->ctx, &sel->found.best.f, &sel->rows->all.X, 0, F, NULL));
    for (int64_t j = 0; j < q; j++) {
        ny_targets_of(sel->setup, &sel->rows->all, j, &y);
        for (int64_t i = 0; i < n; i++)
            A[i + j * n] = sel->found.best.C[j] * sel->rows->all.u[i] * (ny_target(&y, i) - F[j + i * q]);
    }
done:
    ny_free(F);
    return st;
}

/* E a' is in Ea, or (NULL) only |E| <= upper is known. */
static ny_bound_terms terms(const ny_selection *sel, int64_t j, const double *a, const double *Ea, double upper) {
    int64_t n = sel->rows->all.n;
    const double *u = sel->rows->all.u;
    double s = ny_dot(n, u, u), size = ny_dot(n, a, a);
    ny_bound_terms t = {.C = sel->found.best.C[j], .energy = upper * size, .pushed = upper * sqrt(size)};
    double along = upper * sqrt(size * s);
    if (Ea) {
        t.energy = fmax(ny_dot(n, a, Ea), 0);
        along = fabs(ny_dot(n, u, Ea));
        t.pushed = sqrt(ny_dot(n, Ea, Ea));
    }
    if (sel->setup->rho > 0) return t;
    if (Ea) t.pushed = sqrt(fmax(t.pushed * t.pushed - along * along / s, 0)); /* |P x|^2 = |x|^2 - (u'x)^2 / s */
    t.shift = along / s;
    return t;
}

/* kappa |u| C^2 |E| (|D y| + |b| |u|): eq. 24 of Ding and Liao, for weights and for any targets. A
 * penalised bias is part of the kernel, and then there is none to be held.   eq. 41 */
static double paper(const ny_selection *sel, int64_t j, double kappa, double error) {
    const double *u = sel->rows->all.u, C = sel->found.best.C[j];
    double s = 0, yy = 0;
    ny_targets y;
    ny_targets_of(sel->setup, &sel->rows->all, j, &y);
    for (int64_t i = 0; i < sel->rows->all.n; i++) {
        s += u[i] * u[i];
        double whole = ny_target(&y, i) + sel->rows->origin;
        yy += u[i] * u[i] * whole * whole;
    }
    double b = sel->setup->rho == 0 ? sel->found.best.f.b[j] + sel->rows->origin : 0;
    return kappa * sqrt(s) * C * C * error * (sqrt(yy) + fabs(b) * sqrt(s));
}

/* ---- before the draw ------------------------------------------------------------------------------------------ */

/* What the bound on |K - K~| before the draw is made of. */
typedef struct {
    int64_t n, landmarks, rank;
    const double *lambda;   /* n: eigenvalues of K, ascending */
    const double *diagonal; /* n: of K, descending */
} prior_terms;

/* The least epsilon with landmarks >= 64 rank / epsilon^4.                                                 eq. 41a */
static double prior_epsilon(int64_t landmarks, int64_t rank) {
    return pow(64 * (double)rank / (double)landmarks, 0.25);
}

/* |K - K_k|_F + epsilon [ n/c sum_{c largest} K_ii (sqrt(n sum K_ii^2) + eta n max K_ii) ]^1/2                 eq. 41b
 */
/* Theorem 2 of Ding and Liao: |K - K~|_F is below it with probability 0.99 over uniform draws.            eq. 41b */
static double prior_value(const prior_terms *t) {
    const double delta = 0.01;
    double n = (double)t->n, c = (double)t->landmarks, tail = 0, most = 0, squares = 0;
    for (int64_t i = 0; i < t->n - t->rank; i++) tail += t->lambda[i] * t->lambda[i];
    for (int64_t i = 0; i < t->n; i++) {
        if (i < t->landmarks) most += t->diagonal[i];
        squares += t->diagonal[i] * t->diagonal[i];
    }
    double g = c * (n - c) / (n - 0.5) / (1 - 1 / (2 * fmax(c, n - c))), eta = sqrt(log(2 / delta) * g / c);
    double spread = n / c * most * (sqrt(n * squares) + eta * n * t->diagonal[0]);
    return sqrt(tail) + prior_epsilon(t->landmarks, t->rank) * sqrt(spread);
}

/* The theorems are about columns of K drawn uniformly without replacement. */
static bool drawn_uniformly(const ny_selection *sel) {
    const ny_solution *best = &sel->found.best;
    const ny_rows *rows = &sel->rows->all;
    bool equal = true;
    for (int64_t i = 1; i < rows->n; i++) equal &= rows->u[i] == rows->u[0];
    return equal && best->asked < rows->n && ny_method_for(sel, best->asked, rows->n) == &ny_landmark_uniform;
}

/* Where K may be stored. */
static ny_status before_the_draw(const ny_selection *sel, const ny_residual *e, ny_bound *b) {
    ny_status st = NY_OK;
    int64_t n = e->rows->n, landmarks = sel->found.best.landmarks + sel->found.best.low.redundant.n;
    double *K = NULL, *lambda = NULL, *diagonal = NULL;
    b->epsilon = b->kernel_error_prior = b->bound_prior = NAN;
    if (!drawn_uniformly(sel)) return NY_OK;
    b->epsilon = prior_epsilon(landmarks, ny_factor_rank(&e->f));
    if (b->epsilon > 1 || !b->exact) return NY_OK;
    NY_NEW_RAW(e->ctx, K, ny_size3(n, n, 1));
    NY_NEW_RAW(e->ctx, lambda, n);
    NY_NEW_RAW(e->ctx, diagonal, n);
    ny_kernel_matrix(&e->kernel, &e->K.X, &e->K.X, false, K, n);
    for (int64_t i = 0; i < n; i++) diagonal[i] = K[i + i * n];
    qsort(diagonal, (size_t)n, sizeof *diagonal, ny_descending);
    NY_TRY(ny_eig(e->ctx, n, K, n, lambda));
    prior_terms t = {n, landmarks, ny_factor_rank(&e->f), lambda, diagonal};
    double weight = e->rows->u[0] * e->rows->u[0]; /* E has the weights in it */
    b->kernel_error_prior = weight * prior_value(&t);
    b->bound_prior = 0;
    for (int64_t j = 0; j < sel->setup->outputs; j++)
        b->bound_prior = fmax(b->bound_prior, paper(sel, j, e->kappa, b->kernel_error_prior));
done:
    ny_free(K);
    ny_free(lambda);
    ny_free(diagonal);
    return st;
}

/* ---- after it ------------------------------------------------------------------------------------------------- */

/* One product for everything that needs E: columns a'_1 .. a'_q, the top vector of K~, u. */
static ny_status find(ny_selection *sel, ny_bound *b) {
    ny_status st = NY_OK;
    int64_t n = sel->rows->all.n, q = sel->setup->outputs;
    const double *u = sel->rows->all.u;
    double *V = NULL, *EV = NULL, norm, s = ny_dot(n, u, u), centre, *top, *mean;
    ny_residual e = {0};
    NY_TRY(ny_residual_make(sel, &sel->found.best, q + 2, &e));
    NY_NEW_RAW(sel->ctx, V, ny_size3(n, q + 2, 1));
    NY_NEW_RAW(sel->ctx, EV, ny_size3(n, q + 2, 1));
    top = V + q * n;
    mean = top + n;
    NY_TRY(coefficients(sel, V));
    NY_TRY(ny_residual_low_rank_norm(&e, top, &norm));
    memcpy(mean, u, (size_t)n * sizeof *u);
    NY_TRY(ny_residual_norm(&e, sel->setup->seed, b));
    bool products = ny_residual_affordable(&e);
    if (products) ny_residual_product(&e, q + 2, V, EV);
    if (ny_should_stop(sel->ctx)) NY_FAIL(sel->ctx, NY_STOPPED, "stopped");
    /* v'Kv = v'K~v + v'Ev */
    b->kernel_norm = norm + (products ? fmax(ny_dot(n, top, EV + q * n), 0) : 0);
    /* |mean feature|^2 = u'DKDu / s^2 = (|GDu|^2 + u'Eu) / s^2 */
    ny_gemv(false, e.f.r, n, 1.0, e.f.G, e.f.ldg, mean, 0.0, e.H);
    centre = products ? sqrt(ny_dot(e.f.r, e.H, e.H) + fmax(ny_dot(n, mean, EV + (q + 1) * n), 0)) / s : sqrt(e.kappa);
    b->bound = b->bound_paper = 0;
    for (int64_t j = 0; j < q; j++) {
        ny_bound_terms t = terms(sel, j, V + j * n, products ? EV + j * n : NULL, b->kernel_error_upper);
        t.kappa = e.kappa;
        t.true_kernel = keeps_training_rows(sel);
        t.more = ny_bias_kernel(sel->setup->rho);
        t.centre = sel->setup->rho == 0 ? centre : 0;
        b->bound = fmax(b->bound, ny_bound_value(&t));
        b->bound_paper = fmax(b->bound_paper, paper(sel, j, e.kappa + t.more, b->kernel_error_upper));
    }
    NY_TRY(before_the_draw(sel, &e, b));
done:
    ny_residual_clear(&e);
    ny_free(V);
    ny_free(EV);
    return st;
}

ny_status ny_bound_find(ny_selection *sel, ny_record *record) {
    ny_ctx *ctx = sel->ctx;
    double started = ny_now();
    ny_bound b = {.deviation_max = NAN, .deviation_rms = NAN};
    if (ctx->stopped) return ny_record_note(ctx, record, "no bound was computed: the search was stopped early");
    ny_status st = find(sel, &b);
    if (st != NY_OK) return ny_record_note(ctx, record, "no bound was computed: %s", ny_message(ctx));
    b.known = true;
    b.seconds = ny_now() - started;
    record->bound = b;
    return NY_OK;
}

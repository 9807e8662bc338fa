/* criterion_evidence.c: Bayesian evidence (Van Gestel et al. 2002).   docs/math.md, eq. 26 - 29
 *
 * The machine as a Gaussian process: w ~ N(0, I/mu), noise of variance 1/(zeta v_i), C = zeta/mu, a flat prior for b.
 * With N = n - 1 (n without bias), the negative log evidence at the best mu for C, which chooses C (level 2):
 *
 *     1/2 [ N log(2 pi e / mu) + log det(A + I/C) - (N - r) log C + log s - sum log v_i ],   mu = N / Q
 *     Q = E_W + C E_D (both doubled) = C (|y - mean|^2 - c'(A + I/C)^-1 c)
 *
 * What the kernel has outside the factor counts as noise, rest/N of it for every row: 1/C is never below that, and
 * narrow kernels, most of which no landmark sees, cannot pass for good ones. Level 3 takes the uncertainty of log mu
 * and log zeta off again: variances 2/g and 2/(N - g), with g effective parameters.
 *
 * evidence-nystrom is the paper's own approximation (its eq. 14): the eigenvalues of all m landmarks drawn times n/m in
 * the determinant, zeros for all others; of all rows, that is the evidence itself. Held-out outputs are those of
 * leave-one-out. */
#include <math.h>
#include <string.h>

#include "linalg/linalg.h"
#include "model/record.h"
#include "spectral.h"

typedef struct { /* the spectrum in the determinant: eigenvalues of `unit` times a tridiagonal matrix */
    int64_t size;
    const double *diag, *off;
    double unit;
    double C_most;
} spectrum;

typedef struct {
    double value, report, slope;
    ny_inferred level;
} evidence;

typedef struct { /* where what is found goes, [c + k*j]; NULL: not wanted */
    double *value, *report, *slope;
    ny_inferred *level;
} wanted;

typedef struct { /* of one output at one C */
    double C;
    double total;  /* |y - mean|^2 */
    double fitted; /* c'(A + I/C)^-1 c */
    double norm;   /* |w|^2 */
} fit;

/* mu = N / Q, zeta = C mu; the variances of log mu and log zeta, those that level 3 takes off, are 2/g and 2/(N - g).
 *                                                                                        docs/math.md, eq. 27a, 27b */
static ny_inferred level_2(double N, double Q, double C, double g, bool bias) {
    return (ny_inferred){.mu = N / Q,
                         .zeta = C * N / Q,
                         .gamma_eff = g + bias,
                         .log_mu_stderr = sqrt(2 / fmax(g, 1e-300)),
                         .log_zeta_stderr = sqrt(2 / fmax(N - g, 1e-300))};
}

/* The spectrum is that of unit T; every eigenvalue beyond its own is zero. d Q / d log C = C E_D = Q - |w|^2. */
static evidence at(const ny_spectral *s, const spectrum *t, double weights, fit f) {
    const ny_problem *P = s->problem;
    double N = (double)(P->n - P->bias), size = (double)t->size, shift = 1 / (f.C * t->unit);
    double Q = fmax(f.C * fmax(f.total - f.fitted, 4e-16 * f.total), 1e-300);
    double logdet = ny_tridiag_logdet(t->size, t->diag, t->off, shift) + size * log(t->unit) - (N - size) * log(f.C);
    double g = size - shift * ny_tridiag_inverse_trace(t->size, t->diag, t->off, shift, s->scratch);
    double constant = N * (log(2 * M_PI / N) + 1) - weights + (P->bias ? log(s->moments.s) : 0);
    double value = 0.5 * (N * log(Q) + logdet + constant);
    return (evidence){.value = value,
                      .report = value + 0.5 * (log(fmax(g, 1)) + log(fmax(N - g, 1))) - log(4 * M_PI),
                      .slope = 0.5 * (N * (Q - f.norm) / Q - (N - g)),
                      .level = level_2(N, Q, f.C, g, P->bias)};
}

static ny_status find(ny_ctx *ctx, ny_spectral *s, spectrum t, const ny_C_list *list, wanted to) {
    ny_status st = NY_OK;
    const ny_problem *P = s->problem;
    int64_t r = P->r, k = list->k, most = r > t.size ? r : t.size;
    double *v = NULL, weights = 0;
    NY_NEW_RAW(ctx, v, r);
    NY_NEW_RAW(ctx, s->scratch, 2 * most);
    for (int64_t i = 0; i < P->n; i++) weights += 2 * log(P->u[i]);
    for (int64_t j = 0; j < P->q; j++) {
        double total = s->moments.yy[j];
        if (P->bias) total -= s->moments.t[j] * s->moments.t[j] / s->moments.s;
        for (int64_t c = 0; c < k; c++) {
            double C = fmin(ny_C_at(list, c, j), t.C_most);
            memcpy(v, s->z + j * r, (size_t)r * sizeof *v);
            ny_tridiag_solve(r, 1, s->diag, s->off, 1 / C, v, r, s->scratch);
            fit f = {C, total, ny_dot(r, s->z + j * r, v), ny_dot(r, v, v)};
            evidence e = at(s, &t, weights, f);
            if (to.value) to.value[c + k * j] = e.value;
            if (to.report) to.report[c + k * j] = e.report;
            if (to.slope) to.slope[c + k * j] = C < t.C_most ? e.slope : 0;
            if (to.level) to.level[c + k * j] = e.level;
        }
    }
done:
    ny_free(v);
    ny_free(s->scratch);
    s->scratch = NULL;
    return st;
}

static spectrum own_spectrum(const ny_spectral *s) {
    const ny_problem *P = s->problem;
    return (spectrum){P->r, s->diag, s->off, 1, (double)(P->n - P->bias) / P->rest}; /* infinite: nothing is missing */
}

static ny_status safe(ny_ctx *ctx, void *state, const ny_C_list *list, double *value, double *report) {
    return find(ctx, state, own_spectrum(state), list, (wanted){.value = value, .report = report});
}

static ny_status safe_slope(ny_ctx *ctx, void *state, const ny_C_list *list, double *slope) {
    return find(ctx, state, own_spectrum(state), list, (wanted){.slope = slope});
}

static ny_status safe_levels(ny_ctx *ctx, void *state, const double *C, ny_inferred *level) {
    return find(ctx, state, own_spectrum(state), &(ny_C_list){1, true, C}, (wanted){.level = level});
}

static spectrum of_landmarks(const ny_spectral *s) {
    const ny_problem *P = s->problem;
    if (!P->spectrum.diag) return (spectrum){P->r, s->diag, s->off, 1, INFINITY};
    double unit = s->moments.s / (double)P->spectrum.landmarks;
    return (spectrum){P->spectrum.landmarks, P->spectrum.diag, P->spectrum.off, unit, INFINITY};
}

static ny_status nystrom(ny_ctx *ctx, void *state, const ny_C_list *list, double *value, double *report) {
    return find(ctx, state, of_landmarks(state), list, (wanted){.value = value, .report = report});
}

static ny_status nystrom_slope(ny_ctx *ctx, void *state, const ny_C_list *list, double *slope) {
    return find(ctx, state, of_landmarks(state), list, (wanted){.slope = slope});
}

static ny_status nystrom_levels(ny_ctx *ctx, void *state, const double *C, ny_inferred *level) {
    return find(ctx, state, of_landmarks(state), &(ny_C_list){1, true, C}, (wanted){.level = level});
}

const ny_criterion ny_criterion_evidence = {
    .name = "evidence",
    .help = "Bayesian evidence: how probable the machine makes the data",
    .closed = &ny_spectral_form,
    .value = &(const ny_own_value){.nats = true, .at = safe, .slope = safe_slope, .levels = safe_levels},
};

const ny_criterion ny_criterion_evidence_nystrom = {
    .name = "evidence-nystrom",
    .help = "the evidence with the landmarks' own eigenvalues times n/m, as in Van Gestel 2002",
    .closed = &ny_spectral_form,
    .value =
        &(const ny_own_value){
            .nats = true, .spectrum = true, .at = nystrom, .slope = nystrom_slope, .levels = nystrom_levels},
};

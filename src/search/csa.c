/* csa.c: coupled simulated annealing with variance control (Xavier de Souza, Suykens, Vandewalle, Bolle 2009; De
 * Brabanter et al. 2010, Algorithm 6).   docs/math.md, eq. 30 - 32
 *
 * q annealers go side by side. Each makes a Cauchy step; downhill it always goes, uphill with a probability that
 * depends on the energies of all of them. There are three forms of this probability in the paper of 2009. The appendix
 * of De Brabanter et al. prints one made from the energies E(y) of the probing points: those probabilities do not sum
 * to one, and (1/q) sum A^2 - 1/q^2, which is the variance of A only if their mean is 1/q, would not be one. We take
 * the "modified" form (CSA-M), made from the energies of the current states, for which the rule of variance control
 * was derived: the sum is one, the variance lies between 0 (all alike) and (q - 1) / q^2 (one state has it all), and a
 * target of 0.99 times the upper end makes sense. Its sign is +E: the worst state explores, the best one stays. */
#include "csa.h"

#include <math.h>
#include <string.h>

#include "base/rng.h"

static const double STEP = 1;     /* T_0: width of the first steps, as a share of the box */
static const double ALPHA = 0.05; /* change of the acceptance temperature in each round */
static const double TARGET = 0.99;

typedef struct {
    const ny_csa *csa;
    int64_t q;
    double *x, *y;     /* dims x q: current states, probing points */
    double *E, *F, *A; /* q: their energies; acceptance probabilities */
    ny_rng rng;
    double *best, least; /* dims: the best point so far, and its energy */
} annealers;

/* A_i = exp((E_i - max E) / T) / sum_j exp((E_j - max E) / T) */
void ny_csa_acceptance(int64_t q, const double *E, double temperature, double *A) {
    double top = E[0], sum = 0;
    for (int64_t i = 1; i < q; i++) top = fmax(top, E[i]);
    for (int64_t i = 0; i < q; i++) sum += A[i] = exp((E[i] - top) / temperature);
    for (int64_t i = 0; i < q; i++) A[i] /= sum;
}

/* x folded into [lo, hi], as if both ends were mirrors. */
static double reflect(double x, double lo, double hi) {
    double width = hi - lo, t = fmod(fabs(x - lo), 2 * width);
    return fmin(fmax(t > width ? hi - (t - width) : lo + t, lo), hi);
}

/* Random, but one in each q-th of every side of the box (a Latin square): five points leave no corner empty. */
static void draw_starters(annealers *a, int64_t *part) {
    const ny_csa *c = a->csa;
    for (int64_t d = 0; d < c->dims; d++) {
        for (int64_t i = 0; i < a->q; i++) part[i] = i;
        ny_rng_shuffle(&a->rng, part, a->q);
        for (int64_t i = 0; i < a->q; i++) {
            double share = ((double)part[i] + ny_rng_uniform(&a->rng)) / (double)a->q;
            a->y[d + i * c->dims] = c->lo[d] + share * (c->hi[d] - c->lo[d]);
        }
    }
}

/* y = x + T_k (hi - lo) tan(pi (r - 1/2)), r uniform; folded into the box */
static void draw_probes(annealers *a, int64_t count, double T) {
    const ny_csa *c = a->csa;
    for (int64_t i = 0; i < count * c->dims; i++) {
        int64_t d = i % c->dims;
        double step = T * (c->hi[d] - c->lo[d]) * tan(M_PI * (ny_rng_uniform(&a->rng) - 0.5));
        a->y[i] = reflect(a->x[i] + step, c->lo[d], c->hi[d]);
    }
}

static ny_status assess(annealers *a, int64_t count) {
    const ny_csa *c = a->csa;
    ny_status st = c->energies(c->user, count, a->y, a->F);
    for (int64_t i = 0; st == NY_OK && i < count; i++)
        if (a->F[i] < a->least) {
            a->least = a->F[i];
            memcpy(a->best, a->y + i * c->dims, (size_t)c->dims * sizeof *a->y);
        }
    return st;
}

/* The random number is drawn also where it is not needed: the stream does not depend on the energies. */
static void move(annealers *a, int64_t count) {
    int64_t dims = a->csa->dims;
    for (int64_t i = 0; i < count; i++) {
        double r = ny_rng_uniform(&a->rng);
        if (!(a->F[i] <= a->E[i] || a->A[i] > r)) continue;
        a->E[i] = a->F[i];
        memcpy(a->x + i * dims, a->y + i * dims, (size_t)dims * sizeof *a->x);
    }
}

/* sigma^2 = (1/q) sum A_i^2 - 1/q^2;   T <- T (1 - alpha) below 0.99 (q - 1) / q^2, else T (1 + alpha) */
static double adjusted(const annealers *a, double T) {
    double q = (double)a->q, squares = 0;
    for (int64_t i = 0; i < a->q; i++) squares += a->A[i] * a->A[i];
    return squares / q - 1 / (q * q) < TARGET * (q - 1) / (q * q) ? T * (1 - ALPHA) : T * (1 + ALPHA);
}

static double spread(int64_t q, const double *E) {
    double lo = E[0], hi = E[0];
    for (int64_t i = 1; i < q; i++) lo = fmin(lo, E[i]), hi = fmax(hi, E[i]);
    return hi - lo;
}

static ny_status anneal(annealers *a, int64_t *part) {
    ny_status st = NY_OK;
    const ny_csa *c = a->csa;
    draw_starters(a, part);
    NY_TRY(assess(a, a->q));
    memcpy(a->x, a->y, (size_t)(c->dims * a->q) * sizeof *a->x);
    memcpy(a->E, a->F, (size_t)a->q * sizeof *a->E);
    double T = spread(a->q, a->E); /* whatever the units of E */
    if (!(T > 0)) T = 1;
    for (int64_t done = a->q, k = 0, count; done < c->evaluations; done += count, k++) {
        count = c->evaluations - done < a->q ? c->evaluations - done : a->q;
        draw_probes(a, count, STEP / (double)(k + 1));
        NY_TRY(assess(a, count));
        ny_csa_acceptance(a->q, a->E, T, a->A);
        move(a, count);
        T = adjusted(a, T);
    }
done:
    return st;
}

ny_status ny_csa_minimise(ny_ctx *ctx, const ny_csa *csa, double *x, double *E) {
    ny_status st = NY_OK;
    int64_t q = csa->starters < csa->evaluations ? csa->starters : csa->evaluations, *part = NULL;
    annealers a = {.csa = csa, .q = q, .best = x, .least = INFINITY, .rng = ny_rng_make(csa->seed, NY_RNG_SEARCH, 1)};
    NY_NEW(ctx, a.x, ny_size3(csa->dims, q, 1));
    NY_NEW(ctx, a.y, ny_size3(csa->dims, q, 1));
    NY_NEW(ctx, a.E, q);
    NY_NEW(ctx, a.F, q);
    NY_NEW(ctx, a.A, q);
    NY_NEW(ctx, part, q);
    NY_TRY(anneal(&a, part));
    *E = a.least;
done:
    ny_free(a.x);
    ny_free(a.y);
    ny_free(a.E);
    ny_free(a.F);
    ny_free(a.A);
    ny_free(part);
    return st;
}

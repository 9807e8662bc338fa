/* calibrate.c: see calibrate.h. The likelihood is concave in the two slopes: Newton's method, safeguarded. */
#include "calibrate.h"

#include <math.h>

#include "machine/calibration.h"

typedef struct {
    const ny_held_outputs *held;
    double *row, *score, *p; /* q, classes, classes: scratch */
} likelihood;

/* The scores of row i, and the probabilities that the slopes make of them. */
static void row_proba(likelihood *l, int64_t i, const double a[2]) {
    const ny_held_outputs *h = l->held;
    for (int64_t j = 0; j < h->q; j++) l->row[j] = h->F[i + j * h->n];
    ny_codes_scores(h->coding, h->classes, l->row, l->score);
    ny_calibration_proba(h->classes, l->score, a, l->p);
}

/* Minus the log of the probability of row i's class. */
static double row_loss(const likelihood *l, int64_t i) {
    return -log(fmax(l->p[l->held->code[i]], 1e-300));
}

/* Negative log likelihood per unit of weight, with a weak pull to finite slopes; gradient and Hessian if asked for. */
static double evaluate(likelihood *l, const double a[2], double g[2], double H[3]) {
    const ny_held_outputs *h = l->held;
    const double pull = 1e-6;
    double value = 0, weight = 0;
    g[0] = g[1] = H[0] = H[1] = H[2] = 0;
    for (int64_t i = 0; i < h->n; i++) {
        double v = h->u[i] * h->u[i], mean[2] = {0, 0}, part[2];
        row_proba(l, i, a);
        for (int64_t k = 0; k < h->classes; k++) {
            ny_calibration_parts(h->classes, l->score, k, part);
            mean[0] += l->p[k] * part[0];
            mean[1] += l->p[k] * part[1];
            H[0] += v * l->p[k] * part[0] * part[0];
            H[1] += v * l->p[k] * part[0] * part[1];
            H[2] += v * l->p[k] * part[1] * part[1];
        }
        ny_calibration_parts(h->classes, l->score, h->code[i], part);
        for (int c = 0; c < 2; c++) g[c] += v * (mean[c] - part[c]);
        H[0] -= v * mean[0] * mean[0];
        H[1] -= v * mean[0] * mean[1];
        H[2] -= v * mean[1] * mean[1];
        value += v * row_loss(l, i);
        weight += v;
    }
    for (int c = 0; c < 2; c++) g[c] = g[c] / weight + pull * a[c];
    for (int c = 0; c < 3; c++) H[c] = H[c] / weight + (c == 1 ? 0 : pull);
    return value / weight + 0.5 * pull * (a[0] * a[0] + a[1] * a[1]);
}

/* Every round goes through all rows: who says stop, or has no time left, gets the slopes found so far. */
static bool enough(const ny_ctx *ctx) {
    bool late = ctx->deadline > 0 && ny_now() > ctx->deadline;
    return !(ctx->grace > 0) && (late || atomic_load(&ctx->cancelled));
}

static void likelihood_clear(likelihood *l) {
    ny_free(l->row);
    ny_free(l->score);
    ny_free(l->p);
}

static ny_status likelihood_new(ny_ctx *ctx, const ny_held_outputs *held, likelihood *l) {
    ny_status st = NY_OK;
    *l = (likelihood){.held = held};
    NY_NEW_RAW(ctx, l->row, held->q);
    NY_NEW_RAW(ctx, l->score, held->classes);
    NY_NEW_RAW(ctx, l->p, held->classes);
done:
    return st;
}

/* The slopes of the largest likelihood. */
static void fit(const ny_ctx *ctx, likelihood *l, double slopes[2]) {
    double a[2] = {1, 1}, g[2], H[3], value = evaluate(l, a, g, H);
    for (int round = 0; round < 50 && !enough(ctx); round++) {
        double det = H[0] * H[2] - H[1] * H[1], next[2] = {a[0], a[1]}, step = 1, now = INFINITY;
        double d[2] = {(H[2] * g[0] - H[1] * g[1]) / det, (H[0] * g[1] - H[1] * g[0]) / det};
        for (; step > 1e-6 && !enough(ctx); step /= 2) {
            for (int c = 0; c < 2; c++) next[c] = fmax(a[c] - step * d[c], 1e-3);
            double gn[2], Hn[3];
            now = evaluate(l, next, gn, Hn);
            if (now <= value) {
                g[0] = gn[0], g[1] = gn[1], H[0] = Hn[0], H[1] = Hn[1], H[2] = Hn[2];
                break;
            }
        }
        if (!(now <= value)) break;
        a[0] = next[0], a[1] = next[1];
        if (value - now < 1e-12 * fabs(value)) break;
        value = now;
    }
    slopes[0] = a[0];
    slopes[1] = a[1];
}

ny_status ny_calibrate(ny_ctx *ctx, const ny_held_outputs *held, double slopes[2]) {
    ny_status st = NY_OK;
    likelihood l = {0};
    NY_TRY(likelihood_new(ctx, held, &l));
    fit(ctx, &l, slopes);
done:
    likelihood_clear(&l);
    return st;
}

ny_status ny_calibrated_losses(ny_ctx *ctx, const ny_held_outputs *held, double *loss) {
    ny_status st = NY_OK;
    likelihood l = {0};
    double slopes[2];
    NY_TRY(likelihood_new(ctx, held, &l));
    fit(ctx, &l, slopes);
    for (int64_t i = 0; i < held->n; i++) {
        row_proba(&l, i, slopes);
        loss[i] = row_loss(&l, i);
    }
done:
    likelihood_clear(&l);
    return st;
}

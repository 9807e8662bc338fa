/* exact_signs.c: see exact_signs.h.
 *
 *     Q_ii ~ mean of v_i (Q v)_i - t_i (mean of v_i (Q~ v)_i - Q~_ii),
 *     0 <= 1/Q_ii - 1/Q~_ii <= 2 sum_j (Q~_ij / Q~_ii)^2 E_jj                                    docs/math.md, eq. 62
 *
 * with the t_i of least variance; E = D (K - K~) D is the kernel that the low rank of the preconditioner does not see.
 */
#include "exact_signs.h"

#include <math.h>

#include "base/rng.h"
#include "cg.h"

int64_t ny_signs_count(int64_t n) {
    int64_t few = 65536 / n;
    return few < 8 ? 8 : few > 48 ? 48 : few;
}

double ny_signs_of(uint64_t seed, int64_t id, int64_t k) {
    return ny_rng_hash(seed, NY_RNG_PROBES, (uint64_t)id) >> k & 1 ? 1 : -1;
}

/* What the signs say of Q_ii / Q~_ii of a row. */
typedef struct {
    double mean, variance;
} ratio;

/* Of row i, from a = v_i (Q v)_i and p = v_i (Q~ v)_i of every sign; Pv: n x count, Q~ v; d = Q~_ii.   eq. 62 */
static ratio told(const ny_signs *s, int64_t i, const double *Pv, double d) {
    int64_t n = s->P->f.n;
    double count = (double)s->count, a = 0, p = 0, aa = 0, ap = 0, pp = 0;
    for (int64_t c = 0; c < s->count; c++) {
        double v = s->V[i + c * n] / d, x = v * s->QV[i + c * n], y = v * Pv[i + c * n] - 1;
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
static void apply(const ny_signs *s, const double *V, double *out) {
    int64_t n = s->P->f.n;
    ny_precondition(s->P, s->count, s->C, V, out);
    for (int64_t c = 0; c < s->count && s->rho == 0; c++) ny_project_out(n, s->u, out + c * n);
}

/* Twice sum_j (Q~_ij / Q~_ii)^2 E_jj, as the mean of (Q~ E^1/2 v)_i^2 / Q~_ii^2 over the signs v; Q: Q~_ii. */
static void limits(const ny_signs *s, const double *Q, double *V, double *out, double *most) {
    int64_t n = s->P->f.n;
    for (int64_t c = 0; c < s->count; c++)
        for (int64_t i = 0; i < n; i++) V[i + c * n] = s->V[i + c * n] * s->u[i] * sqrt(fmax(s->P->f.unseen[i], 0));
    apply(s, V, out);
    for (int64_t i = 0; i < n; i++) {
        double sum = 0;
        for (int64_t c = 0; c < s->count; c++) sum += out[i + c * n] * out[i + c * n];
        most[i] = 2 * sum / (double)s->count / (Q[i] * Q[i]);
    }
}

/* Q becomes 1/Q_ii - 1/Q~_ii of all rows. The ratio of a row is between least_i and 1; where its signs have more noise
 * than that is wide it is taken from all rows together, as the same share of that width.   eq. 62a */
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

ny_status ny_signs_unseen(ny_ctx *ctx, const ny_signs *s, double *unseen) {
    ny_status st = NY_OK;
    int64_t n = s->P->f.n;
    double *scratch = NULL, *V = NULL, *most = NULL;
    ratio *said = NULL;
    NY_NEW_RAW(ctx, said, n);
    NY_NEW_RAW(ctx, most, n);
    NY_NEW_RAW(ctx, scratch, ny_size3(n, s->count, 1));
    NY_NEW_RAW(ctx, V, ny_size3(n, s->count, 1));
    NY_TRY(ny_precondition_diagonal(ctx, s->P, s->C[0], s->single, unseen)); /* Q~_ii at first */
    limits(s, unseen, V, scratch, most);
    apply(s, s->V, scratch);
    for (int64_t i = 0; i < n; i++) said[i] = told(s, i, scratch, unseen[i]);
    settle(n, said, most, unseen);
done:
    ny_free(said);
    ny_free(most);
    ny_free(scratch);
    ny_free(V);
    return st;
}

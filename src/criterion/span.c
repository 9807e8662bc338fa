/* span.c: see span.h.
 *
 *     f_i(loo) = t_i - (t_i - f_i) / (1 - h_i)          for the rows of E: that of the least squares machine on E
 *     h_i = (g_i - u_i p/s)' (A + lambda/2 I)^-1 (g_i - u_i p/s) + u_i^2/s                  docs/math.md, eq. 86
 *
 * and where E has a factor of its own size, with a of eq. 84, without the differences 1 - h and t - f, which have no
 * digits left near the hard margin:
 *     f_i(loo) = t_i - a_i / (u_i ((G_E'G_E + lambda/2 I)^-1_ii - nu_i^2 / u'nu))
 * Without bias the terms with p, u^2/s and nu are not there. */
#include "span.h"

#include <math.h>
#include <string.h>

#include "base/threads.h"
#include "linalg/linalg.h"

enum { WIDTH = 256 }; /* rows of a tile */

ny_status ny_span_new(ny_ctx *ctx, const ny_problem *P, ny_span *span) {
    ny_status st = NY_OK;
    *span = (ny_span){0};
    NY_NEW_RAW(ctx, span->row, P->n);
    NY_NEW_RAW(ctx, span->norm, P->n);
    NY_NEW_RAW(ctx, span->a, P->r);
    NY_NEW_RAW(ctx, span->inverse, ny_size3(P->r, P->r, 1));
    NY_NEW_RAW(ctx, span->single, ny_size3(P->r, P->r, 1));
    NY_NEW_RAW(ctx, span->scratch, ny_size3(ny_threads(), P->r, WIDTH));
    for (int64_t i = 0; i < P->n; i++) span->norm[i] = sqrt(ny_dot(P->r, P->G + i * P->ldg, P->G + i * P->ldg));
done:
    if (st != NY_OK) ny_span_clear(span);
    return st;
}

void ny_span_clear(ny_span *span) {
    ny_free(span->row);
    ny_free(span->norm);
    ny_free(span->a);
    ny_free(span->inverse);
    ny_free(span->single);
    ny_free(span->scratch);
    *span = (ny_span){0};
}

typedef struct {
    const ny_span *span;
    const ny_sided *s;
    double *F;
    double loss; /* of digits in single precision, for |g| = 1 */
} job;

static void tile(void *arg, int64_t first, int64_t count, int thread) {
    const job *b = arg;
    const ny_sided *s = b->s;
    const ny_problem *P = s->P;
    double *g = b->span->scratch + (int64_t)thread * P->r * WIDTH, weight = ny_sided_weight(s);
    for (int64_t k = 0; k < count; k++) {
        int64_t i = b->span->row[first + k];
        const double *G = P->G + i * P->ldg;
        for (int64_t a = 0; a < P->r; a++) g[a + k * P->r] = G[a] - P->u[i] / weight * s->sums.p[a];
    }
    ny_trmm(false, P->r, count, b->span->inverse, P->r, g, P->r);
    for (int64_t k = 0; k < count; k++) {
        int64_t i = b->span->row[first + k];
        double h = ny_dot(P->r, g + k * P->r, g + k * P->r) + P->u[i] * P->u[i] / weight;
        b->F[i] = s->t[i] - (s->t[i] - s->f[i]) / fmax(1 - h, 1e-12);
    }
}

/* Single precision, for the sign of y F = 1 - (1 - y f)/(1 - h) alone: h against y f. What rounding can do to z = T g,
 * T the inverse factor, is at most `loss` = 2^-24 (r + 2) |T|_F |g|, and 2 sqrt(h) loss + loss^2 to h = |z|^2 + u^2/s.
 * Rows in doubt get F = NAN. */
static void single_tile(void *arg, int64_t first, int64_t count, int thread) {
    const job *b = arg;
    const ny_sided *s = b->s;
    const ny_problem *P = s->P;
    int64_t r = P->r;
    float *g = (float *)(b->span->scratch + (int64_t)thread * r * WIDTH);
    double size[WIDTH], weight = ny_sided_weight(s);
    for (int64_t k = 0; k < count; k++) {
        int64_t i = b->span->row[first + k];
        const double *G = P->G + i * P->ldg;
        double share = P->u[i] / weight, square = 0;
        for (int64_t a = 0; a < r; a++) {
            double x = G[a] - share * s->sums.p[a];
            square += x * x;
            g[a + k * r] = (float)x;
        }
        size[k] = sqrt(square);
    }
    ny_trmm_float(r, count, b->span->single, r, g, r);
    for (int64_t k = 0; k < count; k++) {
        int64_t i = b->span->row[first + k];
        double z = 0, loss = b->loss * size[k], margin = s->y[i] * s->f[i];
        for (int64_t a = 0; a < r; a++) z += (double)g[a + k * r] * (double)g[a + k * r];
        double h = z + P->u[i] * P->u[i] / weight, doubt = 2 * sqrt(z) * loss + loss * loss + 1e-12;
        b->F[i] = h + doubt < margin ? s->f[i] : h - doubt > margin ? -s->y[i] : NAN;
    }
}

/* Leaves the rows in doubt in span->row; returns how many they are. */
static int64_t in_single(const ny_span *span, const ny_sided *s, int64_t count, double *F) {
    int64_t r = s->P->r, left = 0;
    double square = 0;
    for (int64_t j = 0; j < r; j++)
        for (int64_t i = j; i < r; i++) {
            double x = span->inverse[i + j * r];
            square += x * x;
            span->single[i + j * r] = (float)x;
        }
    job b = {span, s, F, ldexp((double)(r + 2), -24) * sqrt(square)};
    if (!(b.loss * (span->norm[span->row[0]] + sqrt(ny_dot(r, s->sums.p, s->sums.p)) / ny_sided_weight(s)) < 0.2))
        return count;
    ny_for_tiles(count, WIDTH, single_tile, &b);
    for (int64_t k = 0; k < count; k++)
        if (isnan(F[span->row[k]])) span->row[left++] = span->row[k];
    return left;
}

/* Columns of the inverse factor: sums of their squares are the diagonal of the inverse. */
static void small(const ny_span *span, const ny_sided *s, double *F) {
    int64_t m = s->active;
    double b = -2 * s->pull / s->gram.bend;
    for (int64_t k = 0; k < m; k++) span->a[k] = s->P->u[s->row[k]] * s->t[s->row[k]];
    ny_chol_solve(m, 1, s->L, m, span->a, m);
    for (int64_t k = 0; k < m; k++) b += s->P->u[s->row[k]] * span->a[k] / s->gram.bend;
    for (int64_t k = 0; k < m; k++) {
        int64_t i = s->row[k];
        const double *column = span->inverse + k + k * m;
        double diagonal = ny_dot(m - k, column, column) - s->gram.nu[k] * s->gram.nu[k] / s->gram.bend;
        double least = 1e-15 * ny_dot(m - k, column, column); /* rounding; 0 for a row that alone fixes the bias */
        F[i] = s->t[i] - (span->a[k] - b * s->gram.nu[k]) / (s->P->u[i] * fmax(diagonal, least));
    }
}

/* The rows of E to compute h for. y F > 0 where h < y f: never where y f <= 0, always where y f is beyond
 * u_i^2/s + 2/lambda (|g_i| + u_i |p|/s)^2 >= h_i. */
static int64_t doubtful(const ny_span *span, const ny_sided *s) {
    double weight = ny_sided_weight(s), mean = sqrt(ny_dot(s->P->r, s->sums.p, s->sums.p)) / weight;
    int64_t count = 0;
    for (int64_t k = 0; k < s->active; k++) {
        int64_t i = s->row[k];
        double u = s->P->u[i], far = span->norm[i] + u * mean, most = u * u / weight + 2 / s->lambda * far * far;
        double margin = s->y[i] * s->f[i];
        if (margin > 0 && margin <= most) span->row[count++] = i;
    }
    return count;
}

void ny_span_held(const ny_span *span, const ny_sided *s, bool signs, double *F) {
    int64_t m = s->dual ? s->active : s->P->r, count = s->active;
    job b = {span, s, F, 0};
    memcpy(F, s->f, (size_t)s->P->n * sizeof *F);
    if (signs && !s->dual) count = doubtful(span, s);
    else memcpy(span->row, s->row, (size_t)count * sizeof *s->row);
    if (count == 0) return;
    memcpy(span->inverse, s->L, (size_t)(m * m) * sizeof *s->L);
    ny_triangle_inverse(m, span->inverse, m);
    if (s->dual) small(span, s, F);
    else ny_for_tiles(signs ? in_single(span, s, count, F) : count, WIDTH, tile, &b);
}

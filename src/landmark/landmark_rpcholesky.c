/* landmark_rpcholesky.c: randomly pivoted Cholesky (Chen, Epperly, Tropp, Webber 2022), blocked by rejection (Epperly,
 * Tropp, Webber 2024) so that it runs at GEMM speed and still draws exactly the same distribution.
 *
 * Pivots are drawn with probability proportional to what the factor does not explain yet, d_i = k(x_i,x_i) - |g_i|^2.
 * A block of proposals is drawn at once; on the small residual matrix H of the proposals, one is accepted with
 * probability (its residual now) / (its residual when drawn). growing.h has the factor of the accepted ones. */
#include <math.h>
#include <string.h>

#include "base/rng.h"
#include "growing.h"
#include "linalg/linalg.h"

typedef struct {
    ny_growing g;
    double *cumulated; /* n */
    double *H;         /* NY_PIVOTS x NY_PIVOTS: the residual matrix of the proposals */
} state;

/* `count` rows drawn independently, row i with probability residual_i / total. */
static void draw(state *s, ny_rng *rng, int64_t count, int64_t *rows) {
    double total = 0;
    for (int64_t i = 0; i < s->g.n; i++) s->cumulated[i] = total += s->g.residual[i];
    for (int64_t j = 0; j < count; j++) {
        double u = ny_rng_uniform(rng) * total;
        int64_t lo = 0, hi = s->g.n - 1;
        while (lo < hi) {
            int64_t mid = (lo + hi) / 2;
            if (s->cumulated[mid] > u) hi = mid;
            else lo = mid + 1;
        }
        rows[j] = lo;
    }
}

/* H of the proposed rows, and GA. */
static ny_status residual_matrix(state *s, int64_t count, const int64_t *rows) {
    ny_status st = NY_OK;
    ny_growing *g = &s->g;
    NY_TRY(ny_matrix_gather(g->ctx, g->X->X, rows, count, &g->P));
    NY_TRY(ny_kernel_prepare(g->ctx, &g->P, true, &g->side));
    ny_kernel_matrix(g->kernel, &g->side, &g->side, false, s->H, NY_PIVOTS);
    for (int64_t j = 0; j < count; j++) memcpy(g->GA + j * g->m, g->G + rows[j] * g->ldg, (size_t)g->k * sizeof *g->G);
    ny_gemm(true, false, count, count, g->k, -1.0, g->GA, g->m, g->GA, g->m, 1.0, s->H, NY_PIVOTS);
done:
    ny_kernel_release(&g->side);
    ny_matrix_clear(&g->P);
    return st;
}

/* Keeps a subset of the proposed rows; L becomes the Cholesky factor of its residual matrix. */
static void accept(state *s, ny_rng *rng, int64_t count, const int64_t *rows) {
    ny_growing *g = &s->g;
    int64_t a = 0, kept[NY_PIVOTS];
    for (int64_t j = 0; j < count && g->k + a < g->m; j++) { /* row a of L from the rows accepted before it */
        double *l = g->L + a, now = s->H[j + j * NY_PIVOTS], drawn = g->residual[rows[j]];
        for (int64_t b = 0; b < a; b++) {
            double v = s->H[j + kept[b] * NY_PIVOTS];
            for (int64_t c = 0; c < b; c++) v -= l[c * NY_PIVOTS] * g->L[b + c * NY_PIVOTS];
            l[b * NY_PIVOTS] = v / g->L[b + b * NY_PIVOTS];
            now -= l[b * NY_PIVOTS] * l[b * NY_PIVOTS];
        }
        if (ny_rng_uniform(rng) * drawn >= now || now <= g->floor) continue;
        l[a * NY_PIVOTS] = sqrt(now);
        kept[a++] = j;
    }
    for (int64_t b = 0; b < a; b++) {
        g->pivot[g->k + b] = rows[kept[b]];
        memmove(g->GA + b * g->m, g->GA + kept[b] * g->m, (size_t)g->k * sizeof *g->G);
    }
    g->block = a;
}

static ny_status choose(ny_ctx *ctx, const ny_landmark_spec *spec, ny_landmarks *out) {
    ny_status st = NY_OK;
    state s = {0};
    ny_growing *g = &s.g;
    ny_rng rng = ny_rng_make(spec->seed, NY_RNG_LANDMARKS, 1);
    int64_t rows[NY_PIVOTS], proposals = 32;
    NY_TRY(ny_growing_begin(ctx, spec, g));
    NY_NEW_RAW(ctx, s.cumulated, g->n);
    NY_NEW_RAW(ctx, s.H, NY_PIVOTS * NY_PIVOTS);
    for (double left = 1; g->k < g->m && left > 0;) {
        if (ny_should_stop(ctx)) NY_FAIL(ctx, NY_STOPPED, "stopped");
        draw(&s, &rng, proposals, rows);
        NY_TRY(residual_matrix(&s, proposals, rows));
        accept(&s, &rng, proposals, rows);
        if (g->block > 0) NY_TRY(ny_growing_extend(g));
        if (g->block == 0 && s.cumulated[g->n - 1] <= g->floor * (double)g->n) break; /* only noise is left */
        if (2 * g->block > proposals && proposals < NY_PIVOTS) proposals *= 2;
        left = 0;
        for (int64_t i = 0; i < g->n; i++) left += g->residual[i];
    }
    NY_TRY(ny_growing_finish(g, out));
done:
    ny_growing_clear(g);
    ny_free(s.cumulated);
    ny_free(s.H);
    return st;
}

const ny_landmark_method ny_landmark_rpcholesky = {
    "rpcholesky", "randomly pivoted Cholesky: rows the factor does not explain yet are likelier", true, choose};

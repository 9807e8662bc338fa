/* landmark_rpcholesky.c: randomly pivoted Cholesky (Chen, Epperly, Tropp, Webber 2022), blocked by rejection (Epperly,
 * Tropp, Webber 2024) so that it runs at GEMM speed and still draws exactly the same distribution.
 *
 * Pivots are drawn with probability proportional to what the factor does not explain yet, d_i = k(x_i,x_i) - |g_i|^2.
 * A block of proposals is drawn at once; on the small residual matrix H of the proposals, one is accepted with
 * probability (its residual now) / (its residual when drawn). For the accepted ones A, with H_AA = L L':
 *
 *     G[new rows, i] = L^-1 (kappa(Z_A, x_i) - G_A' g_i)                                     docs/math.md, eq. 10
 *
 * The factor K ~ G'G is then complete; kappa(Z,Z) = L L' with L the columns of G at the pivots, transposed. */
#include <math.h>
#include <string.h>

#include "base/rng.h"
#include "base/threads.h"
#include "landmark.h"
#include "linalg/linalg.h"

enum { BLOCK = 128 };

typedef struct {
    ny_ctx *ctx;
    const ny_kernel_params *kernel;
    const ny_kernel_side *X;
    int64_t n, m, k; /* k landmarks so far */
    double *G;       /* m x n, leading dimension ldg */
    int64_t ldg;
    double *residual, *cumulated; /* n */
    int64_t *pivot;               /* m */
    double floor;                 /* pivots below it are rounding noise */
    /* the block at work */
    ny_matrix P; /* its points */
    ny_kernel_side side;
    double *H, *L, *GA; /* BLOCK x BLOCK residual, factor, k x BLOCK columns of G at the accepted */
    int64_t accepted;
} state;

/* `count` rows drawn independently, row i with probability residual_i / total. */
static void draw(state *s, ny_rng *rng, int64_t count, int64_t *rows) {
    double total = 0;
    for (int64_t i = 0; i < s->n; i++) s->cumulated[i] = total += s->residual[i];
    for (int64_t j = 0; j < count; j++) {
        double u = ny_rng_uniform(rng) * total;
        int64_t lo = 0, hi = s->n - 1;
        while (lo < hi) {
            int64_t mid = (lo + hi) / 2;
            if (s->cumulated[mid] > u) hi = mid;
            else lo = mid + 1;
        }
        rows[j] = lo;
    }
}

/* Keeps a subset of the proposed rows; L (BLOCK x BLOCK) becomes the Cholesky factor of its residual matrix. */
static ny_status accept(state *s, ny_rng *rng, int64_t count, int64_t *rows) {
    ny_status st = NY_OK;
    int64_t a = 0, kept[BLOCK];
    NY_TRY(ny_matrix_gather(s->ctx, s->X->X, rows, count, &s->P));
    NY_TRY(ny_kernel_prepare(s->ctx, &s->P, true, &s->side));
    ny_kernel_matrix(s->kernel, &s->side, &s->side, false, s->H, BLOCK);
    for (int64_t j = 0; j < count; j++) memcpy(s->GA + j * s->m, s->G + rows[j] * s->ldg, (size_t)s->k * sizeof *s->G);
    ny_gemm(true, false, count, count, s->k, -1.0, s->GA, s->m, s->GA, s->m, 1.0, s->H, BLOCK);
    ny_kernel_release(&s->side);
    ny_matrix_clear(&s->P);
    for (int64_t j = 0; j < count && s->k + a < s->m; j++) { /* row a of L from the rows accepted before it */
        double *l = s->L + a, now = s->H[j + j * BLOCK], drawn = s->residual[rows[j]];
        for (int64_t b = 0; b < a; b++) {
            double v = s->H[j + kept[b] * BLOCK];
            for (int64_t c = 0; c < b; c++) v -= l[c * BLOCK] * s->L[b + c * BLOCK];
            l[b * BLOCK] = v / s->L[b + b * BLOCK];
            now -= l[b * BLOCK] * l[b * BLOCK];
        }
        if (ny_rng_uniform(rng) * drawn >= now || now <= s->floor) continue;
        l[a * BLOCK] = sqrt(now);
        kept[a++] = j;
    }
    for (int64_t b = 0; b < a; b++) {
        s->pivot[s->k + b] = rows[kept[b]];
        memmove(s->GA + b * s->m, s->GA + kept[b] * s->m, (size_t)s->k * sizeof *s->G);
    }
    s->accepted = a;
done:
    ny_kernel_release(&s->side);
    ny_matrix_clear(&s->P);
    return st;
}

/* The new rows of G for a tile of points, and what the points have left. */
static void extend_tile(void *arg, int64_t first, int64_t count, int thread) {
    (void)thread;
    state *s = arg;
    int64_t a = s->accepted, k = s->k, ldg = s->ldg;
    double *rows = s->G + k + first * ldg;
    ny_kernel_tile(s->kernel, &s->side, s->X, first, count, rows, ldg);
    ny_gemm(true, false, a, count, k, -1.0, s->GA, s->m, s->G + first * ldg, ldg, 1.0, rows, ldg);
    ny_trsm(false, a, count, s->L, BLOCK, rows, ldg);
    for (int64_t c = 0; c < count; c++) {
        double sum = 0, *g = rows + c * ldg, *left = &s->residual[first + c];
        for (int64_t j = 0; j < a; j++) sum += g[j] * g[j];
        *left = *left - sum > s->floor ? *left - sum : 0;
    }
}

static ny_status extend(state *s) {
    ny_status st = NY_OK;
    NY_TRY(ny_matrix_gather(s->ctx, s->X->X, s->pivot + s->k, s->accepted, &s->P));
    NY_TRY(ny_kernel_prepare(s->ctx, &s->P, true, &s->side));
    ny_for_tiles(s->n, s->kernel->tile ? s->kernel->tile : 256, extend_tile, s);
    for (int64_t j = 0; j < s->accepted; j++) s->residual[s->pivot[s->k + j]] = 0;
    s->k += s->accepted;
done:
    ny_kernel_release(&s->side);
    ny_matrix_clear(&s->P);
    return st;
}

static ny_status finish(state *s, ny_landmarks *out) {
    ny_status st = NY_OK;
    int64_t k = s->k;
    NY_TRY(ny_matrix_gather(s->ctx, s->X->X, s->pivot, k, &out->Z));
    NY_NEW(s->ctx, out->L, ny_size3(k, k, 1));
    for (int64_t i = 0; i < k; i++)
        for (int64_t j = 0; j <= i; j++) out->L[i + j * k] = s->G[j + s->pivot[i] * s->ldg];
    out->G = s->G;
    out->ldg = s->ldg;
    s->G = NULL;
done:
    return st;
}

static ny_status choose(ny_ctx *ctx, const ny_landmark_spec *spec, ny_landmarks *out) {
    ny_status st = NY_OK;
    int64_t m = spec->m;
    state s = {.ctx = ctx, .kernel = spec->kernel, .X = spec->X, .n = spec->X->X->n, .m = m, .ldg = m + spec->spare};
    ny_rng rng = ny_rng_make(spec->seed, NY_RNG_LANDMARKS, 1);
    int64_t rows[BLOCK], proposals = 32;
    NY_NEW_RAW(ctx, s.G, ny_size3(s.ldg, s.n, 1));
    NY_NEW_RAW(ctx, s.residual, s.n);
    NY_NEW_RAW(ctx, s.cumulated, s.n);
    NY_NEW_RAW(ctx, s.pivot, m);
    NY_NEW_RAW(ctx, s.H, BLOCK * BLOCK);
    NY_NEW_RAW(ctx, s.L, BLOCK * BLOCK);
    NY_NEW_RAW(ctx, s.GA, ny_size3(m, BLOCK, 1));
    ny_kernel_diagonal(spec->kernel, spec->X, s.residual);
    double trace = 0, largest = 0;
    for (int64_t i = 0; i < s.n; i++) trace += s.residual[i], largest = fmax(largest, s.residual[i]);
    s.floor = fmax(spec->tol, 1e-15) * largest;
    NY_CHECK(ctx, isfinite(trace) && trace > 0, NY_ERR_NUMERIC,
             "the kernel matrix is %s: are the inputs constant, or far too large?", trace > 0 ? "not finite" : "zero");
    for (double left = trace; s.k < m && left > 0;) {
        if (ny_should_stop(ctx)) NY_FAIL(ctx, NY_STOPPED, "stopped");
        draw(&s, &rng, proposals, rows);
        NY_TRY(accept(&s, &rng, proposals, rows));
        if (s.accepted > 0) NY_TRY(extend(&s));
        if (s.accepted == 0 && s.cumulated[s.n - 1] <= s.floor * (double)s.n) break; /* only noise is left */
        if (2 * s.accepted > proposals && proposals < BLOCK) proposals *= 2;
        left = 0;
        for (int64_t i = 0; i < s.n; i++) left += s.residual[i];
    }
    NY_TRY(finish(&s, out));
done:
    ny_free(s.G);
    ny_free(s.residual);
    ny_free(s.cumulated);
    ny_free(s.pivot);
    ny_free(s.H);
    ny_free(s.L);
    ny_free(s.GA);
    return st;
}

const ny_landmark_method ny_landmark_rpcholesky = {
    "rpcholesky", "randomly pivoted Cholesky: rows the factor does not explain yet are likelier", true, choose};

/* entropy.c: Algorithm 1 of De Brabanter et al. 2010 (Suykens et al. 2002): swap a landmark with another row, both
 * drawn at random, whenever the entropy grows (docs/math.md, section 3).
 *
 *     H = -log( 1/(m^2 |D|^2) sum_k sum_l kappa((D sqrt 2)^-1 (z_k - z_l)) ),   D = diag(h_1 .. h_d)     eq. 42
 *
 * kappa is the normal density. On inputs divided by h_j sqrt 2 it is the rbf kernel of width 1 but for a constant, so H
 * grows exactly when the sum S of the kernel matrix falls. With the row sums s_k kept, putting x in the place of z_k
 * gives
 *
 *     S' - S = 2 (1 + sum_l k(x,z_l) - k(x,z_k) - s_k)                                                     eq. 43
 *
 * one kernel row for a try; one more, that of z_k, when it is accepted. Tries are made in blocks: K holds the kernel
 * rows of a block of candidates with the landmarks of now, as one matrix product, and an accepted swap changes one row
 * of it, to values that are known from the candidates' own matrix.
 *
 * It stops when a window of tries has lowered S by less than TOLERANCE of it (that is, raised H by less than
 * TOLERANCE), and after ROUNDS tries for each landmark at the latest. */
#include "entropy.h"

#include <math.h>
#include <string.h>

#include "base/rng.h"
#include "kernel/kernel.h"
#include "plugin.h"
#include "read/folds.h"

enum { BLOCK = 256, ROUNDS = 50 };
static const double TOLERANCE = 1e-3, THREADED = 3e7; /* operations below which a barrier costs more than it brings */

typedef struct {
    ny_ctx *ctx;
    const ny_entropy_spec *spec;
    ny_entropy *out;
    ny_rng rng;
    double *shift, *factor;     /* d: inputs are centred (unless sparse) and divided by h_j sqrt 2 */
    int64_t *pool, *first;      /* n - m: the other rows by class; classes + 1: where each class begins */
    int64_t *movable, movables; /* at most m: landmarks whose class has other rows */
    double *sums;               /* m: s_k */
    /* the block at work */
    ny_matrix Z, P; /* scaled: landmarks as the block began, candidates */
    ny_kernel_side z, p;
    double *K, *KP, *leaving; /* m x BLOCK, BLOCK x BLOCK, m */
    int64_t *by;              /* m: the candidate that took this place in the block, or -1 */
    int64_t place[BLOCK], slot[BLOCK], candidate[BLOCK];
} state;

static const ny_kernel_params unit = {.kernel = &ny_kernel_rbf, .bandwidth = 1};

static int64_t class_of(const state *s, int64_t row) {
    return s->spec->code ? s->spec->code[row] : 0;
}

static ny_status set_scale(state *s) {
    ny_status st = NY_OK;
    const ny_matrix *X = s->spec->X;
    NY_NEW(s->ctx, s->shift, X->d + 1);
    NY_NEW(s->ctx, s->factor, X->d + 1);
    NY_TRY(ny_plugin_bandwidths(s->ctx, X, s->factor));
    for (int64_t j = 0; j < X->d; j++) s->factor[j] = 1 / (s->factor[j] * sqrt(2));
    for (int64_t i = 0; i < X->n && !ny_matrix_is_sparse(X); i++)
        for (int64_t j = 0; j < X->d; j++) s->shift[j] += X->x[j + i * X->d] / (double)X->n;
done:
    return st;
}

static ny_status gather_scaled(state *s, const int64_t *rows, int64_t count, ny_matrix *M, ny_kernel_side *side) {
    ny_status st = NY_OK;
    NY_TRY(ny_matrix_gather(s->ctx, s->spec->X, rows, count, M));
    if (ny_matrix_is_sparse(M))
        for (int64_t e = 0; e < M->ptr[M->n]; e++) M->val[e] *= s->factor[M->idx[e]];
    else
        for (int64_t i = 0; i < count; i++)
            for (int64_t j = 0; j < M->d; j++) M->x[j + i * M->d] = (M->x[j + i * M->d] - s->shift[j]) * s->factor[j];
    NY_TRY(ny_kernel_prepare(s->ctx, M, true, side));
done:
    return st;
}

static void release_block(state *s) {
    ny_kernel_release(&s->z);
    ny_kernel_release(&s->p);
    ny_matrix_clear(&s->Z);
    ny_matrix_clear(&s->P);
}

/* The rows that are no landmarks, sorted by class; and the landmarks that could be swapped with one of them. */
static ny_status make_pool(state *s) {
    ny_status st = NY_OK;
    int64_t n = s->spec->X->n, m = s->spec->m, classes = s->spec->code ? s->spec->classes : 1, *next = NULL;
    char *chosen = NULL;
    NY_NEW(s->ctx, chosen, n);
    NY_NEW(s->ctx, next, classes + 1);
    NY_NEW(s->ctx, s->first, classes + 1);
    NY_NEW_RAW(s->ctx, s->pool, n - m + 1);
    NY_NEW_RAW(s->ctx, s->movable, m);
    for (int64_t k = 0; k < m; k++) chosen[s->out->rows[k]] = 1;
    for (int64_t i = 0; i < n; i++) s->first[class_of(s, i) + 1] += !chosen[i];
    for (int64_t c = 0; c < classes; c++) s->first[c + 1] += s->first[c];
    memcpy(next, s->first, (size_t)(classes + 1) * sizeof *next);
    for (int64_t i = 0; i < n; i++)
        if (!chosen[i]) s->pool[next[class_of(s, i)]++] = i;
    for (int64_t k = 0; k < m; k++) {
        int64_t c = class_of(s, s->out->rows[k]);
        if (s->first[c + 1] > s->first[c]) s->movable[s->movables++] = k;
    }
done:
    ny_free(chosen);
    ny_free(next);
    return st;
}

/* s_k = sum_l k(z_k, z_l), S = sum_k s_k; a tile at a time, so that there is no m x m matrix. */
static ny_status start_sums(state *s) {
    ny_status st = NY_OK;
    int64_t m = s->spec->m;
    s->out->sum = 0;
    NY_TRY(gather_scaled(s, s->out->rows, m, &s->Z, &s->z));
    for (int64_t k = 0; k < m; k++) {
        int64_t c = k % BLOCK;
        if (c == 0) ny_kernel_tile(&unit, &s->z, &s->z, k, m - k < BLOCK ? m - k : BLOCK, s->K, m);
        for (int64_t l = 0; l < m; l++) s->sums[k] += s->K[l + c * m];
        s->out->sum += s->sums[k];
    }
done:
    release_block(s);
    return st;
}

/* leaving[l] = k(z_k, z_l) for the landmarks of now. */
static void row_of(state *s, int64_t k) {
    int64_t m = s->spec->m;
    if (s->by[k] >= 0) { /* came in this block: its row is a column of K */
        memcpy(s->leaving, s->K + s->by[k] * m, (size_t)m * sizeof *s->leaving);
        return;
    }
    ny_kernel_tile(&unit, &s->z, &s->z, k, 1, s->leaving, m);
    for (int64_t l = 0; l < m; l++)
        if (s->by[l] >= 0) s->leaving[l] = s->K[k + s->by[l] * m];
}

/* Candidate j in the place drawn for it, when that lowers S by more than rounding. */
static void try_swap(state *s, int64_t j, int64_t count) {
    int64_t m = s->spec->m, k = s->place[j];
    const double *x = s->K + j * m;
    double sum = 0;
    if (s->pool[s->slot[j]] != s->candidate[j]) return; /* drawn twice in this block, and it is in already */
    for (int64_t l = 0; l < m; l++) sum += x[l];
    double change = 2 * (1 + sum - x[k] - s->sums[k]); /* eq. 43 */
    if (!(change < -1e-12 * s->out->sum)) return;
    row_of(s, k);
    for (int64_t l = 0; l < m; l++) s->sums[l] += x[l] - s->leaving[l];
    s->sums[k] = 1 + sum - x[k];
    s->out->sum += change;
    s->pool[s->slot[j]] = s->out->rows[k];
    s->out->rows[k] = s->candidate[j];
    s->by[k] = j;
    for (int64_t c = 0; c < count; c++) s->K[k + c * m] = s->KP[c + j * BLOCK];
    s->out->swaps++;
}

static ny_status block(state *s, int64_t count) {
    ny_status st = NY_OK;
    int64_t m = s->spec->m;
    for (int64_t j = 0; j < count; j++) {
        s->place[j] = s->movable[ny_rng_below(&s->rng, s->movables)];
        int64_t c = class_of(s, s->out->rows[s->place[j]]);
        s->slot[j] = s->first[c] + ny_rng_below(&s->rng, s->first[c + 1] - s->first[c]);
        s->candidate[j] = s->pool[s->slot[j]];
    }
    NY_TRY(gather_scaled(s, s->out->rows, m, &s->Z, &s->z));
    NY_TRY(gather_scaled(s, s->candidate, count, &s->P, &s->p));
    if ((double)m * (double)count * (double)(s->Z.d + 20) < THREADED)
        ny_kernel_tile(&unit, &s->z, &s->p, 0, count, s->K, m);
    else ny_kernel_matrix(&unit, &s->z, &s->p, false, s->K, m);
    ny_kernel_tile(&unit, &s->p, &s->p, 0, count, s->KP, BLOCK);
    for (int64_t k = 0; k < m; k++) s->by[k] = -1;
    for (int64_t j = 0; j < count; j++) try_swap(s, j, count);
    s->out->tries += count;
done:
    release_block(s);
    return st;
}

static ny_status swap_until_settled(state *s) {
    ny_status st = NY_OK;
    int64_t m = s->spec->m, window = m > BLOCK ? m : BLOCK, most = ROUNDS * window;
    if (s->spec->tries >= 0) most = s->spec->tries;
    double before = s->out->sum;
    for (int64_t left = window; s->movables > 0 && s->out->tries < most;) {
        if (ny_should_stop(s->ctx)) NY_FAIL(s->ctx, NY_STOPPED, "stopped");
        int64_t count = left < BLOCK ? left : BLOCK;
        if (count > most - s->out->tries) count = most - s->out->tries;
        NY_TRY(block(s, count));
        left -= count;
        if (left > 0) continue;
        if (before - s->out->sum < TOLERANCE * s->out->sum) break;
        before = s->out->sum;
        left = window;
    }
done:
    return st;
}

ny_status ny_entropy_choose(ny_ctx *ctx, const ny_entropy_spec *spec, ny_entropy *out) {
    ny_status st = NY_OK;
    int64_t m = spec->m;
    state s = {.ctx = ctx, .spec = spec, .out = out, .rng = ny_rng_make(spec->seed, NY_RNG_LANDMARKS, 2)};
    *out = (ny_entropy){0};
    NY_NEW(ctx, out->rows, m);
    NY_NEW(ctx, s.sums, m);
    NY_NEW_RAW(ctx, s.K, ny_size3(m, BLOCK, 1));
    NY_NEW_RAW(ctx, s.KP, BLOCK * BLOCK);
    NY_NEW_RAW(ctx, s.leaving, m);
    NY_NEW_RAW(ctx, s.by, m);
    NY_TRY(ny_rows_sample(ctx, spec->X->n, spec->code, spec->classes, m, spec->seed, out->rows));
    NY_TRY(set_scale(&s));
    NY_TRY(make_pool(&s));
    NY_TRY(start_sums(&s));
    NY_TRY(swap_until_settled(&s));
done:
    ny_free(s.shift);
    ny_free(s.factor);
    ny_free(s.pool);
    ny_free(s.first);
    ny_free(s.movable);
    ny_free(s.sums);
    ny_free(s.K);
    ny_free(s.KP);
    ny_free(s.leaving);
    ny_free(s.by);
    if (st != NY_OK) ny_entropy_clear(out);
    return st;
}

void ny_entropy_clear(ny_entropy *entropy) {
    ny_free(entropy->rows);
    *entropy = (ny_entropy){0};
}

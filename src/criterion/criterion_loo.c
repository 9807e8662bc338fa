/* criterion_loo.c: leave-one-out in closed form (PRESS).   docs/math.md, eq. 16
 *
 *     h_i(C) = u_i^2/s + psi_i' (T + I/C)^-1 psi_i,     e_i(loo) = e_i / (1 - h_i)
 *
 * With T + I/C = L D L', the quadratic form is sum_k y_k^2 / D_kk where L y = psi_i: one sweep of a bidiagonal system,
 * done for a tile of rows at once. One reduction serves every C and every output; a further C costs O(n r). */
#include <math.h>

#include "base/threads.h"
#include "expanded.h"
#include "leaving.h"
#include "linalg/linalg.h"
#include "solver/together.h"
#include "spectral.h"

enum { WIDTH = NY_SWEEP }; /* rows of a tile */

typedef struct {
    ny_spectral *s;
    const ny_C_list *list;
    double *V;           /* r x (k q): weights */
    int64_t distinct;    /* different values of C in the list */
    double *C;           /* distinct */
    int64_t *which;      /* entries of the list: the number of their C */
    double *l, *inverse; /* r x distinct: factors of T + I/C */
    double *scratch;     /* threads x (r + k q + distinct) x WIDTH */
    double *F;
} held_job;

static void held_tile(void *arg, int64_t first, int64_t count, int thread) {
    held_job *job = arg;
    const ny_problem *P = job->s->problem;
    int64_t r = P->r, n = P->n, q = P->q, k = job->list->k;
    double *turned = job->scratch + (int64_t)thread * (r + k * q + job->distinct) * WIDTH;
    double *fit = turned + r * WIDTH, *h = fit + k * q * WIDTH;
    const double *Psi = P->G + first * P->ldg, *t = job->s->moments.t;
    double share = P->bias && job->s->moments.s > 0 ? 1 / job->s->moments.s : 0;
    for (int64_t i = 0; i < r; i++)
        for (int64_t c = 0; c < WIDTH; c++) turned[c + i * WIDTH] = c < count ? Psi[i + c * P->ldg] : 0;
    for (int64_t c = 0; c < job->distinct; c++)
        ny_tridiag_sweep(r, turned, job->l + c * r, job->inverse + c * r, h + c * WIDTH);
    ny_gemm(true, false, count, k * q, r, 1.0, Psi, P->ldg, job->V, r, 0.0, fit, WIDTH);
    for (int64_t j = 0; j < q; j++)
        for (int64_t c = 0; c < k; c++) {
            const double *f = fit + (c + k * j) * WIDTH;
            const double *leverage = h + job->which[job->list->each ? c + k * j : c] * WIDTH;
            double *F = job->F + first + n * j + n * q * c;
            for (int64_t i = 0; i < count; i++) {
                double u = P->u[first + i], y = P->Y[first + i + n * j];
                double e = y - f[i] - share * u * t[j];
                double left = 1 - leverage[i] - share * u * u;
                F[i] = ny_has_copies(P, first + i) ? ny_held_together(P, first + i, j, (y - e) / u, 1 - left)
                                                   : (y - e / fmax(left, 1e-12)) / u;
            }
        }
}

/* Outputs often share their C: each different value is factored, and swept, once. */
static void find_distinct(held_job *job, int64_t entries) {
    for (int64_t e = 0; e < entries; e++) {
        int64_t c = 0;
        while (c < job->distinct && job->C[c] != job->list->C[e]) c++;
        job->which[e] = c;
        if (c == job->distinct) job->C[job->distinct++] = job->list->C[e];
    }
    int64_t r = job->s->problem->r;
    for (int64_t c = 0; c < job->distinct; c++)
        ny_tridiag_factor(r, job->s->diag, job->s->off, 1 / job->C[c], job->l + c * r, job->inverse + c * r);
}

static ny_status held(ny_ctx *ctx, void *state, const ny_C_list *list, double *F) {
    ny_status st = NY_OK;
    ny_spectral *s = state;
    const ny_problem *P = s->problem;
    int64_t r = P->r, kq = list->k * P->q, entries = list->each ? kq : list->k;
    held_job job = {.s = s, .list = list, .F = F};
    if (s->expanded) return ny_expanded_held(ctx, s, list, false, F);
    NY_NEW_RAW(ctx, job.V, ny_size3(r, kq, 1));
    NY_NEW_RAW(ctx, job.C, entries);
    NY_NEW_RAW(ctx, job.which, entries);
    NY_NEW_RAW(ctx, job.l, ny_size3(r, entries, 1));
    NY_NEW_RAW(ctx, job.inverse, ny_size3(r, entries, 1));
    ny_spectral_weights(s, list, job.V, job.l); /* job.l as scratch */
    find_distinct(&job, entries);
    NY_NEW_RAW(ctx, job.scratch, ny_size3(ny_threads(), r + kq + job.distinct, WIDTH));
    ny_for_tiles_cut(P->n, WIDTH, held_tile, &job);
done:
    ny_free(job.V);
    ny_free(job.C);
    ny_free(job.which);
    ny_free(job.l);
    ny_free(job.inverse);
    ny_free(job.scratch);
    return st;
}

const ny_closed_form ny_spectral_form = {ny_spectral_prepare,
                                         ny_spectral_trace,
                                         held,
                                         ny_spectral_solve,
                                         ny_spectral_basis,
                                         ny_spectral_free,
                                         NULL,
                                         false,
                                         ny_spectral_cost,
                                         NULL};

const ny_criterion ny_criterion_loo = {
    .name = "loo",
    .help = "leave-one-out, exact and in closed form",
    .closed = &ny_spectral_form,
    .iterative = &(const ny_iterative){ny_leave_one, NULL, ny_path_cost},
    .kernel = &ny_dense_loo,
};

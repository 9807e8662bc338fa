/* expanded.c: see expanded.h. */
#include "expanded.h"

#include <math.h>
#include <string.h>

#include "base/threads.h"
#include "linalg/linalg.h"
#include "solver/together.h"

enum { WIDTH = 32 }; /* columns of a kernel tile of all n rows */

typedef struct {     /* out (k x count) = op(B) K_u[:, first .. first+count), op(B) k x n */
    bool transposed; /* B is n x k */
    int64_t k, ldb;
    const double *B;
    double *out;
} product;

typedef struct {
    const ny_problem *P;
    const ny_kernel_side *X;
    int64_t first;
    int products;
    const product *product;
    double *scratch; /* threads x (n x WIDTH) */
} product_job;

static void product_tile(void *arg, int64_t at, int64_t count, int thread) {
    product_job *job = arg;
    const ny_problem *P = job->P;
    int64_t n = P->n, first = job->first + at;
    double *K = job->scratch + (int64_t)thread * n * WIDTH;
    double more = ny_bias_kernel(P->rho);
    ny_kernel_tile(P->kernel, job->X, job->X, first, count, K, n);
    for (int64_t c = 0; c < count; c++)
        for (int64_t i = 0; i < n; i++) K[i + c * n] = (K[i + c * n] + more) * (P->u[i] * P->u[first + c]);
    for (int p = 0; p < job->products; p++) {
        const product *t = &job->product[p];
        ny_gemm(t->transposed, false, t->k, count, n, 1.0, t->B, t->ldb, K, n, 0.0, t->out + at * t->k, t->k);
    }
}

static ny_status multiply(ny_ctx *ctx, const ny_problem *P, int64_t first, int64_t count, int products,
                          const product *list) {
    ny_status st = NY_OK;
    ny_kernel_side X = {0};
    product_job job = {P, &X, first, products, list, NULL};
    NY_TRY(ny_kernel_prepare(ctx, P->X, true, &X));
    NY_NEW_RAW(ctx, job.scratch, ny_size3(ny_threads(), P->n, WIDTH));
    ny_for_tiles_cut(count, WIDTH, product_tile, &job);
done:
    ny_kernel_release(&X);
    ny_free(job.scratch);
    return st;
}

/* The true kernel and its product with Psi; G once more, and N. */
ny_cost ny_expanded_cost(const ny_size *s) {
    return (ny_cost){s->n * s->n * (2 * (s->d + s->m) + 20), 2 * s->n * s->m};
}

ny_status ny_expanded_new(ny_ctx *ctx, const ny_spectral *s, struct ny_expanded **out) {
    ny_status st = NY_OK;
    const ny_problem *P = s->problem;
    int64_t n = P->n, r = P->r;
    struct ny_expanded *x = NULL;
    ny_kernel_side X = {0};
    NY_NEW(ctx, x, 1);
    NY_NEW_RAW(ctx, x->N, ny_size3(r, n, 1));
    NY_NEW_RAW(ctx, x->ku, n);
    NY_NEW_RAW(ctx, x->kd, n);
    NY_NEW_RAW(ctx, x->Ky, ny_size3(P->q, n, 1));
    NY_NEW_RAW(ctx, x->a, r);
    product list[] = {{false, r, P->ldg, P->G, x->N}, {true, 1, n, P->u, x->ku}, {true, P->q, n, P->Y, x->Ky}};
    NY_TRY(multiply(ctx, P, 0, n, 3, list));
    NY_TRY(ny_kernel_prepare(ctx, P->X, false, &X));
    ny_kernel_diagonal(P->kernel, &X, x->kd);
    for (int64_t i = 0; i < n; i++) x->kd[i] = (x->kd[i] + ny_bias_kernel(P->rho)) * (P->u[i] * P->u[i]);
    ny_gemv(true, r, r, 1.0, s->Q, r, s->moments.p, 0.0, x->a);
    *out = x;
    x = NULL;
done:
    ny_kernel_release(&X);
    ny_expanded_free(x);
    return st;
}

void ny_expanded_free(struct ny_expanded *x) {
    if (!x) return;
    ny_free(x->N);
    ny_free(x->ku);
    ny_free(x->kd);
    ny_free(x->Ky);
    ny_free(x->a);
    ny_free(x);
}

typedef struct { /* one value of C, one output */
    const ny_spectral *s;
    bool mean_leverage;
    int64_t j;
    double C, *l, *inverse; /* T + I/C = L D L' */
    double *v, *va;         /* r: (T + I/C)^-1 z_j, (T + I/C)^-1 a */
    double *F;              /* n */
    double *leverage;       /* n: of the true-kernel machine, h'_i = (K_u Q)_ii + u_i q_i */
} held_job;

/* With Q = C (I - H) the inverse of the bordered system and q its border,
 *     (K_u Q)_ii = C (kd_i - ku_i u_i/s - N_i'(T + I/C)^-1 psi_i),   q_i = (u_i - psi_i'(T + I/C)^-1 a) / s
 *     f_i = C (Ky_i - ku_i t/s - N_i'v) + u_i b
 *     f_i(loo) = f_i - e_i / (1 - h_i) ((K_u Q)_ii + u_i q_i),       e, h of the low-rank machine           (eq. 23) */
static void held_tile(void *arg, int64_t first, int64_t count, int thread) {
    (void)thread;
    held_job *job = arg;
    const ny_spectral *s = job->s;
    const ny_problem *P = s->problem;
    const struct ny_expanded *x = s->expanded;
    int64_t r = P->r, n = P->n;
    double share = P->bias && s->moments.s > 0 ? 1 / s->moments.s : 0, t = s->moments.t[job->j] * share;
    double b = t - share * ny_dot(r, x->a, job->v);
    for (int64_t i = first; i < first + count; i++) {
        const double *psi = P->G + i * P->ldg, *N = x->N + i * r;
        double y = 0, z = 0, own = 0, cross = 0, fit = 0, border = 0, Nv = 0, u = P->u[i];
        for (int64_t k = 0; k < r; k++) {
            y = psi[k] - job->l[k] * y;
            z = N[k] - job->l[k] * z;
            own += y * y * job->inverse[k];
            cross += y * z * job->inverse[k];
            fit += psi[k] * job->v[k];
            border += psi[k] * job->va[k];
            Nv += N[k] * job->v[k];
        }
        double e = P->Y[i + n * job->j] - fit - u * t, left = fmax(1 - own - share * u * u, 1e-12);
        double f = job->C * (x->Ky[job->j + i * P->q] - x->ku[i] * t - Nv) + u * b;
        double h = job->C * (x->kd[i] - x->ku[i] * u * share - cross) + u * share * (u - border);
        double out = e / left; /* the low-rank machine's error held out, and with it all that the group takes along */
        if (ny_has_copies(P, i)) {
            double held = ny_held_together(P, i, job->j, (P->Y[i + n * job->j] - e) / u, own + share * u * u);
            out = P->together->weight[i] * (P->together->mean[i + n * job->j] - held) / u;
        }
        job->leverage[i] = h;
        job->F[i] = (job->mean_leverage ? f : f - out * h) / u;
    }
}

/* Every residual over 1 - (mean leverage). */
static void by_mean_leverage(const held_job *job) {
    const ny_problem *P = job->s->problem;
    double sum = 0;
    for (int64_t i = 0; i < P->n; i++) sum += job->leverage[i];
    double left = fmax(1 - sum / (double)P->n, 1e-12);
    for (int64_t i = 0; i < P->n; i++) {
        double y = P->Y[i + P->n * job->j] / P->u[i];
        job->F[i] = y - (y - job->F[i]) / left;
    }
}

ny_status ny_expanded_held(ny_ctx *ctx, const ny_spectral *s, const ny_C_list *list, bool mean_leverage, double *F) {
    ny_status st = NY_OK;
    const ny_problem *P = s->problem;
    int64_t r = P->r, n = P->n, q = P->q;
    held_job job = {.s = s, .mean_leverage = mean_leverage};
    double *scratch = NULL;
    NY_NEW_RAW(ctx, scratch, 5 * r);
    NY_NEW_RAW(ctx, job.leverage, n);
    job.l = scratch + r;
    job.inverse = job.l + r;
    job.v = job.inverse + r;
    job.va = job.v + r;
    for (int64_t c = 0; c < list->k; c++)
        for (int64_t j = 0; j < q; j++) {
            job.C = ny_C_at(list, c, j);
            job.j = j;
            job.F = F + n * j + n * q * c;
            ny_tridiag_factor(P->r, s->diag, s->off, 1 / job.C, job.l, job.inverse);
            memcpy(job.v, s->z + j * r, (size_t)r * sizeof *job.v);
            memcpy(job.va, s->expanded->a, (size_t)r * sizeof *job.va);
            ny_tridiag_solve(r, 1, s->diag, s->off, 1 / job.C, job.v, r, scratch);
            ny_tridiag_solve(r, 1, s->diag, s->off, 1 / job.C, job.va, r, scratch);
            ny_for_tiles(n, 256, held_tile, &job);
            if (mean_leverage) by_mean_leverage(&job);
        }
done:
    ny_free(scratch);
    ny_free(job.leverage);
    return st;
}

/* alpha of the rows outside the fold, C (y - w'g - u b), times the true kernel between them and the fold. */
ny_status ny_expanded_fold(ny_ctx *ctx, const ny_problem *P, int64_t f, const ny_C_list *list, const double *W,
                           const double *b, double *F) {
    ny_status st = NY_OK;
    int64_t first = P->fold_start[f], count = P->fold_start[f + 1] - first;
    int64_t n = P->n, q = P->q, k = list->k, kq = k * q;
    double *alpha = NULL, *out = NULL;
    NY_NEW_RAW(ctx, alpha, ny_size3(n, kq, 1));
    NY_NEW_RAW(ctx, out, ny_size3(kq, count, 1));
    ny_gemm(true, false, n, kq, P->r, -1.0, P->G, P->ldg, W, P->r, 0.0, alpha, n);
    for (int64_t j = 0; j < q; j++)
        for (int64_t c = 0; c < k; c++) {
            double *a = alpha + (c + k * j) * n, C = ny_C_at(list, c, j);
            for (int64_t i = 0; i < n; i++) {
                bool inside = i >= first && i < first + count;
                a[i] = inside ? 0 : C * (a[i] + P->Y[i + n * j] - P->u[i] * b[c + k * j]);
            }
        }
    product list_of_one = {true, kq, n, alpha, out};
    NY_TRY(multiply(ctx, P, first, count, 1, &list_of_one));
    for (int64_t j = 0; j < q; j++)
        for (int64_t c = 0; c < k; c++)
            for (int64_t i = 0; i < count; i++)
                F[first + i + n * j + n * q * c] = out[c + k * j + i * kq] / P->u[first + i] + b[c + k * j];
done:
    ny_free(alpha);
    ny_free(out);
    return st;
}

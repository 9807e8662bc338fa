/* precondition.c: see precondition.h. One eigen-decomposition serves every C:
 *
 *     (G'G + I/C)^-1 r = C (r - G' Q (diag(lambda) + I/C)^-1 Q' G r)                          docs/math.md, eq. 52 */
#include "precondition.h"

#include <math.h>

#include "base/threads.h"
#include "linalg/linalg.h"

enum { SHARES = 16 };            /* of the rows */
static const double TOL = 1e-10; /* pivots below this share of the largest are noise */

int64_t ny_precondition_rank(int64_t n) {
    int64_t rank = n / 30;
    if (rank < 100) rank = 100;
    if (rank > 1000) rank = 1000;
    return rank < (n + 1) / 2 ? rank : (n + 1) / 2;
}

double ny_precondition_numbers(int64_t n, int64_t d, int64_t rank, int64_t columns) {
    double r = (double)rank;
    return r * (double)n + r * (double)d + 4 * r * r + (SHARES + 1) * r * (double)columns +
           3 * (double)n; /* LAPACK wants 2 r^2 */
}

ny_status ny_precondition_make(ny_ctx *ctx, const ny_kernel_params *kernel, const ny_matrix *X, const double *u,
                               int64_t rank, int64_t columns, uint64_t seed, ny_preconditioner *p) {
    ny_status st = NY_OK;
    *p = (ny_preconditioner){0};
    ny_factor_spec spec = {.method = &ny_landmark_rpcholesky, .landmarks = rank, .tol = TOL, .seed = seed};
    NY_TRY(ny_factor_make(ctx, kernel, X, &spec, &p->f));
    int64_t r = p->f.r;
    for (int64_t i = 0; i < X->n; i++)
        for (int64_t k = 0; k < r; k++) p->f.G[k + i * p->f.ldg] *= u[i];
    NY_NEW_RAW(ctx, p->Q, ny_size3(r, r, 1));
    NY_NEW_RAW(ctx, p->lambda, r);
    NY_NEW_RAW(ctx, p->H, ny_size3(r, columns, SHARES));
    NY_NEW_RAW(ctx, p->T, ny_size3(r, columns, 1));
    ny_syrk(r, X->n, 1.0, p->f.G, p->f.ldg, 0.0, p->Q, r);
    NY_TRY(ny_eig(ctx, r, p->Q, r, p->lambda));
done:
    if (st != NY_OK) ny_precondition_clear(p);
    return st;
}

void ny_precondition_clear(ny_preconditioner *p) {
    ny_factor_clear(&p->f);
    ny_free(p->Q);
    ny_free(p->lambda);
    ny_free(p->H);
    ny_free(p->T);
    *p = (ny_preconditioner){0};
}

typedef struct {
    const ny_preconditioner *p;
    int64_t count, step;
    const double *C, *R;
    double *Z;
} apply_job;

/* G R of a share of the rows. */
static void down_tile(void *arg, int64_t first, int64_t rows, int thread) {
    (void)thread;
    apply_job *job = arg;
    const ny_factor *f = &job->p->f;
    double *H = job->p->H + first / job->step * f->r * job->count;
    ny_gemm(false, false, f->r, job->count, rows, 1.0, f->G + first * f->ldg, f->ldg, job->R + first, f->n, 0.0, H,
            f->r);
}

/* C (R - G' H) */
static void up_tile(void *arg, int64_t first, int64_t rows, int thread) {
    (void)thread;
    apply_job *job = arg;
    const ny_factor *f = &job->p->f;
    ny_gemm(true, false, rows, job->count, f->r, -1.0, f->G + first * f->ldg, f->ldg, job->p->H, f->r, 0.0,
            job->Z + first, f->n);
    for (int64_t c = 0; c < job->count; c++)
        for (int64_t i = first + c * f->n; i < first + rows + c * f->n; i++)
            job->Z[i] = job->C[c] * (job->R[i] + job->Z[i]);
}

/* The rows are divided into shares whatever the threads, and the shares are added in order. */
void ny_precondition(const ny_preconditioner *p, int64_t count, const double *C, const double *R, double *Z) {
    int64_t n = p->f.n, r = p->f.r, step = (n + SHARES - 1) / SHARES;
    apply_job job = {p, count, step, C, R, Z};
    ny_for_tiles(n, step, down_tile, &job);
    for (int64_t first = step; first < n; first += step)
        for (int64_t i = 0; i < r * count; i++) p->H[i] += p->H[i + first / step * r * count];
    ny_gemm(true, false, r, count, r, 1.0, p->Q, r, p->H, r, 0.0, p->T, r);
    for (int64_t c = 0; c < count; c++)
        for (int64_t k = 0; k < r; k++) p->T[k + c * r] /= fmax(p->lambda[k], 0) + 1 / C[c];
    ny_gemm(false, false, r, count, r, 1.0, p->Q, r, p->T, r, 0.0, p->H, r);
    ny_for_tiles(n, step, up_tile, &job);
}

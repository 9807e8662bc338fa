/* kernel.c: the table of kernels, and tiles of kernel matrices.
 *
 * A tile is a block of columns of kappa(Z, X): inner products by GEMM (dense) or through an inverted index of Z
 * (sparse), then for each column |x-z|^2 = |x|^2 + |z|^2 - 2 x'z and the member's map while it is in the cache. Sums of
 * powers of differences come from differences.c. */
#include "kernel.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "base/family.h"
#include "base/threads.h"
#include "differences.h"
#include "linalg/linalg.h"
#include "vexp.h"

#define X(name) &ny_kernel_##name,
NY_FAMILY(ny_kernel, ny_kernel, NY_KERNEL_LIST(X))
#undef X

int64_t ny_kernel_candidates(const char *name, int64_t room, const ny_kernel **kernels) {
    static const ny_kernel *const choices[] = {&ny_kernel_rbf,     &ny_kernel_matern32, &ny_kernel_powexp15,
                                               &ny_kernel_powexp1, &ny_kernel_poly,     &ny_kernel_linear};
    int64_t count = 0;
    if (strcmp(name, "auto") != 0) kernels[count++] = ny_kernel_find(name);
    else
        for (size_t i = 0; i < sizeof choices / sizeof *choices && count < room; i++) kernels[count++] = choices[i];
    return count;
}

int64_t ny_kernel_span(double dimension, int64_t n) {
    const double spare = 5; /* rounding may make a direction out of nothing */
    return dimension + spare < (double)n / 4 ? (int64_t)(dimension + spare) : n;
}

/* Entries of a sparse Z sorted by input: those of input j are [feature[j], feature[j+1]). */
static ny_status invert(ny_ctx *ctx, ny_kernel_side *side) {
    ny_status st = NY_OK;
    const ny_matrix *Z = side->X;
    NY_NEW(ctx, side->feature, Z->d + 2);
    NY_NEW_RAW(ctx, side->owner, Z->ptr[Z->n]);
    NY_NEW_RAW(ctx, side->value, Z->ptr[Z->n]);
    for (int64_t e = 0; e < Z->ptr[Z->n]; e++) side->feature[Z->idx[e] + 2]++;
    for (int64_t j = 0; j < Z->d; j++) side->feature[j + 2] += side->feature[j + 1];
    for (int64_t i = 0; i < Z->n; i++)
        for (int64_t e = Z->ptr[i]; e < Z->ptr[i + 1]; e++) {
            int64_t at = side->feature[Z->idx[e] + 1]++;
            side->owner[at] = (int32_t)i;
            side->value[at] = Z->val[e];
        }
done:
    return st;
}

ny_status ny_kernel_prepare(ny_ctx *ctx, const ny_matrix *Z, bool inverted, ny_kernel_side *side) {
    ny_status st = NY_OK;
    *side = (ny_kernel_side){.X = Z};
    NY_NEW_RAW(ctx, side->norms, Z->n);
    ny_matrix_norms(Z, side->norms);
    if (inverted && ny_matrix_is_sparse(Z)) NY_TRY(invert(ctx, side));
done:
    if (st != NY_OK) ny_kernel_release(side);
    return st;
}

void ny_kernel_release(ny_kernel_side *side) {
    ny_free(side->norms);
    ny_free(side->feature);
    ny_free(side->owner);
    ny_free(side->value);
    *side = (ny_kernel_side){0};
}

/* k[i] = z_i' x for one sparse or dense x against a sparse or dense Z, where not both are dense. */
static void dots_sparse(const ny_kernel_side *Z, const ny_matrix *X, int64_t c, double *k) {
    const ny_matrix *A = Z->X;
    memset(k, 0, (size_t)A->n * sizeof *k);
    if (!ny_matrix_is_sparse(X)) { /* Z sparse, x dense */
        const double *x = X->x + c * X->d;
        for (int64_t i = 0; i < A->n; i++)
            for (int64_t e = A->ptr[i]; e < A->ptr[i + 1]; e++) k[i] += A->val[e] * x[A->idx[e]];
        return;
    }
    for (int64_t s = X->ptr[c]; s < X->ptr[c + 1]; s++) {
        int64_t j = X->idx[s];
        double v = X->val[s];
        if (Z->feature)
            for (int64_t e = Z->feature[j]; e < Z->feature[j + 1]; e++) k[Z->owner[e]] += v * Z->value[e];
        else
            for (int64_t i = 0; i < A->n; i++) k[i] += v * A->x[j + i * A->d];
    }
}

/* |x-z|^2 from inner products; what is rounding noise beside the norms counts as zero. */
NY_CLONES static void distances(double *k, int64_t m, const double *zn, double xn) {
    for (int64_t i = 0; i < m; i++) {
        double sum = zn[i] + xn, v = sum - 2 * k[i];
        k[i] = v > 1e-14 * sum ? v : 0;
    }
}

typedef struct { /* a matrix, or a block of its columns */
    const ny_kernel_params *p;
    const ny_kernel_side *Z, *X;
    void (*map)(double *v, int64_t n, const ny_kernel_params *p); /* from the base to what is wanted; NULL: the base */
    double *K;
    int64_t ldk;
} matrix_job;

/* Columns first .. first+count of the matrix into K, whatever the job's own. */
static void tile(const matrix_job *job, int64_t first, int64_t count, double *K) {
    const ny_kernel_side *Z = job->Z, *X = job->X;
    const ny_matrix *A = Z->X, *B = X->X;
    ny_kernel_base base = job->p->kernel->base;
    bool products = base == NY_BASE_SQDIST || base == NY_BASE_DOT;
    bool dense = !ny_matrix_is_sparse(A) && !ny_matrix_is_sparse(B);
    if (!products) ny_differences(base, A, B, first, count, K, job->ldk);
    else if (dense)
        ny_gemm(true, false, A->n, count, A->d, 1.0, A->x, A->d, B->x + first * B->d, B->d, 0.0, K, job->ldk);
    for (int64_t c = 0; c < count; c++) {
        double *k = K + c * job->ldk;
        if (products && !dense) dots_sparse(Z, B, first + c, k);
        if (base == NY_BASE_SQDIST) distances(k, A->n, Z->norms, X->norms[first + c]);
        if (job->map) job->map(k, A->n, job->p);
    }
}

void ny_kernel_tile(const ny_kernel_params *p, const ny_kernel_side *Z, const ny_kernel_side *X, int64_t first,
                    int64_t count, double *K, int64_t ldk) {
    tile(&(matrix_job){p, Z, X, p->kernel->map, K, ldk}, first, count, K);
}

void ny_kernel_slopes(const ny_kernel_params *p, const ny_kernel_side *Z, const ny_kernel_side *X, int64_t first,
                      int64_t count, double *K, int64_t ldk) {
    tile(&(matrix_job){p, Z, X, p->kernel->slope, K, ldk}, first, count, K);
}

static void matrix_tile(void *arg, int64_t first, int64_t count, int thread) {
    (void)thread;
    matrix_job *job = arg;
    tile(job, first, count, job->K + first * job->ldk);
}

static void whole(matrix_job job) {
    ny_for_tiles_cut(job.X->X->n, ny_kernel_tile_width(job.p, job.Z->X->n, job.Z->X->d), matrix_tile, &job);
}

void ny_kernel_matrix(const ny_kernel_params *p, const ny_kernel_side *Z, const ny_kernel_side *X, bool slope,
                      double *K, int64_t ldk) {
    whole((matrix_job){p, Z, X, slope ? p->kernel->slope : p->kernel->map, K, ldk});
}

void ny_kernel_bases(const ny_kernel_params *p, const ny_kernel_side *Z, const ny_kernel_side *X, double *V,
                     int64_t ldv) {
    whole((matrix_job){p, Z, X, NULL, V, ldv});
}

void ny_kernel_diagonal(const ny_kernel_params *p, const ny_kernel_side *X, double *diag) {
    for (int64_t i = 0; i < X->X->n; i++) diag[i] = p->kernel->base == NY_BASE_DOT ? X->norms[i] : 0;
    p->kernel->map(diag, X->X->n, p);
}

int64_t ny_kernel_tile_width(const ny_kernel_params *p, int64_t m, int64_t d) {
    if (p->tile > 0) return p->tile;
    const int64_t cache = 1 << 16; /* doubles: half of a 1 MB second-level cache */
    int64_t width = cache / (m > 0 ? m : 1);
    if (width < d / 3) width = d / 3;
    return width < 16 ? 16 : width > 512 ? 512 : width;
}

/* factor.c: from points to G, in the form that the options call for. */
#include "factor.h"

#include <math.h>
#include <string.h>

#include "base/threads.h"
#include "linalg/linalg.h"

int64_t ny_factor_rank(const ny_factor *f) {
    return f->r - (f->constant != 0);
}

/* The last feature, where one is asked for; what there is of G has room for it. */
static void add_constant(double value, ny_factor *f) {
    for (int64_t i = 0; f->G && value != 0 && i < f->n; i++) f->G[f->r + i * f->ldg] = value;
    f->constant = value;
    f->r += value != 0;
}

void ny_factor_clear(ny_factor *factor) {
    ny_matrix_clear(&factor->Z);
    ny_matrix_clear(&factor->redundant);
    ny_free(factor->weight);
    ny_free(factor->G);
    ny_free(factor->L);
    ny_free(factor->inverse);
    ny_free(factor->T);
    ny_free(factor->unseen);
    *factor = (ny_factor){0};
}

ny_status ny_factor_pivots(ny_ctx *ctx, int64_t n, double *K, double tol, int64_t **order, int64_t *rank) {
    ny_status st = NY_OK;
    double *scratch = NULL, largest = 0;
    int32_t *pivot = NULL;
    NY_NEW_RAW(ctx, scratch, 2 * n);
    NY_NEW_RAW(ctx, pivot, n);
    NY_NEW_RAW(ctx, *order, n);
    for (int64_t i = 0; i < n; i++) largest = fmax(largest, K[i + i * n]);
    NY_CHECK(ctx, largest > 0 && isfinite(largest), NY_ERR_NUMERIC,
             "the kernel matrix is zero or not finite: are the inputs constant?");
    *rank = ny_chol_pivoted(n, K, n, fmax(tol, 1e-15) * largest, pivot, scratch);
    NY_CHECK(ctx, *rank > 0, NY_STOPPED, "stopped");
    for (int64_t i = 0; i < n; i++) (*order)[i] = pivot[i];
done:
    ny_free(scratch);
    ny_free(pivot);
    return st;
}

/* Every point a landmark: K = P L L' P', G = L' unpermuted. Points beyond the numerical rank are not needed. */
static ny_status factor_exact(ny_ctx *ctx, const ny_kernel_params *kernel, const ny_kernel_side *X,
                              const ny_factor_spec *spec, ny_factor *f) {
    ny_status st = NY_OK;
    int64_t n = f->n, r, ldg, *rows = NULL;
    double *K = NULL;
    NY_NEW_RAW(ctx, K, ny_size3(n, n, 1));
    ny_kernel_matrix(kernel, X, X, false, K, n);
    NY_TRY(ny_factor_pivots(ctx, n, K, spec->tol, &rows, &r));
    NY_TRY(ny_matrix_gather(ctx, X->X, rows, r, &f->Z));
    ldg = r + (spec->constant != 0);
    NY_NEW(ctx, f->G, ny_size3(ldg, n, 1));
    NY_NEW(ctx, f->L, ny_size3(r, r, 1));
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < r && j <= i; j++) f->G[j + rows[i] * ldg] = K[i + j * n];
    for (int64_t j = 0; j < r; j++) memcpy(f->L + j + j * r, K + j + j * n, (size_t)(r - j) * sizeof *K);
    f->m = f->r = r;
    f->ldg = ldg;
    add_constant(spec->constant, f);
done:
    ny_free(K);
    ny_free(rows);
    return st;
}

/* kappa(Z,Z) = P L L' P': landmarks in pivot order, the redundant ones set apart. */
static ny_status cholesky_form(ny_ctx *ctx, double *W, double tol, ny_factor *f) {
    ny_status st = NY_OK;
    int64_t m = f->m, r, *rows = NULL;
    ny_matrix Z = {0};
    NY_TRY(ny_factor_pivots(ctx, m, W, tol, &rows, &r));
    NY_TRY(ny_matrix_gather(ctx, &f->Z, rows, r, &Z));
    if (r < m) NY_TRY(ny_matrix_append(ctx, &f->Z, rows + r, m - r, &f->redundant));
    ny_matrix_clear(&f->Z);
    f->Z = Z;
    Z = (ny_matrix){0};
    NY_NEW(ctx, f->L, ny_size3(r, r, 1));
    for (int64_t j = 0; j < r; j++) memcpy(f->L + j + j * r, W + j + j * m, (size_t)(r - j) * sizeof *W);
    NY_NEW_RAW(ctx, f->inverse, ny_size3(r, r, 1));
    memcpy(f->inverse, f->L, (size_t)(r * r) * sizeof *f->L);
    ny_triangle_inverse(r, f->inverse, r);
    f->m = f->r = r;
done:
    ny_matrix_clear(&Z);
    ny_free(rows);
    return st;
}

/* P^1/2 W P^1/2 = U D U', T = D_r^-1/2 U_r' P^1/2 for the largest eigenvalues: at most `rank` (0: any number), each
 * above tol times the sum and, times n over the sum of P, above `floor`.   docs/math.md, eq. 9, 9a, 94 */
static ny_status eigen_form(ny_ctx *ctx, double *W, const ny_factor_spec *spec, ny_factor *f) {
    ny_status st = NY_OK;
    int64_t m = f->m, r = 0;
    double *lambda = NULL, sum = 0, weights = 0;
    NY_NEW_RAW(ctx, lambda, m);
    for (int64_t j = 0; j < m; j++)
        for (int64_t i = 0; i < m; i++) W[i + j * m] *= ny_factor_root_weight(f, i) * ny_factor_root_weight(f, j);
    NY_TRY(ny_eig(ctx, m, W, m, lambda));
    for (int64_t j = 0; j < m; j++) sum += fmax(lambda[j], 0);
    for (int64_t j = 0; j < m; j++) weights += ny_factor_root_weight(f, j) * ny_factor_root_weight(f, j);
    double least = fmax(fmax(spec->tol, 1e-15) * sum, spec->floor * weights / (double)f->n);
    while (r < m && (!spec->rank || r < spec->rank) && lambda[m - 1 - r] > least) r++;
    NY_CHECK(ctx, r > 0 || !(lambda[m - 1] > 0), NY_ERR_USAGE,
             "--rank-floor %g leaves nothing of the kernel matrix, whose largest eigenvalue is about %.3g: use a "
             "smaller one",
             spec->floor, lambda[m - 1] * (double)f->n / weights);
    NY_CHECK(ctx, r > 0, NY_ERR_NUMERIC,
             "the kernel matrix of the landmarks is zero or not finite: are the inputs constant?");
    NY_NEW_RAW(ctx, f->T, ny_size3(r, m, 1));
    for (int64_t j = 0; j < r; j++)
        for (int64_t i = 0; i < m; i++)
            f->T[j + i * r] = W[i + (m - 1 - j) * m] * ny_factor_root_weight(f, i) / sqrt(lambda[m - 1 - j]);
    f->r = r;
done:
    ny_free(lambda);
    return st;
}

ny_status ny_factor_form(ny_ctx *ctx, const ny_kernel_params *kernel, ny_landmarks *landmarks,
                         const ny_factor_spec *spec, ny_factor *f) {
    ny_status st = NY_OK;
    double *W = NULL;
    ny_kernel_side side = {0};
    *f = (ny_factor){.n = f->n, .Z = landmarks->Z, .weight = landmarks->weight, .m = landmarks->Z.n};
    f->redundant = landmarks->redundant;
    landmarks->Z = landmarks->redundant = (ny_matrix){0};
    landmarks->weight = NULL;
    NY_NEW_RAW(ctx, W, ny_size3(f->m, f->m, 1));
    NY_TRY(ny_kernel_prepare(ctx, &f->Z, true, &side));
    ny_kernel_matrix(kernel, &side, &side, false, W, f->m);
    if (ny_factor_cuts(spec) || f->weight) NY_TRY(eigen_form(ctx, W, spec, f));
    else NY_TRY(cholesky_form(ctx, W, spec->tol, f));
    add_constant(spec->constant, f);
done:
    ny_kernel_release(&side);
    ny_free(W);
    return st;
}

typedef struct {
    const ny_kernel_params *kernel;
    const ny_kernel_side *Z, *X;
    const ny_factor *f;
    double *G;       /* r x n */
    double *scratch; /* threads x (m x width), eigen form only */
    int64_t width;
} map_job;

static void map_tile(void *arg, int64_t first, int64_t count, int thread) {
    map_job *job = arg;
    const ny_factor *f = job->f;
    int64_t rank = ny_factor_rank(f), ldk = f->L ? f->r : f->m;
    double *G = job->G + first * f->r, *K = f->L ? G : job->scratch + (int64_t)thread * f->m * job->width;
    ny_kernel_tile(job->kernel, job->Z, job->X, first, count, K, ldk);
    if (f->inverse) ny_trmm(false, rank, count, f->inverse, f->m, G, f->r); /* three times as fast as solving with L */
    else if (f->L) ny_trsm(false, rank, count, f->L, f->m, G, f->r);
    else ny_gemm(false, false, rank, count, f->m, 1.0, f->T, rank, K, ldk, 0.0, G, f->r);
    for (int64_t i = 0; f->constant != 0 && i < count; i++) G[rank + i * f->r] = f->constant;
}

ny_status ny_factor_rows(ny_ctx *ctx, const ny_factor *f, const ny_kernel_params *kernel, const ny_matrix *X,
                         double *G) {
    ny_status st = NY_OK;
    ny_kernel_side Z = {0}, x = {0};
    map_job job = {kernel, &Z, &x, f, G, NULL, ny_kernel_tile_width(kernel, f->m, f->Z.d)};
    if (job.width > X->n) job.width = X->n;
    NY_TRY(ny_kernel_prepare(ctx, &f->Z, true, &Z));
    NY_TRY(ny_kernel_prepare(ctx, X, false, &x));
    if (f->T) NY_NEW_RAW(ctx, job.scratch, ny_size3(ny_threads(), f->m, job.width));
    ny_for_tiles_cut(X->n, job.width, map_tile, &job);
done:
    ny_kernel_release(&Z);
    ny_kernel_release(&x);
    ny_free(job.scratch);
    return st;
}

/* kept = sum_i |g_i|^2 / sum_i kappa(x_i,x_i), and what is missing at each point.   docs/math.md, eq. 36 */
static ny_status trace_share(ny_ctx *ctx, const ny_kernel_params *kernel, const ny_kernel_side *X, ny_factor *f) {
    ny_status st = NY_OK;
    double all = 0, kept = 0;
    NY_NEW_RAW(ctx, f->unseen, f->n);
    ny_kernel_diagonal(kernel, X, f->unseen);
    for (int64_t i = 0; i < f->n; i++) {
        const double *g = f->G + i * f->ldg;
        double seen = 0;
        for (int64_t k = 0; k < ny_factor_rank(f); k++) seen += g[k] * g[k];
        all += f->unseen[i];
        kept += seen;
        f->unseen[i] -= seen;
    }
    f->kept = all > 0 ? fmin(kept / all, 1) : 1;
    f->missing = fmax(all - kept - 1e-16 * (double)f->r * all, 0);
done:
    return st;
}

static ny_status copy_landmarks(ny_ctx *ctx, const ny_matrix *Z, const double *weight, ny_matrix *to,
                                double **to_weight) {
    ny_status st = NY_OK;
    NY_TRY(ny_matrix_copy(ctx, Z, to));
    if (weight) {
        NY_NEW_RAW(ctx, *to_weight, Z->n);
        memcpy(*to_weight, weight, (size_t)Z->n * sizeof *weight);
    }
done:
    return st;
}

ny_status ny_factor_keep(ny_ctx *ctx, ny_factor *f, ny_factor *map) {
    ny_status st = NY_OK;
    NY_TRY(copy_landmarks(ctx, &f->Z, f->weight, &map->Z, &map->weight));
    map->m = f->m;
    map->r = ny_factor_rank(f);
    map->T = f->T;
    f->T = NULL;
done:
    return st;
}

static ny_status copy_given(ny_ctx *ctx, const ny_landmarks *given, ny_landmarks *out) {
    ny_status st = copy_landmarks(ctx, &given->Z, given->weight, &out->Z, &out->weight);
    return st != NY_OK || !given->redundant.n ? st : ny_matrix_copy(ctx, &given->redundant, &out->redundant);
}

/* The landmarks asked for. All, of a kernel of small dimension: those that span its feature space, drawn by what the
 * others leave over, so that nothing is left and no n x n matrix is needed.   docs/math.md, eq. 96 */
static ny_status choose(ny_ctx *ctx, const ny_kernel_params *kernel, const ny_kernel_side *X,
                        const ny_factor_spec *spec, ny_landmarks *out) {
    ny_landmark_spec choice = {kernel,          X,         spec->code, spec->classes,      spec->id,
                               spec->landmarks, spec->tol, spec->seed, spec->constant != 0};
    if (spec->landmarks < X->X->n)
        return spec->given ? copy_given(ctx, spec->given, out) : spec->method->choose(ctx, &choice, out);
    if (ny_factor_cuts(spec)) return ny_matrix_copy(ctx, X->X, &out->Z);
    choice.m = ny_kernel_span(ny_kernel_dimension(kernel, X->X->d), X->X->n);
    return ny_landmark_rpcholesky.choose(ctx, &choice, out);
}

/* G of the landmarks, which are moved: the method's own, if that is complete, or by the form. */
static ny_status map_rows(ny_ctx *ctx, const ny_kernel_params *kernel, const ny_matrix *X, const ny_factor_spec *spec,
                          ny_landmarks *landmarks, ny_factor *out) {
    ny_status st = NY_OK;
    if (landmarks->G && !ny_factor_cuts(spec)) {
        int64_t m = landmarks->Z.n;
        *out = (ny_factor){.n = X->n, .m = m, .r = m, .Z = landmarks->Z, .ldg = landmarks->ldg};
        out->G = landmarks->G;
        out->L = landmarks->L;
        add_constant(spec->constant, out);
        *landmarks = (ny_landmarks){0};
        return NY_OK;
    }
    ny_free(landmarks->G); /* before the other form's G is made: two would not fit */
    landmarks->G = NULL;
    NY_TRY(ny_factor_form(ctx, kernel, landmarks, spec, out));
    out->ldg = out->r;
    NY_NEW_RAW(ctx, out->G, ny_size3(out->r, out->n, 1));
    NY_TRY(ny_factor_rows(ctx, out, kernel, X, out->G));
done:
    return st;
}

ny_status ny_factor_make(ny_ctx *ctx, const ny_kernel_params *kernel, const ny_matrix *X, const ny_factor_spec *spec,
                         ny_factor *out) {
    ny_status st = NY_OK;
    ny_kernel_side side = {0};
    ny_landmarks landmarks = {0};
    double started = ny_now();
    bool exact = spec->landmarks >= X->n && !ny_factor_cuts(spec);
    *out = (ny_factor){.n = X->n};
    NY_TRY(ny_blas_fits(ctx, X->n, X->d));
    NY_TRY(ny_kernel_prepare(ctx, X, true, &side));
    if (exact && ny_kernel_span(ny_kernel_dimension(kernel, X->d), X->n) >= X->n) {
        NY_TRY(factor_exact(ctx, kernel, &side, spec, out));
    } else {
        NY_TRY(choose(ctx, kernel, &side, spec, &landmarks));
        NY_TRY(map_rows(ctx, kernel, X, spec, &landmarks, out));
    }
    if (exact && ny_factor_rank(out) == out->n) {
        NY_NEW(ctx, out->unseen, out->n);
        out->kept = 1;
    } else { /* every row is a landmark, but those that add less than the tolerance are gone */
        NY_TRY(trace_share(ctx, kernel, &side, out));
    }
done:
    out->seconds = ny_now() - started;
    ny_kernel_release(&side);
    ny_landmarks_clear(&landmarks);
    if (st != NY_OK) ny_factor_clear(out);
    return st;
}

ny_status ny_factor_kernel(ny_ctx *ctx, const ny_kernel_params *kernel, const ny_matrix *X, ny_factor *out) {
    ny_status st = NY_OK;
    ny_kernel_side side = {0};
    int64_t n = X->n;
    double started = ny_now();
    *out = (ny_factor){.n = n, .m = n, .r = n, .ldg = n, .kept = 1};
    NY_TRY(ny_blas_fits(ctx, n, X->d));
    NY_TRY(ny_kernel_prepare(ctx, X, true, &side));
    NY_NEW(ctx, out->unseen, n);
    NY_NEW_RAW(ctx, out->G, ny_size3(n, n, 1));
    NY_TRY(ny_matrix_copy(ctx, X, &out->Z));
    ny_kernel_matrix(kernel, &side, &side, false, out->G, n);
done:
    out->seconds = ny_now() - started;
    ny_kernel_release(&side);
    if (st != NY_OK) ny_factor_clear(out);
    return st;
}

ny_status ny_factor_cut(ny_ctx *ctx, const ny_kernel_params *kernel, const ny_matrix *X, const ny_factor *from,
                        const ny_factor_spec *spec, ny_factor *out) {
    ny_status st = NY_OK;
    ny_kernel_side side = {0};
    double started = ny_now();
    int64_t r = spec->rank < from->r ? spec->rank : from->r, m = from->m;
    *out = (ny_factor){.n = X->n, .m = m, .r = r};
    NY_TRY(copy_landmarks(ctx, &from->Z, from->weight, &out->Z, &out->weight));
    NY_NEW_RAW(ctx, out->T, ny_size3(r, m, 1));
    for (int64_t i = 0; i < m; i++) memcpy(out->T + i * r, from->T + i * from->r, (size_t)r * sizeof *out->T);
    add_constant(spec->constant, out);
    out->ldg = out->r;
    NY_NEW_RAW(ctx, out->G, ny_size3(out->r, out->n, 1));
    NY_TRY(ny_factor_rows(ctx, out, kernel, X, out->G));
    NY_TRY(ny_kernel_prepare(ctx, X, false, &side));
    NY_TRY(trace_share(ctx, kernel, &side, out));
    out->seconds = ny_now() - started;
done:
    ny_kernel_release(&side);
    if (st != NY_OK) ny_factor_clear(out);
    return st;
}

void ny_factor_coefficients(const ny_factor *f, int64_t q, const double *w, double *beta) {
    int64_t rank = ny_factor_rank(f);
    if (f->T) {
        ny_gemm(true, false, f->m, q, rank, 1.0, f->T, rank, w, f->r, 0.0, beta, f->m);
    } else { /* L' beta = w; without L they are the same */
        for (int64_t j = 0; j < q; j++) memcpy(beta + j * f->m, w + j * f->r, (size_t)f->m * sizeof *beta);
        if (f->L) ny_trsm(true, f->m, q, f->L, f->m, beta, f->m);
    }
}

void ny_factor_bias(const ny_factor *f, int64_t q, const double *w, double *b) {
    for (int64_t j = 0; f->constant != 0 && j < q; j++) b[j] += f->constant * w[f->r - 1 + j * f->r];
}

static const double KERNEL_VALUE = 20; /* flops of one, beside the inner product */

ny_cost ny_factor_cost(const ny_size *s) {
    double n = s->n, m = s->m, flops = n * m * (2 * s->d + KERNEL_VALUE) + n * m * m;
    return (ny_cost){flops, m < n ? n * m + 3 * m * m : 2 * n * n};
}

ny_cost ny_factor_kernel_cost(const ny_size *s) {
    return (ny_cost){s->n * s->n * (2 * s->d + KERNEL_VALUE), s->n * s->n};
}

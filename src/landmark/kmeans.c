/* kmeans.c: see kmeans.h. Lloyd's iterations on a sample of at most 20 rows for each centre; good landmarks do not need
 * a converged clustering. */
#include "kmeans.h"

#include <math.h>
#include <string.h>

#include "base/rng.h"
#include "base/threads.h"

enum { ROUNDS = 10, ROWS_PER_CENTRE = 20 };

typedef struct {
    ny_matrix sample;
    ny_kernel_side X, centres; /* of the sample, of Z */
    double *scratch;           /* threads x (m x width) */
    int64_t width, *nearest;   /* of each row of the sample */
    double *size, *sum;        /* m: rows of each centre; d x m */
} clustering;

/* nearest[i] = argmin_c |c|^2 - 2 c'x_i */
static void assign_tile(void *arg, int64_t first, int64_t count, int thread) {
    clustering *c = arg;
    int64_t m = c->centres.X->n;
    double *K = c->scratch + (int64_t)thread * m * c->width;
    ny_kernel_params dot = {.kernel = &ny_kernel_linear};
    ny_kernel_tile(&dot, &c->centres, &c->X, first, count, K, m);
    for (int64_t i = 0; i < count; i++) {
        double best = INFINITY;
        for (int64_t k = 0; k < m; k++) {
            double v = c->centres.norms[k] - 2 * K[k + i * m];
            if (v < best) best = v, c->nearest[first + i] = k;
        }
    }
}

static ny_status assign(ny_ctx *ctx, clustering *c, const ny_matrix *Z) {
    ny_status st = NY_OK;
    NY_TRY(ny_kernel_prepare(ctx, Z, false, &c->centres));
    ny_for_tiles_cut(c->sample.n, c->width, assign_tile, c);
    ny_kernel_release(&c->centres);
    memset(c->size, 0, (size_t)Z->n * sizeof *c->size);
    for (int64_t i = 0; i < c->sample.n; i++) c->size[c->nearest[i]]++;
done:
    return st;
}

/* Each centre becomes the mean of its rows; one without rows stays where it is. */
static void move_centres(const clustering *c, ny_matrix *Z) {
    const ny_matrix *X = &c->sample;
    int64_t d = Z->d;
    memset(c->sum, 0, (size_t)(d * Z->n) * sizeof *c->sum);
    for (int64_t i = 0; i < X->n; i++) {
        double *s = c->sum + c->nearest[i] * d;
        if (ny_matrix_is_sparse(X))
            for (int64_t e = X->ptr[i]; e < X->ptr[i + 1]; e++) s[X->idx[e]] += X->val[e];
        else
            for (int64_t j = 0; j < d; j++) s[j] += X->x[j + i * d];
    }
    for (int64_t k = 0; k < Z->n; k++)
        for (int64_t j = 0; c->size[k] > 0 && j < d; j++) Z->x[j + k * d] = c->sum[j + k * d] / c->size[k];
}

/* Starts from m of the sampled rows, as a dense matrix. */
static ny_status start(ny_ctx *ctx, const ny_matrix *sample, int64_t m, ny_matrix *Z) {
    ny_status st = NY_OK;
    NY_CHECK(ctx, ny_size3(sample->d, m, 8) >= 0 && ny_size3(sample->d, m, 8) <= ny_available_bytes() / 4,
             NY_ERR_MEMORY,
             "centres of clusters are dense, and %lld inputs x %lld landmarks do not fit: use --landmark-method "
             "rpcholesky or uniform",
             (long long)sample->d, (long long)m);
    NY_TRY(ny_matrix_dense(ctx, sample->d, m, Z));
    for (int64_t k = 0; k < m; k++) {
        if (ny_matrix_is_sparse(sample)) {
            memset(Z->x + k * Z->d, 0, (size_t)Z->d * sizeof *Z->x);
            for (int64_t e = sample->ptr[k]; e < sample->ptr[k + 1]; e++)
                Z->x[sample->idx[e] + k * Z->d] = sample->val[e];
        } else {
            memcpy(Z->x + k * Z->d, sample->x + k * Z->d, (size_t)Z->d * sizeof *Z->x);
        }
    }
done:
    return st;
}

ny_status ny_kmeans(ny_ctx *ctx, const ny_landmark_spec *spec, ny_matrix *Z, double **size) {
    ny_status st = NY_OK;
    int64_t n = spec->X->X->n, m = spec->m, count = n < ROWS_PER_CENTRE * m ? n : ROWS_PER_CENTRE * m, *rows = NULL;
    clustering c = {0};
    ny_rng rng = ny_rng_make(spec->seed, NY_RNG_KMEANS, 0);

    NY_NEW_RAW(ctx, rows, n);
    for (int64_t i = 0; i < n; i++) rows[i] = i;
    ny_rng_shuffle(&rng, rows, n);
    NY_TRY(ny_matrix_gather(ctx, spec->X->X, rows, count, &c.sample));
    NY_TRY(start(ctx, &c.sample, m, Z));
    NY_TRY(ny_kernel_prepare(ctx, &c.sample, false, &c.X));
    c.width = ny_kernel_tile_width(spec->kernel, m, Z->d);
    if (c.width > count) c.width = count;
    NY_NEW_RAW(ctx, c.scratch, ny_size3(ny_threads(), m, c.width));
    NY_NEW_RAW(ctx, c.sum, ny_size3(Z->d, m, 1));
    NY_NEW(ctx, c.nearest, count);
    NY_NEW_RAW(ctx, c.size, m);
    for (int round = 0; round < ROUNDS; round++) {
        NY_TRY(assign(ctx, &c, Z));
        move_centres(&c, Z);
    }
    if (size) {
        NY_TRY(assign(ctx, &c, Z));
        *size = c.size;
        c.size = NULL;
    }
done:
    ny_kernel_release(&c.X);
    ny_matrix_clear(&c.sample);
    ny_free(rows);
    ny_free(c.nearest);
    ny_free(c.size);
    ny_free(c.scratch);
    ny_free(c.sum);
    return st;
}

/* landmark_kmeans.c: the centres of a k-means clustering (Zhang & Kwok 2010). Lloyd's iterations on a sample of at
 * most 20 rows for each centre; good landmarks do not need a converged clustering. */
#include <math.h>
#include <string.h>

#include "base/rng.h"
#include "base/threads.h"
#include "landmark.h"

enum { ROUNDS = 10, ROWS_PER_CENTRE = 20 };

typedef struct {
    const ny_kernel_side *centres, *X;
    double *scratch; /* threads x (m x width) */
    int64_t width, *nearest;
} assign_job;

/* nearest[i] = argmin_c |c|^2 - 2 c'x_i */
static void assign_tile(void *arg, int64_t first, int64_t count, int thread) {
    assign_job *job = arg;
    int64_t m = job->centres->X->n;
    double *K = job->scratch + (int64_t)thread * m * job->width;
    ny_kernel_params dot = {.kernel = &ny_kernel_linear};
    ny_kernel_tile(&dot, job->centres, job->X, first, count, K, m);
    for (int64_t c = 0; c < count; c++) {
        double best = INFINITY;
        for (int64_t k = 0; k < m; k++) {
            double v = job->centres->norms[k] - 2 * K[k + c * m];
            if (v < best) best = v, job->nearest[first + c] = k;
        }
    }
}

/* Each centre becomes the mean of its rows; one without rows stays where it is. */
static void move_centres(const ny_matrix *X, const int64_t *nearest, ny_matrix *Z, double *sum, int64_t *size) {
    int64_t d = Z->d;
    memset(sum, 0, (size_t)(d * Z->n) * sizeof *sum);
    memset(size, 0, (size_t)Z->n * sizeof *size);
    for (int64_t i = 0; i < X->n; i++) {
        double *s = sum + nearest[i] * d;
        size[nearest[i]]++;
        if (ny_matrix_is_sparse(X))
            for (int64_t e = X->ptr[i]; e < X->ptr[i + 1]; e++) s[X->idx[e]] += X->val[e];
        else
            for (int64_t j = 0; j < d; j++) s[j] += X->x[j + i * d];
    }
    for (int64_t k = 0; k < Z->n; k++)
        for (int64_t j = 0; size[k] && j < d; j++) Z->x[j + k * d] = sum[j + k * d] / (double)size[k];
}

/* Starts from m of the sampled rows, as a dense matrix. */
static ny_status start(ny_ctx *ctx, const ny_matrix *sample, int64_t m, ny_matrix *Z) {
    ny_status st = NY_OK;
    NY_CHECK(ctx, ny_size3(sample->d, m, 8) >= 0 && ny_size3(sample->d, m, 8) <= ny_available_bytes() / 4,
             NY_ERR_MEMORY,
             "--landmark-method kmeans needs dense centres: %lld inputs x %lld landmarks do not fit; use rpcholesky or "
             "uniform",
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

static ny_status choose(ny_ctx *ctx, const ny_landmark_spec *spec, ny_landmarks *out) {
    ny_status st = NY_OK;
    int64_t n = spec->X->X->n, m = spec->m, count = n < ROWS_PER_CENTRE * m ? n : ROWS_PER_CENTRE * m;
    int64_t *rows = NULL, *nearest = NULL, *size = NULL;
    double *scratch = NULL, *sum = NULL;
    ny_matrix sample = {0};
    ny_kernel_side sides[2] = {{0}};
    ny_rng rng = ny_rng_make(spec->seed, NY_RNG_KMEANS, 0);

    NY_NEW_RAW(ctx, rows, n);
    for (int64_t i = 0; i < n; i++) rows[i] = i;
    ny_rng_shuffle(&rng, rows, n);
    NY_TRY(ny_matrix_gather(ctx, spec->X->X, rows, count, &sample));
    NY_TRY(start(ctx, &sample, m, &out->Z));
    NY_TRY(ny_kernel_prepare(ctx, &sample, false, &sides[0]));
    int64_t width = ny_kernel_tile_width(spec->kernel, m, sample.d);
    if (width > count) width = count;
    NY_NEW_RAW(ctx, scratch, ny_size3(ny_threads(), m, width));
    NY_NEW_RAW(ctx, sum, ny_size3(sample.d, m, 1));
    NY_NEW(ctx, nearest, count);
    NY_NEW(ctx, size, m);
    for (int round = 0; round < ROUNDS; round++) {
        NY_TRY(ny_kernel_prepare(ctx, &out->Z, false, &sides[1]));
        assign_job job = {&sides[1], &sides[0], scratch, width, nearest};
        ny_for_tiles(count, width, assign_tile, &job);
        ny_kernel_release(&sides[1]);
        move_centres(&sample, nearest, &out->Z, sum, size);
    }
done:
    ny_kernel_release(&sides[0]);
    ny_kernel_release(&sides[1]);
    ny_matrix_clear(&sample);
    ny_free(rows);
    ny_free(nearest);
    ny_free(size);
    ny_free(scratch);
    ny_free(sum);
    return st;
}

const ny_landmark_method ny_landmark_kmeans = {"kmeans", "centres of a k-means clustering", false, choose};

/* fastcv.c: one evaluation of v-fold cross-validation, this library's way against the simple way, as in tables 3 and 4
 * of De Brabanter, De Brabanter, Suykens and De Moor, Optimized fixed-size kernel models for large data sets, 2010.
 *
 *     fastcv FILE M,M,... [FOLDS,FOLDS,... [REPEATS]]     prints m,folds,rank,simple_s,fast_s,mse,difference
 *
 * fast:    the feature map of all rows once, then the cv criterion at one C: what `nysel train --criterion cv
 *          --search none` does with given landmarks (it also trains the machine on all rows).
 * simple:  for every fold anew: kappa(Z,Z) and its factor, the features of the other rows, their Gram matrix, the
 *          ridge system, the features of the fold, its outputs. By the same routines with the same threads.
 * Both have the same landmarks, folds, bandwidth and C, so their held-out outputs must have the same mean squared
 * error: a relative difference above 1e-8 is a failure. They run by turns; the medians are printed. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/threads.h"
#include "criterion/profile.h"
#include "factor/factor.h"
#include "linalg/linalg.h"
#include "read/folds.h"
#include "scale/scale.h"
#include "table/data.h"

enum { REPEATS_MAX = 99 };
static const double TOLERANCE = 1e-8, RANK_TOL = 1e-10, LONG = 10 /* seconds: fewer repetitions above */;

typedef struct {
    ny_ctx *ctx;
    ny_matrix X; /* rows sorted by fold */
    ny_landmarks landmarks;
    double *y, *one;
    int64_t folds, *start; /* folds + 1 */
    double C;
    ny_kernel_params kernel;
    ny_factor_spec factor;
} problem;

static void clear(problem *p) {
    ny_matrix_clear(&p->X);
    ny_landmarks_clear(&p->landmarks);
    ny_free(p->y);
    ny_free(p->one);
    ny_free(p->start);
    *p = (problem){0};
}

/* Scaled rows in the order of their folds, and m of them, drawn at random, as landmarks. */
static ny_status make(ny_ctx *ctx, const ny_data *data, int64_t m, int64_t folds, problem *p) {
    ny_status st = NY_OK;
    int64_t n = data->X.n, d = data->X.d, *row = NULL, *next = NULL;
    int32_t *fold = NULL;
    double *shift = NULL, *factor = NULL;
    *p = (problem){.ctx = ctx, .folds = folds, .C = 10};
    const int32_t *code = data->labels == 2 ? data->code : NULL;
    NY_NEW(ctx, row, n);
    NY_NEW(ctx, fold, n);
    NY_NEW(ctx, shift, d);
    NY_NEW(ctx, factor, d);
    NY_NEW(ctx, p->y, n);
    NY_NEW(ctx, p->one, n);
    NY_NEW(ctx, p->start, folds + 1);
    NY_NEW(ctx, next, folds);
    NY_TRY(ny_folds_make(ctx, n, code, 2, folds, 1, fold));
    for (int64_t i = 0; i < n; i++) p->start[fold[i] + 1]++;
    for (int64_t f = 0; f < folds; f++) p->start[f + 1] += p->start[f], next[f] = p->start[f];
    for (int64_t i = 0; i < n; i++) row[next[fold[i]]++] = i;
    for (int64_t i = 0; i < n; i++) p->y[i] = data->y[row[i]], p->one[i] = 1;
    NY_TRY(ny_matrix_gather(ctx, &data->X, row, n, &p->X));
    for (int64_t i = 0; i < n; i++) row[i] = i;
    NY_TRY(ny_scale_fit(ctx, &ny_scale_standard, &p->X, row, n, &(ny_scaling){.shift = shift, .factor = factor}));
    ny_scale_apply(shift, factor, &p->X);
    NY_TRY(ny_rows_sample(ctx, n, NULL, 1, m, 1, row));
    NY_TRY(ny_matrix_gather(ctx, &p->X, row, m, &p->landmarks.Z));
    p->kernel = (ny_kernel_params){.kernel = &ny_kernel_rbf, .bandwidth = sqrt((double)d) / 2};
    p->factor = (ny_factor_spec){.method = &ny_landmark_uniform, .landmarks = m, .tol = RANK_TOL, .seed = 1};
done:
    ny_free(row);
    ny_free(fold);
    ny_free(shift);
    ny_free(factor);
    ny_free(next);
    return st;
}

static ny_status fast(problem *p, double *mse, int64_t *rank) {
    ny_status st = NY_OK;
    ny_factor f = {0};
    ny_profile profile = {0};
    NY_TRY(ny_factor_make(p->ctx, &p->kernel, &p->X, &p->factor, &f));
    ny_problem R = {.r = f.r,
                    .n = f.n,
                    .q = 1,
                    .G = f.G,
                    .ldg = f.ldg,
                    .u = p->one,
                    .Y = p->y,
                    .bias = true,
                    .folds = p->folds,
                    .fold_start = p->start};
    ny_profile_spec spec = {.criterion = &ny_criterion_cv,
                            .kind = NY_CLOSED_FORM,
                            .C = {.lo = log2(p->C), .hi = log2(p->C), .single = p->C}};
    NY_TRY(ny_profile_make(p->ctx, &R, &spec, &profile));
    *mse = profile.loss[0];
    *rank = f.r;
done:
    ny_profile_clear(&profile);
    ny_factor_clear(&f);
    return st;
}

/* The sum of squared errors on fold k of the machine w, b in the features of f. */
static ny_status held_out(problem *p, const ny_factor *f, int64_t k, const double *w, double b, double *sum) {
    ny_status st = NY_OK;
    int64_t first = p->start[k], count = p->start[k + 1] - first, d = p->X.d;
    const ny_matrix X = {.d = d, .n = count, .x = p->X.x + d * first};
    ny_kernel_side z = {0}, x = {0};
    double *G = NULL, *out = NULL;
    NY_NEW_RAW(p->ctx, G, ny_size3(f->m, count, 1));
    NY_NEW_RAW(p->ctx, out, count);
    NY_TRY(ny_kernel_prepare(p->ctx, &f->Z, true, &z));
    NY_TRY(ny_kernel_prepare(p->ctx, &X, true, &x));
    ny_kernel_matrix(&p->kernel, &z, &x, false, G, f->m);
    ny_trsm(false, f->m, count, f->L, f->m, G, f->m);
    ny_gemv(true, f->m, count, 1.0, G, f->m, w, 0.0, out);
    for (int64_t i = 0; i < count; i++) {
        double e = p->y[first + i] - out[i] - b;
        *sum += e * e;
    }
done:
    ny_kernel_release(&z);
    ny_kernel_release(&x);
    ny_free(G);
    ny_free(out);
    return st;
}

/* All rows but those of fold k. */
static ny_status others(problem *p, int64_t k, ny_matrix *X, double *y) {
    ny_status st = NY_OK;
    int64_t *row = NULL, n = 0;
    NY_NEW_RAW(p->ctx, row, p->X.n);
    for (int64_t i = 0; i < p->X.n; i++)
        if (i < p->start[k] || i >= p->start[k + 1]) y[n] = p->y[i], row[n++] = i;
    NY_TRY(ny_matrix_gather(p->ctx, &p->X, row, n, X));
done:
    ny_free(row);
    return st;
}

static ny_status simple_fold(problem *p, int64_t k, double *sum) {
    ny_status st = NY_OK;
    ny_matrix X = {0};
    ny_factor f = {0};
    ny_moments moments = {0};
    double *y = NULL, *w = NULL, b;
    NY_NEW_RAW(p->ctx, y, p->X.n);
    NY_TRY(others(p, k, &X, y));
    NY_TRY(ny_factor_make(p->ctx, &p->kernel, &X, &p->factor, &f));
    ny_problem R = {
        .r = f.r, .n = f.n, .q = 1, .G = f.G, .ldg = f.ldg, .u = p->one, .Y = y, .bias = true, .fold_start = NULL};
    NY_NEW_RAW(p->ctx, w, f.r);
    NY_TRY(ny_moments_new(p->ctx, f.r, 1, &moments));
    ny_moments_of(&R, 0, f.n, &moments);
    ny_moments_centre(&moments, true);
    NY_TRY(ny_moments_solve(p->ctx, &moments, true, &p->C, w, &b));
    NY_TRY(held_out(p, &f, k, w, b, sum));
done:
    ny_moments_free(&moments);
    ny_factor_clear(&f);
    ny_matrix_clear(&X);
    ny_free(y);
    ny_free(w);
    return st;
}

static ny_status simple(problem *p, double *mse) {
    ny_status st = NY_OK;
    double sum = 0;
    for (int64_t k = 0; k < p->folds; k++) NY_TRY(simple_fold(p, k, &sum));
    *mse = sum / (double)p->X.n;
done:
    return st;
}

static int by_size(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

static double median(int count, double *v) {
    qsort(v, (size_t)count, sizeof *v, by_size);
    return (v[(count - 1) / 2] + v[count / 2]) / 2;
}

static ny_status measure(ny_ctx *ctx, const ny_data *data, int64_t m, int64_t folds, int repeats) {
    ny_status st = NY_OK;
    problem p;
    double slow[REPEATS_MAX], quick[REPEATS_MAX], a = 0, b = 0;
    int64_t rank = 0;
    int done_so_far = 0;
    NY_TRY(make(ctx, data, m, folds, &p));
    p.factor.given = &p.landmarks;
    NY_TRY(fast(&p, &a, &rank)); /* warms up */
    for (double spent = 0; done_so_far < repeats && (spent < LONG || done_so_far == 0); done_so_far++) {
        double start = ny_now();
        NY_TRY(simple(&p, &b));
        slow[done_so_far] = ny_now() - start;
        start = ny_now();
        NY_TRY(fast(&p, &a, &rank));
        quick[done_so_far] = ny_now() - start;
        spent += slow[done_so_far];
    }
    double difference = fabs(a - b) / b;
    printf("%lld,%lld,%lld,%.5f,%.5f,%.10g,%.1e\n", (long long)m, (long long)folds, (long long)rank,
           median(done_so_far, slow), median(done_so_far, quick), a, difference);
    fflush(stdout);
    NY_CHECK(ctx, difference <= TOLERANCE, NY_ERR_NUMERIC, "m = %lld, %lld folds: mean squared errors %.12g and %.12g",
             (long long)m, (long long)folds, a, b);
done:
    clear(&p);
    return st;
}

int main(int argc, char **argv) {
    if (argc < 3) {
        fprintf(stderr, "usage: fastcv FILE M,M,... [FOLDS,FOLDS,... [REPEATS]]\n");
        return 2;
    }
    const char *all_folds = argc > 3 ? argv[3] : "5,10,20,30,40,50";
    int repeats = argc > 4 ? atoi(argv[4]) : 5;
    if (repeats < 1 || repeats > REPEATS_MAX) repeats = 5;
    ny_ctx *ctx = ny_ctx_new();
    ny_options *options = ny_options_new(ctx);
    ny_data *data = NULL;
    ny_threads_set(0);
    ny_blas_prepare();
    ny_status st = ny_data_open(ctx, argv[1], options, NULL, &data);
    printf("m,folds,rank,simple_s,fast_s,mse,difference\n");
    for (char *m = argv[2]; st == NY_OK && *m; m += *m == ',') {
        int64_t landmarks = strtol(m, &m, 10);
        for (char *f = (char *)all_folds; st == NY_OK && *f; f += *f == ',')
            st = measure(ctx, data, landmarks, strtol(f, &f, 10), repeats);
    }
    if (st != NY_OK) fprintf(stderr, "fastcv: %s\n", ny_message(ctx));
    ny_data_free(data);
    ny_options_free(options);
    ny_ctx_free(ctx);
    return st != NY_OK;
}

/* fbif_time.c: what a selection over the grid of Liu, Lin, Ding, Wang and Liao, Fast cross-validation, 2018, table 2,
 * takes in processor time, for kernel ridge regression: cross-validation as the paper has it, as this library has it,
 * and their first order.
 *
 *     fbif_time TRAIN TEST FOLDS [REPEATS [SIGMAS [LAMBDAS]]]
 *
 * prints way,seconds,log2_bandwidth,log2_C,value,test_mse for
 *     retrain    the paper's t-CV: a Cholesky factor of the whole kernel matrix without each fold, for each lambda
 *     cv         --criterion cv --landmarks all: the same held-out outputs in closed form
 *     fbif       --criterion fbif: (11), f and K exact, low rank in the inverse
 *     cv_low     --criterion cv with c = 0.1 n landmarks
 *     bif        --criterion bif with these landmarks: low rank throughout
 *     low        what the last two have in common: kernel values, factor, Gram matrix
 * The ways run by turns, one thread, process time, medians; reading, scaling and the test are not counted. Each makes
 * its kernel matrix once for a sigma. SIGMAS, LAMBDAS: so many of the grid's 31 and 16, evenly; where fewer, seconds
 * are of those. value: the mean squared held-out error at the point chosen; those of retrain and cv must agree to 1e-6.
 * test_mse: of the exact machine there. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/threads.h"
#include "criterion/profile.h"
#include "factor/factor.h"
#include "linalg/linalg.h"
#include "read/folds.h"
#include "scale/scale.h"
#include "table/data.h"

enum { REPEATS_MAX = 99, GRID = 31, VALUES = 16 };
enum { RETRAIN, CV, FBIF, CV_LOW, BIF, LOW, WAYS };
static const char *const NAME[WAYS] = {"retrain", "cv", "fbif", "cv_low", "bif", "low"};
static const double RANK_TOL = 1e-10, AGREE = 1e-6;

typedef struct {
    ny_ctx *ctx;
    ny_matrix X, test; /* training rows sorted by fold */
    double *y, *target, *one;
    int64_t folds, *start; /* folds + 1 */
    int sigmas, lambdas;
} problem;

typedef struct { /* what a way has chosen */
    double log2_sigma, log2_C, value;
} choice;

static double spread(int k, int count, double first, double last) {
    return count == 1 ? (first + last) / 2 : first + (last - first) * k / (count - 1);
}

static double log2_sigma_of(const problem *p, int k) {
    return round(2 * spread(k, p->sigmas, -7.5, 7.5)) / 2;
}

static double log2_C_of(const problem *p, int k) {
    return 2 * round((spread(k, p->lambdas, -15, 15) - 1) / 2) + 1;
}

static ny_kernel_params kernel_of(double log2_sigma) {
    return (ny_kernel_params){.kernel = &ny_kernel_rbf, .bandwidth = exp2(log2_sigma)};
}

static void consider(choice *best, double log2_sigma, double log2_C, double value) {
    if (!(value >= best->value)) *best = (choice){log2_sigma, log2_C, value};
}

/* The rows but those of fold f: the lower triangle of K + I/C among them, then the outputs of the fold. */
static bool retrain_fold(const problem *p, const double *K, int64_t f, double C, double *A, double *alpha,
                         double *sum) {
    int64_t n = p->X.n, first = p->start[f], count = p->start[f + 1] - first, m = n - count;
    for (int64_t j = 0; j < m; j++) {
        const double *column = K + (j < first ? j : j + count) * n;
        if (j < first) memcpy(A + j + j * m, column + j, (size_t)(first - j) * sizeof *A);
        int64_t from = j < first ? first : j;
        memcpy(A + from + j * m, column + from + count, (size_t)(m - from) * sizeof *A);
        A[j + j * m] += 1 / C;
        alpha[j] = p->y[j < first ? j : j + count];
    }
    if (!ny_chol(m, A, m)) return false;
    ny_chol_solve(m, 1, A, m, alpha, m);
    for (int64_t i = first; i < first + count; i++) {
        const double *k = K + i * n;
        double e = p->y[i] - ny_dot(first, k, alpha) - ny_dot(m - first, k + first + count, alpha + first);
        *sum += e * e;
    }
    return true;
}

static ny_status kernel_matrix(const problem *p, double log2_sigma, const ny_matrix *rows, double *K) {
    ny_status st = NY_OK;
    ny_kernel_side x = {0}, z = {0};
    ny_kernel_params kernel = kernel_of(log2_sigma);
    NY_TRY(ny_kernel_prepare(p->ctx, &p->X, true, &x));
    NY_TRY(ny_kernel_prepare(p->ctx, rows, true, &z));
    ny_kernel_matrix(&kernel, &x, &z, false, K, p->X.n);
done:
    ny_kernel_release(&x);
    ny_kernel_release(&z);
    return st;
}

static ny_status retrain(problem *p, choice *best) {
    ny_status st = NY_OK;
    int64_t n = p->X.n;
    double *K = NULL, *A = NULL, *alpha = NULL;
    NY_NEW_RAW(p->ctx, K, ny_size3(n, n, 1));
    NY_NEW_RAW(p->ctx, A, ny_size3(n, n, 1));
    NY_NEW_RAW(p->ctx, alpha, n);
    for (int k = 0; k < p->sigmas; k++) {
        NY_TRY(kernel_matrix(p, log2_sigma_of(p, k), &p->X, K));
        for (int c = 0; c < p->lambdas; c++) {
            double sum = 0;
            bool all = true;
            for (int64_t f = 0; f < p->folds; f++) all &= retrain_fold(p, K, f, exp2(log2_C_of(p, c)), A, alpha, &sum);
            if (all) consider(best, log2_sigma_of(p, k), log2_C_of(p, c), sum / (double)n);
        }
    }
done:
    ny_free(K);
    ny_free(A);
    ny_free(alpha);
    return st;
}

/* One sigma by a criterion of the library; NULL: the factor and its Gram matrix alone. */
static ny_status judge(problem *p, double log2_sigma, const ny_criterion *criterion, int64_t landmarks, choice *best) {
    ny_status st = NY_OK;
    ny_factor f = {0};
    ny_profile profile = {0};
    ny_moments moments = {0};
    ny_kernel_params kernel = kernel_of(log2_sigma);
    ny_factor_spec spec = {.method = &ny_landmark_uniform, .landmarks = landmarks, .tol = RANK_TOL, .seed = 1};
    NY_TRY(ny_factor_make(p->ctx, &kernel, &p->X, &spec, &f));
    ny_problem R = {.r = f.r,
                    .n = f.n,
                    .q = 1,
                    .G = f.G,
                    .ldg = f.ldg,
                    .u = p->one,
                    .Y = p->y,
                    .rho = INFINITY,
                    .folds = p->folds,
                    .fold_start = p->start};
    if (!criterion) {
        NY_TRY(ny_moments_new(p->ctx, f.r, 1, &moments));
        ny_moments_of(&R, 0, f.n, &moments);
        goto done;
    }
    if (ny_criterion_true_kernel(criterion)) R.kernel = &kernel, R.X = &p->X;
    ny_profile_spec wanted = {.criterion = criterion,
                              .kind = NY_CLOSED_FORM,
                              .C = {.lo = log2_C_of(p, 0), .hi = log2_C_of(p, p->lambdas - 1)}};
    wanted.C.step = p->lambdas > 1 ? (wanted.C.hi - wanted.C.lo) / (p->lambdas - 1) : 0;
    if (p->lambdas == 1) wanted.C.single = exp2(wanted.C.lo);
    NY_TRY(ny_profile_make(p->ctx, &R, &wanted, &profile));
    consider(best, log2_sigma, log2(profile.C[0]), profile.loss[0]);
done:
    ny_moments_free(&moments);
    ny_profile_clear(&profile);
    ny_factor_clear(&f);
    return st;
}

static ny_status select_by(problem *p, int way, choice *best) {
    static const ny_criterion *const criterion[WAYS] = {
        [CV] = &ny_criterion_cv, [FBIF] = &ny_criterion_fbif, [CV_LOW] = &ny_criterion_cv, [BIF] = &ny_criterion_bif};
    ny_status st = NY_OK;
    int64_t n = p->X.n, columns = n >= 20 ? (int64_t)round(0.1 * (double)n) : 2;
    *best = (choice){0, 0, INFINITY};
    if (way == RETRAIN) return retrain(p, best);
    for (int k = 0; k < p->sigmas; k++)
        NY_TRY(judge(p, log2_sigma_of(p, k), criterion[way], way == CV ? n : columns, best));
done:
    return st;
}

/* The mean squared error of the exact machine of all rows on the test rows. */
static ny_status test_error(problem *p, const choice *at, double *mse) {
    ny_status st = NY_OK;
    int64_t n = p->X.n, count = p->test.n;
    double *K = NULL, *KT = NULL, *alpha = NULL;
    NY_NEW_RAW(p->ctx, K, ny_size3(n, n, 1));
    NY_NEW_RAW(p->ctx, KT, ny_size3(n, count, 1));
    NY_NEW_RAW(p->ctx, alpha, n);
    NY_TRY(kernel_matrix(p, at->log2_sigma, &p->X, K));
    NY_TRY(kernel_matrix(p, at->log2_sigma, &p->test, KT));
    for (int64_t i = 0; i < n; i++) K[i + i * n] += exp2(-at->log2_C), alpha[i] = p->y[i];
    NY_CHECK(p->ctx, ny_chol(n, K, n), NY_ERR_NUMERIC, "the kernel matrix is not positive definite");
    ny_chol_solve(n, 1, K, n, alpha, n);
    *mse = 0;
    for (int64_t i = 0; i < count; i++) {
        double e = p->target[i] - ny_dot(n, KT + i * n, alpha);
        *mse += e * e / (double)count;
    }
done:
    ny_free(K);
    ny_free(KT);
    ny_free(alpha);
    return st;
}

static double process_seconds(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int by_size(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

static ny_status measure(problem *p, int repeats) {
    ny_status st = NY_OK;
    static double seconds[WAYS][REPEATS_MAX];
    choice best[WAYS];
    for (int k = 0; k < repeats; k++)
        for (int way = 0; way < WAYS; way++) {
            double start = process_seconds();
            NY_TRY(select_by(p, way, &best[way]));
            seconds[way][k] = process_seconds() - start;
        }
    printf("way,seconds,log2_bandwidth,log2_C,value,test_mse\n");
    for (int way = 0; way < WAYS; way++) {
        double mse = NAN;
        if (way != LOW) NY_TRY(test_error(p, &best[way], &mse));
        qsort(seconds[way], (size_t)repeats, sizeof **seconds, by_size);
        printf("%s,%.6f,%g,%g,%.10g,%.10g\n", NAME[way], seconds[way][repeats / 2], best[way].log2_sigma,
               best[way].log2_C, best[way].value, mse);
    }
    NY_CHECK(p->ctx, fabs(best[CV].value / best[RETRAIN].value - 1) < AGREE, NY_ERR_NUMERIC,
             "cv has %.12g, retraining %.12g", best[CV].value, best[RETRAIN].value);
done:
    return st;
}

/* Inputs in [-1, 1] by the training rows, which are sorted by fold. */
static ny_status make(ny_ctx *ctx, const ny_data *train, const ny_data *test, problem *p) {
    ny_status st = NY_OK;
    int64_t n = train->X.n, d = train->X.d, *row = NULL, *next = NULL;
    int32_t *fold = NULL;
    double *shift = NULL, *factor = NULL;
    int64_t most = n > test->X.n ? n : test->X.n;
    NY_NEW(ctx, row, most);
    NY_NEW(ctx, fold, n);
    NY_NEW(ctx, shift, d);
    NY_NEW(ctx, factor, d);
    NY_NEW(ctx, p->y, n);
    NY_NEW(ctx, p->one, n);
    NY_NEW(ctx, p->target, test->X.n);
    NY_NEW(ctx, p->start, p->folds + 1);
    NY_NEW(ctx, next, p->folds);
    for (int64_t i = 0; i < most; i++) row[i] = i;
    NY_TRY(ny_matrix_gather(ctx, &test->X, row, test->X.n, &p->test));
    memcpy(p->target, test->y, (size_t)test->X.n * sizeof *p->target);
    NY_TRY(ny_folds_make(ctx, n, NULL, 0, p->folds, 1, fold));
    for (int64_t i = 0; i < n; i++) p->start[fold[i] + 1]++;
    for (int64_t f = 0; f < p->folds; f++) p->start[f + 1] += p->start[f], next[f] = p->start[f];
    for (int64_t i = 0; i < n; i++) row[next[fold[i]]++] = i;
    for (int64_t i = 0; i < n; i++) p->y[i] = train->y[row[i]], p->one[i] = 1;
    NY_TRY(ny_matrix_gather(ctx, &train->X, row, n, &p->X));
    for (int64_t i = 0; i < n; i++) row[i] = i;
    NY_TRY(ny_scale_fit(ctx, &ny_scale_range, &p->X, row, n, &(ny_scaling){.shift = shift, .factor = factor}));
    ny_scale_apply(shift, factor, &p->X);
    ny_scale_apply(shift, factor, &p->test);
done:
    ny_free(row);
    ny_free(next);
    ny_free(fold);
    ny_free(shift);
    ny_free(factor);
    return st;
}

static int number(int argc, char **argv, int at, int most) {
    int value = argc > at ? atoi(argv[at]) : most;
    return value < 1 || value > most ? most : value;
}

int main(int argc, char **argv) {
    if (argc < 4 || atoi(argv[3]) < 2) {
        fprintf(stderr, "usage: fbif_time TRAIN TEST FOLDS [REPEATS [SIGMAS [LAMBDAS]]]\n");
        return 2;
    }
    ny_ctx *ctx = ny_ctx_new();
    ny_options *options = ny_options_new(ctx);
    ny_data *train = NULL, *test = NULL;
    problem p = {.ctx = ctx, .folds = atoi(argv[3])};
    int repeats = argc > 4 ? number(argc, argv, 4, REPEATS_MAX) : 3;
    p.sigmas = number(argc, argv, 5, GRID);
    p.lambdas = number(argc, argv, 6, VALUES);
    ny_threads_set(1);
    ny_blas_prepare();
    ny_status st = ny_data_open(ctx, argv[1], options, NULL, &train);
    if (st == NY_OK) st = ny_data_open(ctx, argv[2], options, NULL, &test);
    if (st == NY_OK) st = make(ctx, train, test, &p);
    if (st == NY_OK) st = measure(&p, repeats);
    if (st != NY_OK) fprintf(stderr, "fbif_time: %s\n", ny_message(ctx));
    ny_matrix_clear(&p.X);
    ny_matrix_clear(&p.test);
    ny_free(p.y);
    ny_free(p.target);
    ny_free(p.one);
    ny_free(p.start);
    ny_data_free(train);
    ny_data_free(test);
    ny_options_free(options);
    ny_ctx_free(ctx);
    return st != NY_OK;
}

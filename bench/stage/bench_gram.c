/* bench_gram.c: the moments S, p, s, R, t of a ridge problem against the bare product S = G G' of the same shape.
 *
 *     bench_gram [REPEATS [n [m]]]          prints name,metric,value,unit
 *
 * Both sides run in turn in the same process and the best of each counts, so that other load on the machine hits both.
 * share is time of dsyrk / time of the moments: 1 means that everything beside the product is free. */
#include <cblas.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/ctx.h"
#include "base/rng.h"
#include "base/threads.h"
#include "solver/ridge.h"

enum { FOLDS = 5, OUTPUTS = 10 };

typedef struct {
    ny_ctx *ctx;
    ny_problem P;
    double *u, *Y, *S;
    int64_t fold_start[FOLDS + 1];
    ny_moments all, fold[FOLDS];
} problem;

static ny_status make(ny_ctx *ctx, int64_t n, int64_t m, int64_t q, problem *p) {
    ny_status st = NY_OK;
    *p = (problem){.ctx = ctx};
    NY_NEW_RAW(ctx, p->P.G, ny_size3(n, m, 1));
    NY_NEW_RAW(ctx, p->u, n);
    NY_NEW_RAW(ctx, p->Y, ny_size3(n, q, 1));
    NY_NEW(ctx, p->S, ny_size3(m, m, 1));
    ny_rng rng = ny_rng_make(1, NY_RNG_TEST, 0);
    for (int64_t i = 0; i < n * m; i++) p->P.G[i] = 2 * ny_rng_uniform(&rng) - 1;
    for (int64_t i = 0; i < n; i++) p->u[i] = 0.5 + ny_rng_uniform(&rng);
    for (int64_t i = 0; i < n * q; i++) p->Y[i] = p->u[i % n] * (ny_rng_uniform(&rng) < 0.5 ? -1 : 1);
    for (int64_t f = 0; f <= FOLDS; f++) p->fold_start[f] = f * n / FOLDS;
    p->P = (ny_problem){.r = m,
                        .n = n,
                        .q = q,
                        .G = p->P.G,
                        .ldg = m,
                        .u = p->u,
                        .Y = p->Y,
                        .bias = true,
                        .folds = FOLDS,
                        .fold_start = p->fold_start};
    NY_TRY(ny_moments_new(ctx, m, q, &p->all));
    for (int64_t f = 0; f < FOLDS; f++) NY_TRY(ny_moments_new(ctx, m, q, &p->fold[f]));
done:
    return st;
}

static void clear(problem *p) {
    ny_free(p->P.G);
    ny_free(p->u);
    ny_free(p->Y);
    ny_free(p->S);
    ny_moments_free(&p->all);
    for (int64_t f = 0; f < FOLDS; f++) ny_moments_free(&p->fold[f]);
}

/* Moments are added to what is there. */
static void zero(const problem *p) {
    size_t bytes = (size_t)(p->P.r * p->P.r) * sizeof *p->S;
    memset(p->all.S, 0, bytes);
    for (int64_t f = 0; f < FOLDS; f++) memset(p->fold[f].S, 0, bytes);
}

static double time_syrk(problem *p) {
    double start = ny_now();
    int m = (int)p->P.r, n = (int)p->P.n;
    cblas_dsyrk(CblasColMajor, CblasLower, CblasNoTrans, m, n, 1.0, p->P.G, m, 0.0, p->S, m);
    return ny_now() - start;
}

static double time_moments(problem *p) {
    double start = ny_now();
    ny_moments_of(&p->P, 0, p->P.n, &p->all);
    return ny_now() - start;
}

/* As cross-validation makes them: each fold's own, and their sum. */
static double time_folds(problem *p) {
    double start = ny_now();
    for (int64_t f = 0; f < FOLDS; f++) {
        ny_moments_of(&p->P, p->fold_start[f], p->fold_start[f + 1] - p->fold_start[f], &p->fold[f]);
        if (f > 0) ny_moments_add(&p->fold[0], &p->fold[f]);
    }
    return ny_now() - start;
}

/* Largest difference of the sums, so that a fast wrong answer is seen. */
static double difference(const problem *p) {
    double worst = 0;
    int64_t m = p->P.r;
    for (int64_t j = 0; j < m; j++)
        for (int64_t i = j; i < m; i++) {
            worst = fmax(worst, fabs(p->all.S[i + j * m] - p->S[i + j * m]));
            worst = fmax(worst, fabs(p->fold[0].S[i + j * m] - p->S[i + j * m]));
        }
    return worst;
}

static ny_status measure(ny_ctx *ctx, int repeats, int64_t n, int64_t m, int64_t q) {
    ny_status st;
    problem p;
    double syrk = INFINITY, moments = INFINITY, folds = INFINITY;
    NY_TRY(make(ctx, n, m, q, &p));
    for (int k = 0; k <= repeats; k++) { /* the first round only warms up */
        zero(&p);
        double a = time_syrk(&p), b = time_moments(&p), c = time_folds(&p);
        if (k == 0) continue;
        syrk = fmin(syrk, a);
        moments = fmin(moments, b);
        folds = fmin(folds, c);
    }
    char name[64];
    snprintf(name, sizeof name, "gram_n%lld_m%lld_q%lld", (long long)n, (long long)m, (long long)q);
    double flops = (double)n * (double)m * (double)(m + 1);
    printf("%s,dsyrk,%.4f,s\n%s,dsyrk_rate,%.1f,Gflop/s\n", name, syrk, name, flops / syrk / 1e9);
    printf("%s,moments,%.4f,s\n%s,moments_share,%.3f,of dsyrk speed\n", name, moments, name, syrk / moments);
    printf("%s,fold_moments,%.4f,s\n%s,fold_moments_share,%.3f,of dsyrk speed\n", name, folds, name, syrk / folds);
    printf("%s,difference,%.1e,largest\n", name, difference(&p));
done:
    clear(&p);
    return st;
}

int main(int argc, char **argv) {
    int repeats = argc > 1 ? atoi(argv[1]) : 7;
    int64_t n = argc > 2 ? atol(argv[2]) : 20000, m = argc > 3 ? atol(argv[3]) : 1000;
    ny_ctx *ctx = ny_ctx_new();
    ny_threads_set(0);
    printf("name,metric,value,unit\n");
    ny_status st = measure(ctx, repeats, n, m, 1);
    if (st == NY_OK) st = measure(ctx, repeats, n, m, OUTPUTS);
    if (st != NY_OK) fprintf(stderr, "bench_gram: %s\n", ny_message(ctx));
    ny_ctx_free(ctx);
    return st != NY_OK;
}

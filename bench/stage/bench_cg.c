/* bench_cg.c: one iteration of the conjugate gradients of --solver cg against the bare product with the kernel matrix:
 * same tiles, same block of right sides, nothing else.
 *
 *     bench_cg [REPEATS [n [ITERATIONS]]]        prints name,metric,value,unit
 *
 * Both run in turn in the same process and the best single product and the best single iteration count; iterations are
 * seen through the progress callback. ratio_cpu is the same of processor time, which other load disturbs less (with
 * OMP_WAIT_POLICY=passive). */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "base/rng.h"
#include "base/threads.h"
#include "kernel/product.h"
#include "linalg/linalg.h"
#include "solver/cg.h"
#include "solver/precondition.h"

typedef struct {
    int64_t n, d, columns;
    ny_matrix X;
    double *u, *C, *B, *out, *left;
} problem;

static ny_status make(ny_ctx *ctx, int64_t n, int64_t d, int64_t columns, problem *p) {
    ny_status st;
    *p = (problem){.n = n, .d = d, .columns = columns};
    NY_TRY(ny_matrix_dense(ctx, d, n, &p->X));
    NY_NEW_RAW(ctx, p->u, n);
    NY_NEW_RAW(ctx, p->C, columns);
    NY_NEW_RAW(ctx, p->left, columns);
    NY_NEW_RAW(ctx, p->B, ny_size3(n, columns, 1));
    NY_NEW_RAW(ctx, p->out, ny_size3(n, columns, 1));
    ny_rng rng = ny_rng_make(1, NY_RNG_TEST, (uint32_t)d);
    for (int64_t i = 0; i < d * n; i++) p->X.x[i] = ny_rng_normal(&rng);
    for (int64_t i = 0; i < n * columns; i++) p->B[i] = ny_rng_normal(&rng);
    for (int64_t i = 0; i < n; i++) p->u[i] = 1;
    for (int64_t c = 0; c < columns; c++) p->C[c] = 1e6;
done:
    return st;
}

static void clear(problem *p) {
    ny_matrix_clear(&p->X);
    ny_free(p->u);
    ny_free(p->C);
    ny_free(p->left);
    ny_free(p->B);
    ny_free(p->out);
}

enum { WALL, CPU, CLOCKS };

static void start(double *t) {
    t[WALL] = ny_now();
    t[CPU] = (double)clock() / CLOCKS_PER_SEC;
}

/* Seconds since `from`, if they are fewer than before; from becomes now. */
static void best(double *from, double *least) {
    double now[CLOCKS];
    start(now);
    for (int c = 0; c < CLOCKS; c++) {
        least[c] = fmin(least[c], now[c] - from[c]);
        from[c] = now[c];
    }
}

typedef struct {
    ny_ctx *ctx;
    int64_t calls;
    double from[CLOCKS], least[CLOCKS];
} watch;

/* The first call comes before the preconditioner, the second after the first iteration. */
static void look(void *user, const char *stage, double done, double total, double seconds_left) {
    (void)stage, (void)done, (void)total, (void)seconds_left;
    watch *w = user;
    w->ctx->progress_last = 0; /* every call */
    if (w->calls++ < 2) start(w->from);
    else best(w->from, w->least);
}

static ny_status solve(ny_ctx *ctx, const problem *p, const ny_kernel_params *kernel, int64_t iterations,
                       ny_cg_report *report) {
    ny_preconditioner P = {0};
    ny_kernel_product K = {0};
    ny_status st = NY_OK;
    ny_precondition_spec low_rank = {kernel, &p->X, p->u, false, ny_precondition_rank(p->n), p->columns, 1};
    NY_TRY(ny_precondition_make(ctx, &low_rank, &P));
    NY_TRY(ny_precondition_for(ctx, &P, p->columns, p->C));
    NY_TRY(ny_kernel_product_make(ctx, kernel, &p->X, p->columns, NY_KEEP_NOTHING, &K));
    ny_cg system = {.K = &K,
                    .u = p->u,
                    .columns = p->columns,
                    .B = p->B,
                    .C = p->C,
                    .P = &P,
                    .tol = 1e-14,
                    .share = INFINITY,
                    .iterations = iterations};
    NY_TRY(ny_cg_solve(ctx, &system, p->out, p->left, report));
done:
    ny_precondition_clear(&P);
    ny_kernel_product_clear(&K);
    return st;
}

static ny_status measure(ny_ctx *ctx, int repeats, int64_t n, int64_t d, int64_t columns, int64_t iterations) {
    ny_status st;
    problem p;
    ny_kernel_product K = {0};
    ny_cg_report report;
    double bare[CLOCKS] = {INFINITY, INFINITY}, from[CLOCKS];
    watch w = {.ctx = ctx, .least = {INFINITY, INFINITY}};
    ny_kernel_params kernel = {.kernel = ny_kernel_find("rbf"), .bandwidth = sqrt((double)d) / 4};
    NY_TRY(make(ctx, n, d, columns, &p));
    NY_TRY(ny_kernel_product_make(ctx, &kernel, &p.X, columns, NY_KEEP_NOTHING, &K));
    for (int r = 0; r < repeats; r++) {
        start(from);
        for (int64_t k = 0; k < iterations; k++) {
            ny_kernel_product_run(&K, columns, p.B, p.out);
            best(from, bare);
        }
        w.calls = 0;
        ny_on_progress(ctx, look, &w);
        NY_TRY(solve(ctx, &p, &kernel, 1 + iterations, &report));
        ny_on_progress(ctx, NULL, NULL);
    }
    char shape[64];
    snprintf(shape, sizeof shape, "n%lld_d%lld_k%lld", (long long)n, (long long)d, (long long)columns);
    printf("cg_%s,rank,%lld,\n", shape, (long long)ny_precondition_rank(n));
    printf("cg_%s,product,%.4f,s\n", shape, bare[WALL]);
    printf("cg_%s,per_pair,%.2f,ns\n", shape, bare[WALL] / ((double)n * (double)n / 2) * 1e9);
    printf("cg_%s,step,%.4f,s\n", shape, w.least[WALL]);
    printf("cg_%s,ratio,%.3f,of bare time\n", shape, w.least[WALL] / bare[WALL]);
    printf("cg_%s,ratio_cpu,%.3f,of bare time\n", shape, w.least[CPU] / bare[CPU]);
done:
    ny_kernel_product_clear(&K);
    clear(&p);
    return st;
}

int main(int argc, char **argv) {
    int repeats = argc > 1 ? atoi(argv[1]) : 5;
    int64_t n = argc > 2 ? atol(argv[2]) : 10000, iterations = argc > 3 ? atol(argv[3]) : 10;
    static const int64_t inputs[] = {2, 14, 104}, columns[] = {1, 2, 20};
    ny_ctx *ctx = ny_ctx_new();
    ny_status st = NY_OK;
    ny_threads_set(0);
    ny_blas_prepare();
    printf("name,metric,value,unit\n");
    for (int k = 0; k < 9 && st == NY_OK; k++) st = measure(ctx, repeats, n, inputs[k / 3], columns[k % 3], iterations);
    if (st != NY_OK) fprintf(stderr, "bench_cg: %s\n", ny_message(ctx));
    ny_ctx_free(ctx);
    return st != NY_OK;
}

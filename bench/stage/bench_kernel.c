/* bench_kernel.c: kernel matrices kappa(Z, X) by tiles against what they are made of: one GEMM for the whole matrix,
 * then one pass of exp over the same memory, once with our ny_vexp and once with libm's exp.
 *
 *     bench_kernel [REPEATS [n [m]]]        prints name,metric,value,unit
 *
 * All sides run in turn in the same process and the best of each counts. ratio_vexp is time of ny_kernel_matrix / time
 * of GEMM + ny_vexp (linear: GEMM alone): below 1 where staying in the cache pays for norms, square roots and so on. */
#include <cblas.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/ctx.h"
#include "base/rng.h"
#include "base/threads.h"
#include "kernel/kernel.h"
#include "kernel/vexp.h"

typedef struct {
    int64_t n, m, d;
    ny_matrix X, Z;
    ny_kernel_side x, z;
    double *K; /* m x n */
} problem;

NY_CLONES static void run_vexp(double *v, int64_t n) {
#pragma omp simd
    for (int64_t i = 0; i < n; i++) v[i] = ny_vexp(-0.5 * (v[i] > 0 ? v[i] : 0));
}

static void run_exp(double *v, int64_t n) {
    for (int64_t i = 0; i < n; i++) v[i] = exp(-0.5 * (v[i] > 0 ? v[i] : 0));
}

static ny_status make(ny_ctx *ctx, int64_t n, int64_t m, int64_t d, problem *p) {
    ny_status st;
    *p = (problem){.n = n, .m = m, .d = d};
    NY_TRY(ny_matrix_dense(ctx, d, n, &p->X));
    NY_TRY(ny_matrix_dense(ctx, d, m, &p->Z));
    NY_NEW(ctx, p->K, ny_size3(m, n, 1));
    ny_rng rng = ny_rng_make(1, NY_RNG_TEST, (uint32_t)d);
    for (int64_t i = 0; i < d * n; i++) p->X.x[i] = ny_rng_uniform(&rng);
    for (int64_t i = 0; i < d * m; i++) p->Z.x[i] = ny_rng_uniform(&rng);
    NY_TRY(ny_kernel_prepare(ctx, &p->X, false, &p->x));
    NY_TRY(ny_kernel_prepare(ctx, &p->Z, true, &p->z));
done:
    return st;
}

static void clear(problem *p) {
    ny_kernel_release(&p->x);
    ny_kernel_release(&p->z);
    ny_matrix_clear(&p->X);
    ny_matrix_clear(&p->Z);
    ny_free(p->K);
}

static double time_matrix(problem *p, const ny_kernel *kernel) {
    ny_kernel_params params = {.kernel = kernel, .bandwidth = sqrt((double)p->d / 6), .coef0 = 1, .degree = 3};
    double start = ny_now();
    ny_kernel_matrix(&params, &p->z, &p->x, false, p->K, p->m);
    return ny_now() - start;
}

/* pass: over each column of K, or NULL for the GEMM alone. */
static double time_bare(problem *p, void (*pass)(double *, int64_t)) {
    int m = (int)p->m, n = (int)p->n, d = (int)p->d;
    double start = ny_now();
    cblas_dgemm(CblasColMajor, CblasTrans, CblasNoTrans, m, n, d, 1.0, p->Z.x, d, p->X.x, d, 0.0, p->K, m);
    if (pass) {
#pragma omp parallel for schedule(static)
        for (int64_t i = 0; i < p->n; i++) pass(p->K + i * p->m, p->m);
    }
    return ny_now() - start;
}

static ny_status measure(ny_ctx *ctx, int repeats, int64_t n, int64_t m, int64_t d) {
    static const char *const names[] = {"rbf", "matern32", "laplace", "linear"};
    enum { KERNELS = sizeof names / sizeof *names };
    ny_status st;
    problem p;
    double ours[KERNELS], gemm = INFINITY, with_vexp = INFINITY, with_exp = INFINITY;
    for (int k = 0; k < KERNELS; k++) ours[k] = INFINITY;
    NY_TRY(make(ctx, n, m, d, &p));
    for (int r = 0; r <= repeats; r++) { /* the first round only warms up */
        double a = time_bare(&p, NULL), b = time_bare(&p, run_vexp), c = time_bare(&p, run_exp);
        for (int k = 0; k < KERNELS; k++) {
            double t = time_matrix(&p, ny_kernel_find(names[k]));
            if (r > 0) ours[k] = fmin(ours[k], t);
        }
        if (r == 0) continue;
        gemm = fmin(gemm, a);
        with_vexp = fmin(with_vexp, b);
        with_exp = fmin(with_exp, c);
    }
    char shape[64];
    snprintf(shape, sizeof shape, "n%lld_m%lld_d%lld", (long long)n, (long long)m, (long long)d);
    printf("bare_%s,gemm,%.4f,s\nbare_%s,gemm_vexp,%.4f,s\nbare_%s,gemm_libm_exp,%.4f,s\n", shape, gemm, shape,
           with_vexp, shape, with_exp);
    for (int k = 0; k < KERNELS; k++) {
        bool linear = ny_kernel_find(names[k])->base == NY_BASE_DOT;
        printf("%s_%s,matrix,%.4f,s\n", names[k], shape, ours[k]);
        printf("%s_%s,per_value,%.2f,ns\n", names[k], shape, ours[k] / (double)(n * m) * 1e9);
        if (linear) {
            printf("%s_%s,ratio_gemm,%.3f,of bare time\n", names[k], shape, ours[k] / gemm);
        } else {
            printf("%s_%s,ratio_vexp,%.3f,of bare time\n", names[k], shape, ours[k] / with_vexp);
            printf("%s_%s,ratio_libm,%.3f,of bare time\n", names[k], shape, ours[k] / with_exp);
        }
    }
done:
    clear(&p);
    return st;
}

int main(int argc, char **argv) {
    int repeats = argc > 1 ? atoi(argv[1]) : 9;
    int64_t n = argc > 2 ? atol(argv[2]) : 10000, m = argc > 3 ? atol(argv[3]) : 1000;
    static const int64_t inputs[] = {10, 57, 784};
    ny_ctx *ctx = ny_ctx_new();
    ny_status st = NY_OK;
    ny_threads_set(0);
    printf("name,metric,value,unit\n");
    for (size_t k = 0; k < sizeof inputs / sizeof *inputs && st == NY_OK; k++)
        st = measure(ctx, repeats, n, m, inputs[k]);
    if (st != NY_OK) fprintf(stderr, "bench_kernel: %s\n", ny_message(ctx));
    ny_ctx_free(ctx);
    return st != NY_OK;
}

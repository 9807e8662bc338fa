/* residual.c: see residual.h. */
#include "residual.h"

#include <math.h>
#include <string.h>

#include "linalg/largest.h"
#include "linalg/linalg.h"

static const double BUDGET = 1.5e12; /* flops of all products: about a minute */
enum {
    STORED = 2000, /* rows up to which E is stored and its norm exact */
    BLOCK = 10,
    STEPS = 12,
    LEAST_STEPS = 3, /* below that nothing could be said of the accuracy */
};

void ny_residual_clear(ny_residual *e) {
    ny_kernel_product_clear(&e->K);
    ny_factor_clear(&e->f);
    ny_free(e->V);
    ny_free(e->H);
    *e = (ny_residual){0};
}

/* tr E = sum_i v_i (kappa(x_i,x_i) - |g_i|^2), and G becomes G D. */
static ny_status weigh(ny_ctx *ctx, ny_residual *e) {
    ny_status st = NY_OK;
    double *diag = NULL;
    NY_NEW_RAW(ctx, diag, e->rows->n);
    ny_kernel_diagonal(&e->kernel, &e->K.X, diag);
    for (int64_t i = 0; i < e->rows->n; i++) {
        double *g = e->f.G + i * e->f.ldg, u = e->rows->u[i];
        e->trace += u * u * fmax(e->f.unseen[i], 0);
        e->kappa = fmax(e->kappa, diag[i]);
        for (int64_t k = 0; e->rows->weighted && k < e->f.r; k++) g[k] *= u;
    }
done:
    ny_free(diag);
    return st;
}

ny_status ny_residual_make(ny_selection *sel, const ny_solution *machine, int64_t most, ny_residual *e) {
    ny_status st = NY_OK;
    ny_ctx *ctx = sel->ctx;
    const ny_rows *rows = &sel->rows->all;
    *e = (ny_residual){.ctx = ctx, .rows = rows, .kernel = machine->f.kernel, .most = most > BLOCK ? most : BLOCK};
    ny_landmarks landmarks = ny_solution_landmarks(machine);
    ny_factor_spec spec = {.method = &ny_landmark_uniform, /* not asked: the landmarks are given */
                           .given = &landmarks,
                           .landmarks = landmarks.Z.n,
                           .rank = sel->plan.rank,
                           .tol = sel->setup->options->rank_tol,
                           .seed = sel->setup->seed,
                           .floor = sel->setup->options->rank_floor};
    NY_TRY(ny_factor_make(ctx, &e->kernel, &rows->X, &spec, &e->f));
    NY_TRY(ny_kernel_product_make(ctx, &e->kernel, &rows->X, e->most, NY_KEEP_NOTHING, &e->K));
    NY_TRY(weigh(ctx, e));
    NY_NEW_RAW(ctx, e->V, ny_size3(rows->n, e->most, 1));
    NY_NEW_RAW(ctx, e->H, ny_size3(e->f.r, e->most, 1));
done:
    if (st != NY_OK) ny_residual_clear(e);
    return st;
}

/* E V = D K D V - (GD)'(GD) V */
void ny_residual_product(void *residual, int64_t count, const double *V, double *out) {
    ny_residual *e = residual;
    int64_t n = e->rows->n, r = e->f.r, ldg = e->f.ldg;
    const double *u = e->rows->u;
    for (int64_t j = 0; j < count; j++)
        for (int64_t i = 0; i < n; i++) e->V[i + j * n] = u[i] * V[i + j * n];
    ny_kernel_product_run(&e->K, count, e->V, out);
    if (ny_should_stop(e->ctx)) return;
    for (int64_t j = 0; j < count; j++)
        for (int64_t i = 0; i < n; i++) out[i + j * n] *= u[i];
    ny_gemm(false, false, r, count, n, 1.0, e->f.G, ldg, V, n, 0.0, e->H, r);
    ny_gemm(true, false, n, count, r, -1.0, e->f.G, ldg, e->H, r, 1.0, out, n);
}

static int64_t steps_affordable(const ny_residual *e) {
    double flops = ny_kernel_product_flops(&e->rows->X, e->most) + 4 * (double)e->rows->n * (double)(e->f.r * e->most);
    double steps = floor(BUDGET / flops);
    return steps < LEAST_STEPS ? 0 : steps < STEPS ? (int64_t)steps : STEPS;
}

bool ny_residual_affordable(const ny_residual *e) {
    return steps_affordable(e) > 0;
}

/* E stored, n x n. */
static ny_status stored_norm(ny_residual *e, double *norm) {
    ny_status st = NY_OK;
    int64_t n = e->rows->n;
    const double *u = e->rows->u;
    double *E = NULL;
    NY_NEW_RAW(e->ctx, E, ny_size3(n, n, 1));
    ny_kernel_matrix(&e->kernel, &e->K.X, &e->K.X, false, E, n);
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = 0; i < n; i++) E[i + j * n] *= u[i] * u[j];
    ny_gemm(true, false, n, n, e->f.r, -1.0, e->f.G, e->f.ldg, e->f.G, e->f.ldg, 1.0, E, n);
    NY_TRY(ny_largest_stored(e->ctx, n, E, n, norm));
    *norm = fmax(*norm, 0);
done:
    ny_free(E);
    return st;
}

ny_status ny_residual_norm(ny_residual *e, uint64_t seed, ny_bound *b) {
    ny_status st = NY_OK;
    ny_largest largest = {NAN, 0, NAN};
    int64_t steps = steps_affordable(e);
    b->exact = e->rows->n <= STORED;
    if (b->exact) {
        NY_TRY(stored_norm(e, &largest.value));
        largest.captured = e->trace;
        largest.accuracy = 0;
    } else if (steps > 0) {
        NY_TRY(
            ny_largest_by_products(e->ctx, e->rows->n, ny_residual_product, e, BLOCK, steps, seed, "bound", &largest));
    }
    b->kernel_error = largest.value;
    b->accuracy = largest.accuracy;
    /* |E| <= |E on the space searched| + tr(E on the rest): E has no negative eigenvalues */
    b->kernel_error_upper = (isfinite(largest.value) ? largest.value : 0) + fmax(e->trace - largest.captured, 0);
done:
    return st;
}

/* v <- (GD)'(GD) v / |.| until its norm no longer grows. */
ny_status ny_residual_low_rank_norm(ny_residual *e, double *v, double *norm) {
    ny_status st = NY_OK;
    int64_t n = e->rows->n, r = e->f.r;
    double before = 0;
    *norm = 0;
    for (int64_t i = 0; i < n; i++) v[i] = 1 / sqrt((double)n);
    for (int step = 0; step < 100; step++) {
        ny_gemv(false, r, n, 1.0, e->f.G, e->f.ldg, v, 0.0, e->H);
        ny_gemv(true, r, n, 1.0, e->f.G, e->f.ldg, e->H, 0.0, v);
        *norm = sqrt(ny_dot(n, v, v));
        if (ny_should_stop(e->ctx)) NY_FAIL(e->ctx, NY_STOPPED, "stopped");
        if (!(*norm > 0)) break;
        for (int64_t i = 0; i < n; i++) v[i] /= *norm;
        if (*norm < before * (1 + 1e-9)) break;
        before = *norm;
    }
done:
    return st;
}

/* exact_try.c: see exact_try.h. The systems are those of solver/exact_system.h, by conjugate gradients. */
#include "exact_try.h"

#include <math.h>

#include "linalg/linalg.h"

/* sum_i v_i e_i^2 / (n - sum_i h_i) of the training errors, u_i e_i = alpha_i / C + r_i, 1 - h_i = Q_ii / C.   eq. 55
 */
static double noise_of(int64_t n, double C, const double *alpha, const double *r, const double *Q) {
    double squares = 0, left = 0;
    for (int64_t i = 0; i < n; i++) {
        double e = alpha[i] / C + r[i];
        squares += e * e;
        left += Q[i] / C;
    }
    return fmax(squares / left, 1e-300);
}

ny_status ny_exact_measure(ny_exact *x) {
    ny_status st = NY_OK;
    const ny_rows *rows = &x->sel->rows->all;
    const ny_system_best *best = &x->best;
    const double *u = rows->u;
    int64_t n = rows->n, q = x->sel->setup->outputs;
    double rho = x->sel->setup->rho;
    double *beta = NULL, *r = NULL, *f = NULL, total = ny_dot(n, u, u);
    ny_kernel_product K = {0};
    ny_targets t;
    x->report.residual = x->beside = 0;
    NY_NEW_RAW(x->sel->ctx, beta, ny_size3(n, q, 1));
    NY_NEW_RAW(x->sel->ctx, r, ny_size3(n, q, 1));
    NY_NEW_RAW(x->sel->ctx, f, n);
    NY_TRY(ny_kernel_product_make(x->sel->ctx, &x->kernel, &rows->X, q, NY_KEEP_NOTHING, &K));
    for (int64_t i = 0; i < n * q; i++) beta[i] = u[i % n] * best->alpha[i];
    ny_kernel_product_run(&K, q, beta, r);
    if (ny_should_stop(x->sel->ctx)) NY_FAIL(x->sel->ctx, NY_STOPPED, "stopped");
    for (int64_t j = 0; j < q; j++) {
        ny_targets_of(x->sel->setup, rows, j, &t);
        const double *alpha = best->alpha + j * n;
        double *rest = r + j * n, C = best->C[j];
        for (int64_t i = 0; i < n; i++) {
            double y = ny_target(&t, i);
            rest[i] = u[i] * (y - rest[i]) - alpha[i] / C;
            f[i] = u[i] * y;
        }
        best->b[j] = rho == 0 ? ny_dot(n, u, rest) / total : ny_dot(n, u, alpha) / rho;
        for (int64_t i = 0; rho > 0 && i < n; i++) rest[i] -= u[i] * best->b[j];
        if (rho == 0) ny_project_out(n, u, rest), ny_project_out(n, u, f);
        double size = sqrt(ny_dot(n, f, f)), left = sqrt(ny_dot(n, rest, rest));
        x->report.residual = fmax(x->report.residual, size > 0 ? left / size : 0);
        x->beside = fmax(x->beside, left > 0 ? left * C / sqrt(ny_dot(n, alpha, alpha)) : 0);
        x->noise[j] = noise_of(n, C, alpha, rest, best->Q + j * n);
    }
done:
    ny_kernel_product_clear(&K);
    ny_free(beta);
    ny_free(r);
    ny_free(f);
    return st;
}

ny_status ny_exact_try(ny_exact *x, int64_t count, const double *C) {
    ny_status st = NY_OK;
    double *mean = NULL;
    ny_system_list list = {count, C, x->same_C ? NULL : x->own, true};
    NY_NEW_RAW(x->sel->ctx, mean, count);
    st = ny_system_solve(x->sel->ctx, &x->system, &list, &x->best, mean);
    ny_cg_report report = x->system.report;
    if (st == NY_STOPPED) report.stopped = true, st = NY_OK;
    for (int64_t k = 0; k < count && x->same_C; k++)
        if (!isnan(mean[k])) x->at[x->tried] = C[k], x->mean[x->tried++] = mean[k];
    x->report.iterations += report.iterations;
    x->report.stopped |= report.stopped;
    if (x->tried == 0 || report.left <= x->goals.good) /* else what there was stays */
        x->report.residual = report.residual, x->report.left = report.left;
done:
    ny_free(mean);
    return st;
}

ny_system_rows ny_exact_learnt(const ny_exact *x) {
    const ny_rows *rows = &x->sel->rows->all;
    return (ny_system_rows){rows->n,   x->sel->setup->outputs, rows->u,
                            x->scaled, x->sel->setup->rho,     x->together.groups ? &x->together : NULL};
}

ny_status ny_exact_new(ny_selection *sel, ny_exact *x) {
    ny_status st = NY_OK;
    int64_t n = sel->rows->all.n, q = sel->setup->outputs;
    *x = (ny_exact){.sel = sel, .report = {.residual = INFINITY, .left = INFINITY}};
    ny_system_rows rows = {.n = n, .q = q};
    NY_TRY(ny_system_best_new(sel->ctx, &rows, true, &x->best));
    NY_NEW(sel->ctx, x->own, q);
    NY_NEW_RAW(sel->ctx, x->noise, q);
    NY_NEW_RAW(sel->ctx, x->scaled, ny_size3(n, q, 1));
    ny_targets_scaled(sel->setup, &sel->rows->all, x->scaled);
    if (sel->rows->all.copy)
        NY_TRY(ny_together_make(sel->ctx, sel->setup, &sel->rows->all, &(ny_group){.n = n, .q = q}, &x->together));
done:
    return st;
}

void ny_exact_clear(ny_exact *x) {
    ny_system_clear(&x->system);
    ny_system_best_clear(&x->best);
    ny_together_clear(&x->together);
    ny_free(x->own);
    ny_free(x->noise);
    ny_free(x->scaled);
}

/* factor_spectrum.c: the kernel matrix of the landmarks themselves. */
#include <math.h>

#include "factor.h"
#include "linalg/linalg.h"

ny_status ny_factor_spectrum(ny_ctx *ctx, const ny_factor *f, const ny_kernel_params *kernel, bool centred,
                             double *diag, double *off) {
    ny_status st = NY_OK;
    int64_t m = ny_factor_drawn(f), *rows = NULL;
    double *W = NULL, *mean = NULL, *tau = NULL, all = 0, total = 0;
    ny_matrix drawn = {0};
    ny_kernel_side side = {0};
    NY_NEW_RAW(ctx, W, ny_size3(m, m, 1));
    NY_NEW(ctx, mean, m);
    NY_NEW_RAW(ctx, tau, m);
    NY_NEW_RAW(ctx, rows, m);
    for (int64_t i = 0; i < m; i++) rows[i] = i;
    NY_TRY(ny_matrix_copy(ctx, &f->Z, &drawn));
    if (f->redundant.n) NY_TRY(ny_matrix_append(ctx, &f->redundant, rows, f->redundant.n, &drawn));
    NY_TRY(ny_kernel_prepare(ctx, &drawn, true, &side));
    ny_kernel_matrix(kernel, &side, &side, false, W, m);
    for (int64_t i = 0; f->constant != 0 && i < m * m; i++) W[i] += f->constant * f->constant;
    for (int64_t i = 0; i < m; i++) total += ny_factor_root_weight(f, i) * ny_factor_root_weight(f, i);
    for (int64_t j = 0; j < m; j++)
        tau[j] = ny_factor_root_weight(f, j) * sqrt((double)m / total); /* free until ny_tridiag */
    for (int64_t j = 0; centred && j < m; j++)
        for (int64_t i = 0; i < m; i++) mean[j] += W[i + j * m] * tau[i] * tau[i] / (double)m;
    for (int64_t j = 0; j < m; j++) all += mean[j] * tau[j] * tau[j] / (double)m;
    for (int64_t j = 0; j < m; j++)
        for (int64_t i = 0; i < m; i++) W[i + j * m] = (W[i + j * m] + all - mean[i] - mean[j]) * tau[i] * tau[j];
    NY_TRY(ny_tridiag(ctx, m, W, m, diag, off, tau));
done:
    ny_kernel_release(&side);
    ny_matrix_clear(&drawn);
    ny_free(W);
    ny_free(mean);
    ny_free(tau);
    ny_free(rows);
    return st;
}

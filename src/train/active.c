/* active.c: see active.h. With J the rows whose loss has a slope, in any output, and f the low-rank machine's outputs
 * (Bonidal et al. 2013, section 2.7.3):
 *
 *     K_JJ gamma = f_J - b,      f(x) = sum_J gamma_j kappa(x_j, x) + b                           docs/math.md, eq. 99
 */
#include "active.h"

#include <math.h>

#include "factor/factor.h"
#include "linalg/linalg.h"
#include "machine/new_rows.h"
#include "options/limits.h"

/* J, as numbers in sel->rows->all. F: outputs x data rows. Corners that --hinge exact has sharpened still count as
 * rounded: rows on them have a slope. */
static int64_t active_rows(const ny_selection *sel, const double *F, int64_t *J) {
    const ny_rows *rows = &sel->rows->all;
    int64_t q = sel->setup->outputs, count = 0;
    ny_targets target;
    for (int64_t i = 0; i < rows->n; i++) J[i] = 0; /* at first: whether it has a slope */
    for (int64_t j = 0; j < q; j++) {
        const ny_loss_params *loss = &sel->setup->loss[j];
        ny_targets_of(sel->setup, rows, j, &target);
        for (int64_t i = 0; i < rows->n; i++) {
            double y = ny_target(&target, i), f = F[j + rows->id[i] * q] - sel->rows->origin, value, first, second;
            if (y == 0 && sel->setup->classes) continue;
            loss->loss->at(loss, 1, &y, &f, &value, &first, &second);
            J[i] |= first != 0;
        }
    }
    for (int64_t i = 0; i < rows->n; i++)
        if (J[i]) J[count++] = i;
    return count;
}

/* K_JJ = P L L' P', without the rows that the others make redundant; those that are left and their gamma to `active`.
 */
static ny_status solve(ny_ctx *ctx, const ny_selection *sel, const ny_model *model, const double *F, int64_t count,
                       const int64_t *J, ny_expansion *active) {
    ny_status st = NY_OK;
    int64_t q = model->f.outputs, r, *rows = NULL;
    double *K = NULL, *gamma;
    ny_matrix X = {0};
    ny_kernel_side side = {0};
    NY_NEW_RAW(ctx, K, ny_size3(count, count, 1));
    NY_TRY(ny_matrix_gather(ctx, &sel->rows->all.X, J, count, &X));
    NY_TRY(ny_kernel_prepare(ctx, &X, true, &side));
    ny_kernel_matrix(&model->f.kernel, &side, &side, false, K, count);
    NY_TRY(ny_factor_pivots(ctx, count, K, model->options->rank_tol, &rows, &r));
    NY_NEW_RAW(ctx, active->beta, ny_size3(r, q, 1));
    gamma = active->beta;
    for (int64_t i = 0; i < r; i++) {
        rows[i] = J[rows[i]];
        for (int64_t j = 0; j < q; j++) gamma[i + j * r] = F[j + sel->rows->all.id[rows[i]] * q] - model->f.b[j];
    }
    ny_trsm(false, r, q, K, count, gamma, r);
    ny_trsm(true, r, q, K, count, gamma, r);
    NY_TRY(ny_matrix_gather(ctx, &sel->rows->all.X, rows, r, &active->Z));
done:
    ny_kernel_release(&side);
    ny_matrix_clear(&X);
    ny_free(K);
    ny_free(rows);
    return st;
}

/* The coefficients on the active rows into `active`, whose kernel and bias are the model's already. */
static ny_status expand(ny_ctx *ctx, const ny_data *data, const ny_selection *sel, const ny_model *model, int64_t *rows,
                        double *difference, ny_expansion *active) {
    ny_status st = NY_OK;
    int64_t *J = NULL, outputs = data->X.n * model->f.outputs;
    double *F = NULL, *G = NULL, limit = ny_limits_memory(ctx, model->options);
    ny_matrix X = {0};
    NY_NEW_RAW(ctx, J, sel->rows->all.n);
    NY_NEW_RAW(ctx, F, ny_size3(data->X.n, model->f.outputs, 1));
    NY_NEW_RAW(ctx, G, ny_size3(data->X.n, model->f.outputs, 1));
    NY_TRY(ny_new_rows_inputs(ctx, model, &data->X, true, &X));
    NY_TRY(ny_expansion_outputs(ctx, &model->f, &X, 0, F, NULL));
    *rows = active_rows(sel, F, J);
    NY_CHECK(ctx, *rows > 0, NY_ERR_DATA, "no row costs anything");
    double bytes = 8 * (double)*rows * (double)*rows + (double)ny_alloc_bytes();
    NY_CHECK(ctx, bytes <= limit, NY_ERR_MEMORY,
             "the kernel matrix of %lld rows needs about %.0f MB in all, and %.0f MB may be used: raise --memory",
             (long long)*rows, bytes / 1e6, limit / 1e6);
    NY_TRY(ny_blas_fits(ctx, *rows, *rows));
    NY_TRY(solve(ctx, sel, model, F, *rows, J, active));
    NY_TRY(ny_expansion_outputs(ctx, active, &X, 0, G, NULL));
    for (int64_t i = 0; i < outputs; i++) *difference = fmax(*difference, fabs(F[i] - G[i]));
done:
    ny_free(J);
    ny_free(F);
    ny_free(G);
    ny_matrix_clear(&X);
    return st;
}

ny_status ny_active_expand(ny_ctx *ctx, const ny_data *data, const ny_selection *sel, ny_model *model) {
    ny_record *record = model->record;
    int64_t rows = 0;
    double difference = 0;
    ny_expansion active = {.kernel = model->f.kernel, .outputs = model->f.outputs, .b = model->f.b}; /* b is borrowed */
    if (ctx->stopped)
        return ny_record_note(ctx, record, "--expansion active: the search was stopped, and the landmarks were kept");
    ny_status st = expand(ctx, data, sel, model, &rows, &difference, &active);
    if (st == NY_OK) {
        model->f.b = NULL;
        ny_expansion_clear(&model->f);
        model->f = active;
        return ny_record_note(ctx, record,
                              "--expansion active: %lld of the %lld rows that cost something carry the model; its "
                              "outputs are within %.2g of the landmarks'",
                              (long long)model->f.Z.n, (long long)rows, difference);
    }
    active.b = NULL;
    ny_expansion_clear(&active);
    return ny_record_note(ctx, record, "--expansion active: the landmarks were kept: %s", ny_message(ctx));
}

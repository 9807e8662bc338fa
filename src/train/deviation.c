/* deviation.c: see deviation.h. The exact machine of one C, by Cholesky (Suykens's system, eliminated as in Ding and
 * Liao's eq. 8 and 9, with rows weighted by u):
 *
 *     (DKD + I/C) [rho, nu] = [u, D y],     b = u'nu / u'rho,     alpha = D (nu - b rho) */
#include "deviation.h"

#include <math.h>

#include "base/limits.h"
#include "exact_choose.h"
#include "linalg/linalg.h"
#include "machine/new_rows.h"

static const double WORK = 1e12; /* flops: about a minute */
enum { ROWS = 10000 };

/* K becomes D K D + I/C, then its factor. */
static ny_status factorise(ny_ctx *ctx, const ny_selection *sel, const ny_kernel_params *kernel, double C, double *K) {
    ny_status st = NY_OK;
    int64_t n = sel->all.n;
    const double *u = sel->all.u;
    ny_kernel_side side = {0};
    NY_TRY(ny_kernel_prepare(ctx, &sel->all.X, true, &side));
    ny_kernel_matrix(kernel, &side, &side, false, K, n);
    for (int64_t j = 0; j < n; j++) {
        for (int64_t i = j; i < n; i++) K[i + j * n] *= u[i] * u[j];
        K[j + j * n] += 1 / C;
    }
    NY_CHECK(ctx, ny_chol(n, K, n), NY_ERR_NUMERIC, "the exact machine's matrix is not positive definite at C = %.3g",
             C);
done:
    ny_kernel_release(&side);
    return st;
}

/* b = u'nu / u'eta and beta = D (nu - b eta) from the solutions for the targets (nu) and for u (eta); returns b. */
static double output_of(const ny_selection *sel, const double *nu, const double *eta, double *beta) {
    int64_t n = sel->all.n;
    const double *u = sel->all.u;
    double b = sel->machine->bias ? ny_dot(n, u, nu) / ny_dot(n, u, eta) : 0;
    for (int64_t i = 0; i < n; i++) beta[i] = u[i] * (nu[i] - b * eta[i]);
    return b;
}

/* The outputs that share C with output `first` and come after it; B: n x (outputs + 1). */
static void solve(const ny_selection *sel, const ny_model *model, int64_t first, const double *K, double *B,
                  ny_expansion *exact) {
    int64_t n = sel->all.n, columns = 1;
    const double *u = sel->all.u;
    for (int64_t i = 0; i < n; i++) B[i] = u[i];
    for (int64_t j = first; j < model->f.outputs; j++) {
        if (model->C[j] != model->C[first]) continue;
        for (int64_t i = 0; i < n; i++) B[i + columns * n] = u[i] * sel->all.Y[i + j * n];
        columns++;
    }
    ny_chol_solve(n, columns, K, n, B, n);
    columns = 1;
    for (int64_t j = first; j < model->f.outputs; j++) {
        if (model->C[j] != model->C[first]) continue;
        exact->b[j] = output_of(sel, B + columns++ * n, B, exact->beta + j * n) + sel->origin;
    }
}

static ny_status train_exact(ny_ctx *ctx, const ny_selection *sel, const ny_model *model, ny_expansion *exact) {
    ny_status st = NY_OK;
    int64_t n = sel->all.n, q = model->f.outputs;
    double *K = NULL, *B = NULL;
    NY_NEW_RAW(ctx, K, ny_size3(n, n, 1));
    NY_NEW_RAW(ctx, B, ny_size3(n, q + 1, 1));
    for (int64_t j = 0; j < q; j++) {
        if (ny_should_stop(ctx)) NY_FAIL(ctx, NY_STOPPED, "stopped");
        ny_progress(ctx, "bound", (double)j, (double)q, -1);
        if (ny_exact_first(model->C, j) < j) continue;
        NY_TRY(factorise(ctx, sel, &model->f.kernel, model->C[j], K));
        solve(sel, model, j, K, B, exact);
    }
done:
    ny_free(K);
    ny_free(B);
    return st;
}

/* Both machines see the rows as the model brings them to its training range. */
static ny_status compare(ny_ctx *ctx, const ny_model *model, const ny_expansion *exact, const ny_data *rows,
                         ny_bound *b) {
    ny_status st = NY_OK;
    int64_t count = rows->X.n * model->f.outputs;
    double *F = NULL, *G = NULL, largest = 0, sum = 0;
    ny_matrix X = {0};
    NY_NEW_RAW(ctx, F, ny_size3(rows->X.n, model->f.outputs, 1));
    NY_NEW_RAW(ctx, G, ny_size3(rows->X.n, model->f.outputs, 1));
    NY_TRY(ny_new_rows_inputs(ctx, model, &rows->X, true, &X));
    NY_TRY(ny_expansion_outputs(ctx, &model->f, &X, 0, F, NULL));
    NY_TRY(ny_expansion_outputs(ctx, exact, &X, 0, G, NULL));
    for (int64_t i = 0; i < count; i++) {
        largest = fmax(largest, fabs(F[i] - G[i]));
        sum += (F[i] - G[i]) * (F[i] - G[i]);
    }
    b->deviation_max = largest;
    b->deviation_rms = count ? sqrt(sum / (double)count) : NAN;
    b->deviation_rows = rows->X.n;
done:
    ny_free(F);
    ny_free(G);
    ny_matrix_clear(&X);
    return st;
}

static ny_status measure(ny_ctx *ctx, const ny_data *data, const ny_selection *sel, ny_model *model) {
    ny_status st = NY_OK;
    ny_data *test = NULL;
    double n = (double)sel->all.n, solves = 0;
    double limit = ny_limits_memory(ctx, model->options);
    ny_expansion exact = {.kernel = model->f.kernel, .Z = sel->all.X, .outputs = model->f.outputs}; /* Z is borrowed */
    for (int64_t j = 0; j < model->f.outputs; j++) solves += ny_exact_first(model->C, j) == j;
    NY_CHECK(ctx, n <= ROWS, NY_ERR_DATA, "the exact machine is trained on up to %d rows, and here are %lld", ROWS,
             (long long)sel->all.n);
    NY_CHECK(ctx, solves * n * n * n / 3 <= WORK, NY_ERR_DATA,
             "the exact machines of %lld rows at %.0f values of C take too long", (long long)sel->all.n, solves);
    NY_CHECK(ctx, 8 * n * (n + (double)model->f.outputs) <= limit, NY_ERR_MEMORY,
             "the exact machine needs about %.0f MB and %.0f MB may be used (--memory to change)", 8e-6 * n * n,
             limit / 1e6);
    if (model->options->test[0]) NY_TRY(ny_data_open(ctx, model->options->test, model->options, &model->schema, &test));
    NY_NEW_RAW(ctx, exact.beta, ny_size3(sel->all.n, model->f.outputs, 1));
    NY_NEW_RAW(ctx, exact.b, model->f.outputs);
    NY_TRY(train_exact(ctx, sel, model, &exact));
    NY_TRY(compare(ctx, model, &exact, test ? test : data, &model->record->bound));
done:
    ny_data_free(test);
    ny_free(exact.beta);
    ny_free(exact.b);
    return st;
}

ny_status ny_deviation_measure(ny_ctx *ctx, const ny_data *data, const ny_selection *sel, ny_model *model) {
    ny_record *record = model->record;
    double started = ny_now();
    if (!record->bound.known) return NY_OK;
    ny_status st = measure(ctx, data, sel, model);
    record->bound.seconds += ny_now() - started;
    if (st == NY_OK) return NY_OK;
    return ny_record_note(ctx, record, "the difference from the exact machine is not measured: %s", ny_message(ctx));
}

/* deviation.c: see deviation.h. The exact machine has a Cholesky factor for each C (solver/exact_cholesky.c). */
#include "deviation.h"

#include <math.h>

#include "machine/new_rows.h"
#include "options/limits.h"
#include "solver/exact_system.h"

static const double WORK = 1e12; /* flops: about a minute */
enum { ROWS = 10000 };

/* The exact machine of every output at its C: coefficients and bias to `exact`. */
static ny_status train_exact(ny_ctx *ctx, const ny_selection *sel, const ny_model *model, int64_t count,
                             const double *C, ny_expansion *exact) {
    ny_status st = NY_OK;
    int64_t n = sel->rows->all.n, q = model->f.outputs;
    const double *u = sel->rows->all.u;
    double *Y = NULL;
    ny_system system = {0};
    ny_system_best best = {0};
    NY_NEW_RAW(ctx, Y, ny_size3(n, q, 1));
    ny_targets_scaled(sel->setup, &sel->rows->all, Y);
    ny_system_rows rows = {n, q, u, Y, sel->setup->rho, NULL};
    NY_TRY(ny_system_best_new(ctx, &rows, false, &best));
    NY_TRY(ny_system_of_kernel(ctx, &rows, &model->f.kernel, &sel->rows->all.X, &system));
    for (int64_t k = 0; k < count; k++) {
        ny_system_list list = {.count = 1, .C = C + k, .own = model->C};
        ny_progress(ctx, "bound", (double)k, (double)count, -1);
        NY_TRY(ny_system_solve(ctx, &system, &list, &best, NULL));
    }
    for (int64_t i = 0; i < n * q; i++) exact->beta[i] = u[i % n] * best.alpha[i];
    for (int64_t j = 0; j < q; j++) exact->b[j] = best.b[j] + sel->rows->origin;
done:
    ny_system_clear(&system);
    ny_system_best_clear(&best);
    ny_free(Y);
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
    int64_t q = model->f.outputs;
    double n = (double)sel->rows->all.n, *C = NULL;
    double limit = ny_limits_memory(ctx, model->options);
    ny_expansion exact = {.kernel = model->f.kernel, .Z = sel->rows->all.X, .outputs = q}; /* Z is borrowed */
    NY_NEW_RAW(ctx, C, q);
    int64_t solves = ny_system_values(q, model->C, C);
    NY_CHECK(ctx, n <= ROWS, NY_ERR_DATA, "the exact machine is trained on up to %d rows, and here are %lld", ROWS,
             (long long)sel->rows->all.n);
    NY_CHECK(ctx, (double)solves * n * n * n / 3 <= WORK, NY_ERR_DATA,
             "the exact machines of %lld rows at %lld values of C take too long", (long long)sel->rows->all.n,
             (long long)solves);
    NY_CHECK(ctx, 8 * n * (n + (double)q) <= limit, NY_ERR_MEMORY,
             "the exact machine needs about %.0f MB and %.0f MB may be used (--memory to change)", 8e-6 * n * n,
             limit / 1e6);
    if (model->options->test[0]) NY_TRY(ny_data_open(ctx, model->options->test, model->options, &model->schema, &test));
    NY_NEW_RAW(ctx, exact.beta, ny_size3(sel->rows->all.n, q, 1));
    NY_NEW_RAW(ctx, exact.b, q);
    NY_TRY(train_exact(ctx, sel, model, solves, C, &exact));
    NY_TRY(compare(ctx, model, &exact, test ? test : data, &model->record->bound));
done:
    ny_data_free(test);
    ny_free(C);
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

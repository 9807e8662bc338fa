/* plan_exact.c: see plan_exact.h. */
#include "plan_exact.h"

#include <math.h>

#include "options/limits.h"
#include "solver/cg.h"
#include "solver/exact_system.h"
#include "solver/precondition.h"

static const double ITERATIONS = 20; /* a guess of those of conjugate gradients */
enum { LEAST = 50 };                 /* rank of a preconditioner */

/* One that is asked for has a C for each output; another is tried at three C at once where outputs are few. */
static int64_t exact_columns(const ny_options *options, int64_t n, int64_t q) {
    int64_t values = q > 2 ? 1 : ny_options_exact(options) ? q : 3;
    return ny_system_columns(n, ny_options_exact(options) ? q : values * q, values);
}

/* The exact machine, after the search: the kernel matrix, vectors and the preconditioner; then the model's rows. */
static double exact_bytes(const ny_options *options, const ny_data *data, int64_t rows, int64_t q, int64_t systems,
                          int64_t rank, ny_keep keep) {
    double x = (double)ny_matrix_bytes(&data->X), n = (double)rows, outputs = (double)q;
    ny_kernel_params kernel = {.tile = options->block_rows};
    int64_t columns = exact_columns(options, rows, q);
    double solving = ny_cg_numbers(rows, columns) + 2 * n * (double)columns +
                     ny_kernel_product_numbers(&kernel, &data->X, columns, keep) +
                     ny_precondition_numbers(rows, data->X.d, rank, columns, systems);
    return (double)NY_BASE_BYTES + NY_BLAS_BYTES + 2 * x + 8 * n * (outputs * 6 + 6) +
           fmax(8 * solving, x + 8 * n * outputs * 5);
}

static double exact_flops(const ny_data *data, int64_t rows, int64_t columns, ny_keep keep) {
    double n = (double)rows, product = ny_kernel_product_flops(&data->X, columns);
    if (keep == NY_KEEP_NOTHING) return ITERATIONS * product;
    return product + (ITERATIONS - 1) * n * n * 2 * (double)columns;
}

/* Values of C of the exact machine: one or two outputs are tried at three; more may have one each, but only one where
 * the exact machine goes alone. */
static int64_t exact_systems(const ny_route_facts *f) {
    int64_t q = f->outputs, columns = exact_columns(f->options, f->rows, q);
    bool cheap = exact_flops(f->data, f->rows, columns, NY_KEEP_FLOAT) <= NY_EXACT_CHEAP;
    return q < 3 ? 3 : cheap && ny_route_alone(f) && !ny_options_exact(f->options) ? 1 : q;
}

ny_status ny_plan_exact(ny_ctx *ctx, const ny_route_facts *f, ny_plan *plan) {
    ny_status st = NY_OK;
    const ny_options *options = f->options;
    const ny_data *data = f->data;
    bool asked = plan->route.asked;
    int64_t rows = f->rows, q = f->outputs, systems = exact_systems(f);
    double limit = ny_limits_memory(ctx, options), bytes;
    int64_t rank = ny_precondition_rank(rows), least = rank < LEAST ? rank : LEAST;
    while (rank > least && exact_bytes(options, data, rows, q, systems, rank, NY_KEEP_NOTHING) > limit)
        rank -= rank / 20 + 1;
    rank = rank > least ? rank : least;
    ny_keep keep = NY_KEEP_DOUBLE;
    while (keep != NY_KEEP_NOTHING && exact_bytes(options, data, rows, q, systems, rank, keep) > limit / 2) keep--;
    bytes = exact_bytes(options, data, rows, q, systems, rank, keep);
    plan->exact_bytes = (int64_t)bytes;
    if (!asked && keep == NY_KEEP_DOUBLE) bytes = exact_bytes(options, data, rows, q, systems, rank, NY_KEEP_FLOAT);
    double flops = exact_flops(data, rows, exact_columns(options, rows, q), keep);
    plan->route = ny_route_weigh(f, plan->route, flops, keep != NY_KEEP_NOTHING);
    if (plan->route.kind == NY_ROUTE_LANDMARKS) goto done;
    NY_CHECK(ctx, bytes <= limit, NY_ERR_MEMORY,
             "--solver cg needs about %.0f MB for %lld rows, and %.0f MB may be used: raise --memory or use --solver "
             "direct",
             bytes / 1e6, (long long)rows, limit / 1e6);
    plan->preconditioner = rank;
    plan->keep = keep;
    plan->exact_iteration = flops / ITERATIONS;
    if (plan->bytes < (int64_t)bytes) plan->bytes = (int64_t)bytes;
    plan->exact_columns = exact_columns(options, rows, q);
done:
    return st;
}

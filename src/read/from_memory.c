/* from_memory.c: data from arrays of the calling program. */
#include <math.h>
#include <string.h>

#include "base/number.h"
#include "table/data.h"
#include "table/target.h"

/* Copies n rows of d numbers and makes a schema x1 .. xd with their means. */
static ny_status take_rows(ny_ctx *ctx, int64_t n, int64_t d, const double *x, ny_data *data) {
    ny_status st = NY_OK;
    ny_schema *schema = &data->schema;
    NY_CHECK(ctx, n > 0 && d > 0 && d < INT32_MAX, NY_ERR_DATA, "%lld rows of %lld inputs are no data", (long long)n,
             (long long)d);
    NY_TRY(ny_matrix_dense(ctx, d, n, &data->X));
    NY_NEW(ctx, schema->column, d);
    schema->columns = schema->inputs = d;
    schema->target = ny_strdup(ctx, "");
    schema->weight = ny_strdup(ctx, "");
    if (!schema->target || !schema->weight) return NY_ERR_MEMORY;
    for (int64_t i = 0; i < n; i++)
        for (int64_t k = 0; k < d; k++) {
            double v = x[i * d + k];
            NY_CHECK(ctx, fabs(v) <= NY_VALUE_LIMIT, NY_ERR_DATA, /* false for NaN too */
                     "row %lld, column %lld: %g is not allowed: inputs must be numbers within +-1e150",
                     (long long)i + 1, (long long)k + 1, v);
            data->X.x[i * d + k] = v;
            schema->column[k].mean += v / (double)n;
        }
    for (int64_t k = 0; k < d; k++)
        if (!(schema->column[k].name = ny_format(ctx, "x%lld", (long long)k + 1))) return NY_ERR_MEMORY;
done:
    return st;
}

/* One of y and labels, or neither. */
static ny_status from_memory(ny_ctx *ctx, int64_t n, int64_t d, const double *x, const double *y,
                             const char *const *labels, ny_data **out) {
    ny_status st = NY_OK;
    ny_data *data = NULL;
    ny_target target = {0};
    *out = NULL;
    NY_TRY(ny_data_new(ctx, "the data", &data));
    NY_TRY(take_rows(ctx, n, d, x, data));
    for (int64_t i = 0; i < n && (y || labels); i++) {
        bool there = y ? !isnan(y[i]) : labels[i] && *labels[i];
        NY_CHECK(ctx, there, NY_ERR_DATA, "row %lld: the target is missing", (long long)i + 1);
        st = y ? ny_target_number(ctx, &target, y[i])
               : ny_target_text(ctx, &target, labels[i], (int64_t)strlen(labels[i]));
        if (st == NY_ERR_DATA) ny_error_prefix(ctx, st, "row %lld: ", (long long)i + 1);
        if (st != NY_OK) goto done;
        ny_target_end(&target);
    }
    NY_TRY(ny_target_learn(ctx, &target, true, data));
    ny_target_take(&target, data);
    data->rows = data->weight_rows = n;
done:
    ny_target_clear(&target);
    if (st == NY_OK) *out = data;
    else ny_data_free(data);
    return st;
}

ny_status ny_data_from_rows(ny_ctx *ctx, int64_t n, int64_t d, const double *x, const double *y, ny_data **data) {
    NY_NEEDS(ctx, ctx && x && data, "a context, numbers and a place for the data");
    return from_memory(ctx, n, d, x, y, NULL, data);
}

ny_status ny_data_from_labels(ny_ctx *ctx, int64_t n, int64_t d, const double *x, const char *const *labels,
                              ny_data **data) {
    NY_NEEDS(ctx, ctx && x && labels && data, "a context, numbers, labels and a place for the data");
    return from_memory(ctx, n, d, x, NULL, labels, data);
}

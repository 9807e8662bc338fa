/* data.c: opening a file, data from memory, and the small questions about data. */
#include "data.h"

#include <math.h>
#include <string.h>

#include "base/number.h"
#include "stream.h"
#include "target.h"

void ny_data_clear(ny_data *data) {
    ny_stream_close(data->stream);
    ny_matrix_clear(&data->X);
    ny_schema_clear(&data->schema);
    for (int64_t k = 0; data->label && k < data->labels; k++) ny_free(data->label[k]);
    ny_free(data->label);
    ny_free(data->label_rows);
    ny_free(data->source);
    ny_free(data->y);
    ny_free(data->code);
    ny_free(data->weight);
    ny_free(data->lacks);
    ny_free(data->id);
    ny_free(data->id_at);
    ny_free(data->id_name);
    memset(data, 0, sizeof *data);
}

void ny_data_free(ny_data *data) {
    if (!data) return;
    ny_data_clear(data);
    ny_free(data);
}

int64_t ny_data_rows(const ny_data *data) {
    return data ? data->rows : 0;
}
int64_t ny_data_inputs(const ny_data *data) {
    return data ? data->X.d : 0;
}

const char *ny_data_id_name(const ny_data *data) {
    return data ? data->id_name : NULL;
}

const char *ny_data_id(const ny_data *data, int64_t i) {
    return data && data->id && i >= 0 && i < data->X.n ? data->id + data->id_at[i] : NULL;
}

const char *ny_data_row(const ny_data *data, int64_t i, double *x) {
    if (!data || data->stream || i < 0 || i >= data->X.n || !x) return NULL;
    const ny_matrix *X = &data->X;
    if (ny_matrix_is_sparse(X)) {
        memset(x, 0, (size_t)X->d * sizeof *x);
        for (int64_t e = X->ptr[i]; e < X->ptr[i + 1]; e++) x[X->idx[e]] = X->val[e];
    } else {
        memcpy(x, X->x + i * X->d, (size_t)X->d * sizeof *x);
    }
    return data->labels ? data->label[data->code[i]] : NULL;
}

ny_status ny_data_in_memory(ny_ctx *ctx, const ny_data *data, const char *what) {
    if (!data->stream) return NY_OK;
    return ny_error(ctx, NY_ERR_USAGE, "%s: %s needs the rows in memory, and they are streamed; use --stream no",
                    data->source, what);
}

ny_status ny_data_new(ny_ctx *ctx, const char *source, ny_data **data) {
    ny_status st = NY_OK;
    NY_NEW(ctx, *data, 1);
    if (!((*data)->source = ny_strdup(ctx, source))) st = NY_ERR_MEMORY;
done:
    return st;
}

/* ---- from memory -------------------------------------------------------------------------------------------- */

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

/* data.c: what data own, and the small questions about them. */
#include "data.h"

#include <string.h>

void ny_data_clear(ny_data *data) {
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

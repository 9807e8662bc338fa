/* data.c: schemas, what data own, and the small questions about them. */
#include "data.h"

#include <string.h>

/* ---- schemas ----------------------------------------------------------------------------------------------------- */

static void clear_column(ny_column *column) {
    for (int64_t k = 0; column->level && k < column->levels; k++) ny_free(column->level[k]);
    ny_free(column->level);
    ny_free(column->name);
}

void ny_schema_clear(ny_schema *s) {
    for (int64_t c = 0; s->column && c < s->columns; c++) clear_column(&s->column[c]);
    ny_free(s->column);
    for (int64_t k = 0; s->left && k < s->left_out; k++) ny_free(s->left[k].name);
    ny_free(s->left);
    ny_free(s->target);
    ny_free(s->weight);
    ny_free(s->na);
    memset(s, 0, sizeof *s);
}

static ny_status copy_column(ny_ctx *ctx, const ny_column *from, ny_column *to) {
    ny_status st = NY_OK;
    to->form = from->form;
    to->mean = from->mean;
    to->position = from->position;
    to->input = from->input;
    if (!(to->name = ny_strdup(ctx, from->name ? from->name : ""))) return NY_ERR_MEMORY;
    if (from->levels == 0) return st;
    NY_NEW(ctx, to->level, from->levels);
    for (; to->levels < from->levels; to->levels++)
        if (!(to->level[to->levels] = ny_strdup(ctx, from->level[to->levels]))) return NY_ERR_MEMORY;
done:
    return st;
}

ny_status ny_schema_copy(ny_ctx *ctx, const ny_schema *from, ny_schema *to) {
    ny_status st = NY_OK;
    memset(to, 0, sizeof *to);
    to->inputs = from->inputs;
    to->sparse = from->sparse;
    to->named = from->named;
    to->all_columns = from->all_columns;
    to->all_inputs = from->all_inputs;
    to->target_form = from->target_form;
    to->na = ny_strdup(ctx, from->na ? from->na : "");
    to->target = ny_strdup(ctx, from->target ? from->target : "");
    to->weight = ny_strdup(ctx, from->weight ? from->weight : "");
    if (!to->target || !to->weight || !to->na) {
        st = NY_ERR_MEMORY;
        goto done;
    }
    for (int64_t k = 0; k < from->left_out; k++)
        NY_TRY(ny_schema_leave_out(ctx, to, from->left[k].name, from->left[k].asked));
    if (from->columns > 0) NY_NEW(ctx, to->column, from->columns);
    for (; to->columns < from->columns; to->columns++) {
        st = copy_column(ctx, &from->column[to->columns], &to->column[to->columns]);
        if (st != NY_OK) {
            to->columns++; /* the half-made one is freed too */
            goto done;
        }
    }
done:
    if (st != NY_OK) ny_schema_clear(to);
    return st;
}

ny_status ny_schema_leave_out(ny_ctx *ctx, ny_schema *s, const char *name, bool asked) {
    ny_status st = NY_OK;
    ny_left_out *more = ny_realloc(ctx, s->left, s->left_out, s->left_out + 1, sizeof *more);
    if (!more) return NY_ERR_MEMORY;
    s->left = more;
    s->left[s->left_out] = (ny_left_out){ny_strdup(ctx, name), asked};
    if (!s->left[s->left_out].name) st = NY_ERR_MEMORY;
    else s->left_out++;
    return st;
}

void ny_schema_keep(ny_schema *s, const bool *kept) {
    int64_t count = 0, input = 0;
    bool placed = s->all_columns > 0; /* some columns of the file were left out: positions count these too */
    if (!placed) s->all_columns = s->columns;
    s->all_inputs = s->inputs;
    for (int64_t c = 0; c < s->columns; c++) {
        ny_column *column = &s->column[c];
        int64_t inputs = column->levels ? column->levels : 1;
        if (!placed) column->position = c;
        column->input = input;
        input += inputs;
        if (kept[c]) {
            s->column[count++] = *column;
        } else {
            s->inputs -= inputs;
            clear_column(column);
        }
    }
    s->columns = count;
}

/* ---- data -------------------------------------------------------------------------------------------------------- */

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

/* new_rows.c: see new_rows.h.
 *
 * The limits of an input are [least - m w, largest + m w], w = largest - least over the training rows. The margin is
 *     m = max((3^(1/p) - 1) / 2, (sqrt(2) - 1) / 2):      1 for p = 1,  0.37 for p = 2,  0.22 for p = 3,  at least 0.21
 * where p is the degree of the kernel as a polynomial, infinite for kernels of the distance; of several machines the
 * least one holds. The first: the p-th power
 * of an input, measured from the middle of its range, at most triples between the range and the limits. The second: a
 * new value of a normal input is beyond the limits with a chance of about 1/n^2, so that the rows which the held-out
 * error speaks of stay as they are. docs/math.md, "Rows outside the training data" */
#include "new_rows.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "scale/scale.h"

double ny_range_margin(const ny_kernel_params *p) {
    double tripled = p->kernel->degree ? pow(3, 1 / (double)p->kernel->degree(p)) : 1;
    return (fmax(tripled, sqrt(2)) - 1) / 2;
}

ny_status ny_new_rows_check(ny_ctx *ctx, const ny_model *model, const ny_data *data) {
    ny_status st = NY_OK;
    NY_TRY(ny_data_in_memory(ctx, data, "prediction"));
    NY_CHECK(ctx, data->X.d == model->schema.inputs || data->X.d == model->schema.all_inputs, NY_ERR_DATA,
             "%lld inputs, but the model was trained on %lld", (long long)data->X.d, (long long)model->schema.inputs);
done:
    return st;
}

/* low and high: inputs each. */
static ny_status find_limits(ny_ctx *ctx, const ny_model *model, double **low, double **high) {
    ny_status st = NY_OK;
    int64_t d = model->schema.inputs;
    const double *least = model->range, *largest = model->range + d;
    double margin = INFINITY;
    for (const ny_expansion *f = &model->f; f; f = f->next) margin = fmin(margin, ny_range_margin(&f->kernel));
    NY_NEW_RAW(ctx, *low, d);
    NY_NEW_RAW(ctx, *high, d);
    for (int64_t j = 0; j < d; j++) {
        double more = margin * (largest[j] - least[j]);
        (*low)[j] = least[j] - more;
        (*high)[j] = largest[j] + more;
    }
done:
    return st;
}

/* The inputs that the model kept, of data that have all of the training file's. */
static ny_status kept_inputs(ny_ctx *ctx, const ny_schema *schema, const ny_matrix *data, ny_matrix *X) {
    ny_status st = NY_OK;
    ny_matrix all = {0};
    NY_TRY(ny_matrix_to_dense(ctx, data, &all));
    NY_TRY(ny_matrix_dense(ctx, schema->inputs, data->n, X));
    for (int64_t i = 0; i < data->n; i++)
        for (int64_t c = 0, to = 0; c < schema->columns; c++) {
            int64_t count = schema->column[c].levels ? schema->column[c].levels : 1;
            memcpy(X->x + to + i * X->d, all.x + schema->column[c].input + i * all.d, (size_t)count * sizeof *X->x);
            to += count;
        }
done:
    ny_matrix_clear(&all);
    return st;
}

/* A copy of the model's inputs. Sparse data stay sparse only where zeros stay zeros: a model that shifts its inputs, or
 * or bends them, or has never seen a zero, wants all of them. low, high: NULL where there are no limits. */
static ny_status copy_inputs(ny_ctx *ctx, const ny_model *model, const ny_matrix *data, const double *low,
                             const double *high, ny_matrix *X) {
    bool all = model->bend.d > 0;
    if (data->d != model->schema.inputs) return kept_inputs(ctx, &model->schema, data, X);
    for (int64_t j = 0; j < data->d; j++) all |= model->shift[j] != 0 || (low && (low[j] > 0 || high[j] < 0));
    return all ? ny_matrix_to_dense(ctx, data, X) : ny_matrix_copy(ctx, data, X);
}

static double between(double v, double low, double high) {
    return v < low ? low : v > high ? high : v;
}

static void clip_inputs(const double *low, const double *high, ny_matrix *X) {
    for (int64_t i = 0; i < X->n; i++)
        if (ny_matrix_is_sparse(X))
            for (int64_t e = X->ptr[i]; e < X->ptr[i + 1]; e++)
                X->val[e] = between(X->val[e], low[X->idx[e]], high[X->idx[e]]);
        else
            for (int64_t j = 0; j < X->d; j++) X->x[j + i * X->d] = between(X->x[j + i * X->d], low[j], high[j]);
}

ny_status ny_new_rows_inputs(ny_ctx *ctx, const ny_model *model, const ny_matrix *data, bool clip, ny_matrix *X) {
    ny_status st = NY_OK;
    double *low = NULL, *high = NULL;
    clip = clip && model->range;
    if (clip) NY_TRY(find_limits(ctx, model, &low, &high));
    NY_TRY(copy_inputs(ctx, model, data, low, high, X));
    if (clip) clip_inputs(low, high, X);
    ny_bend_apply(&model->bend, X);
    ny_scale_apply(model->shift, model->factor, X);
done:
    ny_free(low);
    ny_free(high);
    return st;
}

/* ---- counting ------------------------------------------------------------------------------------------------- */

int64_t ny_model_columns(const ny_model *model) {
    if (!model) return 0;
    return model->schema.columns ? model->schema.columns : model->schema.inputs;
}

const char *ny_model_column(const ny_model *model, int64_t c) {
    return model && c >= 0 && c < model->schema.columns ? model->schema.column[c].name : NULL;
}

typedef struct {
    const ny_model *model;
    const double *low, *high;
    const int64_t *column; /* inputs: the column that each comes from */
} limits;

/* An input that the kernel does not see (factor 0) cannot do harm. */
static bool is_outside(const limits *l, int64_t j, double v) {
    return l->model->factor[j] != 0 && (v < l->low[j] || v > l->high[j]);
}

/* The inputs of row i that are outside; by_column: one more for each of their columns. */
static int64_t count_row(const limits *l, const ny_matrix *X, int64_t i, int64_t *by_column) {
    bool sparse = ny_matrix_is_sparse(X);
    int64_t first = sparse ? X->ptr[i] : i * X->d, last = sparse ? X->ptr[i + 1] : first + X->d, count = 0;
    for (int64_t e = first; e < last; e++) {
        int64_t j = sparse ? X->idx[e] : e - first;
        if (!is_outside(l, j, sparse ? X->val[e] : X->x[e])) continue;
        count++;
        if (by_column) by_column[l->column[j]]++;
    }
    return count;
}

static ny_status find_columns(ny_ctx *ctx, const ny_schema *schema, int64_t **column) {
    ny_status st = NY_OK;
    int64_t input = 0;
    NY_NEW_RAW(ctx, *column, schema->inputs);
    for (int64_t c = 0; input < schema->inputs; c++) {
        int64_t levels = c < schema->columns ? schema->column[c].levels : 0;
        for (int64_t k = 0; k < (levels ? levels : 1); k++) (*column)[input++] = c;
    }
done:
    return st;
}

ny_status ny_outside(ny_ctx *ctx, const ny_model *model, const ny_data *data, int64_t *count, int64_t *by_column) {
    ny_status st = NY_OK;
    ny_matrix X = {0};
    double *low = NULL, *high = NULL;
    int64_t *column = NULL;
    if (!ctx || !model || !data) return ny_error(ctx, NY_ERR_USAGE, "a model and data are needed, and one is NULL");
    NY_TRY(ny_new_rows_check(ctx, model, data));
    if (count) memset(count, 0, (size_t)data->X.n * sizeof *count);
    if (!model->range) goto done;
    NY_TRY(find_limits(ctx, model, &low, &high));
    NY_TRY(find_columns(ctx, &model->schema, &column));
    NY_TRY(copy_inputs(ctx, model, &data->X, low, high, &X));
    limits l = {model, low, high, column};
    for (int64_t i = 0; i < X.n; i++) {
        if (data->lacks && data->lacks[i]) continue;
        int64_t outside = count_row(&l, &X, i, by_column);
        if (count) count[i] = outside;
    }
done:
    ny_matrix_clear(&X);
    ny_free(low);
    ny_free(high);
    ny_free(column);
    return st;
}

int ny_model_has_range(const ny_model *model) {
    return model && model->range;
}

/* The columns with most rows first, as many as fit a message. */
static void list_columns(const ny_model *model, const int64_t *by_column, char *text, size_t size) {
    enum { SHOWN = 5 };
    int64_t shown[SHOWN], columns = ny_model_columns(model), used = 0, found = 0;
    for (int64_t c = 0; c < columns; c++) found += by_column[c] > 0;
    for (int k = 0; k < SHOWN && k < found; k++) {
        int64_t best = -1;
        for (int64_t c = 0; c < columns; c++) {
            bool told = by_column[c] == 0;
            for (int s = 0; s < k; s++) told |= shown[s] == c;
            if (!told && (best < 0 || by_column[c] > by_column[best])) best = c;
        }
        shown[k] = best;
        const char *name = ny_model_column(model, best);
        used += name ? snprintf(text + used, size - (size_t)used, "%s\"%.60s\": %lld", k ? ", " : "column ", name,
                                (long long)by_column[best])
                     : snprintf(text + used, size - (size_t)used, "%s%lld: %lld", k ? ", " : "input ",
                                (long long)best + 1, (long long)by_column[best]);
    }
    if (found > SHOWN) snprintf(text + used, size - (size_t)used, ", and %lld more", (long long)found - SHOWN);
}

void ny_outside_warn(ny_ctx *ctx, const ny_model *model, const ny_options *options, const char *source, int64_t rows,
                     int64_t outside, const int64_t *by_column) {
    char columns[600];
    if (!ctx || !model || !source || !by_column || outside <= 0) return;
    list_columns(model, by_column, columns, sizeof columns);
    ny_log(ctx, NY_LOG_WARNING, "%s: %lld of %lld rows ha%s inputs outside the training range (%s): %s", source,
           (long long)outside, (long long)rows, outside == 1 ? "s" : "ve", columns,
           ny_new_rows_clip(options) ? "brought back to it; --outside keep leaves them as they are"
                                     : "kept as they are; --outside clip brings them back to it");
}

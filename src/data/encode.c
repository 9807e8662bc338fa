/* encode.c: numeric column -> one input; categorical column with L levels -> L inputs of 0 and 1, levels in strcmp
 * order. Missing numbers become the column's training mean, missing or unknown categories all zeros. */
#include "encode.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- learning the schema ------------------------------------------------------------------------------------ */

typedef struct level {
    const char *text;
    int64_t number;
} level;

static int by_text(const void *a, const void *b) {
    return strcmp(((const level *)a)->text, ((const level *)b)->text);
}

/* The levels that kept rows really have, sorted, into the column; place[k] tells where level k of the dictionary went.
 * A dropped row may have brought levels of its own. */
static ny_status learn_levels(ny_ctx *ctx, const ny_frame *f, int64_t slot, ny_column *column, int32_t *place) {
    ny_status st = NY_OK;
    const ny_dict *dict = &f->level[slot];
    int64_t slots = f->layout->slots, count = 0;
    level *sorted = NULL;
    NY_NEW(ctx, sorted, dict->count + 1);
    for (int64_t k = 0; k < dict->count; k++) place[k] = -1;
    for (int64_t b = 0; b < f->blocks; b++)
        for (int64_t i = 0; i < f->block[b].rows; i++) {
            double k = f->block[b].x[i * slots + slot];
            if (isnan(k) || place[(int64_t)k] >= 0) continue;
            place[(int64_t)k] = 0;
            sorted[count++] = (level){ny_dict_text(dict, (int64_t)k), (int64_t)k};
        }
    NY_CHECK(ctx, count > 0, NY_ERR_DATA, "%s: column \"%s\" has no values at all: leave it out", f->layout->source,
             column->name);
    qsort(sorted, (size_t)count, sizeof *sorted, by_text);
    NY_NEW(ctx, column->level, count);
    for (; column->levels < count; column->levels++) {
        const level *l = &sorted[column->levels];
        place[l->number] = (int32_t)column->levels;
        if (!(column->level[column->levels] = ny_strdup(ctx, l->text))) {
            st = NY_ERR_MEMORY;
            goto done;
        }
    }
done:
    ny_free(sorted);
    return st;
}

/* Means of all slots over the values that are there; 0 where there are none. */
static ny_status learn_means(ny_ctx *ctx, const ny_frame *f, ny_schema *schema) {
    ny_status st = NY_OK;
    int64_t slots = f->layout->slots, *count = NULL;
    double *sum = NULL;
    NY_NEW(ctx, count, slots);
    NY_NEW(ctx, sum, slots);
    for (int64_t b = 0; b < f->blocks; b++)
        for (int64_t i = 0; i < f->block[b].rows; i++) {
            const double *row = f->block[b].x + i * slots;
            for (int64_t s = 0; s < slots; s++) {
                bool there = !isnan(row[s]);
                sum[s] += there ? row[s] : 0;
                count[s] += there;
            }
        }
    for (int64_t s = 0; s < slots; s++)
        if (schema->column[s].levels == 0 && count[s] > 0) schema->column[s].mean = sum[s] / (double)count[s];
done:
    ny_free(count);
    ny_free(sum);
    return st;
}

static ny_status learn_schema(ny_ctx *ctx, const ny_frame *f, int32_t **place, ny_schema *schema) {
    ny_status st = NY_OK;
    const ny_layout *l = f->layout;
    NY_NEW(ctx, schema->column, l->slots);
    schema->columns = l->slots;
    schema->named = l->named;
    schema->target = ny_strdup(ctx, l->target >= 0 ? ny_layout_name(l, l->target) : "");
    schema->weight = ny_strdup(ctx, l->weight >= 0 ? ny_layout_name(l, l->weight) : "");
    if (!schema->target || !schema->weight) return NY_ERR_MEMORY;
    for (int64_t s = 0; s < l->slots; s++) {
        ny_column *column = &schema->column[s];
        if (!(column->name = ny_strdup(ctx, ny_layout_name(l, l->slot_field[s])))) return NY_ERR_MEMORY;
        if (l->field[l->slot_field[s]].role == NY_ROLE_CATEGORY) {
            NY_NEW(ctx, place[s], f->level[s].count + 1);
            NY_TRY(learn_levels(ctx, f, s, column, place[s]));
        }
        schema->inputs += column->levels > 0 ? column->levels : 1;
    }
    NY_CHECK(ctx, schema->inputs < INT32_MAX, NY_ERR_DATA,
             "%s: its categories make %lld inputs, more than are possible", l->source, (long long)schema->inputs);
    NY_TRY(learn_means(ctx, f, schema));
done:
    return st;
}

/* ---- the numbers -------------------------------------------------------------------------------------------- */

static void encode_row(const ny_schema *schema, int32_t *const *place, const double *row, int64_t slots, double *x) {
    for (int64_t s = 0; s < slots; s++) {
        const ny_column *column = &schema->column[s];
        if (column->levels == 0) {
            *x++ = isnan(row[s]) ? column->mean : row[s];
            continue;
        }
        memset(x, 0, (size_t)column->levels * sizeof *x);
        if (row[s] >= 0) x[place[s] ? place[s][(int64_t)row[s]] : (int64_t)row[s]] = 1;
        x += column->levels;
    }
}

/* Numbers only and all of them there: the rows are the inputs. (A model of libsvm text has no columns to ask.) */
static bool is_plain(const ny_frame *f, const ny_schema *schema) {
    bool plain = f->missing == 0 || schema->sparse;
    for (int64_t c = 0; plain && c < schema->columns; c++) plain = schema->column[c].levels == 0;
    return plain;
}

static ny_status encode_rows(ny_ctx *ctx, ny_frame *f, int32_t *const *place, ny_data *data) {
    ny_status st = NY_OK;
    int64_t d = data->schema.inputs, slots = f->layout->slots, count = ny_size3(d, f->rows, 1), done_rows = 0;
    int64_t bytes = ny_size3(d, f->rows, sizeof(double)), spare = ny_available_bytes();
    NY_CHECK(
        ctx, bytes >= 0 && (spare <= 0 || d == slots || bytes <= spare), NY_ERR_MEMORY,
        "%s: %lld rows of %lld inputs need %.1f GB, %.1f GB are free; columns with many categories make many inputs",
        f->layout->source, (long long)f->rows, (long long)d, (double)d * (double)f->rows * 8e-9, (double)spare * 1e-9);
    bool plain = is_plain(f, &data->schema);
    data->X.d = d;
    data->X.n = f->rows;
    if (plain && f->blocks == 1) { /* they lie there already */
        data->X.x = f->block[0].x;
        f->block[0].x = NULL;
        return st;
    }
    NY_NEW_RAW(ctx, data->X.x, count);
    for (int64_t b = 0; b < f->blocks; b++) {
        ny_block *block = &f->block[b];
        if (plain) memcpy(data->X.x + done_rows * d, block->x, (size_t)(block->rows * d) * sizeof *block->x);
        for (int64_t i = 0; !plain && i < block->rows; i++)
            encode_row(&data->schema, place, block->x + i * slots, slots, data->X.x + (done_rows + i) * d);
        done_rows += block->rows;
        ny_free(block->x);
        *block = (ny_block){0};
    }
done:
    return st;
}

ny_status ny_encode(ny_ctx *ctx, ny_frame *f, ny_data *data) {
    ny_status st = NY_OK;
    int32_t **place = NULL; /* slots: see learn_levels; NULL for numbers, and with a model */
    NY_TRY(ny_frame_check(ctx, f));
    NY_CHECK(
        ctx, !f->like || !f->like->sparse || f->missing == 0 || f->policy != NY_MISSING_MEAN, NY_ERR_DATA,
        "%s:%lld:%lld: missing value, and the model, made from libsvm text, has no column means; use --missing drop",
        f->layout->source, (long long)f->missing_line, (long long)f->missing_field + 1);
    NY_NEW(ctx, place, f->layout->slots);
    if (f->like) NY_TRY(ny_schema_copy(ctx, f->like, &data->schema));
    else NY_TRY(learn_schema(ctx, f, place, &data->schema));
    NY_TRY(ny_target_finish(ctx, &f->target, f->like == NULL, data));
    NY_TRY(encode_rows(ctx, f, place, data));
    data->weight = f->weight;
    f->weight = NULL;
    data->unseen = f->unseen;
    data->dropped = f->dropped;
done:
    for (int64_t s = 0; place && s < f->layout->slots; s++) ny_free(place[s]);
    ny_free(place);
    return st;
}

/* encode.c: what CSV and .npy have in common: rows of fields, gathered in a frame, become inputs.
 *
 * Numeric column -> one input; categorical column with L levels -> L inputs of 0 and 1, levels in strcmp order. Missing
 * numbers become the column's training mean, missing or unknown categories all zeros. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "identify.h"
#include "reader.h"

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
static ny_status learn_levels(ny_ctx *ctx, const ny_frame *f, ny_levels *levels, ny_column *column) {
    ny_status st = NY_OK;
    const ny_dict *dict = &levels->dict;
    int64_t count = 0;
    level *sorted = NULL;
    NY_NEW(ctx, levels->place, dict->count + 1);
    NY_NEW(ctx, sorted, dict->count + 1);
    for (int64_t k = 0; k < dict->count; k++) {
        levels->place[k] = -1;
        if (k < levels->room && levels->rows[k] > 0) sorted[count++] = (level){ny_dict_text(dict, k), k};
    }
    NY_CHECK(ctx, count > 0, NY_ERR_DATA, "%s: column \"%s\" has no values at all: leave it out", f->layout->source,
             column->name);
    qsort(sorted, (size_t)count, sizeof *sorted, by_text);
    NY_NEW(ctx, column->level, count);
    for (; column->levels < count; column->levels++) {
        const level *l = &sorted[column->levels];
        levels->place[l->number] = (int32_t)column->levels;
        if (!(column->level[column->levels] = ny_strdup(ctx, l->text))) {
            st = NY_ERR_MEMORY;
            goto done;
        }
    }
done:
    ny_free(sorted);
    return st;
}

static ny_status learn_column(ny_ctx *ctx, const ny_frame *f, int64_t field, ny_column *column) {
    const ny_field *l = &f->layout->field[field];
    if (!(column->name = ny_strdup(ctx, ny_layout_name(f->layout, field)))) return NY_ERR_MEMORY;
    if (l->role == NY_ROLE_CATEGORY) return learn_levels(ctx, f, &f->slot.level[l->slot], column);
    column->form = l->form;
    if (f->slot.count[l->slot] > 0)
        column->mean = f->slot.sum[l->slot] / (double)f->slot.count[l->slot]; /* 0 without values */
    return NY_OK;
}

/* The inputs, and which columns between them were left out: a file without names is laid out by that. */
static ny_status learn_columns(ny_ctx *ctx, const ny_frame *f, ny_schema *schema) {
    ny_status st = NY_OK;
    const ny_layout *l = f->layout;
    int64_t position = 0;
    NY_NEW(ctx, schema->column, l->slots);
    for (int64_t k = 0; k < l->fields; k++) {
        const ny_field *field = &l->field[k];
        if (field->role == NY_ROLE_TARGET || field->role == NY_ROLE_WEIGHT) continue;
        int64_t at = position++;
        if (field->role == NY_ROLE_IGNORE || f->slot.left_out[field->slot]) {
            NY_TRY(ny_schema_leave_out(ctx, schema, ny_layout_name(l, k), field->role == NY_ROLE_IGNORE));
            continue;
        }
        ny_column *column = &schema->column[schema->columns++];
        column->position = at;
        column->input = schema->inputs;
        NY_TRY(learn_column(ctx, f, k, column));
        schema->inputs += column->levels > 0 ? column->levels : 1;
    }
    if (schema->left_out > 0) schema->all_columns = position;
done:
    return st;
}

static ny_status learn_schema(ny_ctx *ctx, const ny_frame *f, ny_schema *schema) {
    ny_status st = NY_OK;
    const ny_layout *l = f->layout;
    schema->named = l->named;
    schema->target = ny_strdup(ctx, l->target >= 0 ? ny_layout_name(l, l->target) : "");
    schema->weight = ny_strdup(ctx, l->weight >= 0 ? ny_layout_name(l, l->weight) : "");
    schema->na = ny_strdup(ctx, f->na->words ? f->na->words : "");
    if (!schema->target || !schema->weight || !schema->na) return NY_ERR_MEMORY;
    if (l->target >= 0) schema->target_form = l->field[l->target].form;
    NY_TRY(learn_columns(ctx, f, schema));
    NY_CHECK(ctx, schema->inputs < INT32_MAX, NY_ERR_DATA,
             "%s: its categories make %lld inputs, more than are possible", l->source, (long long)schema->inputs);
done:
    return st;
}

/* ---- the numbers -------------------------------------------------------------------------------------------- */

static void encode_row(const ny_schema *schema, const ny_frame *f, const double *row, double *x) {
    const ny_column *next = schema->column;
    for (int64_t s = 0; s < f->layout->slots; s++) {
        if (f->slot.left_out[s]) continue;
        const ny_column *column = next++;
        if (column->levels == 0) {
            *x++ = isnan(row[s]) ? column->mean : row[s];
            continue;
        }
        memset(x, 0, (size_t)column->levels * sizeof *x);
        if (row[s] >= 0) { /* neither missing nor unknown */
            const int32_t *place = f->slot.level[s].place;
            int64_t k = place ? place[(int64_t)row[s]] : (int64_t)row[s];
            if (k >= 0) x[k] = 1;
        }
        x += column->levels;
    }
}

/* Numbers only and all of them there: the rows are the inputs. (A model of libsvm text has no columns to ask.) */
static bool is_plain(const ny_frame *f, const ny_schema *schema) {
    return schema->sparse || (f->held.nan == 0 && f->slot.categories == 0 && !f->slot.any_left_out);
}

static ny_status check_room(ny_ctx *ctx, const ny_frame *f, int64_t d) {
    int64_t bytes = ny_size3(d, f->count.held, sizeof(double)),
            spare = d == f->layout->slots ? 0 : ny_available_bytes();
    if (bytes >= 0 && (spare <= 0 || bytes <= spare)) return NY_OK;
    return ny_error(
        ctx, NY_ERR_MEMORY,
        "%s: %lld rows of %lld inputs need %.1f GB, %.1f GB are free; columns with many categories make many inputs",
        f->layout->source, (long long)f->count.held, (long long)d, (double)d * (double)f->count.held * 8e-9,
        (double)spare * 1e-9);
}

static ny_status encode_rows(ny_ctx *ctx, ny_frame *f, const ny_schema *schema, ny_matrix *X) {
    ny_status st = NY_OK;
    int64_t d = schema->inputs, slots = f->layout->slots, done_rows = 0;
    NY_TRY(check_room(ctx, f, d));
    bool plain = is_plain(f, schema);
    X->d = d;
    X->n = f->count.held;
    if (plain && f->held.blocks == 1) { /* they lie there already */
        X->x = f->held.block[0].x;
        f->held.block[0].x = NULL;
        return st;
    }
    NY_NEW_RAW(ctx, X->x, f->count.held > 0 ? d * f->count.held : 1);
    for (int64_t b = 0; b < f->held.blocks; b++) {
        ny_block *block = &f->held.block[b];
        if (plain) memcpy(X->x + done_rows * d, block->x, (size_t)(block->rows * d) * sizeof *block->x);
        for (int64_t i = 0; !plain && i < block->rows; i++)
            encode_row(schema, f, block->x + i * slots, X->x + (done_rows + i) * d);
        done_rows += block->rows;
        ny_free(block->x);
        *block = (ny_block){0};
    }
done:
    return st;
}

ny_status ny_reader_frame_learn(ny_ctx *ctx, ny_reader *r, ny_data *data) {
    ny_status st = NY_OK;
    ny_frame *f = &r->frame;
    if (f->like) NY_TRY(ny_schema_copy(ctx, f->like, &data->schema));
    else NY_TRY(learn_schema(ctx, f, &data->schema));
    if (!f->like) ny_identify_tell(ctx, f);
    NY_TRY(ny_target_learn(ctx, &f->target, f->like == NULL, data));
    data->weighted = f->layout->weight >= 0;
    data->weight_sum = f->count.weight_sum;
    data->weight_rows = data->weighted ? f->count.weight_rows : f->count.rows;
done:
    return st;
}

ny_status ny_reader_frame_take(ny_ctx *ctx, ny_reader *r, const ny_schema *schema, ny_data *data) {
    ny_status st = NY_OK;
    ny_frame *f = &r->frame;
    ny_held *h = &f->held;
    NY_TRY(encode_rows(ctx, f, schema, &data->X));
    ny_target_take(&f->target, data);
    data->weight = h->weight;
    h->weight = NULL;
    h->weight_room = 0;
    data->lacks = h->lacks;
    h->lacks = NULL;
    h->lacks_room = 0;
    if (f->layout->id >= 0) {
        if (!(data->id_name = ny_strdup(ctx, f->layout->named ? ny_layout_name(f->layout, f->layout->id) : "id")))
            return NY_ERR_MEMORY;
        data->id = h->id;
        data->id_at = h->id_at;
        h->id = NULL;
        h->id_at = NULL;
        h->id_used = h->id_room = h->id_at_room = 0;
    }
    ny_frame_recycle(f);
done:
    return st;
}

/* ---- the other steps of a reader with a frame --------------------------------------------------------------- */

ny_status ny_reader_frame_init(ny_ctx *ctx, ny_reader *r, const ny_options *options, const ny_kind *kind) {
    ny_status st = NY_OK;
    if (r->like) NY_TRY(ny_layout_apply(ctx, options, r->like, &r->layout));
    else NY_TRY(ny_layout_learn(ctx, options, kind, &r->layout));
    for (int64_t f = 0; f < r->layout.fields && r->na.numbers; f++)
        if (r->layout.field[f].role == NY_ROLE_NUMBER) r->layout.field[f].role = NY_ROLE_LOCAL;
    NY_TRY(ny_frame_init(ctx, &r->layout, options, &r->na, r->like, &r->frame));
    r->target = &r->frame.target;
done:
    return st;
}

void ny_reader_frame_count(ny_reader *r) {
    r->count = r->frame.count;
}

ny_status ny_reader_frame_check(ny_ctx *ctx, ny_reader *r) {
    ny_status st = NY_OK;
    if (!r->like && !r->frame.learnt && r->frame.count.rows > 0) NY_TRY(ny_identify_end(ctx, &r->frame));
    NY_TRY(ny_frame_check(ctx, &r->frame));
done:
    return st;
}

void ny_reader_frame_recycle(ny_reader *r) {
    ny_frame_recycle(&r->frame);
}

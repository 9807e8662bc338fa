/* frame.c: one field at a time, each by its role; what is wrong is told with file, line and field number. */
#include "frame.h"

#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "base/number.h"
#include "identify.h"

enum { BLOCK_FIRST = 1 << 12, BLOCK_MOST = 1 << 20 }; /* doubles */

static ny_status fill_levels(ny_ctx *ctx, const ny_column *column, ny_dict *level) {
    ny_status st = NY_OK;
    for (int64_t k = 0; k < column->levels; k++) {
        int64_t number;
        NY_TRY(ny_dict_add(ctx, level, column->level[k], (int64_t)strlen(column->level[k]), &number));
        NY_CHECK(ctx, number == k, NY_ERR_MODEL, "the model has the level \"%s\" twice in column \"%s\"",
                 column->level[k], column->name);
    }
done:
    return st;
}

ny_status ny_frame_init(ny_ctx *ctx, const ny_layout *layout, const ny_options *options, const ny_na *na,
                        const ny_schema *like, ny_frame *f) {
    ny_status st = NY_OK;
    memset(f, 0, sizeof *f);
    f->layout = layout;
    f->like = like;
    f->na = na;
    f->identify = !like && !(options->ignore && strcmp(options->ignore, "none") == 0);
    f->policy = options->missing == NY_MISSING_AUTO ? NY_MISSING_ERROR : options->missing;
    NY_NEW(ctx, f->slot.level, layout->slots + 1);
    NY_NEW(ctx, f->slot.category, layout->slots + 1);
    NY_NEW(ctx, f->slot.sum, layout->slots + 1);
    NY_NEW(ctx, f->slot.count, layout->slots + 1);
    NY_NEW(ctx, f->slot.left_out, layout->slots + 1);
    NY_NEW(ctx, f->slot.counting, layout->slots + 1);
    NY_NEW(ctx, f->slot.from, layout->slots + 1);
    NY_NEW(ctx, f->slot.missing, layout->slots + 1);
    NY_NEW(ctx, f->slot.line, layout->slots + 1);
    for (int64_t s = 0; s < layout->slots; s++)
        if (layout->field[layout->slot_field[s]].role == NY_ROLE_CATEGORY) f->slot.category[f->slot.categories++] = s;
    f->slot.adjacent = true;
    for (int64_t s = 1; s < layout->slots; s++)
        f->slot.adjacent = f->slot.adjacent && layout->slot_field[s] == layout->slot_field[s - 1] + 1;
    for (int64_t s = 0; like && !like->sparse && s < layout->slots; s++)
        NY_TRY(fill_levels(ctx, &like->column[s], &f->slot.level[s].dict));
done:
    return st;
}

void ny_frame_clear(ny_frame *f) {
    for (int64_t b = 0; b < f->held.blocks; b++) ny_free(f->held.block[b].x);
    for (int64_t s = 0; f->slot.level && s < f->layout->slots; s++) {
        ny_dict_clear(&f->slot.level[s].dict);
        ny_free(f->slot.level[s].rows);
        ny_free(f->slot.level[s].place);
    }
    ny_free(f->held.block);
    ny_free(f->slot.level);
    ny_free(f->slot.category);
    ny_free(f->slot.sum);
    ny_free(f->slot.count);
    ny_free(f->slot.left_out);
    ny_free(f->slot.counting);
    ny_free(f->slot.from);
    ny_free(f->slot.missing);
    ny_free(f->slot.line);
    ny_free(f->held.weight);
    ny_free(f->held.lacks);
    ny_free(f->held.id);
    ny_free(f->held.id_at);
    ny_target_clear(&f->target);
    memset(f, 0, sizeof *f);
}

/* Room for more rows: all that are expected in the first block if that can be had, then ever larger ones. */
static ny_status add_block(ny_ctx *ctx, ny_frame *f) {
    ny_status st = NY_OK;
    ny_held *h = &f->held;
    int64_t slots = f->layout->slots, room = h->blocks ? 2 * h->block[h->blocks - 1].room : BLOCK_FIRST / slots;
    if (room > BLOCK_MOST / slots) room = BLOCK_MOST / slots;
    if (room < 1) room = 1;
    NY_GROW(ctx, h->block, h->block_room, h->blocks + 1);
    ny_block *block = &h->block[h->blocks];
    *block = (ny_block){.room = f->expected};
    if (h->blocks == 0 && f->expected > room)
        block->x = ny_alloc_raw(ctx, ny_size3(f->expected, slots, 1), sizeof *block->x);
    if (!block->x) {
        block->room = room;
        NY_NEW_RAW(ctx, block->x, room * slots);
    }
    h->blocks++;
done:
    return st;
}

ny_status ny_frame_begin(ny_ctx *ctx, ny_frame *f) {
    ny_status st = NY_OK;
    ny_held *h = &f->held;
    if (h->blocks == 0 || h->block[h->blocks - 1].rows == h->block[h->blocks - 1].room) NY_TRY(add_block(ctx, f));
    if (f->layout->weight >= 0) NY_GROW(ctx, h->weight, h->weight_room, f->count.held + 1);
    if (f->marks) NY_GROW(ctx, h->lacks, h->lacks_room, f->count.held + 1);
    const ny_block *last = &h->block[h->blocks - 1];
    f->row = (ny_row){.x = last->x + last->rows * f->layout->slots};
done:
    return st;
}

/* The levels and sums that the schema will be made of. */
static ny_status learn_row(ny_ctx *ctx, ny_frame *f) {
    ny_status st = NY_OK;
    int64_t slots = f->layout->slots;
    const double *row = f->row.x;
    for (int64_t c = 0; c < f->slot.categories; c++) {
        ny_levels *level = &f->slot.level[f->slot.category[c]];
        double k = row[f->slot.category[c]];
        if (!(k >= 0)) continue; /* missing, or an identifier */
        if ((int64_t)k >= level->room) {
            int64_t had = level->room;
            NY_GROW(ctx, level->rows, level->room, (int64_t)k + 1);
            memset(level->rows + had, 0, (size_t)(level->room - had) * sizeof *level->rows);
        }
        level->rows[(int64_t)k]++;
    }
    ny_identify_row(f);
    if (f->row.nan == 0) {
        for (int64_t s = 0; s < slots; s++) f->slot.sum[s] += row[s];
        for (int64_t s = 0; s < slots; s++) f->slot.count[s]++;
        return st;
    }
    for (int64_t s = 0; s < slots; s++) {
        bool there = !isnan(row[s]);
        f->slot.sum[s] += there ? row[s] : 0;
        f->slot.count[s] += there;
    }
done:
    return st;
}

ny_status ny_frame_end(ny_ctx *ctx, ny_frame *f) {
    if (f->row.missing && !f->marks) {
        f->count.dropped++;
        return NY_OK;
    }
    if (f->marks) f->held.lacks[f->count.held] = f->row.missing;
    f->count.lacking += f->row.missing;
    if (!f->like && !f->learnt) {
        ny_status st = learn_row(ctx, f);
        if (st != NY_OK) return st;
    }
    if (f->layout->weight >= 0) {
        f->count.weight_sum += f->held.weight[f->count.held];
        f->count.weight_rows += f->held.weight[f->count.held] > 0;
    }
    f->held.block[f->held.blocks - 1].rows++;
    f->count.rows++;
    f->count.held++;
    f->held.nan += f->row.nan;
    f->count.unseen += f->row.unseen;
    if (f->layout->target >= 0) ny_target_end(&f->target);
    return NY_OK;
}

void ny_frame_recycle(ny_frame *f) {
    ny_held *h = &f->held;
    for (int64_t b = 1; b < h->blocks; b++) ny_free(h->block[b].x);
    if (h->blocks > 0) h->blocks = h->block[0].x != NULL;
    if (h->blocks > 0) h->block[0].rows = 0;
    f->count.held = h->nan = f->target.held = h->id_used = 0;
}

void ny_frame_restart(ny_frame *f) {
    ny_frame_recycle(f);
    ny_target_restart(&f->target);
    f->count = (ny_counts){0};
    memset(f->slot.missing, 0, (size_t)(f->layout->slots + 1) * sizeof *f->slot.missing);
    f->learnt = true;
}

/* ---- errors with a position --------------------------------------------------------------------------------- */

/* A field of a column of numbers or dates that is none, or of another form than the column. */
static ny_status not_a_number(ny_ctx *ctx, const ny_frame *f, int64_t line, int64_t field, const char *shown) {
    const char *file = f->layout->source, *name = ny_layout_name(f->layout, field);
    ny_form form = f->layout->field[field].form;
    double value[NY_FORMS];
    unsigned fits = ny_form_all(shown, (int64_t)strlen(shown), value);
    bool numbers = form <= NY_FORM_COMMA; /* and the field may be one, spelt in another way */
    const char *hint = numbers && (fits & (1u << NY_FORM_POINT | 1u << NY_FORM_COMMA))
                           ? "; --decimal says which decimal sign the file has"
                           : "";
    if (f->layout->field[field].role == NY_ROLE_WEIGHT)
        return ny_error(ctx, NY_ERR_DATA, "%s:%lld:%lld: the weight '%s' is not a number (column \"%s\")%s", file,
                        (long long)line, (long long)field + 1, shown, name, hint);
    if (f->like && form == NY_FORM_PLAIN)
        return ny_error(ctx, NY_ERR_DATA,
                        "%s:%lld:%lld: '%s' is not a number (column \"%s\", which held numbers in training)%s", file,
                        (long long)line, (long long)field + 1, shown, name, hint);
    if (f->like)
        return ny_error(ctx, NY_ERR_DATA, "%s:%lld:%lld: '%s' does not fit column \"%s\", which in training held %s%s",
                        file, (long long)line, (long long)field + 1, shown, name, ny_form_told(form), hint);
    if (form != NY_FORM_PLAIN)
        return ny_error(ctx, NY_ERR_DATA,
                        "%s:%lld:%lld: '%s' does not fit column \"%s\", which holds %s; --categorical %s treats the "
                        "column as categories, --na is for words that mean a missing value%s",
                        file, (long long)line, (long long)field + 1, shown, name, ny_form_told(form), name, hint);
    return ny_error(ctx, NY_ERR_DATA,
                    "%s:%lld:%lld: '%s' is not a number (column \"%s\"); --categorical %s treats the column as "
                    "categories; if '%s' means that the value is missing, write NA or use --na, and see --missing%s",
                    file, (long long)line, (long long)field + 1, shown, name, name, shown, hint);
}

static ny_status check_size(ny_ctx *ctx, const ny_frame *f, int64_t line, int64_t field, double v, const char *shown) {
    bool bad_weight = f->layout->field[field].role == NY_ROLE_WEIGHT && v < 0;
    if (fabs(v) <= NY_VALUE_LIMIT && !bad_weight) return NY_OK;
    return ny_error(
        ctx, NY_ERR_DATA, "%s:%lld:%lld: '%s' is %s (column \"%s\")", f->layout->source, (long long)line,
        (long long)field + 1, shown,
        bad_weight ? "a negative weight" : "too large: magnitudes may not exceed 1e150, or squares overflow",
        ny_layout_name(f->layout, field));
}

/* ---- the fields --------------------------------------------------------------------------------------------- */

static ny_status set_missing(ny_ctx *ctx, ny_frame *f, int64_t line, int64_t field) {
    ny_field role = f->layout->field[field];
    if (role.role == NY_ROLE_TARGET) { /* a model can predict without it, so its row is not dropped then */
        if (f->policy == NY_MISSING_DROP && !f->like) f->row.missing = true;
        else ny_target_missing(&f->target, line, field + 1);
        return NY_OK;
    }
    if (role.role == NY_ROLE_WEIGHT && f->policy != NY_MISSING_DROP)
        return ny_error(ctx, NY_ERR_DATA,
                        "%s:%lld:%lld: the weight is missing (column \"%s\"); --missing drop leaves such rows out",
                        f->layout->source, (long long)line, (long long)field + 1, ny_layout_name(f->layout, field));
    if (f->policy == NY_MISSING_DROP) f->row.missing = true;
    if (f->marks) { /* nobody looks at the value */
        if (role.role == NY_ROLE_WEIGHT) f->held.weight[f->count.held] = 0;
        else f->row.x[role.slot] = role.role == NY_ROLE_CATEGORY ? -1 : 0;
    } else if (role.role != NY_ROLE_WEIGHT) {
        f->row.x[role.slot] = NAN;
        f->row.nan++;
    }
    int64_t slot = role.role == NY_ROLE_WEIGHT ? f->layout->slots : role.slot;
    f->count.missing++;
    if (f->slot.missing[slot]++ == 0) f->slot.line[slot] = line;
    return NY_OK;
}

static void set_value(ny_frame *f, int64_t field, double v) {
    ny_field role = f->layout->field[field];
    if (role.role == NY_ROLE_WEIGHT) f->held.weight[f->count.held] = v;
    else f->row.x[role.slot] = v;
}

static ny_status set_category(ny_ctx *ctx, ny_frame *f, int64_t line, int64_t field, const char *text, int64_t length) {
    ny_status st = NY_OK;
    int64_t slot = f->layout->field[field].slot, k;
    ny_dict *level = &f->slot.level[slot].dict;
    if (f->slot.left_out[slot]) {
        k = -1;
    } else if (f->learnt) {
        k = ny_dict_find(level, text, length);
        NY_CHECK(ctx, k >= 0, NY_ERR_DATA,
                 "%s:%lld:%lld: a category that was not there before: the file has changed while it was in use",
                 f->layout->source, (long long)line, (long long)field + 1);
    } else if (f->like) { /* an unknown level is -1: all zeros */
        k = ny_dict_find(level, text, length);
        f->row.unseen += k < 0;
    } else {
        NY_TRY(ny_dict_add(ctx, level, text, length, &k));
        if (level->count > NY_LEVELS_MAX && ny_identify_early(f, slot)) k = -1;
        f->misfit = level->count > NY_LEVELS_MAX;
        NY_CHECK(ctx, level->count <= NY_LEVELS_MAX, NY_ERR_DATA,
                 "%s:%lld:%lld: column \"%s\" has more than %d different texts, too many for categories: --ignore %s "
                 "leaves it out",
                 f->layout->source, (long long)line, (long long)field + 1, ny_layout_name(f->layout, field),
                 NY_LEVELS_MAX, ny_layout_name(f->layout, field));
    }
    f->row.x[slot] = (double)k;
done:
    return st;
}

/* Values in a local form become plain numbers, also as labels. */
static ny_status set_target(ny_ctx *ctx, ny_frame *f, int64_t field, const char *text, int64_t length) {
    ny_form form = f->layout->field[field].form;
    char shown[NY_EXCERPT];
    double v;
    if (form == NY_FORM_PLAIN) return ny_target_text(ctx, &f->target, text, length);
    if (ny_form_parse(form, text, length, &v)) return ny_target_number(ctx, &f->target, v);
    return ny_error(ctx, NY_ERR_DATA, "the target '%s' does not fit column \"%s\", which holds %s",
                    ny_excerpt(text, length, shown), ny_layout_name(f->layout, field), ny_form_told(form));
}

/* With a model an unusable target is no error: prediction does not need it. Rows to judge by do. */
static ny_status target_status(ny_ctx *ctx, ny_frame *f, int64_t line, int64_t field, ny_status st) {
    if (st != NY_ERR_DATA) return st;
    f->misfit = true;
    ny_error_prefix(ctx, st, "%s:%lld:%lld: ", f->layout->source, (long long)line, (long long)field + 1);
    if (!f->like || f->target.known) return st;
    ny_log(ctx, NY_LOG_WARNING, "%s; read without a target", ctx->message);
    f->target.lost = true;
    return NY_OK;
}

ny_status ny_frame_text(ny_ctx *ctx, ny_frame *f, int64_t line, int64_t field, const char *text, int64_t length) {
    ny_status st = NY_OK;
    char shown[NY_EXCERPT];
    double v;
    ny_role role = f->layout->field[field].role;
    if (role == NY_ROLE_IGNORE) return st;
    if (ny_na_text(f->na, text, length)) return set_missing(ctx, f, line, field);
    if (role == NY_ROLE_TARGET) return target_status(ctx, f, line, field, set_target(ctx, f, field, text, length));
    if (role == NY_ROLE_CATEGORY) return set_category(ctx, f, line, field, text, length);
    if (!ny_form_parse(f->layout->field[field].form, text, length, &v))
        return f->misfit = true, not_a_number(ctx, f, line, field, ny_excerpt(text, length, shown));
    if (f->na->numbers && ny_na_number(f->na, v)) return set_missing(ctx, f, line, field);
    NY_TRY(check_size(ctx, f, line, field, v, ny_excerpt(text, length, shown)));
    set_value(f, field, v);
done:
    return st;
}

/* The same of a field that is a number already. */
static ny_status put_number(ny_ctx *ctx, ny_frame *f, int64_t line, int64_t field, double v) {
    ny_status st = NY_OK;
    char text[NY_NUMBER_TEXT];
    ny_role role = f->layout->field[field].role;
    if (role == NY_ROLE_IGNORE) return st;
    if (isnan(v) || ny_na_number(f->na, v)) return set_missing(ctx, f, line, field);
    if (role == NY_ROLE_TARGET) return target_status(ctx, f, line, field, ny_target_number(ctx, &f->target, v));
    if (role == NY_ROLE_CATEGORY) {
        int length = ny_number_format(v, text);
        return set_category(ctx, f, line, field, text, length);
    }
    if (!(v >= 0 && v <= NY_VALUE_LIMIT)) { /* rarely, so the text is made only now */
        ny_number_format(v, text);
        NY_TRY(check_size(ctx, f, line, field, v, text));
    }
    set_value(f, field, v);
done:
    return st;
}

ny_status ny_frame_id(ny_ctx *ctx, ny_frame *f, const char *text, int64_t length) {
    ny_status st = NY_OK;
    NY_GROW(ctx, f->held.id_at, f->held.id_at_room, f->count.held + 1);
    NY_GROW(ctx, f->held.id, f->held.id_room, f->held.id_used + length + 1);
    f->held.id_at[f->count.held] = f->held.id_used;
    memcpy(f->held.id + f->held.id_used, text, (size_t)length);
    f->held.id[f->held.id_used + length] = 0;
    f->held.id_used += length + 1;
done:
    return st;
}

/* Whether a row of numbers needs no second look: nothing missing, too large or of categories. Then it is stored. */
static bool store_plain(ny_frame *f, const double *field) {
    const ny_layout *l = f->layout;
    int64_t slots = l->slots;
    double *row = f->row.x;
    bool good = f->slot.categories == 0 && !f->na->numbers;
    if (f->slot.adjacent) memcpy(row, field + l->slot_field[0], (size_t)slots * sizeof *row);
    else
        for (int64_t s = 0; s < slots; s++) row[s] = field[l->slot_field[s]];
    int bad = 0;
    for (int64_t s = 0; s < slots; s++) bad |= !(fabs(row[s]) <= NY_VALUE_LIMIT);
    if (l->target >= 0) good = good && fabs(field[l->target]) <= NY_VALUE_LIMIT;
    if (l->weight >= 0) {
        f->held.weight[f->count.held] = field[l->weight];
        good = good && field[l->weight] >= 0 && field[l->weight] <= NY_VALUE_LIMIT;
    }
    return good && !bad;
}

ny_status ny_frame_numbers(ny_ctx *ctx, ny_frame *f, int64_t line, const double *field) {
    ny_status st = NY_OK;
    NY_TRY(ny_frame_begin(ctx, f));
    if (f->layout->id >= 0) {
        char text[NY_NUMBER_TEXT];
        int length = isnan(field[f->layout->id]) ? 0 : ny_number_format(field[f->layout->id], text);
        NY_TRY(ny_frame_id(ctx, f, text, length));
    }
    if (store_plain(f, field)) {
        int64_t at = f->layout->target;
        if (at >= 0) NY_TRY(target_status(ctx, f, line, at, ny_target_number(ctx, &f->target, field[at])));
    } else {
        for (int64_t k = 0; k < f->layout->fields; k++) NY_TRY(put_number(ctx, f, line, k, field[k]));
    }
    NY_TRY(ny_frame_end(ctx, f));
done:
    return st;
}

/* identify.c: a text column is an identifier when most of its texts belong to one row only: its one-hot inputs then say
 * nothing about other rows. A number is one when it counts the rows (0 or 1, 2, 3 ...) and is called so; one that
 * counts the rows under another name (a year, a time) may be an input, so it stays, and a warning tells. */
#include "identify.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { COUNT_ROWS = 5 }; /* fewer rows may count by chance: 5! = 120 orders */

bool ny_mostly_unseen(int64_t rows, int64_t singles) {
    return (double)singles > 0.5 * (double)rows + sqrt((double)rows);
}

static const ny_field *field_of(const ny_frame *f, int64_t slot) {
    return &f->layout->field[f->layout->slot_field[slot]];
}

static const char *name_of(const ny_frame *f, int64_t slot) {
    return ny_layout_name(f->layout, f->layout->slot_field[slot]);
}

void ny_identify_row(ny_frame *f) {
    int64_t row = f->count.rows + f->count.dropped; /* rows of the file before this one */
    if (f->count.rows == 0) {
        for (int64_t s = 0; s < f->layout->slots; s++) {
            const ny_field *field = field_of(f, s);
            bool number = field->role != NY_ROLE_CATEGORY && field->form <= NY_FORM_COMMA;
            f->slot.from[s] = f->row.x[s] - (double)row;
            if (number && f->row.x[s] == floor(f->row.x[s])) f->slot.counting[f->slot.countings++] = s;
        }
    }
    for (int64_t k = 0; k < f->slot.countings;) {
        int64_t s = f->slot.counting[k];
        if (f->row.x[s] == f->slot.from[s] + (double)row) k++;
        else f->slot.counting[k] = f->slot.counting[--f->slot.countings];
    }
}

static bool is_identifier(const ny_frame *f, int64_t slot) {
    const ny_levels *level = &f->slot.level[slot];
    int64_t rows = 0, singles = 0;
    if (!f->identify || field_of(f, slot)->asked) return false;
    for (int64_t k = 0; k < level->room; k++) {
        rows += level->rows[k];
        singles += level->rows[k] == 1;
    }
    return ny_mostly_unseen(rows, singles);
}

bool ny_identify_early(ny_frame *f, int64_t slot) {
    if (!is_identifier(f, slot)) return false;
    f->slot.left_out[slot] = f->slot.any_left_out = true;
    ny_dict_clear(&f->slot.level[slot].dict);
    return true;
}

/* Letters of any case, without asking the locale. */
static bool is_one_of(const char *name, const char *const *words, size_t count) {
    for (size_t w = 0; w < count; w++) {
        const char *p = name, *q = words[w];
        while (*q && ((*p >= 'A' && *p <= 'Z' ? *p | 32 : *p) == *q)) p++, q++;
        if (!*p && !*q) return true;
    }
    return false;
}

/* As tables of records call the number of a record, and as R (nothing) and pandas call the number of a row. */
static bool is_called_so(const ny_frame *f, int64_t slot) {
    static const char *const words[] = {"id", "rowid", "row_id", "row id", "rownames", "index", "idx", "unnamed: 0"};
    return field_of(f, slot)->nameless || is_one_of(name_of(f, slot), words, sizeof words / sizeof *words);
}

ny_status ny_identify_end(ny_ctx *ctx, ny_frame *f) {
    ny_status st = NY_OK;
    int64_t left = 0;
    for (int64_t c = 0; c < f->slot.categories; c++) {
        int64_t s = f->slot.category[c];
        f->slot.left_out[s] = f->slot.left_out[s] || is_identifier(f, s);
    }
    for (int64_t k = 0; k < f->slot.countings && f->identify && f->count.rows >= COUNT_ROWS; k++) {
        int64_t s = f->slot.counting[k];
        f->slot.left_out[s] =
            is_called_so(f, s) && (f->slot.from[s] == 0 || f->slot.from[s] == 1) && !field_of(f, s)->asked;
    }
    for (int64_t s = 0; s < f->layout->slots; s++) left += !f->slot.left_out[s];
    f->slot.any_left_out = left < f->layout->slots;
    NY_CHECK(
        ctx, left > 0, NY_ERR_DATA,
        "%s has no input columns but identifiers, as \"%s\", which name their row; --categorical NAME keeps one of "
        "texts, --ignore none keeps all",
        f->layout->source, name_of(f, 0));
done:
    return st;
}

/* ---- telling ------------------------------------------------------------------------------------------------ */

/* "a", "b" and 3 more: the columns that `wanted` picks; their number. */
static int64_t list(const ny_frame *f, bool (*wanted)(const ny_frame *, int64_t, ny_form), ny_form form, char *out,
                    size_t size) {
    enum { SHOWN = 4 };
    int64_t count = 0;
    size_t used = 0;
    char shown[NY_EXCERPT];
    for (int64_t k = 0; k < f->layout->fields; k++) {
        if (!wanted(f, k, form)) continue;
        const char *name = ny_layout_name(f->layout, k);
        if (count++ < SHOWN)
            used += (size_t)snprintf(out + used, size - used, "%s\"%s\"", count > 1 ? ", " : "",
                                     ny_excerpt(name, (int64_t)strlen(name), shown));
    }
    if (count > SHOWN) snprintf(out + used, size - used, " and %lld more", (long long)count - SHOWN);
    return count;
}

static bool is_slot(ny_role role) {
    return role == NY_ROLE_NUMBER || role == NY_ROLE_LOCAL || role == NY_ROLE_CATEGORY;
}

static bool has_form(const ny_frame *f, int64_t field, ny_form form) {
    const ny_field *l = &f->layout->field[field];
    return l->role != NY_ROLE_IGNORE && l->role != NY_ROLE_CATEGORY && l->form == form && l->local;
}

static bool is_left_out(const ny_frame *f, int64_t field, ny_form form) {
    (void)form;
    const ny_field *l = &f->layout->field[field];
    return is_slot(l->role) && f->slot.left_out[l->slot];
}

static bool counts_rows(const ny_frame *f, int64_t field, ny_form form) {
    (void)form;
    const ny_field *l = &f->layout->field[field];
    bool counts = false;
    for (int64_t k = 0; k < f->slot.countings; k++) counts = counts || f->slot.counting[k] == l->slot;
    return is_slot(l->role) && counts && !f->slot.left_out[l->slot];
}

/* Categories most of which are numbers: then the others may be words for missing values. */
static void tell_mixed(ny_ctx *ctx, const ny_frame *f) {
    enum { FEW = 3 };
    double value[NY_FORMS];
    for (int64_t c = 0; c < f->slot.categories; c++) {
        int64_t s = f->slot.category[c], numbers = 0, texts = 0, text = 0;
        const ny_dict *dict = &f->slot.level[s].dict;
        if (f->slot.left_out[s] || field_of(f, s)->asked) continue;
        for (int64_t k = 0; k < dict->count; k++) {
            bool number = ny_form_all(ny_dict_text(dict, k), dict->length[k], value) != 0;
            if (!number) text = k;
            numbers += number;
            texts += !number;
        }
        if (numbers < FEW || numbers <= texts) continue;
        char shown[NY_EXCERPT];
        ny_log(ctx, NY_LOG_WARNING,
               "%s: column \"%s\" is taken as categories, though %lld of its %lld values are numbers; if '%s' means a "
               "missing value, use --na; --categorical %s keeps the column so",
               f->layout->source, name_of(f, s), (long long)numbers, (long long)dict->count,
               ny_excerpt(ny_dict_text(dict, text), dict->length[text], shown), name_of(f, s));
    }
}

void ny_identify_tell(ny_ctx *ctx, const ny_frame *f) {
    char names[512];
    const char *file = f->layout->source;
    for (int form = NY_FORM_PLAIN + 1; form < NY_FORMS; form++) {
        int64_t count = list(f, has_form, (ny_form)form, names, sizeof names);
        if (count > 0)
            ny_log(ctx, NY_LOG_INFO, "%s: column%s %s hold%s %s", file, count > 1 ? "s" : "", names,
                   count > 1 ? "" : "s", ny_form_told((ny_form)form));
    }
    tell_mixed(ctx, f);
    int64_t count = list(f, is_left_out, NY_FORM_PLAIN, names, sizeof names);
    if (count > 0)
        ny_log(ctx, NY_LOG_WARNING,
               "%s: column%s %s name%s the rows (identifier%s) and %s left out; --ignore none keeps %s", file,
               count > 1 ? "s" : "", names, count > 1 ? "" : "s", count > 1 ? "s" : "", count > 1 ? "are" : "is",
               count > 1 ? "them" : "it");
    if (f->identify && f->count.rows >= COUNT_ROWS && list(f, counts_rows, NY_FORM_PLAIN, names, sizeof names) > 0)
        ny_log(ctx, NY_LOG_WARNING,
               "%s: column %s counts the rows and is an input; if it is only their number, leave it out (--ignore)",
               file, names);
}

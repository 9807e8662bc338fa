/* csv_sample.c: the rules for the header. With --header auto, the first record is a header
 *   1. when a model has named columns and all of them are in it; else
 *   2. when one of its fields is a text although the column holds numbers below; else
 *   3. when none of its fields is a number or empty, no two are equal, and none occurs again in its column below (so
 *      a table of texts only has a header unless its first row looks like the others). */
#include "csv_sample.h"

#include <string.h>

#include "base/alloc.h"
#include "table/dict.h"

void ny_csv_sample_clear(ny_csv_sample *s) {
    for (int64_t f = 0; s->first && f < s->fields; f++) ny_free(s->first[f]);
    ny_free(s->first);
    ny_free(s->count);
    ny_free(s->again);
    ny_free(s->kind);
    memset(s, 0, sizeof *s);
}

static ny_status take_first(ny_ctx *ctx, ny_csv *csv, const ny_csv_record *record, ny_csv_sample *s) {
    ny_status st = NY_OK;
    int64_t room = 0;
    s->first_line = record->line;
    for (const char *p = record->begin; p; s->fields++) {
        ny_csv_text text;
        NY_TRY(ny_csv_field(ctx, csv, record, s->fields, &p, &text));
        NY_GROW(ctx, s->first, room, s->fields + 1);
        if (!(s->first[s->fields] = ny_strndup(ctx, text.at, text.length))) return NY_ERR_MEMORY;
    }
    NY_NEW(ctx, s->count, s->fields);
    NY_NEW(ctx, s->again, s->fields);
    NY_NEW(ctx, s->kind, s->fields);
done:
    return st;
}

/* Counts one record below the first. A wrong number of fields is left to the reader to report. */
static ny_status count_record(ny_ctx *ctx, ny_csv *csv, const ny_csv_record *record, const ny_na *na,
                              ny_csv_sample *s) {
    ny_status st = NY_OK;
    const char *p = record->begin;
    for (int64_t f = 0; p && f < s->fields; f++) {
        ny_csv_text text;
        NY_TRY(ny_csv_field(ctx, csv, record, f, &p, &text));
        if (ny_na_text(na, text.at, text.length)) continue;
        ny_form_count_text(&s->count[f], record->line, text.at, text.length);
        s->again[f] =
            s->again[f] || (strncmp(s->first[f], text.at, (size_t)text.length) == 0 && s->first[f][text.length] == 0);
    }
    s->rows++;
done:
    return st;
}

static ny_status has_model_names(ny_ctx *ctx, const ny_csv_sample *s, const ny_schema *like, bool *all) {
    ny_status st = NY_OK;
    ny_dict names = {0};
    int64_t number;
    *all = like && like->named && like->columns > 0;
    if (!*all) return st;
    for (int64_t f = 0; f < s->fields; f++)
        NY_TRY(ny_dict_add(ctx, &names, s->first[f], (int64_t)strlen(s->first[f]), &number));
    for (int64_t c = 0; *all && c < like->columns; c++)
        *all = ny_dict_find(&names, like->column[c].name, (int64_t)strlen(like->column[c].name)) >= 0;
done:
    ny_dict_clear(&names);
    return st;
}

/* What the first record has in field f; as dates and numbers are told apart, 2024-01-31 may name a column of numbers.
 */
typedef enum { NOTHING, TEXT, NUMBER, DATE } first_kind;

static first_kind first_holds(const ny_csv_sample *s, const ny_na *na, int64_t f) {
    int64_t length = (int64_t)strlen(s->first[f]);
    double value[NY_FORMS];
    if (ny_na_text(na, s->first[f], length)) return NOTHING;
    unsigned fits = ny_form_all(s->first[f], length, value);
    return fits == 0 ? TEXT : fits >> NY_FORM_DATE == 0 ? NUMBER : DATE;
}

static bool text_over_numbers(const ny_csv_sample *s, const ny_na *na) {
    for (int64_t f = 0; f < s->fields; f++) {
        const ny_form_count *c = &s->count[f];
        first_kind first = first_holds(s, na, f);
        int64_t most = ny_form_most(c);
        bool dates =
            c->fits[NY_FORM_DATE] == most || c->fits[NY_FORM_DATE_DMY] == most || c->fits[NY_FORM_DATE_MDY] == most;
        if ((first == TEXT || (first == DATE && !dates)) && 2 * most > c->values) return true;
    }
    return false;
}

static ny_status is_odd_one_out(ny_ctx *ctx, const ny_csv_sample *s, const ny_na *na, bool *odd) {
    ny_status st = NY_OK;
    ny_dict names = {0};
    int64_t number;
    *odd = true;
    for (int64_t f = 0; *odd && f < s->fields; f++) {
        int64_t length = (int64_t)strlen(s->first[f]);
        *odd = !s->again[f] && first_holds(s, na, f) == TEXT;
        NY_TRY(ny_dict_add(ctx, &names, s->first[f], length, &number));
        *odd = *odd && number == f;
    }
done:
    ny_dict_clear(&names);
    return st;
}

static ny_status decide_header(ny_ctx *ctx, const ny_options *options, const ny_na *na, const ny_schema *like,
                               ny_csv_sample *s) {
    ny_status st = NY_OK;
    s->header = options->header == NY_HEADER_YES;
    if (options->header != NY_HEADER_AUTO) return st;
    NY_TRY(has_model_names(ctx, s, like, &s->header));
    if (!s->header) s->header = text_over_numbers(s, na);
    if (!s->header) NY_TRY(is_odd_one_out(ctx, s, na, &s->header));
done:
    return st;
}

ny_status ny_csv_sample_take(ny_ctx *ctx, ny_csv *csv, const ny_options *options, const ny_na *na,
                             const ny_schema *like, bool all, ny_csv_sample *s) {
    ny_status st = NY_OK;
    ny_csv_record record;
    bool found;
    memset(s, 0, sizeof *s);
    NY_TRY(ny_csv_next(ctx, csv, &record, &found));
    NY_CHECK(ctx, found, NY_ERR_DATA, "%s is empty: it has blank lines only", csv->source->name);
    NY_TRY(take_first(ctx, csv, &record, s));
    csv->pinned = csv->pinned && !all;
    while (all || (s->rows < NY_SAMPLE_ROWS && (s->rows == 0 || csv->cursor < NY_SAMPLE_BYTES))) {
        NY_TRY(ny_csv_next(ctx, csv, &record, &found));
        s->all = !found;
        if (!found) break;
        NY_TRY(count_record(ctx, csv, &record, na, s));
    }
    s->bytes = all ? 0 : csv->cursor;
    NY_TRY(decide_header(ctx, options, na, like, s));
    for (int64_t f = 0; !s->header && f < s->fields; f++)
        if (first_holds(s, na, f) != NOTHING)
            ny_form_count_text(&s->count[f], s->first_line, s->first[f], (int64_t)strlen(s->first[f]));
    ny_form_decide(s->fields, s->count, csv->delimiter, options->decimal, s->kind);
done:
    return st;
}

bool ny_csv_sample_unsure(const ny_csv_sample *s) {
    bool unsure = false;
    for (int64_t f = 0; f < s->fields; f++) unsure = unsure || s->kind[f].unsure;
    return unsure && !s->all;
}

/* csv_sample.c: the rules for the header. With --header auto, the first record is a header
 *   1. when a model has named columns and all of them are in it; else
 *   2. when one of its fields is a text although the column holds numbers below; else
 *   3. when none of its fields is a number or empty, no two are equal, and none occurs again in its column below (so
 *      a table of texts only has a header unless its first row looks like the others). */
#include "csv_sample.h"

#include <string.h>

#include "base/number.h"
#include "dict.h"
#include "grow.h"

void ny_csv_sample_clear(ny_csv_sample *s) {
    for (int64_t f = 0; s->first && f < s->fields; f++) ny_free(s->first[f]);
    ny_free(s->first);
    ny_free(s->numbers);
    ny_free(s->texts);
    ny_free(s->again);
    ny_free(s->text);
    memset(s, 0, sizeof *s);
}

static bool is_number(const char *text, int64_t length) {
    double v;
    return ny_number_parse(text, length, &v) || ny_number_infinite(text, length);
}

/* "1,5" in a file with semicolons: a number to its writer. */
static bool has_decimal_comma(const char *text, int64_t length) {
    char plain[NY_NUMBER_TEXT];
    const char *comma = memchr(text, ',', (size_t)length);
    if (!comma || length > NY_NUMBER_TEXT) return false;
    memcpy(plain, text, (size_t)length);
    plain[comma - text] = '.';
    return is_number(plain, length);
}

static ny_status take_first(ny_ctx *ctx, ny_csv *csv, const ny_csv_record *record, ny_csv_sample *s) {
    ny_status st = NY_OK;
    int64_t room = 0;
    for (const char *p = record->begin; p; s->fields++) {
        ny_csv_text text;
        NY_TRY(ny_csv_field(ctx, csv, record, s->fields, &p, &text));
        NY_GROW(ctx, s->first, room, s->fields + 1);
        if (!(s->first[s->fields] = ny_strndup(ctx, text.at, text.length))) return NY_ERR_MEMORY;
    }
    NY_NEW(ctx, s->numbers, s->fields);
    NY_NEW(ctx, s->texts, s->fields);
    NY_NEW(ctx, s->again, s->fields);
    NY_NEW(ctx, s->text, s->fields);
done:
    return st;
}

/* Counts one record below the first. A wrong number of fields is left to the reader to report. */
static ny_status count_record(ny_ctx *ctx, ny_csv *csv, const ny_csv_record *record, ny_csv_sample *s) {
    ny_status st = NY_OK;
    const char *p = record->begin;
    for (int64_t f = 0; p && f < s->fields; f++) {
        ny_csv_text text;
        NY_TRY(ny_csv_field(ctx, csv, record, f, &p, &text));
        if (ny_text_missing(text.at, text.length)) continue;
        bool number = is_number(text.at, text.length);
        if (!number && s->comma_line == 0 && csv->delimiter != ',' && has_decimal_comma(text.at, text.length)) {
            s->comma_line = record->line;
            s->comma_field = f + 1;
        }
        s->numbers[f] += number;
        s->texts[f] += !number;
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

static bool text_over_numbers(const ny_csv_sample *s) {
    for (int64_t f = 0; f < s->fields; f++) {
        int64_t length = (int64_t)strlen(s->first[f]);
        bool text = !ny_text_missing(s->first[f], length) && !is_number(s->first[f], length);
        if (text && s->numbers[f] > s->texts[f]) return true;
    }
    return false;
}

static ny_status is_odd_one_out(ny_ctx *ctx, const ny_csv_sample *s, bool *odd) {
    ny_status st = NY_OK;
    ny_dict names = {0};
    int64_t number;
    *odd = true;
    for (int64_t f = 0; *odd && f < s->fields; f++) {
        int64_t length = (int64_t)strlen(s->first[f]);
        *odd = !s->again[f] && !ny_text_missing(s->first[f], length) && !is_number(s->first[f], length);
        NY_TRY(ny_dict_add(ctx, &names, s->first[f], length, &number));
        *odd = *odd && number == f;
    }
done:
    ny_dict_clear(&names);
    return st;
}

static ny_status decide_header(ny_ctx *ctx, const ny_options *options, const ny_schema *like, ny_csv_sample *s) {
    ny_status st = NY_OK;
    const char *word = options->header ? options->header : "auto";
    s->header = strcmp(word, "yes") == 0;
    if (strcmp(word, "auto") != 0) return st;
    NY_TRY(has_model_names(ctx, s, like, &s->header));
    if (!s->header) s->header = text_over_numbers(s);
    if (!s->header) NY_TRY(is_odd_one_out(ctx, s, &s->header));
done:
    return st;
}

ny_status ny_csv_sample_take(ny_ctx *ctx, ny_csv *csv, const ny_options *options, const ny_schema *like,
                             ny_csv_sample *s) {
    ny_status st = NY_OK;
    ny_csv_record record;
    bool found;
    memset(s, 0, sizeof *s);
    NY_TRY(ny_csv_next(ctx, csv, &record, &found));
    NY_CHECK(ctx, found, NY_ERR_DATA, "%s is empty: it has blank lines only", csv->source->name);
    NY_TRY(take_first(ctx, csv, &record, s));
    while (s->rows < NY_SAMPLE_ROWS && (s->rows == 0 || csv->cursor < NY_SAMPLE_BYTES)) {
        NY_TRY(ny_csv_next(ctx, csv, &record, &found));
        if (!found) break;
        NY_TRY(count_record(ctx, csv, &record, s));
    }
    s->bytes = csv->cursor;
    NY_TRY(decide_header(ctx, options, like, s));
    for (int64_t f = 0; f < s->fields; f++) {
        int64_t length = (int64_t)strlen(s->first[f]), number = is_number(s->first[f], length);
        int64_t counts = !s->header && !ny_text_missing(s->first[f], length);
        s->text[f] = s->texts[f] + counts * !number > s->numbers[f] + counts * number;
    }
done:
    return st;
}

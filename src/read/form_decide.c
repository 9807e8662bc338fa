/* form_decide.c: which form a column has. A column decides for itself where it can: 27,61 has a decimal comma and 3.5
 * a point, since digits are grouped by threes. A column where every number could be either (1,234) goes by the other
 * columns of the file, and by a semicolon between the fields, which spreadsheets write where the comma is the decimal
 * sign. Where these say nothing or both, the file is refused. Dates likewise: 31/12/2024 tells what 01/02/2024 is. */
#include <string.h>

#include "table/form.h"

void ny_form_count_text(ny_form_count *c, int64_t line, const char *text, int64_t length) {
    double value[NY_FORMS];
    unsigned fits = ny_form_all(text, length, value);
    c->values++;
    for (int form = 0; form < NY_FORMS; form++) c->fits[form] += fits >> form & 1;
    c->local = c->local || (fits && !(fits & 1u << NY_FORM_PLAIN)) || memchr(text, '.', (size_t)length);
    static const ny_form pair[][2] = {
        {NY_FORM_POINT, NY_FORM_COMMA}, {NY_FORM_PERCENT, NY_FORM_PERCENT_COMMA}, {NY_FORM_DATE_DMY, NY_FORM_DATE_MDY}};
    for (int k = 0; k < 3; k++) {
        unsigned both = 1u << pair[k][0] | 1u << pair[k][1];
        if ((fits & both) != both || value[pair[k][0]] == value[pair[k][1]]) continue;
        int64_t *line_of = k == 2 ? &c->date_line : &c->line;
        if (c->line == 0 && c->date_line == 0) ny_excerpt(text, length, c->shown);
        if (*line_of == 0) *line_of = line;
    }
}

int64_t ny_form_most(const ny_form_count *c) {
    int64_t most = 0;
    for (int form = 0; form < NY_FORMS; form++)
        if (c->fits[form] > most) most = c->fits[form];
    return most;
}

/* A question with two answers, by most of the fields of each column: has the file a decimal point or comma? */
typedef struct leaning {
    bool first, second;
} leaning;

typedef struct file_view {
    leaning number, date; /* point or comma; day or month first */
    bool point, comma;    /* allowed as decimal signs */
    bool forced;          /* --decimal says which */
} file_view;

static int64_t fits(const file_view *v, const ny_form_count *c, ny_form form) {
    bool comma = form == NY_FORM_COMMA || form == NY_FORM_PERCENT_COMMA;
    bool point = form == NY_FORM_POINT || form == NY_FORM_PERCENT || form == NY_FORM_PLAIN;
    return (comma && !v->comma) || (point && !v->point) ? 0 : c->fits[form];
}

static void lean(const file_view *v, const ny_form_count *c, ny_form a, ny_form b, leaning *to) {
    int64_t x = fits(v, c, a), y = fits(v, c, b);
    to->first = to->first || (x > y && 2 * x > c->values);
    to->second = to->second || (y > x && 2 * y > c->values);
}

static file_view look(int64_t columns, const ny_form_count *count, char delimiter, ny_decimal_option decimal) {
    file_view v = {.point = decimal != NY_DECIMAL_COMMA, .comma = decimal != NY_DECIMAL_POINT};
    v.forced = !v.point || !v.comma;
    for (int64_t f = 0; f < columns; f++) {
        const ny_form_count *c = &count[f];
        lean(&v, c, NY_FORM_POINT, NY_FORM_COMMA, &v.number);
        lean(&v, c, NY_FORM_PERCENT, NY_FORM_PERCENT_COMMA, &v.number);
        lean(&v, c, NY_FORM_DATE_DMY, NY_FORM_DATE_MDY, &v.date);
        bool commas = c->fits[NY_FORM_PLAIN] < c->fits[NY_FORM_COMMA];
        if (delimiter == ';' && commas && 2 * c->fits[NY_FORM_COMMA] > c->values) v.number.second = true;
    }
    if (v.forced) v.number = (leaning){v.point, v.comma};
    return v;
}

/* Of two forms that fit equally many fields: `second`, or else the first. */
static bool second_of_two(const leaning *file, bool depends, bool usual, ny_kind *kind) {
    if (!depends) return file->second && !file->first; /* the same either way; of a piece with the file */
    if (usual && !file->second) return false;          /* 1.234 in a file without a decimal comma */
    kind->unsure = true;
    kind->ambiguous = file->first == file->second;
    return file->second;
}

static ny_form number_form(const file_view *v, const ny_form_count *c, ny_kind *kind) {
    int64_t point = fits(v, c, NY_FORM_POINT), comma = fits(v, c, NY_FORM_COMMA);
    bool plain = fits(v, c, NY_FORM_PLAIN) == point, second = comma > point;
    if (point == comma) second = second_of_two(&v->number, c->line > 0, plain, kind);
    return second ? NY_FORM_COMMA : plain ? NY_FORM_PLAIN : NY_FORM_POINT;
}

static ny_form percent_form(const file_view *v, const ny_form_count *c, ny_kind *kind) {
    int64_t point = fits(v, c, NY_FORM_PERCENT), comma = fits(v, c, NY_FORM_PERCENT_COMMA);
    bool second = comma > point;
    if (point == comma) second = second_of_two(&v->number, c->line > 0, false, kind);
    return second ? NY_FORM_PERCENT_COMMA : NY_FORM_PERCENT;
}

static ny_form date_form(const file_view *v, const ny_form_count *c, ny_kind *kind) {
    int64_t year = c->fits[NY_FORM_DATE], day = c->fits[NY_FORM_DATE_DMY], month = c->fits[NY_FORM_DATE_MDY];
    if (year >= day && year >= month) return NY_FORM_DATE;
    bool second = month > day;
    if (month == day) second = second_of_two(&v->date, c->date_line > 0, false, kind);
    return second ? NY_FORM_DATE_MDY : NY_FORM_DATE_DMY;
}

static int64_t larger(int64_t a, int64_t b) {
    return a > b ? a : b;
}

void ny_form_decide(int64_t columns, const ny_form_count *count, char delimiter, ny_decimal_option decimal,
                    ny_kind *kind) {
    file_view v = look(columns, count, delimiter, decimal);
    for (int64_t f = 0; f < columns; f++) {
        const ny_form_count *c = &count[f];
        ny_kind *k = &kind[f];
        *k = (ny_kind){.form = v.number.second && !v.number.first ? NY_FORM_COMMA : NY_FORM_PLAIN};
        if (c->values == 0) continue;
        int64_t number = larger(fits(&v, c, NY_FORM_POINT), fits(&v, c, NY_FORM_COMMA));
        int64_t percent = larger(fits(&v, c, NY_FORM_PERCENT), fits(&v, c, NY_FORM_PERCENT_COMMA));
        int64_t date = larger(c->fits[NY_FORM_DATE], larger(c->fits[NY_FORM_DATE_DMY], c->fits[NY_FORM_DATE_MDY]));
        int64_t most = larger(number, larger(percent, date));
        k->text = 2 * most < c->values;
        k->all = most == c->values;
        k->local = c->local;
        if (k->text) continue;
        k->form = number == most    ? number_form(&v, c, k)
                  : percent == most ? percent_form(&v, c, k)
                                    : date_form(&v, c, k);
    }
}

ny_form ny_form_decimal(ny_form form, ny_decimal_option decimal) {
    bool point = decimal == NY_DECIMAL_POINT, comma = decimal == NY_DECIMAL_COMMA;
    switch (form) {
        case NY_FORM_PLAIN:
        case NY_FORM_POINT:
        case NY_FORM_COMMA:
            return point ? NY_FORM_POINT : comma ? NY_FORM_COMMA : form;
        case NY_FORM_PERCENT:
        case NY_FORM_PERCENT_COMMA:
            return point ? NY_FORM_PERCENT : comma ? NY_FORM_PERCENT_COMMA : form;
        default:
            return form;
    }
}

ny_status ny_form_refuse(ny_ctx *ctx, const char *file, int64_t column, const char *name, const ny_form_count *c) {
    char first[NY_NUMBER_TEXT], second[NY_NUMBER_TEXT];
    double value[NY_FORMS];
    unsigned all = ny_form_all(c->shown, (int64_t)strlen(c->shown), value);
    if (c->date_line > 0)
        return ny_error(ctx, NY_ERR_DATA,
                        "%s:%lld:%lld: '%s' has either the day or the month first (column \"%s\"), and no date of the "
                        "file tells which; write dates as 2024-12-31, or leave the column out (--ignore %s)",
                        file, (long long)c->date_line, (long long)column + 1, c->shown, name, name);
    bool percent = all & 1u << NY_FORM_PERCENT;
    ny_number_format(value[percent ? NY_FORM_PERCENT : NY_FORM_POINT], first);
    ny_number_format(value[percent ? NY_FORM_PERCENT_COMMA : NY_FORM_COMMA], second);
    return ny_error(ctx, NY_ERR_DATA,
                    "%s:%lld:%lld: '%s' is %s or %s (column \"%s\"), and the other numbers of the file do not tell "
                    "which; --decimal . reads the first, --decimal , the second",
                    file, (long long)c->line, (long long)column + 1, c->shown, first, second, name);
}

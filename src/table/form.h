/* form.h: how the numbers and dates of a column are written. A column has one form; every field of it must fit. */
#ifndef NY_FORM_H
#define NY_FORM_H

#include "base/ctx.h"
#include "base/number.h"
#include "options/options.h"

/* X(form, its word in models, what `info` and notes call it) */
#define NY_FORM_LIST(X)                                                           \
    X(PLAIN, "plain", "numbers")                                                  \
    X(POINT, "point", "numbers with grouped digits and a decimal point")          \
    X(COMMA, "comma", "numbers with a decimal comma")                             \
    X(PERCENT, "percent", "percentages: 5% is 5")                                 \
    X(PERCENT_COMMA, "percent-comma", "percentages with a decimal comma")         \
    X(DATE, "date", "dates, as days since 1970-01-01")                            \
    X(DATE_DMY, "date-dmy", "dates (day, month, year), as days since 1970-01-01") \
    X(DATE_MDY, "date-mdy", "dates (month, day, year), as days since 1970-01-01")

typedef enum ny_form {
#define X(form, word, told) NY_FORM_##form,
    NY_FORM_LIST(X)
#undef X
        NY_FORMS
} ny_form;

/* Its word in models, and what people are told; static texts. */
const char *ny_form_word(ny_form form);
const char *ny_form_told(ny_form form);
/* The form of that word; NY_FORMS when there is none. */
ny_form ny_form_find(const char *word);

/* Whether the whole text is of this form. Digits may be grouped by threes in every form of numbers but plain: by the
 * comma or point that is not the decimal sign, by blanks (of any width) or by apostrophes. A date may have a time
 * behind it. inf is a number: it is refused later, as too large. */
bool ny_form_parse(ny_form form, const char *text, int64_t length, double *value);
/* The forms that the text fits, as bits 1 << form, and its value in each of them. */
unsigned ny_form_all(const char *text, int64_t length, double value[NY_FORMS]);

/* ---- which form a column has -------------------------------------------------------------------------------- */

typedef struct ny_form_count { /* of one column */
    int64_t values;            /* fields that are not missing */
    int64_t fits[NY_FORMS];    /* how many of them fit each form */
    int64_t line, date_line;   /* the first whose value depends on the form, as a number and as a date; 0: none */
    char shown[NY_EXCERPT];    /* the first of them */
    bool local;                /* some number or date is not spelt as a plain number */
} ny_form_count;

typedef struct ny_kind { /* of one column */
    bool text;           /* most of its fields are neither numbers nor dates */
    bool all;            /* every field fits the form */
    bool local;          /* some field is not spelt as a plain number */
    bool unsure;    /* the form was told by other columns, or is `ambiguous`: rows not counted may tell otherwise */
    bool ambiguous; /* fields mean different things in two forms, and nothing tells which */
    ny_form form;
} ny_kind;

/* Counts one field, which is not missing, of that line of the file. */
void ny_form_count_text(ny_form_count *count, int64_t line, const char *text, int64_t length);
/* How many fields fit the form that most fit. */
int64_t ny_form_most(const ny_form_count *count);
/* By the column first, by the other columns where it can be either. */
void ny_form_decide(int64_t columns, const ny_form_count *count, char delimiter, ny_decimal_option decimal,
                    ny_kind *kind);
/* A form as --decimal would have it. */
ny_form ny_form_decimal(ny_form form, ny_decimal_option decimal);
/* NY_ERR_DATA that names the place, both meanings and the remedy. */
ny_status ny_form_refuse(ny_ctx *ctx, const char *file, int64_t column, const char *name, const ny_form_count *count);

#endif

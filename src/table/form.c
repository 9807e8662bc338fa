/* form.c: numbers in local spellings and dates. */
#include "form.h"

#include <math.h>
#include <string.h>

enum { SPELLING_MAX = 96 }; /* a longer text is plain or nothing */

static const char *const words[] = {
#define X(form, word, told) word,
    NY_FORM_LIST(X)
#undef X
};
static const char *const tellings[] = {
#define X(form, word, told) told,
    NY_FORM_LIST(X)
#undef X
};

const char *ny_form_word(ny_form form) {
    return words[form];
}
const char *ny_form_told(ny_form form) {
    return tellings[form];
}
ny_form ny_form_find(const char *word) {
    int k = 0;
    while (k < NY_FORMS && strcmp(words[k], word) != 0) k++;
    return (ny_form)k;
}

static inline bool is_digit(char c) {
    return (unsigned char)(c - '0') < 10;
}

/* ---- numbers ------------------------------------------------------------------------------------------------ */

/* The length of the sign that groups digits at p, or 0. U+00A0, U+2009, U+202F and U+2019 are blanks and the
 * apostrophe as typeset. */
static int64_t group_sign(const char *p, const char *end, char other) {
    static const char *const wide[] = {"\xc2\xa0", "\xe2\x80\x89", "\xe2\x80\xaf", "\xe2\x80\x99"};
    if (p == end) return 0;
    if (*p == other || *p == ' ' || *p == '\'') return 1;
    for (size_t k = 0; k < sizeof wide / sizeof *wide; k++) {
        int64_t length = (int64_t)strlen(wide[k]);
        if (end - p >= length && memcmp(p, wide[k], (size_t)length) == 0) return length;
    }
    return 0;
}

/* The whole part at p without its group signs, to *out: one to three digits, then threes, all parted by one sign.
 * "0.123" is no group of 0 and 123: a grouped number does not begin with 0. NULL when the groups are not threes. */
static const char *copy_groups(const char *p, const char *end, char other, char **out) {
    const char *first = p, *sign = NULL;
    int64_t sign_length = 0;
    while (p < end && is_digit(*p)) *(*out)++ = *p++;
    if (p - first > 3 || p == first || *first == '0') return p;
    for (;;) {
        int64_t length = group_sign(p, end, other);
        if (length == 0) return p;
        if (sign && (length != sign_length || memcmp(sign, p, (size_t)length) != 0)) return NULL;
        sign = p;
        sign_length = length;
        p += length;
        for (int k = 0; k < 3; k++, p++) {
            if (p == end || !is_digit(*p)) return NULL;
            *(*out)++ = *p;
        }
        if (p < end && is_digit(*p)) return NULL;
    }
}

static bool parse_local(const char *text, int64_t length, char decimal, double *value) {
    char plain[SPELLING_MAX + 1], *out = plain;
    const char *p = text, *end = text + length;
    if (length > SPELLING_MAX || length == 0) return false;
    if (*p == '-' || *p == '+') *out++ = *p++;
    if (!(p = copy_groups(p, end, decimal == '.' ? ',' : '.', &out))) return false;
    if (p < end && *p == decimal) *out++ = '.', p++;
    for (; p < end; p++) { /* digits and an exponent: the rest is for the plain parser to judge */
        if (*p == '.' || *p == ',') return false;
        *out++ = *p;
    }
    return ny_number_parse(plain, out - plain, value);
}

static bool parse_percent(const char *text, int64_t length, char decimal, double *value) {
    if (length < 2 || text[length - 1] != '%') return false;
    for (length--; length > 0 && text[length - 1] == ' ';) length--;
    return parse_local(text, length, decimal, value);
}

static bool parse_plain(const char *text, int64_t length, double *value) {
    if (ny_number_parse(text, length, value)) return true;
    if (!ny_number_infinite(text, length)) return false;
    *value = *text == '-' ? -INFINITY : INFINITY;
    return true;
}

/* ---- dates -------------------------------------------------------------------------------------------------- */

/* At least `least` and at most `most` digits at *p; -1 when they are not there. */
static int64_t digits_at(const char **p, const char *end, int least, int most, int *count) {
    int64_t v = 0;
    for (*count = 0; *count < most && *p < end && is_digit(**p); ++*p, ++*count) v = v * 10 + (**p - '0');
    return *count >= least ? v : -1;
}

/* Days since 1970-01-01 in the Gregorian calendar; NAN when there is no such day. The year begins in March, so that the
 * leap day is its last: 365 y + y/4 - y/100 + y/400 + (153 m + 2)/5 + d. */
static double days_of(int64_t year, int64_t month, int64_t day) {
    static const int lengths[] = {31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    bool leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    if (year < 1 || month < 1 || month > 12 || day < 1 || day > lengths[month - 1]) return NAN;
    if (month == 2 && day == 29 && !leap) return NAN;
    int64_t m = (month + 9) % 12, y = year - (month <= 2);
    return (double)(365 * y + y / 4 - y / 100 + y / 400 + (153 * m + 2) / 5 + day - 1 - 719468);
}

/* hh:mm[:ss[.fff]][ AM|PM][Z|+hh[:mm]] as a share of a day. */
static bool parse_time(const char *p, const char *end, double *share) {
    int count;
    double seconds = 0;
    int64_t hours = digits_at(&p, end, 1, 2, &count), minutes;
    if (hours < 0 || hours > 24 || p == end || *p++ != ':') return false;
    minutes = digits_at(&p, end, 2, 2, &count);
    if (minutes < 0 || minutes > 59) return false;
    if (p < end && *p == ':') {
        const char *begin = ++p;
        while (p < end && (is_digit(*p) || *p == '.')) p++;
        if (p - begin < 2 || p - begin > 20 || !ny_number_parse(begin, p - begin, &seconds) || seconds >= 61)
            return false;
    }
    while (p < end && *p == ' ') p++;
    if (end - p >= 2 && ((*p | 32) == 'a' || (*p | 32) == 'p') && (p[1] | 32) == 'm') {
        if (hours < 1 || hours > 12) return false;
        hours = hours % 12 + ((*p | 32) == 'p' ? 12 : 0);
        p += 2;
    }
    int64_t zone = 0; /* minutes */
    if (p < end && *p == 'Z') p++;
    else if (p < end && (*p == '+' || *p == '-')) {
        int64_t sign = *p++ == '-' ? -1 : 1, zone_hours = digits_at(&p, end, 2, 2, &count), zone_minutes = 0;
        if (p < end && *p == ':') p++;
        if (p < end) zone_minutes = digits_at(&p, end, 2, 2, &count);
        if (zone_hours < 0 || zone_hours > 14 || zone_minutes < 0 || zone_minutes > 59) return false;
        zone = sign * (60 * zone_hours + zone_minutes);
    }
    *share = ((double)(60 * hours + minutes - zone) * 60 + seconds) / 86400;
    return p == end;
}

/* Three numbers parted twice by the same sign. Years have four digits; two mean 1969 to 2068, as POSIX has it, and then
 * day and month must have two as well: 1.2.10 is a version, not a date. */
static bool parse_date(ny_form form, const char *text, int64_t length, double *value) {
    const char *p = text, *end = text + length;
    int count[3];
    int64_t v[3];
    bool year_first = form == NY_FORM_DATE;
    if (length < 8 || length > SPELLING_MAX) return false;
    v[0] = digits_at(&p, end, year_first ? 4 : 1, year_first ? 4 : 2, &count[0]);
    char sign = p < end ? *p : 0;
    bool known = sign == '-' || sign == '/' || (sign == '.' && form != NY_FORM_DATE_MDY);
    if (v[0] < 0 || !known) return false;
    p++;
    v[1] = digits_at(&p, end, 1, 2, &count[1]);
    if (v[1] < 0 || p == end || *p++ != sign) return false;
    v[2] = digits_at(&p, end, year_first ? 1 : 2, year_first ? 2 : 4, &count[2]);
    if (v[2] < 0 || (!year_first && count[2] == 3)) return false;
    if (!year_first && count[2] == 2) {
        if (count[0] != 2 || count[1] != 2) return false;
        v[2] += v[2] < 69 ? 2000 : 1900;
    }
    double days = year_first                 ? days_of(v[0], v[1], v[2])
                  : form == NY_FORM_DATE_DMY ? days_of(v[2], v[1], v[0])
                                             : days_of(v[2], v[0], v[1]);
    double share = 0;
    if (isnan(days)) return false;
    if (p < end) {
        if ((*p != 'T' && *p != ' ') || !parse_time(p + 1, end, &share)) return false;
    }
    *value = days + share;
    return true;
}

/* ---- any form ----------------------------------------------------------------------------------------------- */

bool ny_form_parse(ny_form form, const char *text, int64_t length, double *value) {
    switch (form) {
        case NY_FORM_PLAIN:
            return parse_plain(text, length, value);
        case NY_FORM_POINT:
            return parse_plain(text, length, value) || parse_local(text, length, '.', value);
        case NY_FORM_COMMA:
            return parse_local(text, length, ',', value) ||
                   (!memchr(text, '.', (size_t)length) && parse_plain(text, length, value));
        case NY_FORM_PERCENT:
            return parse_percent(text, length, '.', value);
        case NY_FORM_PERCENT_COMMA:
            return parse_percent(text, length, ',', value);
        case NY_FORM_DATE:
        case NY_FORM_DATE_DMY:
        case NY_FORM_DATE_MDY:
            return parse_date(form, text, length, value);
        case NY_FORMS:
            break;
    }
    return false;
}

unsigned ny_form_all(const char *text, int64_t length, double value[NY_FORMS]) {
    unsigned fits = 0;
    bool possible = length > 0 && (is_digit(*text) || memchr("+-.,iI", *text, 6));
    for (int form = 0; possible && form < NY_FORMS; form++)
        if (ny_form_parse((ny_form)form, text, length, &value[form])) fits |= 1u << form;
    return fits;
}

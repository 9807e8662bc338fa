/* number.c: exact decimal conversion. Nearly every number in a file has at most 19 digits and a small exponent, so
 * that mantissa and power of ten are exact in one machine number and a single rounded operation gives the nearest
 * double (Clinger 1990, "How to read floating point numbers accurately"); the rest goes to strtod_l. */
#include "number.h"

#include <float.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <threads.h>

/* More digits than this never change the nearest double, but for being zero or not: 767 decide any halfway case. */
enum { DIGITS_MAX = 800, FAST_DIGITS = 19, POWERS = 22, POWERS_LONG = 27 };

static const double ten[POWERS + 1] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                       1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

static inline bool is_digit(char c) {
    return (unsigned char)(c - '0') < 10;
}

#if LDBL_MANT_DIG == 64
static const long double ten_long[POWERS_LONG + 1] = {
    1e0L,  1e1L,  1e2L,  1e3L,  1e4L,  1e5L,  1e6L,  1e7L,  1e8L,  1e9L,  1e10L, 1e11L, 1e12L, 1e13L,
    1e14L, 1e15L, 1e16L, 1e17L, 1e18L, 1e19L, 1e20L, 1e21L, 1e22L, 1e23L, 1e24L, 1e25L, 1e26L, 1e27L};

/* m * 10^exponent where m needs more than 53 bits: exact factors in 64 bits, one rounding to 64, one to 53. The two
 * roundings differ from a single one only when the eleven bits dropped are exactly half. */
static bool convert_long(uint64_t m, int64_t exponent, double *value) {
    if (exponent < -POWERS_LONG || exponent > POWERS_LONG) return false;
    long double r = exponent < 0 ? (long double)m / ten_long[-exponent] : (long double)m * ten_long[exponent];
    uint64_t bits;
    memcpy(&bits, &r, sizeof bits);
    if ((bits & 0x7ff) == 0x400) return false;
    *value = (double)r;
    return true;
}
#else
static bool convert_long(uint64_t m, int64_t exponent, double *value) {
    (void)m, (void)exponent, (void)value;
    return false;
}
#endif

static bool convert_fast(uint64_t m, int64_t exponent, double *value) {
    if (m == 0) return *value = 0.0, true;
    if (m > (uint64_t)1 << DBL_MANT_DIG || exponent < -POWERS || exponent > POWERS)
        return convert_long(m, exponent, value);
    *value = exponent < 0 ? (double)m / ten[-exponent] : (double)m * ten[exponent];
    return true;
}

static locale_t plain_locale;
static void make_plain_locale(void) {
    plain_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
}

/* The digits (and the point) of [p, end) times 10^exponent, whatever their number. */
static double convert_slow(const char *p, const char *end, int64_t exponent) {
    static once_flag once = ONCE_FLAG_INIT;
    call_once(&once, make_plain_locale);
    char text[DIGITS_MAX + NY_NUMBER_TEXT];
    int kept = 0;
    bool more = false;
    for (; p < end; p++) {
        if (*p == '.' || (kept == 0 && *p == '0')) continue;
        if (kept < DIGITS_MAX) {
            text[kept++] = *p;
        } else {
            more |= *p != '0';
            exponent++;
        }
    }
    if (more) { /* a last digit that only says "a little above" */
        text[kept++] = '1';
        exponent--;
    }
    if (kept == 0) return 0.0;
    snprintf(text + kept, sizeof text - (size_t)kept, "e%lld", (long long)exponent);
    return strtod_l(text, NULL, plain_locale);
}

/* Reads an exponent at p, which is at the e; p itself when it is not one. Huge ones are capped far beyond any use. */
static const char *scan_exponent(const char *p, const char *end, int64_t *exponent) {
    const char *q = p + 1;
    bool negative = false;
    if (q < end && (*q == '-' || *q == '+')) negative = *q++ == '-';
    if (q == end || !is_digit(*q)) return p;
    int64_t e = 0;
    for (; q < end && is_digit(*q); q++)
        if (e < 100000000000000) e = e * 10 + (*q - '0');
    *exponent += negative ? -e : e;
    return q;
}

const char *ny_number_scan(const char *p, const char *end, double *value) {
    bool negative = p < end && *p == '-';
    p += negative || (p < end && *p == '+');
    const char *first = p;
    uint64_t m = 0; /* wraps when there are too many digits; then it is not used */
    for (; p < end && is_digit(*p); p++) m = m * 10 + (uint64_t)(*p - '0');
    int64_t digits = p - first, exponent = 0;
    if (p < end && *p == '.') {
        const char *point = p++;
        for (; p < end && is_digit(*p); p++) m = m * 10 + (uint64_t)(*p - '0');
        exponent = point + 1 - p;
        digits -= exponent;
    }
    if (digits == 0) return NULL;
    const char *last = p;
    if (p < end && (*p | 32) == 'e') p = scan_exponent(p, end, &exponent);
    if (digits > FAST_DIGITS)
        for (const char *q = first; q < last && (*q == '0' || *q == '.'); q++) digits -= *q == '0';
    double v;
    if (digits > FAST_DIGITS || !convert_fast(m, exponent, &v)) v = convert_slow(first, last, exponent);
    *value = negative ? -v : v;
    return p;
}

bool ny_number_parse(const char *text, int64_t length, double *value) {
    return ny_number_scan(text, text + length, value) == text + length && length > 0;
}

bool ny_number_whole(const char *text, int64_t length, int64_t *value) {
    int64_t i = 0, v = 0;
    bool negative = length > 0 && text[0] == '-';
    if (length > 0 && (text[0] == '-' || text[0] == '+')) i++;
    if (i == length) return false;
    for (; i < length; i++) {
        if (!is_digit(text[i])) return false;
        if (__builtin_mul_overflow(v, 10, &v) || __builtin_add_overflow(v, text[i] - '0', &v)) return false;
    }
    *value = negative ? -v : v;
    return true;
}

static bool same_word(const char *text, int64_t length, const char *word) {
    return length == (int64_t)strlen(word) && memcmp(text, word, (size_t)length) == 0;
}

/* By hand: strcasecmp would ask the locale. `word` is in small letters. */
static bool same_letters(const char *text, int64_t length, const char *word) {
    if (length != (int64_t)strlen(word)) return false;
    for (int64_t i = 0; i < length; i++)
        if ((text[i] | 32) != word[i]) return false;
    return true;
}

bool ny_number_infinite(const char *text, int64_t length) {
    if (length > 0 && (*text == '-' || *text == '+')) text++, length--;
    return same_letters(text, length, "inf") || same_letters(text, length, "infinity");
}

bool ny_text_missing(const char *text, int64_t length) {
    if (length == 0) return true;
    if (length > 4) return false;
    static const char *const words[] = {"NA", "N/A", "?", "null", "NULL"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (same_word(text, length, words[i])) return true;
    if (*text == '-' || *text == '+') text++, length--;
    return same_letters(text, length, "nan");
}

/* snprintf writes the locale's decimal point, of whatever bytes; what is neither digit, sign nor e becomes one dot. */
static int plain_point(char *text) {
    int kept = 0;
    bool point = false;
    for (const char *p = text; *p; p++) {
        bool plain = is_digit(*p) || *p == '-' || *p == '+' || *p == 'e';
        if (plain) text[kept++] = *p;
        else if (!point) text[kept++] = '.';
        point = point || !plain;
    }
    text[kept] = 0;
    return kept;
}

int ny_number_format(double value, char text[NY_NUMBER_TEXT]) {
    if (!text) return 0;
    if (!isfinite(value)) return snprintf(text, NY_NUMBER_TEXT, isnan(value) ? "nan" : value < 0 ? "-inf" : "inf");
    int length = 0;
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(text, NY_NUMBER_TEXT, "%.*g", digits, value);
        length = plain_point(text);
        double back;
        if (ny_number_parse(text, length, &back) && back == value) break;
    }
    return length;
}

const char *ny_excerpt(const char *text, int64_t length, char out[NY_EXCERPT]) {
    int64_t room = NY_EXCERPT - 4, kept = length < room ? length : room;
    if (kept < length) /* not in the middle of a UTF-8 character */
        while (kept > 0 && ((unsigned char)text[kept] & 0xc0) == 0x80) kept--;
    for (int64_t i = 0; i < kept; i++) out[i] = (unsigned char)text[i] < 32 || text[i] == 127 ? '?' : text[i];
    snprintf(out + kept, 4, "%s", kept < length ? "..." : "");
    return out;
}

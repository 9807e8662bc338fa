/* utf8.c: the check of RFC 3629 (no overlong forms, no surrogates, nothing above U+10FFFF) and the Windows-1252 table.
 */
#include "utf8.h"

#include <string.h>

#include "nysel.h"

/* Bytes of the character at p, or 0 where there is none. */
static int64_t character(const unsigned char *p, int64_t left) {
    unsigned char c = p[0];
    if (c < 0x80) return 1;
    int64_t length = c >= 0xf0 ? 4 : c >= 0xe0 ? 3 : 2;
    if (c < 0xc2 || c > 0xf4 || length > left) return 0;
    for (int64_t i = 1; i < length; i++)
        if ((p[i] & 0xc0) != 0x80) return 0;
    bool bad = (c == 0xe0 && p[1] < 0xa0) || (c == 0xed && p[1] > 0x9f) || (c == 0xf0 && p[1] < 0x90) ||
               (c == 0xf4 && p[1] > 0x8f);
    return bad ? 0 : length;
}

bool ny_utf8_valid(const char *text, int64_t length) {
    const unsigned char *p = (const unsigned char *)text;
    for (int64_t i = 0, step; i < length; i += step)
        if ((step = character(p + i, length - i)) == 0) return false;
    return true;
}

int ny_is_utf8(const char *text) {
    return text && ny_utf8_valid(text, (int64_t)strlen(text));
}

int64_t ny_utf8_from_1252(const char *text, int64_t length, char *out) {
    static const uint16_t high[32] = {0x20ac, 0x81,   0x201a, 0x192,  0x201e, 0x2026, 0x2020, 0x2021,
                                      0x2c6,  0x2030, 0x160,  0x2039, 0x152,  0x8d,   0x17d,  0x8f,
                                      0x90,   0x2018, 0x2019, 0x201c, 0x201d, 0x2022, 0x2013, 0x2014,
                                      0x2dc,  0x2122, 0x161,  0x203a, 0x153,  0x9d,   0x17e,  0x178};
    int64_t n = 0;
    for (int64_t i = 0; i < length; i++) {
        unsigned c = (unsigned char)text[i];
        if (c >= 0x80 && c < 0xa0) c = high[c - 0x80];
        if (c < 0x80) {
            out[n++] = (char)c;
        } else if (c < 0x800) {
            out[n++] = (char)(0xc0 | c >> 6);
            out[n++] = (char)(0x80 | (c & 63));
        } else {
            out[n++] = (char)(0xe0 | c >> 12);
            out[n++] = (char)(0x80 | (c >> 6 & 63));
            out[n++] = (char)(0x80 | (c & 63));
        }
    }
    return n;
}

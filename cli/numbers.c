/* numbers.c: numbers and labels as text that reads back as the same. */
#include "numbers.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

void cli_number(char *text, size_t size, double v) {
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(text, size, "%.*g", digits, v);
        if (isnan(v) || strtod(text, NULL) == v) return;
    }
}

void cli_put_number(FILE *out, double v) {
    char text[32];
    cli_number(text, sizeof text, v);
    fputs(text, out);
}

void cli_put_csv(FILE *out, const char *before, const char *label) {
    if (!strpbrk(label, ",\"\r\n")) {
        fprintf(out, "%s%s", before, label);
        return;
    }
    fprintf(out, "\"%s", before);
    for (; *label; label++) {
        if (*label == '"') fputc('"', out);
        fputc(*label, out);
    }
    fputc('"', out);
}

/* Bytes of the UTF-8 character at s, 0 if there is none. */
static int utf8_length(const unsigned char *s) {
    int length = s[0] < 0x80 ? 1 : s[0] < 0xC2 ? 0 : s[0] < 0xE0 ? 2 : s[0] < 0xF0 ? 3 : s[0] < 0xF5 ? 4 : 0;
    for (int i = 1; i < length; i++)
        if ((s[i] & 0xC0) != 0x80) return 0; /* also at the end of the string */
    if ((s[0] == 0xE0 && s[1] < 0xA0) || (s[0] == 0xED && s[1] >= 0xA0)) return 0;
    if ((s[0] == 0xF0 && s[1] < 0x90) || (s[0] == 0xF4 && s[1] >= 0x90)) return 0;
    return length;
}

static bool is_utf8(const char *text) {
    const unsigned char *s = (const unsigned char *)text;
    int length;
    while (*s && (length = utf8_length(s)) > 0) s += length;
    return *s == 0;
}

/* A text that is not UTF-8 is written as Latin-1, one character for each byte, as the library does. */
void cli_put_json(FILE *out, const char *text) {
    bool plain = is_utf8(text);
    fputc('"', out);
    for (; *text; text++) {
        unsigned char c = (unsigned char)*text;
        if (c == '"' || c == '\\') fprintf(out, "\\%c", c);
        else if (c < 0x20 || (c >= 0x80 && !plain)) fprintf(out, "\\u%04x", c);
        else fputc(c, out);
    }
    fputc('"', out);
}

void cli_put_json_number(FILE *out, double v) {
    if (isfinite(v)) cli_put_number(out, v);
    else fputs("null", out);
}

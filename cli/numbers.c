/* numbers.c: numbers and labels as text that reads back as the same. */
#include "numbers.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include <nysel.h>

void cli_put_number(FILE *out, double v) {
    char text[NY_NUMBER_TEXT];
    ny_number_format(v, text);
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

/* A text that is not UTF-8 is written as Latin-1, one character for each byte, as the library does. */
void cli_put_json(FILE *out, const char *text) {
    bool plain = ny_is_utf8(text);
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

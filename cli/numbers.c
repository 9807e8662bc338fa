/* numbers.c: numbers and labels as text that reads back as the same. */
#include "numbers.h"

#include <math.h>
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

void cli_put_json(FILE *out, const char *text) {
    fputc('"', out);
    for (; *text; text++) {
        unsigned char c = (unsigned char)*text;
        if (c == '"' || c == '\\')
            fprintf(out, "\\%c", c);
        else if (c < 0x20)
            fprintf(out, "\\u%04x", c);
        else
            fputc(c, out);
    }
    fputc('"', out);
}

void cli_put_json_number(FILE *out, double v) {
    if (isfinite(v))
        cli_put_number(out, v);
    else
        fputs("null", out);
}

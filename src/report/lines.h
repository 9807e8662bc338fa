/* lines.h: text for people: a growing string, and numbers rounded the way one would say them. */
#ifndef NY_LINES_H
#define NY_LINES_H

#include "base/ctx.h"
#include "model/record.h"

/* Start with {.ctx = ctx}. A failed addition is remembered; ny_lines_take reports it. */
typedef struct ny_lines {
    ny_ctx *ctx;
    char *text;
    int64_t length, room;
    bool failed;
} ny_lines;

/* Appends a printf of any length. */
void ny_lines_add(ny_lines *lines, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* The text in a field of `width` characters: cut, or filled with blanks on the right (left for a negative width).
 * Counts characters of UTF-8, not bytes, and never cuts one in two. */
void ny_lines_field(ny_lines *lines, const char *text, int width);
/* How many characters of UTF-8 the text has. */
int ny_characters(const char *text);
/* Hands the text over (for ny_text_free) or frees it and says why there is none. */
ny_status ny_lines_take(ny_lines *lines, char **text);

typedef struct ny_word { /* by value, so that several can stand in one printf */
    char text[32];
} ny_word;

ny_word ny_say_number(double v);        /* 0.0731  16  1024  1.5e+09 */
ny_word ny_say_seconds(double seconds); /* 0.84 s  12.3 s  3 min 20 s  2 h 05 min */
ny_word ny_say_bytes(int64_t bytes);    /* 61 MB  1.2 GB */
ny_word ny_say_percent(double share);   /* 6.7%  0.03%; undefined */

/* ---- the model beside what does not look at the inputs ----------------------------------------------------------- */

/* The label of the most frequent class, "mean" or "quantiles". */
const char *ny_baseline_name(const ny_model *model);
/* "always saying 'LABEL'", or without a label "always the mean (or else) of the targets". */
void ny_lines_baseline(ny_lines *lines, const char *label, const char *else_what);
/* 1 - (error / that of the mean)^2, both held out; NAN where the model does not predict the mean. */
double ny_expected_r2(const ny_model *model);
/* What --bound found, where it was asked for; else nothing. */
void ny_lines_bound(ny_lines *lines, const ny_record *record);

#endif

/* number.h: text to double and back, exactly and without the locale. */
#ifndef NY_NUMBER_H
#define NY_NUMBER_H

#include <stdbool.h>
#include <stdint.h>

#include "nysel.h"

/* Larger magnitudes are refused in data: their squares, and so distances, would overflow. */
#define NY_VALUE_LIMIT 1e150

enum { NY_EXCERPT = 48 };

/* The decimal number at the start of [p, end): the first byte after it, or NULL when there is none. The value is the
 * nearest double (as strtod gives in the "C" locale). No blanks, no hexadecimal, no inf, no nan. */
const char *ny_number_scan(const char *p, const char *end, double *value);

/* True when the whole text is a number. */
bool ny_number_parse(const char *text, int64_t length, double *value);
/* True when the whole text is a whole number that fits. */
bool ny_number_whole(const char *text, int64_t length, int64_t *value);
/* inf, +inf, -infinity ... in any case. */
bool ny_number_infinite(const char *text, int64_t length);
/* What stands for "no value": nothing, NA, N/A, ?, null, NULL, or nan in any case and with any sign. */
bool ny_text_missing(const char *text, int64_t length);

/* A field as an error message may show it: control bytes as ?, cut short with ... */
const char *ny_excerpt(const char *text, int64_t length, char out[NY_EXCERPT]);

#endif

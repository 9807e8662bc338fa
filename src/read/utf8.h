/* utf8.h: texts that are not UTF-8. They are taken as Windows-1252, which Western spreadsheets write (and of which
 * Latin-1 is a part), so that names, categories and labels are proper UTF-8 in models and output. */
#ifndef NY_UTF8_H
#define NY_UTF8_H

#include <stdbool.h>
#include <stdint.h>

/* Whether `length` bytes are UTF-8. */
bool ny_utf8_valid(const char *text, int64_t length);
/* At most three bytes for each byte of the text. Returns the length. */
int64_t ny_utf8_from_1252(const char *text, int64_t length, char *out);

#endif

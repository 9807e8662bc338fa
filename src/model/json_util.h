/* json_util.h: what jansson leaves to us: numbers that are not finite, text that is not UTF-8, text in our memory.
 * jansson answers NULL or -1 when memory is short and passes that on (setting a NULL member fails), so writers collect
 * `bad |= json_object_set_new(...)` and look once. */
#ifndef NY_JSON_UTIL_H
#define NY_JSON_UTIL_H

#include <jansson.h>
#include <stdint.h>

#include "base/ctx.h"

/* For model files: exact and readable again. A number that is not finite becomes "nan", "inf" or "-inf". Text that is
 * not UTF-8 (any label may come from a Latin-1 file) becomes {"bytes": "..."}, one character for each byte. */
json_t *ny_json_exact(double v);
json_t *ny_json_bytes(ny_ctx *ctx, const char *text);
/* What ny_json_exact and ny_json_bytes wrote; anything else is NY_ERR_MODEL. The text is a copy for ny_free. */
ny_status ny_json_read_exact(ny_ctx *ctx, const json_t *value, double *v);
ny_status ny_json_read_bytes(ny_ctx *ctx, const json_t *value, char **text); /* a copy for ny_free */

/* For reports: null where a number is not finite; text that is not UTF-8 is taken as Latin-1. */
json_t *ny_json_number(double v);
json_t *ny_json_numbers(int64_t n, const double *v); /* a list */
json_t *ny_json_text(ny_ctx *ctx, const char *text);

/* A list of texts, each made by ny_json_bytes (in files) or ny_json_text (in reports). */
json_t *ny_json_texts(ny_ctx *ctx, int64_t count, char *const *text, json_t *(*make)(ny_ctx *ctx, const char *text));

/* The value where nothing is bad; else it is freed, and NULL. */
json_t *ny_json_kept(json_t *value, int bad);
/* The text of a report, for ny_text_free, or why there is none; either way the object is freed. */
ny_status ny_json_finish(ny_ctx *ctx, json_t *object, int bad, char **text);
/* The JSON text, indented, doubles with 17 digits, a newline at the end; for ny_free. length may be NULL. */
ny_status ny_json_dump(ny_ctx *ctx, const json_t *value, char **text, int64_t *length);

#endif

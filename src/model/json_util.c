/* json_util.c: see json_util.h. */
#include "json_util.h"

#include <math.h>
#include <string.h>

json_t *ny_json_exact(double v) {
    if (isfinite(v)) return json_real(v);
    return json_string(isnan(v) ? "nan" : v > 0 ? "inf" : "-inf");
}

ny_status ny_json_read_exact(ny_ctx *ctx, const json_t *value, double *v) {
    const char *text = json_string_value(value);
    if (json_is_number(value)) *v = json_number_value(value);
    else if (text && strcmp(text, "nan") == 0) *v = NAN;
    else if (text && strcmp(text, "inf") == 0) *v = INFINITY;
    else if (text && strcmp(text, "-inf") == 0) *v = -INFINITY;
    else return ny_error(ctx, NY_ERR_MODEL, "not a number");
    return NY_OK;
}

json_t *ny_json_number(double v) {
    return isfinite(v) ? json_real(v) : json_null();
}

/* One character U+0000 .. U+00FF for each byte. */
static json_t *latin1(ny_ctx *ctx, const char *text) {
    char *wide = ny_alloc(ctx, 2 * (int64_t)strlen(text) + 1, 1), *to = wide;
    if (!wide) return NULL;
    for (const unsigned char *s = (const unsigned char *)text; *s; s++) {
        if (*s >= 0x80) *to++ = (char)(0xC0 | *s >> 6);
        *to++ = (char)(*s < 0x80 ? *s : 0x80 | (*s & 0x3F));
    }
    json_t *value = json_string(wide);
    ny_free(wide);
    return value;
}

json_t *ny_json_numbers(int64_t n, const double *v) {
    json_t *list = json_array();
    int bad = !list;
    for (int64_t i = 0; i < n && !bad; i++) bad |= json_array_append_new(list, ny_json_number(v[i]));
    return ny_json_kept(list, bad);
}

json_t *ny_json_text(ny_ctx *ctx, const char *text) {
    return ny_is_utf8(text) ? json_string(text) : latin1(ctx, text);
}

json_t *ny_json_bytes(ny_ctx *ctx, const char *text) {
    if (ny_is_utf8(text)) return json_string(text);
    json_t *object = json_object();
    if (json_object_set_new(object, "bytes", latin1(ctx, text)) == 0) return object;
    json_decref(object);
    return NULL;
}

ny_status ny_json_read_bytes(ny_ctx *ctx, const json_t *value, char **text) {
    const char *plain = json_string_value(value);
    if (plain) return (*text = ny_strdup(ctx, plain)) ? NY_OK : NY_ERR_MEMORY;
    const char *wide = json_string_value(json_object_get(value, "bytes"));
    if (!wide) return ny_error(ctx, NY_ERR_MODEL, "not a text");
    char *narrow = ny_alloc(ctx, (int64_t)strlen(wide) + 1, 1), *to = narrow;
    if (!narrow) return NY_ERR_MEMORY;
    for (const unsigned char *s = (const unsigned char *)wide; *s; s++) {
        if (*s > 0xC3) { /* a character above U+00FF is no byte */
            ny_free(narrow);
            return ny_error(ctx, NY_ERR_MODEL, "not a text");
        }
        if (*s < 0x80) *to++ = (char)*s;
        else if (*s >= 0xC0) *to++ = (char)((*s & 3) << 6 | (s[1] & 0x3F)), s++;
    }
    *text = narrow;
    return NY_OK;
}

json_t *ny_json_texts(ny_ctx *ctx, int64_t count, char *const *text, json_t *(*make)(ny_ctx *ctx, const char *text)) {
    json_t *list = json_array();
    int bad = !list;
    for (int64_t i = 0; i < count && !bad; i++) bad |= json_array_append_new(list, make(ctx, text[i]));
    return ny_json_kept(list, bad);
}

json_t *ny_json_kept(json_t *value, int bad) {
    if (!bad) return value;
    json_decref(value);
    return NULL;
}

ny_status ny_json_finish(ny_ctx *ctx, json_t *object, int bad, char **text) {
    ny_status st =
        bad ? ny_error(ctx, NY_ERR_MEMORY, "out of memory while writing JSON") : ny_json_dump(ctx, object, text, NULL);
    json_decref(object);
    return st;
}

ny_status ny_json_dump(ny_ctx *ctx, const json_t *value, char **text, int64_t *length) {
    const size_t flags = JSON_INDENT(2) | JSON_REAL_PRECISION(17);
    size_t size = json_dumpb(value, NULL, 0, flags);
    if (size == 0) return ny_error(ctx, NY_ERR_MEMORY, "out of memory while writing JSON");
    char *out = ny_alloc(ctx, (int64_t)size + 2, 1);
    if (!out) return NY_ERR_MEMORY;
    if (json_dumpb(value, out, size, flags) != size) {
        ny_free(out);
        return ny_error(ctx, NY_ERR_MEMORY, "out of memory while writing JSON");
    }
    out[size] = '\n';
    *text = out;
    if (length) *length = (int64_t)size + 1;
    return NY_OK;
}

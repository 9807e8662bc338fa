/* json_util.c: see json_util.h. */
#include "json_util.h"

#include <limits.h>
#include <math.h>
#include <string.h>

json_t *ny_json_exact(double v) {
    if (isfinite(v)) return json_real(v);
    return json_string(isnan(v) ? "nan" : v > 0 ? "inf" : "-inf");
}

static ny_status read_exact(ny_ctx *ctx, const json_t *value, double *v) {
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

/* ---- single fields ----------------------------------------------------------------------------------------------- */

ny_status ny_bad_field(ny_ctx *ctx, const char *name, const char *expected) {
    return ny_error(ctx, NY_ERR_MODEL, "'%s' is missing or is not %s", name, expected);
}

/* 64 bits, as a whole number with or without a sign. */
static ny_status get_bits(ny_ctx *ctx, const json_t *object, const char *name, uint64_t *v) {
    const json_t *value = json_object_get(object, name);
    if (!json_is_integer(value)) return ny_bad_field(ctx, name, "a whole number");
    *v = (uint64_t)json_integer_value(value);
    return NY_OK;
}

ny_status ny_get_bounded(ny_ctx *ctx, const json_t *object, const char *name, int64_t hi, int64_t *v) {
    uint64_t bits = 0;
    ny_status st = get_bits(ctx, object, name, &bits);
    if (st != NY_OK) return st;
    if (bits > (uint64_t)hi) return ny_bad_field(ctx, name, "a whole number of the expected size");
    *v = (int64_t)bits;
    return NY_OK;
}

ny_status ny_get_whole(ny_ctx *ctx, const json_t *object, const char *name, int64_t *v) {
    return ny_get_bounded(ctx, object, name, INT64_MAX, v);
}

static ny_status get_small(ny_ctx *ctx, const json_t *object, const char *name, int *v) {
    int64_t whole = 0;
    ny_status st = ny_get_bounded(ctx, object, name, INT_MAX, &whole);
    *v = (int)whole;
    return st;
}

ny_status ny_get_real(ny_ctx *ctx, const json_t *object, const char *name, double *v) {
    ny_status st = read_exact(ctx, json_object_get(object, name), v);
    return st == NY_ERR_MODEL ? ny_bad_field(ctx, name, "a number") : st;
}

/* The same, which may be missing or null: NAN. */
static ny_status get_maybe(ny_ctx *ctx, const json_t *object, const char *name, double *v) {
    const json_t *value = json_object_get(object, name);
    *v = NAN;
    return value && !json_is_null(value) ? ny_get_real(ctx, object, name, v) : NY_OK;
}

ny_status ny_get_flag(ny_ctx *ctx, const json_t *object, const char *name, bool *v) {
    const json_t *value = json_object_get(object, name);
    if (!json_is_boolean(value)) return ny_bad_field(ctx, name, "true or false");
    *v = json_is_true(value);
    return NY_OK;
}

/* A text that may be missing or null: *v is then left as it is. */
static ny_status get_phrase(ny_ctx *ctx, const json_t *object, const char *name, char **v) {
    const json_t *value = json_object_get(object, name);
    return value && !json_is_null(value) ? ny_get_text(ctx, object, name, v) : NY_OK;
}

ny_status ny_get_text(ny_ctx *ctx, const json_t *object, const char *name, char **v) {
    ny_status st = ny_json_read_bytes(ctx, json_object_get(object, name), v);
    return st == NY_ERR_MODEL ? ny_bad_field(ctx, name, "a text") : st;
}

ny_status ny_get_object(ny_ctx *ctx, const json_t *object, const char *name, const json_t **v) {
    *v = json_object_get(object, name);
    return json_is_object(*v) ? NY_OK : ny_bad_field(ctx, name, "an object");
}

ny_status ny_get_list(ny_ctx *ctx, const json_t *object, const char *name, const json_t **v) {
    *v = json_object_get(object, name);
    return json_is_array(*v) ? NY_OK : ny_bad_field(ctx, name, "a list");
}

/* A list of texts. *count is set with the list, so that the owner can free what was read before a failure. */
ny_status ny_get_texts(ny_ctx *ctx, const json_t *object, const char *name, int64_t *count, char ***text) {
    const json_t *list;
    ny_status st;
    NY_TRY(ny_get_list(ctx, object, name, &list));
    int64_t length = (int64_t)json_array_size(list);
    NY_NEW(ctx, *text, length);
    *count = length;
    for (int64_t i = 0; i < length; i++) {
        st = ny_json_read_bytes(ctx, json_array_get(list, (size_t)i), &(*text)[i]);
        if (st == NY_ERR_MODEL) ny_bad_field(ctx, name, "a list of texts");
        if (st != NY_OK) goto done;
    }
    st = NY_OK;
done:
    return st;
}

ny_status ny_get_reals(ny_ctx *ctx, const json_t *object, const char *name, int64_t *count, double **v) {
    const json_t *list;
    ny_status st;
    NY_TRY(ny_get_list(ctx, object, name, &list));
    *count = (int64_t)json_array_size(list);
    NY_NEW(ctx, *v, *count);
    for (int64_t i = 0; i < *count; i++) {
        const json_t *value = json_array_get(list, (size_t)i);
        (*v)[i] = json_number_value(value);
        if (!json_is_number(value) || !isfinite((*v)[i])) return ny_bad_field(ctx, name, "a list of numbers");
    }
done:
    return st;
}

/* ---- the members of a struct ------------------------------------------------------------------------------------- */

static json_t *value_of(ny_ctx *ctx, ny_json_style style, ny_member_type type, const void *at) {
    bool file = style == NY_JSON_FILE;
    switch (type) {
        case NY_MEMBER_text:
        case NY_MEMBER_phrase: {
            const char *text = *(char *const *)at ? *(char *const *)at : "";
            if (type == NY_MEMBER_phrase && !*(char *const *)at) return json_null();
            return file ? ny_json_bytes(ctx, text) : ny_json_text(ctx, text);
        }
        case NY_MEMBER_whole:
            return json_integer(*(const int64_t *)at);
        case NY_MEMBER_count:
            return file || *(const int64_t *)at ? json_integer(*(const int64_t *)at) : json_null();
        case NY_MEMBER_small:
            return json_integer(*(const int *)at);
        case NY_MEMBER_bits:
            return json_integer((json_int_t) * (const uint64_t *)at);
        case NY_MEMBER_real:
            return file ? ny_json_exact(*(const double *)at) : ny_json_number(*(const double *)at);
        case NY_MEMBER_maybe:
            return ny_json_number(*(const double *)at);
        case NY_MEMBER_flag:
            return json_boolean(*(const bool *)at);
        case NY_MEMBER_kernel:
            return json_string((*(const ny_kernel *const *)at)->name);
    }
    return NULL;
}

int ny_members_add(ny_ctx *ctx, ny_json_style style, const ny_member *member, const void *from, json_t *object) {
    int bad = !object;
    for (; member->name && !bad; member++)
        bad |= json_object_set_new(object, member->name,
                                   value_of(ctx, style, member->type, (const char *)from + member->at));
    return bad;
}

json_t *ny_members_object(ny_ctx *ctx, ny_json_style style, const ny_member *member, const void *from) {
    json_t *object = json_object();
    return ny_json_kept(object, ny_members_add(ctx, style, member, from, object));
}

json_t *ny_members_list(ny_ctx *ctx, ny_json_style style, const ny_member *member, int64_t count, size_t size,
                        const void *from) {
    json_t *list = json_array();
    int bad = !list;
    for (int64_t i = 0; i < count && !bad; i++)
        bad |=
            json_array_append_new(list, ny_members_object(ctx, style, member, (const char *)from + (size_t)i * size));
    return ny_json_kept(list, bad);
}

static ny_status read_kernel(ny_ctx *ctx, const json_t *object, const char *name, const ny_kernel **kernel) {
    const char *text = json_string_value(json_object_get(object, name));
    *kernel = text ? ny_kernel_find(text) : NULL;
    return *kernel ? NY_OK : ny_bad_field(ctx, name, "a known kernel");
}

static ny_status read_one(ny_ctx *ctx, const json_t *object, const ny_member *member, void *at) {
    const char *name = member->name;
    switch (member->type) {
        case NY_MEMBER_text:
            return ny_get_text(ctx, object, name, at);
        case NY_MEMBER_phrase:
            return get_phrase(ctx, object, name, at);
        case NY_MEMBER_whole:
            return ny_get_whole(ctx, object, name, at);
        case NY_MEMBER_count:
            return json_object_get(object, name) ? ny_get_whole(ctx, object, name, at) : NY_OK;
        case NY_MEMBER_small:
            return get_small(ctx, object, name, at);
        case NY_MEMBER_bits:
            return get_bits(ctx, object, name, at);
        case NY_MEMBER_real:
            return ny_get_real(ctx, object, name, at);
        case NY_MEMBER_maybe:
            return get_maybe(ctx, object, name, at);
        case NY_MEMBER_flag:
            return ny_get_flag(ctx, object, name, at);
        case NY_MEMBER_kernel:
            return read_kernel(ctx, object, name, at);
    }
    return NY_OK;
}

ny_status ny_members_read(ny_ctx *ctx, const json_t *object, const ny_member *member, void *to) {
    ny_status st = NY_OK;
    for (; member->name; member++) NY_TRY(read_one(ctx, object, member, (char *)to + member->at));
done:
    return st;
}

ny_status ny_members_read_list(ny_ctx *ctx, const json_t *list, const ny_member *member, size_t size, void *to) {
    ny_status st = NY_OK;
    for (size_t i = 0; i < json_array_size(list); i++)
        NY_TRY(ny_members_read(ctx, json_array_get(list, i), member, (char *)to + i * size));
done:
    return st;
}

/* json_fields.c: see json_fields.h. */
#include "json_fields.h"

#include <math.h>

#include "json_get.h"
#include "json_util.h"

static json_t *value_of(ny_ctx *ctx, ny_json_style style, ny_field_type type, const void *at) {
    bool file = style == NY_JSON_FILE;
    switch (type) {
        case NY_FIELD_text:
        case NY_FIELD_phrase: {
            const char *text = *(char *const *)at ? *(char *const *)at : "";
            if (type == NY_FIELD_phrase && !*(char *const *)at) return json_null();
            return file ? ny_json_bytes(ctx, text) : ny_json_text(ctx, text);
        }
        case NY_FIELD_whole:
            return json_integer(*(const int64_t *)at);
        case NY_FIELD_count:
            return file || *(const int64_t *)at ? json_integer(*(const int64_t *)at) : json_null();
        case NY_FIELD_small:
            return json_integer(*(const int *)at);
        case NY_FIELD_bits:
            return json_integer((json_int_t) * (const uint64_t *)at);
        case NY_FIELD_real:
            return file ? ny_json_exact(*(const double *)at) : ny_json_number(*(const double *)at);
        case NY_FIELD_maybe:
            return ny_json_number(*(const double *)at);
        case NY_FIELD_flag:
            return json_boolean(*(const bool *)at);
        case NY_FIELD_kernel:
            return json_string((*(const ny_kernel *const *)at)->name);
    }
    return NULL;
}

int ny_fields_add(ny_ctx *ctx, ny_json_style style, const ny_field *field, const void *from, json_t *object) {
    int bad = !object;
    for (; field->name && !bad; field++)
        bad |=
            json_object_set_new(object, field->name, value_of(ctx, style, field->type, (const char *)from + field->at));
    return bad;
}

json_t *ny_fields_object(ny_ctx *ctx, ny_json_style style, const ny_field *field, const void *from) {
    json_t *object = json_object();
    return ny_json_kept(object, ny_fields_add(ctx, style, field, from, object));
}

json_t *ny_fields_list(ny_ctx *ctx, ny_json_style style, const ny_field *field, int64_t count, size_t size,
                       const void *from) {
    json_t *list = json_array();
    int bad = !list;
    for (int64_t i = 0; i < count && !bad; i++)
        bad |= json_array_append_new(list, ny_fields_object(ctx, style, field, (const char *)from + (size_t)i * size));
    return ny_json_kept(list, bad);
}

static ny_status read_kernel(ny_ctx *ctx, const json_t *object, const char *name, const ny_kernel **kernel) {
    const char *text = json_string_value(json_object_get(object, name));
    *kernel = text ? ny_kernel_find(text) : NULL;
    return *kernel ? NY_OK : ny_bad_field(ctx, name, "a known kernel");
}

static ny_status read_one(ny_ctx *ctx, const json_t *object, const ny_field *field, void *at) {
    const char *name = field->name;
    switch (field->type) {
        case NY_FIELD_text:
            return ny_get_text(ctx, object, name, at);
        case NY_FIELD_phrase:
            return ny_get_phrase(ctx, object, name, at);
        case NY_FIELD_whole:
            return ny_get_whole(ctx, object, name, at);
        case NY_FIELD_count:
            return json_object_get(object, name) ? ny_get_whole(ctx, object, name, at) : NY_OK;
        case NY_FIELD_small:
            return ny_get_small(ctx, object, name, at);
        case NY_FIELD_bits:
            return ny_get_bits(ctx, object, name, at);
        case NY_FIELD_real:
            return ny_get_real(ctx, object, name, at);
        case NY_FIELD_maybe:
            return ny_get_maybe(ctx, object, name, at);
        case NY_FIELD_flag:
            return ny_get_flag(ctx, object, name, at);
        case NY_FIELD_kernel:
            return read_kernel(ctx, object, name, at);
    }
    return NY_OK;
}

ny_status ny_fields_read(ny_ctx *ctx, const json_t *object, const ny_field *field, void *to) {
    ny_status st = NY_OK;
    for (; field->name; field++) NY_TRY(read_one(ctx, object, field, (char *)to + field->at));
done:
    return st;
}

ny_status ny_fields_read_list(ny_ctx *ctx, const json_t *list, const ny_field *field, size_t size, void *to) {
    ny_status st = NY_OK;
    for (size_t i = 0; i < json_array_size(list); i++)
        NY_TRY(ny_fields_read(ctx, json_array_get(list, i), field, (char *)to + i * size));
done:
    return st;
}

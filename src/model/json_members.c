/* json_members.c: see json_members.h. */
#include "json_members.h"

#include <math.h>

#include "json_get.h"
#include "json_util.h"

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
            return ny_get_phrase(ctx, object, name, at);
        case NY_MEMBER_whole:
            return ny_get_whole(ctx, object, name, at);
        case NY_MEMBER_count:
            return json_object_get(object, name) ? ny_get_whole(ctx, object, name, at) : NY_OK;
        case NY_MEMBER_small:
            return ny_get_small(ctx, object, name, at);
        case NY_MEMBER_bits:
            return ny_get_bits(ctx, object, name, at);
        case NY_MEMBER_real:
            return ny_get_real(ctx, object, name, at);
        case NY_MEMBER_maybe:
            return ny_get_maybe(ctx, object, name, at);
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

/* json_get.c: see json_get.h. */
#include "json_get.h"

#include <limits.h>
#include <math.h>

#include "json_util.h"

ny_status ny_bad_field(ny_ctx *ctx, const char *name, const char *expected) {
    return ny_error(ctx, NY_ERR_MODEL, "'%s' is missing or is not %s", name, expected);
}

ny_status ny_get_bits(ny_ctx *ctx, const json_t *object, const char *name, uint64_t *v) {
    const json_t *value = json_object_get(object, name);
    if (!json_is_integer(value)) return ny_bad_field(ctx, name, "a whole number");
    *v = (uint64_t)json_integer_value(value);
    return NY_OK;
}

ny_status ny_get_bounded(ny_ctx *ctx, const json_t *object, const char *name, int64_t hi, int64_t *v) {
    uint64_t bits = 0;
    ny_status st = ny_get_bits(ctx, object, name, &bits);
    if (st != NY_OK) return st;
    if (bits > (uint64_t)hi) return ny_bad_field(ctx, name, "a whole number of the expected size");
    *v = (int64_t)bits;
    return NY_OK;
}

ny_status ny_get_whole(ny_ctx *ctx, const json_t *object, const char *name, int64_t *v) {
    return ny_get_bounded(ctx, object, name, INT64_MAX, v);
}

ny_status ny_get_small(ny_ctx *ctx, const json_t *object, const char *name, int *v) {
    int64_t whole = 0;
    ny_status st = ny_get_bounded(ctx, object, name, INT_MAX, &whole);
    *v = (int)whole;
    return st;
}

ny_status ny_get_real(ny_ctx *ctx, const json_t *object, const char *name, double *v) {
    ny_status st = ny_json_read_exact(ctx, json_object_get(object, name), v);
    return st == NY_ERR_MODEL ? ny_bad_field(ctx, name, "a number") : st;
}

ny_status ny_get_maybe(ny_ctx *ctx, const json_t *object, const char *name, double *v) {
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

ny_status ny_get_phrase(ny_ctx *ctx, const json_t *object, const char *name, char **v) {
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

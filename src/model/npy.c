/* npy.c: .npy headers, written as numpy writes them and read as if they came from an enemy. */
#include "npy.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "arrays are stored as they are in memory: little-endian");

static const struct {
    const char *descr;
    int64_t item;
} types[] = {
    [NY_NPY_F64] = {"<f8", 8},
    [NY_NPY_I32] = {"<i4", 4},
    [NY_NPY_I64] = {"<i8", 8},
};
enum { TYPES = sizeof types / sizeof *types };

static const char magic[8] = {'\x93', 'N', 'U', 'M', 'P', 'Y', 1, 0};

int64_t ny_npy_item(ny_npy_type type) {
    return types[type].item;
}

void ny_npy_header(ny_npy *array, char header[NY_NPY_HEADER]) {
    char shape[64];
    if (array->dims == 1) snprintf(shape, sizeof shape, "(%lld,)", (long long)array->shape[0]);
    else snprintf(shape, sizeof shape, "(%lld, %lld)", (long long)array->shape[0], (long long)array->shape[1]);
    memset(header, ' ', NY_NPY_HEADER);
    memcpy(header, magic, sizeof magic);
    header[8] = (char)(NY_NPY_HEADER - NY_NPY_PREFIX);
    header[9] = 0;
    int used = snprintf(header + NY_NPY_PREFIX, NY_NPY_HEADER - NY_NPY_PREFIX,
                        "{'descr': '%s', 'fortran_order': False, 'shape': %s, }", types[array->type].descr, shape);
    header[NY_NPY_PREFIX + used] = ' '; /* over snprintf's end of string */
    header[NY_NPY_HEADER - 1] = '\n';
    array->offset = NY_NPY_HEADER;
    array->bytes = array->shape[0] * (array->dims == 2 ? array->shape[1] : 1) * types[array->type].item;
}

int64_t ny_npy_header_length(const char prefix[NY_NPY_PREFIX]) {
    if (memcmp(prefix, magic, sizeof magic) != 0) return -1;
    return NY_NPY_PREFIX + (unsigned char)prefix[8] + 256 * (int64_t)(unsigned char)prefix[9];
}

/* ---- the header is a Python dictionary; these read the few forms numpy writes -------------------------------- */

typedef struct cursor {
    const char *at, *end;
} cursor;

static void skip_blanks(cursor *c) {
    while (c->at < c->end && (*c->at == ' ' || *c->at == '\n')) c->at++;
}

/* Steps over `word` and the blanks before it, if it comes next. */
static bool take(cursor *c, const char *word) {
    size_t length = strlen(word);
    skip_blanks(c);
    if ((size_t)(c->end - c->at) < length || memcmp(c->at, word, length) != 0) return false;
    c->at += length;
    return true;
}

static bool take_size(cursor *c, int64_t *value) {
    skip_blanks(c);
    const char *first = c->at;
    *value = 0;
    for (; c->at < c->end && *c->at >= '0' && *c->at <= '9'; c->at++) {
        int digit = *c->at - '0';
        if (__builtin_mul_overflow(*value, 10, value) || __builtin_add_overflow(*value, digit, value)) return false;
    }
    return c->at > first;
}

static bool take_type(cursor *c, ny_npy_type *type) {
    if (!take(c, "'")) return false;
    for (int i = 0; i < TYPES; i++)
        if (take(c, types[i].descr)) {
            *type = (ny_npy_type)i;
            return take(c, "'");
        }
    return false;
}

static bool take_shape(cursor *c, ny_npy *array) {
    if (!take(c, "(") || !take_size(c, &array->shape[0]) || !take(c, ",")) return false;
    array->dims = 1;
    array->shape[1] = 1;
    if (take(c, ")")) return true;
    array->dims = 2;
    if (!take_size(c, &array->shape[1])) return false;
    (void)take(c, ",");
    return take(c, ")");
}

static bool take_dictionary(cursor *c, ny_npy *array) {
    bool type = false, order = false, shape = false;
    if (!take(c, "{")) return false;
    while (!take(c, "}")) {
        bool known = false;
        if (take(c, "'descr':")) known = type = take_type(c, &array->type);
        else if (take(c, "'fortran_order':")) known = order = take(c, "False");
        else if (take(c, "'shape':")) known = shape = take_shape(c, array);
        if (!known) return false;
        if (!take(c, ",") && !(c->at < c->end && *c->at == '}')) return false;
    }
    skip_blanks(c);
    return type && order && shape && c->at == c->end;
}

ny_status ny_npy_parse(ny_ctx *ctx, const char *header, int64_t length, int64_t total, ny_npy *array) {
    if (length < NY_NPY_PREFIX || ny_npy_header_length(header) != length)
        return ny_error(ctx, NY_ERR_MODEL, "not a .npy array of version 1.0");
    cursor c = {header + NY_NPY_PREFIX, header + length};
    *array = (ny_npy){.offset = length};
    if (!take_dictionary(&c, array)) return ny_error(ctx, NY_ERR_MODEL, "not a .npy header that nysel understands");
    array->bytes = ny_size3(array->shape[0], array->shape[1], types[array->type].item);
    if (array->bytes < 0 || array->bytes != total - length)
        return ny_error(ctx, NY_ERR_MODEL, "a shape of %lld x %lld does not go with %lld bytes",
                        (long long)array->shape[0], (long long)array->shape[1], (long long)(total - length));
    return NY_OK;
}

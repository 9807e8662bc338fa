/* npy_header.c: magic, version, length, then a Python dict as text:
 *     {'descr': '<f8', 'fortran_order': False, 'shape': (150, 5), }
 * (numpy.lib.format). Only these three keys, in any order; anything else is refused. */
#include "npy_header.h"

#include <string.h>

#include "base/number.h"

enum { PREFIX = 8, HEADER_MAX = 1 << 16, WORD = 32, DIMS = 2 };

typedef struct cursor {
    const char *p, *end;
} cursor;

static void skip(cursor *c) {
    while (c->p < c->end && (*c->p == ' ' || *c->p == '\n' || *c->p == '\t')) c->p++;
}

static bool accept(cursor *c, char what) {
    skip(c);
    bool there = c->p < c->end && *c->p == what;
    c->p += there;
    return there;
}

/* 'word' or "word". */
static bool get_word(cursor *c, char word[WORD]) {
    skip(c);
    if (c->p == c->end || (*c->p != '\'' && *c->p != '"')) return false;
    char quote = *c->p++;
    const char *close = memchr(c->p, quote, (size_t)(c->end - c->p));
    if (!close || close - c->p >= WORD) return false;
    memcpy(word, c->p, (size_t)(close - c->p));
    word[close - c->p] = 0;
    c->p = close + 1;
    return true;
}

static bool get_flag(cursor *c, bool *flag) {
    skip(c);
    *flag = c->end - c->p >= 4 && memcmp(c->p, "True", 4) == 0;
    if (!*flag && !(c->end - c->p >= 5 && memcmp(c->p, "False", 5) == 0)) return false;
    c->p += *flag ? 4 : 5;
    return true;
}

/* (), (n,), (n, p) ...; *dims counts them all, the first two are kept. */
static bool get_shape(cursor *c, int64_t shape[DIMS], int *dims) {
    *dims = 0;
    if (!accept(c, '(')) return false;
    while (!accept(c, ')')) {
        const char *begin = c->p; /* accept has skipped the blanks */
        while (c->p < c->end && *c->p >= '0' && *c->p <= '9') c->p++;
        int64_t size;
        if (!ny_number_whole(begin, c->p - begin, &size)) return false;
        if (*dims < DIMS) shape[*dims] = size;
        ++*dims;
        if (!accept(c, ',') && !(c->p < c->end && *c->p == ')')) return false;
    }
    return true;
}

static ny_status set_type(ny_ctx *ctx, const char *file, const char *type, ny_array_info *info) {
    static const char *const known[] = {"f8", "f4", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "b1"};
    if (type[0] == '<' || type[0] == '>' || type[0] == '|')
        for (size_t k = 0; k < sizeof known / sizeof *known; k++)
            if (strcmp(type + 1, known[k]) == 0) {
                info->kind = type[1];
                info->item = type[2] - '0';
                info->big_endian = type[0] == '>';
                return NY_OK;
            }
    return ny_error(ctx, NY_ERR_DATA, "%s: numbers of numpy type '%s' cannot be read; save the array as float64", file,
                    type);
}

static ny_status parse(ny_ctx *ctx, const char *file, cursor c, ny_array_info *info) {
    ny_status st = NY_OK;
    char key[WORD], type[WORD] = "";
    int64_t shape[DIMS] = {0, 1};
    int dims = -1;
    bool order = false, good = accept(&c, '{');
    while (good && !accept(&c, '}')) {
        good = get_word(&c, key) && accept(&c, ':');
        if (!good) break;
        if (strcmp(key, "descr") == 0) {
            skip(&c);
            NY_CHECK(ctx, c.p == c.end || *c.p != '[', NY_ERR_DATA,
                     "%s: a structured array; save a plain two-dimensional one", file);
            good = get_word(&c, type);
        } else if (strcmp(key, "fortran_order") == 0) {
            good = order = get_flag(&c, &info->fortran);
        } else if (strcmp(key, "shape") == 0) {
            good = get_shape(&c, shape, &dims);
        } else {
            good = false;
        }
        good = good && (accept(&c, ',') || (c.p < c.end && *c.p == '}'));
    }
    skip(&c);
    NY_CHECK(ctx, good && order && type[0] && dims >= 0 && c.p == c.end, NY_ERR_DATA,
             "%s: the header of the .npy file cannot be understood", file);
    NY_TRY(set_type(ctx, file, type, info));
    NY_CHECK(ctx, dims == 1 || dims == 2, NY_ERR_DATA, "%s: an array of %d dimensions; one or two are expected", file,
             dims);
    info->rows = shape[0];
    info->columns = shape[1];
    NY_CHECK(ctx, info->rows > 0 && info->columns > 0, NY_ERR_DATA, "%s is empty: %lld rows of %lld columns", file,
             (long long)info->rows, (long long)info->columns);
    NY_CHECK(ctx, ny_size3(info->rows, info->columns, info->item) > 0 && info->columns < INT32_MAX, NY_ERR_DATA,
             "%s: %lld rows of %lld columns are too many", file, (long long)info->rows, (long long)info->columns);
done:
    return st;
}

ny_status ny_array_info_read(ny_ctx *ctx, ny_source *source, ny_array_info *info) {
    ny_status st = NY_OK;
    const char *file = source->name;
    int64_t have, length = 0;
    memset(info, 0, sizeof *info);
    NY_TRY(ny_source_need(ctx, source, PREFIX, &have));
    const char *p = source->bytes + source->at;
    NY_CHECK(ctx, have == PREFIX && memcmp(p, "\x93NUMPY", 6) == 0, NY_ERR_DATA, "%s is not a .npy file", file);
    int version = (unsigned char)p[6], digits = version == 1 ? 2 : 4;
    NY_CHECK(ctx, version >= 1 && version <= 3, NY_ERR_DATA, "%s: .npy format version %d is unknown", file, version);
    NY_TRY(ny_source_need(ctx, source, PREFIX + digits, &have));
    p = source->bytes + source->at + PREFIX;
    NY_CHECK(ctx, have == PREFIX + digits, NY_ERR_DATA, "%s ends within its header", file);
    for (int i = 0; i < digits; i++) length |= (int64_t)(unsigned char)p[i] << 8 * i;
    NY_CHECK(ctx, length <= HEADER_MAX, NY_ERR_DATA, "%s: a header of %lld bytes cannot be right", file,
             (long long)length);
    source->at += PREFIX + digits;
    NY_TRY(ny_source_need(ctx, source, length, &have));
    NY_CHECK(ctx, have == length, NY_ERR_DATA, "%s ends within its header", file);
    p = source->bytes + source->at;
    NY_TRY(parse(ctx, file, (cursor){p, p + length}, info));
    source->at += length;
done:
    return st;
}

static double get_number(const ny_array_info *info, const char *p) {
    int64_t size = info->item;
    uint64_t bits = 0;
    for (int64_t i = 0; i < size; i++) bits |= (uint64_t)(unsigned char)p[info->big_endian ? size - 1 - i : i] << 8 * i;
    if (info->kind == 'f' && size == 8) {
        double v;
        memcpy(&v, &bits, sizeof v);
        return v;
    }
    if (info->kind == 'f') {
        uint32_t low = (uint32_t)bits;
        float v;
        memcpy(&v, &low, sizeof v);
        return (double)v;
    }
    if (info->kind == 'b') return bits != 0;
    if (info->kind == 'u') return (double)bits;
    int spare = 64 - 8 * (int)size; /* sign extension */
    return (double)((int64_t)(bits << spare) >> spare);
}

void ny_array_numbers(const ny_array_info *info, const char *p, int64_t stride, double *numbers) {
    static const uint16_t one = 1;
    bool native = info->big_endian != *(const unsigned char *)&one;
    int64_t columns = info->columns, step = stride * info->item;
    if (native && info->kind == 'f' && info->item == 8 && stride == 1) { /* what most files hold */
        memcpy(numbers, p, (size_t)columns * sizeof *numbers);
        return;
    }
    if (native && info->kind == 'f') { /* and these next */
        for (int64_t f = 0; f < columns; f++, p += step) {
            float small;
            if (info->item == 8) memcpy(&numbers[f], p, sizeof *numbers);
            else memcpy(&small, p, sizeof small), numbers[f] = (double)small;
        }
        return;
    }
    for (int64_t f = 0; f < columns; f++) numbers[f] = get_number(info, p + f * step);
}

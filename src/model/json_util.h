/* json_util.h: what jansson leaves to us: numbers that are not finite, text that is not UTF-8, text in our memory.
 * jansson answers NULL or -1 when memory is short and passes that on (setting a NULL member fails), so writers collect
 * `bad |= json_object_set_new(...)` and look once. */
#ifndef NY_JSON_UTIL_H
#define NY_JSON_UTIL_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/ctx.h"
#include "kernel/kernel.h"

/* For model files: exact and readable again. A number that is not finite becomes "nan", "inf" or "-inf". Text that is
 * not UTF-8 (any label may come from a Latin-1 file) becomes {"bytes": "..."}, one character for each byte. */
json_t *ny_json_exact(double v);
json_t *ny_json_bytes(ny_ctx *ctx, const char *text);
/* What ny_json_bytes wrote; anything else is NY_ERR_MODEL. */
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

/* ---- single fields ----------------------------------------------------------------------------------------------- */

/* Single fields of an object that is not trusted: looked up, typed and bounded. A failure is NY_ERR_MODEL
 * and names the field; *v is then not to be used. Texts and lists that were read are copies for ny_free. */

/* "'NAME' is missing or is not EXPECTED"; returns NY_ERR_MODEL. */
ny_status ny_bad_field(ny_ctx *ctx, const char *name, const char *expected);
/* A whole number from 0 to hi; from 0. */
ny_status ny_get_bounded(ny_ctx *ctx, const json_t *object, const char *name, int64_t hi, int64_t *v);
ny_status ny_get_whole(ny_ctx *ctx, const json_t *object, const char *name, int64_t *v);
/* A number as ny_json_exact writes it: it may be infinite or NAN. */
ny_status ny_get_real(ny_ctx *ctx, const json_t *object, const char *name, double *v);
/* true or false. */
ny_status ny_get_flag(ny_ctx *ctx, const json_t *object, const char *name, bool *v);
/* A text as ny_json_bytes writes it. */
ny_status ny_get_text(ny_ctx *ctx, const json_t *object, const char *name, char **v);
/* An object or a list, which still belongs to `object`. */
ny_status ny_get_object(ny_ctx *ctx, const json_t *object, const char *name, const json_t **v);
ny_status ny_get_list(ny_ctx *ctx, const json_t *object, const char *name, const json_t **v);
/* A list of finite numbers; *v is for ny_free, also after a failure. */
ny_status ny_get_reals(ny_ctx *ctx, const json_t *object, const char *name, int64_t *count, double **v);
/* A list of texts. *count is set with the list, so that the owner can free what was read before a failure. */
ny_status ny_get_texts(ny_ctx *ctx, const json_t *object, const char *name, int64_t *count, char ***text);

/* ---- the members of a struct ------------------------------------------------------------------------------------- */

/* The plain members of a struct as a table, which writes them as JSON and reads them back.
 *
 * type    in C              in JSON
 * text    char *            a text; NULL is written as ""
 * phrase  char *            a text or null (NULL); files of older versions may lack it
 * whole   int64_t           a whole number from 0
 * count   int64_t           the same where 0 means not known: null in reports; files of older versions may lack it
 * small   int               a whole number from 0
 * bits    uint64_t          64 bits as a whole number
 * real    double            a number
 * maybe   double            a number or null (NAN); files of older versions may lack it
 * flag    bool              true or false
 * kernel  const ny_kernel * its name */

typedef enum ny_member_type {
    NY_MEMBER_text,
    NY_MEMBER_phrase,
    NY_MEMBER_whole,
    NY_MEMBER_count,
    NY_MEMBER_small,
    NY_MEMBER_bits,
    NY_MEMBER_real,
    NY_MEMBER_maybe,
    NY_MEMBER_flag,
    NY_MEMBER_kernel
} ny_member_type;

typedef char *ny_member_text, *ny_member_phrase;
typedef int64_t ny_member_whole, ny_member_count;
typedef int ny_member_small;
typedef uint64_t ny_member_bits;
typedef double ny_member_real, ny_member_maybe;
typedef bool ny_member_flag;
typedef const ny_kernel *ny_member_kernel;

typedef struct ny_member {
    const char *name; /* in JSON; NULL ends a table */
    ny_member_type type;
    size_t at; /* where it is in the struct */
} ny_member;

/* A row of a table. A member that is not of the type's C type does not compile. */
#define NY_MEMBER_AS(of, type, member, name)                                                           \
    {                                                                                                  \
        name, NY_MEMBER_##type,                                                                        \
            offsetof(of, member) + 0 * sizeof(char[_Generic(((of *)0)->member, ny_member_##type : 1)]) \
    }
#define NY_MEMBER(of, type, member) NY_MEMBER_AS(of, type, member, #member)
/* A member of a part of the struct, under its own name. */
#define NY_MEMBER_IN(of, type, part, member) NY_MEMBER_AS(of, type, part.member, #member)

/* Files are exact and readable again; reports have null for what is not finite (json_util.h). */
typedef enum ny_json_style { NY_JSON_FILE, NY_JSON_REPORT } ny_json_style;

/* Adds the members of the struct at `from` to the object, in the table's order. Not 0: out of memory. */
int ny_members_add(ny_ctx *ctx, ny_json_style style, const ny_member *member, const void *from, json_t *object);
/* An object of them, and a list of `count` such objects whose structs are `size` bytes apart. NULL: out of memory. */
json_t *ny_members_object(ny_ctx *ctx, ny_json_style style, const ny_member *member, const void *from);
json_t *ny_members_list(ny_ctx *ctx, ny_json_style style, const ny_member *member, int64_t count, size_t size,
                        const void *from);
#define NY_MEMBERS_LIST(ctx, style, member, count, rows) \
    ny_members_list(ctx, style, member, count, sizeof *(rows), rows)
/* Fills the struct at `to` from an object that is not trusted: NY_ERR_MODEL names the member. Texts are fresh copies,
 * also where a later member fails; they must be NULL before. */
ny_status ny_members_read(ny_ctx *ctx, const json_t *object, const ny_member *member, void *to);
/* The same for every object of the list; `to` has room for as many structs of `size` bytes. */
ny_status ny_members_read_list(ny_ctx *ctx, const json_t *list, const ny_member *member, size_t size, void *to);

#endif

/* json_fields.h: the plain fields of a struct as a table, which writes them as JSON and reads them back.
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
#ifndef NY_JSON_FIELDS_H
#define NY_JSON_FIELDS_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/ctx.h"
#include "kernel/kernel.h"

typedef enum ny_field_type {
    NY_FIELD_text,
    NY_FIELD_phrase,
    NY_FIELD_whole,
    NY_FIELD_count,
    NY_FIELD_small,
    NY_FIELD_bits,
    NY_FIELD_real,
    NY_FIELD_maybe,
    NY_FIELD_flag,
    NY_FIELD_kernel
} ny_field_type;

typedef char *ny_field_text, *ny_field_phrase;
typedef int64_t ny_field_whole, ny_field_count;
typedef int ny_field_small;
typedef uint64_t ny_field_bits;
typedef double ny_field_real, ny_field_maybe;
typedef bool ny_field_flag;
typedef const ny_kernel *ny_field_kernel;

typedef struct ny_field {
    const char *name; /* in JSON; NULL ends a table */
    ny_field_type type;
    size_t at; /* where it is in the struct */
} ny_field;

/* A row of a table. A member that is not of the type's C type does not compile. */
#define NY_FIELD_AS(of, type, member, name) \
    { name, NY_FIELD_##type, offsetof(of, member) + 0 * sizeof(char[_Generic(((of *)0)->member, ny_field_##type : 1)]) }
#define NY_FIELD(of, type, member) NY_FIELD_AS(of, type, member, #member)

/* Files are exact and readable again; reports have null for what is not finite (json_util.h). */
typedef enum ny_json_style { NY_JSON_FILE, NY_JSON_REPORT } ny_json_style;

/* Adds the fields of the struct at `from` to the object, in the table's order. Not 0: out of memory. */
int ny_fields_add(ny_ctx *ctx, ny_json_style style, const ny_field *field, const void *from, json_t *object);
/* An object of them, and a list of `count` such objects whose structs are `size` bytes apart. NULL: out of memory. */
json_t *ny_fields_object(ny_ctx *ctx, ny_json_style style, const ny_field *field, const void *from);
json_t *ny_fields_list(ny_ctx *ctx, ny_json_style style, const ny_field *field, int64_t count, size_t size,
                       const void *from);
#define NY_FIELDS_LIST(ctx, style, field, count, rows) ny_fields_list(ctx, style, field, count, sizeof *(rows), rows)
/* Fills the struct at `to` from an object that is not trusted: NY_ERR_MODEL names the field. Texts are fresh copies,
 * also where a later field fails; they must be NULL before. */
ny_status ny_fields_read(ny_ctx *ctx, const json_t *object, const ny_field *field, void *to);
/* The same for every object of the list; `to` has room for as many structs of `size` bytes. */
ny_status ny_fields_read_list(ny_ctx *ctx, const json_t *list, const ny_field *field, size_t size, void *to);

#endif

/* json_members.h: the plain members of a struct as a table, which writes them as JSON and reads them back.
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
#ifndef NY_JSON_MEMBERS_H
#define NY_JSON_MEMBERS_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/ctx.h"
#include "kernel/kernel.h"

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

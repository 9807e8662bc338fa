/* layout.h: what each field of a file row is for. Learnt from options and the file, or taken from a model's schema. */
#ifndef NY_LAYOUT_H
#define NY_LAYOUT_H

#include "table/data.h"
#include "table/dict.h"
#include "table/form.h"

typedef enum {
    NY_ROLE_IGNORE,
    NY_ROLE_NUMBER, /* plain: may be read where it lies */
    NY_ROLE_LOCAL,  /* a number or date in the field's form, or a number that --na may mean */
    NY_ROLE_CATEGORY,
    NY_ROLE_TARGET,
    NY_ROLE_WEIGHT
} ny_role;

typedef struct ny_field {
    ny_role role;
    ny_form form;  /* of numbers, target and weight */
    int64_t slot;  /* which input column it is */
    bool local;    /* the form shows: not every field of it looks like a plain number */
    bool nameless; /* the header has no name for it */
    bool asked;    /* its role is the user's wish (--categorical, --ignore) */
} ny_field;

typedef struct ny_layout {
    const char *source; /* file name, for messages; not owned */
    int64_t fields;
    ny_field *field;        /* fields */
    ny_dict names;          /* fields: number k is the name of field k */
    bool named;             /* the names come from a header */
    int64_t slots;          /* input columns */
    int64_t *slot_field;    /* slots: where each is in the file */
    int64_t target, weight; /* fields, or -1 */
    int64_t id;             /* field whose texts are carried along (--id), whatever else it is for; or -1 */
} ny_layout;

/* Names from a header line, or x1 .. xp when `names` is NULL. Empty names become x<number>; a name that comes again
 * gets .2, .3 ... behind it. */
ny_status ny_layout_init(ny_ctx *ctx, const char *source, int64_t fields, char *const *names, ny_layout *layout);
/* Frees what the layout holds and zeroes the struct. */
void ny_layout_clear(ny_layout *layout);

/* Roles for training; kind[f] tells what field f holds (NULL: all are plain numbers). */
ny_status ny_layout_learn(ny_ctx *ctx, const ny_options *options, const ny_kind *kind, ny_layout *layout);
/* Roles for a model: by name when both sides have names, else by position. */
ny_status ny_layout_apply(ny_ctx *ctx, const ny_options *options, const ny_schema *like, ny_layout *layout);

/* The name of a field, which belongs to the layout. */
static inline const char *ny_layout_name(const ny_layout *layout, int64_t field) {
    return ny_dict_text(&layout->names, field);
}

#endif

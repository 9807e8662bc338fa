/* set.c: options by name and text. Names of families are looked up here, where all families are known. */
#include <stdio.h>
#include <string.h>

#include "base/ctx.h"
#include "options/options.h"

/* NULL if there is none. */
static const ny_option_row *find_row(const char *name) {
    const ny_option_row *row;
    for (int64_t i = 0; (row = ny_options_row(i)); i++)
        if (strcmp(row->name, name) == 0) return row;
    return NULL;
}

/* What the option's default says, or a member of the family that has its name. */
static ny_status check_member(ny_ctx *ctx, const ny_option_row *row, const char *text) {
    char known[400] = "";
    const char *member;
    if (strcmp(text, row->initial) == 0) return NY_OK;
    if (ny_is_auto(row->initial)) snprintf(known, sizeof known, "auto, ");
    for (int64_t i = 0; (member = ny_family_member(row->name, i, NULL)); i++) {
        if (strcmp(member, text) == 0) return NY_OK;
        size_t used = strlen(known);
        snprintf(known + used, sizeof known - used, "%s%s", i ? ", " : "", member);
    }
    return ny_error(ctx, NY_ERR_USAGE, "--%s %s: expected one of %s", row->name, text, known);
}

ny_status ny_options_set(ny_ctx *ctx, ny_options *options, const char *name, const char *text) {
    NY_NEEDS(ctx, options && name && text, "options, a name and a text");
    const ny_option_row *row = find_row(name);
    ny_status st = row && ny_family_member(name, 0, NULL) ? check_member(ctx, row, text) : NY_OK;
    return st == NY_OK ? ny_options_put(ctx, options, name, text) : st;
}

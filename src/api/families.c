/* families.c: every family's table under one roof, for the option parser, the help and the bindings. */
#include <string.h>

#include "criterion/criterion.h"
#include "data/codes.h"
#include "data/generate.h"
#include "kernel/kernel.h"
#include "landmark/landmark.h"
#include "nysel.h"
#include "scale/scale.h"
#include "search/search.h"
#include "solver/machine.h"

/* X(function prefix, name of the family) */
#define NY_FAMILY_LIST(X)          \
    X(kernel, "kernel")            \
    X(machine, "machine")          \
    X(criterion, "criterion")      \
    X(search, "search")            \
    X(landmark, "landmark-method") \
    X(scale, "scale")              \
    X(multiclass, "multiclass")    \
    X(demo, "demo")

typedef const char *member_fn(int64_t index, const char **help);

#define X(prefix, family)                                                  \
    static const char *prefix##_member(int64_t index, const char **help) { \
        if (!ny_##prefix##_at(index)) return NULL;                         \
        if (help) *help = ny_##prefix##_at(index)->help;                   \
        return ny_##prefix##_at(index)->name;                              \
    }
NY_FAMILY_LIST(X)
#undef X

static const struct {
    const char *name;
    member_fn *member;
} families[] = {
#define X(prefix, family) {family, prefix##_member},
    NY_FAMILY_LIST(X)
#undef X
};
enum { FAMILIES = sizeof families / sizeof *families };

const char *ny_family_name(int64_t family) {
    return family >= 0 && family < FAMILIES ? families[family].name : NULL;
}

const char *ny_family_member(const char *family, int64_t index, const char **help) {
    for (int64_t i = 0; family && i < FAMILIES; i++)
        if (strcmp(families[i].name, family) == 0) return families[i].member(index, help);
    return NULL;
}

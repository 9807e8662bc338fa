/* families.c: every family's table under one roof, for the option parser, the help and the bindings. libnysel-predict
 * has those that a prediction may need, and none that training alone has. */
#include <string.h>

#include "codes/codes.h"
#include "kernel/kernel.h"
#include "nysel.h"
#include "scale/scale.h"
#ifndef NY_PREDICT_ONLY
#include "criterion/criterion.h"
#include "demo/generate.h"
#include "landmark/landmark.h"
#include "search/search.h"
#include "solver/machine.h"
#endif

/* X(function prefix, name of the family) */
#ifdef NY_PREDICT_ONLY
#define NY_FAMILY_LIST(X) \
    X(kernel, "kernel")   \
    X(scale, "scale")     \
    X(multiclass, "multiclass")
#else
#define NY_FAMILY_LIST(X)          \
    X(kernel, "kernel")            \
    X(machine, "machine")          \
    X(criterion, "criterion")      \
    X(search, "search")            \
    X(landmark, "landmark-method") \
    X(scale, "scale")              \
    X(multiclass, "multiclass")    \
    X(demo, "demo")
#endif

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

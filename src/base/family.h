/* family.h: the table of a family, whose members are found by name. */
#ifndef NY_FAMILY_H
#define NY_FAMILY_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Defines PREFIX_at(index), the member with that number, and PREFIX_find(name), both NULL where there is none, from the
 * addresses of the members; each member is a struct of that type with a name. Once in a file. */
#define NY_FAMILY(type, prefix, ...)                                                                \
    static const type *const table[] = {__VA_ARGS__};                                               \
    const type *prefix##_at(int64_t index) {                                                        \
        return index >= 0 && index < (int64_t)(sizeof table / sizeof *table) ? table[index] : NULL; \
    }                                                                                               \
    const type *prefix##_find(const char *name) {                                                   \
        for (int64_t i = 0; prefix##_at(i); i++)                                                    \
            if (strcmp(table[i]->name, name) == 0) return table[i];                                 \
        return NULL;                                                                                \
    }

#endif

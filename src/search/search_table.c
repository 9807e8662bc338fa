/* search_table.c: the table of searches. */
#include <stddef.h>
#include <string.h>

#include "search.h"

static const ny_search *const table[] = {
#define X(name) &ny_search_##name,
    NY_SEARCH_LIST(X)
#undef X
};

const ny_search *ny_search_at(int64_t index) {
    return index >= 0 && index < (int64_t)(sizeof table / sizeof *table) ? table[index] : NULL;
}

const ny_search *ny_search_find(const char *name) {
    for (int64_t i = 0; ny_search_at(i); i++)
        if (strcmp(table[i]->name, name) == 0) return table[i];
    return NULL;
}

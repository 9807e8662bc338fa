/* search_table.c: the table of searches. */
#include <stddef.h>

#include "base/family.h"
#include "search.h"

#define X(name) &ny_search_##name,
NY_FAMILY(ny_search, ny_search, NY_SEARCH_LIST(X))
#undef X

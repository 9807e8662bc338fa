/* machine.c: the table of machines. */
#include "machine.h"

#include <stddef.h>
#include <string.h>

static const ny_machine table[] = {
#define X(name, loss, bias, help) {#name, help, &ny_loss_##loss, bias},
    NY_MACHINE_LIST(X)
#undef X
};

const ny_machine *ny_machine_at(int64_t index) {
    return index >= 0 && index < (int64_t)(sizeof table / sizeof *table) ? &table[index] : NULL;
}

const ny_machine *ny_machine_find(const char *name) {
    for (int64_t i = 0; ny_machine_at(i); i++)
        if (strcmp(table[i].name, name) == 0) return &table[i];
    return NULL;
}

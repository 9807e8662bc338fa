/* machine.c: the table of machines is that of the losses. */
#include "machine.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

const ny_machine *ny_machine_at(int64_t index) {
    const ny_loss *loss;
    for (int64_t i = 0; index >= 0 && (loss = ny_loss_at(i)); i++)
        for (int m = 0; m < NY_LOSS_MACHINES && loss->machine[m].name; m++)
            if (index-- == 0) return &loss->machine[m];
    return NULL;
}

const ny_machine *ny_machine_find(const char *name) {
    const ny_machine *machine;
    for (int64_t i = 0; (machine = ny_machine_at(i)); i++)
        if (strcmp(machine->name, name) == 0) return machine;
    return NULL;
}

double ny_machine_rho(const ny_machine *machine, const ny_options *o) {
    if (o->bias == NY_BIAS_PENALISED) return o->bias_penalty;
    return o->bias == NY_BIAS_FREE && machine->bias ? 0 : INFINITY;
}

const char *ny_machines_with(ny_loss_has *has, const char *what, char text[NY_NAMES_TEXT]) {
    const ny_machine *machine;
    text[0] = 0;
    for (int64_t i = 0; (machine = ny_machine_at(i)); i++)
        if (has(machine->loss, what)) {
            size_t used = strlen(text);
            snprintf(text + used, NY_NAMES_TEXT - used, "%s%s", used ? ", " : "", machine->name);
        }
    return text;
}

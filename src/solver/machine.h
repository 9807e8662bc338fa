/* machine.h: the machine family: what the losses say of the machines that have them (loss/loss.h). */
#ifndef NY_MACHINE_H
#define NY_MACHINE_H

#include "loss/loss.h"
#include "options/options.h"

/* The machine of that name, and the machines in the order of the losses; NULL if there is none, or past the end. */
const ny_machine *ny_machine_find(const char *name);
const ny_machine *ny_machine_at(int64_t index);
/* The names of the machines whose loss `has` something, which may depend on `what`: "svm, svr, quantile". Returns text.
 */
typedef bool ny_loss_has(const ny_loss *loss, const char *what);
const char *ny_machines_with(ny_loss_has *has, const char *what, char text[NY_NAMES_TEXT]);
/* Penalty rho of the bias (bias.h): as --bias says, where that leaves it free but for machines that have none. */
double ny_machine_rho(const ny_machine *machine, const ny_options *options);
/* Its machines, and all that rests on their closed form, come from one decomposition. */
static inline bool ny_machine_squared(const ny_machine *machine) {
    return machine && machine->loss == &ny_loss_squared;
}

#endif

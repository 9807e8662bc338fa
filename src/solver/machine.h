/* machine.h: the machine family: a loss and a bias or none. */
#ifndef NY_MACHINE_H
#define NY_MACHINE_H

#include <stdbool.h>
#include <stdint.h>

#define NY_MACHINE_LIST(X)                                                                \
    X(lssvm, true, "least squares SVM: squared error, free bias; classes and regression") \
    X(krr, false, "kernel ridge regression: squared error, no bias")

typedef struct ny_machine {
    const char *name, *help;
    bool bias; /* an unpenalised constant beside the kernel part */
} ny_machine;

const ny_machine *ny_machine_find(const char *name); /* NULL if there is none */
const ny_machine *ny_machine_at(int64_t index);

#endif

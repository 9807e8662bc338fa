/* machine.h: the machine family: a loss and a bias or none. */
#ifndef NY_MACHINE_H
#define NY_MACHINE_H

#include <stdbool.h>
#include <stdint.h>

#include "loss/loss.h"

#define NY_MACHINE_LIST(X)                                                                         \
    X(lssvm, squared, true, "least squares SVM: squared error, free bias; classes and regression") \
    X(krr, squared, false, "kernel ridge regression: squared error, no bias")                      \
    X(svm, hinge, true, "support vector machine: classes")                                         \
    X(l2svm, squared_hinge, true, "SVM with squared slacks: classes")                              \
    X(logistic, logistic, true, "kernel logistic regression: classes with probabilities")          \
    X(svr, insensitive, true, "support vector regression: errors below epsilon cost nothing")      \
    X(huber, huber, true, "regression that outlying targets do not pull: linear beyond delta")     \
    X(quantile, pinball, true, "regression of quantiles (--quantiles)")

typedef struct ny_machine {
    const char *name, *help;
    const ny_loss *loss;
    bool bias; /* an unpenalised constant beside the kernel part */
} ny_machine;

const ny_machine *ny_machine_find(const char *name); /* NULL if there is none */
const ny_machine *ny_machine_at(int64_t index);
/* Its machines, and all that rests on their closed form, come from one decomposition. */
static inline bool ny_machine_squared(const ny_machine *machine) {
    return machine && machine->loss == &ny_loss_squared;
}

#endif

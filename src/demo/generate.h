/* generate.h: the demo family: data sets made by a formula, so that a newcomer and a test need no file. */
#ifndef NY_GENERATE_H
#define NY_GENERATE_H

#include <stdint.h>

#include "base/rng.h"

#define NY_DEMO_LIST(X) \
    X(banana)           \
    X(spirals)          \
    X(mixture)          \
    X(twonorm)          \
    X(ringnorm)         \
    X(waveform)         \
    X(sinc)

enum { NY_DEMO_LABELS = 3 };

typedef struct ny_demo {
    const char *name, *help;
    int64_t rows; /* when none are asked for */
    int64_t inputs;
    const char *labels[NY_DEMO_LABELS + 1]; /* of the classes, NULL behind the last; none: a regression */
    /* One row: the inputs, and as the result the class number or the target. */
    double (*fill)(ny_rng *rng, double *x);
} ny_demo;

#define X(name) extern const ny_demo ny_demo_##name;
NY_DEMO_LIST(X)
#undef X

/* The member of that name, and the members in their order; NULL if there is none, or past the end. */
const ny_demo *ny_demo_find(const char *name);
const ny_demo *ny_demo_at(int64_t index);

#endif

/* codes.h: the multiclass family: how k classes become q outputs of -1/+1, and how outputs become a class again. */
#ifndef NY_CODES_H
#define NY_CODES_H

#include <stdint.h>

#define NY_MULTICLASS_LIST(X) \
    X(ova)                    \
    X(ovo)

typedef struct ny_multiclass {
    const char *name, *help;
    int64_t (*outputs)(int64_t classes);
    /* The code of class k in output j: -1, +1, or 0 where the class takes no part in that output. */
    int (*code)(int64_t classes, int64_t k, int64_t j);
    /* Scores per class from one row of outputs; the largest is the decision. */
    void (*decode)(int64_t classes, const double *f, double *score);
} ny_multiclass;

#define X(name) extern const ny_multiclass ny_multiclass_##name;
NY_MULTICLASS_LIST(X)
#undef X

const ny_multiclass *ny_multiclass_find(const char *name); /* NULL if there is none */
const ny_multiclass *ny_multiclass_at(int64_t index);

/* Two classes need one output whatever the method: f > 0 means class 1. */
int64_t ny_codes_outputs(const ny_multiclass *method, int64_t classes);
int ny_codes_code(const ny_multiclass *method, int64_t classes, int64_t k, int64_t j);
void ny_codes_scores(const ny_multiclass *method, int64_t classes, const double *f, double *score);
/* The decided class: the largest score, the first one in a tie. */
int64_t ny_codes_decide(const ny_multiclass *method, int64_t classes, const double *f);

#endif

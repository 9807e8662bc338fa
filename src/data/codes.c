/* codes.c: the table of multiclass methods, and what two classes have in common whatever the method. */
#include "codes.h"

#include <stddef.h>
#include <string.h>

#include "data.h"

static const ny_multiclass *const table[] = {
#define X(name) &ny_multiclass_##name,
    NY_MULTICLASS_LIST(X)
#undef X
};
enum {
#define X(name) +1
    MEMBERS = 0 NY_MULTICLASS_LIST(X)
#undef X
};

const ny_multiclass *ny_multiclass_at(int64_t index) {
    return index >= 0 && index < MEMBERS ? table[index] : NULL;
}

const ny_multiclass *ny_multiclass_find(const char *name) {
    for (int64_t i = 0; ny_multiclass_at(i); i++)
        if (strcmp(table[i]->name, name) == 0) return table[i];
    return NULL;
}

int64_t ny_codes_outputs(const ny_multiclass *method, int64_t classes) {
    return classes <= 2 ? 1 : method->outputs(classes);
}

int ny_codes_code(const ny_multiclass *method, int64_t classes, int64_t k, int64_t j) {
    return classes <= 2 ? (k == 1 ? 1 : -1) : method->code(classes, k, j);
}

void ny_codes_scores(const ny_multiclass *method, int64_t classes, const double *f, double *score) {
    if (classes > 2) {
        method->decode(classes, f, score);
        return;
    }
    score[0] = -f[0];
    if (classes == 2) score[1] = f[0];
}

int64_t ny_codes_decide(const ny_multiclass *method, int64_t classes, const double *f) {
    double score[NY_LABELS_MAX];
    int64_t best = 0;
    if (classes > NY_LABELS_MAX) return 0; /* data cannot have them; a model reader refuses them */
    ny_codes_scores(method, classes, f, score);
    for (int64_t k = 1; k < classes; k++)
        if (score[k] > score[best]) best = k;
    return best;
}

/* codes_ova.c: one output per class, +1 for the class and -1 for all others; the largest output decides.
 * Rifkin & Klautau 2004, "In defense of one-vs-all classification". */
#include <string.h>

#include "codes.h"

static int64_t outputs(int64_t classes) {
    return classes;
}

static int64_t row(int64_t classes, int64_t k, ny_code *list) {
    (void)classes;
    list[0] = (ny_code){k, 1};
    return 1;
}

static void column(int64_t classes, int64_t j, double *y) {
    for (int64_t k = 0; k < classes; k++) y[k] = k == j ? 1 : -1;
}

static void decode(int64_t classes, const double *f, double *score) {
    memcpy(score, f, (size_t)classes * sizeof *score);
}

const ny_multiclass ny_multiclass_ova = {"ova", "one output per class, against all others", outputs, row, -1, column,
                                         decode};

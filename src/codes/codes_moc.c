/* codes_moc.c: minimum output coding: as few outputs as tell the classes apart, q = ceil(log2 K). Output j is bit j of
 * the class's number, -1 for 0 and +1 for 1; the least loss decides.  docs/math.md, eq. 34
 *
 * Class 0 has -1 everywhere and class 2^j < K has +1 in output j, so every output has both signs. All rows take part in
 * every output. Two codes may differ in one output only: fast, but one output at fault is enough to miss the class.
 * De Brabanter et al. 2010, section 8.4. */
#include <math.h>

#include "codes.h"

static int64_t outputs(int64_t classes) {
    int64_t q = 1;
    while ((int64_t)1 << q < classes) q++;
    return q;
}

static int64_t row(int64_t classes, int64_t k, ny_code *list) {
    int64_t count = 0;
    (void)classes;
    for (int64_t j = 0; k >> j; j++)
        if (k >> j & 1) list[count++] = (ny_code){j, 1};
    return count;
}

static void column(int64_t classes, int64_t j, double *y) {
    for (int64_t k = 0; k < classes; k++) y[k] = k >> j & 1 ? 1 : -1;
}

/* The loss of a class is that of the class without its highest bit, and that bit's: decoding a row takes as many
 * additions as there are classes. To the last bit what decoding from the list of codes gives. */
static void decode(int64_t classes, const double *f, double *score) {
    double mean = 0;
    score[0] = 0;
    for (int64_t j = 0, high = 1; high < classes; j++, high *= 2) {
        double v = fmax(fmin(f[j], 1e100), -1e100); /* as far as squares are finite */
        for (int64_t k = high; k < 2 * high && k < classes; k++) score[k] = score[k - high] + v;
    }
    for (int64_t k = 0; k < classes; k++) mean += score[k] / (double)classes;
    for (int64_t k = 0; k < classes; k++) score[k] -= mean;
}

const ny_multiclass ny_multiclass_moc = {
    "moc", "one output per bit of the class's number: few outputs", outputs, row, -1, column, decode};

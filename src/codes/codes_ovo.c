/* codes_ovo.c: one output per pair of classes a < b, in the order (0,1), (0,2) .. (1,2) ..: class b is +1, class a is
 * -1, the others take no part. Each output votes for one of its two classes.
 *
 *     score_k = votes of k + (1 + m_k / K) / 2,     m_k = sum over its pairs of the output towards k, cut to [-1, 1]
 *
 * There are K - 1 pairs with k, so |m_k| < K and the second term lies within (0, 1): it only breaks ties of votes. */
#include "codes.h"

static int64_t outputs(int64_t classes) {
    return classes * (classes - 1) / 2;
}

static int64_t row(int64_t classes, int64_t k, ny_code *list) {
    int64_t count = 0, first = 0; /* of the pairs (a, a+1), (a, a+2) .. */
    for (int64_t a = 0; a < k; first += classes - 1 - a++) list[count++] = (ny_code){first + k - a - 1, 1};
    for (int64_t b = k + 1; b < classes; b++) list[count++] = (ny_code){first + b - k - 1, -1};
    return count;
}

static void column(int64_t classes, int64_t j, double *y) {
    int64_t a = 0;
    for (; j >= classes - 1 - a; a++) j -= classes - 1 - a;
    for (int64_t k = 0; k < classes; k++) y[k] = k == a ? -1 : k == a + 1 + j ? 1 : 0;
}

static void decode(int64_t classes, const double *f, double *score) {
    for (int64_t k = 0; k < classes; k++) score[k] = 0.5;
    for (int64_t a = 0, j = 0; a < classes; a++)
        for (int64_t b = a + 1; b < classes; b++, j++) {
            double margin = f[j] > 1 ? 1 : f[j] < -1 ? -1 : f[j];
            double part = 0.5 * margin / (double)classes;
            score[f[j] > 0 ? b : a] += 1;
            score[b] += part;
            score[a] -= part;
        }
}

const ny_multiclass ny_multiclass_ovo = {
    "ovo", "one output per pair of classes; most votes win", outputs, row, 0, column, decode};

/* codes.c: the table of multiclass methods, decoding from the code matrix alone, and what two classes have in common
 * whatever the method.
 *
 * Allwein, Schapire & Singer 2000, "Reducing multiclass to binary: a unifying approach for margin classifiers". */
#include "codes.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "base/family.h"
#include "table/data.h"

#define X(name) &ny_multiclass_##name,
NY_FAMILY(ny_multiclass, ny_multiclass, NY_MULTICLASS_LIST(X))
#undef X

const char *const ny_decoding_names[NY_DECODINGS] = {"auto", "hamming", "loss"};

bool ny_decoding_find(const char *name, ny_decoding *decoding) {
    for (int i = 0; i < NY_DECODINGS; i++)
        if (strcmp(ny_decoding_names[i], name) == 0) {
            *decoding = (ny_decoding)i;
            return true;
        }
    return false;
}

void ny_codes_row(const ny_multiclass *method, int64_t classes, int64_t k, int64_t stride, double *y) {
    ny_code list[NY_LABELS_MAX];
    if (classes <= 2) {
        *y = k == 1 ? 1 : -1;
        return;
    }
    int64_t outputs = method->outputs(classes), count = method->row(classes, k, list);
    for (int64_t j = 0; j < outputs; j++) y[j * stride] = method->rest;
    for (int64_t i = 0; i < count; i++) y[list[i].output * stride] = list[i].code;
}

void ny_codes_column(const ny_multiclass *method, int64_t classes, int64_t j, double *y) {
    if (classes > 2) method->column(classes, j, y);
    else
        for (int64_t k = 0; k < classes; k++) y[k] = k == 1 ? 1 : -1;
}

int ny_codes_code(const ny_multiclass *method, int64_t classes, int64_t k, int64_t j) {
    double y[NY_LABELS_MAX];
    ny_codes_column(method, classes, j, y);
    return (int)y[k];
}

static int right_sign(int code, double f) {
    return code == (f > 0 ? 1 : -1);
}

/* How much more the code costs than `rest` does:  (1 - c f)^2 = c^2 (1 + f^2) - 2 c f,  which is 0 for c = 0. The
 * difference is exact where both are -1 or +1. Outputs are cut to where their squares are finite. */
static double loss_beyond(int code, int rest, double f) {
    double v = fmax(fmin(f, 1e100), -1e100);
    return (code * code - rest * rest) * (1 + v * v) - 2 * (code - rest) * v;
}

/* What all classes have in common does not decide; so with R the outputs of the right sign if all codes were `rest`,
 * and L_k the sum over the list of class k of its loss beyond `rest`,
 *
 *     loss       score_k = c_k = (mean of L - L_k) / 4
 *     hamming    score_k = R + sum over the list (right sign of code - right sign of rest) + 1/2 + 0.49 c_k / (1+|c_k|)
 *
 * The term after 1/2 is below 1/2, so it only breaks ties between numbers of right signs. Four is what makes c_k of
 * one-vs-all f_k less the mean output.  docs/math.md, eq. 35 */
static void decode(const ny_multiclass *method, bool hamming, int64_t classes, const double *f, double *score) {
    ny_code list[NY_LABELS_MAX];
    double c[NY_LABELS_MAX], mean = 0;
    int rest = method->rest;
    int64_t right_rest = 0, outputs = hamming && rest ? method->outputs(classes) : 0;
    for (int64_t j = 0; j < outputs; j++) right_rest += right_sign(rest, f[j]);
    for (int64_t k = 0; k < classes; k++) {
        int64_t count = method->row(classes, k, list), right = right_rest;
        double loss = 0;
        for (int64_t i = 0; i < count; i++) {
            double output = f[list[i].output];
            right += right_sign(list[i].code, output) - right_sign(rest, output);
            loss += loss_beyond(list[i].code, rest, output);
        }
        score[k] = (double)right;
        c[k] = -loss / 4;
        mean += c[k] / (double)classes;
    }
    for (int64_t k = 0; k < classes; k++) {
        c[k] -= mean;
        score[k] = hamming ? score[k] + 0.5 + 0.49 * c[k] / (1 + fabs(c[k])) : c[k];
    }
}

void ny_codes_scores(ny_coding coding, int64_t classes, const double *f, double *score) {
    const ny_multiclass *method = coding.method;
    if (classes > NY_LABELS_MAX) return; /* data cannot have them; a model reader refuses them */
    if (classes <= 2) {
        score[0] = -f[0];
        if (classes == 2) score[1] = f[0];
    } else if (coding.decoding == NY_DECODING_AUTO && method->decode) method->decode(classes, f, score);
    else decode(method, coding.decoding == NY_DECODING_HAMMING, classes, f, score);
}

double ny_codes_work(ny_coding coding, int64_t classes) {
    ny_code list[NY_LABELS_MAX];
    const ny_multiclass *method = coding.method;
    if (classes <= 2 || classes > NY_LABELS_MAX) return 1;
    if (coding.decoding == NY_DECODING_AUTO && method->decode)
        return (double)(method->outputs(classes) > classes ? method->outputs(classes) : classes);
    return (double)(classes * (1 + method->row(classes, classes - 1, list)));
}

int64_t ny_codes_decide(ny_coding coding, int64_t classes, const double *f) {
    double score[NY_LABELS_MAX];
    int64_t best = 0;
    if (classes > NY_LABELS_MAX) return 0;
    ny_codes_scores(coding, classes, f, score);
    for (int64_t k = 1; k < classes; k++)
        if (score[k] > score[best]) best = k;
    return best;
}

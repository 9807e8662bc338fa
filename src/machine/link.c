/* link.c: see link.h. */
#include "link.h"

#include <math.h>

#include "calibration.h"
#include "table/data.h"

/* log s(f), without overflow. */
static double log_link(double f) {
    return f > 0 ? -log1p(exp(-f)) : f - log1p(exp(f));
}

/* p = softmax of l; the largest l decides. */
static int64_t softmax(int64_t classes, const double *l, double *p) {
    double sum = 0;
    int64_t top = 0;
    for (int64_t k = 1; k < classes; k++)
        if (l[k] > l[top]) top = k;
    for (int64_t k = 0; k < classes; k++) sum += p[k] = exp(l[k] - l[top]);
    for (int64_t k = 0; k < classes; k++) p[k] /= sum;
    return top;
}

/* log of eq. 93 up to a constant: s(f) / s(-f) = exp(f), so each code +1 where the rest is -1 adds f. */
static double log_product(const ny_multiclass *method, int64_t classes, int64_t k, const double *f) {
    ny_code list[NY_LABELS_MAX];
    double sum = 0;
    for (int64_t i = 0, count = method->row(classes, k, list); i < count; i++) sum += f[list[i].output];
    return sum;
}

/* P(a | a or b) from r of the pairs a < b, which has that of b. */
static double of_pair(int64_t classes, const double *r, int64_t a, int64_t b) {
    int64_t lo = a < b ? a : b, hi = a < b ? b : a;
    double later = r[lo * classes - lo * (lo + 1) / 2 + hi - lo - 1];
    return a > b ? later : 1 - later;
}

/* Wu, Lin & Weng 2004, second method: min sum_ab (r_ba p_a - r_ab p_b)^2 with sum p = 1, that is p'Qp with
 * Q_aa = sum_b r_ba^2, Q_ab = -r_ba r_ab, one p after the other until Qp is the same for all.  docs/math.md, eq. 92 */
static void couple(int64_t classes, const double *r, double *diag, double *Qp, double *p) {
    double least = 1e-7 / (double)classes;
    for (int64_t a = 0; a < classes; a++) {
        p[a] = 1 / (double)classes;
        diag[a] = 0;
        for (int64_t b = 0; b < classes; b++) diag[a] += b == a ? 0 : pow(of_pair(classes, r, b, a), 2);
    }
    for (int64_t round = 0; round < 100 + classes; round++) {
        double pQp = 0, worst = 0;
        for (int64_t a = 0; a < classes; a++) {
            Qp[a] = diag[a] * p[a];
            for (int64_t b = 0; b < classes; b++)
                if (b != a) Qp[a] -= of_pair(classes, r, b, a) * of_pair(classes, r, a, b) * p[b];
            pQp += p[a] * Qp[a];
        }
        for (int64_t a = 0; a < classes; a++) worst = fmax(worst, fabs(Qp[a] - pQp));
        if (worst < least) return;
        for (int64_t a = 0; a < classes; a++) {
            double step = (pQp - Qp[a]) / diag[a], all = 1 + step;
            p[a] += step;
            pQp = (pQp + step * (step * diag[a] + 2 * Qp[a])) / (all * all);
            for (int64_t b = 0; b < classes; b++) {
                double Q = b == a ? diag[a] : -of_pair(classes, r, b, a) * of_pair(classes, r, a, b);
                Qp[b] = (Qp[b] + step * Q) / all;
                p[b] /= all;
            }
        }
    }
}

static int64_t coupled(int64_t classes, const double *f, double *scratch, double *p) {
    const double edge = 1e-7;
    double *r = scratch + 2 * classes;
    int64_t top = 0;
    for (int64_t j = 0; j < classes * (classes - 1) / 2; j++) r[j] = fmin(fmax(exp(log_link(f[j])), edge), 1 - edge);
    couple(classes, r, scratch, scratch + classes, p);
    for (int64_t k = 1; k < classes; k++)
        if (p[k] > p[top]) top = k;
    return top;
}

int64_t ny_link(const ny_multiclass *method, int64_t classes, const double *f, double *scratch, double *p) {
    double *l = scratch;
    if (classes > 2 && method == &ny_multiclass_ovo) return coupled(classes, f, scratch, p);
    for (int64_t k = 0; k < classes; k++)
        l[k] = classes == 2                   ? log_link(k ? f[0] : -f[0])
               : method == &ny_multiclass_ova ? log_link(f[k])
                                              : log_product(method, classes, k, f);
    int64_t label = softmax(classes, l, p);
    ny_proba_agree(classes, label, p);
    return label;
}

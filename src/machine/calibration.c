/* calibration.c: see calibration.h. */
#include "calibration.h"

#include <math.h>

void ny_calibration_parts(int64_t classes, const double *score, int64_t k, double part[2]) {
    double s = classes == 2 ? (k == 1 ? score[1] : 0) : score[k];
    part[0] = fmax(s, 0);
    part[1] = fmin(s, 0);
}

void ny_calibration_proba(int64_t classes, const double *score, const double slopes[2], double *p) {
    double top = -INFINITY, sum = 0, part[2];
    for (int64_t k = 0; k < classes; k++) {
        ny_calibration_parts(classes, score, k, part);
        p[k] = slopes[0] * part[0] + slopes[1] * part[1];
        top = fmax(top, p[k]);
    }
    for (int64_t k = 0; k < classes; k++) sum += p[k] = exp(p[k] - top);
    for (int64_t k = 0; k < classes; k++) p[k] /= sum;
}

void ny_proba_agree(int64_t classes, int64_t decided, double *p) {
    int64_t top = 0;
    for (int64_t k = 1; k < classes; k++)
        if (p[k] > p[top]) top = k;
    if (top != decided) p[decided] = nextafter(p[top], 2);
}

int64_t ny_calibrated(ny_coding coding, int64_t classes, const double *f, const double slopes[2], double *score,
                      double *p) {
    int64_t decided = ny_codes_decide(coding, classes, f);
    ny_codes_scores(coding, classes, f, score);
    ny_calibration_proba(classes, score, slopes, p);
    ny_proba_agree(classes, decided, p);
    return decided;
}

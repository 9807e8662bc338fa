/* calibration.h: probabilities that never contradict the decision.
 *
 * Each class has a score s_k (codes.h); p = softmax over k of a+ max(s_k,0) + a- min(s_k,0), with slopes a+, a- > 0
 * fitted to held-out scores by maximum likelihood. For two classes only class 1 has a score, f, and class 0 has 0. The
 * map is increasing and common to all classes, so the largest probability is the decided class.  docs/math.md, eq. 21
 */
#ifndef NY_CALIBRATION_H
#define NY_CALIBRATION_H

#include "base/ctx.h"
#include "data/codes.h"

/* F: n x q outputs, column-major; code: true classes; u: square roots of row weights. */
ny_status ny_calibrate(ny_ctx *ctx, ny_coding coding, int64_t classes, int64_t n, int64_t q, const double *F,
                       const int32_t *code, const double *u, double slopes[2]);
/* p (classes) and the decided class from one row of outputs f (q). score: classes, scratch. */
int64_t ny_calibrated(ny_coding coding, int64_t classes, const double *f, const double slopes[2], double *score,
                      double *p);

/* Where rounding made another class as probable as the decided one, or more: the decided one gets the next number. */
void ny_proba_agree(int64_t classes, int64_t decided, double *p);

#endif

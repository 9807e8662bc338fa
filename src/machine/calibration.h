/* calibration.h: probabilities that never contradict the decision.
 *
 * Each class has a score s_k (codes.h); p = softmax over k of a+ max(s_k,0) + a- min(s_k,0), with slopes a+, a- > 0
 * fitted to held-out scores by maximum likelihood (search/calibrate.h). For two classes only class 1 has a score, f, and
 * class 0 has 0. The map is increasing and common to all classes, so the largest probability is the decided class.
 * docs/math.md, eq. 21
 */
#ifndef NY_CALIBRATION_H
#define NY_CALIBRATION_H

#include "codes/codes.h"

/* p (classes) and the decided class from one row of outputs f (q). score: classes, scratch. */
int64_t ny_calibrated(ny_coding coding, int64_t classes, const double *f, const double slopes[2], double *score,
                      double *p);

/* The two parts of the score of class k: what each slope multiplies. */
void ny_calibration_parts(int64_t classes, const double *score, int64_t k, double part[2]);
/* p (classes) from the scores (classes). */
void ny_calibration_proba(int64_t classes, const double *score, const double slopes[2], double *p);
/* Where rounding made another class as probable as the decided one, or more: the decided one gets the next number. */
void ny_proba_agree(int64_t classes, int64_t decided, double *p);

#endif

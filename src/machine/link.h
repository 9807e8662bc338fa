/* link.h: the probabilities of a logistic machine, 1 / (1 + exp(-f)) for each of its outputs.
 *
 *     one-vs-all     p_k ~ s(f_k),   s(f) = 1 / (1 + exp(-f))                                    docs/math.md, eq. 91
 *     pairs          the p that agree best with r_ab = P(b | a or b) = s(f_ab)                   docs/math.md, eq. 92
 *     other codes    p_k ~ product over the outputs j of s(M_kj f_j)                             docs/math.md, eq. 93
 */
#ifndef NY_LINK_H
#define NY_LINK_H

#include "codes/codes.h"

/* p (classes) and the decided class, that of the largest p, from one row of outputs f. scratch: 2 classes, and for
 * pairs as many as there are outputs. */
int64_t ny_link(const ny_multiclass *method, int64_t classes, const double *f, double *scratch, double *p);

#endif

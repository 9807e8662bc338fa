/* decide.h: from the outputs of a row to probabilities and a class. */
#ifndef NY_DECIDE_H
#define NY_DECIDE_H

#include "model.h"

/* p (classes) and the decided class from outputs f (q) and, where model->moderation is, their variances (q). prior
 * (classes) or NULL: the frequencies of the training data. scratch: ny_decide_scratch. The largest p is the class. */
int64_t ny_decide(const ny_model *model, const double *prior, const double *f, const double *variance, double *scratch,
                  double *p);
/* How many numbers of scratch a decision needs. */
static inline int64_t ny_decide_scratch(const ny_model *model) {
    return 2 * model->classes + ny_expansion_width(&model->f);
}

/* --prior none | uniform | LABEL=P,... -> *prior (classes, to be freed; NULL: none). Classes that are not named share
 * what is left in proportion to their frequencies in the training data. "" is the model's own. */
ny_status ny_prior_parse(ny_ctx *ctx, const ny_model *model, const char *text, double **prior);

#endif

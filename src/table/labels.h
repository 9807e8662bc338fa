/* labels.h: class labels as users write them. */
#ifndef NY_LABELS_H
#define NY_LABELS_H

#include "base/ctx.h"

/* Which of the labels the text is, or -1: the same text or, failing that, the same number ("+1" is 1). */
int64_t ny_label_find(int64_t labels, char *const *label, const char *text);

/* An option's LABEL=V,... -> value of each label; NAN for those that are not named. expected: all that the option
 * takes, for the message. */
ny_status ny_label_values(ny_ctx *ctx, const char *option, const char *expected, const char *text, int64_t labels,
                          char *const *label, double *value);

#endif

/* baseline.h: the model beside what does not look at the inputs. */
#ifndef NY_BASELINE_H
#define NY_BASELINE_H

#include "lines.h"
#include "model/record.h"

/* The label of the most frequent class, "mean" or "quantiles". */
const char *ny_baseline_name(const ny_model *model);
/* "always saying 'LABEL'", or without a label "always the mean (or else) of the targets". */
void ny_lines_baseline(ny_lines *lines, const char *label, const char *else_what);
/* 1 - (error / that of the mean)^2, both held out; NAN where the model does not predict the mean. */
double ny_expected_r2(const ny_model *model);

#endif

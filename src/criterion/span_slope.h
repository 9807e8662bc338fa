/* span_slope.h: the span rule of the l2-SVM at one machine: its value, and how it changes with C and the features. */
#ifndef NY_SPAN_SLOPE_H
#define NY_SPAN_SLOPE_H

#include "path.h"

typedef struct ny_span_form {
    double soft; /* eta: rows near the margin count as xi / (xi + eta) where a row is left out; 0: all of E alike */
    bool steps;  /* the value is the mean of rounded steps, about the share of errors; else the mean loss */
} ny_span_form;

/* The value at the machine x, which is brought to its minimum first. */
ny_status ny_span_value(ny_ctx *ctx, const ny_primal *p, ny_machine_point *x, const ny_span_form *form, double *value);
/* The same with its derivatives, as ny_iterative.gradient has them. out: 2 + r n. */
ny_status ny_span_slope(ny_ctx *ctx, const ny_primal *p, ny_machine_point *x, const ny_span_form *form, double *out);

#endif

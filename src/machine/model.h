/* model.h: everything that prediction needs. The outputs of a model are f(s(x)), where f is an expansion and s(x) is
 * (bend(x) - shift) times factor, input by input. Models are made and freed together with their records:
 * model/record.h. docs/math.md, eq. 7 */
#ifndef NY_MODEL_H
#define NY_MODEL_H

#include <stdbool.h>
#include <stdint.h>

#include "codes/codes.h"
#include "expansion.h"
#include "options/options.h"
#include "posterior.h"
#include "scale/bend.h"
#include "table/data.h"

/* The held-out outputs of the rows of code -1 and of code +1 as two normal distributions. docs/math.md, eq. 58 */
typedef struct ny_moderation {
    double minus, plus; /* their means */
    double within;      /* their common variance */
    double odds;        /* log of the weight of +1 over that of -1 */
} ny_moderation;

enum { NY_QUANTILES = 200, NY_MODERATION = sizeof(ny_moderation) / sizeof(double) };

struct ny_model {
    ny_schema schema;
    ny_task task;
    int64_t classes;           /* 0 for regression */
    char **label;              /* classes */
    ny_coding coding;          /* how outputs become a class; no method in a regression */
    ny_bend bend;              /* of the inputs, before they are scaled; d = 0: all are straight */
    double *shift, *factor;    /* inputs: scaling; shift is all zeros for sparse inputs */
    double *range;             /* 2 x inputs: the least training value of each, then the largest; NULL: not known */
    ny_expansion f;            /* of scaled inputs; its points are the landmarks */
    double *C;                 /* outputs */
    double *quantiles;         /* outputs: of the quantile machine; else NULL */
    double *calibration;       /* 2: slopes of the probability map; see calibration.h */
    bool link;                 /* probabilities are the logistic machine's own; see link.h */
    ny_posterior posterior;    /* r = 0: none */
    double *error_size;        /* NY_QUANTILES: of the standardised held-out errors; NULL for classes. See interval.h */
    ny_moderation *moderation; /* outputs: where probabilities come from the posterior; else NULL */
    double *frequency, *prior; /* classes: weight in the training data, and where the model is used; or NULL */
    ny_options *options;       /* as given */
    struct ny_record *record;  /* how it was chosen (model/record.h): predictions do not look at it */
};

#endif

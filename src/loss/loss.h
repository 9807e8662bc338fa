/* loss.h: the loss family: what an output f costs where the target is y, with its first two derivatives by f. All are
 * convex. Losses with corners have them rounded off over a half-width h, so that one Newton solver serves all.
 *                                                                                       docs/math.md, eq. 75, 76
 * A loss carries what belongs to it: the machines that have it, the option that sets its level, and how reports call
 * that. The rest of the program asks for these and compares no loss by name. */
#ifndef NY_LOSS_H
#define NY_LOSS_H

#include <stdbool.h>
#include <stdint.h>

#include "nysel.h"

#define NY_LOSS_LIST(X) \
    X(squared)          \
    X(hinge)            \
    X(squared_hinge)    \
    X(logistic)         \
    X(insensitive)      \
    X(huber)            \
    X(pinball)

typedef struct ny_loss_params {
    const struct ny_loss *loss;
    double width; /* h: half-width of the rounded corners; 0: sharp ones, whose second derivative is 0 */
    double level; /* what ny_loss.level is about: epsilon, delta, the quantile */
} ny_loss_params;

typedef struct ny_machine { /* a member of the machine family: a loss and a bias or none */
    const char *name, *help;
    const struct ny_loss *loss;
    bool bias; /* an unpenalised constant beside the kernel part, unless --bias says otherwise */
} ny_machine;

enum { NY_LOSS_MACHINES = 2 };

typedef struct ny_loss_level { /* where ny_loss_params.level comes from */
    const char *option;        /* the option that sets it, by whose name reports call it; NULL: the loss has none */
    double (*asked)(const ny_options *options); /* what the option says; NAN: auto. NULL for quantiles */
    double noises;                              /* auto: so many times the noise around a robust start ... */
    const char *told;                           /* ... in the words of the summary */
} ny_loss_level;

typedef struct ny_loss {
    const char *name, *help;
    ny_machine machine[NY_LOSS_MACHINES]; /* those that have it; the first without a name ends the list */
    ny_loss_level level;
    bool classes;   /* of y f with y = -1, +1; else of y - f */
    bool flat;      /* an output far enough on the right side, or close enough, costs nothing and has no slope */
    bool linear;    /* grows with the error and not with its square: C is then in units of the target */
    bool link;      /* its outputs are log odds: the machine has probabilities of its own */
    bool quantiles; /* the level is a quantile: an output for each of --quantiles, and errors are told by this loss */
    /* Values and derivatives of n rows. Runs in several threads at once. */
    void (*at)(const ny_loss_params *p, int64_t n, const double *y, const double *f, double *value, double *first,
               double *second);
    /* How much the rounding adds to the duality gap of the sharp loss in a row. NULL: there is no corner. */
    double (*rounding)(const ny_loss_params *p, double y, double f);
} ny_loss;

#define X(name) extern const ny_loss ny_loss_##name;
NY_LOSS_LIST(X)
#undef X

/* The member of that name, and the members in their order; NULL if there is none, or past the end. */
const ny_loss *ny_loss_find(const char *name);
const ny_loss *ny_loss_at(int64_t index);

/* The mean loss of n outputs f, weighted by v = u^2; y comes scaled by u, as problems have it. */
double ny_loss_mean(const ny_loss_params *p, int64_t n, const double *y_scaled, const double *u, const double *f);
/* Of one row, y unscaled. */
double ny_loss_value(const ny_loss_params *p, double y, double f);

#endif

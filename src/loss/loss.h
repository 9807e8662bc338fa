/* loss.h: the loss family: what an output f costs where the target is y, with its first two derivatives by f. All are
 * convex. Losses with corners have them rounded off over a half-width h, so that one Newton solver serves all.
 *                                                                                       docs/math.md, eq. 75, 76 */
#ifndef NY_LOSS_H
#define NY_LOSS_H

#include <stdbool.h>
#include <stdint.h>

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
    double level; /* epsilon of insensitive, delta of huber, tau of pinball */
} ny_loss_params;

typedef struct ny_loss {
    const char *name, *help;
    bool classes; /* of y f with y = -1, +1; else of y - f */
    bool flat;    /* an output far enough on the right side, or close enough, costs nothing and has no slope */
    bool linear;  /* grows with the error and not with its square: C is then in units of the target */
    void (*at)(const ny_loss_params *p, int64_t n, const double *y, const double *f, double *value, double *first,
               double *second);
    /* How much the rounding adds to the duality gap of the sharp loss in a row. NULL: there is no corner. */
    double (*rounding)(const ny_loss_params *p, double y, double f);
} ny_loss;

#define X(name) extern const ny_loss ny_loss_##name;
NY_LOSS_LIST(X)
#undef X

const ny_loss *ny_loss_find(const char *name); /* NULL if there is none */
const ny_loss *ny_loss_at(int64_t index);

/* The mean loss of n outputs f, weighted by v = u^2; y comes scaled by u, as problems have it. */
double ny_loss_mean(const ny_loss_params *p, int64_t n, const double *y_scaled, const double *u, const double *f);
/* Of one row, y unscaled. */
double ny_loss_value(const ny_loss_params *p, double y, double f);

#endif

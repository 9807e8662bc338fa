/* influence.h: the first order of leaving a fold out, in closed form for squared losses (docs/math.md, eq. 83). */
#ifndef NY_INFLUENCE_H
#define NY_INFLUENCE_H

#include "criterion.h"

/* Of `bif`: one reduction of the Gram matrix serves every C and every fold. */
extern const ny_closed_form ny_influence_form;

#endif

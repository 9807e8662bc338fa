/* routing.h: which route a training takes (search/route.h), and why. */
#ifndef NY_ROUTING_H
#define NY_ROUTING_H

#include "search/selection.h"

typedef struct ny_route_facts {
    const ny_options *options;
    const ny_data *data;
    int64_t rows, outputs, landmarks; /* landmarks: as many as there would be without an exact machine */
    bool classes, pairs;              /* pairs: each pair of classes is a problem of its own */
    bool newton;                      /* the machine, or its criterion, goes by Newton's method */
    bool by_kernel;                   /* exact machines of few rows go by their kernel matrix */
    double dimensions;                /* of the kernels' largest feature space */
    ny_posterior_wish posterior;
    bool one_of_many; /* machines of their own, which have fewer landmarks for it */
} ny_route_facts;

/* Flops of an exact machine that nobody asked for: two minutes. */
#define NY_EXACT_MOST 8e12

/* The route without a look at what the exact machine by conjugate gradients costs: NY_ROUTE_CG_AFTER where it may
 * come after. */
ny_route ny_route_choose(const ny_route_facts *facts);
/* Where it may: the final one, by its flops and by whether its kernel matrix finds room. */
ny_route ny_route_weigh(const ny_route_facts *facts, ny_route route, double flops, bool room);
/* Whether classes can do without a machine on landmarks of all rows, if the exact one is cheap. */
bool ny_route_alone(const ny_route_facts *facts);

#endif

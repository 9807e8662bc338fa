/* routing.c: see routing.h. All conditions of a route stand here, each with the reason that the user is told. */
#include "routing.h"

#include "search/search.h"

/* Why the exact machine on all rows does not come after one on landmarks although --solver is auto; NULL: it may, as
 * the low rank is our choice, the kernel has more dimensions than landmarks, and rows are left out one by one, which it
 * can do, too. */
static const char *only_landmarks(const ny_route_facts *f) {
    const ny_options *o = f->options;
    bool loo = ny_criterion_loo_asked(o);
    if (o->solver != NY_SOLVER_AUTO) return "--solver direct asks for it";
    if (ny_options_low_rank(o)) return "the low rank was asked for";
    if (f->newton) return "this loss or criterion is for machines on landmarks";
    if (!loo) return "the exact machine can only leave rows out one by one";
    if (o->expansion != NY_EXPANSION_LANDMARKS || o->bound) return "--expansion or --bound is about landmarks";
    if (f->one_of_many) return "so many machines share the time";
    if (f->pairs) return "pairs of classes share their landmarks";
    if (ny_matrix_is_sparse(&f->data->X)) return "the inputs are sparse";
    if ((double)f->landmarks >= f->dimensions) return "the landmarks span the kernel's feature space";
    return NULL;
}

ny_route ny_route_choose(const ny_route_facts *f) {
    if (ny_options_exact(f->options)) return (ny_route){NY_ROUTE_CG_AFTER, "--solver cg asks for it", true, 0};
    if (f->data->stream) return (ny_route){NY_ROUTE_PASSES, "the rows are not held in memory", false, 0};
    if (f->landmarks >= f->rows) {
        if (f->by_kernel && f->rows <= NY_KERNEL_MOST)
            return (ny_route){NY_ROUTE_KERNEL, "the rows are few enough for their kernel matrix", false, 0};
        return (ny_route){NY_ROUTE_LANDMARKS, "every row is a landmark", false, 0};
    }
    const char *why = only_landmarks(f);
    if (why) return (ny_route){NY_ROUTE_LANDMARKS, why, false, 0};
    return (ny_route){NY_ROUTE_CG_AFTER, "the exact machine follows if more landmarks promise a gain", false, 0};
}

bool ny_route_alone(const ny_route_facts *f) {
    return f->classes && f->posterior == NY_POSTERIOR_NO && !f->options->compare_criteria && f->by_kernel;
}

ny_route ny_route_weigh(const ny_route_facts *f, ny_route route, double flops, bool room) {
    if (route.asked) return route;
    if (!room) ny_route_give_up(&route, "the kernel matrix of all rows does not fit into half of the memory");
    else if (flops > NY_EXACT_MOST) ny_route_give_up(&route, "the exact machine on all rows would take too long");
    else if (flops > NY_EXACT_CHEAP) route.flops = flops;
    else if (ny_route_alone(f))
        route = (ny_route){NY_ROUTE_CG_ALONE, "the exact machine of all rows is cheap, and smaller ones tell where",
                           false, flops};
    else route = (ny_route){NY_ROUTE_CG_AFTER, "the exact machine on all rows is cheap", false, flops};
    return route;
}

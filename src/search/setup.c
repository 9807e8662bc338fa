/* setup.c: see setup.h. */
#include "setup.h"

#include <math.h>

ny_kernel_params ny_point_kernel(const ny_setup *setup, const ny_point *point) {
    ny_kernel_params kernel = setup->kernel;
    kernel.kernel = point->kernel;
    kernel.bandwidth = point->bandwidth;
    return kernel;
}

ny_range ny_point_C(const ny_setup *setup, const ny_point *point) {
    double C = point->C;
    return C > 0 ? (ny_range){.lo = log2(C), .hi = log2(C), .single = C} : setup->C;
}

ny_criterion_kind ny_setup_kind(const ny_setup *setup) {
    return ny_criterion_kind_for(setup->criterion, setup->stands_in ? &ny_loss_squared : setup->machine->loss);
}

bool ny_setup_stand_in_helps(const ny_setup *setup) {
    return ny_setup_iterates(setup) && !setup->criterion->value && setup->loss && setup->C.is_auto;
}

ny_setup ny_setup_stand_in(const ny_setup *setup) {
    ny_setup squared = *setup;
    squared.criterion = &ny_criterion_loo;
    squared.loss = NULL;
    squared.unit = 1;
    squared.stands_in = true;
    return squared;
}

bool ny_setup_on_error(const ny_setup *setup) {
    ny_select_on_option by = setup->options->select_on;
    return setup->classes && (by == NY_SELECT_ON_ERROR || by == NY_SELECT_ON_ERROR_MSE);
}

bool ny_setup_C_on_error(const ny_setup *setup) {
    ny_select_on_option by = setup->options->select_on;
    return setup->classes && (by == NY_SELECT_ON_ERROR || by == NY_SELECT_ON_MSE_ERROR);
}

bool ny_wants_kernel(const ny_options *o) {
    bool cut = ny_options_cut(o) || ny_options_given(o, "rank-tol"); /* which the kernel matrix itself cannot be */
    return ny_criterion_loo_asked(o) && ny_is(o->search, "profile") && !cut && o->expansion != NY_EXPANSION_TRAINING &&
           ny_options_by_loss(o);
}

bool ny_by_kernel(const ny_setup *setup, int64_t rows, bool all) {
    bool plain = ny_wants_kernel(setup->options) && setup->C.is_auto && !setup->C_each && !ny_setup_pairs(setup);
    bool posterior = setup->posterior != NY_POSTERIOR_NO && all;
    bool known = setup->criterion->kernel && ny_setup_kind(setup) == NY_CLOSED_FORM;
    return plain && rows <= NY_KERNEL_MOST && known && (setup->outputs == 1 || !posterior);
}

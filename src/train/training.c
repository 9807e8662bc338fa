/* training.c: see training.h. */
#include "training.h"

#include "base/alloc.h"
#include "search/passes.h"

void ny_training_clear(ny_training *t) {
    ny_free(t->loss);
    ny_training_rows_clear(&t->rows);
    ny_passes_free(t->passes);
    *t = (ny_training){0};
}

ny_selection ny_training_selection(ny_ctx *ctx, ny_training *t, const ny_plan *plan) {
    ny_selection sel = ny_selection_of(ctx, &t->setup, &t->rows);
    sel.passes = t->passes;
    sel.pace = &t->pace;
    sel.plan.landmarks = plan->landmarks;
    sel.plan.landmarks_most = plan->landmarks_most;
    sel.plan.landmarks_alone = plan->landmarks_alone;
    sel.plan.spanning = plan->spanning;
    sel.plan.route = plan->route;
    return sel;
}

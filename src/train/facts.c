/* facts.c: see facts.h. */
#include "facts.h"

#include <string.h>

#include "search/search.h"
#include "solver/machine.h"

/* Leave-one-out machines of squared loss whose low rank is our choice may have the exact one after them (plan.c). */
static bool may_be_exact(const ny_options *o, const ny_machine *machine) {
    bool plain = o->expansion == NY_EXPANSION_LANDMARKS && !o->bound && !ny_options_low_rank(o);
    return ny_options_exact(o) ||
           (o->solver == NY_SOLVER_AUTO && ny_machine_squared(machine) && ny_criterion_loo_asked(o) && plain);
}

/* An option about corners, or about the level of a loss. */
static bool has_option(const ny_loss *loss, const char *option) {
    if (ny_is(option, "hinge") || ny_is(option, "hinge-width")) return loss->rounding != NULL;
    return loss->level.option && ny_is(loss->level.option, option);
}

static const char *machines_for(const char *option, char text[NY_NAMES_TEXT]) {
    return ny_machines_with(has_option, option, text);
}

ny_facts ny_facts_of(const ny_options *o) {
    const ny_machine *machine = ny_machine_find(o->machine);
    const ny_kernel *kernels[NY_KERNELS_MAX];
    int64_t count = ny_kernel_candidates(o->kernel, NY_KERNELS_MAX, kernels);
    ny_facts f = {.options = o,
                  .own_option = machine->loss->level.option,
                  .machines = machines_for,
                  .link = machine->loss->link,
                  .bias = machine->bias,
                  .corners = machine->loss->rounding != NULL};
    for (int64_t i = 0; i < count; i++) {
        f.bandwidth |= kernels[i]->has_bandwidth;
        f.poly |= kernels[i] == &ny_kernel_poly;
    }
    const ny_criterion *criterion = ny_criterion_find(o->criterion);
    if (!criterion) criterion = ny_criterion_auto(machine->loss);
    f.folds = criterion->folds;
    f.gradient = criterion->gradient != NULL;
    f.walks = criterion->iterative && criterion->iterative->choose;
    f.width = f.bandwidth && (o->bandwidth.is_auto || o->bandwidth.hi > o->bandwidth.lo);
    f.searches = f.width || o->C.is_auto || o->C.hi > o->C.lo;
    f.exact = may_be_exact(o, machine);
    return f;
}

ny_status ny_options_check(ny_ctx *ctx, const ny_options *options, const char *command) {
    ny_facts facts = ny_facts_of(options);
    facts.path = strcmp(command, "path") == 0;
    return ny_option_rules_apply(ctx, NY_BY_OPTIONS, command, &facts, NULL, NULL);
}

typedef struct {
    ny_ctx *ctx;
    ny_record *record;
} noted;

static ny_status note(void *user, const char *message) {
    const noted *to = user;
    return ny_record_note(to->ctx, to->record, "%s", message);
}

ny_status ny_facts_judge(ny_ctx *ctx, ny_rule_stage stage, const ny_facts *facts, ny_record *record) {
    noted to = {ctx, record};
    return ny_option_rules_apply(ctx, stage, NULL, facts, note, &to);
}

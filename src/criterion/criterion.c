/* criterion.c: the table of criteria. */
#include "criterion.h"

#include <stddef.h>
#include <string.h>

static const ny_criterion *const table[] = {
#define X(name) &ny_criterion_##name,
    NY_CRITERION_LIST(X)
#undef X
};

const ny_criterion *ny_criterion_at(int64_t index) {
    return index >= 0 && index < (int64_t)(sizeof table / sizeof *table) ? table[index] : NULL;
}

const ny_criterion *ny_criterion_auto(const ny_loss *loss) {
    return loss == &ny_loss_squared ? &ny_criterion_loo : &ny_criterion_newton;
}

ny_criterion_kind ny_criterion_kind_for(const ny_criterion *criterion, const ny_loss *loss) {
    if (criterion->closed && loss == &ny_loss_squared) return NY_CLOSED_FORM;
    return criterion->iterative ? NY_ITERATIVE : NY_NO_KIND;
}

const ny_criterion *ny_criterion_find(const char *name) {
    for (int64_t i = 0; ny_criterion_at(i); i++)
        if (strcmp(table[i]->name, name) == 0) return table[i];
    return NULL;
}

const ny_criterion *ny_criterion_asked(const ny_options *options, const ny_loss *loss) {
    const ny_criterion *named = ny_criterion_find(options->criterion);
    if (!named) named = ny_criterion_auto(loss);
    return ny_options_folds(options) && !named->folds ? &ny_criterion_cv : named;
}

bool ny_criterion_loo_asked(const ny_options *options) {
    const ny_criterion *named = ny_criterion_find(options->criterion);
    return (!named || named == &ny_criterion_loo) && !ny_options_folds(options);
}

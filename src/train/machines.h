/* machines.h: machines that share nothing (--machines-share no). Every output of ovo, ova or moc is a selection of two
 * classes over rows of its own: kernel, bandwidth, C and landmarks are what it would have if it were trained alone.
 * What they have in common is the scaling of the inputs, the folds, and what comes after: the decisions and their
 * error. */
#ifndef NY_MACHINES_H
#define NY_MACHINES_H

#include "model/record.h"
#include "plan.h"
#include "training.h"

/* The plan of all machines together; landmarks and what goes with them are those of a common machine, which takes the
 * place of what a stop leaves undone. NY_ERR_MEMORY where not even one at a time fits. The rows are known by now. */
ny_status ny_machines_plan(ny_ctx *ctx, const ny_job *job, const ny_training *t, ny_plan *plan);

/* Whether the time that is left is enough for them by the plan; if not, the route is that of a common machine and the
 * record says so. */
ny_status ny_machines_in_time(ny_selection *sel, const ny_plan *plan, ny_record *record, bool *fits);

/* Trains them, small ones side by side, and makes found.best of what they are together: a list of expansions with the
 * held-out outputs of all. After a stop the outputs from the first machine that is missing on are those of a common
 * machine, as small as ny_finish_best makes it. */
ny_status ny_machines_train(const ny_data *data, ny_training *t, ny_selection *sel, const ny_plan *plan,
                            ny_record *record);

#endif

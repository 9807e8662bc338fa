/* finish.h: from the search's best to a model. */
#ifndef NY_FINISH_H
#define NY_FINISH_H

#include "model/record.h"
#include "training.h"

/* The search, or what belongs to it, was ended early: takes the stop, and notes it once. */
ny_status ny_finish_early(ny_ctx *ctx, ny_record *record);
/* After a stop: makes sure that the best is a machine trained on all rows, with as many landmarks as the search had
 * got to or as take about a second. */
ny_status ny_finish_best(ny_training *t, ny_selection *sel, ny_record *record);
/* Where the exact machine that was to come after did not: the landmarks that there would have been without it. */
ny_status ny_finish_alone(ny_selection *sel, ny_record *record);
/* Whether the best is the exact machine: by conjugate gradients, or of all rows and without a part of the kernel that
 * its C would make count. */
bool ny_finish_exact(const ny_selection *sel, const ny_record *record);
/* Moves the best machine into the model, calibrates probabilities, completes the record. */
ny_status ny_finish_model(ny_ctx *ctx, const ny_data *data, ny_selection *sel, ny_model *model);

#endif

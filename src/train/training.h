/* training.h: what a training owns from its preparation on: what is asked, the rows, and the pace of the run. */
#ifndef NY_TRAINING_H
#define NY_TRAINING_H

#include "plan.h"
#include "search/pace.h"

typedef struct ny_training { /* all zero: empty */
    ny_setup setup;
    ny_loss_params *loss; /* outputs: those of the setup; NULL: squared */
    ny_training_rows rows;
    struct ny_passes *passes; /* NULL: all rows are in memory */
    ny_pace pace;
} ny_training;

/* Frees what it owns and empties it. */
void ny_training_clear(ny_training *t);
/* A selection over what has been prepared, as the plan says; it borrows t. */
ny_selection ny_training_selection(ny_ctx *ctx, ny_training *t, const ny_plan *plan);

#endif

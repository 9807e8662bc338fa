/* training.h: what a training owns from its preparation on: what is asked, the rows, and the pace of the run. */
#ifndef NY_TRAINING_H
#define NY_TRAINING_H

#include "search/pace.h"

typedef struct ny_training { /* all zero: empty */
    ny_setup setup;
    ny_loss_params *loss; /* outputs: those of the setup; NULL: squared */
    ny_training_rows rows;
    struct ny_passes *passes; /* NULL: all rows are in memory */
    ny_pace pace;
} ny_training;

void ny_training_clear(ny_training *t);

#endif

/* machines_together.h: what machines of their own are together. */
#ifndef NY_MACHINES_TOGETHER_H
#define NY_MACHINES_TOGETHER_H

#include "model/record.h"
#include "search/selection.h"

typedef struct ny_machine_done { /* what remains of a machine at work */
    ny_status status;
    ny_solution best; /* without its held-out outputs, which are with those of the others */
    bool exact;
    int bandwidth_edge;
    double seconds; /* of landmarks and factor */
    ny_record record;
    char message[NY_MESSAGE_MAX];
} ny_machine_done;

typedef struct ny_machines_done {
    ny_machine_done *each; /* for each output */
    int64_t n, *id;        /* the rows: how many and which */
    double *held;          /* n x outputs */
} ny_machines_done;

/* Makes found.best of the first `done` machines, whose expansions move there: found.best holds a common machine before,
 * where some are missing, whose outputs stay behind them. The selection may have fewer rows than m, in the same order,
 * as the last machine after a stop may have set some aside. What was found goes into the trials and the record. */
ny_status ny_machines_together(ny_selection *sel, const ny_machines_done *m, int64_t done, ny_record *record);

#endif

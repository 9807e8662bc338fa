/* machine_rows.h: one output of several classes as a training of its own: the rows that take part, as two classes. */
#ifndef NY_MACHINE_ROWS_H
#define NY_MACHINE_ROWS_H

#include "training.h"

typedef struct ny_machine_rows { /* all zero: empty */
    ny_training t;               /* setup and rows; the rest is empty */
    int64_t *member;             /* t.rows.n: their numbers among the rows of all, ascending */
} ny_machine_rows;

/* How many rows take part in output k. */
int64_t ny_machine_rows_count(const ny_training *all, int64_t k);
/* A row's number is its place among those that take part, as it would be in a file of them alone: random choices go by
 * it. Pairs without rows of both classes, or in one fold, are NY_ERR_DATA with the remedy. It borrows the losses. */
ny_status ny_machine_rows_make(ny_ctx *ctx, const ny_data *data, const ny_training *all, int64_t k,
                               ny_machine_rows *own);
void ny_machine_rows_clear(ny_machine_rows *own);

#endif

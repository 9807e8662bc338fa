/* held_error.h: what held-out outputs cost, row by row and in all. */
#ifndef NY_HELD_ERROR_H
#define NY_HELD_ERROR_H

#include "rows.h"
#include "solution.h"

/* What the held-out outputs of a row cost. */
typedef struct ny_row_loss {
    double error;   /* 1 or 0 for classes, squared error or pinball loss: what is reported */
    double squared; /* mean over the outputs */
    double own;     /* of the machine: what it is chosen by */
} ny_row_loss;

/* Of row i; row: room for its outputs, which it gets, and for as many targets. */
ny_row_loss ny_loss_of_row(const ny_setup *setup, const ny_rows *rows, const double *F, int64_t i, double *row);

/* The error of held-out outputs, from blocks of rows. */
typedef struct ny_error_sums {
    int64_t rows;
    double weight, weight_squares, loss, loss_squares, squares, value, value_squares;
} ny_error_sums;

/* F[i + n*j]: held-out outputs of the rows. */
ny_status ny_error_add(ny_ctx *ctx, const ny_setup *setup, const ny_rows *rows, const double *F, ny_error_sums *sums);
/* error, std_error and value_error of the solution. */
void ny_error_end(const ny_setup *setup, const ny_error_sums *sums, ny_solution *s);

/* The standard error of the difference between the mean losses of two machines' held-out outputs F and H, from the
 * differences row by row. by_error: of their errors. */
ny_status ny_error_paired(ny_ctx *ctx, const ny_setup *setup, const ny_rows *rows, const double *F, const double *H,
                          bool by_error, double *error);

#endif

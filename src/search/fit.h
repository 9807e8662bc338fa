/* fit.h: what ny_evaluate is made of. */
#ifndef NY_FIT_H
#define NY_FIT_H

#include "search.h"

/* `count` of the rows: all, or a stratified sample. The first call for a size draws it; the same size again finds it.
 */
ny_status ny_rows_of_level(ny_selection *sel, int64_t count, const ny_rows **rows);

/* The target of row i for output j: the tamed one while a squared loss stands in for the machine's own. */
static inline double ny_target(const ny_selection *sel, const ny_rows *rows, int64_t i, int64_t j) {
    return sel->rough && rows->tame ? rows->tame[i] : rows->Y[i + j * rows->n];
}

/* The root of the weight that row i is learnt with. */
static inline double ny_heard(const ny_rows *rows, int64_t i) {
    return rows->wild && rows->wild[i] ? rows->u[i] * NY_UNHEARD : rows->u[i];
}

/* Some of the rows of sel->all, in this order. */
ny_status ny_rows_gather(const ny_selection *sel, const int64_t *rows, int64_t count, ny_rows *to);

/* The kernel at a point. */
ny_kernel_params ny_point_kernel(const ny_selection *sel, const ny_point *point);

/* The factor at a point, from the landmarks (given: these, or NULL: the method's own) or from a larger eigen form that
 * is at hand. */
ny_status ny_point_factor(const ny_selection *sel, const ny_rows *rows, const ny_landmarks *given, int64_t landmarks,
                          const ny_kernel_params *kernel, ny_factor *factor);

/* One point on rows in memory: factor -> C by the criterion -> machine and its worth. given: these landmarks, or NULL:
 * the method's own. seconds: spent on landmarks and factor. Everything it needs is its own, so that points can run side
 * by side. */
ny_status ny_fit(ny_selection *sel, const ny_rows *rows, const ny_landmarks *given, int64_t landmarks,
                 const ny_point *point, ny_solution *s, ny_profile *profile, double *seconds);

/* The landmark method for m of n rows. */
const ny_landmark_method *ny_method_for(const ny_selection *sel, int64_t m, int64_t n);

/* C at a point: its own, or as --C says. */
ny_range ny_point_C(const ny_selection *sel, const ny_point *point);

/* The same for all rows in passes, several points in one pass. The error is not known until ny_hold_out. seconds[0]: of
 * all. */
ny_status ny_fit_passes(ny_selection *sel, int64_t landmarks, int64_t points, const ny_point *point, ny_solution *s,
                        ny_profile *profile, double *seconds);

/* The error of a solution of ny_fit_passes, by a pass over all rows or from the sample; and its held-out outputs for
 * the rows of the sample. */
ny_status ny_hold_out(ny_selection *sel, bool all_rows, ny_solution *s);

/* What the held-out outputs of a row cost. */
typedef struct ny_row_loss {
    double error;   /* 1 or 0 for classes, squared error or pinball loss: what is reported */
    double squared; /* mean over the outputs */
    double own;     /* of the machine: what it is chosen by */
} ny_row_loss;

/* Of row i; row: room for its outputs, which it gets. */
ny_row_loss ny_loss_of_row(const ny_selection *sel, const ny_rows *rows, const double *F, int64_t i, double *row);

/* The error of held-out outputs, from blocks of rows. */
typedef struct ny_error_sums {
    int64_t rows;
    double weight, weight_squares, loss, loss_squares, squares, value, value_squares;
} ny_error_sums;

/* F[i + n*j]: held-out outputs of the rows. */
ny_status ny_error_add(const ny_selection *sel, const ny_rows *rows, const double *F, ny_error_sums *sums);
/* error, std_error and value_error of the solution. */
void ny_error_end(const ny_selection *sel, const ny_error_sums *sums, ny_solution *s);

/* The standard error of the difference between the mean losses of two machines' held-out outputs F and H, from the
 * differences row by row. by_error: of their errors. */
ny_status ny_error_paired(const ny_selection *sel, const ny_rows *rows, const double *F, const double *H, bool by_error,
                          double *error);

/* The held-out losses of a solution of all rows, if it is among the best so far. */
ny_status ny_contenders_add(ny_selection *sel, const ny_solution *s);
void ny_contenders_clear(ny_tried *tried);
/* The unit that a row belongs to (base/mean_limits.h), copies together, and how many there are. */
int64_t ny_unit(const ny_rows *rows, int64_t i);
int64_t ny_units(int64_t n);

/* A solution into the record of what was tried. */
ny_status ny_trial_add(ny_selection *sel, const ny_solution *s);

/* After an evaluation: so many flops of the work have been done. */
void ny_work_done(ny_selection *sel, double flops);

#endif

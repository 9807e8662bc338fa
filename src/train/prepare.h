/* prepare.h: from data and options to rows that a search can work on. */
#ifndef NY_PREPARE_H
#define NY_PREPARE_H

#include "model/record.h"
#include "plan.h"
#include "scale/scale.h"
#include "training.h"

/* Task, classes, kernel and the other members by name. */
ny_status ny_prepare_task(ny_ctx *ctx, const ny_data *data, ny_training *t, ny_model *model);
/* Weights, folds, codes; rows: those of positive weight, sorted by fold (to be freed). */
ny_status ny_prepare_rows(ny_ctx *ctx, const ny_data *data, ny_training *t, ny_model *model, int64_t **rows);
/* The inputs of those rows, scaled. */
ny_status ny_prepare_inputs(ny_ctx *ctx, const ny_data *data, ny_training *t, ny_model *model);
/* The same with that scale, again and again if need be: t->rows.all.X is made anew from the data, and the model gets
 * the scaling. Both stay as they were when it fails. It costs a copy of the inputs, two looks at each for its moments
 * and, for a scale that goes by the order, a sort of each column and a search among at most NY_KNOTS for each value.
 * Only for rows in memory, and before inputs are weighed. */
ny_status ny_prepare_scale(ny_ctx *ctx, const ny_data *data, const ny_scale *scale, ny_training *t, ny_model *model);

/* Instead of the last two, for rows in passes: t->passes, and a sample as t->rows.all. */
ny_status ny_prepare_stream(ny_ctx *ctx, const ny_data *data, const ny_plan *plan, ny_training *t, ny_model *model);

/* ---- shared by both ------------------------------------------------------------------------------------------ */

/* What regression targets are measured in, the largest of which is this. */
double ny_target_unit(const ny_setup *setup, double largest);
/* --class-weight none | balanced | LABEL=W,... -> one factor for each class. */
ny_status ny_class_weights(ny_ctx *ctx, const ny_data *data, const char *text, int64_t classes, double *weight);
/* The number of folds; fold: of every row, drawn or from the file (NULL: drawn later). */
ny_status ny_prepare_folds(ny_ctx *ctx, const ny_data *data, const ny_training_rows *rows, ny_setup *setup,
                           ny_model *model, int32_t *fold);
/* fold (data->rows): 1 for the rows of the validation set, which are those of the second fold of --fold-file or a share
 * of the rows, each class alike; none where it is a file of its own. */
ny_status ny_prepare_apart(ny_ctx *ctx, const ny_data *data, const ny_training_rows *rows, ny_setup *setup,
                           int32_t *fold);
/* Weights of 0 may have taken out a whole class, or all folds but one, where there must be two. */
ny_status ny_check_kept(ny_ctx *ctx, const ny_data *data, const ny_rows *all, bool folds);
/* Inputs with one value only are an error if all are such, else a note. */
ny_status ny_check_constant(ny_ctx *ctx, const ny_schema *schema, int64_t constant, ny_record *record);
/* After the scaling of each input by itself: those of one categorical column are scaled together, where the scale has
 * them as `standard` does. The record tells the scale. */
ny_status ny_finish_scale(ny_ctx *ctx, const ny_scale *scale, const ny_schema *schema, const ny_scaling *fitted,
                          ny_record *record);

#endif

/* prepare.h: from data and options to rows that a search can work on. */
#ifndef NY_PREPARE_H
#define NY_PREPARE_H

#include "model/model.h"
#include "search/selection.h"

/* Task, classes, kernel and the other members by name. */
ny_status ny_prepare_task(ny_ctx *ctx, const ny_data *data, ny_selection *sel, ny_model *model);
/* Weights, folds, codes; rows: those of positive weight, sorted by fold (to be freed). */
ny_status ny_prepare_rows(ny_ctx *ctx, const ny_data *data, ny_selection *sel, ny_model *model, int64_t **rows);
/* The inputs of those rows, scaled. */
ny_status ny_prepare_inputs(ny_ctx *ctx, const ny_data *data, const int64_t *rows, ny_selection *sel, ny_model *model);

#endif

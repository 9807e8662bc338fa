/* json_parts.h: parts that the JSON of several commands have in common. What adds members to an object answers not 0,
 * and what makes a value NULL, when out of memory. */
#ifndef NY_JSON_PARTS_H
#define NY_JSON_PARTS_H

#include "model/json_util.h"
#include "model/record.h"

/* version, command, options, data */
int ny_json_head(ny_ctx *ctx, const ny_model *model, const char *command, json_t *object);
/* landmarks, rank, kernel_kept, exact, kernel, bandwidth, gamma_libsvm */
int ny_json_kernel(ny_ctx *ctx, const ny_model *model, json_t *object);
/* seconds, peak_bytes .. notes */
int ny_json_measured(ny_ctx *ctx, const ny_record *record, json_t *object);
/* What does not look at the inputs: {name, error, better}, where the model is `gain` standard errors better. */
json_t *ny_baseline_json(ny_ctx *ctx, const char *name, double error, double gain);

#endif

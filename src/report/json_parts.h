/* json_parts.h: parts that the JSON of a training and of a path have in common. Each adds members to the object; not 0:
 * out of memory. */
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

#endif

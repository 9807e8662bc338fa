/* target.h: collects the target column row by row; whether it holds numbers or classes shows only at the end. */
#ifndef NY_TARGET_H
#define NY_TARGET_H

#include "data.h"
#include "dict.h"

typedef struct ny_target { /* all zero: empty */
    int64_t rows;
    double *y;     /* rows: the value; NaN where it is text */
    int32_t *code; /* rows: number in dict; no longer kept once there are many */
    int64_t y_room, code_room;
    ny_dict dict;  /* distinct values: their text, or the bytes of the double when `binary` */
    double *value; /* of each of them; NaN: text */
    int64_t value_room;
    bool binary;
    bool many;       /* more than NY_LABELS_MAX distinct ones, all numbers: it is a regression target */
    bool lost;       /* cannot serve as a target, and need not */
    int64_t missing; /* rows without one */
    int64_t missing_line, missing_field; /* the first of them */
} ny_target;

void ny_target_clear(ny_target *target);

/* The value of the row that comes next; it counts once `rows` is raised. Values keep the text they came with, so
 * that "+1" comes back as "+1". NY_ERR_DATA without a position in the message. */
ny_status ny_target_text(ny_ctx *ctx, ny_target *target, const char *text, int64_t length);
ny_status ny_target_number(ny_ctx *ctx, ny_target *target, double value);
void ny_target_missing(ny_target *target, int64_t line, int64_t field);

/* Moves everything to data->y, label, code ... Missing or lost values are an error when `needed`, else the data have
 * no target and a warning says so. */
ny_status ny_target_finish(ny_ctx *ctx, ny_target *target, bool needed, ny_data *data);

#endif

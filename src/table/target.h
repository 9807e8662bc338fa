/* target.h: collects the target column row by row; whether it holds numbers or classes shows only at the end. */
#ifndef NY_TARGET_H
#define NY_TARGET_H

#include "data.h"
#include "dict.h"

typedef struct ny_target { /* all zero: empty */
    int64_t rows;          /* all that came */
    int64_t held;          /* of them, the last ones: those in y and code */
    double *y;             /* held: the value; NaN where it is text */
    int32_t *code;         /* held: number in dict; no longer kept once there are many */
    int64_t y_room, code_room;
    ny_dict dict;   /* distinct values: their text, or the bytes of the double when `binary` */
    double *value;  /* of each of them; NaN: text */
    int64_t *count; /* of each of them: its rows (dropped ones not counted) */
    int32_t *rank;  /* of each of them: its label, once learnt */
    int64_t value_room, count_room;
    bool binary;
    bool many;                     /* more than NY_LABELS_MAX distinct ones, all numbers: it is a regression target */
    bool lost;                     /* cannot serve as a target, and need not */
    bool numeric;                  /* every value is a number; known once learnt */
    const ny_known_targets *known; /* what values may be; NULL: anything. Not owned */
    bool fixed;      /* later passes: rows are no longer counted, and new values mean that the file has changed */
    int64_t missing; /* rows without one */
    int64_t missing_line, missing_field; /* the first of them */
} ny_target;

/* Frees everything and leaves an empty target. */
void ny_target_clear(ny_target *target);

/* The value of the row that comes next; it counts once ny_target_end is called. Values keep the text they came with,
 * so that "+1" comes back as "+1". NY_ERR_DATA without a position in the message. */
ny_status ny_target_text(ny_ctx *ctx, ny_target *target, const char *text, int64_t length);
/* The same of a value that is a number already. */
ny_status ny_target_number(ny_ctx *ctx, ny_target *target, double value);
/* The next row has none; line and field are where. */
void ny_target_missing(ny_target *target, int64_t line, int64_t field);

/* Every row so far has a value that can serve. */
static inline bool ny_target_usable(const ny_target *target) {
    return !target->lost && target->missing == 0;
}
/* The row is kept. */
static inline void ny_target_end(ny_target *target) {
    if (!target->many && !target->fixed && ny_target_usable(target)) target->count[target->code[target->held]]++;
    target->rows++;
    target->held++;
}

/* What the rows so far tell: has_target, numeric_target, label and label_rows of the data. Missing values are an error
 * when `needed`; else they, or lost ones, leave the data without a target (ny_target_warn says so). */
ny_status ny_target_learn(ny_ctx *ctx, ny_target *target, bool needed, ny_data *data);
/* Warns in the log where rows without a target made the data one without. */
void ny_target_warn(ny_ctx *ctx, const ny_target *target, const char *source);
/* Moves the held rows to y and code of the data, by what was learnt. */
void ny_target_take(ny_target *target, ny_data *data);
/* Another pass over the same file begins. */
void ny_target_restart(ny_target *target);

#endif

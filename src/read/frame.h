/* frame.h: the rows of a file before they become data: one double per input column (a category's number in its
 * dictionary, NaN for missing), the target and the weight apart. CSV and .npy readers fill it row by row. */
#ifndef NY_FRAME_H
#define NY_FRAME_H

#include "layout.h"
#include "table/data.h"
#include "table/dict.h"
#include "table/na.h"
#include "table/target.h"

enum { NY_LEVELS_MAX = 10000 };

typedef struct ny_block { /* rows are kept in blocks: no copying while growing, and freed one by one when encoded */
    double *x;            /* slots x rows */
    int64_t rows, room;
} ny_block;

typedef struct ny_levels { /* the categories of one slot */
    ny_dict dict;          /* in the order they come; with a model exactly its levels, in its order */
    int64_t *rows;         /* of each of them: the rows that have it, dropped ones not counted */
    int64_t room;
    int32_t
        *place; /* of each of them: its number among the column's sorted levels, once learnt; -1: dropped rows only */
} ny_levels;

typedef struct ny_slots { /* what is known of the columns that become inputs; each array has one for each of them */
    ny_levels *level;
    int64_t *category; /* categories: the slots that hold some */
    int64_t categories;
    bool *left_out; /* an identifier: its values are not kept */
    bool any_left_out;
    int64_t *counting; /* countings, while learning: the slots of numbers that have counted the rows so far */
    int64_t countings;
    double *from;     /* what these counted from */
    double *sum;      /* while learning: of the values that are there */
    int64_t *count;   /* how many there are */
    int64_t *missing; /* fields without a value; one more for the weight */
    int64_t *line;    /* likewise: where the first of them is */
    bool adjacent;    /* the slots' fields lie side by side, in the slots' order */
} ny_slots;

typedef struct ny_counts { /* of one pass over a file */
    int64_t rows;          /* all that were kept */
    int64_t held;          /* of them, the last ones: those not taken yet */
    int64_t missing;       /* fields without a value, targets not counted */
    int64_t dropped;       /* rows */
    int64_t lacking;       /* rows that stay although values are missing */
    int64_t unseen;        /* values of categories or indices that the model does not know */
    double weight_sum;
    int64_t weight_rows; /* of positive weight */
} ny_counts;

typedef struct ny_held { /* rows that were kept and not taken yet */
    int64_t blocks, block_room;
    ny_block *block;
    int64_t nan;    /* fields without a value in them */
    double *weight; /* rows, when the layout has a weight */
    bool *lacks;    /* rows: values are missing, where such rows keep their place */
    char *id;       /* texts of the layout's id, one after the other, each with its NUL */
    int64_t *id_at; /* rows: where each begins */
    int64_t weight_room, lacks_room, id_used, id_room, id_at_room;
} ny_held;

typedef struct ny_row { /* the row being filled */
    double *x;          /* slots, in the last block */
    bool missing;       /* it is to be dropped, or to be marked */
    int64_t unseen, nan;
} ny_row;

typedef struct ny_frame {
    const ny_layout *layout;
    const ny_schema *like;    /* NULL while learning */
    const ny_na *na;          /* words for missing values */
    ny_missing_option policy; /* never auto */
    bool marks;               /* rows that would be dropped keep their place */
    bool identify;            /* look for identifiers (--ignore) */
    bool learnt;      /* the schema is known from an earlier pass over the same file: nothing is learnt any more */
    bool misfit;      /* a field did not fit what its column was taken to hold */
    int64_t expected; /* rows that may come: the first block gets room for them; 0 when unknown */
    ny_counts count;
    ny_slots slot;
    ny_held held;
    ny_row row;
    ny_target target;
} ny_frame;

/* An empty frame, which looks at layout, na and like (NULL: learn) as long as it lives. For ny_frame_clear, also after
 * a failure. */
ny_status ny_frame_init(ny_ctx *ctx, const ny_layout *layout, const ny_options *options, const ny_na *na,
                        const ny_schema *like, ny_frame *frame);
/* Frees what the frame holds and zeroes the struct. */
void ny_frame_clear(ny_frame *frame);

/* frame->row.x has room for one row; every used field must then be given once, then ny_frame_end. */
ny_status ny_frame_begin(ny_ctx *ctx, ny_frame *frame);
/* Field f (from 0) of the row, from the line `line` of the file. */
ny_status ny_frame_text(ny_ctx *ctx, ny_frame *frame, int64_t line, int64_t f, const char *text, int64_t length);
/* The row is complete: it is kept, marked or dropped. */
ny_status ny_frame_end(ny_ctx *ctx, ny_frame *frame);
/* The row's text in the column --id. */
ny_status ny_frame_id(ny_ctx *ctx, ny_frame *frame, const char *text, int64_t length);
/* A whole row of fields that are all numbers: begin, the fields and end in one. */
ny_status ny_frame_numbers(ny_ctx *ctx, ny_frame *frame, int64_t line, const double *field);

/* Whether the rows, taken together, speak against what the columns were taken to hold: a column of categories, or a
 * target of texts, where most values are numbers or dates. */
bool ny_frame_odd(const ny_frame *frame);
/* Missing values that ny_frame_check will refuse have come: what is read on is only counted. */
bool ny_frame_doomed(const ny_frame *frame);
/* After the last row: no rows, forbidden missing values and weights that are all zero are errors. */
ny_status ny_frame_check(ny_ctx *ctx, const ny_frame *frame);
/* Forgets the held rows; what was learnt and counted stays. */
void ny_frame_recycle(ny_frame *frame);
/* Another pass over the same file begins. */
void ny_frame_restart(ny_frame *frame);

#endif

/* group.h: outputs that learn from the same rows, and the problem they pose in the feature space of a factor. */
#ifndef NY_GROUP_H
#define NY_GROUP_H

#include "factor/factor.h"
#include "rows.h"

/* A group is a set of outputs that learn from the same rows: all outputs, or one of one-vs-one. */
typedef struct ny_group {
    int64_t first, q, n; /* outputs first .. first+q; n member rows */
    int64_t *member;     /* n row numbers; NULL: all rows */
    double *G, *u, *Y;   /* gathered and scaled; G is the factor's own where member is NULL */
    int64_t ldg;
    int64_t *fold_start;
    ny_together together; /* groups 0: every row is left out by itself */
    const double *excess; /* n x q, see ny_rows; NULL: nothing */
    int32_t *code;        /* one-vs-one: 0/1 within the pair */
} ny_group;

/* Which of the group's n rows (member) are held out together, where rows->copy is there; their mean targets for its
 * outputs. */
ny_status ny_together_make(ny_ctx *ctx, const ny_setup *setup, const ny_rows *rows, const ny_group *g, ny_together *t);
void ny_together_clear(ny_together *t);

/* g->first and g->q are given. Columns are scaled by the root of their weight: the factor's own where all rows are
 * members. */
ny_status ny_group_make(ny_ctx *ctx, const ny_setup *setup, const ny_rows *rows, ny_factor *f, ny_group *g);
void ny_group_clear(ny_group *g);
/* What is left to say: moved, spectrum, kernel, X. */
ny_problem ny_group_problem(const ny_setup *setup, const ny_factor *f, const ny_group *g);

#endif

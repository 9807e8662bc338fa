/* copies.h: rows that were put into the table more than once. Leaving out one of them says nothing, as the others tell
 * the machine what it is: they are held out together. */
#ifndef NY_COPIES_H
#define NY_COPIES_H

#include "matrix.h"

/* copy[k], for the rows[k] of X (n of them): the number of its group, or -1 where the row is alone; rows of a group
 * have exactly equal inputs, and in one of them at least a value that no other row has. (In a table of a few levels
 * many rows are equal, and so will new ones be: these are no copies.) Groups are numbered in the order of their first
 * rows; repeats: rows less distinct ones. */
ny_status ny_copies_find(ny_ctx *ctx, const ny_matrix *X, const int64_t *rows, int64_t n, int64_t *copy,
                         int64_t *groups, int64_t *repeats);

#endif

/* space.h: log2 of the bandwidth and log2 of C, those of the two that are to be found, for searches that choose a point
 * with both. */
#ifndef NY_SPACE_H
#define NY_SPACE_H

#include "search.h"

enum { NY_SPACE_DIMS = 2 };

typedef struct ny_space {
    ny_selection *sel;
    int64_t dims;
    double lo[NY_SPACE_DIMS], hi[NY_SPACE_DIMS];
    double guess[NY_SPACE_DIMS]; /* what the data suggest, or the middle of a given range */
    int64_t bandwidth_at, C_at;  /* which variable each is; -1: none, it is given */
    double bandwidth;            /* the given one */
    ny_kernel_side side;         /* of all rows, for the kernel's diagonal, with an automatic C */
    double *diag;                /* n */
} ny_space;

/* Automatic bandwidths range as the distances in the data say, a factor of 4 wider on both sides. An automatic C is
 * relative to the kernel: C times the mean of k(x,x) lies within 2^-10 .. 2^20. */
ny_status ny_space_make(ny_selection *sel, ny_space *s);
void ny_space_clear(ny_space *s);
/* The point at x (dims), rounded to a grid: the last bits depend on the number of threads and must not reach the
 * model. */
ny_point ny_space_point(const ny_space *s, const ny_kernel *kernel, const double *x);
/* dlog C / dlog bandwidth of points whose other variable stays as it is: not 0 where k(x,x) moves with the bandwidth. */
double ny_space_lean(const ny_space *s, const ny_point *point);
/* Tells found and its best machine whether they lie on an end of a range given by the user. */
void ny_space_edges(const ny_space *s);

#endif

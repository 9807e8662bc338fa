/* bend.h: inputs that are bent before they are shifted and multiplied: along knots that a line joins, or by a logarithm
 * to both sides of a centre. */
#ifndef NY_BEND_H
#define NY_BEND_H

#include "table/matrix.h"

enum { NY_KNOTS = 1000 }; /* of an input, at most */

typedef struct ny_bend { /* all zero: every input is straight */
    int64_t d;           /* inputs */
    int64_t *ptr;        /* d + 1: input j has the knots from ptr[j] to ptr[j + 1]; none: it has no table */
    double *x, *z;       /* ptr[d] each: x is mapped to z; both ascend within an input, x strictly */
    double *log;  /* 2 x d: a centre for each input, then a width: sign(t) log(1 + |t|), t = (x - centre) / width; width
                   * 0: no logarithm */
    int64_t room; /* of x and z */
} ny_bend;

/* d inputs, all straight so far; for ny_bend_clear. */
ny_status ny_bend_begin(ny_ctx *ctx, int64_t d, ny_bend *bend);
void ny_bend_clear(ny_bend *bend);
/* One more knot of the input j that is being filled: the inputs come in order, and ny_bend_close ends each. */
ny_status ny_bend_knot(ny_ctx *ctx, ny_bend *bend, double x, double z);
void ny_bend_close(ny_bend *bend, int64_t j);
/* Whether the input is not straight; how many are not. */
bool ny_bend_has(const ny_bend *bend, int64_t j);
int64_t ny_bend_count(const ny_bend *bend);
/* The value of input j. Beyond the knots it is that of the nearest end. */
double ny_bend_value(const ny_bend *bend, int64_t j, double x);
/* Every input of X, which must be dense if any is bent, in place. */
void ny_bend_apply(const ny_bend *bend, ny_matrix *X);
/* Only the inputs with kept[j] (d) stay. */
void ny_bend_keep(ny_bend *bend, const bool *kept);
/* What is wrong with a bend from a file, whose arrays have their lengths: NULL, or a phrase. */
const char *ny_bend_fault(const ny_bend *bend, int64_t knots);

#endif

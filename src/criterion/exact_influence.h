/* exact_influence.h: t-FBIF of Liu et al. 2018 (eq. 11) for any loss: the machine and its kernel matrix are exact, and
 * the low rank is in the inverse alone. */
#ifndef NY_EXACT_INFLUENCE_H
#define NY_EXACT_INFLUENCE_H

#include "factor/factor.h"
#include "leaving.h"

typedef struct ny_whole { /* a problem in the features of the whole kernel, and the same rows of low rank */
    ny_problem problem;   /* the first member: a ny_leave_fn comes from it to the others */
    const ny_problem *low;
    ny_factor factor; /* of every row; empty where the low problem has no kernel: then its G is all there is */
} ny_whole;

/* The problem of low rank must outlive it. */
ny_status ny_whole_new(ny_ctx *ctx, const ny_problem *low, ny_whole **out);
void ny_whole_free(ny_whole *whole);
/* For primals of ny_whole.problem. */
ny_leave_fn ny_leave_exact_influence;
/* The path of the exact machine beside that of low rank. */
ny_cost ny_exact_influence_cost(const ny_size *size);

#endif

/* duration.h: how long it will take. What is said here never reaches the model: same seed, same answer, whatever the
 * clock. */
#ifndef NY_DURATION_H
#define NY_DURATION_H

#include "plan.h"

typedef struct ny_work { /* what the plan has decided, as far as time goes */
    const ny_options *options;
    const ny_data *data;
    ny_size size;
    bool pairs;
    const ny_criterion *criterion;
    ny_criterion_kind kind; /* by which it judges machines of full size */
    const ny_route *route;
    double exact; /* operations of the exact machine, if it comes after for sure */
    bool beside;  /* a low-rank machine goes with it (accompany in exact.c) */
} ny_work;

/* Operations of search and training. */
double ny_work_flops(const ny_work *work);
/* Those of the exact machine by conjugate gradients. */
double ny_work_exact(const ny_data *data, int64_t rows, int64_t columns, int64_t rank);
/* Seconds of passes over the rows. */
double ny_work_passes(const ny_data *data);
/* Operations in a second of all threads, as a machine's training has them; where `flops` take a second or more, from a
 * product of matrices of a few milliseconds, else what is usual. */
double ny_work_rate(ny_ctx *ctx, double flops);

#endif

/* plan.h: how many landmarks, how much memory, how long: decided and said before the work begins. */
#ifndef NY_PLAN_H
#define NY_PLAN_H

#include "kernel/product.h"
#include "routing.h"

typedef struct ny_job { /* what is to be trained */
    const ny_options *options;
    const ny_data *data;
    int64_t rows, outputs, classes; /* classes: 0 in regression */
    const ny_rows *judged;          /* rows of a validation set; NULL, or n = 0: there are none */
    bool pairs;                     /* of classes, each a problem of its own */
    ny_posterior_wish posterior;
    int64_t most; /* landmarks that --landmarks auto may take, where it is one of many machines; 0: any number */
} ny_job;

typedef struct ny_plan {
    int64_t landmarks;      /* n, or the span: exact */
    int64_t preconditioner; /* rank of the one of the exact machine; 0: there will be none */
    ny_keep keep;           /* the most of its kernel matrix that there is room for */
    int64_t exact_bytes;    /* predicted peak with that */
    ny_route route;
    double exact_iteration;  /* one iteration of it, in the same unit */
    double exact_work;       /* what is foreseen of it, with all its trials */
    int64_t landmarks_most;  /* to which --landmarks auto may grow */
    int64_t landmarks_alone; /* what it would be if no exact machine came after; it is never less than landmarks */
    int64_t spanning;        /* landmarks that span the feature space, where they are few; else 0 */
    int64_t bytes;           /* predicted peak of the process */
    int64_t abreast;         /* machines of their own that are trained side by side: train/machines.c; and ... */
    double apart;            /* ... the flops in 4 n m^2 of all of them, which --landmarks auto has chosen; else 0 */
    double seconds;          /* predicted for selection and training */
    double rate;             /* operations in a second that this goes by */
    int64_t exact_columns;   /* right hand sides of the exact machine */
    int64_t sample, block, machines; /* for rows in passes: rows kept in memory, rows of a block, machines in a pass */
} ny_plan;

/* Before anything is made for the rows: NY_ERR_MEMORY, with numbers and what helps, unless a small machine fits. */
ny_status ny_plan_check(ny_ctx *ctx, const ny_job *job);

/* Fails with NY_ERR_MEMORY, numbers and the flag that helps when an explicit choice cannot fit. */
ny_status ny_plan_make(ny_ctx *ctx, const ny_job *job, ny_plan *plan);

/* The predicted peak with m landmarks. */
int64_t ny_plan_bytes(const ny_ctx *ctx, const ny_job *job, int64_t m);

#endif

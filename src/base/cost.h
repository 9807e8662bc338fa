/* cost.h: what an algorithm takes, for a problem of a given size. Every algorithm tells it itself; train/plan.c and
 * search/pace.c add up. */
#ifndef NY_COST_H
#define NY_COST_H

typedef struct ny_cost {
    double flops;
    double numbers; /* doubles that it holds at a time */
} ny_cost;

typedef struct ny_size {
    double n, d, m, q; /* rows, inputs, landmarks (at most n), outputs */
    double folds;      /* that the rows are cut into, whether or not the criterion has folds */
    double values;     /* of C that will be asked for */
    double together;   /* machines of this size that are trained side by side, a thread each */
} ny_size;

#endif

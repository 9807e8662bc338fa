/* record.h: how a model was chosen: what was tried, measured and said. Reports tell it; predictions do not need it. */
#ifndef NY_RECORD_H
#define NY_RECORD_H

#include <stdbool.h>
#include <stdint.h>

#include "base/ctx.h"
#include "kernel/kernel.h"
#include "machine/model.h"

typedef struct ny_evaluation { /* one point tried by the search */
    const ny_kernel *kernel;
    double bandwidth, C;           /* C of the best value; the geometric mean where outputs differ */
    double value;                  /* the criterion there */
    double error;                  /* misclassification rate or RMSE of the held-out outputs */
    int64_t rows, landmarks, rank; /* rank 0: not known, in models of older versions */
    double log_loss;               /* held out and calibrated, where kernels were compared by it; else NAN */
} ny_evaluation;

/* How far the low-rank machine can be from the exact one (--bound; docs/math.md, section 11). NAN: not known. */
typedef struct ny_bound {
    bool known;                /* it was asked for and found; nothing else counts otherwise */
    double kernel_error;       /* |K - G'G|, exact or from below */
    double kernel_error_upper; /* never below it */
    double accuracy;           /* kernel_error is at least (1 - accuracy) of the true one, with probability 0.99 */
    double kernel_norm;        /* |K|, from below by less than kernel_error */
    double bound;              /* an output differs from the exact machine's by no more */
    double bound_paper;        /* the same by eq. 24 of Ding and Liao, at a fixed bias */
    double deviation_max, deviation_rms; /* measured on deviation_rows rows */
    int64_t deviation_rows;
    bool exact; /* kernel_error is no estimate */
    double seconds;
    /* What theorems 2 and 3 of Ding and Liao say before the landmarks are drawn, with probability 0.99. epsilon: the
     * least that the landmarks allow; above 1 the theorems say nothing, NAN: they are not for such landmarks. */
    double epsilon, kernel_error_prior, bound_prior;
} ny_bound;

typedef struct ny_comparison { /* a criterion on the finished machine (--compare-criteria) */
    char *criterion;
    double value, error, std_error;        /* at the machine's own C */
    double best_C, best_value, best_error; /* at the C that this criterion prefers (mean of the outputs') */
} ny_comparison;

typedef struct ny_solver { /* --solver cg: how the exact machine came about */
    bool known;            /* the model is that machine; nothing else counts otherwise */
    int64_t iterations;
    double residual; /* largest |b - A x| / |b| of its systems */
    int64_t rank;    /* of the preconditioner */
    double seconds;
} ny_solver;

typedef struct ny_descent { /* Newton's method: how near the machines came to their minima */
    bool known;             /* the machine went by it; nothing else counts otherwise */
    int64_t steps;          /* of all outputs and all C at the chosen kernel and bandwidth */
    double gap;             /* largest duality gap of an output over its objective */
    int64_t outputs;
    double *objective; /* outputs: J of docs/math.md, eq. 78 */
} ny_descent;

typedef struct ny_measures { /* of a loss that is not squared. NAN: there is no such thing */
    bool known;              /* the loss has them; nothing else counts otherwise */
    double width;            /* half-width of the rounded corners */
    double level;            /* epsilon or delta: what the loss calls it */
    double noise;            /* that they are measured by */
    double crossed;          /* share of rows whose quantiles, held out, were not in order */
} ny_measures;

typedef struct ny_judged { /* an input column as --metric or --ard sees it */
    char *name;
    double relevance; /* its scale over the largest */
    bool kept;
} ny_judged;

/* --metric: leave-one-out values of small machines of the same rows, with weights for the columns and without. NAN: not
 * tried, or a stop came first. */
typedef struct ny_weighing {
    bool known;   /* such weights were learnt; nothing else counts otherwise */
    char *used; /* the model's weights: "equal", "slopes" or "evidence"; NULL: equal, a stop came first */
    int64_t rows, landmarks, weights;
    double equal, slopes, evidence; /* the values, the last two times the penalty */
    double penalty;                 /* what they are too small by, as the weights were chosen for such rows */
} ny_weighing;

typedef struct ny_inferred { /* an output at level 2 of the evidence: w ~ N(0, I/mu), noise of variance 1/(zeta v_i) */
    double mu, zeta;         /* the most probable for the kernel and C = zeta/mu */
    double gamma_eff;        /* effective parameters, the bias among them */
    double log_mu_stderr, log_zeta_stderr;
} ny_inferred;

typedef struct ny_expected {         /* of rows that the machine has not seen. NAN: not known, in older files */
    double value;                    /* the criterion */
    double error, std_error;         /* share of wrong rows or RMSE, and the standard error of that */
    double squared_error;            /* held out, mean over rows and outputs */
    double error_lower, error_upper; /* 95% limits of the error on fresh rows */
    double plain_error;              /* where `error` has class weights in it: the share of wrong rows without them */
    double baseline_error; /* of what does not look at the inputs: the most frequent class, the mean, the quantiles */
    double baseline_gain;  /* by how many standard errors the model is better than that */
} ny_expected;

typedef struct ny_spent { /* what the run took, and what the plan had said */
    double seconds_read, seconds_scale, seconds_landmarks, seconds_select, seconds_train, seconds_total;
    int64_t peak_bytes, predicted_bytes;
    double predicted_seconds;
} ny_spent;

typedef struct ny_origin { /* how the machine came about */
    char *route, *why;     /* search/route.h, and the reason; NULL: not known */
    int64_t landmarks, rank;
    double kernel_kept; /* share of the kernel's trace that the low rank keeps; NAN: not known */
    bool exact;         /* the solution on all rows, or on landmarks that span the whole feature space */
    char *scale;        /* that was used; NULL: not known */
    double rank_error;  /* of quantile inputs: by how much a share of the rows may be off (scale.h); else NAN */
} ny_origin;

typedef struct ny_record { /* what the report and the JSON tell */
    char *source;          /* the training file's name, or NULL */
    char *criterion;
    int64_t folds; /* 0 when the criterion has none */
    uint64_t seed;
    int threads;
    int64_t rows, inputs;
    ny_origin origin;
    ny_expected expected;
    ny_spent spent;
    int64_t evaluations;
    ny_evaluation *evaluation;
    ny_bound bound;
    int64_t comparisons;
    ny_comparison *comparison;
    int64_t levels; /* outputs, where the criterion is the evidence; else 0 */
    ny_inferred *level;
    ny_solver solver;
    ny_descent descent;
    ny_measures loss;
    ny_weighing metric;
    int64_t columns; /* of the training file, where they are weighed; else 0 */
    ny_judged *column;
    bool stopped;  /* a time limit or the user ended the search */
    int64_t notes; /* remarks for the user: range edges, dropped rows, constant inputs ... */
    char **note;
} ny_record;

/* An empty model with an empty record; ny_model_free frees both. */
ny_status ny_model_new(ny_ctx *ctx, ny_model **model);
/* Frees what the record owns and leaves an empty one. */
void ny_record_clear(ny_record *record);
/* Each adds one to a list of the record, which has copies of all texts; c has no criterion yet. */
ny_status ny_record_note(ny_ctx *ctx, ny_record *record, const char *format, ...) __attribute__((format(printf, 3, 4)));
ny_status ny_record_comparison(ny_ctx *ctx, ny_record *record, const char *criterion, ny_comparison c);
ny_status ny_record_evaluation(ny_ctx *ctx, ny_record *record, ny_evaluation e);

#endif

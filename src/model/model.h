/* model.h: everything prediction needs, and the record of how it was chosen.
 *
 *     f_j(x) = sum_k beta_kj kappa(s(x), z_k) + b_j,     s(x) = (x - shift) * factor           (docs/math.md, eq. 7)
 */
#ifndef NY_MODEL_H
#define NY_MODEL_H

#include <stdbool.h>
#include <stdint.h>

#include "base/ctx.h"
#include "base/options.h"
#include "data/codes.h"
#include "data/data.h"
#include "kernel/kernel.h"

typedef struct ny_evaluation { /* one point tried by the search */
    const ny_kernel *kernel;
    double bandwidth, C; /* C of the best value; the geometric mean where outputs differ */
    double value;        /* the criterion there */
    double error;        /* misclassification rate or RMSE of the held-out outputs */
    int64_t rows, landmarks;
} ny_evaluation;

typedef struct ny_record { /* what the report and the JSON tell */
    char *source;          /* the training file's name, or NULL */
    char *criterion;
    int64_t folds;                  /* 0 when the criterion has none */
    double value, error, std_error; /* of the chosen point; std_error is that of `error` */
    int64_t evaluations;
    ny_evaluation *evaluation;
    double seconds_read, seconds_scale, seconds_landmarks, seconds_select, seconds_train, seconds_total;
    int64_t peak_bytes, predicted_bytes;
    double predicted_seconds;
    uint64_t seed;
    int threads;
    int64_t rows, inputs, landmarks, rank;
    bool exact;    /* every row is a landmark */
    bool stopped;  /* a time limit or the user ended the search */
    int64_t notes; /* remarks for the user: range edges, dropped rows, constant inputs ... */
    char **note;
} ny_record;

struct ny_model {
    ny_schema schema;
    ny_task task;
    int64_t classes;         /* 0 for regression */
    char **label;            /* classes */
    ny_coding coding;        /* how outputs become a class; no method in a regression */
    ny_kernel_params kernel; /* the function, its bandwidth, degree, coef0 */
    double *shift, *factor;  /* inputs: scaling; shift is all zeros for sparse inputs */
    ny_matrix Z;             /* inputs x m: landmarks, scaled */
    int64_t outputs;
    double *beta;        /* m x outputs */
    double *b;           /* outputs */
    double *C;           /* outputs */
    double *calibration; /* 2: slopes of the probability map; see predict.c */
    ny_options *options; /* as given */
    ny_record record;
};

ny_status ny_model_new(ny_ctx *ctx, ny_model **model);
void ny_record_clear(ny_record *record);
ny_status ny_record_note(ny_ctx *ctx, ny_record *record, const char *format, ...) __attribute__((format(printf, 3, 4)));
ny_status ny_record_evaluation(ny_ctx *ctx, ny_record *record, ny_evaluation e);

#endif

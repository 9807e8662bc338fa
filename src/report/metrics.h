/* metrics.h: how good predictions are. All take row weights v (NULL: ones). */
#ifndef NY_METRICS_H
#define NY_METRICS_H

#include "base/ctx.h"

enum { NY_RELIABILITY = 10 };

typedef struct ny_reliability { /* rows whose predicted class has a probability in a tenth of [0, 1] */
    int64_t rows;
    double predicted, observed; /* mean of that probability, share of rows where the class is right; NaN without rows */
} ny_reliability;

typedef struct ny_quantile_metrics { /* of one predicted quantile */
    double quantile, pinball, below; /* mean pinball loss, share of targets that are not above it */
} ny_quantile_metrics;

typedef struct ny_metrics {
    int64_t rows, classes;
    /* classification */
    double error, balanced_accuracy, auc, log_loss; /* auc: binary; mean one-vs-rest otherwise; NaN where undefined */
    double brier;                                   /* mean of sum_k (p_k - [k is the truth])^2 */
    int64_t *confusion;                             /* classes x classes: [truth * classes + predicted], counts */
    ny_reliability reliability[NY_RELIABILITY];
    /* regression */
    double mse, rmse, mae, r2;
    double interval, coverage, mean_width; /* level of intervals, share of targets in them; 0 where not asked for */
    int64_t quantiles;
    ny_quantile_metrics *quantile;
    /* both */
    double error_lower, error_upper; /* 95% limits of `error` or `rmse`; NaN: not known */
    double baseline_error;           /* of always saying the same */
    double baseline_gain;            /* standard errors by which that is worse */
} ny_metrics;

typedef struct ny_guesses { /* predictions of classes, and the truth */
    int64_t n, classes;
    const int32_t *truth, *predicted; /* n: class numbers 0..classes-1 */
    const double *proba;              /* n x classes row by row, or NULL */
    const double *v;
} ny_guesses;

/* Fills the metrics of a classifier. */
ny_status ny_metrics_classes(ny_ctx *ctx, const ny_guesses *guesses, ny_metrics *m);
/* truth, predicted: n numbers. Fills the metrics of a regression. */
void ny_metrics_regression(int64_t n, const double *truth, const double *predicted, const double *v, ny_metrics *m);
/* Adds the limits of the error and how it compares with a baseline, from what each row costs: 1 or 0 for classes, the
 * squared error else. */
ny_status ny_metrics_compare(ny_ctx *ctx, int64_t n, const double *loss, const double *baseline, const double *v,
                             ny_metrics *m);
/* Adds the coverage of intervals of `level` to the metrics of a regression. */
void ny_metrics_interval(int64_t n, const double *truth, const double *lower, const double *upper, const double *v,
                         double level, ny_metrics *m);
typedef struct ny_quantile_guesses {
    int64_t n, q;
    const double *truth, *v; /* n */
    const double *quantile;  /* q: which they are */
    const double *F;         /* n x q, row by row: where they were said to be */
} ny_quantile_guesses;

/* And what each of the predicted quantiles is worth. */
ny_status ny_metrics_quantiles(ny_ctx *ctx, const ny_quantile_guesses *guesses, ny_metrics *m);
/* Frees the lists and zeroes the struct. */
void ny_metrics_clear(ny_metrics *m);
/* Area under the ROC curve of score for positive[i] != 0, ties count half; NaN with one class only. */
ny_status ny_auc(ny_ctx *ctx, int64_t n, const double *score, const int32_t *positive, const double *v, double *auc);

#endif

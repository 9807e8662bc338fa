/* metrics.h: how good predictions are. All take row weights v (NULL: ones). */
#ifndef NY_METRICS_H
#define NY_METRICS_H

#include "base/ctx.h"

typedef struct ny_metrics {
    int64_t rows, classes;
    /* classification */
    double error, balanced_accuracy, auc, log_loss; /* auc: binary; mean one-vs-rest otherwise; NaN where undefined */
    int64_t *confusion;                             /* classes x classes: [truth * classes + predicted], counts */
    /* regression */
    double mse, rmse, mae, r2;
} ny_metrics;

/* truth, predicted: class numbers 0..classes-1; proba: n x classes row by row. */
ny_status ny_metrics_classes(ny_ctx *ctx, int64_t n, int64_t classes, const int32_t *truth, const int32_t *predicted,
                             const double *proba, const double *v, ny_metrics *m);
void ny_metrics_regression(int64_t n, const double *truth, const double *predicted, const double *v, ny_metrics *m);
void ny_metrics_clear(ny_metrics *m);
/* Area under the ROC curve of score for positive[i] != 0, ties count half; NaN with one class only. */
ny_status ny_auc(ny_ctx *ctx, int64_t n, const double *score, const int32_t *positive, const double *v, double *auc);

#endif

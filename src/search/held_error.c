/* held_error.c: see held_error.h. */
#include "held_error.h"

#include <math.h>

#include "base/mean_limits.h"

ny_row_loss ny_loss_of_row(const ny_setup *setup, const ny_rows *rows, const double *F, int64_t i, double *row) {
    ny_row_loss l = {0};
    double part = 0, excess = 0, *y = row + setup->outputs;
    if (setup->classes) ny_codes_row(setup->coding.method, setup->classes, rows->code[i], 1, y);
    for (int64_t j = 0; j < setup->outputs; j++) {
        row[j] = F[i + j * rows->n];
        if (!setup->classes) y[j] = setup->stands_in && rows->tame ? rows->tame[i] : rows->y[i];
        else if (y[j] == 0) continue;
        l.squared += (y[j] - row[j]) * (y[j] - row[j]);
        if (setup->loss) l.own += ny_loss_value(&setup->loss[j], y[j], row[j]);
        if (rows->excess && !setup->stands_in) excess += rows->excess[i + j * rows->n];
        part++;
    }
    if (part > 0) l.squared /= part, l.own /= part, excess /= part;
    if (!setup->loss) l.own = l.squared;
    if (setup->classes) l.error = ny_codes_decide(setup->coding, setup->classes, row) != rows->code[i];
    else l.error = setup->machine->loss->quantiles ? l.own : l.squared;
    l.own -= excess;
    return l;
}

ny_status ny_error_add(ny_ctx *ctx, const ny_setup *setup, const ny_rows *rows, const double *F, ny_error_sums *sums) {
    ny_status st = NY_OK;
    double *row = NULL, *together = NULL;
    NY_NEW_RAW(ctx, row, 2 * setup->outputs);
    NY_NEW(ctx, together, rows->copies);
    for (int64_t i = 0; i < rows->n; i++)
        if (rows->copy && rows->copy[i] >= 0) together[rows->copy[i]] += ny_judged_weight(rows, i);
    for (int64_t i = 0; i < rows->n; i++) {
        double v = ny_judged_weight(rows, i);
        ny_row_loss l = ny_loss_of_row(setup, rows, F, i, row);
        sums->weight += v;
        /* A row that is there ten times tells what it tells once, with ten times the weight. */
        sums->weight_squares += v * (rows->copy && rows->copy[i] >= 0 ? together[rows->copy[i]] : v);
        sums->loss += v * l.error;
        sums->loss_squares += v * l.error * l.error;
        sums->squares += v * l.squared;
        sums->value += v * l.own;
        sums->value_squares += v * l.own * l.own;
    }
    sums->rows += rows->n;
done:
    ny_free(row);
    ny_free(together);
    return st;
}

ny_status ny_error_paired(ny_ctx *ctx, const ny_setup *setup, const ny_rows *rows, const double *F, const double *H,
                          bool by_error, double *error) {
    ny_status st = NY_OK;
    double *row = NULL, weight = 0, sum = 0, squares = 0;
    NY_NEW_RAW(ctx, row, 2 * setup->outputs);
    for (int64_t i = 0; i < rows->n; i++) {
        double v = ny_judged_weight(rows, i);
        ny_row_loss f = ny_loss_of_row(setup, rows, F, i, row), h = ny_loss_of_row(setup, rows, H, i, row);
        double d = by_error ? f.error - h.error : f.own - h.own;
        weight += v;
        sum += v * d;
        squares += v * d * d;
    }
    double mean = sum / weight;
    double share = 1 - (double)rows->unjudged / (double)rows->n, distinct = (double)(rows->n - rows->repeats);
    *error = sqrt(fmax(squares / weight - mean * mean, 0) / (share * distinct));
done:
    ny_free(row);
    return st;
}

/* Misclassification rate, RMSE or mean pinball loss, with its standard error (delta method for the RMSE), and the
 * standard error of the mean loss.                                                          docs/math.md, eq. 20 */
void ny_error_end(const ny_setup *setup, const ny_error_sums *sums, ny_solution *s) {
    double n = sums->weight * sums->weight / sums->weight_squares; /* rows of equal weight that tell as much */
    double mean = sums->loss / sums->weight, value = sums->value / sums->weight;
    double spread = sqrt(fmax(sums->loss_squares / sums->weight - mean * mean, 0) / n);
    s->value_error = sqrt(fmax(sums->value_squares / sums->weight - value * value, 0) / n);
    bool root = !setup->classes && !setup->machine->loss->quantiles;
    s->squared_error = sums->squares / sums->weight;
    s->error = root ? sqrt(mean) : mean;
    s->std_error = setup->classes ? ny_share_error(mean, n)
                   : !root        ? spread
                   : mean > 0     ? spread / (2 * sqrt(mean))
                                  : NAN;
}

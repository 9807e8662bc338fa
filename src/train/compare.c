/* compare.c: see compare.h. */
#include "compare.h"

#include <math.h>

#include "finish.h"
#include "prepare.h"
#include "read/folds.h"
#include "search/fit.h"

/* The kernel and landmarks of a machine judged by another setup: a selection of its own, which knows nothing but them.
 */
static ny_status judge(const ny_selection *sel, const ny_setup *setup, const ny_rows *rows, ny_solution *s) {
    const ny_solution *best = &sel->found.best;
    ny_point point = ny_solution_point(best);
    ny_profile profile = {0};
    ny_landmarks landmarks = ny_solution_landmarks(best);
    ny_selection own = ny_selection_of(sel->ctx, setup, sel->rows);
    own.plan = sel->plan;
    ny_status st = ny_fit(&own, rows, &landmarks, best->asked, &point, s, &profile);
    ny_profile_clear(&profile);
    ny_selection_clear(&own);
    return st;
}

/* The rows in the order of the folds that a cross-validation would have. */
static ny_status sort_by_fold(ny_ctx *ctx, const ny_data *data, const ny_training_rows *from, ny_setup *setup,
                              ny_model *model, ny_rows *rows) {
    ny_status st = NY_OK;
    int64_t n = from->all.n, *order = NULL, folds = model->record->folds;
    int32_t *of_data = NULL, *fold = NULL;
    NY_NEW_RAW(ctx, of_data, data->rows);
    NY_NEW_RAW(ctx, fold, n);
    NY_NEW_RAW(ctx, order, n);
    NY_TRY(ny_prepare_folds(ctx, data, from, setup, model, of_data));
    model->record->folds = folds; /* the selection had none */
    for (int64_t i = 0; i < n; i++) fold[i] = of_data[from->all.id[i]];
    NY_TRY(ny_folds_order(ctx, n, NULL, fold, setup->folds, order, &n));
    NY_TRY(ny_rows_gather(ctx, setup, &from->all, order, n, rows));
    for (int64_t i = 0; i < n; i++) rows->fold[i] = fold[order[i]];
done:
    ny_free(of_data);
    ny_free(fold);
    ny_free(order);
    return st;
}

static double mean_C(const double *C, int64_t outputs) {
    double sum = 0;
    for (int64_t j = 0; j < outputs; j++) sum += log(C[j]);
    return exp(sum / (double)outputs);
}

/* The same question by another criterion: at the C that was found, and at its own best C. */
static ny_status compare(ny_ctx *ctx, const ny_data *data, const ny_selection *sel, const ny_criterion *criterion,
                         ny_model *model) {
    ny_status st = NY_OK;
    ny_solution here = {0}, there = {0};
    ny_rows sorted = {0};
    const ny_rows *rows = &sel->rows->all;
    ny_setup setup = *sel->setup;
    setup.criterion = criterion;
    setup.posterior = NY_POSTERIOR_NO;
    if (criterion->folds && !sel->setup->criterion->folds) {
        NY_TRY(sort_by_fold(ctx, data, sel->rows, &setup, model, &sorted));
        rows = &sorted;
    }
    setup.C_each = sel->found.best.C;
    NY_TRY(judge(sel, &setup, rows, &here));
    setup.C_each = NULL;
    NY_TRY(judge(sel, &setup, rows, &there));
    ny_comparison c = {.value = here.value,
                       .error = here.error,
                       .std_error = here.std_error,
                       .best_C = mean_C(there.C, setup.outputs),
                       .best_value = there.value,
                       .best_error = there.error};
    NY_TRY(ny_record_comparison(ctx, model->record, criterion->name, c));
done:
    ny_rows_clear(&sorted);
    ny_solution_clear(&here);
    ny_solution_clear(&there);
    return st;
}

ny_status ny_compare_criteria(ny_ctx *ctx, const ny_data *data, const ny_selection *sel, ny_model *model) {
    ny_status st = NY_OK;
    const ny_criterion *criterion;
    bool squared = ny_machine_squared(sel->setup->machine);
    if (ctx->stopped || sel->found.best.rows < sel->rows->n)
        return ny_record_note(ctx, model->record, "--compare-criteria: left out, as the search was stopped");
    for (int64_t i = 0; (criterion = ny_criterion_at(i)); i++) {
        bool variant = ny_criterion_spectrum(criterion) || ny_criterion_true_kernel(criterion) || criterion->one_sided;
        if (variant && criterion != sel->setup->criterion) continue; /* a variant of another one */
        if (squared && criterion == &ny_criterion_newton) continue;  /* cv does the same at once */
        if (ny_criterion_kind_for(criterion, sel->setup->machine->loss) == NY_NO_KIND) continue;
        if (criterion->only && criterion->only != sel->setup->machine->loss) continue;
        ny_progress(ctx, "compare", (double)i, 4, -1);
        st = compare(ctx, data, sel, criterion, model);
        if (st == NY_STOPPED) {
            NY_TRY(ny_finish_early(ctx, model->record));
            return ny_record_note(ctx, model->record, "--compare-criteria: stopped before all were compared");
        }
        NY_TRY(st);
    }
done:
    return st;
}

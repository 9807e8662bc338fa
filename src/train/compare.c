/* compare.c: see compare.h. */
#include "compare.h"

#include <math.h>
#include <string.h>

#include "data/folds.h"
#include "finish.h"
#include "prepare.h"
#include "search/fit.h"

/* The best machine's kernel and landmarks judged by sel->criterion: at its own C (sel->C_each) or at the best C. */
static ny_status judge(ny_selection *sel, const ny_rows *rows, ny_solution *s) {
    const ny_solution *best = &sel->best;
    ny_point point = ny_solution_point(best);
    ny_profile profile = {0};
    ny_landmarks landmarks = ny_solution_landmarks(best);
    double seconds;
    ny_status st = ny_fit(sel, rows, &landmarks, best->asked, &point, s, &profile, &seconds);
    ny_profile_clear(&profile);
    return st;
}

/* The rows in the order of the folds that a cross-validation would have. */
static ny_status sort_by_fold(ny_ctx *ctx, const ny_data *data, ny_selection *sel, ny_model *model, ny_rows *rows) {
    ny_status st = NY_OK;
    int64_t n = sel->all.n, *order = NULL, folds = model->record->folds;
    int32_t *of_data = NULL, *fold = NULL;
    NY_NEW_RAW(ctx, of_data, data->rows);
    NY_NEW_RAW(ctx, fold, n);
    NY_NEW_RAW(ctx, order, n);
    NY_TRY(ny_prepare_folds(ctx, data, sel, model, of_data));
    model->record->folds = folds; /* the selection had none */
    for (int64_t i = 0; i < n; i++) fold[i] = of_data[sel->all.id[i]];
    NY_TRY(ny_folds_order(ctx, n, NULL, fold, sel->folds, order, &n));
    NY_TRY(ny_rows_gather(sel, order, n, rows));
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

/* The selection is a copy that only looks at what the original owns. */
static ny_status compare(ny_ctx *ctx, const ny_data *data, ny_selection sel, const ny_criterion *criterion,
                         ny_model *model) {
    ny_status st = NY_OK;
    ny_solution here = {0}, there = {0};
    ny_rows sorted = {0};
    const ny_rows *rows = &sel.all;
    bool sort = criterion->folds && !sel.criterion->folds;
    sel.criterion = criterion;
    sel.posterior = NY_POSTERIOR_NO;
    memset(sel.hint, 0, sizeof sel.hint); /* C is to be looked for anywhere */
    if (sort) {
        NY_TRY(sort_by_fold(ctx, data, &sel, model, &sorted));
        rows = &sorted;
    }
    sel.C_each = sel.best.C;
    NY_TRY(judge(&sel, rows, &here));
    sel.C_each = NULL;
    NY_TRY(judge(&sel, rows, &there));
    ny_comparison c = {.value = here.value,
                       .error = here.error,
                       .std_error = here.std_error,
                       .best_C = mean_C(there.C, sel.outputs),
                       .best_value = there.value,
                       .best_error = there.error};
    NY_TRY(ny_record_comparison(ctx, model->record, criterion->name, c));
done:
    ny_rows_clear(&sorted);
    ny_solution_clear(&here);
    ny_solution_clear(&there);
    return st;
}

ny_status ny_compare_criteria(ny_ctx *ctx, const ny_data *data, ny_selection *sel, ny_model *model) {
    ny_status st = NY_OK;
    const ny_criterion *criterion;
    bool squared = ny_machine_squared(sel->machine);
    if (ctx->stopped || sel->best.rows < sel->n)
        return ny_record_note(ctx, model->record, "--compare-criteria: left out, as the search was stopped");
    for (int64_t i = 0; (criterion = ny_criterion_at(i)); i++) {
        if (criterion->spectrum && criterion != sel->criterion) continue; /* a variant of another one */
        if (squared && criterion == &ny_criterion_newton) continue;       /* cv does the same at once */
        if (!squared && !(criterion = criterion->any_loss)) continue;
        if (criterion->only && criterion->only != sel->machine->loss) continue;
        ny_progress(ctx, "compare", (double)i, 4, -1);
        st = compare(ctx, data, *sel, criterion, model);
        if (st == NY_STOPPED) {
            NY_TRY(ny_finish_early(ctx, model->record));
            return ny_record_note(ctx, model->record, "--compare-criteria: stopped before all were compared");
        }
        NY_TRY(st);
    }
done:
    return st;
}

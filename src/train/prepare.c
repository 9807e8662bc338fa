/* prepare.c: see prepare.h. */
#include "prepare.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/order.h"
#include "read/folds.h"
#include "scale/scale.h"
#include "table/copies.h"
#include "table/labels.h"

ny_status ny_class_weights(ny_ctx *ctx, const ny_data *data, const char *text, int64_t classes, double *w) {
    ny_status st = NY_OK;
    const int64_t *size = data->label_rows;
    for (int64_t k = 0; k < classes; k++) w[k] = 1;
    if (strcmp(text, "none") == 0) return NY_OK;
    if (strcmp(text, "balanced") == 0) {
        for (int64_t k = 0; k < classes; k++) w[k] = (double)data->rows / (double)(classes * size[k]);
        goto done;
    }
    NY_TRY(ny_label_values(ctx, "class-weight", "none, balanced or LABEL=W,...", text, classes, data->label, w));
    for (int64_t k = 0; k < classes; k++)
        if (isnan(w[k])) w[k] = 1;
done:
    return st;
}

/* Folds of rows of which equal ones stay together: those of the distinct rows, handed on. */
static ny_status copied_folds(ny_ctx *ctx, const ny_data *data, const ny_training_rows *rows, const ny_setup *setup,
                              int64_t distinct, int32_t *fold) {
    ny_status st = NY_OK;
    const int64_t *copy = rows->copy_of;
    int64_t *number = NULL, at = 0; /* of each row among the distinct ones */
    int64_t *of_group = NULL;       /* the same of each group, and 1 */
    int32_t *code = NULL, *own = NULL;
    NY_NEW_RAW(ctx, number, data->rows);
    NY_NEW(ctx, of_group, rows->all.copies);
    NY_NEW_RAW(ctx, code, distinct);
    NY_NEW_RAW(ctx, own, distinct);
    for (int64_t i = 0; i < data->rows; i++) {
        bool first = copy[i] < 0 || of_group[copy[i]] == 0;
        if (first && setup->classes) code[at] = data->code[i];
        number[i] = first ? at++ : of_group[copy[i]] - 1;
        if (copy[i] >= 0) of_group[copy[i]] = number[i] + 1;
    }
    NY_TRY(ny_folds_make(ctx, distinct, setup->classes ? code : NULL, setup->classes, setup->folds, setup->seed, own));
    for (int64_t i = 0; i < data->rows; i++) fold[i] = own[number[i]];
done:
    ny_free(number);
    ny_free(of_group);
    ny_free(code);
    ny_free(own);
    return st;
}

/* The share of the rows as V of B folds, the fewest that come within 2%: fold 1 is then V of these, fold 0 the rest. */
static void share_as_folds(double share, int64_t rows, int64_t *all, int64_t *held) {
    double near = 0.02 * fmin(share, 1 - share);
    for (*all = 2; *all < rows && *all < 1000; ++*all)
        if (fabs(round(share * (double)*all) / (double)*all - share) <= near) break;
    *held = (int64_t)fmin(fmax(round(share * (double)*all), 1), (double)(*all - 1));
}

ny_status ny_prepare_apart(ny_ctx *ctx, const ny_data *data, const ny_training_rows *rows, ny_setup *setup,
                           int32_t *fold) {
    ny_status st = NY_OK;
    const ny_options *o = setup->options;
    int64_t n = data->rows - rows->all.repeats, held;
    if (o->validation.file) { /* every row is learnt from */
        memset(fold, 0, (size_t)data->rows * sizeof *fold);
        setup->folds = 2;
        goto done;
    }
    if (o->fold_file[0]) {
        NY_TRY(ny_folds_read(ctx, o->fold_file, data->rows, fold, &setup->folds));
        NY_CHECK(ctx, setup->folds == 2, NY_ERR_DATA,
                 "%s: --criterion holdout needs two different folds, the second (the larger number) being the "
                 "validation set, and there are %lld",
                 o->fold_file, (long long)setup->folds);
        goto done;
    }
    share_as_folds(o->validation.share, n, &setup->folds, &held);
    if (rows->copy_of) NY_TRY(copied_folds(ctx, data, rows, setup, n, fold));
    else
        NY_TRY(
            ny_folds_make(ctx, n, setup->classes ? data->code : NULL, setup->classes, setup->folds, setup->seed, fold));
    for (int64_t i = 0; i < data->rows; i++) fold[i] = fold[i] < held;
    setup->folds = 2;
done:
    return st;
}

ny_status ny_prepare_folds(ny_ctx *ctx, const ny_data *data, const ny_training_rows *rows, ny_setup *setup,
                           ny_model *model, int32_t *fold) {
    ny_status st = NY_OK;
    const ny_options *o = model->options;
    int64_t n = data->rows - rows->all.repeats;
    if (setup->criterion->one_sided) return ny_prepare_apart(ctx, data, rows, setup, fold);
    if (o->fold_file[0]) {
        NY_TRY(ny_folds_read(ctx, o->fold_file, data->rows, fold, &setup->folds));
        NY_CHECK(ctx, setup->folds >= 2, NY_ERR_DATA, "%s: at least two different folds are needed", o->fold_file);
    } else {
        setup->folds = o->folds < n ? o->folds : n;
        if (setup->folds < o->folds)
            NY_TRY(ny_record_note(ctx, model->record,
                                  "%lld folds asked for but only %lld rows: every row is its own fold",
                                  (long long)o->folds, (long long)n));
        if (fold && rows->copy_of) NY_TRY(copied_folds(ctx, data, rows, setup, n, fold));
        else if (fold)
            NY_TRY(ny_folds_make(ctx, n, setup->classes ? data->code : NULL, setup->classes, setup->folds, setup->seed,
                                 fold));
    }
    model->record->folds = setup->folds;
done:
    return st;
}

ny_status ny_check_kept(ny_ctx *ctx, const ny_data *data, const ny_rows *all, bool folds) {
    ny_status st = NY_OK;
    bool same = all->code;
    for (int64_t i = 1; same && i < all->n; i++) same = all->code[i] == all->code[0];
    NY_CHECK(ctx, !same, NY_ERR_DATA,
             "every row with a weight above 0 has the same class, '%s': there is nothing to learn",
             data->label[all->code[0]]);
    NY_CHECK(ctx, !folds || !all->fold || all->fold[0] != all->fold[all->n - 1], NY_ERR_DATA, /* they ascend */
             "every row with a weight above 0 is in the same fold: at least two folds are needed");
done:
    return st;
}

/* 1, or a power of two close to the largest target where the squares of targets, and sums of these, come near the ends
 * of the range of numbers. Other losses than the squared one have none, and C in units of theirs; --bound compares
 * outputs of the model with those of the machine. */
double ny_target_unit(const ny_setup *setup, double largest) {
    const double FAR = 1e100;
    bool far = largest > 0 && isfinite(largest) && (largest > FAR || largest < 1 / FAR);
    return far && !setup->classes && ny_machine_squared(setup->machine) && !setup->options->bound
               ? exp2(floor(log2(largest)))
               : 1;
}

static void measure_targets(ny_training *t) {
    ny_rows *all = &t->rows.all;
    double largest = 0;
    for (int64_t i = 0; i < all->n; i++) largest = fmax(largest, fabs(all->y[i]));
    t->rows.target_unit = ny_target_unit(&t->setup, largest);
    for (int64_t i = 0; i < all->n; i++) all->y[i] /= t->rows.target_unit;
}

/* Targets far from 0 would lose digits in the moments. Their mean is taken off, or for machines that outlying targets
 * must not move, their median. */
static ny_status centre_targets(ny_ctx *ctx, ny_training *t) {
    ny_status st = NY_OK;
    ny_rows *all = &t->rows.all;
    ny_weighed *target = NULL;
    double sum = 0, weight = 0;
    for (int64_t i = 0; i < all->n; i++) {
        double v = all->u[i] * all->u[i];
        sum += v * all->y[i];
        weight += v;
    }
    double middle = sum / weight;
    if (!ny_machine_squared(t->setup.machine)) {
        NY_NEW_RAW(ctx, target, all->n);
        for (int64_t i = 0; i < all->n; i++) target[i] = (ny_weighed){all->y[i], all->u[i] * all->u[i]};
        middle = ny_order_share(target, all->n, 0.5);
    }
    for (int64_t i = 0; i < all->n; i++) all->y[i] -= middle;
    t->rows.origin = middle * t->rows.target_unit;
done:
    ny_free(target);
    return st;
}

/* What becomes of equal rows. */
static const char *how_held(const ny_setup *setup) {
    if (setup->criterion->folds && setup->options->fold_file[0]) return "--fold-file says what is held out together";
    if (ny_setup_validates(setup)) return "all are learnt from";
    if (setup->criterion == &ny_criterion_gcv) return "gcv counts each of them, and its error is too small: use loo";
    if (setup->criterion->value) return "the criterion counts each of them, the expected error holds them out together";
    return "they are held out together";
}

/* Rows that are there more than once, of the t->rows.n of positive weight. */
static ny_status find_copies(ny_ctx *ctx, const ny_data *data, const int64_t *rows, ny_training *t, ny_record *record) {
    ny_status st = NY_OK;
    int64_t *found = NULL;
    NY_NEW_RAW(ctx, found, t->rows.n);
    NY_TRY(ny_copies_find(ctx, &data->X, rows, t->rows.n, found, &t->rows.all.copies, &t->rows.all.repeats));
    if (t->rows.all.copies == 0) goto done;
    NY_NEW_RAW(ctx, t->rows.copy_of, data->rows);
    for (int64_t i = 0; i < data->rows; i++) t->rows.copy_of[i] = -1;
    for (int64_t k = 0; k < t->rows.n; k++) t->rows.copy_of[rows[k]] = found[k];
    NY_TRY(ny_record_note(ctx, record, "%lld rows are copies of others (%lld are distinct): %s",
                          (long long)t->rows.all.repeats, (long long)(t->rows.n - t->rows.all.repeats),
                          how_held(&t->setup)));
done:
    ny_free(found);
    return st;
}

ny_status ny_prepare_rows(ny_ctx *ctx, const ny_data *data, ny_training *t, ny_model *model, int64_t **out) {
    ny_status st = NY_OK;
    int64_t n = data->X.n, *rows = NULL;
    double *weight = NULL, *v = NULL;
    int32_t *fold = NULL;
    ny_rows *all = &t->rows.all;
    NY_NEW_RAW(ctx, weight, t->setup.classes + 1);
    NY_NEW_RAW(ctx, v, n);
    NY_NEW_RAW(ctx, rows, n);
    NY_TRY(ny_class_weights(ctx, data, model->options->class_weight, t->setup.classes, weight));
    for (int64_t i = 0; i < n; i++)
        v[i] = (data->weight ? data->weight[i] : 1) * (t->setup.classes ? weight[data->code[i]] : 1);
    NY_TRY(ny_folds_order(ctx, n, v, NULL, 0, rows, &t->rows.n));
    NY_TRY(find_copies(ctx, data, rows, t, model->record));
    int64_t copies = all->copies, repeats = all->repeats;
    bool apart = ny_setup_sets_apart(&t->setup);
    if (apart || t->setup.criterion->folds) NY_NEW_RAW(ctx, fold, n);
    if (apart) {
        NY_TRY(ny_prepare_apart(ctx, data, &t->rows, &t->setup, fold));
        for (int64_t i = 0; i < n; i++) v[i] *= fold[i] == 0;
    } else if (fold) {
        NY_TRY(ny_prepare_folds(ctx, data, &t->rows, &t->setup, model, fold));
    }
    NY_TRY(ny_folds_order(ctx, n, v, apart ? NULL : fold, t->setup.folds, rows, &t->rows.n));
    NY_CHECK(ctx, t->rows.n >= 2, NY_ERR_DATA, "only %lld of %lld rows have a weight above 0: at least 2 are needed",
             (long long)t->rows.n, (long long)n);
    NY_TRY(ny_rows_new(ctx, &t->setup, t->rows.n, all));
    all->copies = copies;
    all->repeats = repeats;
    if (t->rows.copy_of) NY_NEW_RAW(ctx, all->copy, all->n);
    for (int64_t i = 0; i < all->n; i++) {
        int64_t from = rows[i];
        all->id[i] = from;
        if (all->copy) all->copy[i] = t->rows.copy_of[from];
        all->u[i] = sqrt(v[from]);
        all->weighted |= v[from] != 1;
        if (all->fold) all->fold[i] = fold[from];
        if (t->setup.classes) all->code[i] = data->code[from];
        else all->y[i] = data->y[from];
    }
    if (!t->setup.classes) measure_targets(t);
    if (!t->setup.classes && t->setup.rho == 0) NY_TRY(centre_targets(ctx, t));
    NY_TRY(ny_check_kept(ctx, data, &t->rows.all, !ny_setup_validates(&t->setup)));
    ny_rows_one_sided(&t->setup, all);
    if (apart) NY_TRY(ny_rows_repeats(ctx, all));
    *out = rows;
    rows = NULL;
done:
    ny_free(weight);
    ny_free(v);
    ny_free(fold);
    ny_free(rows);
    return st;
}

ny_status ny_check_constant(ny_ctx *ctx, const ny_schema *schema, int64_t constant, ny_record *record) {
    ny_status st = NY_OK;
    NY_CHECK(ctx, constant < schema->inputs, NY_ERR_DATA,
             "every input has one value only: there is nothing to learn from");
    if (constant)
        NY_TRY(ny_record_note(ctx, record, "%lld of %lld inputs have one value only and are ignored",
                              (long long)constant, (long long)schema->inputs));
done:
    return st;
}

ny_status ny_finish_scale(ny_ctx *ctx, const ny_scale *scale, const ny_schema *schema, const ny_scaling *fitted,
                          ny_record *record) {
    ny_status st = NY_OK;
    char *name = ny_strdup(ctx, scale->name);
    if (!name) NY_FAIL(ctx, NY_ERR_MEMORY, "out of memory");
    ny_free(record->origin.scale);
    record->origin.scale = name;
    record->origin.rank_error = scale == &ny_scale_quantile ? fitted->error : NAN;
    bool together = scale == &ny_scale_standard || scale->order;
    for (int64_t c = 0, at = 0; c < schema->columns && together; c++) {
        int64_t levels = schema->column[c].levels;
        if (levels) ny_scale_together(levels, fitted->factor + at);
        at += levels ? levels : 1;
    }
done:
    return st;
}

ny_status ny_prepare_scale(ny_ctx *ctx, const ny_data *data, const ny_scale *scale, ny_training *t, ny_model *model) {
    ny_status st = NY_OK;
    ny_rows *all = &t->rows.all;
    ny_bend bend = {0};
    ny_matrix X = {0}, judged = {0};
    ny_scaling fitted = {.bend = &bend};
    if (t->rows.as_read.n == 0) { /* the first time */
        t->rows.as_read = t->rows.validation.X;
        t->rows.validation.X = (ny_matrix){0};
    }
    NY_NEW(ctx, fitted.shift, data->X.d);
    NY_NEW(ctx, fitted.factor, data->X.d);
    NY_NEW(ctx, fitted.range, 2 * data->X.d);
    NY_TRY(ny_scale_fit(ctx, scale, &data->X, all->id, all->n, &fitted));
    if (!model->shift) NY_TRY(ny_check_constant(ctx, &data->schema, fitted.constant, model->record));
    NY_TRY(ny_matrix_gather(ctx, &data->X, all->id, all->n, &X));
    if (t->rows.as_read.n > 0) NY_TRY(ny_matrix_copy(ctx, &t->rows.as_read, &judged));
    NY_TRY(ny_finish_scale(ctx, scale, &data->schema, &fitted, model->record));
    ny_bend_apply(&bend, &X);
    ny_bend_apply(&bend, &judged);
    ny_scale_apply(fitted.shift, fitted.factor, &X);
    ny_scale_apply(fitted.shift, fitted.factor, &judged);
    ny_matrix_clear(&all->X);
    ny_matrix_clear(&t->rows.validation.X);
    ny_bend_clear(&model->bend);
    ny_free(model->shift);
    ny_free(model->factor);
    ny_free(model->range);
    all->X = X;
    t->rows.validation.X = judged;
    model->bend = bend;
    model->shift = fitted.shift;
    model->factor = fitted.factor;
    model->range = fitted.range;
    return st;
done:
    ny_matrix_clear(&X);
    ny_matrix_clear(&judged);
    ny_bend_clear(&bend);
    ny_free(fitted.shift);
    ny_free(fitted.factor);
    ny_free(fitted.range);
    return st;
}

ny_status ny_prepare_inputs(ny_ctx *ctx, const ny_data *data, ny_training *t, ny_model *model) {
    return ny_prepare_scale(ctx, data, ny_scale_find(model->options->scale), t, model);
}

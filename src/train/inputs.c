/* inputs.c: see inputs.h. */
#include "inputs.h"

#include <math.h>
#include <string.h>

#include "options/limits.h"
#include "scale/scale.h"
#include "search/ard.h"
#include "search/metric.h"
#include "search/pace.h"

static const double SHARE =
    3; /* learning weights may take one in so many parts of the time that is left, and of the memory */

/* The column that each input comes from; *columns: how many there are. Sparse inputs are columns themselves. */
static ny_status columns_of(ny_ctx *ctx, const ny_schema *schema, int64_t *columns, int64_t **column) {
    ny_status st = NY_OK;
    int64_t input = 0;
    NY_NEW_RAW(ctx, *column, schema->inputs);
    *columns = schema->columns ? schema->columns : schema->inputs;
    for (int64_t c = 0; c < *columns; c++) {
        int64_t levels = schema->columns ? schema->column[c].levels : 0;
        for (int64_t k = 0; k < (levels ? levels : 1); k++) (*column)[input++] = c;
    }
done:
    return st;
}

static ny_status record_columns(ny_ctx *ctx, const ny_schema *schema, int64_t columns, const double *scale,
                                const bool *kept, ny_record *r) {
    ny_status st = NY_OK;
    double largest = 0;
    for (int64_t c = 0; c < columns; c++) largest = fmax(largest, scale[c]);
    NY_NEW(ctx, r->column, columns);
    r->columns = columns;
    for (int64_t c = 0; c < columns; c++) {
        ny_judged *to = &r->column[c];
        to->relevance = scale[c] / largest;
        to->kept = kept[c];
        to->name = schema->columns ? ny_strdup(ctx, schema->column[c].name) : ny_format(ctx, "%lld", (long long)c + 1);
        if (!to->name) NY_FAIL(ctx, NY_ERR_MEMORY, "out of memory");
    }
done:
    return st;
}

/* The inputs that stay; X->d stays for now. */
static void keep_inputs(const bool *stays, ny_matrix *X) {
    for (int64_t i = 0, to = 0; i < X->n; i++)
        for (int64_t j = 0; j < X->d; j++)
            if (stays[j]) X->x[to++] = X->x[j + i * X->d];
}

/* Takes the dropped columns out of the rows, the scaling and the schema. */
static ny_status take_out(ny_ctx *ctx, const int64_t *column, const bool *kept, ny_training_rows *rows,
                          ny_model *model) {
    ny_status st = NY_OK;
    ny_matrix *X = &rows->all.X, *validation = &rows->validation.X;
    int64_t d = 0, more = 0;
    bool *stays = NULL;
    NY_NEW_RAW(ctx, stays, X->d);
    for (int64_t j = 0; j < X->d; j++) stays[j] = kept[column[j]];
    ny_bend_keep(&model->bend, stays);
    keep_inputs(stays, X);
    keep_inputs(stays, validation);
    for (int64_t j = 0; j < X->d; j++) {
        if (!stays[j]) continue;
        model->shift[d] = model->shift[j];
        model->range[d] = model->range[j];
        model->factor[d++] = model->factor[j];
    }
    for (int64_t j = 0; j < X->d; j++) /* the largest values follow the least ones */
        if (stays[j]) model->range[d + more++] = model->range[j + X->d];
    X->d = validation->d = d;
    ny_schema_keep(&model->schema, kept);
done:
    ny_free(stays);
    return st;
}

static bool by_criterion(const ny_options *o) {
    return o->ard || o->select_inputs || o->metric == NY_METRIC_EVIDENCE;
}

/* Where kernel and bandwidth are to be found, nobody has said what distances mean. */
bool ny_inputs_to_weigh(const ny_options *o, const ny_data *data) {
    bool open =
        ny_is(o->kernel, "auto") && o->bandwidth.is_auto && ny_is(o->search, "profile") && ny_data_is_table(data);
    return by_criterion(o) || o->metric == NY_METRIC_DIAGONAL ||
           (o->metric == NY_METRIC_AUTO && o->effort != NY_EFFORT_FAST && open && data->X.d > 1);
}

void ny_weighing_cost(const ny_options *o, const ny_data *data, int64_t rows, int64_t outputs, int64_t landmarks,
                      double *bytes, double *flops) {
    *bytes = *flops = 0;
    if (by_criterion(o)) ny_ard_cost(rows, data->X.d, landmarks, o->select_inputs, bytes, flops);
    else if (ny_inputs_to_weigh(o, data)) ny_metric_cost(rows, data->X.d, outputs, bytes, flops);
}

ny_status ny_weigh_inputs(ny_ctx *ctx, const ny_data *data, ny_selection *sel, ny_training_rows *rows,
                          ny_model *model) {
    ny_status st = NY_OK;
    ny_matrix *X = &rows->all.X, *validation = &rows->validation.X;
    ny_weighing *metric = &model->record->metric;
    bool select = model->options->select_inputs, dropped = false, *kept = NULL;
    int64_t columns, *column = NULL, d = X->d;
    double *scale = NULL, *factor = NULL, *shift = NULL, bytes, flops;
    NY_TRY(columns_of(ctx, &model->schema, &columns, &column));
    NY_NEW_RAW(ctx, scale, columns);
    NY_NEW(ctx, kept, columns);
    NY_NEW_RAW(ctx, factor, d);
    NY_NEW(ctx, shift, d);
    if (by_criterion(model->options)) NY_TRY(ny_ard_find(sel, columns, column, select, scale, &sel->found.tried));
    else {
        bool choose = model->options->metric == NY_METRIC_AUTO;
        ny_metric_cost(sel->rows->all.n, d, sel->setup->outputs, &bytes, &flops);
        bool room = bytes < ny_limits_memory(ctx, model->options) / SHARE, time = ny_pace_fits(sel, SHARE * flops);
        if (choose && (!room || !time)) {
            st = ny_record_note(ctx, model->record,
                                "there is no %s to learn weights for the inputs: raise %s, or say "
                                "--metric none",
                                room ? "time" : "room", room ? "--time-limit" : "--memory");
            goto done;
        }
        NY_TRY(ny_metric_find(sel, columns, column, choose, scale, metric));
        if (!ny_metric_weighs(metric)) goto done;
    }
    for (int64_t j = 0; j < d; j++) kept[column[j]] |= model->factor[j] != 0; /* not constant */
    for (int64_t c = 0; c < columns; c++) {
        if (!kept[c]) scale[c] = 0;
        kept[c] = scale[c] > 0 || !select;
        dropped |= !kept[c];
    }
    NY_TRY(record_columns(ctx, &model->schema, columns, scale, kept, model->record));
    for (int64_t j = 0; j < d; j++) {
        factor[j] = scale[column[j]];
        model->factor[j] *= factor[j];
    }
    ny_scale_apply(shift, factor, X);
    ny_scale_apply(shift, factor, validation);
    if (dropped && !model->schema.sparse && !data->stream) NY_TRY(take_out(ctx, column, kept, rows, model));
done:
    ny_free(column);
    ny_free(scale);
    ny_free(kept);
    ny_free(factor);
    ny_free(shift);
    return st;
}

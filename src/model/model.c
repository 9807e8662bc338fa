/* model.c: the life of a model and of its record. Saving and loading are in model_save.c and model_load.c. */
#include "model.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

ny_status ny_model_new(ny_ctx *ctx, ny_model **model) {
    *model = ny_alloc(ctx, 1, sizeof **model);
    return *model ? NY_OK : NY_ERR_MEMORY;
}

void ny_model_free(ny_model *model) {
    if (!model) return;
    ny_schema_clear(&model->schema);
    for (int64_t k = 0; model->label && k < model->classes; k++) ny_free(model->label[k]);
    ny_free(model->label);
    ny_free(model->shift);
    ny_free(model->factor);
    ny_free(model->range);
    ny_expansion_clear(&model->f);
    ny_free(model->C);
    ny_free(model->calibration);
    ny_posterior_clear(&model->posterior);
    ny_free(model->quantile);
    ny_free(model->moderation);
    ny_free(model->quantiles);
    ny_free(model->frequency);
    ny_free(model->prior);
    ny_options_free(model->options);
    ny_record_clear(&model->record);
    ny_free(model);
}

int64_t ny_model_classes(const ny_model *model) {
    return model ? model->classes : 0;
}
int64_t ny_model_outputs(const ny_model *model) {
    return model ? model->f.outputs : 0;
}
double ny_model_quantile(const ny_model *model, int64_t j) {
    return model && model->quantiles && j >= 0 && j < model->f.outputs ? model->quantiles[j] : NAN;
}

const char *ny_model_label(const ny_model *model, int64_t k) {
    return model && k >= 0 && k < model->classes ? model->label[k] : NULL;
}

void ny_record_clear(ny_record *record) {
    ny_free(record->source);
    ny_free(record->criterion);
    ny_free(record->route);
    ny_free(record->why);
    ny_free(record->evaluation);
    ny_free(record->comparison);
    ny_free(record->descent.objective);
    for (int64_t i = 0; i < record->notes; i++) ny_free(record->note[i]);
    ny_free(record->note);
    for (int64_t c = 0; c < record->columns; c++) ny_free(record->column[c].name);
    ny_free(record->column);
    *record = (ny_record){0};
}

/* Lists grow when their length is a power of two, so no capacity has to be kept beside the length. */
static bool is_full(int64_t length) {
    return (length & (length - 1)) == 0;
}

ny_status ny_record_note(ny_ctx *ctx, ny_record *record, const char *format, ...) {
    char text[NY_MESSAGE_MAX];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    if (is_full(record->notes)) {
        int64_t room = record->notes ? 2 * record->notes : 1;
        char **note = ny_realloc(ctx, record->note, record->notes, room, sizeof *note);
        if (!note) return NY_ERR_MEMORY;
        record->note = note;
    }
    char *copy = ny_strdup(ctx, text);
    if (!copy) return NY_ERR_MEMORY;
    record->note[record->notes++] = copy;
    return NY_OK;
}

ny_status ny_record_comparison(ny_ctx *ctx, ny_record *record, ny_comparison c) {
    ny_comparison *list =
        ny_realloc(ctx, record->comparison, record->comparisons, record->comparisons + 1, sizeof *list);
    if (!list) return NY_ERR_MEMORY;
    record->comparison = list;
    record->comparison[record->comparisons++] = c;
    return NY_OK;
}

ny_status ny_record_evaluation(ny_ctx *ctx, ny_record *record, ny_evaluation e) {
    if (is_full(record->evaluations)) {
        int64_t room = record->evaluations ? 2 * record->evaluations : 1;
        ny_evaluation *list = ny_realloc(ctx, record->evaluation, record->evaluations, room, sizeof *list);
        if (!list) return NY_ERR_MEMORY;
        record->evaluation = list;
    }
    record->evaluation[record->evaluations++] = e;
    return NY_OK;
}

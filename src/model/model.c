/* model.c: the life of a model, and what may be asked of it. Saving and loading are in model_save.c and model_load.c.
 */
#include <math.h>

#include "record.h"

ny_status ny_model_new(ny_ctx *ctx, ny_model **model) {
    ny_status st = NY_OK;
    ny_model *fresh = NULL;
    NY_NEW(ctx, fresh, 1);
    NY_NEW(ctx, fresh->record, 1);
    *model = fresh;
    fresh = NULL;
done:
    ny_free(fresh);
    return st;
}

void ny_model_free(ny_model *model) {
    if (!model) return;
    ny_schema_clear(&model->schema);
    for (int64_t k = 0; model->label && k < model->classes; k++) ny_free(model->label[k]);
    ny_free(model->label);
    ny_bend_clear(&model->bend);
    ny_free(model->shift);
    ny_free(model->factor);
    ny_free(model->range);
    ny_expansion_clear(&model->f);
    ny_free(model->C);
    ny_free(model->calibration);
    ny_posterior_clear(&model->posterior);
    ny_free(model->error_size);
    ny_free(model->moderation);
    ny_free(model->quantiles);
    ny_free(model->frequency);
    ny_free(model->prior);
    ny_options_free(model->options);
    ny_record_clear(model->record);
    ny_free(model->record);
    ny_free(model);
}

int64_t ny_model_classes(const ny_model *model) {
    return model ? model->classes : 0;
}
int64_t ny_model_outputs(const ny_model *model) {
    return model ? ny_expansion_width(&model->f) : 0;
}
double ny_model_quantile(const ny_model *model, int64_t j) {
    return model && model->quantiles && j >= 0 && j < ny_expansion_width(&model->f) ? model->quantiles[j] : NAN;
}

const char *ny_model_label(const ny_model *model, int64_t k) {
    return model && k >= 0 && k < model->classes ? model->label[k] : NULL;
}

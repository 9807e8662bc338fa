/* validation.c: see validation.h. */
#include "validation.h"

#include <math.h>

#include "prepare.h"
#include "scale/scale.h"
#include "table/copies.h"
#include "table/labels.h"

/* The classes of the file's own labels, all of which are known. */
static ny_status classes_of(ny_ctx *ctx, const ny_data *judged, const ny_model *model, int32_t **class_of) {
    ny_status st = NY_OK;
    NY_NEW(ctx, *class_of, judged->labels + 1);
    for (int64_t l = 0; l < judged->labels; l++)
        (*class_of)[l] = (int32_t)ny_label_find(model->classes, model->label, judged->label[l]);
done:
    return st;
}

/* Equal rows tell as much as one of their total weight. */
static ny_status find_copies(ny_ctx *ctx, const ny_data *judged, ny_rows *to) {
    ny_status st = NY_OK;
    NY_NEW_RAW(ctx, to->copy, to->n);
    NY_TRY(ny_copies_find(ctx, &judged->X, to->id, to->n, to->copy, &to->copies, &to->repeats));
    if (to->copies > 0) goto done;
    ny_free(to->copy);
    to->copy = NULL;
done:
    return st;
}

/* The rows of `judged` that are to judge by (`apart`: fold 1; NULL: all). Rows of weight 0 count for nothing. */
static ny_status gather(ny_ctx *ctx, const ny_data *judged, const int32_t *apart, const double *class_weight,
                        const ny_model *model, ny_training *t) {
    ny_status st = NY_OK;
    ny_rows *to = &t->rows.validation;
    int32_t *class_of = NULL;
    int64_t at = 0;
    NY_TRY(classes_of(ctx, judged, model, &class_of));
    NY_TRY(ny_rows_new(ctx, &t->setup, judged->rows, to));
    for (int64_t i = 0; i < judged->rows; i++) {
        int32_t k = t->setup.classes ? class_of[judged->code[i]] : 0;
        double v = (judged->weight ? judged->weight[i] : 1) * (t->setup.classes ? class_weight[k] : 1);
        if (v == 0 || (apart && !apart[i])) continue;
        to->id[at] = i;
        to->u[at] = sqrt(v);
        to->weighted |= v != 1;
        if (to->fold) to->fold[at] = 1;
        if (t->setup.classes) to->code[at] = k;
        else to->y[at] = (judged->y[i] - t->rows.origin) / t->rows.target_unit;
        at++;
    }
    NY_CHECK(ctx, at > 0, NY_ERR_DATA, "%s: no row has a weight above 0: there is nothing to judge by", judged->source);
    to->n = at;
    NY_TRY(find_copies(ctx, judged, to));
    NY_TRY(ny_matrix_gather(ctx, &judged->X, to->id, at, &to->X));
done:
    ny_free(class_of);
    return st;
}

static ny_status read_file(ny_ctx *ctx, const ny_options *o, const ny_model *model, ny_data **judged) {
    ny_status st = NY_OK;
    const ny_known_targets known = {model->classes, model->label};
    NY_TRY(ny_data_open_judged(ctx, o->validation.file, o, &model->schema, &known, judged));
    NY_CHECK(ctx, (*judged)->has_target && (*judged)->rows > 0, NY_ERR_DATA,
             "%s: there is no row with a target to judge by: --validation needs them", (*judged)->source);
done:
    return st;
}

ny_status ny_validation_prepare(ny_ctx *ctx, const ny_data *data, ny_training *t, ny_model *model) {
    ny_status st = NY_OK;
    const ny_options *o = model->options;
    ny_data *file = NULL;
    int32_t *apart = NULL;
    double *class_weight = NULL;
    if (!o->validation.file && !ny_setup_sets_apart(&t->setup)) return NY_OK;
    NY_NEW_RAW(ctx, class_weight, model->classes + 1);
    NY_TRY(ny_class_weights(ctx, data, o->class_weight, model->classes, class_weight));
    if (o->validation.file) {
        NY_TRY(read_file(ctx, o, model, &file));
        NY_TRY(gather(ctx, file, NULL, class_weight, model, t));
        NY_TRY(ny_record_note(ctx, model->record, "judged by %lld rows of %s, which the model has not learnt from",
                              (long long)t->rows.validation.n, file->source));
    } else {
        NY_NEW_RAW(ctx, apart, data->rows);
        NY_TRY(ny_prepare_apart(ctx, data, &t->rows, &t->setup, apart));
        NY_TRY(gather(ctx, data, apart, class_weight, model, t));
    }
done:
    ny_data_free(file);
    ny_free(apart);
    ny_free(class_weight);
    return st;
}

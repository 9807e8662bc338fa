/* decide.c: see decide.h. */
#include "decide.h"

#include <math.h>
#include <string.h>

#include "calibration.h"
#include "link.h"
#include "table/labels.h"

/* Log odds of code +1 from two normal distributions of equal variance, s2 + that of the output.  docs/math.md, eq. 59
 */
static double log_odds(const ny_moderation *m, double f, double variance) {
    return (m->plus - m->minus) * (f - (m->plus + m->minus) / 2) / (m->within + variance) + m->odds;
}

int64_t ny_decide(const ny_model *model, const double *prior, const double *f, const double *variance, double *scratch,
                  double *p) {
    static const double one[2] = {1, 1};
    double *l = scratch + model->classes, sum = 0, share;
    int64_t label = 0;
    for (int64_t j = 0; model->moderation && j < ny_expansion_width(&model->f); j++)
        l[j] = log_odds(&model->moderation[j], f[j], variance[j]);
    if (model->link) label = ny_link(model->coding.method, model->classes, f, scratch, p);
    else if (model->moderation) label = ny_calibrated(model->coding, model->classes, l, one, scratch, p);
    else label = ny_calibrated(model->coding, model->classes, f, model->calibration, scratch, p);
    if (!prior) return label;
    /* p(k|x) ~ p(k|x) prior_k / frequency_k; a class without rows stays out.                docs/math.md, eq. 60 */
    for (int64_t k = 0; k < model->classes; k++) {
        share = model->frequency[k] > 0 ? prior[k] / model->frequency[k] : 0;
        sum += p[k] = fmax(p[k] * share, 1e-300);
    }
    for (int64_t k = label = 0; k < model->classes; k++) {
        p[k] /= sum;
        if (p[k] > p[label]) label = k;
    }
    return label;
}

/* Fills in the classes without a value: by their frequencies. */
static ny_status share_rest(ny_ctx *ctx, const ny_model *model, const char *text, double *prior) {
    ny_status st = NY_OK;
    double named = 0, rest = 0;
    for (int64_t k = 0; k < model->classes; k++) {
        if (isnan(prior[k])) rest += model->frequency[k];
        else named += prior[k];
        NY_CHECK(ctx, !(prior[k] <= 0), NY_ERR_USAGE, "--prior %s: class '%s' must have more than 0", text,
                 model->label[k]);
    }
    NY_CHECK(ctx, named <= 1 + 1e-6, NY_ERR_USAGE, "--prior %s: the classes have %.10g in all, more than 1", text,
             named);
    NY_CHECK(ctx, rest > 0 || named >= 1 - 1e-6, NY_ERR_USAGE,
             "--prior %s: every class is named, but they have %.10g in all, not 1", text, named);
    NY_CHECK(ctx, rest == 0 || named < 1, NY_ERR_USAGE, "--prior %s: nothing is left for the other classes", text);
    for (int64_t k = 0; k < model->classes; k++)
        if (!isnan(prior[k])) prior[k] /= rest > 0 ? 1 : named;
        else prior[k] = rest > 0 ? (1 - named) * model->frequency[k] / rest : 0;
done:
    return st;
}

ny_status ny_prior_parse(ny_ctx *ctx, const ny_model *model, const char *text, double **out) {
    ny_status st = NY_OK;
    double *prior = NULL;
    int64_t classes = model->classes;
    *out = NULL;
    bool own = *text == 0;
    if ((own && !model->prior) || strcmp(text, "none") == 0) return NY_OK;
    NY_CHECK(ctx, classes, NY_ERR_USAGE, "--prior %s: there are no classes in a regression", text);
    NY_CHECK(
        ctx, model->frequency, NY_ERR_USAGE,
        "--prior %s: the model is of an older version and does not know the frequencies of its classes: train again",
        text);
    NY_NEW_RAW(ctx, prior, classes);
    if (own) memcpy(prior, model->prior, (size_t)classes * sizeof *prior);
    else if (strcmp(text, "uniform") == 0)
        for (int64_t k = 0; k < classes; k++) prior[k] = 1 / (double)classes;
    else {
        NY_TRY(ny_label_values(ctx, "prior", "none, uniform or LABEL=P,...", text, classes, model->label, prior));
        NY_TRY(share_rest(ctx, model, text, prior));
    }
    *out = prior;
    prior = NULL;
done:
    ny_free(prior);
    return st;
}

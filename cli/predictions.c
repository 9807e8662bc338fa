/* predictions.c: see predictions.h. */
#include "predictions.h"

#include <math.h>

#include "numbers.h"

static int64_t one(const cli_predictions *p) {
    (void)p;
    return 1;
}
static int64_t id_width(const cli_predictions *p) {
    return ny_data_id_name(p->data) != NULL;
}
static void id_title(FILE *out, const cli_predictions *p, int64_t k) {
    (void)k;
    cli_put_csv(out, "", ny_data_id_name(p->data));
}
static const char *id_text(const cli_predictions *p, int64_t i) {
    return ny_data_id(p->data, i);
}

static const char *label(const cli_predictions *p, int64_t i) {
    return p->classes > 0 && !isnan(p->value[i]) ? ny_model_label(p->model, (int64_t)p->value[i]) : NULL;
}
static double value(const cli_predictions *p, int64_t i, int64_t k) {
    (void)k;
    return p->value[i];
}

static int64_t proba_width(const cli_predictions *p) {
    return p->proba ? p->classes : 0;
}
static void proba_title(FILE *out, const cli_predictions *p, int64_t k) {
    cli_put_csv(out, "p_", ny_model_label(p->model, k));
}
static double proba(const cli_predictions *p, int64_t i, int64_t k) {
    return p->proba[i * p->classes + k];
}

static int64_t quantiles_width(const cli_predictions *p) {
    return p->quantiles ? p->outputs : 0;
}
static void quantiles_title(FILE *out, const cli_predictions *p, int64_t k) {
    fputc('q', out);
    cli_put_number(out, ny_model_quantile(p->model, k));
}
static int64_t scores_width(const cli_predictions *p) {
    return p->raw ? p->outputs : 0;
}
static void scores_title(FILE *out, const cli_predictions *p, int64_t k) {
    (void)p;
    fprintf(out, "score_%lld", (long long)k + 1);
}
static double score(const cli_predictions *p, int64_t i, int64_t k) {
    return p->scores[i * p->outputs + k];
}

#define BAR(b, name)                                                     \
    static int64_t name##_width(const cli_predictions *p) {              \
        return p->shown > (b);                                           \
    }                                                                    \
    static double name(const cli_predictions *p, int64_t i, int64_t k) { \
        (void)k;                                                         \
        return p->bars[i + (b)*p->n];                                    \
    }
BAR(0, lower)
BAR(1, upper)
BAR(2, noise_sd)
BAR(3, model_sd)
#undef BAR

static int64_t outside_width(const cli_predictions *p) {
    return p->outside_too;
}
static double outside(const cli_predictions *p, int64_t i, int64_t k) {
    (void)k;
    return isnan(p->value[i]) ? NAN : (double)p->outside[i];
}

const cli_column cli_columns[CLI_COLUMNS] = {
    {"id", id_width, false, id_title, id_text, value},
    {"prediction", one, false, NULL, label, value},
    {"proba", proba_width, true, proba_title, NULL, proba},
    {"quantile_values", quantiles_width, true, quantiles_title, NULL, score},
    {"lower", lower_width, false, NULL, NULL, lower},
    {"upper", upper_width, false, NULL, NULL, upper},
    {"noise_sd", noise_sd_width, false, NULL, NULL, noise_sd},
    {"model_sd", model_sd_width, false, NULL, NULL, model_sd},
    {"scores", scores_width, true, scores_title, NULL, score},
    {"outside", outside_width, false, NULL, NULL, outside},
};

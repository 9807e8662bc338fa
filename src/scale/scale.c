/* scale.c: statistics of the inputs in two passes, and the members, each a line or two. */
#include "scale.h"

#include <math.h>
#include <string.h>

/* z = (x - mean) / sd */
static void fit_standard(const ny_input_stats *s, bool sparse, double *shift, double *factor) {
    *shift = sparse ? 0 : s->mean;
    *factor = 1 / (s->unit * sqrt(s->variance));
}

/* z = 2 (x - least) / (largest - least) - 1 */
static void fit_range(const ny_input_stats *s, bool sparse, double *shift, double *factor) {
    *shift = sparse ? 0 : 0.5 * (s->least + s->largest);
    *factor = sparse ? 1 / fmax(fabs(s->least), fabs(s->largest)) : 2 / (s->largest - s->least);
}

static void fit_none(const ny_input_stats *s, bool sparse, double *shift, double *factor) {
    (void)s, (void)sparse;
    *shift = 0;
    *factor = 1;
}

#define X(name, help) const ny_scale ny_scale_##name = {#name, help, fit_##name};
NY_SCALE_LIST(X)
#undef X

static const ny_scale *const table[] = {
#define X(name, help) &ny_scale_##name,
    NY_SCALE_LIST(X)
#undef X
};

const ny_scale *ny_scale_at(int64_t index) {
    return index >= 0 && index < (int64_t)(sizeof table / sizeof *table) ? table[index] : NULL;
}

const ny_scale *ny_scale_find(const char *name) {
    for (int64_t i = 0; ny_scale_at(i); i++)
        if (strcmp(table[i]->name, name) == 0) return table[i];
    return NULL;
}

typedef void visit_fn(ny_input_stats *s, double x, double weight);

static void first_pass(ny_input_stats *s, double x, double weight) {
    s->mean += weight * x;
    s->least = fmin(s->least, x);
    s->largest = fmax(s->largest, x);
}

static void second_pass(ny_input_stats *s, double x, double weight) {
    double z = (x - s->mean) / s->unit;
    s->variance += weight * z * z;
}

static void visit(const ny_matrix *X, const int64_t *rows, int64_t count, ny_input_stats *stats, visit_fn *fn) {
    double weight = 1 / (double)count;
    for (int64_t k = 0; k < count; k++) {
        int64_t i = rows[k];
        if (ny_matrix_is_sparse(X))
            for (int64_t e = X->ptr[i]; e < X->ptr[i + 1]; e++) fn(&stats[X->idx[e]], X->val[e], weight);
        else
            for (int64_t j = 0; j < X->d; j++) fn(&stats[j], X->x[j + i * X->d], weight);
    }
}

ny_status ny_scale_fit(ny_ctx *ctx, const ny_scale *scale, const ny_matrix *X, const int64_t *rows, int64_t count,
                       double *shift, double *factor, int64_t *constant) {
    ny_status st = NY_OK;
    bool sparse = ny_matrix_is_sparse(X);
    ny_input_stats *stats = NULL;
    NY_NEW(ctx, stats, X->d);
    for (int64_t j = 0; j < X->d; j++)
        stats[j].least = sparse ? 0 : INFINITY, stats[j].largest = sparse ? 0 : -INFINITY;
    visit(X, rows, count, stats, first_pass);
    for (int64_t j = 0; j < X->d; j++) {
        ny_input_stats *s = &stats[j];
        if (sparse) s->mean = 0;
        s->unit = sparse ? fmax(fabs(s->least), fabs(s->largest)) : s->largest - s->least;
    }
    visit(X, rows, count, stats, second_pass);
    *constant = 0;
    for (int64_t j = 0; j < X->d; j++) {
        scale->fit(&stats[j], sparse, &shift[j], &factor[j]);
        bool same = stats[j].least == stats[j].largest || !isfinite(factor[j]);
        if (same) ++*constant;
        if (same && scale != &ny_scale_none) shift[j] = sparse ? 0 : stats[j].mean, factor[j] = sparse ? 1 : 0;
    }
done:
    ny_free(stats);
    return st;
}

void ny_scale_apply(const double *shift, const double *factor, ny_matrix *X) {
    for (int64_t i = 0; i < X->n; i++)
        if (ny_matrix_is_sparse(X))
            for (int64_t e = X->ptr[i]; e < X->ptr[i + 1]; e++) X->val[e] *= factor[X->idx[e]];
        else
            for (int64_t j = 0; j < X->d; j++) X->x[j + i * X->d] = (X->x[j + i * X->d] - shift[j]) * factor[j];
}

/* test_model_samples.h: small hand-made models, one of each kind, and a comparison of every field to the last bit. */
#ifndef TEST_MODEL_SAMPLES_H
#define TEST_MODEL_SAMPLES_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/ctx.h"
#include "model/model_file.h"
#include "model/model_meta.h"
#include "model/record.h"
#include "model/record_members.h"

typedef enum {
    SAMPLE_CATEGORIES,
    SAMPLE_SPARSE,
    SAMPLE_REGRESSION,
    SAMPLE_MULTICLASS,
    SAMPLE_NO_INPUTS,
    SAMPLE_QUANTILES,
    SAMPLE_MACHINES,
    SAMPLES
} sample_kind;

/* ---- making: returns false as soon as an allocation fails, so that the fault tests can use it too -------------- */

static inline double *sample_numbers(ny_ctx *ctx, int64_t count, double start) {
    double *v = ny_alloc(ctx, count, sizeof *v);
    for (int64_t i = 0; v && i < count; i++) v[i] = sin(start + (double)i) / 3; /* all 53 bits in use */
    return v;
}

static inline char **sample_texts(ny_ctx *ctx, int64_t count, const char *const *text) {
    char **list = ny_alloc(ctx, count, sizeof *list);
    for (int64_t i = 0; list && i < count; i++) list[i] = ny_strdup(ctx, text[i]);
    return list;
}

static inline void sample_schema(ny_ctx *ctx, ny_schema *schema, sample_kind kind) {
    static const char *const levels[] = {"", "blue, light", "r\xf6t", "\xe7\xb4\xab"}; /* Latin-1 and UTF-8 */
    schema->target = ny_strdup(ctx, "the \"target\"\t");
    schema->weight = ny_strdup(ctx, kind == SAMPLE_CATEGORIES ? "w" : "");
    schema->sparse = kind == SAMPLE_SPARSE;
    schema->named = kind == SAMPLE_CATEGORIES;
    schema->columns = kind == SAMPLE_SPARSE || kind == SAMPLE_NO_INPUTS ? 0 : 3;
    schema->column = ny_alloc(ctx, schema->columns, sizeof *schema->column);
    schema->inputs = kind == SAMPLE_SPARSE ? 30 : schema->columns;
    for (int64_t i = 0; i < schema->columns; i++) {
        schema->column[i].name = ny_format(ctx, "column %d", (int)i);
        schema->column[i].mean = 0.1 * (double)i - 1e-300;
    }
    if (kind != SAMPLE_CATEGORIES) return;
    schema->column[1].levels = 4;
    schema->column[1].level = sample_texts(ctx, 4, levels);
    schema->inputs = 6;
    schema->all_columns = 7; /* it kept columns 1, 2 and 5 */
    schema->all_inputs = 11;
    for (int64_t i = 0; i < 3; i++) schema->column[i].position = i == 2 ? 5 : i + 1;
    for (int64_t i = 0; i < 3; i++) schema->column[i].input = i == 0 ? 2 : i == 1 ? 3 : 9;
}

static inline void sample_landmarks(ny_ctx *ctx, ny_model *model, int64_t m) {
    static const int32_t idx[] = {0, 7, 29, 3, 4};
    ny_matrix *Z = &model->f.Z;
    Z->d = model->schema.inputs;
    Z->n = m;
    if (!model->schema.sparse) {
        Z->x = sample_numbers(ctx, m * Z->d, 1);
        return;
    }
    Z->ptr = ny_alloc(ctx, m + 1, sizeof *Z->ptr);
    Z->idx = ny_alloc(ctx, 5, sizeof *Z->idx);
    Z->val = sample_numbers(ctx, 5, 2);
    memcpy(Z->idx, idx, sizeof idx);
    Z->ptr[1] = Z->ptr[2] = 3; /* the second landmark is empty */
    for (int64_t i = 3; i <= m; i++) Z->ptr[i] = 5;
}

static inline void sample_record(ny_ctx *ctx, ny_record *r, sample_kind kind) {
    *r = (ny_record){.folds = kind == SAMPLE_MULTICLASS ? 10 : 0,
                     .expected.value = 1.0 / 3,
                     .expected.error = 0.0671,
                     .expected.std_error = 0.0047,
                     .expected.squared_error = 0.14,
                     .expected.error_lower = NAN, /* as in files of older versions */
                     .expected.error_upper = NAN,
                     .expected.plain_error = NAN,
                     .expected.baseline_error = NAN,
                     .expected.baseline_gain = NAN,
                     .spent.seconds_read = 0.02,
                     .spent.seconds_scale = 1e-9,
                     .spent.seconds_landmarks = 0.1,
                     .spent.seconds_select = 0.6,
                     .spent.seconds_train = 0.1,
                     .spent.seconds_total = 0.84,
                     .spent.peak_bytes = 61000000,
                     .spent.predicted_bytes = 58000000,
                     .spent.predicted_seconds = 0.9,
                     .seed = UINT64_MAX - 5,
                     .threads = 2,
                     .rows = 3067,
                     .inputs = 57,
                     .origin.landmarks = 1000,
                     .origin.rank = 998,
                     .origin.kernel_kept = kind == SAMPLE_SPARSE ? NAN : 0.99967,
                     .stopped = kind == SAMPLE_SPARSE};
    r->source = ny_strdup(ctx, "data/spam base.csv");
    r->origin.route = ny_strdup(ctx, "landmarks");
    r->origin.why = ny_strdup(ctx, "every row is a landmark");
    r->origin.rank_error = NAN;
    if (kind == SAMPLE_MULTICLASS) {
        r->origin.scale = ny_strdup(ctx, "quantile");
        r->origin.rank_error = 0.0025;
    }
    r->criterion = ny_strdup(ctx, kind == SAMPLE_MULTICLASS ? "cv" : "loo");
    if (kind == SAMPLE_CATEGORIES)
        r->bound =
            (ny_bound){true, 1.0 / 3, 0.9, 0.058, 214, 31.5, 5.2e7, 0.021, 0.004, 343, false, 1.5, 0.75, 1500, 3e9};
    if (kind == SAMPLE_SPARSE) r->solver = (ny_solver){true, 45, 1.0 / 3e8, 1000, 12.5};
    if (kind == SAMPLE_MULTICLASS)
        r->bound = (ny_bound){true, NAN, 0.9, NAN, 214, INFINITY, 5.2e7, NAN, NAN, 0, false, 1.5, NAN, NAN, NAN};
    if (kind == SAMPLE_REGRESSION) {
        r->origin.exact = true;
        r->expected.value = INFINITY;
        r->expected.error = -INFINITY;
        r->expected.std_error = NAN;
        r->expected.squared_error = NAN; /* as in files of older versions */
    }
    if (kind == SAMPLE_CATEGORIES) {
        r->expected.error_lower = 0.0581;
        r->expected.error_upper = 0.0786;
        r->expected.plain_error = 0.0655;
        r->expected.baseline_error = 0.394;
        r->expected.baseline_gain = 41.5;
        r->columns = 7;
        r->column = ny_alloc(ctx, 7, sizeof *r->column);
        for (int i = 0; i < 7; i++)
            r->column[i] = (ny_judged){ny_format(ctx, "c\xf6l %d", i), i == 1 ? 1 : 0.1 / (i + 3), i < 3 || i == 5};
    }
    if (kind == SAMPLE_QUANTILES) {
        r->descent = (ny_descent){true, 23, 3e-13, 3, sample_numbers(ctx, 3, 20)};
        r->loss = (ny_measures){true, 0.05 / 3, NAN, 1.0 / 3, 0.012};
    }
    if (kind == SAMPLE_SPARSE || kind == SAMPLE_REGRESSION) {
        r->levels = kind == SAMPLE_SPARSE ? 6 : 1;
        r->level = ny_alloc(ctx, r->levels, sizeof *r->level);
        for (int64_t j = 0; j < r->levels; j++)
            r->level[j] = (ny_inferred){2.5 + (double)j / 3, 110.0 / (double)(j + 1), 12.5, 0.1, 0.05};
    }
    for (int i = 0; i < 5; i++) {
        ny_evaluation e = {&ny_kernel_rbf, exp(i), pow(2, 3 * i - 6),  0.1 * i, i == 3 ? NAN : 0.2 / (i + 1), 100 * i,
                           10 * i,         9 * i,  i == 2 ? 0.25 : NAN};
        ny_record_evaluation(ctx, r, e);
    }
    ny_record_note(ctx, r, "the best C is at the edge of its range: 100%% sure");
    ny_record_note(ctx, r, "column '%s' is constant", "r\xf6t");
    ny_record_note(ctx, r, "third");
}

/* Three inputs: with knots, straight, with a logarithm. */
static inline void sample_bend(ny_ctx *ctx, ny_bend *bend) {
    assert_int_equal(ny_bend_begin(ctx, 3, bend), NY_OK);
    for (int k = 0; k < 4; k++) assert_int_equal(ny_bend_knot(ctx, bend, k / 3.0, k == 2 ? 1 / 7.0 : k / 7.0), NY_OK);
    for (int64_t j = 0; j < 3; j++) ny_bend_close(bend, j);
    bend->log[2] = -1.0 / 3;
    bend->log[5] = 1e-9;
}

/* What newer models have beside: the regression and the one of several classes; the others are as older files. */
static inline void sample_confidence(ny_ctx *ctx, ny_model *model, sample_kind kind) {
    ny_posterior *p = &model->posterior;
    if (kind != SAMPLE_REGRESSION && kind != SAMPLE_MULTICLASS) return;
    int64_t d = model->schema.inputs;
    model->range = sample_numbers(ctx, 2 * d, 16);
    for (int64_t j = 0; j < d; j++) model->range[j + d] = model->range[j] + (j == 1 ? 0 : 1);
    *p = (ny_posterior){.r = 3, .m = model->f.Z.n, .q = model->f.outputs, .share = 1.0 / 7};
    p->map = sample_numbers(ctx, p->r * p->m, 8);
    p->mean = sample_numbers(ctx, p->r, 9);
    p->diag = sample_numbers(ctx, p->r, 10);
    p->off = sample_numbers(ctx, p->r, 11);
    p->noise = sample_numbers(ctx, p->q, 12);
    for (int64_t j = 0; j < p->q; j++) p->noise[j] = exp(p->noise[j]);
    if (kind == SAMPLE_REGRESSION) {
        model->error_size = sample_numbers(ctx, NY_QUANTILES, 13);
        for (int k = 0; k < NY_QUANTILES; k++) model->error_size[k] = sqrt(k);
        return;
    }
    model->moderation = ny_alloc(ctx, p->q, sizeof *model->moderation);
    model->frequency = sample_numbers(ctx, model->classes, 14);
    model->prior = sample_numbers(ctx, model->classes, 15);
    for (int64_t k = 0; k < model->classes; k++) {
        model->moderation[k] = (ny_moderation){-1.0 / 3, 0.7, exp((double)k), 0.1};
        model->frequency[k] = 1 / (double)model->classes;
        model->prior[k] = (1 + (double)k) / 6;
    }
}

/* A second machine has the last two of three outputs, and four points: the third and the second of the first machine,
 * which has the second twice, and two of its own. */
static inline void sample_machines(ny_ctx *ctx, ny_expansion *f) {
    static const int place[4] = {2, 1, 1, -1};
    int64_t d = f->Z.d;
    ny_expansion *other = f->next = ny_alloc(ctx, 1, sizeof *other);
    f->outputs = 1;
    memcpy(f->Z.x, f->Z.x + d, (size_t)d * sizeof *f->Z.x);
    other->kernel = (ny_kernel_params){ny_kernel_find("matern32"), 1.7 / 3, 1.0 / 7, 3, 0};
    other->outputs = 2;
    other->Z = (ny_matrix){.d = d, .n = 4, .x = sample_numbers(ctx, 4 * d, 31)};
    for (int k = 0; k < 4; k++)
        if (place[k] >= 0) memcpy(other->Z.x + k * d, f->Z.x + place[k] * d, (size_t)d * sizeof *f->Z.x);
    other->beta = sample_numbers(ctx, 8, 32);
    other->b = sample_numbers(ctx, 2, 33);
}

/* Only for allocators that do not fail. */
static inline ny_model *sample_model(ny_ctx *ctx, sample_kind kind) {
    static const char *const labels[] = {"-1", "caf\xe9", "\"quoted\", \\", "\xe7\xb4\xab"};
    static const int64_t classes[SAMPLES] = {2, 4, 0, 3, 2, 0, 3}, outputs[SAMPLES] = {1, 6, 1, 3, 1, 3, 3};
    static const char *const kernels[SAMPLES] = {"rbf", "linear", "poly", "laplace", "rbf", "rbf", "rbf"};
    ny_model *model = NULL;
    assert_int_equal(ny_model_new(ctx, &model), NY_OK);
    int64_t m = 4;
    sample_schema(ctx, &model->schema, kind);
    model->task = !classes[kind] ? NY_TASK_REGRESSION : classes[kind] > 2 ? NY_TASK_MULTICLASS : NY_TASK_BINARY;
    model->classes = classes[kind];
    model->label = sample_texts(ctx, classes[kind], labels);
    if (classes[kind]) model->coding.method = ny_multiclass_find(kind == SAMPLE_SPARSE ? "ovo" : "ova");
    if (kind == SAMPLE_SPARSE) model->coding.decoding = NY_DECODING_LOSS;
    model->f.kernel = (ny_kernel_params){ny_kernel_find(kernels[kind]), 7.43 / 3, 1.0 / 7, 3, 0};
    if (kind == SAMPLE_SPARSE) model->f.kernel.bandwidth = NAN; /* linear: it has none */
    model->shift = sample_numbers(ctx, model->schema.inputs, 3);
    model->factor = sample_numbers(ctx, model->schema.inputs, 4);
    if (kind == SAMPLE_MULTICLASS) sample_bend(ctx, &model->bend);
    sample_landmarks(ctx, model, m);
    model->f.outputs = outputs[kind];
    model->f.beta = sample_numbers(ctx, m * model->f.outputs, 5);
    model->f.b = sample_numbers(ctx, model->f.outputs, 6);
    model->C = sample_numbers(ctx, model->f.outputs, 7);
    for (int64_t j = 0; j < model->f.outputs; j++) model->C[j] = exp2(10 * model->C[j]);
    if (kind == SAMPLE_MACHINES) sample_machines(ctx, &model->f);
    sample_confidence(ctx, model, kind);
    model->f.beta[0] = -0.0;
    model->f.beta[1] = 5e-324;
    model->f.beta[2] = 1.7976931348623157e308;
    if (classes[kind]) model->calibration = sample_numbers(ctx, 2, 8);
    model->options = ny_options_new(ctx);
    assert_non_null(model->options);
    assert_int_equal(ny_options_set(ctx, model->options, "kernel", kernels[kind]), NY_OK);
    assert_int_equal(ny_options_set(ctx, model->options, "C", "-3:7:0.5"), NY_OK);
    if (kind == SAMPLE_QUANTILES) {
        assert_int_equal(ny_options_set(ctx, model->options, "machine", "quantile"), NY_OK);
        model->quantiles = sample_numbers(ctx, 3, 0);
        for (int j = 0; j < 3; j++) model->quantiles[j] = (1 + j) / 5.0;
    }
    model->link = kind == SAMPLE_SPARSE;
    assert_int_equal(ny_options_set(ctx, model->options, "target", "d\xe9j\xe0 vu"), NY_OK);
    sample_record(ctx, model->record, kind);
    return model;
}

/* ---- comparing: NULL when equal, else what differs -------------------------------------------------------------- */

#define SAME(cond, what)          \
    do {                          \
        if (!(cond)) return what; \
    } while (0)

static inline bool same_real(double a, double b) {
    return memcmp(&a, &b, sizeof a) == 0 || (isnan(a) && isnan(b));
}
static inline bool same_text(const char *a, const char *b) {
    return strcmp(a ? a : "", b ? b : "") == 0;
}

static inline bool same_block(const void *a, const void *b, int64_t count, size_t size) {
    if (!a || !b) return a == b;
    return memcmp(a, b, (size_t)count * size) == 0;
}

/* The name of a field that differs. What the run took is not in files, and a number that is not finite is not known. */
static inline const char *fields_difference(const ny_member *field, const void *a, const void *b) {
    for (; field->name; field++) {
        const char *x = (const char *)a + field->at, *y = (const char *)b + field->at;
        char *const *s = (char *const *)x, *const *t = (char *const *)y;
        const double *u = (const double *)x, *v = (const double *)y;
        bool same = true;
        switch (field->type) {
            case NY_MEMBER_text:
                same = same_text(*s, *t);
                break;
            case NY_MEMBER_phrase:
                same = (!*s == !*t) && same_text(*s, *t);
                break;
            case NY_MEMBER_whole:
            case NY_MEMBER_count:
                same = *(const int64_t *)x == *(const int64_t *)y;
                break;
            case NY_MEMBER_small:
                same = *(const int *)x == *(const int *)y;
                break;
            case NY_MEMBER_bits:
                same = *(const uint64_t *)x == *(const uint64_t *)y;
                break;
            case NY_MEMBER_real:
                same = same_real(*u, *v);
                break;
            case NY_MEMBER_maybe:
                same = same_real(*u, *v) || (!isfinite(*u) && isnan(*v));
                break;
            case NY_MEMBER_flag:
                same = *(const bool *)x == *(const bool *)y;
                break;
            case NY_MEMBER_kernel:
                same = *(const ny_kernel *const *)x == *(const ny_kernel *const *)y;
                break;
        }
        if (!same && strcmp(field->name, "seconds") != 0) return field->name;
    }
    return NULL;
}

static inline const char *record_difference(const ny_record *a, const ny_record *b) {
    const char *field = fields_difference(ny_record_members, a, b);
    SAME(!field, field);
    SAME(a->bound.known == b->bound.known && a->solver.known == b->solver.known && a->loss.known == b->loss.known &&
             a->descent.known == b->descent.known && a->descent.outputs == b->descent.outputs,
         "record: parts");
    if (a->bound.known) SAME(!(field = fields_difference(ny_bound_members, &a->bound, &b->bound)), field);
    if (a->solver.known) SAME(!(field = fields_difference(ny_solver_members, &a->solver, &b->solver)), field);
    if (a->loss.known) SAME(!(field = fields_difference(ny_measures_members, &a->loss, &b->loss)), field);
    if (a->descent.known) SAME(!(field = fields_difference(ny_descent_members, &a->descent, &b->descent)), field);
    SAME(same_block(a->descent.objective, b->descent.objective, a->descent.outputs, sizeof(double)), "objective");
    SAME(a->evaluations == b->evaluations && a->notes == b->notes && a->columns == b->columns &&
             a->comparisons == b->comparisons && a->levels == b->levels,
         "record: lengths");
    for (int64_t i = 0; i < a->columns; i++)
        SAME(!(field = fields_difference(ny_judged_members, &a->column[i], &b->column[i])), field);
    for (int64_t i = 0; i < a->levels; i++)
        SAME(!(field = fields_difference(ny_inferred_members, &a->level[i], &b->level[i])), field);
    for (int64_t i = 0; i < a->comparisons; i++)
        SAME(!(field = fields_difference(ny_comparison_members, &a->comparison[i], &b->comparison[i])), field);
    for (int64_t i = 0; i < a->evaluations; i++)
        SAME(!(field = fields_difference(ny_evaluation_members, &a->evaluation[i], &b->evaluation[i])), field);
    for (int64_t i = 0; i < a->notes; i++) SAME(same_text(a->note[i], b->note[i]), "record: a note");
    return NULL;
}

static inline const char *schema_difference(const ny_schema *a, const ny_schema *b) {
    SAME(a->columns == b->columns && a->inputs == b->inputs, "schema: sizes");
    SAME(a->all_columns == b->all_columns && a->all_inputs == b->all_inputs, "schema: sizes of the training file");
    SAME(a->sparse == b->sparse && a->named == b->named, "schema: flags");
    SAME(same_text(a->target, b->target) && same_text(a->weight, b->weight), "schema: target or weight");
    for (int64_t i = 0; i < a->columns; i++) {
        const ny_column *x = &a->column[i], *y = &b->column[i];
        SAME(same_text(x->name, y->name) && x->levels == y->levels && same_real(x->mean, y->mean), "schema: a column");
        SAME(x->position == y->position && x->input == y->input, "schema: where a column was");
        for (int64_t l = 0; l < x->levels; l++) SAME(same_text(x->level[l], y->level[l]), "schema: a level");
    }
    return NULL;
}

static inline const char *matrix_difference(const ny_matrix *a, const ny_matrix *b) {
    SAME(a->d == b->d && a->n == b->n && ny_matrix_is_sparse(a) == ny_matrix_is_sparse(b), "landmarks: sizes");
    if (!ny_matrix_is_sparse(a)) {
        SAME(same_block(a->x, b->x, a->d * a->n, sizeof *a->x), "landmarks");
        return NULL;
    }
    SAME(same_block(a->ptr, b->ptr, a->n + 1, sizeof *a->ptr), "landmarks: ptr");
    SAME(same_block(a->idx, b->idx, a->ptr[a->n], sizeof *a->idx), "landmarks: idx");
    SAME(same_block(a->val, b->val, a->ptr[a->n], sizeof *a->val), "landmarks: val");
    return NULL;
}

static inline const char *expansion_difference(const ny_expansion *a, const ny_expansion *b) {
    const char *what;
    SAME(ny_expansion_count(a) == ny_expansion_count(b), "machines");
    for (; a; a = a->next, b = b->next) {
        SAME(a->outputs == b->outputs, "outputs");
        SAME(a->kernel.kernel == b->kernel.kernel && a->kernel.degree == b->kernel.degree, "kernel");
        SAME(same_real(a->kernel.bandwidth, b->kernel.bandwidth) && same_real(a->kernel.coef0, b->kernel.coef0),
             "kernel numbers");
        if ((what = matrix_difference(&a->Z, &b->Z))) return what;
        SAME(same_block(a->beta, b->beta, a->Z.n * a->outputs, sizeof(double)), "beta");
        SAME(same_block(a->b, b->b, a->outputs, sizeof(double)), "b");
    }
    return NULL;
}

static inline const char *model_difference(const ny_model *a, const ny_model *b) {
    const char *what;
    int64_t outputs = ny_expansion_width(&a->f);
    SAME(a->task == b->task && a->classes == b->classes && ny_expansion_width(&b->f) == outputs, "task");
    for (int64_t k = 0; k < a->classes; k++) SAME(same_text(a->label[k], b->label[k]), "a label");
    SAME(a->coding.method == b->coding.method && a->coding.decoding == b->coding.decoding, "coding");
    if ((what = schema_difference(&a->schema, &b->schema))) return what;
    if ((what = expansion_difference(&a->f, &b->f))) return what;
    SAME(same_block(a->shift, b->shift, a->schema.inputs, sizeof(double)), "shift");
    SAME(same_block(a->factor, b->factor, a->schema.inputs, sizeof(double)), "factor");
    SAME(a->bend.d == b->bend.d, "bend");
    SAME(same_block(a->bend.ptr, b->bend.ptr, a->bend.d + 1, sizeof(int64_t)), "bend: ptr");
    SAME(same_block(a->bend.log, b->bend.log, 2 * a->bend.d, sizeof(double)), "bend: log");
    int64_t knots = a->bend.d ? a->bend.ptr[a->bend.d] : 0;
    SAME(same_block(a->bend.x, b->bend.x, knots, sizeof(double)), "bend: knots");
    SAME(same_block(a->bend.z, b->bend.z, knots, sizeof(double)), "bend: values");
    SAME(same_block(a->range, b->range, 2 * a->schema.inputs, sizeof(double)), "range");
    SAME(same_block(a->C, b->C, outputs, sizeof(double)), "C");
    SAME(same_block(a->quantiles, b->quantiles, outputs, sizeof(double)) && a->link == b->link, "levels, link");
    SAME(same_block(a->calibration, b->calibration, 2, sizeof(double)), "calibration");
    const ny_posterior *p = &a->posterior, *q = &b->posterior;
    SAME(p->r == q->r && p->m == q->m && p->q == q->q && same_real(p->share, q->share), "posterior: sizes");
    SAME(same_block(p->map, q->map, p->r * p->m, sizeof(double)), "posterior: map");
    SAME(same_block(p->mean, q->mean, p->r, sizeof(double)), "posterior: mean");
    SAME(same_block(p->diag, q->diag, p->r, sizeof(double)), "posterior: diagonal");
    SAME(same_block(p->off, q->off, p->r, sizeof(double)), "posterior: off-diagonal");
    SAME(same_block(p->noise, q->noise, p->q, sizeof(double)), "posterior: noise");
    SAME(same_block(a->error_size, b->error_size, NY_QUANTILES, sizeof(double)), "quantiles");
    SAME(same_block(a->moderation, b->moderation, outputs, sizeof *a->moderation), "moderation");
    SAME(same_block(a->frequency, b->frequency, a->classes, sizeof(double)), "frequency");
    SAME(same_block(a->prior, b->prior, a->classes, sizeof(double)), "prior");
    const ny_option_row *row;
    for (int64_t i = 0; (row = ny_options_row(i)); i++)
        SAME(same_text(ny_options_get(a->options, row->name), ny_options_get(b->options, row->name)), row->name);
    return record_difference(a->record, b->record);
}

/* ---- files ------------------------------------------------------------------------------------------------------ */

static inline char *read_whole(const char *path, int64_t *size) {
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    fseek(file, 0, SEEK_END);
    *size = ftell(file);
    rewind(file);
    char *bytes = malloc((size_t)*size + 1);
    assert_non_null(bytes);
    assert_int_equal(fread(bytes, 1, (size_t)*size, file), (size_t)*size);
    fclose(file);
    bytes[*size] = 0;
    return bytes;
}

#endif

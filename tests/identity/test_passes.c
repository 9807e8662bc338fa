/* test_passes.c: rows read in passes give what rows in memory give, to 1e-9, with blocks much smaller than the file. */
#include "support.h"

#include <math.h>

#include "model/record.h"
#include "table/data.h"

enum { N = 1700, D = 4 };

typedef struct {
    const char *name, *format; /* csv, libsvm */
    int classes;               /* 0: regression; -2: two that are easy to tell apart */
    bool weights;
    const char *options[12]; /* name, value, ... */
} scenario;

static const scenario scenarios[] = {
    {"regression", "csv", 0, false, {"search", "none", "bandwidth", "2"}},
    {"regression, whole search", "csv", 0, false, {"kernel", "auto"}},
    {"regression, weights", "csv", 0, true, {"search", "none", "bandwidth", "2", "C", "-2:6:1"}},
    {"kernel ridge", "csv", 0, false, {"machine", "krr", "search", "none", "bandwidth", "2"}},
    {"penalised bias",
     "csv",
     0,
     true,
     {"bias", "penalised", "bias-penalty", "0.1", "search", "none", "bandwidth", "2"}},
    {"penalised bias, eigen form", "csv", 4, false, {"bias", "penalised", "rank", "20", "search", "none"}},
    {"binary, grid", "csv", 2, false, {"search", "grid", "bandwidth", "0:2:1", "kernel", "auto"}},
    {"binary, weights of 0 and of classes", "csv", 2, true, {"class-weight", "balanced", "bandwidth", "2"}},
    {"four classes", "csv", 4, false, {"folds", "7"}},
    {"four classes, moc", "csv", 4, true, {"multiclass", "moc", "search", "none", "bandwidth", "2"}},
    {"eigen form", "csv", 4, false, {"rank", "30", "search", "none", "bandwidth", "2"}},
    {"sparse", "libsvm", 2, false, {"search", "none", "bandwidth", "2"}},
    {"annealing", "csv", 0, false, {"search", "csa", "csa-evaluations", "10", "simplex-evaluations", "4"}},
};
enum { SCENARIOS = sizeof scenarios / sizeof *scenarios };

static char *data_file(const scenario *s) {
    bool sparse = strcmp(s->format, "libsvm") == 0;
    ny_rng rng = ny_rng_make(11, NY_RNG_TEST, (uint32_t)s->classes);
    char *text = malloc(N * 160), *at = text;
    if (!sparse) at += sprintf(at, "a,b,c,d%s,target\n", s->weights ? ",w" : "");
    for (int i = 0; i < N; i++) {
        double x[D], y;
        for (int j = 0; j < D; j++) x[j] = ny_rng_normal(&rng);
        y = sin(2 * x[0]) + 0.5 * x[1] + 0.5 * ny_rng_normal(&rng);
        double target = s->classes > 0 ? fmod(floor(fabs(3 * y)), s->classes) : s->classes < 0 ? y > 0 : 1000 + y;
        if (sparse) at += sprintf(at, "%g", target);
        for (int j = 0; j < D; j++)
            if (!sparse) at += sprintf(at, "%.15g,", x[j]);
            else if ((i + j) % 3) at += sprintf(at, " %d:%.15g", j + 1, x[j]);
        if (s->weights) at += sprintf(at, "%g,", i % 13 == 0 ? 0 : 0.5 + ny_rng_uniform(&rng));
        if (!sparse) at += sprintf(at, "%.15g", target);
        at += sprintf(at, "\n");
    }
    char *file = write_file(sparse ? ".svm" : ".csv", text, -1);
    free(text);
    return file;
}

static ny_options *options_of(ny_ctx *ctx, const scenario *s, const char *stream) {
    ny_options *o = make_options(ctx, "metric", "none", "kernel", "rbf", "landmarks", "60", "landmark-method",
                                 "uniform", "criterion", "cv", "memory", "20M", "stream", stream, NULL);
    if (strcmp(stream, "no") == 0) must(ctx, ny_options_set(ctx, o, "memory", "0"));
    if (s->weights) must(ctx, ny_options_set(ctx, o, "weight-column", "w"));
    for (int k = 0; s->options[k]; k += 2) must(ctx, ny_options_set(ctx, o, s->options[k], s->options[k + 1]));
    return o;
}

static ny_model *train(ny_ctx *ctx, const scenario *s, const char *file, const char *stream) {
    ny_options *o = options_of(ctx, s, stream);
    ny_data *data = NULL;
    ny_model *model = NULL;
    must(ctx, ny_data_read(ctx, file, o, NULL, &data));
    must(ctx, ny_train(ctx, data, o, &model));
    ny_data_free(data);
    ny_options_free(o);
    return model;
}

/* The models, and what they say of the rows of the file. */
static void same(ny_ctx *ctx, const char *file, const ny_model *a, const ny_model *b) {
    ny_data *data = NULL;
    must(ctx, ny_data_read(ctx, file, a->options, a, &data));
    int64_t m = a->f.Z.n, q = a->f.outputs;
    assert_string_equal(a->f.kernel.kernel->name, b->f.kernel.kernel->name);
    assert_close(b->f.kernel.bandwidth, a->f.kernel.bandwidth, 0);
    assert_int_equal(b->f.Z.n, m);
    assert_int_equal(b->record->rows, a->record->rows);
    assert_int_equal(b->record->folds, a->record->folds);
    assert_close(b->record->expected.value, a->record->expected.value, 1e-9);
    assert_close(b->record->expected.error, a->record->expected.error, 1e-9);
    assert_close(b->record->expected.std_error, a->record->expected.std_error, 1e-9);
    assert_close(b->record->origin.kernel_kept, a->record->origin.kernel_kept, 1e-9);
    for (int64_t j = 0; j < q; j++) {
        assert_close(b->C[j], a->C[j], 0);
        assert_close(b->f.b[j], a->f.b[j], 1e-9);
    }
    static double f[N * 4], g[N * 4];
    must(ctx, ny_predict(ctx, a, data, NULL, NULL, NULL, f));
    must(ctx, ny_predict(ctx, b, data, NULL, NULL, NULL, g));
    for (int64_t i = 0; i < data->rows * q; i++) assert_close(g[i], f[i], 1e-9);
    for (int k = 0; k < 2; k++) assert_close(b->calibration[k], a->calibration[k], 1e-7);
    ny_data_free(data);
}

static void test_passes_equal_memory(void **state) {
    (void)state;
    for (int k = 0; k < SCENARIOS; k++) {
        ny_ctx *ctx = ny_ctx_new();
        char *file = data_file(&scenarios[k]);
        print_message("%s\n", scenarios[k].name);
        ny_model *memory = train(ctx, &scenarios[k], file, "no"), *passes = train(ctx, &scenarios[k], file, "yes");
        same(ctx, file, memory, passes);
        ny_model_free(memory);
        ny_model_free(passes);
        remove(file);
        free(file);
        ny_ctx_free(ctx);
    }
}

/* The same folds from a file; default landmarks and criterion, which differ from memory's, still give a good machine.
 */
static void test_fold_file_and_defaults(void **state) {
    (void)state;
    ny_ctx *ctx = ny_ctx_new();
    scenario s = {"fold file", "csv", 0, false, {"search", "none", "bandwidth", "2", "fold-file", NULL}};
    char *file = data_file(&s), *folds, text[N * 2 + 1];
    for (int i = 0; i < N; i++) text[2 * i] = (char)('0' + (i * 7) % 5), text[2 * i + 1] = '\n';
    folds = write_file(".txt", text, N * 2);
    s.options[5] = folds;
    ny_model *memory = train(ctx, &s, file, "no"), *passes = train(ctx, &s, file, "yes");
    assert_int_equal(passes->record->folds, 5);
    same(ctx, file, memory, passes);
    ny_model_free(memory);
    ny_model_free(passes);
    scenario plain = {"defaults", "csv", 0, false, {"landmark-method", "rpcholesky", "criterion", "loo"}};
    memory = train(ctx, &plain, file, "no");
    passes = train(ctx, &plain, file, "yes");
    assert_string_equal(passes->record->criterion, "cv");
    assert_true(passes->record->expected.value < 1.1 * memory->record->expected.value);
    ny_model_free(memory);
    ny_model_free(passes);
    remove(file);
    remove(folds);
    free(file);
    free(folds);
    ny_ctx_free(ctx);
}

static void test_what_needs_memory_is_refused(void **state) {
    (void)state;
    static const struct {
        const char *name, *value, *words;
    } wrong[] = {{"multiclass", "ovo", "ova"},   {"expansion", "training", "landmarks"},
                 {"solver", "cg", "direct"},     {"select-on", "error", "mse"},
                 {"landmarks", "all", "number"}, {"bound", "yes", "--stream no"}};
    ny_ctx *ctx = ny_ctx_new();
    scenario s = {"refused", "csv", 4, false, {NULL}};
    char *file = data_file(&s);
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        ny_options *o = options_of(ctx, &s, "yes");
        ny_data *data = NULL;
        ny_model *model = NULL;
        must(ctx, ny_options_set(ctx, o, wrong[k].name, wrong[k].value));
        must(ctx, ny_data_read(ctx, file, o, NULL, &data));
        assert_int_equal(ny_train(ctx, data, o, &model), NY_ERR_USAGE);
        assert_non_null(strstr(ny_message(ctx), wrong[k].words));
        assert_null(model);
        ny_data_free(data);
        ny_options_free(o);
    }
    remove(file);
    free(file);
    ny_ctx_free(ctx);
}

static void stop_at(void *user, const char *stage, double done, double total, double left) {
    (void)done, (void)total, (void)left;
    ny_ctx *ctx = *(ny_ctx **)user;
    const char *at = ((const char **)user)[1];
    ctx->progress_last = 0; /* the next report comes too, however soon */
    if (strcmp(stage, at) == 0) ny_cancel(ctx);
}

/* While preparing there is nothing to give; later the best so far: of the sample, or of all rows. */
static void test_stops(void **state) {
    (void)state;
    static const char *const stages[] = {"scale", "sample", "select", "test"};
    scenario s = {"stopped", "csv", -2, false, {NULL}};
    ny_ctx *ctx = ny_ctx_new();
    char *file = data_file(&s);
    ny_model *whole = train(ctx, &s, file, "yes");
    for (int k = 0; k < 4; k++) {
        const void *user[] = {ctx, stages[k]};
        ny_options *o = options_of(ctx, &s, "yes");
        ny_data *data = NULL;
        ny_model *model = NULL;
        must(ctx, ny_data_read(ctx, file, o, NULL, &data));
        ny_on_progress(ctx, stop_at, (void *)user);
        ny_status st = ny_train(ctx, data, o, &model);
        ny_on_progress(ctx, NULL, NULL);
        if (k < 2) {
            assert_int_equal(st, NY_ERR_CANCELLED);
        } else {
            assert_int_equal(st, NY_STOPPED);
            assert_true(model->record->stopped && model->f.Z.n == whole->f.Z.n);
            assert_true(fabs(model->record->expected.error / whole->record->expected.error - 1) < 0.1);
            assert_true(model->record->expected.error < 0.7 * model->record->expected.baseline_error);
        }
        ny_model_free(model);
        ny_data_free(data);
        ny_options_free(o);
    }
    ny_model_free(whole);
    remove(file);
    free(file);
    ny_ctx_free(ctx);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_passes_equal_memory),
        cmocka_unit_test(test_fold_file_and_defaults),
        cmocka_unit_test(test_what_needs_memory_is_refused),
        cmocka_unit_test(test_stops),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

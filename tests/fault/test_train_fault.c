/* test_train_fault.c: allocations fail, one in each run, on the whole way from options to predictions: the status is
 * "not enough memory", nothing leaks, nothing crashes, no file is left behind, and the next try works. Members of the
 * families come from their tables, so that a new one is tested unasked. */
#include <dirent.h>
#include <math.h>
#include <unistd.h>

#include "criterion/criterion.h"
#include "model/record.h"
#include "support.h"

enum { ROWS = 40, CONFIG = 160, EDGE = 120, STRIDE = 17 };

static ny_ctx *ctx;
static ny_data *binary, *several, *regression, *sparse;
static char folder[64], saved[80], table[80], folds[80];

/* ---- one failure after the other --------------------------------------------------------------------------------- */

typedef struct job {
    const ny_options *options;
    const ny_data *data;
    const ny_model *model;
} job;

typedef ny_status step_fn(const job *j);

/* Which allocation fails after the k-th of `all`: every one of the first and of the last EDGE, where things are made
 * that are made once. Those between are mostly the rounds of one loop: one of STRIDE of them, beginning one later in
 * each call, so that over the calls every residue has its turn. A small run takes one of 11 everywhere. */
static int64_t next_failure(int64_t k, int64_t all, int64_t calls) {
    bool small = small_step(2) == 2;
    int64_t edge = small ? 0 : EDGE, stride = small ? 11 : STRIDE;
    if (k < edge || k >= all - edge) return k + 1;
    int64_t next = k == edge ? k + 1 + calls % stride : k + stride;
    return next < all - edge ? next : all - edge;
}

/* The k-th allocation fails, for one k after the other until there is no k-th. Some are optional: then all must be
 * well. */
static void fail_everywhere(const char *what, step_fn *step, const job *j) {
    static int64_t calls;
    double began = ny_now();
    int64_t live = ny_alloc_live(), count = ny_alloc_count(), optional = 0;
    must(ctx, step(j));
    int64_t all = ny_alloc_count() - count;
    for (int64_t k = next_failure(0, all, ++calls);; k = next_failure(k, all, calls)) {
        int64_t before = ny_alloc_count();
        ny_alloc_fail_at(k);
        ny_status st = step(j);
        ny_alloc_fail_at(0);
        bool failed = ny_alloc_count() - before >= k;
        if (st != NY_OK && (!failed || st != NY_ERR_MEMORY))
            fail_msg("%s: allocation %lld: status %d: %s", what, (long long)k, (int)st, ny_message(ctx));
        if (st == NY_ERR_MEMORY && !strstr(ny_message(ctx), "memory"))
            fail_msg("%s: allocation %lld: the message is '%s'", what, (long long)k, ny_message(ctx));
        if (ny_alloc_live() != live)
            fail_msg("%s: allocation %lld: %lld blocks leak", what, (long long)k, (long long)(ny_alloc_live() - live));
        optional += failed && st == NY_OK;
        if (!failed) break;
    }
    if (getenv("VERBOSE"))
        print_message("%s: %lld allocations, %lld optional, %.2f s\n", what, (long long)all, (long long)optional,
                      ny_now() - began);
}

/* "name=value name=value ..." */
static ny_options *options_of(const char *text) {
    char copy[CONFIG], *save = NULL;
    ny_options *options = make_options(ctx, "threads", "1", NULL);
    assert_true(strlen(text) < sizeof copy);
    strcpy(copy, text);
    for (char *item = strtok_r(copy, " ", &save); item; item = strtok_r(NULL, " ", &save)) {
        char *equals = strchr(item, '=');
        *equals = 0;
        must(ctx, ny_options_set(ctx, options, item, equals + 1));
    }
    return options;
}

/* ---- data: small, and the same for every run --------------------------------------------------------------------- */

static ny_data *make_data(int classes) {
    static const char *const names[] = {"ash", "birch", "cedar"};
    double x[ROWS * 2], y[ROWS];
    const char *label[ROWS];
    ny_data *data = NULL;
    ny_rng rng = ny_rng_make(7, NY_RNG_TEST, 0);
    for (int i = 0; i < ROWS; i++) {
        int k = classes ? i % classes : 0;
        x[2 * i] = ny_rng_normal(&rng) + 2 * k;
        x[2 * i + 1] = ny_rng_normal(&rng) - k;
        y[i] = x[2 * i] * x[2 * i + 1] + ny_rng_normal(&rng);
        label[i] = names[k];
    }
    if (classes) must(ctx, ny_data_from_labels(ctx, ROWS, 2, x, label, &data));
    else must(ctx, ny_data_from_rows(ctx, ROWS, 2, x, y, &data));
    return data;
}

static void write_text(const char *path, const char *head, bool libsvm) {
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(head, file);
    for (int i = 0; i < ROWS; i++)
        if (libsvm) fprintf(file, "%d %d:%g %d:1\n", i % 2 ? 1 : -1, i % 7 + 1, 0.5 + i % 5, i % 11 + 20);
        else fprintf(file, "%g,%s,%g,%s\n", i * 0.37, i % 3 ? "red" : "blue", (i * 7 % 10) * 1.5, i % 2 ? "yes" : "no");
    fclose(file);
}

static void write_folds(void) {
    FILE *file = fopen(folds, "w");
    assert_non_null(file);
    for (int i = 0; i < ROWS; i++) fprintf(file, "%d\n", i % 3);
    fclose(file);
}

static int setup(void **state) {
    (void)state;
    strcpy(folder, "ny_test_train_fault_XXXXXX");
    if (!mkdtemp(folder) || !(ctx = ny_ctx_new())) return -1;
    snprintf(saved, sizeof saved, "%s/m.nysel", folder);
    snprintf(table, sizeof table, "%s/table.csv", folder);
    snprintf(folds, sizeof folds, "%s/folds", folder);
    char svm[80];
    snprintf(svm, sizeof svm, "%s/data.svm", folder);
    write_text(table, "height,colour,width,tall\n", false);
    write_text(svm, "", true);
    write_folds();
    ny_options *options = make_options(ctx, NULL);
    must(ctx, ny_data_read(ctx, svm, options, NULL, &sparse));
    ny_options_free(options);
    unlink(svm);
    binary = make_data(2);
    several = make_data(3);
    regression = make_data(0);
    return 0;
}

static int teardown(void **state) {
    (void)state;
    ny_data_free(binary);
    ny_data_free(several);
    ny_data_free(regression);
    ny_data_free(sparse);
    ny_ctx_free(ctx);
    unlink(saved);
    unlink(table);
    unlink(folds);
    rmdir(folder);
    return 0;
}

static int files(void) {
    int count = 0;
    DIR *dir = opendir(folder);
    assert_non_null(dir);
    for (struct dirent *entry; (entry = readdir(dir));) count += entry->d_name[0] != '.';
    closedir(dir);
    return count;
}

/* ---- the steps --------------------------------------------------------------------------------------------------- */

static ny_status options_step(const job *j) {
    (void)j;
    ny_options *options = ny_options_new(ctx), *copy = NULL;
    ny_status st = options ? ny_options_set(ctx, options, "kernel", "poly") : NY_ERR_MEMORY;
    if (st == NY_OK) st = ny_options_set(ctx, options, "C", "-2:2:1");
    if (st == NY_OK) st = ny_options_copy(ctx, options, &copy);
    assert_true((st == NY_OK) == (copy != NULL));
    ny_options_free(copy);
    ny_options_free(options);
    return st;
}

static ny_status read_step(const job *j) {
    ny_data *data = NULL;
    ny_status st = ny_data_read(ctx, table, j->options, j->model, &data);
    assert_true((st == NY_OK) == (data != NULL));
    ny_data_free(data);
    return st;
}

static ny_status train_step(const job *j) {
    ny_model *model = NULL;
    ny_status st = ny_train(ctx, j->data, j->options, &model);
    assert_true((st == NY_OK) == (model != NULL));
    ny_model_free(model);
    return st;
}

/* Rows in passes: the stream's own buffers come and go, so it is opened here. */
static ny_status stream_step(const job *j) {
    ny_data *data = NULL;
    ny_model *model = NULL;
    ny_status st = ny_data_read(ctx, table, j->options, NULL, &data);
    if (st == NY_OK) st = ny_train(ctx, data, j->options, &model);
    assert_true((st == NY_OK) == (model != NULL));
    ny_model_free(model);
    ny_data_free(data);
    return st;
}

static ny_status predict_step(const job *j) {
    double value[ROWS], proba[ROWS * 3], scores[ROWS * 3];
    return ny_predict(ctx, j->model, j->data, j->options, value, ny_model_classes(j->model) ? proba : NULL, scores);
}

static ny_status interval_step(const job *j) {
    double lower[ROWS], upper[ROWS];
    return ny_predict_interval(ctx, j->model, j->data, j->options, 0.9,
                               &(ny_intervals){.lower = lower, .upper = upper});
}

static ny_status test_step(const job *j) {
    char *json = NULL, *text = NULL;
    ny_status st = ny_test(ctx, j->model, j->data, j->options, &json, &text);
    assert_true((st == NY_OK) == (text != NULL) && (st == NY_OK) == (json != NULL));
    ny_text_free(json);
    ny_text_free(text);
    return st;
}

static ny_status save_step(const job *j) {
    unlink(saved);
    int before = files();
    ny_status st = ny_model_save(ctx, j->model, saved);
    assert_int_equal(files() - before, st == NY_OK);
    return st;
}

static ny_status load_step(const job *j) {
    (void)j;
    ny_model *model = NULL;
    ny_status st = ny_model_load(ctx, saved, &model);
    assert_true((st == NY_OK) == (model != NULL));
    ny_model_free(model);
    return st;
}

/* ---- the tests --------------------------------------------------------------------------------------------------- */

static void train_with(const ny_data *data, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void train_with(const ny_data *data, const char *format, ...) {
    char text[CONFIG];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    job j = {.options = options_of(text), .data = data};
    fail_everywhere(text, train_step, &j);
    ny_options_free((ny_options *)j.options);
}

static void options_and_reading(void **state) {
    (void)state;
    job j = {.options = options_of("")};
    fail_everywhere("options", options_step, &j);
    fail_everywhere("reading", read_step, &j);
    ny_data *data = NULL;
    ny_model *model = NULL;
    must(ctx, ny_data_read(ctx, table, j.options, NULL, &data));
    must(ctx, ny_train(ctx, data, j.options, &model));
    j.model = model;
    fail_everywhere("reading for a model", read_step, &j);
    ny_model_free(model);
    ny_data_free(data);
    ny_options_free((ny_options *)j.options);
}

/* "folds=V" where the criterion has folds. */
static const char *folds_of(const char *criterion, const char *folds_text) {
    const ny_criterion *c = ny_criterion_find(criterion);
    return c->folds && !c->one_sided ? folds_text : "";
}

static void criteria(void **state) {
    (void)state;
    const char *name;
    for (int64_t i = 0; (name = ny_family_member("criterion", i, NULL)); i++) {
        if (ny_criterion_at(i)->only) { /* of the l2-SVM, whose path they follow */
            train_with(binary, "machine=l2svm criterion=%s landmarks=all kernel=rbf bandwidth=1", name);
            train_with(binary, "machine=l2svm criterion=%s landmarks=8 kernel=rbf bandwidth=1 C=-2:2:2", name);
            train_with(several, "machine=l2svm criterion=%s landmarks=8 kernel=rbf bandwidth=1 multiclass=ovo", name);
            train_with(several, "machine=l2svm criterion=%s landmarks=8 kernel=rbf bandwidth=1 select-on=error", name);
            continue;
        }
        train_with(binary, "criterion=%s %s landmarks=all kernel=rbf bandwidth=-1:0:1", name,
                   folds_of(name, "folds=3"));
        train_with(binary, "criterion=%s %s landmarks=8 kernel=rbf bandwidth=-1:0:1", name, folds_of(name, "folds=3"));
        train_with(regression, "criterion=%s %s landmarks=8 kernel=rbf bandwidth=1 C=-2:10:1", name,
                   folds_of(name, "folds=20"));
        const ny_criterion *c = ny_criterion_at(i);
        if (!c->closed || c == &ny_criterion_bif || c == &ny_criterion_fbif) continue; /* refuses it */
        train_with(binary, "criterion=%s %s landmarks=8 kernel=rbf bandwidth=1 C=1 expansion=training", name,
                   folds_of(name, "folds=3"));
    }
    train_with(binary, "fold-file=%s landmarks=8 kernel=rbf bandwidth=1 C=1", folds);
    train_with(several, "compare-criteria=yes folds=3 landmarks=8 kernel=rbf bandwidth=1 C=1");
}

static ny_status path_step(const job *j) {
    char *csv = NULL, *json = NULL, *text = NULL;
    ny_status st = ny_path(ctx, j->data, j->options, &csv, &json, &text);
    assert_true((st == NY_OK) == (csv != NULL) && !csv == !json && !csv == !text);
    ny_text_free(csv);
    ny_text_free(json);
    ny_text_free(text);
    return st;
}

static void path_with(const ny_data *data, const char *config) {
    job j = {.options = options_of(config), .data = data};
    fail_everywhere(config, path_step, &j);
    ny_options_free((ny_options *)j.options);
}

static void paths(void **state) {
    (void)state;
    path_with(several, "landmarks=8 kernel=rbf bandwidth=1 radius-margin=yes lambda-min=0.1 multiclass=ovo");
}

/* Every loss, with the criteria that know it. */
static void machines(void **state) {
    (void)state;
    static const char *const by[] = {"newton", "bif", "fbif", "loo", "cv", NULL};
    for (int k = 0; by[k]; k++)
        train_with(binary, "machine=svm criterion=%s %s landmarks=6 kernel=rbf bandwidth=1 C=1", by[k],
                   folds_of(by[k], "folds=2"));
    train_with(binary, "machine=logistic folds=2 landmarks=6 kernel=rbf bandwidth=1 C=1");
    train_with(several, "machine=svm hinge=exact folds=2 landmarks=6 kernel=rbf bandwidth=1 C=1 multiclass=ovo");
    train_with(regression, "machine=svr folds=2 landmarks=6 kernel=rbf bandwidth=1 C=1");
    train_with(regression, "machine=quantile quantiles=0.1,0.9 folds=2 landmarks=6 kernel=rbf bandwidth=-1:0:1 C=1");
}

/* Rows that are there twice, and one target that is wild. */
static void copies(void **state) {
    (void)state;
    enum { TWICE = 24 };
    double x[2 * TWICE], y[TWICE];
    ny_data *twice = NULL;
    for (int i = 0; i < TWICE; i++) {
        x[2 * i] = sin(1.7 * (i / 2)), x[2 * i + 1] = cos(2.3 * (i / 2));
        y[i] = x[2 * i] + 0.1 * sin(9.1 * i) + (i == 5 ? 1e6 : 0);
    }
    must(ctx, ny_data_from_rows(ctx, TWICE, 2, x, y, &twice));
    train_with(twice, "landmarks=6 kernel=rbf bandwidth=1 C=1");
    train_with(twice, "criterion=cv folds=3 landmarks=6 kernel=rbf bandwidth=1 C=1");
    train_with(twice, "machine=huber criterion=loo landmarks=6 kernel=rbf bandwidth=1 C=1");
    ny_data_free(twice);
}

/* Rows to judge by that are not learnt from. */
static void validation(void **state) {
    (void)state;
    static const char *const config[] = {"criterion=holdout landmarks=8 kernel=rbf bandwidth=1 C=-2:2:2",
                                         "machine=svm criterion=holdout landmarks=all kernel=rbf bandwidth=1 C=1"};
    char *file = write_file(".csv", "x1,x2,y\n0.1,0.2,a\n-0.3,0.5,b\n0.1,0.2,a\n0.7,-0.4,b\n", -1), text[CONFIG];
    double x[2 * ROWS];
    const char *label[ROWS];
    ny_data *data = NULL;
    for (int i = 0; i < ROWS; i++) {
        x[2 * i] = sin(1.7 * i), x[2 * i + 1] = cos(2.3 * i);
        label[i] = x[2 * i] > x[2 * i + 1] ? "a" : "b";
    }
    must(ctx, ny_data_from_labels(ctx, ROWS, 2, x, label, &data));
    for (int k = 0; k < 2; k++) {
        snprintf(text, sizeof text, "%s validation=%s", config[k], file);
        train_with(data, "%s", text);
    }
    snprintf(text, sizeof text, "landmarks=8 kernel=rbf bandwidth=1 lambda-min=1 validation=%s", file);
    path_with(data, text);
    path_with(data, "landmarks=8 kernel=rbf bandwidth=1 lambda-min=1 validation=0.3");
    ny_data_free(data);
    remove(file);
    free(file);
}

static void classes(void **state) {
    (void)state;
    train_with(binary, "multiclass=moc decoding=loss landmark-method=uniform landmarks=all kernel=rbf bandwidth=1 C=1");
    const char *name;
    for (int64_t i = 0; (name = ny_family_member("multiclass", i, NULL)); i++) {
        train_with(several, "multiclass=%s landmarks=8 kernel=rbf bandwidth=-1:0:1 class-weight=balanced", name);
        train_with(several, "multiclass=%s landmarks=all criterion=cv folds=3 kernel=rbf bandwidth=1 C=-2:2:1", name);
        train_with(several, "multiclass=%s landmarks=8 select-on=error kernel=rbf bandwidth=1", name);
        train_with(several, "multiclass=%s landmarks=8 machines-share=no kernel=rbf bandwidth=1", name);
    }
    train_with(several, "multiclass=moc decoding=hamming landmarks=8 kernel=rbf bandwidth=1 C=1");
    train_with(binary, "landmarks=8 kernel=rbf bandwidth=1 class-weight=ash=2,birch=0.5");
}

static void landmarks(void **state) {
    (void)state;
    const char *name;
    for (int64_t i = 0; (name = ny_family_member("landmark-method", i, NULL)); i++) {
        train_with(binary, "landmark-method=%s landmarks=8 kernel=rbf bandwidth=-1:0:1", name);
        train_with(binary, "landmark-method=%s landmarks=8 rank=5 kernel=rbf bandwidth=1", name);
        train_with(sparse, "landmark-method=%s landmarks=8 kernel=rbf bandwidth=1", name);
    }
    train_with(binary, "landmark-method=density landmarks=8 rank=5 kernel=rbf bandwidth=1 bound=yes");
    train_with(binary, "kernel=linear landmarks=all");
    train_with(binary, "landmarks=all rank=5 kernel=rbf bandwidth=1");
    train_with(several, "landmarks=8 rank=auto kernel=rbf bandwidth=zhang C=1 multiclass=ovo");
    train_with(regression, "landmarks=all rank=auto kernel=rbf bandwidth=1 C=1");
    train_with(sparse, "landmarks=8 kernel=rbf bandwidth=zhang machine=l2svm expansion=active");
    train_with(several, "landmarks=all kernel=rbf bandwidth=1 C=1 machine=svm expansion=active");
    train_with(sparse, "landmarks=all kernel=rbf bandwidth=1 scale=range");
    static const char *const ordered[] = {"quantile", "robust", "log"};
    for (int k = 0; k < 3; k++) train_with(several, "landmarks=8 kernel=rbf bandwidth=1 C=1 scale=%s", ordered[k]);
    train_with(several, "landmarks=8 kernel=rbf bandwidth=1 bound=yes"); /* failures in the bound are notes */
    train_with(several, "landmarks=8 kernel=rbf bandwidth=1 solver=cg class-weight=balanced");
    train_with(sparse, "landmarks=8 kernel=rbf bandwidth=1 solver=cg machine=krr");
    train_with(binary, "landmarks=all kernel=rbf bandwidth=1 C=1e4 solver=cg solver-iterations=1");
    train_with(binary, "landmarks=8 rank=5 kernel=rbf bandwidth=1 C=1 bound=yes test=%s", table);
}

static void searches(void **state) {
    (void)state;
    const char *name;
    for (int64_t i = 0; (name = ny_family_member("search", i, NULL)); i++) {
        const char *few = strcmp(name, "csa") == 0 ? "csa-evaluations=7 csa-starters=3 simplex-evaluations=4" : "";
        if (strcmp(name, "gradient") == 0) continue; /* below */
        train_with(binary, "search=%s landmarks=8 kernel=rbf %s", name, few);
        train_with(several, "search=%s landmarks=8 kernel=rbf bandwidth=%s C=-2:2:2 machine=krr %s", name,
                   strcmp(name, "none") == 0 ? "1" : "0:1:1", few);
    }
    train_with(binary, "search=csa landmarks=8 csa-evaluations=6 csa-starters=2 simplex-evaluations=2");
    train_with(binary,
               "search=gradient machine=l2svm criterion=radius-margin landmarks=6 rank=4 kernel=rbf bandwidth=1 "
               "C=0:0.001:0.001");
    train_with(several,
               "search=gradient machine=l2svm criterion=smooth-span landmarks=4 multiclass=ovo kernel=rbf "
               "bandwidth=0:0.001:0.001 C=1");
    for (int64_t i = 0; (name = ny_family_member("kernel", i, NULL)); i++)
        train_with(binary, "kernel=%s search=none landmarks=8", name);
    train_with(binary, "landmarks=8"); /* all that is automatic */
}

/* A scale for each column, and columns that go: dense, with categories, sparse. */
static void relevance(void **state) {
    (void)state;
    train_with(regression, "select-inputs=yes landmarks=6 kernel=rbf bandwidth=1 C=-2:2:2");
    train_with(several, "ard=yes landmarks=4 kernel=linear criterion=cv folds=3 multiclass=ovo");
    train_with(sparse, "select-inputs=yes landmarks=5 kernel=rbf bandwidth=1 C=1");
    job j = {.options =
                 options_of("select-inputs=yes landmarks=6 kernel=rbf bandwidth=1 C=1 bound=yes scale=quantile")},
        s = j;
    ny_data *data = NULL;
    ny_model *model = NULL;
    must(ctx, ny_data_read(ctx, table, j.options, NULL, &data));
    must(ctx, ny_train(ctx, data, j.options, &model));
    j.data = data;
    fail_everywhere("columns that go", train_step, &j);
    s.options = options_of("select-inputs=yes stream=yes landmarks=6 kernel=rbf bandwidth=1 C=1");
    fail_everywhere("columns that go, in passes", stream_step, &s);
    assert_true(model->schema.all_columns > 0); /* or the steps below would not see what is theirs */
    j.model = model;
    fail_everywhere("reading for fewer columns", read_step, &j);
    fail_everywhere("predict from all columns", predict_step, &j);
    fail_everywhere("save", save_step, &j);
    fail_everywhere("load", load_step, &j);
    ny_model_free(model);
    ny_data_free(data);
    ny_options_free((ny_options *)j.options);
    ny_options_free((ny_options *)s.options);
}

static void passes(void **state) {
    (void)state;
    static const char *const texts[] = {
        "stream=yes criterion=cv folds=3 landmarks=6 kernel=rbf bandwidth=1",
        "stream=yes criterion=cv folds=3 landmarks=6 search=grid bandwidth=0:1:1 C=1 rank=4",
        "stream=yes criterion=cv folds=3 landmarks=6 kernel=rbf bandwidth=1 C=1 scale=quantile",
        "stream=yes folds=3 landmark-method=uniform landmarks=6 bandwidth=zhang class-weight=balanced",
    };
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++) {
        job j = {.options = options_of(texts[k])};
        fail_everywhere(texts[k], stream_step, &j);
        ny_options_free((ny_options *)j.options);
    }
}

/* Machines trained side by side: whichever meets the failure, the others must end and be freed. */
static void side_by_side(void **state) {
    (void)state;
    train_with(binary, "threads=2 search=grid landmarks=8 kernel=rbf bandwidth=-1:1:1 C=1");
    train_with(binary,
               "threads=2 search=csa landmarks=8 kernel=rbf csa-evaluations=6 csa-starters=3 simplex-evaluations=1");
    train_with(several,
               "threads=2 search=grid landmarks=8 kernel=rbf bandwidth=0:1:1 C=1 criterion=cv folds=3 multiclass=ovo");
    train_with(several, "threads=2 landmarks=8 kernel=rbf bandwidth=1 C=1 multiclass=ovo machines-share=no");
}

/* Everything that is made from the posterior, in the two forms of the decomposition; priors. */
static void posteriors(void **state) {
    (void)state;
    const char *name;
    for (int64_t i = 0; (name = ny_family_member("criterion", i, NULL)); i++) {
        if (!ny_criterion_at(i)->closed || ny_criterion_at(i)->one_sided) continue;
        train_with(several, "criterion=%s %s landmarks=8 kernel=rbf bandwidth=1 proba-method=posterior", name,
                   folds_of(name, "folds=3"));
        train_with(regression, "criterion=%s %s landmarks=all kernel=rbf bandwidth=1", name,
                   folds_of(name, "folds=30"));
    }
    train_with(binary, "landmarks=8 rank=5 kernel=rbf bandwidth=1 C=1 proba-method=posterior prior=ash=0.2");
    train_with(several, "landmarks=8 kernel=rbf bandwidth=1 C=1 prior=uniform");
    train_with(regression, "landmarks=8 kernel=rbf bandwidth=1 C=1 posterior=no");
}

/* A model, once trained, through everything that is done with it. */
static void using_a_model(void **state) {
    (void)state;
    static const char plain[] = "landmarks=8 bandwidth=1";
    const struct {
        const ny_data *data;
        const char *options;
    } sets[] = {{binary, plain},
                {several, plain},
                {regression, plain},
                {sparse, plain},
                {several, "landmarks=8 bandwidth=1 proba-method=posterior prior=uniform"},
                {several, "machine=logistic multiclass=ovo landmarks=8 kernel=rbf bandwidth=1 C=1"},
                {regression, "machine=quantile quantiles=0.05,0.5,0.95 landmarks=8 kernel=rbf bandwidth=1 C=1"}};
    for (size_t s = 0; s < sizeof sets / sizeof *sets; s++) {
        job j = {.options = options_of(sets[s].options), .data = sets[s].data};
        ny_model *model = NULL;
        must(ctx, ny_train(ctx, j.data, j.options, &model));
        j.model = model;
        fail_everywhere("predict", predict_step, &j);
        if (!ny_model_classes(model)) fail_everywhere("interval", interval_step, &j);
        fail_everywhere("test", test_step, &j);
        fail_everywhere("save", save_step, &j);
        fail_everywhere("load", load_step, &j);
        ny_model_free(model);
        ny_options_free((ny_options *)j.options);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(options_and_reading),
        cmocka_unit_test(criteria),
        cmocka_unit_test(paths),
        cmocka_unit_test(machines),
        cmocka_unit_test(copies),
        cmocka_unit_test(classes),
        cmocka_unit_test(validation),
        cmocka_unit_test(landmarks),
        cmocka_unit_test(searches),
        cmocka_unit_test(relevance),
        cmocka_unit_test(passes),
        cmocka_unit_test(side_by_side),
        cmocka_unit_test(using_a_model),
        cmocka_unit_test(posteriors),
    };
    return cmocka_run_group_tests_name("failing allocations of training", tests, setup, teardown);
}

/* test_machines.c: --machines-share no: every machine is the one of two classes that is trained alone, and all of them
 * together are the model; what a stop leaves, and what the file keeps. */
#include <math.h>

#include "machine/model.h"
#include "model/record.h"
#include "with_ctx.h"

enum { N = 120, D = 2, K = 4 };

static double X[N * D];
static int label[N];

/* Classes of different size, in no order; two rows are there twice, which are points of several machines. */
static void make_rows(void) {
    ny_rng rng = ny_rng_make(5, NY_RNG_TEST, 0);
    for (int i = 0; i < N; i++) {
        label[i] = (i * i + i / 7) % 7 % K;
        X[2 * i] = ny_rng_normal(&rng) + 1.5 * (label[i] % 2);
        X[2 * i + 1] = ny_rng_normal(&rng) + 1.2 * (label[i] / 2);
    }
    for (int i = 10; i < 30; i += 10) X[2 * i + 2] = X[2 * i], X[2 * i + 3] = X[2 * i + 1], label[i + 1] = label[i];
}

static ny_data *rows_of(const int *take, const double *y, int count) {
    static double x[N * D], target[N];
    ny_data *data = NULL;
    int n = 0;
    for (int i = 0; i < count; i++) {
        if (take && !take[i]) continue;
        memcpy(x + n * D, X + i * D, D * sizeof *x);
        target[n++] = y[i];
    }
    must(ctx, ny_data_from_rows(ctx, n, D, x, target, &data));
    return data;
}

static ny_data *all_rows(void) {
    double y[N];
    make_rows();
    for (int i = 0; i < N; i++) y[i] = label[i];
    return rows_of(NULL, y, N);
}

/* "name=value ..." beside what is given. */
static ny_model *train(const ny_data *data, const char *text, const char *multiclass, const char *share) {
    char copy[200], *save = NULL;
    ny_options *options = make_options(ctx, "metric", "none", "scale", "none", "threads", "2", "multiclass", multiclass,
                                       "machines-share", share, NULL);
    snprintf(copy, sizeof copy, "%s", text);
    for (char *item = strtok_r(copy, " ", &save); item; item = strtok_r(NULL, " ", &save)) {
        char *equals = strchr(item, '=');
        *equals = 0;
        must(ctx, ny_options_set(ctx, options, item, equals + 1));
    }
    return train_with_options(ctx, data, options);
}

static double *scores(const ny_model *model, const ny_data *data) {
    double *f = malloc((size_t)(N * ny_model_outputs(model)) * sizeof *f);
    ny_options *options =
        make_options(ctx, "outside", "keep", NULL); /* the ranges of a machine's rows are not those of all */
    must(ctx, ny_predict(ctx, model, data, options, NULL, NULL, f));
    ny_options_free(options);
    return f;
}

/* Kernel, bandwidth, C, points and outputs of machine k are those of a training on its rows alone. */
static void expect_alone(const ny_model *model, const ny_data *data, const char *text, int64_t k) {
    int take[N];
    double y[N], *f = scores(model, data);
    for (int i = 0; i < N; i++) {
        int code = ny_codes_code(model->coding.method, K, label[i], k);
        take[i] = code != 0;
        y[i] = code > 0;
    }
    const ny_expansion *own = &model->f;
    for (int64_t j = 0; j < k; j++) own = own->next;
    ny_data *some = rows_of(take, y, N);
    ny_model *alone = train(some, text, NULL, NULL);
    double *g = scores(alone, data);
    int64_t q = ny_model_outputs(model);
    assert_ptr_equal(own->kernel.kernel, alone->f.kernel.kernel);
    assert_int_equal(own->Z.n, alone->f.Z.n);
    if (own->kernel.kernel->has_bandwidth) assert_close(own->kernel.bandwidth, alone->f.kernel.bandwidth, 1e-9);
    assert_close(model->C[k], alone->C[0], 1e-9);
    for (int i = 0; i < N; i++) assert_close(f[k + i * q], g[i], 1e-7);
    free(f);
    free(g);
    ny_model_free(alone);
    ny_data_free(some);
}

static void each_machine_is_the_one_trained_alone(void **state) {
    (void)state;
    static const char *const codings[] = {"ovo", "ova", "moc"};
    static const char *const cases[] = {"seed=3",
                                        "landmarks=15 kernel=rbf",
                                        "bias=penalised bias-penalty=4 landmarks=15 kernel=rbf",
                                        "landmarks=15 search=grid bandwidth=-2:2:1",
                                        "kernel=rbf bandwidth=zhang",
                                        "machine=svm criterion=loo kernel=rbf landmarks=20",
                                        "criterion=evidence kernel=matern32 landmarks=20",
                                        "expansion=training landmarks=20 kernel=rbf",
                                        "solver=cg landmarks=20 kernel=rbf"};
    ny_data *data = all_rows();
    for (size_t c = 0; c < 3; c++)
        for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
            ny_model *model = train(data, cases[i], codings[c], "no");
            int64_t q = ny_model_outputs(model);
            assert_int_equal(q, c == 0 ? K * (K - 1) / 2 : c == 1 ? K : 2);
            assert_int_equal(ny_expansion_count(&model->f), q);
            for (int64_t k = 0; k < q; k++) expect_alone(model, data, cases[i], k);
            ny_model_free(model);
        }
    ny_data_free(data);
}

/* Where kernel, bandwidth and C are given and every row is a landmark there is nothing to choose: outputs, held-out
 * errors and probabilities are those of machines that share. */
static void without_a_choice_they_are_those_that_share(void **state) {
    (void)state;
    static const char *const codings[] = {"ovo", "ova", "moc"};
    static const char *const criteria[] = {"loo", "cv", "evidence"};
    ny_data *data = all_rows();
    for (int k = 0; k < 9; k++) {
        char text[120];
        snprintf(text, sizeof text, "kernel=rbf bandwidth=1.1 C=3 search=none landmarks=all criterion=%s",
                 criteria[k / 3]);
        ny_model *own = train(data, text, codings[k % 3], "no"), *common = train(data, text, codings[k % 3], "yes");
        double *f = scores(own, data), *g = scores(common, data), p[N * K], r[N * K];
        for (int64_t i = 0; i < N * ny_model_outputs(own); i++) assert_close(f[i], g[i], 1e-5);
        must(ctx, ny_predict(ctx, own, data, NULL, NULL, p, NULL));
        must(ctx, ny_predict(ctx, common, data, NULL, NULL, r, NULL));
        for (int i = 0; i < N * K; i++) assert_close(p[i], r[i], 1e-5);
        assert_close(own->record->expected.value, common->record->expected.value, 1e-5);
        assert_close(own->record->expected.error, common->record->expected.error, 1e-9);
        assert_close(own->record->expected.squared_error, common->record->expected.squared_error, 1e-5);
        assert_close(own->record->expected.error_upper, common->record->expected.error_upper, 1e-9);
        assert_int_equal(own->record->origin.exact, common->record->origin.exact);
        assert_string_equal(own->record->origin.route, "machines");
        assert_int_equal(own->record->evaluations, ny_model_outputs(own));
        free(f);
        free(g);
        ny_model_free(own);
        ny_model_free(common);
    }
    ny_data_free(data);
}

static void the_file_keeps_every_bit(void **state) {
    (void)state;
    ny_data *data = all_rows();
    ny_model *model = train(data, "landmarks=40", "ovo", "no"), *back = NULL;
    must(ctx, ny_model_save(ctx, model, "machines.nysel"));
    must(ctx, ny_model_load(ctx, "machines.nysel", &back));
    double *f = scores(model, data), *g = scores(back, data);
    assert_int_equal(ny_model_outputs(back), 6);
    assert_memory_equal(f, g, (size_t)(N * 6) * sizeof *f);
    free(f);
    free(g);
    ny_model_free(back);
    ny_model_free(model);
    ny_data_free(data);
    remove("machines.nysel");
}

static double stop_after; /* machines */

static void stop_soon(void *user, const char *stage, double done, double total, double left) {
    (void)total, (void)left;
    ((ny_ctx *)user)->progress_last = 0; /* every machine is to be told of */
    if (strcmp(stage, "select") == 0 && done >= stop_after) ny_cancel(user);
}

/* The machines that are there stay; the others share one. */
static void a_stop_leaves_a_usable_model(void **state) {
    (void)state;
    ny_data *data = all_rows();
    ny_model *whole = train(data, "threads=1 kernel=rbf", "ovo", "no");
    double *f = scores(whole, data);
    for (int k = 0; k <= 4; k += 2) {
        ny_options *options = make_options(ctx, "scale", "none", "threads", "1", "kernel", "rbf", "multiclass", "ovo",
                                           "machines-share", "no", NULL);
        ny_model *model = NULL;
        stop_after = k;
        ny_on_progress(ctx, stop_soon, ctx);
        if (k == 0) ny_cancel(ctx);
        ny_status st = ny_train(ctx, data, options, &model);
        ny_on_progress(ctx, NULL, NULL);
        if (k == 0 && st == NY_ERR_CANCELLED) { /* before the search there is nothing to keep */
            ny_options_free(options);
            continue;
        }
        assert_int_equal(st, NY_STOPPED);
        assert_true(model->record->stopped);
        assert_int_equal(ny_expansion_count(&model->f), k + 1);
        assert_int_equal(ny_model_outputs(model), 6);
        assert_true(has_note(model, "have choices of their own") == (k > 0));
        double *g = scores(model, data), wrong = 0, value[N];
        for (int i = 0; i < N; i++)
            for (int j = 0; j < 6; j++) {
                if (j < k) assert_close(g[j + 6 * i], f[j + 6 * i], 1e-9);
                assert_true(isfinite(g[j + 6 * i]));
            }
        must(ctx, ny_predict(ctx, model, data, NULL, value, NULL, NULL));
        for (int i = 0; i < N; i++) wrong += value[i] != label[i];
        assert_true(wrong / N < 0.6 && model->record->expected.error < 0.7);
        free(g);
        ny_model_free(model);
        ny_options_free(options);
    }
    free(f);
    ny_model_free(whole);
    ny_data_free(data);
}

/* Where the time is not enough for machines of their own they share, and the record says so. */
static void a_short_limit_makes_them_share(void **state) {
    (void)state;
    ny_data *data = all_rows();
    ny_options *options = make_options(ctx, "multiclass", "ovo", "machines-share", "no", "time-limit", "1e-6", NULL);
    ny_model *model = NULL;
    assert_int_equal(ny_train(ctx, data, options, &model), NY_STOPPED);
    assert_int_equal(ny_expansion_count(&model->f), 1);
    assert_true(has_note(model, "of their own they would take"));
    assert_string_equal(model->record->origin.route, "landmarks");
    ny_model_free(model);
    ny_options_free(options);
    ny_data_free(data);
}

/* A pair of which one class has no row left, and memory that is not enough for one machine. */
static void what_cannot_be_is_refused(void **state) {
    (void)state;
    static const char *const text = "a,w,y\n1,1,p\n2,1,p\n3,1,q\n5,1,q\n4,0,r\n7,0,r\n2.5,1,p\n4.5,1,q\n";
    char *path = write_file(".csv", text, -1);
    ny_options *options =
        make_options(ctx, "multiclass", "ovo", "machines-share", "no", "weight-column", "w", "target", "y", NULL);
    ny_data *data = NULL;
    ny_model *model = NULL;
    must(ctx, ny_data_read(ctx, path, options, NULL, &data));
    assert_int_equal(ny_train(ctx, data, options, &model), NY_ERR_DATA);
    assert_non_null(strstr(ny_message(ctx), "use --machines-share yes"));
    assert_null(model);
    ny_options_free(options);
    ny_data_free(data);
    remove(path);
    free(path);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_machine_is_the_one_trained_alone),
        cmocka_unit_test(without_a_choice_they_are_those_that_share),
        cmocka_unit_test(the_file_keeps_every_bit),
        cmocka_unit_test(a_stop_leaves_a_usable_model),
        cmocka_unit_test(a_short_limit_makes_them_share),
        cmocka_unit_test(what_cannot_be_is_refused),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}

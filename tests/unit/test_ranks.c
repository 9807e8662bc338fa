/* test_ranks.c: --rank auto: the smallest rank within one standard error of the best, recomputed with --rank K. */
#include <math.h>
#include <unistd.h>

#include "criterion/criterion.h"
#include "model/record.h"
#include "with_ctx.h"

enum { N = 300, D = 3 };

typedef struct {
    const char *machine, *criterion, *landmarks, *multiclass;
    int classes;
} scenario;

static const scenario scenarios[] = {
    {"lssvm", "loo", "120", "ova", 0},  {"krr", "cv", "all", "ova", 0},    {"lssvm", "evidence", "120", "ova", 0},
    {"lssvm", "loo", "120", "ova", 2},  {"lssvm", "gcv", "100", "ovo", 3}, {"l2svm", "newton", "100", "ova", 2},
    {"logistic", "cv", "60", "ovo", 3},
};
enum { SCENARIOS = sizeof scenarios / sizeof *scenarios };

/* A smooth function of the first input: few directions matter. */
static ny_data *make_data(int classes) {
    static const char *const names[] = {"a", "b", "c"};
    double x[N * D], y[N];
    const char *label[N];
    ny_data *data = NULL;
    ny_rng rng = ny_rng_make(8, NY_RNG_TEST, 0);
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < D; j++) x[j + i * D] = 2 * ny_rng_uniform(&rng) - 1;
        y[i] = sin(3 * x[i * D]) + 0.3 * ny_rng_normal(&rng);
        label[i] = names[y[i] < -0.3 ? 0 : y[i] < 0.3 && classes == 3 ? 2 : 1];
    }
    if (classes) must(ctx, ny_data_from_labels(ctx, N, D, x, label, &data));
    else must(ctx, ny_data_from_rows(ctx, N, D, x, y, &data));
    return data;
}

static ny_model *train(const scenario *s, const ny_data *data, const char *rank) {
    return train_with_options(
        ctx, data,
        make_options(ctx, "machine", s->machine, "criterion", s->criterion, "multiclass", s->multiclass, "landmarks",
                     s->landmarks, "folds", ny_criterion_find(s->criterion)->folds ? "5" : NULL, "kernel", "rbf",
                     "search", "none", "bandwidth", "0.7", "select-on", s->classes ? "error" : "mse", "rank", rank,
                     NULL));
}

/* What the search compares of a trial, and its standard error. alone: the same machine trained for itself, which tells
 * the standard error of an RMSE (eq. 20). */
static double goal(const scenario *s, const ny_evaluation *e, const ny_model *alone, double *unit) {
    bool evidence = strcmp(s->criterion, "evidence") == 0;
    double value = evidence ? exp(2 * e->value / N) : e->value;
    *unit = s->classes ? sqrt(e->error * (1 - e->error) / N)
            : evidence ? value * sqrt(2.0 / N)
                       : 2 * alone->record->expected.error * alone->record->expected.std_error;
    return s->classes ? e->error + 1e-6 * value / (1 + value) : value;
}

static void test_the_smallest_that_will_do(void **state) {
    (void)state;
    for (int c = 0; c < SCENARIOS; c++) {
        const scenario *s = &scenarios[c];
        ny_data *data = make_data(s->classes);
        ny_model *found = train(s, data, "auto");
        const ny_record *r = found->record;
        double unit = 0, best = INFINITY, value[64], chosen = NAN;
        int64_t smallest = INT64_MAX;
        assert_true(r->evaluations > 3 && r->evaluations < 64);
        for (int64_t i = 0; i < r->evaluations; i++) { /* each as it would be for itself */
            const ny_evaluation *e = &r->evaluation[i];
            char text[24];
            double own;
            snprintf(text, sizeof text, "%lld", (long long)(i ? e->rank : 0));
            ny_model *m = train(s, data, text);
            assert_close(m->record->expected.value, e->value, 1e-6);
            assert_int_equal(m->record->origin.rank, e->rank);
            value[i] = goal(s, e, m, &own);
            if (value[i] < best) best = value[i], unit = own;
            ny_model_free(m);
        }
        for (int64_t i = 0; i < r->evaluations; i++)
            if (value[i] <= best + unit && r->evaluation[i].rank < smallest)
                smallest = r->evaluation[i].rank, chosen = r->evaluation[i].value;
        assert_int_equal(r->origin.rank, smallest);
        assert_true(r->expected.value == chosen);
        assert_true(r->origin.rank < r->evaluation[0].rank / 2);
        assert_false(r->origin.exact);
        ny_model_free(found);
        ny_data_free(data);
    }
}

/* Ranks fall by sqrt(2) down to one or until two in a row are lost; the last one lies between what does and does not.
 */
static void test_which_ranks_are_tried(void **state) {
    (void)state;
    ny_data *data = make_data(0);
    ny_model *m = train(&scenarios[0], data, "auto");
    const ny_record *r = m->record;
    int64_t last = r->evaluations - 1, below = 0;
    for (int64_t i = 1; i < last; i++) {
        const ny_evaluation *a = &r->evaluation[i - 1], *b = &r->evaluation[i];
        assert_true(b->rank < a->rank && (i == 1 || fabs((double)b->rank - (double)a->rank / sqrt(2)) <= 1.3));
        if (b->rank < r->origin.rank && !below) below = b->rank;
    }
    assert_true(below >= 1 && r->evaluation[last].rank > below && r->evaluation[last].rank <= r->origin.rank);
    ny_model_free(m);
    ny_data_free(data);
}

/* The summary tells, and evaluations keep their rank in the file. */
static void test_summary_and_file(void **state) {
    (void)state;
    ny_data *data = make_data(0);
    ny_model *m = train(&scenarios[0], data, "auto"), *again = NULL;
    char *text = NULL, words[80], *file = write_file(".nysel", "", 0);
    must(ctx, ny_model_summary(ctx, m, &text));
    snprintf(words, sizeof words, "%lld of %lld (smallest within one standard error)",
             (long long)m->record->origin.rank, (long long)m->record->origin.landmarks);
    assert_non_null(strstr(text, words));
    ny_text_free(text);
    must(ctx, ny_model_save(ctx, m, file));
    must(ctx, ny_model_load(ctx, file, &again));
    for (int64_t i = 0; i < m->record->evaluations; i++)
        assert_int_equal(m->record->evaluation[i].rank, again->record->evaluation[i].rank);
    assert_int_equal(again->options->rank, NY_AUTO);
    ny_model_free(m);
    ny_model_free(again);
    ny_data_free(data);
    unlink(file);
    free(file);
}

typedef struct {
    int64_t evaluations, stop_after;
} stopper;

static void stop(void *user, const char *stage, double done, double total, double left) {
    stopper *s = user;
    (void)left;
    assert_true(done <= total);
    ctx->progress_last = 0; /* every evaluation is reported, however short */
    if (strcmp(stage, "select") == 0 && ++s->evaluations == s->stop_after) ny_cancel(ctx);
}

/* A stop among the ranks keeps the smallest so far that does. */
static void test_a_stop_keeps_the_best(void **state) {
    (void)state;
    ny_data *data = make_data(0);
    for (int64_t after = 1; after <= 3; after++) {
        stopper s = {0, after};
        ny_model *m = NULL;
        ny_options *o = make_options(ctx, "landmarks", "120", "kernel", "rbf", "search", "none", "bandwidth", "0.7",
                                     "rank", "auto", NULL);
        double value[N];
        ny_on_progress(ctx, stop, &s);
        assert_int_equal(ny_train(ctx, data, o, &m), NY_STOPPED);
        ny_on_progress(ctx, NULL, NULL);
        assert_true(m->record->stopped);
        assert_int_equal(m->record->evaluations, after);
        assert_int_equal(m->record->origin.rank, m->record->evaluation[after - 1].rank); /* so far all do */
        must(ctx, ny_predict(ctx, m, data, NULL, value, NULL, NULL));
        ny_model_free(m);
        ny_options_free(o);
    }
    ny_data_free(data);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_smallest_that_will_do),
        cmocka_unit_test(test_which_ranks_are_tried),
        cmocka_unit_test(test_summary_and_file),
        cmocka_unit_test(test_a_stop_keeps_the_best),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}

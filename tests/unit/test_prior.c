/* test_prior.c: probabilities that are made for another population, and what is made of them. */
#include "with_ctx.h"

#include <math.h>

#include "machine/decide.h"
#include "model/record.h"
#include "table/data.h"
#include "table/labels.h"
#include "train/spread.h"

static ny_data *waveform(int64_t rows, uint64_t seed) {
    ny_data *data = NULL;
    must(ctx, ny_data_generate(ctx, "waveform", rows, seed, &data));
    return data;
}

/* Class k of a model, as --prior writes it. */
static void predict_with(const ny_model *model, const ny_data *data, const char *prior, double *value, double *proba) {
    ny_options *o = make_options(ctx, "prior", prior, NULL);
    must(ctx, ny_predict(ctx, model, data, o, value, proba, NULL));
    ny_options_free(o);
}

/* Probabilities by the posterior: where one class is rare, it is rare in them too. */
static void rare_classes_are_rare(void **state) {
    (void)state;
    enum { ROWS = 300 };
    static double x[2 * ROWS], proba[2 * ROWS];
    static const char *label[ROWS];
    ny_data *data = NULL;
    ny_rng rng = ny_rng_make(12, NY_RNG_TEST, 0);
    double mean = 0;
    for (int i = 0; i < ROWS; i++) {
        bool rare = i % 10 == 0;
        x[2 * i] = ny_rng_normal(&rng) + (rare ? 1.5 : 0), x[2 * i + 1] = ny_rng_normal(&rng);
        label[i] = rare ? "rare" : "common";
    }
    must(ctx, ny_data_from_labels(ctx, ROWS, 2, x, label, &data));
    ny_model *model = train_with_options(
        ctx, data, make_options(ctx, "proba-method", "posterior", "kernel", "rbf", "bandwidth", "2", "C", "1", NULL));
    must(ctx, ny_predict(ctx, model, data, NULL, NULL, proba, NULL));
    for (int i = 0; i < ROWS; i++) mean += proba[2 * i + 1] / ROWS;
    assert_string_equal(ny_model_label(model, 1), "rare");
    assert_close(model->frequency[1], 0.1, 1e-12);
    assert_true(mean > 0.07 && mean < 0.14);
    ny_model_free(model);
    ny_data_free(data);
}

/* ---- labels ------------------------------------------------------------------------------------------------------ */

static void labels_match_as_text_then_as_numbers(void **state) {
    (void)state;
    char *label[] = {"1", "+2", "2.0", "blue"};
    assert_int_equal(ny_label_find(4, label, "1"), 0);
    assert_int_equal(ny_label_find(4, label, "+1"), 0);
    assert_int_equal(ny_label_find(4, label, "1e0"), 0);
    assert_int_equal(ny_label_find(4, label, "2.0"), 2); /* the same text goes first */
    assert_int_equal(ny_label_find(4, label, "2"), 1);
    assert_int_equal(ny_label_find(4, label, "blue"), 3);
    assert_int_equal(ny_label_find(4, label, "green"), -1);
}

static void class_weights_match_numbers(void **state) {
    (void)state;
    double x[] = {0, 1, 2, 3, 4, 5, 6, 7}, y[] = {-1, 1, -1, 1, -1, 1, 1, -1};
    ny_data *data = NULL;
    double C[2];
    static const char *const spelling[] = {"1=3", "+1=3.0"};
    must(ctx, ny_data_from_rows(ctx, 8, 1, x, y, &data));
    for (int k = 0; k < 2; k++) {
        ny_model *model = train_with_options(ctx, data, make_options(ctx, "class-weight", spelling[k], NULL));
        C[k] = model->record->expected.value;
        assert_close(model->frequency[1], 0.75, 1e-12); /* weights included */
        ny_model_free(model);
    }
    assert_true(C[0] == C[1]);
    ny_data_free(data);
}

/* ---- parsing ----------------------------------------------------------------------------------------------------- */

static void priors_are_parsed(void **state) {
    (void)state;
    char *label[] = {"a", "b", "c"};
    double frequency[] = {0.5, 0.3, 0.2}, own[] = {0.1, 0.1, 0.8}, *prior = NULL;
    ny_model model = {.classes = 3, .label = label, .frequency = frequency, .prior = own};
    static const struct {
        const char *text;
        double expected[3];
    } good[] = {
        {"a=0.2,b=0.3,c=0.5", {0.2, 0.3, 0.5}},
        {"b=0.6", {0.4 * 0.5 / 0.7, 0.6, 0.4 * 0.2 / 0.7}},
        {"uniform", {1.0 / 3, 1.0 / 3, 1.0 / 3}},
        {"", {0.1, 0.1, 0.8}},
    };
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        must(ctx, ny_prior_parse(ctx, &model, good[i].text, &prior));
        for (int k = 0; k < 3; k++) assert_close(prior[k], good[i].expected[k], 1e-12);
        ny_free(prior);
    }
    must(ctx, ny_prior_parse(ctx, &model, "none", &prior));
    assert_null(prior);
    static const struct {
        const char *text, *words;
    } bad[] = {
        {"a=0.7,b=0.7", "more than 1"},
        {"a=0.2,b=0.2,c=0.2", "0.6 in all, not 1"},
        {"a=0", "more than 0"},
        {"d=0.5", "no class 'd'"},
        {"a=0.1,a=0.2", "named twice"},
        {"a=0.4,b=0.6", "nothing is left"},
        {"half", "expected none, uniform or"},
        {"a=x", "'x' is not a number"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_int_equal(ny_prior_parse(ctx, &model, bad[i].text, &prior), NY_ERR_USAGE);
        assert_non_null(strstr(ny_message(ctx), bad[i].words));
        assert_null(prior);
    }
    model.frequency = model.prior = NULL; /* an older file */
    assert_int_equal(ny_prior_parse(ctx, &model, "uniform", &prior), NY_ERR_USAGE);
    assert_non_null(strstr(ny_message(ctx), "train again"));
    must(ctx, ny_prior_parse(ctx, &model, "", &prior));
    model.classes = 0;
    assert_int_equal(ny_prior_parse(ctx, &model, "uniform", &prior), NY_ERR_USAGE);
    assert_non_null(strstr(ny_message(ctx), "no classes"));
}

/* ---- probabilities ----------------------------------------------------------------------------------------------- */

enum { ROWS = 300, CLASSES = 3 };

/* Bayes' rule by hand; never against the label; and without a prior nothing changes. */
static void priors_shift_as_bayes_says(void **state) {
    (void)state;
    static const char *const methods[] = {"calibration", "posterior"};
    static const double prior[CLASSES] = {0.7, 0.1, 0.2};
    ny_data *data = waveform(ROWS, 1), *test = waveform(ROWS, 2);
    double value[ROWS], moved[ROWS], plain[ROWS * CLASSES], shifted[ROWS * CLASSES];
    for (int m = 0; m < 2; m++) {
        ny_options *o = make_options(ctx, "proba-method", methods[m], "landmarks", "100", "kernel", "rbf", NULL);
        ny_model *model = train_with_options(ctx, data, o);
        predict_with(model, test, "none", value, plain);
        predict_with(model, test, "0=0.7,1=0.1,2=0.2", moved, shifted);
        int changed = 0;
        for (int i = 0; i < ROWS; i++) {
            double all = 0, sum = 0, top = 0;
            for (int k = 0; k < CLASSES; k++) all += plain[i * CLASSES + k] * prior[k] / model->frequency[k];
            for (int k = 0; k < CLASSES; k++) {
                double p = shifted[i * CLASSES + k];
                assert_close(p, plain[i * CLASSES + k] * prior[k] / model->frequency[k] / all, 1e-12);
                sum += p;
                top = fmax(top, p);
            }
            assert_close(sum, 1, 1e-12);
            assert_true(shifted[i * CLASSES + (int)moved[i]] == top);
            for (int k = 0; k < CLASSES; k++) assert_true(plain[i * CLASSES + (int)value[i]] >= plain[i * CLASSES + k]);
            changed += value[i] != moved[i];
        }
        assert_true(changed > 0);
        ny_model_free(model);
    }
    ny_data_free(data);
    ny_data_free(test);
}

/* A model of one population, told about another, promises and makes about the error that it has there; and predict
 * can overrule what the model was told. */
static void the_error_is_that_of_the_population(void **state) {
    (void)state;
    enum { MANY = 3000 };
    static double x[MANY * 2], value[MANY], proba[MANY * 2];
    static const char *label[MANY];
    ny_data *data = NULL, *other = NULL;
    ny_rng rng = ny_rng_make(3, NY_RNG_TEST, 0);
    for (int pass = 0; pass < 2; pass++) { /* half and half to learn from, one in ten to be used on */
        for (int i = 0; i < MANY; i++) {
            int k = pass == 0 ? i % 2 : i % 10 == 0;
            label[i] = k ? "ill" : "well";
            x[2 * i] = ny_rng_normal(&rng) + 1.2 * k;
            x[2 * i + 1] = ny_rng_normal(&rng);
        }
        must(ctx, ny_data_from_labels(ctx, pass == 0 ? 1000 : MANY, 2, x, label, pass == 0 ? &data : &other));
    }
    ny_options *o = make_options(ctx, "prior", "ill=0.1", "landmarks", "60", "kernel", "rbf", NULL);
    ny_model *model = train_with_options(ctx, data, o);
    double wrong[2] = {0, 0};
    for (int none = 0; none < 2; none++) {
        predict_with(model, other, none ? "none" : "", value, proba);
        for (int i = 0; i < MANY; i++) wrong[none] += ((int)value[i] == 0) != (i % 10 == 0);
    }
    assert_true(wrong[0] < 0.6 * wrong[1]); /* Bayes: 9% against 27% */
    assert_true(fabs(wrong[0] / MANY - model->record->expected.error) < 4 * model->record->expected.std_error);
    ny_model_free(model);
    ny_data_free(data);
    ny_data_free(other);
}

/* The record's error is that of the decisions by probability, on the held-out outputs: with as many folds as rows and
 * posterior probabilities it is what n trainings without one row, with its kernel and C, find. */
static void expected_error_counts_the_decisions(void **state) {
    (void)state;
    enum { FEW = 60 };
    double x[FEW * 2], out[2], value, wrong = 0;
    const char *label[FEW];
    ny_data *data = NULL, *one = NULL;
    ny_rng rng = ny_rng_make(5, NY_RNG_TEST, 0);
    for (int i = 0; i < FEW; i++) {
        int k = i % 4 == 0;
        label[i] = k ? "b" : "a";
        for (int j = 0; j < 2; j++) x[2 * i + j] = ny_rng_normal(&rng) + k;
    }
    must(ctx, ny_data_from_labels(ctx, FEW, 2, x, label, &data));
    ny_model *model = train_with_options(ctx, data,
                                         make_options(ctx, "proba-method", "posterior", "search", "none", "kernel",
                                                      "rbf", "bandwidth", "2", "C", "1", "scale", "none", NULL));
    for (int i = 0; i < FEW; i++) { /* its own moderation would differ a little: that of the whole is used */
        double rest[FEW * 2];
        const char *other[FEW];
        for (int k = 0, n = 0; k < FEW; k++)
            if (k != i) memcpy(rest + 2 * n, x + 2 * k, 2 * sizeof *x), other[n++] = label[k];
        ny_data *less = NULL;
        must(ctx, ny_data_from_labels(ctx, FEW - 1, 2, rest, other, &less));
        ny_model *without =
            train_with_options(ctx, less,
                               make_options(ctx, "proba-method", "posterior", "search", "none", "kernel", "rbf",
                                            "bandwidth", "2", "C", "1", "scale", "none", NULL));
        without->moderation[0] = model->moderation[0];
        without->posterior.noise[0] = model->posterior.noise[0];
        must(ctx, ny_data_from_labels(ctx, 1, 2, x + 2 * i, label + i, &one));
        must(ctx, ny_predict(ctx, without, one, NULL, &value, out, NULL));
        wrong += strcmp(ny_model_label(without, (int64_t)value), label[i]) != 0;
        ny_data_free(one);
        ny_data_free(less);
        ny_model_free(without);
    }
    assert_close(model->record->expected.error, wrong / FEW, 1e-12);
    ny_model_free(model);
    ny_data_free(data);
}

/* ---- intervals --------------------------------------------------------------------------------------------------- */

/* Normal noise of known size: its estimate, and the share of new targets inside at several levels. */
static void intervals_cover(void **state) {
    (void)state;
    enum { TRAIN = 1000, TEST = 4000 };
    static double x[TEST * 2], y[TEST], lower[TEST], upper[TEST], noise[TEST], sd[TEST];
    static const double levels[] = {0.5, 0.9, 0.95, 0.99};
    ny_rng rng = ny_rng_make(8, NY_RNG_TEST, 0);
    ny_data *data[2];
    for (int pass = 0; pass < 2; pass++) {
        int n = pass == 0 ? TRAIN : TEST;
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < 2; j++) x[2 * i + j] = 4 * ny_rng_uniform(&rng) - 2;
            y[i] = sin(2 * x[2 * i]) * x[2 * i + 1] + 0.25 * ny_rng_normal(&rng);
        }
        must(ctx, ny_data_from_rows(ctx, n, 2, x, y, &data[pass]));
    }
    static const char *const landmarks[] = {"all", "100"};
    for (int m = 0; m < 2; m++) {
        ny_model *model = train_with_options(ctx, data[0], make_options(ctx, "landmarks", landmarks[m], NULL));
        for (int l = 0; l < 4; l++) {
            must(ctx, ny_predict_interval(
                          ctx, model, data[1], NULL, levels[l],
                          &(ny_intervals){.lower = lower, .upper = upper, .noise_sd = noise, .model_sd = sd}));
            double inside = 0;
            for (int i = 0; i < TEST; i++) inside += y[i] >= lower[i] && y[i] <= upper[i];
            double chance = sqrt(levels[l] * (1 - levels[l]) * (1.0 / TRAIN + 1.0 / TEST));
            assert_true(fabs(inside / TEST - levels[l]) < 4 * chance);
        }
        assert_true(fabs(noise[0] - 0.25) < 0.025);
        ny_model_free(model);
    }
    ny_data_free(data[0]);
    ny_data_free(data[1]);
}

/* The spread is found again in errors that were drawn with it; few errors leave it near 1. */
static void the_spread_is_found(void **state) {
    (void)state;
    enum { MANY = 4000 };
    static double error[MANY], noise[MANY], variance[MANY];
    static const double truth[] = {0.25, 1, 6};
    for (int k = 0; k < 3; k++) {
        ny_rng rng = ny_rng_make(5, NY_RNG_TEST, (uint32_t)k);
        for (int i = 0; i < MANY; i++) {
            noise[i] = 0.5, variance[i] = 2 * ny_rng_uniform(&rng) * ny_rng_uniform(&rng);
            error[i] = sqrt(noise[i] + truth[k] * variance[i]) * ny_rng_normal(&rng);
        }
        double many = ny_interval_spread(MANY, error, noise, variance),
               few = ny_interval_spread(6, error, noise, variance);
        assert_true(fabs(log2(many / truth[k])) < 0.6);
        assert_true(fabs(log2(few)) < 4);
    }
}

/* Far from every row the prior is all there is: kappa(x,x) = 1 times C noise, and the bias. By default such rows are
 * brought back to where the model knows more, but less than among its rows. */
static void far_away_it_is_unsure(void **state) {
    (void)state;
    double x[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9}, y[] = {1, 3, 2, 5, 4, 6, 5, 8, 7, 9.5}, far[] = {1e6}, sd, noise,
           value, nearer, among[10];
    ny_data *data = NULL, *there = NULL;
    must(ctx, ny_data_from_rows(ctx, 10, 1, x, y, &data));
    must(ctx, ny_data_from_rows(ctx, 1, 1, far, NULL, &there));
    ny_model *model = train_with_options(
        ctx, data,
        make_options(ctx, "task", "regression", "machine", "krr", "kernel", "rbf", "bandwidth", "1", "C", "3", NULL));
    ny_options *keep = make_options(ctx, "outside", "keep", NULL);
    must(ctx, ny_predict_interval(ctx, model, there, keep, 0.9,
                                  &(ny_intervals){.value = &value, .noise_sd = &noise, .model_sd = &sd}));
    assert_close(value, 0, 1e-12);
    assert_close(sd, sqrt(3 * model->posterior.spread) * noise, 1e-9);
    must(ctx, ny_predict_interval(ctx, model, there, NULL, 0.9, &(ny_intervals){.model_sd = &nearer}));
    must(ctx, ny_predict_interval(ctx, model, data, NULL, 0.9, &(ny_intervals){.model_sd = among}));
    for (int i = 0; i < 10; i++) assert_true(among[i] < nearer && nearer < sd);
    ny_options_free(keep);
    ny_model_free(model);
    ny_data_free(data);
    ny_data_free(there);
}

static void no_posterior_is_said(void **state) {
    (void)state;
    static const char *const why[][3] = {{"posterior", "no", ""}, {"expansion", "training", "use landmarks"}};
    double x[] = {0, 1, 2, 3, 4, 5, 6, 7}, y[] = {1.5, 3, 2, 5, 4, 6, 5, 8}, lower[8];
    ny_data *data = NULL;
    must(ctx, ny_data_from_rows(ctx, 8, 1, x, y, &data));
    for (int k = 0; k < 2; k++) {
        ny_options *o = make_options(ctx, "task", "regression", why[k][0], why[k][1], NULL);
        ny_model *model = NULL, *none = NULL;
        must(ctx, ny_train(ctx, data, o, &model));
        assert_int_equal(ny_predict_interval(ctx, model, data, NULL, 0.9, &(ny_intervals){.lower = lower}),
                         NY_ERR_USAGE);
        assert_non_null(strstr(ny_message(ctx), "--posterior yes"));
        must(ctx, ny_options_set(ctx, o, "posterior", "yes"));
        if (*why[k][2]) {
            assert_int_equal(ny_train(ctx, data, o, &none), NY_ERR_USAGE);
            assert_non_null(strstr(ny_message(ctx), why[k][2]));
        }
        ny_model_free(model);
        ny_options_free(o);
    }
    ny_data_free(data);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(labels_match_as_text_then_as_numbers),
        cmocka_unit_test(class_weights_match_numbers),
        cmocka_unit_test(rare_classes_are_rare),
        cmocka_unit_test(priors_are_parsed),
        cmocka_unit_test(priors_shift_as_bayes_says),
        cmocka_unit_test(the_error_is_that_of_the_population),
        cmocka_unit_test(expected_error_counts_the_decisions),
        cmocka_unit_test(intervals_cover),
        cmocka_unit_test(the_spread_is_found),
        cmocka_unit_test(far_away_it_is_unsure),
        cmocka_unit_test(no_posterior_is_said),
    };
    return cmocka_run_group_tests_name("priors and intervals", tests, setup, teardown);
}

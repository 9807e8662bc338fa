/* test_quantiles.c: several quantiles of one machine: their order, the prediction, intervals, what a test says. */
#include "with_ctx.h"

#include <jansson.h>
#include <math.h>
#include <unistd.h>

#include "machine/quantiles.h"
#include "model/record.h"
#include "table/data.h"

enum { ROWS = 200, Q = 5 };
static const double levels[Q] = {0.05, 0.45, 0.5, 0.55, 0.95};

static double pinball(double tau, double e) {
    return e > 0 ? tau * e : (tau - 1) * e;
}

static void order_never_costs(void **state) {
    (void)state;
    ny_rng rng = ny_rng_make(1, NY_RNG_TEST, 0);
    int changed = 0;
    for (int i = 0; i < 1000; i++) {
        double f[Q], y = ny_rng_normal(&rng), before = 0, after = 0;
        bool crossed = false;
        for (int j = 0; j < Q; j++) {
            f[j] = ny_rng_normal(&rng) + 3 * levels[j];
            before += pinball(levels[j], y - f[j]);
            crossed |= j > 0 && f[j] < f[j - 1];
        }
        assert_int_equal(ny_quantiles_order(Q, f), crossed);
        for (int j = 0; j < Q; j++) after += pinball(levels[j], y - f[j]);
        for (int j = 1; j < Q; j++) assert_true(f[j - 1] <= f[j]);
        assert_true(after <= before + 1e-12);
        changed += crossed;
    }
    assert_true(changed > 100 && changed < 1000);
}

static void the_middle_is_nearest_to_a_half(void **state) {
    (void)state;
    assert_int_equal(ny_quantiles_middle(Q, levels), 2);
    assert_int_equal(ny_quantiles_middle(2, (const double[]){0.1, 0.9}), 0); /* the first of two as near */
    assert_int_equal(ny_quantiles_middle(2, (const double[]){0.1, 0.8}), 1);
    assert_int_equal(ny_quantiles_find(Q, levels, (1 - 0.9) / 2), 0);
    assert_int_equal(ny_quantiles_find(Q, levels, (1 + 0.9) / 2), 4);
    assert_int_equal(ny_quantiles_find(Q, levels, 0.06), -1);
}

typedef struct {
    ny_data *data;
    ny_model *model;
    double value[ROWS], scores[ROWS * Q];
} trained;

static void train(trained *t) {
    must(ctx, ny_data_generate(ctx, "sinc", ROWS, 1, &t->data));
    t->model = train_with_options(
        ctx, t->data,
        make_options(ctx, "machine", "quantile", "quantiles", "0.95,0.5,0.05,0.55,0.45", "kernel", "rbf", "bandwidth",
                     "1", "landmarks", "60", "C", "100", "hinge-width", "0.05", NULL));
    must(ctx, ny_predict(ctx, t->model, t->data, NULL, t->value, NULL, t->scores));
}

static void done(trained *t) {
    ny_data_free(t->data);
    ny_model_free(t->model);
}

/* By hand: f = kappa(s(x), Z) beta + b, then sorted. */
static void predictions_are_in_order(void **state) {
    (void)state;
    trained t;
    train(&t);
    const ny_model *m = t.model;
    int crossed = 0;
    assert_int_equal(m->f.outputs, Q);
    for (int j = 0; j < Q; j++) assert_true(ny_model_quantile(m, j) == levels[j]);
    assert_true(isnan(ny_model_quantile(m, Q)) && isnan(ny_model_quantile(m, -1)));
    for (int i = 0; i < ROWS; i++) {
        double x[8], f[Q];
        ny_data_row(t.data, i, x);
        for (int j = 0; j < Q; j++) f[j] = m->f.b[j];
        for (int64_t k = 0; k < m->f.Z.n; k++) {
            double d2 = 0;
            for (int64_t c = 0; c < m->f.Z.d; c++)
                d2 += pow((x[c] - m->shift[c]) * m->factor[c] - m->f.Z.x[c + k * m->f.Z.d], 2);
            for (int j = 0; j < Q; j++) f[j] += exp(-d2 / 2) * m->f.beta[k + j * m->f.Z.n];
        }
        crossed += ny_quantiles_order(Q, f);
        for (int j = 0; j < Q; j++) assert_close(t.scores[i * Q + j], f[j], 1e-9);
        assert_true(t.value[i] == t.scores[i * Q + 2]);
    }
    assert_true(crossed > 0); /* or the test shows nothing */
    assert_true(m->record->loss.crossed > 0 && m->record->loss.crossed < 1);
    assert_true(has_note(m, "quantiles crossed in"));
    done(&t);
}

/* The coverage of the held-out outputs is what the criterion went by, so that of new rows is not far. */
static void intervals_lie_between_quantiles(void **state) {
    (void)state;
    trained t;
    double value[ROWS], lower[ROWS], upper[ROWS], sd[ROWS];
    train(&t);
    must(ctx, ny_predict_interval(ctx, t.model, t.data, NULL, 0.9,
                                  &(ny_intervals){.value = value, .lower = lower, .upper = upper, .noise_sd = sd}));
    for (int i = 0; i < ROWS; i++) {
        assert_true(lower[i] == t.scores[i * Q] && upper[i] == t.scores[i * Q + 4] && value[i] == t.value[i]);
        assert_true(isnan(sd[i]));
    }
    assert_int_equal(ny_predict_interval(ctx, t.model, t.data, NULL, 0.8,
                                         &(ny_intervals){.value = value, .lower = lower, .upper = upper}),
                     NY_ERR_USAGE);
    assert_non_null(strstr(ny_message(ctx), "--quantiles 0.1,0.5,0.9"));
    done(&t);
}

static void a_test_measures_each_quantile(void **state) {
    (void)state;
    trained t;
    char *json = NULL, *text = NULL;
    train(&t);
    must(ctx, ny_test(ctx, t.model, t.data, NULL, &json, &text));
    json_t *report = json_loads(json, 0, NULL), *metrics = json_object_get(report, "metrics");
    const json_t *list = json_object_get(metrics, "quantiles");
    double squares = 0;
    assert_int_equal(json_array_size(list), Q);
    for (int j = 0; j < Q; j++) {
        const json_t *item = json_array_get(list, (size_t)j);
        double loss = 0, below = 0;
        for (int i = 0; i < ROWS; i++) {
            double e = t.data->y[i] - t.scores[i * Q + j];
            loss += pinball(levels[j], e) / ROWS;
            below += e <= 0 ? 1.0 / ROWS : 0;
            if (j == 2) squares += e * e / ROWS;
        }
        assert_true(json_number_value(json_object_get(item, "quantile")) == levels[j]);
        assert_close(json_number_value(json_object_get(item, "pinball")), loss, 1e-12);
        assert_close(json_number_value(json_object_get(item, "below")), below, 1e-12);
    }
    assert_close(json_number_value(json_object_get(metrics, "mse")), squares, 1e-12); /* of the middle one */
    assert_non_null(strstr(text, "quantile 0.95      pinball loss"));
    json_decref(report);
    ny_text_free(json);
    ny_text_free(text);
    done(&t);
}

static void the_file_keeps_them(void **state) {
    (void)state;
    trained t;
    double scores[ROWS * Q];
    char path[64];
    ny_model *back = NULL;
    snprintf(path, sizeof path, "quantiles_%d.nysel", (int)getpid());
    train(&t);
    must(ctx, ny_model_save(ctx, t.model, path));
    must(ctx, ny_model_load(ctx, path, &back));
    unlink(path);
    must(ctx, ny_predict(ctx, back, t.data, NULL, NULL, NULL, scores));
    assert_memory_equal(scores, t.scores, sizeof scores);
    for (int j = 0; j < Q; j++) assert_true(back->quantiles[j] == levels[j]);
    assert_true(back->record->loss.crossed == t.model->record->loss.crossed);
    assert_int_equal(back->record->descent.steps, t.model->record->descent.steps);
    ny_model_free(back);
    done(&t);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(order_never_costs),        cmocka_unit_test(the_middle_is_nearest_to_a_half),
        cmocka_unit_test(predictions_are_in_order), cmocka_unit_test(intervals_lie_between_quantiles),
        cmocka_unit_test(the_file_keeps_them),      cmocka_unit_test(a_test_measures_each_quantile),
    };
    return cmocka_run_group_tests_name("quantiles", tests, setup, teardown);
}

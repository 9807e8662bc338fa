/* test_link.c: the probabilities that a logistic machine means by itself; weights in every loss. */
#include "solver/machine.h"
#include "with_ctx.h"

#include <math.h>

#include "machine/link.h"
#include "model/record.h"
#include "table/data.h"

enum { ROWS = 200, FRESH = 2000, K = 4, PAIRS = K * (K - 1) / 2 };

static double logistic(double f) {
    return 1 / (1 + exp(-f));
}

static void outputs_become_probabilities(void **state) {
    (void)state;
    double p[K], scratch[2 * K + PAIRS], f[K] = {0.3, -2, 1.1, -0.4}, sum = 0;
    assert_int_equal(ny_link(&ny_multiclass_ova, 2, f, scratch, p), 1);
    assert_close(p[1], logistic(0.3), 1e-15);
    assert_close(p[0], logistic(-0.3), 1e-15);
    assert_int_equal(ny_link(&ny_multiclass_ova, K, f, scratch, p), 2);
    for (int k = 0; k < K; k++) sum += logistic(f[k]);
    for (int k = 0; k < K; k++) assert_close(p[k], logistic(f[k]) / sum, 1e-14);
    double far[K] = {-900, -800, -1000, -2000}, near[K] = {50, 60, 40, -3}; /* no overflow, and no tie with the label */
    assert_int_equal(ny_link(&ny_multiclass_ova, K, far, scratch, p), 1);
    assert_close(p[1], 1, 1e-12);
    assert_int_equal(ny_link(&ny_multiclass_ova, K, near, scratch, p), 1);
    assert_true(p[1] > p[0] && p[1] > p[2]);
    assert_int_equal(ny_link(&ny_multiclass_moc, K, f, scratch, p), 1); /* bits 0 and 1 of the class's number */
    for (int k = 0; k < K; k++) assert_close(p[k], logistic(k & 1 ? 0.3 : -0.3) * logistic(k & 2 ? -2 : 2), 1e-14);
}

/* Pairs that come from probabilities give these back; others the solution of [Q e; e' 0] [p; b] = [0; 1]. */
static void pairs_are_coupled(void **state) {
    (void)state;
    ny_rng rng = ny_rng_make(4, NY_RNG_TEST, 0);
    double truth[K] = {0.1, 0.2, 0.65, 0.05}, f[PAIRS], p[K], scratch[2 * K + PAIRS];
    for (int a = 0, j = 0; a < K; a++)
        for (int b = a + 1; b < K; b++, j++) f[j] = log(truth[b] / truth[a]);
    assert_int_equal(ny_link(&ny_multiclass_ovo, K, f, scratch, p), 2);
    for (int k = 0; k < K; k++) assert_close(p[k], truth[k], 1e-5);
    for (int i = 0; i < 50; i++) {
        double A[(K + 1) * (K + 1)] = {0}, rhs[K + 1] = {0}, sum = 0;
        for (int j = 0; j < PAIRS; j++) f[j] = 2 * ny_rng_normal(&rng);
        int64_t label = ny_link(&ny_multiclass_ovo, K, f, scratch, p);
        for (int a = 0, j = 0; a < K; a++)
            for (int b = a + 1; b < K; b++, j++) {
                double r = logistic(f[j]); /* of b */
                A[a + a * (K + 1)] += r * r;
                A[b + b * (K + 1)] += (1 - r) * (1 - r);
                A[a + b * (K + 1)] = A[b + a * (K + 1)] = -r * (1 - r);
            }
        for (int a = 0; a < K; a++) A[a + K * (K + 1)] = A[K + a * (K + 1)] = 1;
        rhs[K] = 1;
        dense_solve(K + 1, 1, A, rhs);
        for (int k = 0; k < K; k++) {
            assert_close(p[k], rhs[k], 1e-5);
            assert_true(p[label] >= p[k]);
            sum += p[k];
        }
        assert_close(sum, 1, 1e-12);
    }
}

/* Whatever the coding: sums of one, the largest is the label, and the error of the record is what these labels have on
 * fresh rows, within its limits. */
static void probabilities_agree_with_labels(void **state) {
    (void)state;
    static const char *const sets[] = {"banana", "waveform", "waveform", "waveform"};
    static const char *const codes[] = {"ova", "ova", "ovo", "moc"}, *const methods[] = {"auto", "link"};
    for (int s = 0; s < 8; s++) {
        ny_data *data = NULL, *fresh = NULL;
        double value[ROWS], proba[ROWS * 3], *label = calloc(FRESH, sizeof *label), wrong = 0;
        must(ctx, ny_data_generate(ctx, sets[s / 2], ROWS, 1, &data));
        must(ctx, ny_data_generate(ctx, sets[s / 2], FRESH, 2, &fresh));
        ny_model *model = train_with_options(
            ctx, data,
            make_options(ctx, "machine", "logistic", "multiclass", codes[s / 2], "proba-method", methods[s % 2],
                         "kernel", "rbf", "bandwidth", s < 2 ? "1" : "6", "C", "1", "landmarks", "40", NULL));
        assert_int_equal(model->link, s % 2 == 1 || s / 2 == 0 || s / 2 == 2);
        int64_t k = model->classes;
        must(ctx, ny_predict(ctx, model, data, NULL, value, proba, NULL));
        for (int i = 0; i < ROWS; i++) {
            double sum = 0;
            for (int64_t c = 0; c < k; c++) {
                sum += proba[i * k + c];
                assert_true(proba[i * k + c] > 0 && proba[i * k + c] < 1);
                assert_true(proba[i * k + c] <= proba[i * k + (int64_t)value[i]]);
            }
            assert_close(sum, 1, 1e-12);
        }
        must(ctx, ny_predict(ctx, model, fresh, NULL, label, NULL, NULL));
        for (int i = 0; i < FRESH; i++) wrong += (int32_t)label[i] != fresh->code[i];
        assert_true(wrong / FRESH > model->record->expected.error_lower &&
                    wrong / FRESH < model->record->expected.error_upper);
        free(label);
        ny_model_free(model);
        ny_data_free(data);
        ny_data_free(fresh);
    }
}

/* The bias makes sum v (p - [class 1]) = 0: the mean probability is the weighted frequency, and a prior undoes it. */
static void weights_shift_probabilities(void **state) {
    (void)state;
    ny_data *data = NULL;
    double proba[ROWS * 2], mean = 0, all = 0;
    must(ctx, ny_data_generate(ctx, "banana", ROWS, 1, &data));
    char weights[64], *first = data->label[0];
    snprintf(weights, sizeof weights, "%s=5", first);
    ny_model *model = train_with_options(ctx, data,
                                         make_options(ctx, "machine", "logistic", "class-weight", weights, "kernel",
                                                      "rbf", "bandwidth", "1", "C", "1", "landmarks", "all", NULL));
    must(ctx, ny_predict(ctx, model, data, NULL, NULL, proba, NULL));
    for (int i = 0; i < ROWS; i++) {
        double v = data->code[i] == 0 ? 5 : 1;
        mean += v * proba[2 * i];
        all += v;
    }
    assert_close(mean / all, model->frequency[0], 1e-6);
    assert_true(model->frequency[0] > 0.7);
    ny_options *o = make_options(ctx, "prior", "uniform", NULL);
    double p = proba[0] / model->frequency[0], q = proba[1] / model->frequency[1];
    must(ctx, ny_predict(ctx, model, data, o, NULL, proba, NULL));
    assert_close(proba[0], p / (p + q), 1e-12);
    ny_options_free(o);
    ny_model_free(model);
    ny_data_free(data);
}

/* A row of weight 2 is two rows, for every loss. Sharp corners, as the width of rounded ones follows the noise. */
static void a_weight_is_a_count(void **state) {
    (void)state;
    static const char *const machines[] = {"svm", "l2svm", "logistic", "svr", "huber", "quantile"};
    enum { N = 60 };
    double x[2 * N], y[2 * N], expected[N], got[N];
    ny_rng rng = ny_rng_make(7, NY_RNG_TEST, 0);
    for (int m = 0; m < 6; m++) {
        ny_data *once = NULL, *twice = NULL;
        int rows = N;
        for (int i = 0; i < N; i++) {
            x[i] = ny_rng_normal(&rng);
            y[i] = sin(2 * x[i]) + 0.5 * ny_rng_normal(&rng);
            if (m < 3) y[i] = y[i] > 0 ? 1 : -1;
        }
        must(ctx, ny_data_from_rows(ctx, N, 1, x, y, &once));
        for (int i = 0; i < N; i += 3) x[rows] = x[i], y[rows++] = y[i];
        must(ctx, ny_data_from_rows(ctx, rows, 1, x, y, &twice));
        once->weight = ny_alloc(ctx, N, sizeof(double));
        for (int i = 0; i < N; i++) once->weight[i] = i % 3 == 0 ? 2 : 1;
        const ny_loss *loss = ny_machine_find(machines[m])->loss;
        for (int k = 0; k < 2; k++) {
            ny_model *model = train_with_options(
                ctx, k ? twice : once,
                make_options(ctx, "machine", machines[m], "kernel", "rbf", "bandwidth", "1", "C", "1", "scale", "none",
                             "landmarks", "all", "hinge", loss->rounding ? "exact" : "smooth", "epsilon",
                             loss == &ny_loss_insensitive ? "0.2" : "auto", "delta",
                             loss == &ny_loss_huber ? "0.5" : "auto", "quantiles",
                             loss == &ny_loss_pinball ? "0.7" : NULL, NULL));
            must(ctx, ny_predict(ctx, model, once, NULL, NULL, NULL, k ? got : expected));
            ny_model_free(model);
        }
        for (int i = 0; i < N; i++) assert_close(got[i], expected[i], m == 1 || m == 2 || m == 4 ? 1e-5 : 3e-3);
        ny_data_free(once);
        ny_data_free(twice);
    }
}

/* J = 1/2 beta'K beta + C sum log(1 + exp(-y f)), from the model alone. */
static void the_objective_is_told(void **state) {
    (void)state;
    ny_data *data = NULL;
    double f[ROWS], J = 0;
    must(ctx, ny_data_generate(ctx, "banana", ROWS, 1, &data));
    ny_model *m = train_with_options(ctx, data,
                                     make_options(ctx, "machine", "logistic", "kernel", "rbf", "bandwidth", "0.7", "C",
                                                  "2", "landmarks", "50", NULL));
    must(ctx, ny_predict(ctx, m, data, NULL, NULL, NULL, f));
    for (int64_t a = 0; a < m->f.Z.n; a++)
        for (int64_t b = 0; b < m->f.Z.n; b++) {
            double d2 = 0;
            for (int64_t c = 0; c < m->f.Z.d; c++)
                d2 += pow(m->f.Z.x[c + a * m->f.Z.d] - m->f.Z.x[c + b * m->f.Z.d], 2);
            J += 0.5 * m->f.beta[a] * m->f.beta[b] * exp(-d2 / (2 * 0.49));
        }
    for (int i = 0; i < ROWS; i++) J += 2 * log1p(exp(data->code[i] == 1 ? -f[i] : f[i]));
    assert_true(m->record->descent.known && m->record->descent.outputs == 1);
    assert_close(m->record->descent.objective[0], J, 1e-6);
    assert_true(m->record->descent.gap >= 0 && m->record->descent.gap < 1e-11 && m->record->descent.steps > 1);
    ny_model_free(m);
    ny_data_free(data);
}

static void others_have_no_link(void **state) {
    (void)state;
    ny_data *data = NULL;
    ny_model *model = NULL;
    must(ctx, ny_data_generate(ctx, "banana", ROWS, 1, &data));
    ny_options *o = make_options(ctx, "machine", "svm", "proba-method", "link", NULL);
    assert_int_equal(ny_train(ctx, data, o, &model), NY_ERR_USAGE);
    assert_non_null(strstr(ny_message(ctx), "--machine logistic"));
    ny_options_free(o);
    ny_data_free(data);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(outputs_become_probabilities),
        cmocka_unit_test(pairs_are_coupled),
        cmocka_unit_test(probabilities_agree_with_labels),
        cmocka_unit_test(weights_shift_probabilities),
        cmocka_unit_test(a_weight_is_a_count),
        cmocka_unit_test(the_objective_is_told),
        cmocka_unit_test(others_have_no_link),
    };
    return cmocka_run_group_tests_name("link", tests, setup, teardown);
}

/* test_follows.c: --solver auto: where the exact machine on all rows follows the selection, and what is left where it
 * is not to be had. The rows are more than the 1500 that go by their kernel matrix. */
#include "with_ctx.h"

#include <math.h>

#include "linalg/linalg.h"
#include "model/record.h"
#include "table/data.h"

enum {
    ROWS = 1600,
    INPUTS = 8,
    RIDGES = 5,
    PLANNED = 800,
    SELECTING = 480
}; /* landmarks alone, and where they only select */

static ny_data *classes_set(void) {
    ny_data *data = NULL;
    must(ctx, ny_data_generate(ctx, "banana", ROWS, 1, &data));
    return data;
}

/* y = sin 2 x_1 + x_2 / 2 + noise; the other inputs do not matter. */
static ny_data *numbers_set(void) {
    static double x[ROWS * INPUTS], y[ROWS];
    ny_data *data = NULL;
    ny_rng rng = ny_rng_make(7, NY_RNG_TEST, 0);
    for (int i = 0; i < ROWS; i++) {
        for (int j = 0; j < INPUTS; j++) x[j + i * INPUTS] = ny_rng_normal(&rng);
        y[i] = sin(2 * x[i * INPUTS]) + 0.5 * x[1 + i * INPUTS] + 0.5 * ny_rng_normal(&rng);
    }
    must(ctx, ny_data_from_rows(ctx, ROWS, INPUTS, x, y, &data));
    return data;
}

/* How many machines of all rows had this number of landmarks. */
static int tried(const ny_model *model, int64_t landmarks) {
    int count = 0;
    for (int64_t i = 0; i < model->record->evaluations; i++) {
        const ny_evaluation *e = &model->record->evaluation[i];
        count += e->rows == ROWS && (landmarks < 0 || e->landmarks == landmarks);
    }
    return count;
}

/* Classes: it follows for sure, so no low-rank machine of all rows is made on the way. With a posterior one is. */
static void test_classes_go_straight_to_it(void **state) {
    (void)state;
    ny_data *data = classes_set();
    ny_model *model = train_with_options(ctx, data, make_options(ctx, NULL));
    assert_true(model->record->solver.known && model->record->origin.exact);
    assert_int_equal(model->record->origin.landmarks, ROWS);
    assert_int_equal(model->f.Z.n, ROWS);
    assert_int_equal(tried(model, -1), 1);
    assert_int_equal(tried(model, ROWS), 1);
    ny_model_free(model);
    model = train_with_options(ctx, data, make_options(ctx, "posterior", "yes", "kernel", "rbf", NULL));
    assert_true(model->record->solver.known);
    assert_true(tried(model, ROWS) == 0 && tried(model, -1) > 0);
    ny_model_free(model);
    ny_data_free(data);
}

/* Where it does not converge, the low-rank machine has all of the landmarks that it would have had alone. */
static void test_without_it_all_landmarks_come_back(void **state) {
    (void)state;
    ny_data *data = numbers_set();
    const char *const iterations[] = {"1", NULL};
    for (int k = 0; k < 2; k++) {
        ny_model *model = train_with_options(
            ctx, data,
            make_options(ctx, "kernel", "rbf", "bandwidth", "2", "C", "10", "solver-iterations", iterations[k], NULL));
        assert_int_equal(model->record->solver.known, k == 1);
        assert_int_equal(has_note(model, "did not converge"), k == 0);
        assert_int_equal(tried(model, SELECTING), 1);
        assert_int_equal(tried(model, PLANNED), k == 0);
        if (k == 0) assert_int_equal(model->record->origin.landmarks, PLANNED);
        ny_model_free(model);
    }
    ny_data_free(data);
}

/* But where they make it worse, as at a C that is given and too large, it stays as it was. */
static void test_more_landmarks_only_where_they_help(void **state) {
    (void)state;
    ny_data *data = numbers_set();
    ny_model *model = train_with_options(
        ctx, data, make_options(ctx, "kernel", "rbf", "bandwidth", "2", "C", "300", "solver-iterations", "1", NULL));
    double least = INFINITY;
    assert_int_equal(tried(model, SELECTING), 1);
    assert_int_equal(tried(model, PLANNED), 1);
    for (int64_t i = 0; i < model->record->evaluations; i++) least = fmin(least, model->record->evaluation[i].value);
    assert_int_equal(model->record->origin.landmarks, SELECTING);
    assert_true(model->record->expected.value == least);
    ny_model_free(model);
    ny_data_free(data);
}

/* The mean squared leave-one-out error of the exact machine on standardised inputs, for numbers, or for a class (+1)
 * against the others (-1):
 *
 *     A = K + I/C,   e_i = (A^-1 y - b A^-1 1)_i / (A^-1 - A^-1 1 1'A^-1 / 1'A^-1 1)_ii,   b = 1'A^-1 y / 1'A^-1 1 */
static double class_error(const ny_data *data, int class, double bandwidth, double C) {
    int64_t n = ROWS, d = data->X.d;
    double *L = malloc((size_t)(n * n) * sizeof *L), *x = malloc((size_t)(n * d) * sizeof *x), y[ROWS], one[ROWS];
    double sum = 0, all = 0, b = 0;
    for (int64_t j = 0; j < d; j++) {
        double mean = 0, square = 0;
        for (int64_t i = 0; i < n; i++) mean += data->X.x[j + i * d] / (double)n;
        for (int64_t i = 0; i < n; i++) square += pow(data->X.x[j + i * d] - mean, 2) / (double)n;
        for (int64_t i = 0; i < n; i++) x[j + i * d] = data->X.x[j + i * d] / sqrt(square);
    }
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = j; i < n; i++) {
            double square = 0;
            for (int64_t k = 0; k < d; k++) square += pow(x[k + i * d] - x[k + j * d], 2);
            L[i + j * n] = exp(-square / (2 * bandwidth * bandwidth)) + (i == j ? 1 / C : 0);
        }
    assert_true(ny_chol(n, L, n));
    for (int64_t i = 0; i < n; i++) y[i] = !data->labels ? data->y[i] : data->code[i] == class ? 1 : -1, one[i] = 1;
    ny_chol_solve(n, 1, L, n, y, n);
    ny_chol_solve(n, 1, L, n, one, n);
    ny_triangle_inverse(n, L, n);
    for (int64_t i = 0; i < n; i++) all += one[i], b += y[i];
    for (int64_t i = 0; i < n; i++) {
        double diagonal = ny_dot(n - i, L + i + i * n, L + i + i * n) - one[i] * one[i] / all;
        sum += pow((y[i] - b / all * one[i]) / diagonal, 2) / (double)n;
    }
    free(L);
    free(x);
    return sum;
}

static double exact_error(const ny_data *data, double bandwidth, double C) {
    return class_error(data, 1, bandwidth, C);
}

/* Three outputs begin at one C, and go on while the end is best for them: one of these wants another C than the others,
 * and has it. */
static void test_every_output_has_its_C(void **state) {
    (void)state;
    ny_data *data = NULL;
    must(ctx, ny_data_generate(ctx, "waveform", ROWS, 2, &data));
    ny_model *model = train_with_options(ctx, data, make_options(ctx, "kernel", "rbf", NULL));
    int others = 0;
    for (int k = 0; k < 3; k++) {
        double C = model->C[k], bandwidth = model->f.kernel.bandwidth, here = class_error(data, k, bandwidth, C);
        assert_true(here < class_error(data, k, bandwidth, 4 * C) && here < class_error(data, k, bandwidth, C / 4));
        others += C != model->C[0];
    }
    assert_true(model->record->solver.known && others == 1);
    ny_model_free(model);
    ny_data_free(data);
}

/* Classes choose among values of C a factor of 4 apart, by errors that are estimates: neither neighbour of the chosen
 * one is better, and the error told is that of the machine. */
static void test_no_other_C_is_better(void **state) {
    (void)state;
    ny_data *data = NULL;
    must(ctx, ny_data_generate(ctx, "banana", ROWS, 3, &data));
    ny_model *model = train_with_options(ctx, data, make_options(ctx, "kernel", "rbf", NULL));
    double C = model->C[0], bandwidth = model->f.kernel.bandwidth, here = exact_error(data, bandwidth, C);
    assert_true(model->record->solver.known);
    assert_close(model->record->expected.value, here, 0.003);
    assert_true(here < 1.004 * exact_error(data, bandwidth, 4 * C) &&
                here < 1.004 * exact_error(data, bandwidth, C / 4));
    ny_model_free(model);
    ny_data_free(data);
}

/* Ridges of all directions: few landmarks want a wider kernel than all rows do. */
static ny_data *ridges_set(void) {
    static double x[ROWS * RIDGES], y[ROWS];
    ny_data *data = NULL;
    ny_rng rng = ny_rng_make(7, NY_RNG_TEST, 1);
    for (int i = 0; i < ROWS; i++) {
        double *r = x + i * RIDGES;
        for (int j = 0; j < RIDGES; j++) r[j] = ny_rng_normal(&rng);
        y[i] = sin(3 * r[0] * r[1]) + fabs(r[2] - 0.5) + 0.3 * ny_rng_normal(&rng);
    }
    must(ctx, ny_data_from_rows(ctx, ROWS, RIDGES, x, y, &data));
    return data;
}

/* Numbers look for their own bandwidth, and the posterior that stays with the landmarks is of that kernel: there the
 * landmarks see all of themselves, |g(z)|^2 = kappa(z,z) = 1. */
static void test_the_posterior_is_of_the_same_kernel(void **state) {
    (void)state;
    ny_data *data = ridges_set();
    ny_model *model = train_with_options(ctx, data, make_options(ctx, "kernel", "rbf", NULL));
    const ny_posterior *p = &model->posterior;
    double h = model->f.kernel.bandwidth;
    assert_true(model->record->solver.known && p->m > 0 && model->f.Z.n == p->m + ROWS);
    for (int64_t i = 0; i < model->record->evaluations; i++) { /* or the test shows nothing */
        const ny_evaluation *e = &model->record->evaluation[i];
        if (e->rows == ROWS && e->landmarks < ROWS) assert_true(e->bandwidth != h);
    }
    for (int64_t a = 0; a < p->m; a += 50) {
        double seen = 0;
        for (int64_t k = 0; k < p->r; k++) {
            double psi = 0;
            for (int64_t b = 0; b < p->m; b++) {
                double square = 0;
                for (int j = 0; j < RIDGES; j++)
                    square += pow(model->f.Z.x[j + a * RIDGES] - model->f.Z.x[j + b * RIDGES], 2);
                psi += p->map[b + k * p->m] * exp(-square / (2 * h * h));
            }
            seen += psi * psi;
        }
        assert_close(seen, 1, 1e-6);
    }
    ny_model_free(model);
    ny_data_free(data);
}

/* It takes the place of the low-rank machine unless its leave-one-out errors are larger by 5%: with C = 300 all rows
 * follow the noise where 480 landmarks cannot. */
static void test_a_worse_one_is_not_taken(void **state) {
    (void)state;
    static const char *const C[] = {"30", "300"};
    ny_data *data = numbers_set();
    for (int k = 0; k < 2; k++) {
        ny_model *model =
            train_with_options(ctx, data, make_options(ctx, "kernel", "rbf", "bandwidth", "2", "C", C[k], NULL));
        double low_rank = model->record->evaluation[0].value, exact = exact_error(data, 2, atof(C[k]));
        assert_int_equal(model->record->evaluation[0].landmarks, SELECTING);
        assert_true(k == 0 ? exact < 1.03 * low_rank : exact > 1.1 * low_rank); /* away from the limit */
        assert_int_equal(model->record->solver.known, k == 0);
        assert_int_equal(has_note(model, "has larger leave-one-out errors"), k == 1);
        if (k == 0) assert_close(model->record->expected.value, exact, 0.02);
        ny_model_free(model);
    }
    ny_data_free(data);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_classes_go_straight_to_it),
        cmocka_unit_test(test_without_it_all_landmarks_come_back),
        cmocka_unit_test(test_no_other_C_is_better),
        cmocka_unit_test(test_every_output_has_its_C),
        cmocka_unit_test(test_the_posterior_is_of_the_same_kernel),
        cmocka_unit_test(test_a_worse_one_is_not_taken),
        cmocka_unit_test(test_more_landmarks_only_where_they_help),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}

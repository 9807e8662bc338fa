/* test_span_gradient.c: the derivatives that --search gradient follows, against difference quotients of values that are
 * computed anew: by C, by single features, by the bandwidth through every form of the factor; and the search itself. */
#include "path_sets.h"

#include "criterion/path.h"
#include "model/record.h"
#include "search/steer.h"

static const char *const FOLLOWED[] = {"span", "smooth-span", "radius-margin"};

static void slopes_of(set *s, const ny_criterion *criterion, double C, double *out) {
    ny_judge judge;
    ny_C_list list = {1, true, &C};
    must(ctx, ny_judge_new(ctx, criterion, NY_ITERATIVE, problem_of(s), 1, &judge));
    must(ctx, ny_path_visit(ctx, judge.state, &list, criterion->gradient, 2 + s->r * s->n, out));
    ny_judge_clear(&judge);
}

/* Values to the digits that difference quotients need; without `soft` the span rule at the machine of a descent of our
 * own. */
static double value_of(set *s, const ny_criterion *criterion, double C) {
    static double out[2 + MOST * MOST];
    slopes_of(s, criterion, C, out);
    return out[0];
}

/* The value anew: from an independent descent, refits, and for smooth-span the paper's own formula, the inverse of the
 * bordered matrix of kappa_lambda + eta / alpha on E:  alpha_p S_p^2 = alpha_p / inverse_pp - eta. */
static double smooth_anew(const set *s, double C) {
    static double K[(MOST + 1) * (MOST + 1)], inverse[(MOST + 1) * (MOST + 1)];
    double w[MOST], b, f[MOST], sum = 0, weight = 0;
    int64_t E[MOST], k = 0;
    descend(s, C, w, &b);
    outputs(s, w, b, f);
    for (int64_t i = 0; i < s->n; i++)
        if (s->y[i] * f[i] < 1) E[k++] = i;
    int64_t m = k + s->bias;
    memset(K, 0, sizeof K);
    memset(inverse, 0, sizeof inverse);
    for (int64_t a = 0; a < k; a++) {
        double xi = slack(s->y[E[a]], f[E[a]]), alpha = C * s->v[E[a]] * xi;
        for (int64_t c = 0; c < k; c++)
            for (int64_t l = 0; l < s->r; l++) K[a + c * m] += s->G[l + E[a] * s->r] * s->G[l + E[c] * s->r];
        K[a + a * m] += 1 / (C * s->v[E[a]]) + 0.1 / alpha;
        if (s->bias) K[a + k * m] = K[k + a * m] = 1;
    }
    for (int64_t a = 0; a < m; a++) inverse[a + a * m] = 1;
    for (int64_t col = 0; col < m; col++) { /* Gauss and Jordan, with pivots */
        int64_t top = col;
        for (int64_t a = col; a < m; a++)
            if (fabs(K[a + col * m]) > fabs(K[top + col * m])) top = a;
        for (int64_t c = 0; c < m; c++) {
            double t = K[col + c * m], i = inverse[col + c * m];
            K[col + c * m] = K[top + c * m], K[top + c * m] = t;
            inverse[col + c * m] = inverse[top + c * m], inverse[top + c * m] = i;
        }
        for (int64_t a = 0; a < m; a++) {
            double by = a == col ? 0 : K[a + col * m] / K[col + col * m];
            for (int64_t c = 0; by != 0 && c < m; c++) {
                K[a + c * m] -= by * K[col + c * m];
                inverse[a + c * m] -= by * inverse[col + c * m];
            }
        }
    }
    for (int64_t i = 0; i < s->n; i++) weight += s->v[i], sum += s->v[i] / (1 + exp(5));
    for (int64_t a = 0; a < k; a++) {
        double alpha = C * s->v[E[a]] * slack(s->y[E[a]], f[E[a]]);
        double span = alpha * K[a + a * m] / inverse[a + a * m] - 0.1;
        sum += s->v[E[a]] * (1 / (1 + exp(-5 * (span - 1))) - 1 / (1 + exp(5)));
    }
    return sum / weight;
}

static double anew(set *s, int which, double C) {
    double F[MOST], w[MOST], b, sum = 0, least, most;
    bool in[MOST];
    if (which == 1) return smooth_anew(s, C);
    descend(s, C, w, &b);
    outputs(s, w, b, F);
    if (which == 2) {
        for (int64_t i = 0; i < s->n; i++) sum += C * s->v[i] * slack(s->y[i], F[i]);
        return reach_of(s, 2 / C, &least, &most) * sum / (double)s->n;
    }
    for (int64_t i = 0; i < s->n; i++) in[i] = s->y[i] * F[i] < 1;
    refit_squares(s, in, 2 / C, F);
    return mean_loss(s, F);
}

static void test_values(void **state) {
    (void)state;
    static set s;
    for (int c = 0; c < 2 * SETS; c++)
        for (int which = 0; which < 3; which++) {
            const char *name = make_set(&s, c % SETS, 50, c % 2 ? 15 : 50, c / SETS);
            for (double C = 0.3; C < 100; C *= 17) {
                double value = value_of(&s, ny_criterion_find(FOLLOWED[which]), C), again = anew(&s, which, C);
                print_message("%-10s %-13s C %5.3g: %.8g, anew %.8g\n", name, FOLLOWED[which], C, value, again);
                assert_close(value, again, which == 2 ? 1e-5 : 1e-6);
            }
        }
}

/* The least of three difference quotients' distances: rows that cross the margin within a step spoil one of them. */
static double off_by(double slope, double (*at)(set *, const ny_criterion *, double, int64_t, double), set *s,
                     const ny_criterion *criterion, double C, int64_t entry) {
    double least = INFINITY, size = 0;
    for (double h = 1e-3; h > 1e-6; h /= 10) {
        double quotient = (at(s, criterion, C, entry, h) - at(s, criterion, C, entry, -h)) / (2 * h);
        if (fabs(quotient - slope) < least) least = fabs(quotient - slope), size = fabs(quotient);
    }
    return least / (1e-3 + size + fabs(slope));
}

static double at_C(set *s, const ny_criterion *criterion, double C, int64_t entry, double h) {
    (void)entry;
    return value_of(s, criterion, C * exp(h));
}

static double at_feature(set *s, const ny_criterion *criterion, double C, int64_t entry, double h) {
    double before = s->G[entry];
    s->G[entry] += h;
    double value = value_of(s, criterion, C);
    s->G[entry] = before;
    return value;
}

static void test_derivatives(void **state) {
    (void)state;
    static set s;
    static double out[2 + MOST * MOST];
    for (int c = 0; c < 2 * SETS; c++)
        for (int which = 0; which < 3; which++) {
            const ny_criterion *criterion = ny_criterion_find(FOLLOWED[which]);
            double worst_C = 0, worst_G = 0;
            const char *name = make_set(&s, c % SETS, 50, c % 2 ? 15 : 50, c / SETS);
            if (c % SETS == COINCIDING && which == 2)
                continue; /* several rows on the sphere: the weights are not one */
            for (int64_t i = 0; i < s.n && !s.bias; i++) /* rows of one length: none of them is the farthest */
                for (int64_t k = 0; k < s.r; k++) s.G[k + i * s.r] *= 1 + 0.01 * (double)i;
            for (double C = 0.3; C < 10; C *= 7) {
                slopes_of(&s, criterion, C, out);
                double by_C = out[1];
                worst_C = fmax(worst_C, off_by(by_C, at_C, &s, criterion, C, 0));
                for (int64_t entry = c % 7; entry < s.r * s.n; entry += 1 + s.r * s.n / 17) {
                    slopes_of(&s, criterion, C, out);
                    worst_G = fmax(worst_G, off_by(out[2 + entry], at_feature, &s, criterion, C, entry));
                }
            }
            print_message("%-10s %-13s off by %.1e (C), %.1e (features)\n", name, FOLLOWED[which], worst_C, worst_G);
            assert_true(worst_C < 1e-4 && worst_G < 1e-4);
        }
}

static void test_other_biases(void **state) {
    with_other_biases(test_values, state);
    with_other_biases(test_derivatives, state);
}

/* ---- the bandwidth ------------------------------------------------------------------------------------------------
 */

enum { ROWS = 60 };

/* V = sum A o G'G for a symmetric A, and unless NULL its derivative by log sigma. */
static double through_factor(const ny_matrix *X, const ny_factor_spec *spec, const char *kernel, double sigma,
                             const double *A, double *slope, int64_t *rank) {
    ny_factor f = {0};
    ny_kernel_params p = {.kernel = ny_kernel_find(kernel), .bandwidth = sigma, .degree = 3, .coef0 = 1};
    static double by_G[ROWS * ROWS];
    double V = 0;
    must(ctx, ny_factor_make(ctx, &p, X, spec, &f));
    for (int64_t i = 0; i < ROWS; i++)
        for (int64_t a = 0; a < f.r; a++) {
            double sum = 0;
            for (int64_t j = 0; j < ROWS; j++) sum += A[i + j * ROWS] * f.G[a + j * f.ldg];
            by_G[a + i * f.r] = 2 * sum;
            V += f.G[a + i * f.ldg] * sum;
        }
    if (slope) must(ctx, ny_width_slope(ctx, &p, X, &f, by_G, slope));
    *rank = f.r;
    ny_factor_clear(&f);
    return V;
}

static void test_bandwidth(void **state) {
    (void)state;
    static const char *const kernels[] = {"rbf", "laplace", "matern32", "matern52", "poly"};
    static const struct {
        const char *what;
        int64_t landmarks, rank;
        bool weights;
    } form[] = {{"all rows", ROWS, 0, false}, {"Cholesky", 20, 0, false}, {"eigen", 20, 20, false},
                {"cut", 20, 7, false},        {"weights", 20, 20, true},  {"weights, cut", 20, 7, true}};
    static double A[ROWS * ROWS];
    ny_data *data = NULL;
    ny_rng rng = ny_rng_make(5, NY_RNG_TEST, 0);
    must(ctx, ny_data_generate(ctx, "ringnorm", ROWS, 2, &data));
    for (int64_t i = 0; i < ROWS; i++)
        for (int64_t j = 0; j <= i; j++) A[i + j * ROWS] = A[j + i * ROWS] = ny_rng_uniform(&rng) - 0.5;
    for (size_t k = 0; k < sizeof kernels / sizeof *kernels; k++)
        for (size_t c = 0; c < sizeof form / sizeof *form; c++) {
            double weight[20], slope, nothing = INFINITY, h = 1e-5, sigma = 4;
            int64_t rank, other;
            ny_matrix Z = {0};
            for (int i = 0; i < 20; i++) weight[i] = 1 + i % 4;
            ny_landmarks given = {.weight = form[c].weights ? weight : NULL};
            int64_t rows[20];
            for (int i = 0; i < 20; i++) rows[i] = 3 * i;
            must(ctx, ny_matrix_gather(ctx, &data->X, rows, 20, &Z));
            given.Z = Z;
            ny_factor_spec spec = {.method = &ny_landmark_uniform,
                                   .given = &given,
                                   .landmarks = form[c].landmarks,
                                   .rank = form[c].rank,
                                   .tol = 1e-12,
                                   .seed = 1};
            through_factor(&data->X, &spec, kernels[k], sigma, A, &slope, &rank);
            double above = through_factor(&data->X, &spec, kernels[k], sigma * exp(h), A, NULL, &other);
            double below = through_factor(&data->X, &spec, kernels[k], sigma * exp(-h), A, NULL, &other);
            double quotient = (above - below) / (2 * h);
            nothing = fabs(slope - quotient) / (1e-3 + fabs(quotient));
            print_message("%-9s %-13s rank %2lld: %.7g, quotient %.7g\n", kernels[k], form[c].what, (long long)rank,
                          slope, quotient);
            assert_true(nothing < 1e-5 && fabs(quotient) > 1e-3);
            ny_matrix_clear(&Z);
        }
    ny_data_free(data);
}

/* ---- the search -------------------------------------------------------------------------------------------------- */

typedef struct {
    const char *demo, *criterion, *landmarks, *method, *rank, *multiclass, *class_weight, *kernel;
    double close; /* steps around the place, octaves */
} task;

static ny_model *train_at(const task *t, const ny_data *data, double bandwidth, double C) {
    ny_model *m = NULL;
    char sigma[40], weight[40];
    snprintf(sigma, sizeof sigma, "%.17g", bandwidth);
    snprintf(weight, sizeof weight, "%.17g", C);
    ny_options *o =
        make_options(ctx, "machine", "l2svm", "kernel", t->kernel, "criterion", t->criterion, "landmarks", t->landmarks,
                     "landmark-method", t->method, "rank", t->rank, "multiclass", t->multiclass, "class-weight",
                     t->class_weight, "search", bandwidth > 0 ? "none" : "gradient", "bandwidth",
                     bandwidth > 0 ? sigma : NULL, "C", bandwidth > 0 ? weight : NULL, NULL);
    must(ctx, ny_train(ctx, data, o, &m));
    ny_options_free(o);
    return m;
}

/* Where the search ends the criterion of machines trained anew is not less a little to either side. */
static void test_ends_in_a_valley(void **state) {
    (void)state;
    static const task tasks[] = {
        {"banana", "radius-margin", "all", NULL, NULL, NULL, NULL, "rbf", 0.06},
        {"banana", "smooth-span", "all", NULL, NULL, NULL, NULL, "rbf", 0.06},
        {"mixture", "smooth-span", "40", "uniform", NULL, NULL, "-1=4", "rbf", 0.06},
        {"twonorm", "radius-margin", "60", "density", "20", NULL, NULL, "laplace", 0.06},
        {"waveform", "radius-margin", "all", NULL, NULL, "ovo", NULL, "rbf", 0.06},
        {"waveform", "smooth-span", "60", "uniform", "60", "ova", NULL, "matern52", 0.06},
    };
    for (size_t c = 0; c < sizeof tasks / sizeof *tasks; c++) {
        const task *t = &tasks[c];
        ny_data *data = NULL;
        must(ctx, ny_data_generate(ctx, t->demo, 150, 4, &data));
        ny_model *found = train_at(t, data, 0, 0);
        double sigma = found->f.kernel.bandwidth, C = found->C[0], value = found->record->expected.value,
               least = INFINITY;
        for (int k = 0; k < 4; k++) {
            double up = exp2(k % 2 ? -t->close : t->close);
            ny_model *m = train_at(t, data, k < 2 ? sigma * up : sigma, k < 2 ? C : C * up);
            least = fmin(least, m->record->expected.value);
            ny_model_free(m);
        }
        ny_model *again = train_at(t, data, sigma, C);
        print_message("%-9s %-13s sigma %.4g, C %.4g: %.7g, anew %.7g, around it %.7g\n", t->demo, t->criterion, sigma,
                      C, value, again->record->expected.value, least);
        assert_close(again->record->expected.value, value, 1e-3);
        assert_true(least > value * (1 - 1e-6));
        ny_model_free(found);
        ny_model_free(again);
        ny_data_free(data);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_other_biases), cmocka_unit_test(test_values),
                                       cmocka_unit_test(test_derivatives), cmocka_unit_test(test_bandwidth),
                                       cmocka_unit_test(test_ends_in_a_valley)};
    return cmocka_run_group_tests(tests, setup, teardown);
}

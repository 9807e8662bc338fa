/* test_walk.c: C chosen along the path by `span` and `radius-margin`, as criteria and through a whole training;
 * outputs, values and errors are computed anew from the kernel. */
#include "path_sets.h"

#include "model/record.h"

/* Leave-one-out outputs at C by the span rule, with E from an independent descent. */
static void span_at(const set *s, double C, double *F) {
    double w[MOST], b;
    bool in[MOST];
    descend(s, C, w, &b);
    outputs(s, w, b, F);
    for (int64_t i = 0; i < s->n; i++) in[i] = s->y[i] * F[i] < 1;
    refit_squares(s, in, 2 / C, F);
}

static double bound_at(const set *s, double C) {
    double w[MOST], b, f[MOST], sum = 0, least, most;
    descend(s, C, w, &b);
    outputs(s, w, b, f);
    for (int64_t i = 0; i < s->n; i++) sum += C * s->v[i] * slack(s->y[i], f[i]);
    bracket(s, 2 / C, &least, &most);
    return 2 * (least + most) * sum / (double)s->n;
}

static double share_wrong(const set *s, const double *F) {
    double wrong = 0, weight = 0;
    for (int64_t i = 0; i < s->n; i++) {
        weight += s->v[i];
        if (!(s->y[i] * F[i] > 0)) wrong += s->v[i];
    }
    return wrong / weight;
}

/* ---- the criteria ------------------------------------------------------------------------------------------------ */

typedef struct {
    double C, value, F[MOST];
} choice;

static choice choose_to(set *s, const ny_criterion *criterion, const double *near, bool by_error, double lambda_min) {
    choice x;
    ny_judge judge;
    ny_effort effort;
    double w[MOST], b, own[MOST + 1], ownb;
    must(ctx, ny_judge_new(ctx, criterion, NY_ITERATIVE, problem_of(s), 1, &judge));
    must(ctx,
         ny_judge_choose(&judge)(ctx, judge.state, &(ny_C_choice){near, by_error, &x.C, &x.value, x.F, lambda_min}));
    must(ctx, ny_judge_solve(ctx, &judge, &x.C, w, &b, &effort)); /* the machine is that of C */
    descend(s, x.C, own, &ownb);
    for (int64_t a = 0; a < s->r; a++) assert_close(w[a], own[a], 1e-5);
    assert_close(b, ownb, 1e-5);
    ny_judge_clear(&judge);
    ny_free(effort.objective);
    return x;
}

static choice choose(set *s, const ny_criterion *criterion, const double *near, bool by_error) {
    return choose_to(s, criterion, near, by_error, 0);
}

/* The least value of the path's stops, up to where the walk may end. */
static void least_of_path(set *s, double C, double *span, double *bound, double *error) {
    double trace = 0, weight = 0, sum[MOST] = {0}, F[MOST];
    for (int64_t i = 0; i < s->n; i++) {
        weight += s->v[i];
        for (int64_t a = 0; a < s->r; a++) {
            double g = s->G[a + i * s->r];
            trace += s->v[i] * g * g;
            sum[a] += s->v[i] * g;
        }
    }
    for (int64_t a = 0; a < s->r; a++) trace -= sum[a] * sum[a] / weight;
    *span = *bound = *error = INFINITY;
    trail t = follow_set(s, trace / 2, 2 / (200 * C), false);
    for (int64_t k = 0; k < t.count - 1; k++) { /* the last is there because of the range's end */
        span_at(s, 2 / t.at[k].lambda, F);
        *span = fmin(*span, mean_loss(s, F));
        *error = fmin(*error, share_wrong(s, F));
        if (2 / t.at[k].lambda < 30 * C) *bound = fmin(*bound, bound_at(s, 2 / t.at[k].lambda));
    }
    free(t.at);
}

/* What it says of its choice is true, and the path has no better stop. In between E changes, and with it the value by
 * jumps: a fine grid of C may find somewhat less. */
static void test_choice(void **state) {
    (void)state;
    static set s;
    int bounds = 0;
    for (int c = 0; c < 2 * SETS; c++) {
        double F[MOST], best, best_bound, fewest, grid = INFINITY;
        const char *name = make_set(&s, c % SETS, 60, c % 2 ? 20 : 60, c / SETS);
        choice span = choose(&s, &ny_criterion_span, NULL, false);
        choice bound = choose(&s, &ny_criterion_radius_margin, NULL, false);
        choice error = choose(&s, &ny_criterion_span, NULL, true);
        span_at(&s, span.C, F);
        for (int64_t i = 0; i < s.n; i++) assert_close(span.F[i], F[i], 1e-6);
        assert_close(span.value, mean_loss(&s, F), 1e-6);
        span_at(&s, error.C, F);
        least_of_path(&s, span.C, &best, &best_bound, &fewest);
        assert_true(span.value <= best * (1 + 1e-6));
        assert_true(share_wrong(&s, F) <= fewest + 1e-12 && share_wrong(&s, error.F) == share_wrong(&s, F));
        if (bound.C < 1e5) { /* else the rows can be told apart without error, and more C tells them ever better */
            span_at(&s, bound.C, F);
            for (int64_t i = 0; i < s.n; i++) assert_close(bound.F[i], F[i], 1e-6);
            assert_close(bound.value, bound_at(&s, bound.C), 1e-6);
            least_of_path(&s, bound.C, &best, &best_bound, &fewest);
            assert_true(bound.value <= best_bound * (1 + 1e-6));
            bounds++;
        }
        for (double C = span.C / 8; C < 9 * span.C; C *= exp2(0.25)) {
            span_at(&s, C, F);
            grid = fmin(grid, mean_loss(&s, F));
        }
        print_message("%-10s C %.3g, value %.4f, %.4f on a fine grid\n", name, span.C, span.value, grid);
        assert_true(span.value <= 1.1 * grid);
        for (double by = 1 / 8.0; by <= 8; by *= 64) { /* a hint that is not far off changes nothing but the way */
            double near = span.C * by;
            assert_true(choose(&s, &ny_criterion_span, &near, false).value <= 1.1 * span.value);
        }
    }
    assert_true(bounds >= SETS);
}

/* ---- a whole training -------------------------------------------------------------------------------------------- */

enum { ROWS = 72 };

typedef struct {
    double X[ROWS * INPUTS], weight[ROWS];
    int code[ROWS], classes;
    const char *label[ROWS];
    ny_data *data;
} table;

/* Noisy classes a, b, c, the last of which has fewer rows. */
static void make_table(table *t, int classes, bool weights) {
    static const char *const names[] = {"a", "b", "c"};
    ny_rng rng = ny_rng_make(23, NY_RNG_TEST, (uint32_t)classes);
    t->classes = classes;
    for (int i = 0; i < ROWS; i++) {
        t->code[i] = i % 9 < 4 ? 0 : i % 9 < 7 || classes == 2 ? 1 : 2;
        t->label[i] = names[t->code[i]];
        t->weight[i] = weights ? 0.3 + 2 * ny_rng_uniform(&rng) : 1;
        for (int j = 0; j < INPUTS; j++) t->X[j + i * INPUTS] = ny_rng_normal(&rng) + (j == t->code[i] ? 1.2 : 0);
    }
    must(ctx, ny_data_from_labels(ctx, ROWS, INPUTS, t->X, t->label, &t->data));
    if (!weights) return;
    t->data->weight = ny_alloc(ctx, ROWS, sizeof(double));
    memcpy(t->data->weight, t->weight, sizeof t->weight);
}

/* One output: `plus` against `minus`, or against all others where that is -1. */
static double make_output(const table *t, int plus, int minus, set *s) {
    double weight = 0;
    make_rows(s, ny_machine_find("l2svm"), ROWS, 1, false, 0);
    s->n = 0;
    for (int i = 0; i < ROWS; i++) {
        if (t->code[i] != plus && minus >= 0 && t->code[i] != minus) continue;
        memcpy(s->X + s->n * INPUTS, t->X + i * INPUTS, INPUTS * sizeof *s->X);
        s->y[s->n] = t->code[i] == plus ? 1 : -1;
        s->v[s->n++] = t->weight[i];
        weight += t->weight[i];
    }
    make_features(s, s->n, 1);
    return weight;
}

typedef struct {
    bool bound, pairs, by_error, given, by_class; /* by_class: class weights */
} wish;

static ny_model *train(const table *t, wish x) {
    return train_with_options(
        ctx, t->data,
        make_options(ctx, "machine", "l2svm", "criterion", x.bound ? "radius-margin" : "span", "kernel", "rbf",
                     "bandwidth", "1", "scale", "none", "landmarks", "all", "rank-tol", "1e-15", "multiclass",
                     x.pairs ? "ovo" : "ova", "select-on", x.by_error ? "error" : "mse", "C", x.given ? "3" : "auto",
                     "class-weight", x.by_class ? "a=2,b=0.7" : "none", NULL));
}

static double weight_wrong(const table *t, const double *F) {
    double wrong = 0, weight = 0;
    for (int i = 0; i < ROWS; i++) {
        int best = 0;
        for (int k = 1; k < t->classes; k++)
            if (F[i + k * ROWS] > F[i + best * ROWS]) best = k;
        weight += t->weight[i];
        if (best != t->code[i]) wrong += t->weight[i];
    }
    return wrong / weight;
}

/* Value and error in the record are those of the outputs at the C of the model. A C that is given, or common to several
 * outputs, is not on a path: its machine is known to 1% of w while C is selected. */
static void test_two_classes(void **state) {
    (void)state;
    static set s;
    table t;
    for (int c = 0; c < 32; c++) {
        double F[MOST];
        wish x = {.bound = c & 2, .by_error = c & 4, .given = c & 8, .by_class = c & 16};
        make_table(&t, 2, c & 1);
        for (int i = 0; i < ROWS && x.by_class; i++) t.weight[i] *= t.code[i] == 0 ? 2 : 0.7;
        ny_model *m = train(&t, x);
        make_output(&t, 1, 0, &s);
        span_at(&s, m->C[0], F);
        assert_close(m->record->expected.value, x.bound ? bound_at(&s, m->C[0]) : mean_loss(&s, F),
                     x.given ? 1e-3 : 1e-6);
        assert_close(m->record->expected.error, share_wrong(&s, F), 1e-12);
        ny_model_free(m);
        ny_data_free(t.data);
    }
}

static void test_three_classes(void **state) {
    (void)state;
    static set s;
    static double F[3 * ROWS];
    table t;
    for (int c = 0; c < 16; c++) {
        double f[MOST], value = 0, all = 0;
        wish x = {.bound = c & 2, .pairs = c & 4, .by_error = c & 8};
        make_table(&t, 3, c & 1);
        ny_model *m = train(&t, x);
        for (int i = 0; i < ROWS; i++) all += t.weight[i];
        for (int j = 0; j < 3; j++) {
            int low = j == 2 ? 1 : 0, high = j == 0 ? 1 : 2; /* pairs: 0-1, 0-2, 1-2; they count by their rows */
            double weight = x.pairs ? make_output(&t, high, low, &s) : make_output(&t, j, -1, &s);
            span_at(&s, m->C[j], f);
            if (!x.pairs) memcpy(F + j * ROWS, f, ROWS * sizeof *f);
            value += (x.pairs ? weight / (2 * all) : 1.0 / 3) * (x.bound ? bound_at(&s, m->C[j]) : mean_loss(&s, f));
        }
        assert_close(m->record->expected.value, value, x.by_error && !x.pairs ? 1e-2 : 1e-6);
        if (!x.pairs) assert_close(m->record->expected.error, weight_wrong(&t, F), 1e-12);
        ny_model_free(m);
        ny_data_free(t.data);
    }
}

/* They belong to the l2-SVM. */
static void test_refusals(void **state) {
    (void)state;
    static const char *const criteria[] = {"span", "radius-margin"};
    table t;
    make_table(&t, 2, false);
    for (int64_t k = 0; ny_machine_at(k); k++)
        for (int c = 0; c < 2; c++) {
            const ny_machine *machine = ny_machine_at(k);
            ny_model *m = NULL;
            if (machine->loss != &ny_loss_squared && !machine->loss->classes) continue; /* for numbers */
            ny_options *o = make_options(ctx, "machine", machine->name, "criterion", criteria[c], NULL);
            bool fits = strcmp(machine->name, "l2svm") == 0;
            assert_int_equal(ny_train(ctx, t.data, o, &m), fits ? NY_OK : NY_ERR_USAGE);
            if (!fits) assert_true(strstr(ny_message(ctx), "--machine l2svm") && strstr(ny_message(ctx), criteria[c]));
            ny_model_free(m);
            ny_options_free(o);
        }
    ny_data_free(t.data);
}

static double loo_value(const ny_data *data, const char *bandwidth, const char *C) {
    ny_model *m = train_with_options(ctx, data,
                                     make_options(ctx, "machine", "l2svm", "criterion", "loo", "kernel", "rbf",
                                                  "bandwidth", bandwidth, "landmarks", "60", "C", C, NULL));
    double value = m->record->expected.value;
    ny_model_free(m);
    return value;
}

/* On one bandwidth the choice is as good, but for 2%, as that of a fine grid of C by leave-one-out. */
static void test_as_good_as_a_grid(void **state) {
    (void)state;
    static const char *const sets[] = {"banana", "mixture", "twonorm", "ringnorm", "spirals"};
    static const char *const bandwidth[] = {"0.5", "0.7", "3", "3", "0.3"};
    for (int c = 0; c < 5; c++) {
        char C[32];
        ny_data *data = NULL;
        must(ctx, ny_data_generate(ctx, sets[c], 500, 5, &data));
        ny_model *m = train_with_options(ctx, data,
                                         make_options(ctx, "machine", "l2svm", "criterion", "span", "kernel", "rbf",
                                                      "bandwidth", bandwidth[c], "landmarks", "60", NULL));
        snprintf(C, sizeof C, "%.17g", m->C[0]);
        double at_choice = loo_value(data, bandwidth[c], C), grid = loo_value(data, bandwidth[c], "-8:12:0.25");
        print_message("%-10s C %.4g, span %.5f; loo there %.5f, on a grid %.5f\n", sets[c], m->C[0],
                      m->record->expected.value, at_choice, grid);
        assert_close(m->record->expected.value, at_choice, 1e-3);
        assert_true(at_choice <= 1.02 * grid);
        ny_model_free(m);
        ny_data_free(data);
    }
}

/* Noise that a large C follows, and a feature that tells the classes, so small that only a far larger C uses it. */
static const char *hidden_set(set *s) {
    ny_rng rng = ny_rng_make(17, NY_RNG_TEST, 0);
    make_rows(s, ny_machine_find("l2svm"), 60, 1, false, 0);
    s->r = 12;
    for (int64_t i = 0; i < s->n; i++) {
        s->y[i] = i % 2 ? 1 : -1;
        s->v[i] = 1;
        for (int64_t a = 0; a < s->r; a++) s->G[a + i * s->r] = 2 * ny_rng_uniform(&rng) - 1;
        s->G[i * s->r] += s->y[i] / 2;
        s->G[11 + i * s->r] = 0.002 * s->y[i];
    }
    return "hidden";
}

/* Asked to go on to a lambda, the walk looks at every stop down to it, and at none beyond. */
static void test_to_the_end(void **state) {
    (void)state;
    static set s;
    int further = 0, shorter = 0;
    for (int c = 0; c < 2 * SETS + 1; c += 3) {
        double least = INFINITY, F[MOST], near = 1;
        const char *name = c == 2 * SETS ? hidden_set(&s) : make_set(&s, c % SETS, 60, c % 2 ? 20 : 60, c / SETS);
        choice before = choose(&s, &ny_criterion_span, NULL, false);
        choice whole = choose_to(&s, &ny_criterion_span, &near, false, 1e-6);
        choice part = choose_to(&s, &ny_criterion_span, &near, false, 20 / before.C);
        trail t = follow_set(&s, 1e3, 1e-6, true);
        for (int64_t k = 0; k < t.count; k++) {
            span_at(&s, 2 / t.at[k].lambda, F);
            least = fmin(least, mean_loss(&s, F));
        }
        free(t.at);
        span_at(&s, whole.C, F);
        print_message("%-10s C %.3g, value %.5f; to lambda 1e-6: C %.3g, %.5f, on a path %.5f\n", name, before.C,
                      before.value, whole.C, whole.value, least);
        assert_close(whole.value, mean_loss(&s, F), 1e-5);
        assert_true(whole.value <= before.value * (1 + 1e-9) && whole.value <= 1.02 * least && whole.C <= 2.0000001e6);
        assert_true(part.C <= 1.0000001 * before.C / 10);
        further += whole.C > 256 * before.C;
        shorter += part.C > before.C / 11;
    }
    assert_true(further > 0 && shorter > 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_choice),      cmocka_unit_test(test_to_the_end),
        cmocka_unit_test(test_two_classes), cmocka_unit_test(test_three_classes),
        cmocka_unit_test(test_refusals),    cmocka_unit_test(test_as_good_as_a_grid),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}

/* test_losses.c: machines of any loss are the minimum of their objective, which is written here anew. */
#include "any_loss.h"

#include "model/record.h"
#include "solver/primal.h"

typedef struct {
    double w[MOST], b, objective, gap; /* gap: over the objective, as reported */
} machine;

static machine solve(set *s, double C, double sharp) {
    machine x;
    ny_judge judge;
    ny_effort effort;
    problem_of(s)->sharp = sharp;
    must(ctx, ny_judge_new(ctx, &ny_criterion_newton, NY_ITERATIVE, &s->problem, 1, &judge));
    must(ctx, ny_judge_solve(ctx, &judge, &C, x.w, &x.b, &effort));
    x.objective = effort.objective[0];
    x.gap = effort.gap;
    ny_free(effort.objective);
    ny_judge_clear(&judge);
    return x;
}

static int64_t active_rows(const set *s, const machine *x) {
    double f[MOST], value, first, second;
    int64_t count = 0;
    outputs(s, x->w, x->b, f);
    for (int64_t i = 0; i < s->n; i++) {
        s->loss.loss->at(&s->loss, 1, &s->y[i], &f[i], &value, &first, &second);
        count += second > 0;
    }
    return count;
}

/* The gradient vanishes as far as the gap says, nothing nearby is lower, nor where an independent descent ends. */
static void check_minimum(const set *s, double C, const machine *x) {
    double grad[MOST + 1], w[MOST], b, norm = 0, J = objective(s, C, x->w, x->b, grad);
    assert_close(x->objective, J, 1e-10);
    for (int64_t a = 0; a < s->r; a++) norm += grad[a] * grad[a];
    assert_true(x->gap >= 0 && x->gap <= 1e-11);
    assert_true(norm / 2 <= (x->gap + 1e-14) * J);
    if (s->bias) assert_true(fabs(grad[s->r]) <= 1e-9 * C * (double)s->n);
    else assert_true(x->b == 0);
    ny_rng rng = ny_rng_make(5, NY_RNG_TEST, 0);
    for (int k = 0; k < 40; k++) {
        double size = exp2(-k / 2.0);
        for (int64_t a = 0; a < s->r; a++) w[a] = x->w[a] + size * ny_rng_normal(&rng);
        b = s->bias ? x->b + size * ny_rng_normal(&rng) : 0;
        assert_true(objective(s, C, w, b, NULL) >= J * (1 - x->gap) - 1e-12 * J);
    }
    descend(s, C, w, &b);
    double other = objective(s, C, w, b, NULL);
    assert_true(J - other <= x->gap * J + 1e-12 * J);
    assert_true(other - J <= 1e-7 * J); /* the descent came to the same place: the test is one */
}

static void test_minimum(void **state) {
    (void)state;
    static set s;
    int dual = 0, primal = 0;
    for (int64_t k = 0; ny_machine_at(k); k++)
        for (int c = 0; c < 16; c++) {
            double C = c & 1 ? 50 : 0.5, width = c & 8 ? 0.5 : 0.05;
            make_rows(&s, ny_machine_at(k), 60, 1, c & 2, width);
            make_features(&s, c & 4 ? 60 : 12, 1);
            machine x = solve(&s, C, 0);
            check_minimum(&s, C, &x);
            if (active_rows(&s, &x) < s.r) dual++;
            else primal++;
        }
    assert_true(dual >= 10 && primal >= 10); /* both forms of the curvature */
}

/* More rows than features, and fewer active ones than that. */
static void test_few_active(void **state) {
    (void)state;
    static set s;
    for (int64_t k = 0; ny_machine_at(k); k++) {
        if (!ny_machine_at(k)->loss->rounding) continue;
        make_rows(&s, ny_machine_at(k), 90, 2, true, 1e-3);
        make_features(&s, 40, 1.5);
        machine x = solve(&s, 2, 0);
        assert_true(active_rows(&s, &x) < 40);
        check_minimum(&s, 2, &x);
    }
}

/* From w = 0 on at a large C, where rows can be fitted without error: beyond every corner there is no curvature. */
static void test_cold_start(void **state) {
    (void)state;
    static set s;
    for (int64_t k = 0; ny_machine_at(k); k++)
        for (double C = 100; C < 1e7; C *= 100) {
            double grad[MOST + 1], norm = 0;
            make_rows(&s, ny_machine_at(k), 60, 4, false, 0.05);
            make_features(&s, 60, 0.13);
            machine x = solve(&s, C, 0);
            double J = objective(&s, C, x.w, x.b, grad);
            for (int64_t a = 0; a < s.r; a++) norm += grad[a] * grad[a];
            assert_close(x.objective, J, 1e-6);
            assert_true(norm / 2 <= 1e-6 * J);
        }
}

/* Wherever Newton's method stops, the minimum is not farther below than the gap says; and the gap is what the gradient
 * says by w and by b:  |dJ/dw|^2 / 2 + |b dJ/db|. */
static void test_gap_is_a_promise(void **state) {
    (void)state;
    static set s;
    for (int64_t k = 0; ny_machine_at(k); k++) {
        ny_primal p;
        ny_machine_point best, x;
        make_rows(&s, ny_machine_at(k), 60, 3, true, 0.3);
        make_features(&s, 20, 1);
        if (s.loss.loss == &ny_loss_squared) continue; /* it has no path */
        must(ctx, ny_primal_new(ctx, problem_of(&s), 0, &p));
        must(ctx, ny_point_new(ctx, &p, &best));
        best.C = 5;
        must(ctx, ny_newton(ctx, &p, 1e-13, &best));
        for (double tol = 100; tol > 1e-7; tol /= 3) {
            double grad[MOST + 1], norm = 0;
            must(ctx, ny_point_new(ctx, &p, &x));
            x.C = 5;
            must(ctx, ny_newton(ctx, &p, tol, &x));
            assert_close(objective(&s, 5, x.w, x.b, grad), x.objective, 1e-10);
            for (int64_t a = 0; a < s.r; a++) norm += grad[a] * grad[a];
            assert_close(x.gap, norm / 2 + (s.bias ? fabs(x.b * grad[s.r]) : 0), 1e-10);
            assert_true(x.objective - x.gap <= best.objective * (1 + 1e-12));
            ny_point_clear(&x);
        }
        ny_point_clear(&best);
        ny_primal_clear(&p);
    }
}

/* A weight of 3 is three rows. */
static void test_weights_are_copies(void **state) {
    (void)state;
    static set s, copies;
    for (int64_t k = 0; ny_machine_at(k); k++)
        for (int c = 0; c < 2; c++) {
            double held[2][MOST];
            make_rows(&s, ny_machine_at(k), 60, 3, false, 0.1);
            for (int64_t i = 0; i < s.n; i++) s.v[i] = (double)(1 + i % 3);
            make_features(&s, c ? 60 : 12, 1);
            copies = s;
            copies.n = 0;
            for (int64_t i = 0; i < s.n; i++)
                for (int64_t copy = 0; copy < 1 + i % 3; copy++, copies.n++) {
                    copies.y[copies.n] = s.y[i];
                    copies.v[copies.n] = 1;
                    memcpy(copies.G + copies.n * s.r, s.G + i * s.r, (size_t)s.r * sizeof *s.G);
                }
            for (int64_t f = 0; f <= s.folds; f++) copies.start[f] = 2 * s.start[f]; /* folds of 12 rows, 24 copies */
            machine x = solve(&s, 3, 0), y = solve(&copies, 3, 0);
            assert_close(x.objective, y.objective, 1e-10);
            assert_close(x.b, y.b, 1e-8);
            for (int64_t a = 0; a < s.r; a++) assert_close(x.w[a], y.w[a], 1e-8);
            const ny_criterion *const criteria[] = {&ny_criterion_cv, &ny_criterion_bif, &ny_criterion_newton};
            for (int j = 0; j < 3; j++) {
                held_out(criteria[j], NY_ITERATIVE, &s, 3, held[0]);
                held_out(criteria[j], NY_ITERATIVE, &copies, 3, held[1]);
                for (int64_t i = 0, at = 0; i < s.n; at += 1 + i % 3, i++) assert_close(held[0][i], held[1][at], 1e-9);
            }
        }
}

/* --hinge exact: the sharp objective is within its gap of the minimum, so below that of every rounded machine. */
static void test_sharp(void **state) {
    (void)state;
    static set s;
    for (int64_t k = 0; ny_machine_at(k); k++)
        for (int c = 0; c < 8; c++) {
            double C = c & 1 ? 50 : 0.5, weight = 0;
            if (!ny_machine_at(k)->loss->rounding) continue;
            make_rows(&s, ny_machine_at(k), 60, 4, c & 2, 0.05);
            make_features(&s, c & 4 ? 60 : 12, 1);
            machine x = solve(&s, C, 1e-7);
            s.loss.width = 0;
            double J = objective(&s, C, x.w, x.b, NULL);
            assert_close(x.objective, J, 1e-12);
            assert_true(x.gap >= 0 && x.gap <= 1e-7);
            for (int64_t i = 0; i < s.n; i++) weight += C * s.v[i];
            for (double width = 0.5; width > 1e-3; width /= 4) { /* rounding adds h/4 at most for each of two corners */
                s.loss.width = width;
                machine rounded = solve(&s, C, 0);
                s.loss.width = 0;
                double other = objective(&s, C, rounded.w, rounded.b, NULL);
                assert_true(J <= other * (1 + 1e-7) && other <= J + weight * width / 2);
                assert_true(J >= rounded.objective - weight * width / 2);
            }
        }
}

/* ---- the finished model ----------------------------------------------------------------------------------------- */

/* J, gradient and gap of a model from its landmarks Z, beta and b alone: w = L'beta, g = L^-1 k(Z,x), L L' = K(Z,Z).
 * Landmarks take the place of the first rows of the set's X in make_features. */
static void check_model(const set *rows, const ny_model *model, double C, bool sharp) {
    static set s;
    machine x = {.b = model->f.b[0]};
    double constant = constant_feature();
    int64_t m = model->f.Z.n;
    s = *rows;
    s.n = m;
    memcpy(s.X, model->f.Z.x, (size_t)(m * INPUTS) * sizeof *s.X);
    make_features(&s, m, model->f.kernel.bandwidth); /* G is L', w = L'beta, and b is that of the constant feature */
    for (int64_t a = 0; a < m; a++)
        for (int64_t k = 0; k < m; k++) x.w[a] += s.G[a + k * s.r] * model->f.beta[k];
    if (constant > 0) x.w[m] = x.b / constant, x.b = 0;
    static set all;
    all = *rows;
    all.r = s.r;
    for (int64_t i = 0; i < all.n; i++) { /* g_i by substitution in L g = k(Z, x_i) */
        if (constant > 0) all.G[m + i * all.r] = constant;
        for (int64_t a = 0; a < m; a++) {
            double sum = rbf(s.X + a * INPUTS, rows->X + i * INPUTS, model->f.kernel.bandwidth);
            for (int64_t k = 0; k < a; k++) sum -= s.G[k + a * s.r] * all.G[k + i * all.r];
            all.G[a + i * all.r] = sum / s.G[a + a * s.r];
        }
    }
    if (!sharp) {
        x.objective = objective(&all, C, x.w, x.b, NULL);
        x.gap = 1e-12; /* of a final machine, at most */
        check_minimum(&all, C, &x);
        return;
    }
    double w[MOST], b;
    all.loss.width = 1e-6;
    descend(&all, C, w, &b);
    all.loss.width = 0;
    double J = objective(&all, C, x.w, x.b, NULL), other = objective(&all, C, w, b, NULL);
    assert_true(J <= other * (1 + 2e-7));
    assert_true(other <= J * (1 + 1e-3));
}

/* Machines come out of a training as they should: levels in the target's units, weights, scaling, landmarks. */
static void test_models(void **state) {
    (void)state;
    static set s;
    for (int64_t k = 0; ny_machine_at(k); k++)
        for (int c = 0; c < 4; c++) {
            const ny_machine *m = ny_machine_at(k);
            bool sharp = m->loss->rounding && c < 2; /* in a regression the width depends on the noise: always sharp */
            if (m->loss->rounding && !m->loss->classes) sharp = true;
            make_rows(&s, m, 60, 6, c & 1, 0.05);
            const char *level = m->loss->level.option; /* make_rows gives it the value 0.3 */
            ny_data *data = NULL;
            must(ctx, ny_data_from_rows(ctx, s.n, INPUTS, s.X, s.y, &data));
            data->weight = ny_alloc(ctx, s.n, sizeof(double));
            memcpy(data->weight, s.v, (size_t)s.n * sizeof(double));
            ny_options *o = make_options(
                ctx, "machine", m->name, "kernel", "rbf", "bandwidth", "1", "C", "4", "scale", "none", "task",
                m->loss->classes ? "binary" : "regression", level ? level : "quantiles", level ? "0.3" : NULL,
                "hinge-width", m->loss->rounding ? "0.05" : NULL, "hinge", sharp ? "exact" : "smooth", "landmarks",
                c & 2 ? "12" : "all", "rank-tol", "1e-15", "bias", asked_bias(1), "bias-penalty", asked_bias(2), NULL);
            ny_model *model = train_with_options(ctx, data, o);
            assert_int_equal(model->f.Z.n, c & 2 ? 12 : 60);
            check_model(&s, model, 4, sharp);
            ny_model_free(model);
            ny_data_free(data);
        }
}

/* A level that nobody gives is so many times the noise as its loss says, whatever the machine. */
static void test_auto_level(void **state) {
    (void)state;
    const ny_machine *m;
    for (int64_t k = 0; (m = ny_machine_at(k)); k++) {
        if (!m->loss->level.asked) continue;
        ny_data *data = NULL;
        must(ctx, ny_data_generate(ctx, "sinc", 80, 1, &data));
        ny_options *o = make_options(ctx, "machine", m->name, "kernel", "rbf", "bandwidth", "1", "C", "4", NULL);
        ny_model *model = train_with_options(ctx, data, o);
        const ny_measures *loss = &model->record->loss;
        assert_true(loss->noise > 0 && loss->noise < 0.5); /* not 1, which would hide what it is multiplied with */
        assert_close(loss->level, m->loss->level.noises * loss->noise, 1e-12);
        ny_model_free(model);
        ny_data_free(data);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_minimum),
        cmocka_unit_test(test_few_active),
        cmocka_unit_test(test_weights_are_copies),
        cmocka_unit_test(test_sharp),
        cmocka_unit_test(test_cold_start),
        cmocka_unit_test(test_models),
        cmocka_unit_test(test_auto_level),
        cmocka_unit_test(test_gap_is_a_promise),
    };
    static const double rho[] = {NAN, INFINITY, 0.4}; /* --bias free, none, penalised */
    int failed = 0;
    for (int k = 0; k < 3; k++) {
        asked_rho = rho[k];
        failed += cmocka_run_group_tests(tests, setup, teardown);
    }
    return failed;
}

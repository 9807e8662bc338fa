/* test_regpath.c: the regularization path of the l2-SVM: optimal wherever it is looked at, from its known beginning on,
 * with the partition of the rows that its machines have. */
#include "path_sets.h"

/* ---- the conditions of a minimum --------------------------------------------------------------------------------- */

static void test_conditions(void **state) {
    (void)state;
    static set s;
    int dual = 0, primal = 0;
    for (int c = 0; c < 4 * SETS; c++) {
        double alpha[MOST], worst = 0, last = c % SETS == COINCIDING ? 1e-5 : 1e-6; /* there alpha is near 1/lambda */
        ny_rng rng = ny_rng_make(17, NY_RNG_TEST, (uint32_t)c);
        const char *name = make_set(&s, c % SETS, 150, c / SETS % 2 ? 30 : 150, c / SETS / 2);
        trail t = follow_set(&s, 1e3, last, true);
        ny_sided x;
        sided_of(&s, &x);
        for (int k = 0; k < 20; k++) {
            solve_from(&t, &x, log_uniform(&rng, last, 1e3));
            double said = ny_sided_polish(&x, alpha), found = violated(&x, s.r, s.G, alpha);
            assert_true(found < 1e-8 && said < 1e-8);
            worst = fmax(worst, found);
            *(x.dual ? &dual : &primal) += 1;
        }
        print_message("%-10s rank %3d, %s: %2d stops, conditions to %.1e\n", name, (int)s.r,
                      c / SETS / 2 ? "weights   " : "no weights", (int)t.count, worst);
        ny_sided_clear(&x);
        free(t.at);
    }
    assert_true(dual >= 40 && primal >= 40); /* both forms of the factor */
}

/* ---- the same minimum as Newton's method finds ------------------------------------------------------------------- */

static void test_objective(void **state) {
    (void)state;
    static set s;
    for (int c = 0; c < 2 * SETS; c++) {
        ny_primal p;
        ny_machine_point newton;
        ny_sided x;
        make_set(&s, c % SETS, 150, 150, c / SETS);
        trail t = follow_set(&s, 100, 1e-3, true);
        sided_of(&s, &x);
        must(ctx, ny_primal_new(ctx, &s.problem, 0, &p));
        must(ctx, ny_point_new(ctx, &p, &newton));
        for (double lambda = 100; lambda > 1e-3; lambda /= 7) {
            newton.C = 2 / lambda;
            must(ctx, ny_newton(ctx, &p, 1e-18, &newton));
            solve_from(&t, &x, lambda);
            double J = 0, f[MOST];
            outputs(&s, x.w, x.b, f);
            for (int64_t a = 0; a < s.r; a++) J += lambda / 2 * x.w[a] * x.w[a];
            for (int64_t i = 0; i < s.n; i++) J += s.v[i] * slack(s.y[i], f[i]) * slack(s.y[i], f[i]);
            assert_true(fabs(x.objective - J) <= 1e-8 * J);
            assert_true(fabs(newton.objective * lambda - J) <= 1e-8 * J); /* 2/C of primal.h */
            for (int64_t i = 0; i < s.n; i++) assert_close(f[i], newton.f[i], 1e-6);
        }
        ny_point_clear(&newton);
        ny_primal_clear(&p);
        ny_sided_clear(&x);
        free(t.at);
    }
}

/* ---- where it begins --------------------------------------------------------------------------------------------- */

static ny_status only_first(ny_ctx *c, void *user, ny_sided *s, bool *enough) {
    (void)c;
    *enough = true;
    *(double *)user = s->lambda;
    return NY_OK;
}

/* The paper's eq. 14: alpha_i -> 4 m_-/m lambda where y = 1, 4 m_+/m lambda else, b -> (m_+ - m_-)/m. Weights count as
 * rows. */
static void test_beginning(void **state) {
    (void)state;
    static set s;
    for (int c = 0; c < 2 * SETS; c++) {
        double alpha[MOST], trace = 0, plus = 0, m = 0, began;
        ny_follow_range range = {.last = 1e-3, .whole = true};
        ny_sided x;
        make_set(&s, c % SETS, 120, 40, c / SETS);
        for (int64_t i = 0; i < s.n; i++) {
            m += s.v[i];
            plus += s.y[i] > 0 ? s.v[i] : 0;
            for (int64_t a = 0; a < s.r; a++) trace += s.v[i] * s.G[a + i * s.r] * s.G[a + i * s.r];
        }
        for (double scale = 1e4; scale < 1e9; scale *= 100) {
            range.first = scale * trace;
            sided_of(&s, &x);
            must(ctx, ny_follow(ctx, &x, &range, only_first, &began));
            assert_true(began == range.first && x.active == s.n);
            ny_sided_polish(&x, alpha);
            assert_true(fabs(x.b - (2 * plus - m) / m) <= 2 / scale);
            for (int64_t i = 0; i < s.n; i++) {
                double expected = 4 * s.v[i] * (s.y[i] > 0 ? m - plus : plus) / (m * began);
                assert_true(fabs(alpha[i] / expected - 1) <= 10 / scale);
            }
            ny_sided_clear(&x);
        }
        range.first = 1e-2; /* too small: it begins higher up, unless told not to */
        sided_of(&s, &x);
        must(ctx, ny_follow(ctx, &x, &range, only_first, &began));
        assert_true(began > 5 * range.first && x.active == s.n);
        ny_sided_clear(&x);
        range.whole = false;
        sided_of(&s, &x);
        must(ctx, ny_follow(ctx, &x, &range, only_first, &began));
        assert_true(began == range.first && x.active < s.n);
        ny_sided_clear(&x);
    }
}

/* ---- the way down ------------------------------------------------------------------------------------------------ */

/* lambda falls, by a half at most; E is what its machine says; few rows cross in a step: 2% of E are foreseen to leave.
 */
static void test_steps(void **state) {
    (void)state;
    static set s;
    double most = 0;
    for (int c = 0; c < 4 * SETS; c++) {
        make_set(&s, c % SETS, 180, c / SETS % 2 ? 30 : 180, c / SETS / 2);
        trail t = follow_set(&s, 1, 1e-5, true);
        assert_true(t.at[0].active == s.n && t.at[t.count - 1].lambda == 1e-5);
        for (int64_t k = 0; k < t.count; k++) {
            const stop *p = &t.at[k];
            double f[MOST];
            int64_t active = 0, crossed = 0;
            outputs(&s, p->w, p->b, f);
            for (int64_t i = 0; i < s.n; i++) {
                bool near = fabs(1 - s.y[i] * f[i]) < 1e-9;
                assert_true(near || p->in[i] == (s.y[i] * f[i] < 1));
                assert_close(p->f[i], f[i], 1e-9);
                active += p->in[i];
                crossed += k > 0 && p->in[i] != t.at[k - 1].in[i];
            }
            assert_int_equal(active, p->active);
            if (k == 0) continue;
            assert_true(p->lambda < t.at[k - 1].lambda && p->lambda >= 0.499 * t.at[k - 1].lambda);
            if (c % SETS != COINCIDING)
                most = fmax(most, ((double)crossed - 1) / (double)t.at[k - 1].active); /* ceil */
        }
        free(t.at);
    }
    print_message("at most %.1f%% of E cross in a step, and one row\n", 100 * most);
    assert_true(most < 0.15);
}

/* The range is kept to: it ends at its last lambda, or where the visitor has had enough. */
static ny_status third(ny_ctx *c, void *user, ny_sided *s, bool *enough) {
    ny_status st = keep_stop(c, user, s, enough);
    *enough = ((trail *)user)->count == 3;
    return st;
}

static ny_status refuses(ny_ctx *c, void *user, ny_sided *s, bool *enough) {
    ny_status st = third(c, user, s, enough);
    return *enough ? NY_ERR_DATA : st;
}

static ny_status cancels(ny_ctx *c, void *user, ny_sided *s, bool *enough) {
    ny_status st = keep_stop(c, user, s, enough);
    if (((trail *)user)->count == 3) ny_cancel(c);
    return st;
}

static void test_ends(void **state) {
    (void)state;
    static set s;
    const struct {
        ny_visit_fn *visit;
        ny_status status;
    } end[] = {{third, NY_OK}, {refuses, NY_ERR_DATA}, {cancels, NY_STOPPED}};
    make_set(&s, 0, 120, 40, false);
    for (int c = 0; c < 3; c++) {
        ny_ctx *own = ny_ctx_new(); /* one that may be cancelled */
        ny_sided x;
        ny_follow_range range = {10, 1e-3, false};
        trail t = {0};
        must(own, ny_sided_new(own, problem_of(&s), s.y, s.v, s.y, 0, &x));
        assert_int_equal(ny_follow(own, &x, &range, end[c].visit, &t), end[c].status);
        assert_int_equal(t.count, 3);
        assert_true(t.at[0].lambda == 10);
        ny_sided_clear(&x);
        ny_ctx_free(own);
        free(t.at);
    }
}

/* Conditions and objective of machines whose bias is penalised, or that have none. */
static void test_other_biases(void **state) {
    with_other_biases(test_conditions, state);
    with_other_biases(test_objective, state);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_conditions), cmocka_unit_test(test_objective), cmocka_unit_test(test_beginning),
        cmocka_unit_test(test_steps),      cmocka_unit_test(test_ends),      cmocka_unit_test(test_other_biases),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}

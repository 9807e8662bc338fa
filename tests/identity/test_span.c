/* test_span.c: leave-one-out of the l2-SVM along its path: against refits of the least squares machine on E, which it
 * equals, and of the l2-SVM itself, which it comes near to; the smallest ball and the radius-margin bound. */
#include "path_sets.h"

#include "base/threads.h"
#include "criterion/span.h"
#include "criterion/walk.h"
#include "solver/ball.h"

/* ---- least squares on E ------------------------------------------------------------------------------------------ */

static void test_least_squares(void **state) {
    (void)state;
    static set s;
    int dual = 0, primal = 0;
    for (int c = 0; c < 4 * SETS; c++) {
        ny_sided x;
        ny_span span;
        make_set(&s, c % SETS, 70, c / SETS % 2 ? 15 : 70, c / SETS / 2);
        sided_of(&s, &x);
        must(ctx, ny_span_new(ctx, &s.problem, &span));
        for (double lambda = 300; lambda > 1e-4; lambda /= 7) {
            double F[MOST], G[MOST];
            must(ctx, ny_sided_solve(ctx, &x, lambda));
            if (x.active < 3) continue; /* the machine without one of two rows has one class */
            ny_span_held(&span, &x, false, F);
            memcpy(G, x.f, (size_t)s.n * sizeof *G);
            refit_squares(&s, x.in, lambda, G);
            for (int64_t i = 0; i < s.n; i++) assert_close(F[i], G[i], 1e-8);
            *(x.dual ? &dual : &primal) += 1;
        }
        ny_span_clear(&span);
        ny_sided_clear(&x);
    }
    assert_true(dual >= 20 && primal >= 20); /* both forms */
}

/* Signs alone cost less and are the same, all the way down. */
typedef struct {
    ny_span span;
    int64_t stops, spared; /* rows whose sign was seen at a glance */
} glance;

static ny_status same_signs(ny_ctx *c, void *user, ny_sided *s, bool *enough) {
    (void)c;
    (void)enough;
    glance *g = user;
    double F[2][MOST];
    ny_span_held(&g->span, s, false, F[0]);
    ny_span_held(&g->span, s, true, F[1]);
    for (int64_t i = 0; i < s->P->n; i++) {
        if (fabs(F[0][i]) < 1e-14) continue; /* without bias, far from all landmarks: rounding has the sign */
        assert_true((s->y[i] * F[0][i] > 0) == (s->y[i] * F[1][i] > 0));
        g->spared += s->in[i] && F[1][i] != F[0][i];
    }
    g->stops++;
    return NY_OK;
}

static void test_signs(void **state) {
    (void)state;
    static set s;
    int64_t spared = 0, stops = 0;
    for (int c = 0; c < 4 * SETS; c++) {
        ny_sided x;
        glance g = {0};
        ny_follow_range range = {100, 1e-5, true};
        make_set(&s, c % SETS, 150, c / SETS % 2 ? 20 : 150, c / SETS / 2);
        sided_of(&s, &x);
        must(ctx, ny_span_new(ctx, &s.problem, &g.span));
        must(ctx, ny_follow(ctx, &x, &range, same_signs, &g));
        spared += g.spared, stops += g.stops;
        ny_span_clear(&g.span);
        ny_sided_clear(&x);
    }
    assert_true(stops > 1000 && spared > 10 * stops);
}

/* ---- the l2-SVM itself ------------------------------------------------------------------------------------------- */

/* Rows that leave or enter E when one is left out are what span does not see: with few of them, nothing; with a small
 * lambda, where they are fitted one by one, errors that a refit does not make. Rows outside E move nothing. */
static void test_refits(void **state) {
    (void)state;
    static set s;
    int64_t differ = 0, large = 0;
    for (int c = 0; c < 2 * SETS; c++) {
        ny_sided x;
        ny_span span;
        const char *name = make_set(&s, c % SETS, 150, 40, c / SETS);
        sided_of(&s, &x);
        must(ctx, ny_span_new(ctx, &s.problem, &span));
        print_message("%-10s errors of refits, span:", name);
        for (double lambda = 30; lambda > 1e-3; lambda /= 8) {
            double F[MOST], G[MOST];
            must(ctx, ny_sided_solve(ctx, &x, lambda));
            ny_span_held(&span, &x, false, F);
            refit_l2svm(&s, lambda, G);
            for (int64_t i = 0; i < s.n; i++)
                if (!x.in[i]) assert_close(F[i], G[i], 1e-5);
            int64_t span_errors = errors(&s, F), refit_errors = errors(&s, G), by = llabs(span_errors - refit_errors);
            print_message("  %d, %d", (int)refit_errors, (int)span_errors);
            differ = by > differ ? by : differ;
            if (lambda > 0.4) large = by > large ? by : large;
        }
        print_message("\n");
        ny_span_clear(&span);
        ny_sided_clear(&x);
    }
    print_message("of 150 rows errors differ by at most %d, by %d where lambda > 0.4\n", (int)differ, (int)large);
    assert_true(large <= 3 && differ <= 15);
}

/* ---- the smallest ball ------------------------------------------------------------------------------------------- */

/* Exactly, for few rows: of all spheres through some of them, with their centre among them, that which has all inside.
 *     2 K_S beta + mu = k_ii,   sum beta = 1,   R^2 = mu + |c|^2 */
static double enumerate(const set *s, double lambda) {
    for (int subset = 1; subset < 1 << s->n; subset++) {
        double A[49], x[7], centre = 0, worst = 0, sphere = 0;
        int64_t row[6], m = 0;
        bool good = true;
        for (int64_t i = 0; i < s->n; i++)
            if (subset >> i & 1) row[m++] = i;
        for (int64_t a = 0; a <= m; a++) {
            for (int64_t b = 0; b <= m; b++)
                A[a + b * (m + 1)] = a == m && b == m ? 0 : a == m || b == m ? 1 : 2 * kappa(s, row[a], row[b], lambda);
            x[a] = a == m ? 1 : kappa(s, row[a], row[a], lambda);
        }
        dense_solve(m + 1, 1, A, x);
        for (int64_t a = 0; a < m; a++) {
            good &= x[a] >= 0;
            for (int64_t b = 0; b < m; b++) centre += x[a] * x[b] * kappa(s, row[a], row[b], lambda);
        }
        sphere = x[m] + centre;
        for (int64_t i = 0; i < s->n; i++) {
            double d = kappa(s, i, i, lambda) + centre;
            for (int64_t a = 0; a < m; a++) d -= 2 * x[a] * kappa(s, i, row[a], lambda);
            worst = fmax(worst, d);
        }
        if (good && worst <= sphere * (1 + 1e-12)) return sphere;
    }
    fail_msg("no sphere");
    return 0;
}

static void test_few_points(void **state) {
    (void)state;
    static set s;
    for (int c = 0; c < 60; c++) {
        ny_ball ball;
        double radius2, gap;
        ny_rng rng = ny_rng_make(19, NY_RNG_TEST, (uint32_t)c);
        make_set(&s, c % SETS, 30, 30, c & 1);
        for (int64_t i = 0; i < s.n * s.r; i++) s.G[i] += 0.1 * ny_rng_normal(&rng); /* no two rows are the same */
        s.n = 2 + c % 5;
        must(ctx, ny_ball_new(ctx, problem_of(&s), s.v, &ball));
        for (double lambda = 1e3; lambda > 1e-7; lambda /= 30) {
            must(ctx, ny_ball_radius(ctx, &ball, lambda, &radius2, &gap));
            double exact = enumerate(&s, lambda), rounding = 1e-12 * exact;
            assert_true(radius2 - gap <= exact + rounding && exact <= radius2 + rounding && gap >= -rounding);
            assert_true(gap <= 1e-8 * exact);
        }
        ny_ball_clear(&ball);
    }
}

static void test_radius(void **state) {
    (void)state;
    static set s;
    double worst = 0, open = 0;
    for (int c = 0; c < 4 * SETS; c++) {
        ny_ball ball;
        double radius2, gap, least, most;
        make_set(&s, c % SETS, 100, c / SETS % 2 ? 20 : 100, c / SETS / 2);
        must(ctx, ny_ball_new(ctx, problem_of(&s), s.v, &ball));
        for (double lambda = 1e7; lambda >= 1e-6; lambda /= 10) {
            must(ctx, ny_ball_radius(ctx, &ball, lambda, &radius2, &gap));
            worst = fmax(worst, fabs(gap) / radius2);
            if (lambda > 2e5) continue;
            bracket(&s, lambda, &least, &most);
            open = fmax(open, (most - least) / most);
            assert_true(radius2 >= least * (1 - 1e-12) && radius2 - gap <= most * (1 + 1e-12));
        }
        ny_ball_clear(&ball);
    }
    print_message("radius: gap %.1e; its independent bracket %.1e\n", worst, open);
    assert_true(worst < 1e-8);
}

/* ---- the bound --------------------------------------------------------------------------------------------------- */

/* D^2 sum alpha / n is what it says it is, and above the leave-one-out errors. */
static void test_bound(void **state) {
    (void)state;
    static set s;
    double nearest = INFINITY;
    int64_t origin = 0, ball_of = 0;
    for (int c = 0; c < 2 * SETS; c++) {
        ny_ball ball;
        ny_sided x;
        make_set(&s, c % SETS, 100, 30, c / SETS);
        sided_of(&s, &x);
        must(ctx, ny_ball_new(ctx, &s.problem, s.v, &ball));
        for (double lambda = 100; lambda > 1e-2; lambda /= 10) {
            double w[MOST], b, f[MOST], F[MOST], least, most, sum = 0;
            ny_ball_reach reach;
            must(ctx, ny_sided_solve(ctx, &x, lambda));
            must(ctx, ny_ball_reach_at(ctx, &ball, lambda, &reach));
            double bound = ny_radius_margin(s.n, x.objective, lambda, &reach);
            descend(&s, 2 / lambda, w, &b);
            outputs(&s, w, b, f);
            for (int64_t i = 0; i < s.n; i++) sum += 2 * s.v[i] / lambda * slack(s.y[i], f[i]);
            assert_close(bound, reach_of(&s, lambda, &least, &most) * sum / (double)s.n, 1e-6);
            origin += reach.row >= 0, ball_of += reach.row < 0;
            refit_l2svm(&s, lambda, F);
            assert_true(bound >= (double)errors(&s, F) / (double)s.n);
            nearest = fmin(nearest, bound * (double)s.n / fmax(1, (double)errors(&s, F)));
        }
        ny_ball_clear(&ball);
        ny_sided_clear(&x);
    }
    print_message("the bound is at least %.1f times the errors of refits\n", nearest);
    assert_true(s.bias ? origin == 0 : origin > 0);
    assert_true(ball_of > 0 || isinf(asked_rho));
}

/* ---- threads ----------------------------------------------------------------------------------------------------- */

enum { MANY = 3000, STOPS = 400 };

typedef struct {
    int64_t count;
    double lambda[STOPS], objective[STOPS], b[STOPS], radius2[STOPS], loss[STOPS];
    int64_t active[STOPS];
    double F[MANY];
    ny_span span;
    ny_ball ball;
} log_of;

static ny_status write_down(ny_ctx *c, void *user, ny_sided *s, bool *enough) {
    (void)enough;
    log_of *l = user;
    int64_t k = l->count++;
    double gap;
    assert_true(k < STOPS);
    l->lambda[k] = s->lambda, l->objective[k] = s->objective, l->b[k] = s->b, l->active[k] = s->active;
    ny_span_held(&l->span, s, false, l->F);
    for (int64_t i = 0; i < MANY; i++) l->loss[k] += slack(s->y[i], l->F[i]) * slack(s->y[i], l->F[i]);
    return ny_ball_radius(c, &l->ball, s->lambda, &l->radius2[k], &gap);
}

static void test_threads(void **state) {
    (void)state;
    static log_of l[2];
    static double y[MANY], one[MANY];
    int before = ny_threads();
    ny_factor factor = {0};
    generate("ringnorm", MANY, 60, 4, &factor, y);
    for (int64_t i = 0; i < MANY; i++) one[i] = 1;
    ny_problem P = {.r = factor.r, .n = MANY, .q = 1, .G = factor.G, .ldg = factor.ldg, .u = one, .Y = y, .bias = true};
    for (int c = 0; c < 2; c++) {
        ny_follow_range range = {1e4, 1e-2, true};
        ny_sided x;
        ny_threads_set(c == 0 ? 1 : 3);
        must(ctx, ny_sided_new(ctx, &P, y, one, y, 0, &x));
        must(ctx, ny_span_new(ctx, &P, &l[c].span));
        must(ctx, ny_ball_new(ctx, &P, one, &l[c].ball));
        must(ctx, ny_follow(ctx, &x, &range, write_down, &l[c]));
        ny_sided_clear(&x);
        ny_span_clear(&l[c].span);
        ny_ball_clear(&l[c].ball);
    }
    ny_threads_set(before);
    ny_factor_clear(&factor);
    assert_true(l[0].count > 50);
    assert_int_equal(l[0].count, l[1].count);
    for (int64_t k = 0; k < l[0].count; k++) {
        assert_int_equal(l[0].active[k], l[1].active[k]);
        assert_true(fabs(l[0].lambda[k] / l[1].lambda[k] - 1) < 1e-9);
        assert_true(fabs(l[0].objective[k] / l[1].objective[k] - 1) < 1e-9);
        assert_true(fabs(l[0].loss[k] / l[1].loss[k] - 1) < 1e-9);
        assert_true(fabs(l[0].radius2[k] / l[1].radius2[k] - 1) < 1e-9);
        assert_close(l[0].b[k], l[1].b[k], 1e-9);
    }
    for (int64_t i = 0; i < MANY; i++) assert_close(l[0].F[i], l[1].F[i], 1e-9);
}

/* Least squares on E, signs and the bound of machines whose bias is penalised, or that have none. */
static void test_other_biases(void **state) {
    with_other_biases(test_least_squares, state);
    with_other_biases(test_signs, state);
    with_other_biases(test_bound, state);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_other_biases), cmocka_unit_test(test_least_squares), cmocka_unit_test(test_signs),
        cmocka_unit_test(test_refits),       cmocka_unit_test(test_few_points),    cmocka_unit_test(test_radius),
        cmocka_unit_test(test_bound),        cmocka_unit_test(test_threads),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
